"""How well a reader reads voices it never read before: right, asked, silently nothing, wrong.

A file of a voice has a JSON object a line: ``text``, ``domain``, and ``row``, the symbols of the
utterance with ``[start, end]`` for each span.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from commonground.errors import GroundingError
from commonground.grounding.english.reader import Domain, Reading
from commonground.grounding.english.symbols import read
from commonground.grounding.english.utterance import Clause, Span, Utterance
from commonground.reading import parse_json, read_text
from commonground.reasons import reason

Outcome = Literal["right", "asked", "silent", "wrong"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True, slots=True)
class Said:
    """A text with what it says."""

    text: str
    domain: Domain
    utterance: Utterance


def load_voice(path: Path) -> list[Said]:
    """Return what one file of a voice says."""
    return [*_said(path)]


def _said(path: Path) -> Iterator[Said]:
    for number, line in enumerate(read_text(path).splitlines(), 1):
        try:
            values = parse_json(line, path)
            text = values["text"]
            row = [
                item if isinstance(item, str) else Span(item[0], item[1], text[item[0] : item[1]])
                for item in values["row"]
            ]
            yield Said(text, values["domain"], read(row))
        except (ValueError, KeyError, TypeError, IndexError, GroundingError) as error:
            raise GroundingError(f"{path}: line {number} is no wording: {reason(error)}") from error


def outcome(reading: Reading, truth: Utterance) -> Outcome:
    """Return what a reading is, compared with what was said."""
    if reading.utterance == truth and reading.sure:
        return "right"
    if not reading.sure or reading.utterance is None:
        return "asked"
    return "silent" if empty(reading.utterance) and not empty(truth) else "wrong"


def empty(utterance: Utterance) -> bool:
    """Return whether an utterance asks for and tells nothing."""
    return all(isinstance(p.step, Clause) and p.step.sense == "nothing" for p in utterance.parts)
