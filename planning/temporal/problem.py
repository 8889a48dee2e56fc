"""Team problem: tasks, who can do them, and how far apart they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Bools, Floats, Ints
from commonground.errors import PlanningError


@dataclass(frozen=True, slots=True)
class TeamProblem:
    """n tasks for R robots: each task is done once, by one robot, without interruption."""

    duration_s: Floats
    """(n, R) how long each robot takes for each task; inf where it cannot do it."""
    approach_s: Floats
    """(R, n) how long each robot takes from where it is now to each task."""
    travel_s: Floats
    """(R, n, n) from the end of one task to the start of another; inf where there is no way."""
    task_names: tuple[str, ...] = ()
    robot_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_times(self)
        n, robots = self.duration_s.shape
        for names, count, what in (
            (self.task_names, n, "tasks"),
            (self.robot_names, robots, "robots"),
        ):
            if names and len(names) != count:
                raise PlanningError(
                    f"{count} {what} have {len(names)} names; give one each or none"
                )

    @classmethod
    def of(
        cls,
        duration_s: ArrayLike,
        approach_s: ArrayLike,
        travel_s: ArrayLike,
        *,
        able: ArrayLike | None = None,
        task_names: Iterable[str] = (),
        robot_names: Iterable[str] = (),
    ) -> TeamProblem:
        """Build a problem from plain arrays.

        ``duration_s`` (n,) or (n, R); ``travel_s`` (n, n) where all robots are equally fast, or
        (R, n, n); ``able`` (n, R) says who can do what, where not everybody can do everything.
        """
        approach, travel = np.asarray(approach_s, float), np.asarray(travel_s, float)
        robots = len(approach)
        duration = np.asarray(duration_s, float)
        if duration.ndim == 1:
            duration = np.repeat(duration[:, None], robots, axis=1)
        if able is not None:
            duration = np.where(np.asarray(able, bool), duration, np.inf)
        if travel.ndim == 2:
            travel = np.repeat(travel[None], robots, axis=0)
        return cls(duration, approach, travel, tuple(task_names), tuple(robot_names))

    @property
    def able(self) -> Bools:
        """(n, R): who can do what."""
        return np.isfinite(self.duration_s)

    def task(self, task: int) -> str:
        """Return what reasons call a task."""
        return self.task_names[task] if self.task_names else f"task {task}"

    def robot(self, robot: int) -> str:
        """Return what reasons call a robot."""
        return self.robot_names[robot] if self.robot_names else f"robot {robot}"


def _check_times(problem: TeamProblem) -> None:
    duration, approach, travel = problem.duration_s, problem.approach_s, problem.travel_s
    if duration.ndim != 2 or duration.shape[1] == 0:
        raise PlanningError("there are no robots; give durations of shape (tasks, robots)")
    n, robots = duration.shape
    for values, shape, what in (
        (approach, (robots, n), "approach times"),
        (travel, (robots, n, n), "travel times"),
    ):
        if values.shape != shape:
            raise PlanningError(f"{what} have shape {values.shape}; {shape} is needed")
    for values, what in (
        (duration, "duration"),
        (approach, "approach time"),
        (travel, "travel time"),
    ):
        wrong = np.argwhere(np.isnan(values) | (values < 0))
        if len(wrong):
            at = tuple(int(i) for i in wrong[0])
            raise PlanningError(
                f"{what} {at} is {values[at]}; times are at least 0 (inf: impossible)"
            )


def obstacle(problem: TeamProblem) -> str:
    """Name tasks that nobody can do, or that nobody who can do them can reach; '' where there are none."""
    unable = np.flatnonzero(~problem.able.any(axis=1))
    if len(unable):
        return f"no robot can do {_tasks(problem, unable)}"
    n = len(problem.duration_s)
    reachable = np.zeros((n, problem.duration_s.shape[1]), bool)
    for robot in range(reachable.shape[1]):
        able = problem.able[:, robot]
        front = able & np.isfinite(problem.approach_s[robot])
        while front.any():
            reachable[:, robot] |= front
            onward = np.isfinite(problem.travel_s[robot][front]).any(axis=0)
            front = onward & able & ~reachable[:, robot]
    cut = np.flatnonzero(~reachable.any(axis=1))
    return f"no robot that can do {_tasks(problem, cut)} can get there" if len(cut) else ""


def _tasks(problem: TeamProblem, tasks: Ints) -> str:
    names = [problem.task(int(t)) for t in tasks[:5]]
    more = f" and {len(tasks) - 5} more" if len(tasks) > 5 else ""
    return ", ".join(names) + more
