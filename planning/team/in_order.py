"""When a share of tasks may be done at the soonest where some of them wait for others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from commonground.planning.pddl import Formula
from commonground.planning.scene.goal import literals
from commonground.planning.scene.precedence import TEAM, WAIT_S, Deed, Precedence
from commonground.planning.temporal.problem import TeamProblem

MOST_STEPS = 400
"""So many beginnings of tasks are looked at for one share; the first ones are those of who is there first."""
SAME_S = 1e-6


def waiting_tasks(
    order: Iterable[Precedence], tasks: Sequence[Formula]
) -> tuple[tuple[int, int], ...]:
    """Return the pairs of a team's tasks of which the first has to be done before the other is begun."""

    def of(deed: Deed) -> list[int]:
        asks = deed.robot == TEAM
        found = (k for k, task in enumerate(tasks) if deed.literals & {*literals(task)})
        return list(found) if asks else []

    pairs = ((of(pair.first), of(pair.then)) for pair in order)
    return tuple((a, b) for first, then in pairs for a in first for b in then if a != b)


@dataclass(slots=True)
class Waiting:
    """A short search through the orders in which robots may do what fell to them."""

    problem: TeamProblem
    before: Mapping[int, Sequence[int]]
    """Task → those that have to be done before it is begun."""
    own_s: Sequence[float]
    """What each robot does besides."""
    steps: int = 0
    best_s: float = field(default=float("inf"))

    def done_s(self, who: Sequence[int], least_s: float) -> float:
        """Return when the last robot is done with a share, which has the robot of every task.

        ``least_s`` is when that would be if nobody waited.
        """
        self.steps, self.best_s = 0, float("inf")
        self._go_on(who, {}, {}, least_s)
        return self.best_s

    def _go_on(
        self, who: Sequence[int], ends: Mapping[int, float], last: Mapping[int, int], least_s: float
    ) -> None:
        """Let each task be the next one that may be begun, the one that begins soonest first."""
        done_s = max((ends[k] + self.own_s[r] for r, k in last.items()), default=0.0)
        if done_s >= self.best_s - SAME_S:
            return
        if len(ends) == len(who):
            self.best_s = done_s
            return
        ready = (k for k in range(len(who)) if k not in ends and self._may_begin(k, ends))
        for begin_s, k in sorted((self._begin_s(k, who, ends, last), k) for k in ready):
            self.steps += 1
            if self.steps > MOST_STEPS and self.best_s < float("inf"):
                return
            end_s = begin_s + float(self.problem.duration_s[k, who[k]])
            self._go_on(who, {**ends, k: end_s}, {**last, who[k]: k}, least_s)
            if self.best_s <= least_s + SAME_S:
                return

    def _may_begin(self, task: int, ends: Mapping[int, float]) -> bool:
        return all(k in ends for k in self.before.get(task, ()))

    def _begin_s(
        self, task: int, who: Sequence[int], ends: Mapping[int, float], last: Mapping[int, int]
    ) -> float:
        """Return when the work on a task begins: its robot is there, and what it waits for is done."""
        robot = who[task]
        if robot in last:
            there_s = ends[last[robot]] + self.problem.travel_s[robot, last[robot], task]
        else:
            there_s = self.problem.approach_s[robot, task]
        waits_s = (ends[k] + WAIT_S * (who[k] != robot) for k in self.before.get(task, ()))
        return float(max((there_s, *waits_s)))
