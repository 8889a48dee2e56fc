"""Plans executed and scored: success, conditions reached, actions executed, makespan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from commonground.datasets.household.goals import Literal, holds
from commonground.datasets.household.house import House
from commonground.datasets.household.kinds import SLICED
from commonground.datasets.household.moves import Move
from commonground.datasets.household.tasks import HouseholdTask
from commonground.datasets.household.worlds import Floor


@dataclass(frozen=True, slots=True)
class Score:
    """What a plan came to."""

    task: HouseholdTask
    reached: int
    conditions: int
    executed: int
    actions: int
    makespan_s: float
    failures: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
    """What was broken or sliced though no condition asks for it; nothing undoes that."""

    @property
    def success(self) -> bool:
        """Return whether every condition holds at the end and nothing else was ruined."""
        return self.reached == self.conditions and not self.damaged


def score_plan(
    floor: Floor, task: HouseholdTask, plan: Sequence[Move], *, partial: bool = False
) -> Score:
    """Execute a plan in order of start times (as listed where there are none) and score it.

    An action that is not possible counts as not executed; the others go on.
    """
    house = House.of(floor, task, partial=partial)
    whole = {state: _in_state(house, state) for state in LASTING}
    order = list(range(len(plan)))
    if plan and all(move.start_s is not None for move in plan):
        order.sort(key=lambda k: (plan[k].start_s or 0.0, k))
    busy_until: dict[str, float] = {}
    failures, executed = [], 0
    for k in order:
        move = plan[k]
        if move.start_s is not None and move.end_s is not None:
            if move.start_s < busy_until.get(move.robot, 0.0) - 1e-9:
                failures.append(f"{move}: {move.robot} is still busy")
                continue
            busy_until[move.robot] = move.end_s
        outcome = house.do(move)
        executed += outcome.done
        if not outcome.done:
            failures.append(f"{move}: {outcome.reason}")
    best, damaged = _at_the_end(task, house, whole)
    makespan = max((m.end_s for m in plan if m.end_s is not None), default=float(len(plan)))
    return Score(
        task, sum(best), len(best), executed, len(plan), makespan, tuple(failures), damaged
    )


def _at_the_end(
    task: HouseholdTask, house: House, whole: dict[str, frozenset[str]]
) -> tuple[list[bool], tuple[str, ...]]:
    """Return which conditions hold, of the alternative that most of them do, and what was ruined for it."""
    ends = [
        ([holds(goal, house) for goal in goals], tuple(_damage(goals, house, whole)))
        for goals in task.goals or [()]
    ]
    return max(ends, key=lambda end: (sum(end[0]) / max(1, len(end[0])), -len(end[1])))


LASTING = ("BROKEN", "SLICED")
"""States that no action takes back."""


def _in_state(house: House, state: str) -> frozenset[str]:
    """Return the things in a state; slices, which others are cut from, are not among them."""
    return frozenset(
        name
        for name, kind in house.types().items()
        if not kind.endswith(SLICED) and house.is_in_state(name, state)
    )


def _damage(
    goals: Sequence[Literal], house: House, whole: dict[str, frozenset[str]]
) -> Iterator[str]:
    """Yield what is broken or sliced at the end without a condition that asks for it.

    A condition on a type asks for one thing of it. Slices may be wanted for anything that is said of them.
    """
    for state in LASTING:
        asked = Counter(word for goal in goals for word in _asked(goal, state))
        types = house.types()
        for name in sorted(_in_state(house, state) - whole[state]):
            kind = types[name]
            words = (name, kind, kind + SLICED)
            word = next((w for w in words if asked[w] > 0), None)
            if word is None:
                yield f"{name} is {state.lower()}, which nothing asks for"
            else:
                asked[word] -= 1


def _asked(goal: Literal, state: str) -> Iterator[str]:
    """Yield the things or types that a condition may want in a state."""
    if goal.negated or (state == "BROKEN" and goal.value != state):
        return
    yield goal.subject
    if goal.relation == "contains":
        yield goal.value


def summarize(scores: Iterable[Score]) -> dict[str, Any]:
    """Return the percentages of the benchmark: TCR, GCR and ER, and the mean makespan of what was planned."""
    rows = list(scores)
    if not rows:
        return {"tasks": 0, "tcr": None, "gcr": None, "er": None, "makespan_s": None}
    actions = sum(row.actions for row in rows)
    planned = [row.makespan_s for row in rows if row.actions]
    return {
        "tasks": len(rows),
        "tcr": 100 * fmean(row.success for row in rows),
        "gcr": 100 * fmean(row.reached / max(1, row.conditions) for row in rows),
        "er": 100 * sum(row.executed for row in rows) / actions if actions else None,
        "makespan_s": fmean(planned) if planned else None,
    }
