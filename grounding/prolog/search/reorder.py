"""Another order of the same actions, where the low level cannot follow the one that was planned.

An arm that waits above a place keeps others from it, itself too: it has to do something else in between.
The high level does not know of that, so the action that fails waits for one of those after it, or another
agent that can do the same does it. Every attempt is executed in Prolog, so what is returned works.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from commonground.grounding.prolog.actions.symmetry import renamed
from commonground.grounding.prolog.base.knowledge_base import END, START
from commonground.grounding.prolog.base.relations import Fact
from commonground.grounding.prolog.execution.refinement import Run, refined, run_in_turn
from commonground.grounding.prolog.search.total_order import HighTask

ATTEMPTS = 300
"""How often an order is executed at most."""
Whole = tuple[Fact, Fact]
"""A start and its end."""


def reordered(task: HighTask, heads: Sequence[Fact]) -> list[Fact] | None:
    """Return the steps of a plan in an order that the low level follows, other agents perhaps; or None."""
    wholes = _wholes(heads)
    if not wholes or not task.base.mappings:
        return None
    left = ATTEMPTS
    reach = _reached(task, wholes)
    while reach < len(wholes):
        further = reach
        for other in _others(task, wholes, reach):
            left -= 1
            further = _reached(task, other)
            if further > reach:
                wholes = other
                break
            if left <= 0:
                break
        if further <= reach:
            return None
        reach = further
    return list(chain.from_iterable(wholes)) if _executed(task, wholes)[0].valid else None


def _wholes(heads: Sequence[Fact]) -> list[Whole]:
    """Return starts with their ends; nothing where actions overlap."""
    pairs = list(zip(heads[::2], heads[1::2], strict=False))
    for start, end in pairs:
        name = str(start[0])
        if not name.endswith(START) or str(end[0]) != name.removesuffix(START) + END:
            return []
    return pairs if 2 * len(pairs) == len(heads) else []


def _others(task: HighTask, wholes: list[Whole], place: int) -> Iterator[list[Whole]]:
    """Yield orders in which another action, or another agent, comes where one failed."""
    for later in range(place + 1, len(wholes)):
        moved = wholes[later]
        yield [*wholes[:place], moved, *wholes[place:later], *wholes[later + 1 :]]
    for before in range(place + 1):
        for agents in _exchanges(task, wholes[before]):
            yield [*wholes[:before], agents, *wholes[before + 1 :]]


def _exchanges(task: HighTask, whole: Whole) -> Iterator[Whole]:
    """Yield an action as done by other agents that may stand in for its own."""
    for own in dict.fromkeys(whole[0][1:]):
        pool = next((p for p in task.base.pools.values() if own in p), ())
        for other in pool:
            if other != own and other not in whole[0][1:]:
                start, end = (renamed(head, {own: other}) for head in whole)
                yield start, end


def _reached(task: HighTask, wholes: Sequence[Whole]) -> int:
    """Return how many actions are executed before one fails."""
    done, owners = _executed(task, wholes)
    if done.fault is None:
        return len(wholes)
    begun = sum(1 for i, owner in enumerate(owners) if owner is None and i <= done.fault.id)
    return (begun - 1) // 2


def _executed(task: HighTask, wholes: Sequence[Whole]) -> tuple[Run, Sequence[int | None]]:
    given, owners = refined(task.base, list(chain.from_iterable(wholes)))
    return run_in_turn(task.engine, task.loaded, given), owners
