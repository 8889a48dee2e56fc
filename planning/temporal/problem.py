"""Team problem: tasks, who can do them, how far apart they are, what must wait for what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Bools, Floats
from commonground.errors import PlanningError


@dataclass(frozen=True, slots=True)
class Precedence:
    """``after`` starts at least ``lag_s`` after ``before`` has ended (or started)."""

    before: int
    after: int
    lag_s: float = 0.0
    from_start: bool = False
    """Count the lag from the start of ``before``; else from its end."""


@dataclass(frozen=True, slots=True)
class Resource:
    """Something that only ``capacity`` units of can be in use at once: a charger, a narrow place."""

    name: str
    use: tuple[tuple[int, int], ...]
    """Pairs (task, units) of the tasks that need it from their start on."""
    capacity: int = 1
    held: bool = False
    """Whether a task keeps it until its robot starts the next task, as a robot keeps the place it waits
    in; a robot's last task then keeps it for good. Otherwise it is free when the task ends."""


@dataclass(frozen=True, slots=True)
class TeamProblem:
    """n tasks for R robots: each task is done once, by one robot, without interruption."""

    duration_s: Floats
    """(n, R) how long each robot takes for each task; inf where it cannot do it."""
    approach_s: Floats
    """(R, n) how long each robot takes from where it is now to each task."""
    travel_s: Floats
    """(R, n, n) from the end of one task to the start of another; inf where there is no way."""
    precedences: tuple[Precedence, ...] = ()
    resources: tuple[Resource, ...] = ()
    routes: tuple[tuple[int, ...], ...] | None = None
    """Per robot its tasks in order, where that is already decided; None: to be decided."""
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
        for p in self.precedences:
            _check_task(p.before, n, "a precedence")
            _check_task(p.after, n, "a precedence")
            if not 0 <= p.lag_s < np.inf:
                raise PlanningError(
                    f"the lag between {self.task(p.before)} and {self.task(p.after)} is {p.lag_s} s; "
                    "it has to be finite and not negative"
                )
        for resource in self.resources:
            _check_resource(resource, n)
        if self.routes is not None:
            _check_routes(self.routes, n, robots)

    @classmethod
    def of(
        cls,
        duration_s: ArrayLike,
        approach_s: ArrayLike,
        travel_s: ArrayLike,
        *,
        able: ArrayLike | None = None,
        precedences: Iterable[Precedence | tuple[int, int]] = (),
        resources: Iterable[Resource] = (),
        routes: Sequence[Sequence[int]] | None = None,
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
        pairs = [p if isinstance(p, Precedence) else Precedence(*p) for p in precedences]
        fixed = None if routes is None else tuple(tuple(route) for route in routes)
        return cls(
            duration,
            approach,
            travel,
            tuple(pairs),
            tuple(resources),
            fixed,
            tuple(task_names),
            tuple(robot_names),
        )

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


def _check_task(task: int, count: int, where: str) -> None:
    if not 0 <= task < count:
        raise PlanningError(f"{where} names task {task}; there are {count}, counted from 0")


def _check_resource(resource: Resource, count: int) -> None:
    for task, units in resource.use:
        _check_task(task, count, f"resource {resource.name}")
        if units < 1:
            raise PlanningError(f"task {task} uses {units} units of {resource.name}; at least 1")
    if len({task for task, _ in resource.use}) < len(resource.use):
        raise PlanningError(f"a task uses {resource.name} twice; give it once with all its units")


def _check_routes(routes: tuple[tuple[int, ...], ...], count: int, robots: int) -> None:
    if len(routes) != robots:
        raise PlanningError(
            f"there are {len(routes)} fixed routes for {robots} robots; give one each"
        )
    if sorted(task for route in routes for task in route) != list(range(count)):
        raise PlanningError(f"the fixed routes have to hold each of the {count} tasks exactly once")
