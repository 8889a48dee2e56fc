"""Plans executed and scored: success, conditions reached, actions executed, makespan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from commonground.datasets.household.goals import holds
from commonground.datasets.household.house import House
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

    @property
    def success(self) -> bool:
        """Return whether every condition holds at the end."""
        return self.reached == self.conditions


def score_plan(
    floor: Floor, task: HouseholdTask, plan: Sequence[Move], *, partial: bool = False
) -> Score:
    """Execute a plan in order of start times (as listed where there are none) and score it.

    An action that is not possible counts as not executed; the others go on.
    """
    house = House.of(floor, task, partial=partial)
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
    reached = [[holds(goal, house) for goal in goals] for goals in task.goals]
    best = max(reached, key=lambda held: sum(held) / max(1, len(held)), default=[])
    makespan = max((m.end_s for m in plan if m.end_s is not None), default=float(len(plan)))
    return Score(task, sum(best), len(best), executed, len(plan), makespan, tuple(failures))


def summarize(scores: Iterable[Score]) -> dict[str, Any]:
    """Return the percentages of the benchmark: TCR, GCR and ER, and the mean makespan."""
    rows = list(scores)
    if not rows:
        return {"tasks": 0, "tcr": None, "gcr": None, "er": None, "makespan_s": None}
    actions = sum(row.actions for row in rows)
    return {
        "tasks": len(rows),
        "tcr": 100 * fmean(row.success for row in rows),
        "gcr": 100 * fmean(row.reached / max(1, row.conditions) for row in rows),
        "er": 100 * sum(row.executed for row in rows) / actions if actions else 0.0,
        "makespan_s": fmean(row.makespan_s for row in rows),
    }
