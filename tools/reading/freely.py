"""Texts that people wrote freely and marked themselves, where no sheet told them what to say.

A line holds a text with marks, a tab, and what it means as JSON in the notation of the sheets. A mark's
letter tells what kind of words it holds: ``{n1:bench}``; talk is ``{~:such a fine day}``. Lines that begin
with ``#`` are notes: ``# domain: memory`` says what the file is about, ``# voice: nurse`` who speaks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LETTERS = {
    "n": "noun", "r": "robot", "g": "region name", "s": "symbol", "p": "person", "q": "number",
    "o": "ordinal", "c": "color", "a": "attribute", "d": "distance", "u": "superlative",
    "w": "wrong noun", "v": "verb", "x": "routine", "l": "liquid", "h": "channel", "t": "state",
    "m": "manner", "e": "time",
}  # fmt: skip
MARK = re.compile(r"\{([a-z])(\d+):([^{}]*)\}")


def wording_of(line: str, domain: str) -> dict[str, Any]:
    """Return the wording that a line holds; ValueError says what is wrong with its marks."""
    text, tab, meaning = line.partition("\t")
    if not tab:
        raise ValueError("no tab between text and meaning")
    marks = sorted((int(number), letter, words) for letter, number, words in MARK.findall(text))
    if [number for number, *_ in marks] != list(range(1, len(marks) + 1)):
        raise ValueError("marks are to be numbered 1, 2, …, each once")
    unknown = sorted({letter for _, letter, _ in marks} - set(LETTERS))
    if unknown:
        raise ValueError(f"no such kind of mark: {', '.join(unknown)}")
    return {
        "domain": domain,
        "slots": [[LETTERS[letter], words] for _, letter, words in marks],
        "meaning": json.loads(meaning),
        "text": MARK.sub(lambda mark: f"{{{mark[2]}:{mark[3]}}}", text),
    }


def lines_of(path: Path) -> Iterator[tuple[int, str, str]]:
    """Yield the number of each line of a file that is no note, the line, and its domain."""
    domain = "scene"
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("# domain:"):
            domain = line.partition(":")[2].strip()
        elif line.strip() and not line.startswith("#"):
            yield number, line, domain


def wordings_of(path: Path) -> Iterator[dict[str, Any]]:
    """Yield what a file says, one wording a line."""
    for number, line, domain in lines_of(path):
        yield {"id": f"{domain[0]}{path.stem}{number:04d}"} | wording_of(line, domain)
