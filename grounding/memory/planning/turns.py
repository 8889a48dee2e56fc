"""Tasks that say what comes first: their goal in parts, of which one is reached after the other.

Each part of the words is read by itself, and tells which parts of the goal it asks for. An order that cannot
be told so is asked about, never dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import TypeAlias

from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.planning.pddl import Formula, symbols
from commonground.planning.pddl.logic import conjunction, conjuncts

_NEXT = r"(?:then|afterwards?|after (?:that|this))"
_BEFOREHAND = r"(?:before (?:that|this)|beforehand|first(?: of all)?)"
_ORDERS = [
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        rf"(?P<later>.+?)(?:,? but {_BEFOREHAND}|[.,;] (?:and )?{_BEFOREHAND}),? (?P<first>.+)",
        rf"(?:first,? )?(?P<first>.+?)(?:[.,;]| and|, and)? {_NEXT},? (?P<later>.+)",
        r"(?:only )?(?:after|once) (?P<first>[^,]+), (?P<later>.+)",
        r"before (?P<later>[^,]+), (?P<first>.+)",
        r"(?P<later>.+?),? (?:but )?(?:only )?(?:after|once) (?P<first>.+)",
        r"(?P<first>.+?),? before (?P<later>.+)",
    )
]
_OTHERWISE = re.compile(
    r"\bin (?:this|that|(?:the )?reverse|(?:the )?opposite) order\b"
    r"|\b(?:starting|beginning|ending|finishing) with\b"
    r"|, (?:the |an? )?[\w' -]+ (?:first|last)\s*[.!]?$",
    re.IGNORECASE,
)
"""Orders of what is listed, which no part of the words tells by itself."""

_ASKED = "what comes before what in “{}”? Tell it as: do the one thing, then do the other"
Read: TypeAlias = "Callable[[str], Formula | None]"


def in_turn(
    text: str, goal: Formula, read: Read, named: Callable[[str], Collection[str]]
) -> list[Formula]:
    """Return the goals that are to be reached one after the other, the whole goal last.

    Raises `Unclear` for an order that cannot be kept. ``before`` what names nothing known is a time.
    """
    said, parts = text.strip(" .!?"), list(dict.fromkeys(conjuncts(goal)))
    sides = _sides(said)
    if not (sides and all(map(named, sides))):
        if len(parts) > 1 and _OTHERWISE.search(said):
            raise Unclear(_ASKED.format(said))
        return [goal]
    if any(symbols(goal).isdisjoint(named(side)) for side in sides):
        raise Unclear(_ASKED.format(said))  # of one side nothing is left
    if len(parts) < 2:
        return [goal]
    early = _early(parts, *map(read, sides))
    if len(early) in (0, len(parts)):
        raise Unclear(_ASKED.format(said))
    rest = [part for part in parts if part not in early]
    stages: list[Formula] = []
    for side, some in zip(sides, (early, rest), strict=True):
        stages += in_turn(side, conjunction(some), read, named)
    return _cumulated(stages)


def _sides(said: str) -> tuple[str, ...]:
    """Return what is to be done first, and what after that; nothing where no order is told."""
    found = next((f for f in (order.fullmatch(said) for order in _ORDERS) if f), None)
    return () if found is None else (found["first"], found["later"])


def _early(parts: list[Formula], first: Formula | None, later: Formula | None) -> list[Formula]:
    """Return the parts of a goal that the first words ask for, or all that the later ones do not."""
    mine, others = ({*conjuncts(one)} if one is not None else set() for one in (first, later))
    known = bool(mine) and mine < {*parts}
    return [part for part in parts if (part in mine if known else part not in others)]


def _cumulated(stages: list[Formula]) -> list[Formula]:
    """Return goals of which each keeps what those before it reached."""
    found: list[Formula] = []
    for stage in stages:
        before = conjuncts(found[-1]) if found else ()
        found.append(conjunction(list(dict.fromkeys((*before, *conjuncts(stage))))))
    return found
