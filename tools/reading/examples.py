"""Wordings as examples to learn from: tokens, the spans among them, and the row of the utterance."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from freely import wordings_of
from meanings import told

from commonground.grounding.english.names import Hint
from commonground.grounding.english.spans import CHATTER, KINDS, Segment
from commonground.grounding.english.symbols import BEGIN, POINTER, Place, all_symbols, written
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.english.utterance import Span

DOMAINS = ("scene", "household", "memory")
SYMBOL = {name: number for number, name in enumerate(all_symbols())}
START = len(SYMBOL)


@dataclass(slots=True)
class Example:
    """One wording: the items are symbols, or -1 - k for the k-th segment."""

    domain: str
    tokens: list[str]
    segments: list[Segment]
    items: list[int]
    classes: list[str] = field(default_factory=list)
    """What list the sheet took each segment's words from; '' for none."""
    author: str = ""
    id: str = ""
    hints: Sequence[Hint] = ()
    """Names that the world is said to have."""


def scopes_of(items: Sequence[int]) -> list[int]:
    """Return for each item the symbol that opened the value in which it stands."""
    names = all_symbols()
    place: Place | None = BEGIN
    found = []
    for item in items:
        if place is None:
            raise ValueError("a row goes on behind its end")
        found.append(SYMBOL[place.opened] if place.opened else START)
        place = place.after(names[item] if item >= 0 else POINTER)
    return found


def example_of(wording: dict[str, Any], author: str = "") -> Example | None:
    """Return the example of a wording; None where marks do not fall on tokens."""
    text, said, slots, chatter = told(wording)
    tokens = tokens_of(text)
    segments: list[tuple[int, int, int, int]] = []
    for number, span in slots.items():
        inside = [i for i, t in enumerate(tokens) if t.start < span.end and t.end > span.start]
        if not inside:
            return None
        kind = KINDS.index(wording["slots"][number - 1][0])
        segments.append((inside[0], inside[-1] + 1, kind, number))
    for start, end in chatter:
        inside = [i for i, t in enumerate(tokens) if t.start < end and t.end > start]
        if inside:
            segments.append((inside[0], inside[-1] + 1, CHATTER, 0))
    segments.sort()
    if any(a[1] > b[0] for a, b in pairwise(segments)):
        return None
    at = {number: k for k, (*_, number) in enumerate(segments) if number}
    where = {(s.start, s.end): at[n] for n, s in slots.items()}
    items = [
        -1 - where[item.start, item.end] if isinstance(item, Span) else SYMBOL[item]
        for item in written(said)
    ]
    classes = [wording["slots"][n - 1][1] if n else "" for *_, n in segments]
    return Example(
        wording["domain"],
        [t.text for t in tokens],
        [s[:3] for s in segments],
        items,
        classes,
        author,
        wording.get("id", ""),
    )


def load(files: Iterable[Path]) -> list[Example]:
    """Return the examples of files of wordings."""
    made = (example_of(one, author_of(file)) for file in files for one in wordings_in(file))
    return [e for e in made if e is not None]


def wordings_in(file: Path) -> Iterable[dict[str, Any]]:
    """Return the wordings of a file: of sheets (``.jsonl.xz``), or written freely (``.txt``)."""
    if file.suffix == ".txt":
        return wordings_of(file)
    return map(json.loads, lzma.decompress(file.read_bytes()).decode().splitlines())


def author_of(file: Path) -> str:
    """Return whose wordings a file has."""
    return file.name.partition(".")[0]


def all_wordings(folder: Path) -> list[Path]:
    """Return the files of all voices."""
    return sorted(f for f in folder.iterdir() if f.suffix in (".xz", ".txt"))
