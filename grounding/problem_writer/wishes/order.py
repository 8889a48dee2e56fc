"""What is to hold one after the other: conditions become steps; later ones settle contradictions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from commonground.grounding.problem_writer.contradiction import Contradictions, of_one_thing
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.things import Condition, together, whole
from commonground.planning.pddl import And, Formula, Or

Deeds = Sequence[tuple[Sequence[Condition], bool]]
"""Conditions that deeds bring about, and whether each deed waits for those before it."""


def steps_of(deeds: Deeds, home: Home) -> list[Formula]:
    """Return what shall hold after each step; later conditions replace what they contradict."""
    held_against = Contradictions(home.graph)
    steps: list[Formula] = []
    now: list[Condition] = []
    for conditions, waits in deeds:
        parts = list(chain.from_iterable(map(_parts, conditions)))
        over = [old for old in now if any(_replaces(new, old, held_against) for new in parts)]
        if now and parts and (waits or over):
            steps.append(together(now))
        now = [*(old for old in now if old not in (*over, *parts)), *parts]
    return [*steps, together(now)]


def _parts(condition: Condition) -> Iterator[Condition]:
    """Yield the parts of a condition that leaves nothing open."""
    if len(condition.goals) == 1 and isinstance(condition.goals[0], And):
        yield from (whole(part) for part in condition.goals[0].parts)
    elif len(condition.goals) == 1:
        yield whole(condition.goals[0])
    else:
        yield condition


def _replaces(new: Condition, old: Condition, held_against: Contradictions) -> bool:
    """Return whether no part of an old condition can hold together with a new one."""
    if new == old or any(
        isinstance(c.formula, Or) and not of_one_thing(c.formula) for c in (new, old)
    ):
        return _same_choice(new, old) and all(
            held_against.between(n, o) for n, o in zip(new.goals, old.goals, strict=True)
        )
    return held_against.between(new.formula, old.formula)


def _same_choice(new: Condition, old: Condition) -> bool:
    return new != old and new.about is not None and new.about is old.about
