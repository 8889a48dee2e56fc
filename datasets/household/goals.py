"""Goal literals: ``(contains X Y)``, ``(state X S)`` and their negations, over objects or types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonground.datasets.household.kinds import SLICED
from commonground.errors import DataError

if TYPE_CHECKING:
    from commonground.datasets.household.house import House

STATES = (
    "SLICED", "COOKED", "ON", "OFF", "OPENED", "CLOSED", "BROKEN", "CLEAN", "FILLED", "HOT", "COLD",
    "EMPTY", "TOASTED", "MOVED",
)  # fmt: skip
_LITERAL = re.compile(
    r"\(\s*(not\s*\(\s*)?(contains|state)\s+([\w|.-]+)\s+([\w|.-]+)\s*\)(\s*\))?\s*$"
)


@dataclass(frozen=True, slots=True)
class Literal:
    """``(contains X Y)``: some Y is in or on some X; ``(state X S)``: some X is S."""

    relation: str
    subject: str
    value: str
    negated: bool = False

    @property
    def named(self) -> tuple[str, ...]:
        """The words that stand for objects."""
        return (self.subject,) if self.relation == "state" else (self.subject, self.value)

    def __str__(self) -> str:
        plain = f"({self.relation} {self.subject} {self.value})"
        return f"(not {plain})" if self.negated else plain


def parse_literal(text: str) -> Literal:
    """Return a literal, or raise DataError."""
    found = _LITERAL.match(text.strip())
    if found is None or bool(found[1]) != bool(found[5]):
        raise DataError(f"goal '{text}': neither (contains X Y) nor (state X S)")
    relation, subject, value = found[2], found[3], found[4]
    if relation == "state" and value not in STATES:
        raise DataError(f"goal '{text}': there is no state {value}; known: {', '.join(STATES)}")
    return Literal(relation, subject, value, bool(found[1]))


def matches(word: str, types: Mapping[str, str]) -> list[str]:
    """Return the objects a word of a goal may mean: that object, or those of the type and its slices."""
    if word in types:
        return [word]
    return [name for name, kind in types.items() if kind in (word, word + SLICED)]


def holds(goal: Literal, house: House) -> bool:
    """Return whether a literal is true."""
    types = house.types()
    subjects = matches(goal.subject, types)
    if goal.relation == "state":
        found = any(house.is_in_state(name, goal.value) for name in subjects)
    else:
        things = matches(goal.value, types)
        found = any(house.is_inside(y, x) for x in subjects for y in things if x != y)
    return found != goal.negated
