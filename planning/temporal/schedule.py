"""Schedule of a team: who does what when."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np

from commonground.arrays import Floats
from commonground.planning.result import Status
from commonground.planning.temporal.problem import TeamProblem

Routes = tuple[tuple[int, ...], ...]
"""Per robot its tasks in order."""


def _none() -> Floats:
    return np.zeros(0)


@dataclass(frozen=True, slots=True)
class Schedule:
    """Every task on one robot at one time, and what is known about how good that is."""

    status: Status
    """SOLVED, UNSOLVABLE (proven, with the reason) or NOT_FOUND within the limits."""
    routes: Routes = ()
    start_s: Floats = field(default_factory=_none)
    """(n,) when each task starts: as its robot arrives."""
    end_s: Floats = field(default_factory=_none)
    makespan_s: float = float("inf")
    """When the last task ends."""
    travel_s: float = 0.0
    """Time all robots together spend traveling."""
    lower_bound_s: float = 0.0
    """No schedule has a smaller makespan."""
    optimal: bool = False
    """Whether the makespan is proven to be the least."""
    reason: str = ""
    """Why there is no schedule, empty when there is one."""

    @property
    def gap(self) -> float:
        """By which part of the makespan the optimum may be lower; 0 when proven optimal."""
        if self.optimal or self.makespan_s == self.lower_bound_s:
            return 0.0
        return (self.makespan_s - self.lower_bound_s) / self.makespan_s


def timetable(problem: TeamProblem, routes: Routes) -> Schedule | None:
    """Return the schedule of the routes, everything as early as can be; None where there is no way."""
    start, end = np.zeros(len(problem.duration_s)), np.zeros(len(problem.duration_s))
    travel = 0.0
    for robot, route in enumerate(routes):
        now = 0.0
        for last, task in itertools.pairwise((None, *route)):
            way = problem.approach_s[robot] if last is None else problem.travel_s[robot, last]
            start[task] = now + float(way[task])
            now = float(start[task] + problem.duration_s[task, robot])
            end[task] = now
            travel += float(way[task])
    if not np.isfinite(end).all():
        return None
    return Schedule(Status.SOLVED, routes, start, end, float(end.max(initial=0.0)), travel)
