"""What is to hold one after the other: goals of clauses become steps; later ones settle contradictions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.problem_writer.commands.mentions import Clause
from commonground.grounding.problem_writer.contradiction import Contradictions, of_one_thing
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.planning.pddl import And, Formula, Or, conjunction

_AFTERWARDS = frozenset(
    ["then", "and then", "after that", "afterwards", "next", "finally", "followed by", "lastly",
     "subsequently",
     "thereafter", "once done", "when done", "before", "prior to", "just before"]
)  # fmt: skip
_FIRST = frozenset(
    ["after", "once", "as soon as", "only after", "only once", "right after", "when"]
)
_DELAYED = frozenset(["before", "prior to", "just before"])


def in_order(clauses: Sequence[Clause]) -> list[tuple[int, bool]]:
    """Return the places of clauses in the order in which they happen, and whether each has to wait.

    ``slice it before you put it away``, ``after slicing it, put it away``, ``put it away after slicing it``.
    """
    order: list[tuple[int, bool]] = []
    delayed: int | None = None
    for i, clause in enumerate(clauses):
        links = set(clause.links)
        begins = i == 0 or "." in links
        if delayed is not None:
            order += [(i, False), (delayed, True)]
            delayed = None
        elif begins and links & _DELAYED and i + 1 < len(clauses):
            delayed = i
        elif links & _FIRST and not begins:
            last, waits = order.pop()
            order += [(i, waits), (last, True)]
        else:
            waits = bool(links & _AFTERWARDS) or (
                i > 0 and "." not in links and bool(set(clauses[i - 1].links) & _FIRST)
            )
            order.append((i, waits and i > 0))
    return order


def steps_of(goals: Sequence[tuple[Formula, bool]], graph: HouseGraph) -> list[Formula]:
    """Return what shall hold after each step; later goals replace what they contradict."""
    held_against = Contradictions(graph)
    steps: list[Formula] = []
    now: list[Formula] = []
    for goal, waits in goals:
        parts = list(_conjuncts(goal))
        over = [old for old in now if any(_replaces(part, old, held_against) for part in parts)]
        if now and parts and (waits or over):
            steps.append(conjunction(now))
        now = [old for old in now if old not in over] + parts
        for old in over:
            now += held_against.kept_out(old, parts)
    return [*steps, conjunction(list(dict.fromkeys(now)))]


def _conjuncts(goal: Formula) -> Iterator[Formula]:
    if isinstance(goal, And):
        for part in goal.parts:
            yield from _conjuncts(part)
    else:
        yield goal


def _replaces(new: Formula, old: Formula, held_against: Contradictions) -> bool:
    """Return whether no part of an old goal can hold together with a new one."""
    if old == new or any(isinstance(goal, Or) and not of_one_thing(goal) for goal in (new, old)):
        return False
    return held_against.between(new, old)
