"""Merges of an earlier fused map that the new one undoes, each with the reason.

Every fusion merges what the robots themselves hold, from the beginning, so no merge is final. Here those that
did not last are reported, each with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from commonground.errors import MALFORMED, MappingError
from commonground.reading import read_json
from commonground.reasons import reason

Source: TypeAlias = tuple[str, str]
"""A robot, and the symbol of one of its nodes."""
LAYER = "objects"


@dataclass(frozen=True, slots=True)
class Undone:
    """Two robots' objects that were one thing before and are two now."""

    was: str
    """Symbol of the fused object that held both."""
    one: Source
    two: Source
    now: tuple[str, str]
    """Symbols of the fused objects they are in now."""
    why: str

    def __str__(self) -> str:
        """Return the line a user reads."""
        (a, own_a), (b, own_b) = self.one, self.two
        return f"{self.was} fell apart: {a}'s {own_a} and {b}'s {own_b} are two things; {self.why}"

    def as_json(self) -> dict[str, Any]:
        return {"was": self.was, "sources": [self.one, self.two], "now": self.now, "why": self.why}


def sources_before(folder: Path) -> Mapping[str, Sequence[Source]]:
    """Return what each object of a fused map was made of; MappingError if that cannot be read."""
    file = folder / "provenance.json"
    try:
        values = read_json(file)[LAYER]
        return {
            symbol: [(str(robot), str(own)) for robot, own in made_of]
            for symbol, made_of in values.items()
        }
    except (OSError, *MALFORMED) as error:
        raise MappingError(
            f"{file}: cannot be read: {reason(error)}; fuse the runs again"
        ) from error


def undone_merges(
    before: Mapping[str, Sequence[Source]], after: Mapping[str, Sequence[Source]]
) -> list[Undone]:
    """Return the merges of ``before`` that ``after`` does not have, for sources that both know.

    One object that fell into parts is reported once for each part beyond the first.
    """
    holder = {tuple(source): symbol for symbol, made_of in after.items() for source in made_of}
    out = []
    for was, made_of in before.items():
        known = [source for source in made_of if source in holder]
        parts: dict[str, Source] = {}
        for source in known:
            parts.setdefault(holder[source], source)
        symbols = list(parts)
        for symbol in symbols[1:]:
            now = (symbols[0], symbol)
            why = _why(after[now[0]], after[now[1]])
            out.append(Undone(was, parts[now[0]], parts[symbol], now, why))
    return out


def _why(one: Sequence[Source], two: Sequence[Source]) -> str:
    """Return why two fused objects are not one: a robot that saw both, or where they lie now."""
    both = sorted({robot for robot, _ in one} & {robot for robot, _ in two})
    if both:
        return f"{', '.join(both)} saw two things there"
    return "on the paths as they are now they lie apart"
