"""Allocation and schedule as a constraint model (CP-SAT), of everything or of a window.

Tasks are *frozen* (done as now), *chained* (same robot and order as now, at a time to be found) or *free*.
On each robot the frozen ones come first, then the free ones, then the chained ones.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from commonground.planning.temporal.problem import Resource, TeamProblem
from commonground.planning.temporal.schedule import Schedule
from commonground.planning.temporal.timing import timetable

RESOLUTION = 1e-7
"""Unit of time in the model as a part of the makespan, where the times are not whole numbers."""


@dataclass(frozen=True, slots=True)
class Improvement:
    """What the solver found."""

    schedule: Schedule
    """The one given, or a better one."""
    lower_bound_s: float
    """Valid for all schedules only where nothing was frozen or chained, or the routes are fixed."""
    optimal: bool


@dataclass(slots=True)
class _Model:
    """Variables of the model while it is being built."""

    problem: TeamProblem
    schedule: Schedule
    model: Any
    unit: float
    horizon: int
    free: frozenset[int]
    frozen: frozenset[int]
    start: dict[int, Any] = field(default_factory=dict)
    duration: dict[int, Any] = field(default_factory=dict)
    end: dict[int, Any] = field(default_factory=dict)
    until: dict[int, Any] = field(default_factory=dict)
    """When a task's robot goes on, for resources that are held so long."""
    arcs: dict[tuple[int, int | None, int | None], Any] = field(default_factory=dict)
    """(robot, from, to); None: into or out of the robot's free tasks."""

    def ticks(self, seconds: float) -> int:
        """Round down to units: what holds of real times then holds of whole ones."""
        return int(np.floor(seconds / self.unit + 1e-6))

    def chained(self, route: tuple[int, ...]) -> list[int]:
        """Return the tasks of a route that stay on their robot and in their order."""
        return [task for task in route if task not in self.frozen and task not in self.free]


def improve(
    problem: TeamProblem,
    schedule: Schedule,
    free: Collection[int],
    frozen: Collection[int] = (),
    *,
    seconds: float,
    effort: float = np.inf,
    workers: int = 2,
    seed: int = 0,
) -> Improvement:
    """Search for a schedule with a smaller makespan that differs in the free tasks.

    ``effort`` limits the work in the solver's own measure, which makes the result reproducible.
    """
    from ortools.sat.python import cp_model

    built = _build(problem, schedule, frozenset(free), frozenset(frozen))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = max(0.01, seconds)
    solver.parameters.num_workers = workers
    solver.parameters.random_seed = seed
    if np.isfinite(effort):
        solver.parameters.max_deterministic_time = effort
        solver.parameters.interleave_search = True
    status = solver.solve(built.model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Improvement(schedule, 0.0, status == cp_model.INFEASIBLE)
    bound = max(0.0, float(solver.best_objective_bound)) * built.unit
    found = timetable(problem, _routes(built, solver), _ranks(built, solver))
    if found is None or found.makespan_s >= schedule.makespan_s:
        found = schedule
    return Improvement(found, bound, status == cp_model.OPTIMAL)


def _build(
    problem: TeamProblem, schedule: Schedule, free: frozenset[int], frozen: frozenset[int]
) -> _Model:
    from ortools.sat.python import cp_model

    unit = _unit(problem, schedule.makespan_s)
    horizon = int(np.ceil(schedule.makespan_s / unit))
    built = _Model(problem, schedule, cp_model.CpModel(), unit, horizon, free, frozen)
    robots = schedule.robot_of()
    for task in range(len(schedule.start_s)):
        if task in frozen:
            built.start[task] = built.ticks(schedule.start_s[task])
        else:
            built.start[task] = built.model.new_int_var(0, horizon, f"start {task}")
            built.model.add_hint(built.start[task], built.ticks(schedule.start_s[task]))
        if task in free:
            continue
        built.duration[task] = built.ticks(problem.duration_s[task, robots[task]])
        built.end[task] = built.start[task] + built.duration[task]
    if any(resource.held for resource in problem.resources):
        for task in range(len(schedule.start_s)):
            built.until[task] = built.model.new_int_var(0, horizon + 1, f"until {task}")
    _add_free(built)
    for robot, route in enumerate(schedule.routes):
        _add_route(built, robot, route)
    for p in problem.precedences:
        base = built.start[p.before] if p.from_start else built.end[p.before]
        built.model.add(built.start[p.after] >= base + built.ticks(p.lag_s))
    for resource in problem.resources:
        _add_resource(built, resource)
    makespan = built.model.new_int_var(0, horizon, "makespan")
    for end in built.end.values():
        built.model.add(makespan >= end)
    built.model.minimize(makespan)
    return built


def _unit(problem: TeamProblem, makespan: float) -> float:
    """Return 1 where all times are whole, else a small part of the makespan."""
    times = [problem.duration_s, problem.approach_s, problem.travel_s]
    lags = np.array([p.lag_s for p in problem.precedences])
    for values in (*times, lags):
        known = values[np.isfinite(values)]
        if not np.array_equal(known, np.round(known)):
            return max(makespan, 1e-9) * RESOLUTION
    return 1.0


def _add_free(built: _Model) -> None:
    """Let each free task be done by one of the robots that can."""
    problem = built.problem
    robots = built.schedule.robot_of()
    for task in sorted(built.free):
        able = [int(r) for r in np.flatnonzero(problem.able[task])]
        times = {r: built.ticks(problem.duration_s[task, r]) for r in able}
        built.duration[task] = built.model.new_int_var(
            min(times.values()), max(times.values()), f"duration {task}"
        )
        built.end[task] = built.model.new_int_var(0, built.horizon, f"end {task}")
        built.model.add(built.start[task] + built.duration[task] == built.end[task])
        chosen = {r: built.model.new_bool_var(f"{task} by {r}") for r in able}
        built.model.add_exactly_one(chosen.values())
        for r in able:
            built.model.add(built.duration[task] == times[r]).only_enforce_if(chosen[r])
            built.model.add_hint(chosen[r], int(r == robots[task]))
            built.arcs[r, task, task] = ~chosen[r]


class _Gap(NamedTuple):
    """Where the free tasks of a robot go: behind its last frozen and before its first chained one."""

    robot: int
    last: int | None
    onward: int | None

    def steps(self, built: _Model, free: list[int]) -> Iterator[tuple[int | None, int | None]]:
        """Yield the steps that exist between free tasks; None is the end of the gap."""
        nodes: list[int | None] = [None, *free]
        for a, b in itertools.product(nodes, nodes):
            same = a == b and a is not None
            head = self.onward if b is None else b
            if not same and (head is None or np.isfinite(self._travel_s(built, a, head))):
                yield a, b

    def _travel_s(self, built: _Model, a: int | None, head: int) -> float:
        return _travel_s(built, self.robot, self.last if a is None else a, head)


def _add_route(built: _Model, robot: int, route: tuple[int, ...]) -> None:
    """Chain what stays in order on one robot, and let a circuit order the free tasks between."""
    entry = [task for task in route if task in built.frozen]
    rest = built.chained(route)
    for a, b in (*itertools.pairwise(entry), *itertools.pairwise(rest)):
        _go(built, robot, a, b)
    if rest:
        _go(built, robot, rest[-1], None)
    gap = _Gap(robot, entry[-1] if entry else None, rest[0] if rest else None)
    free = [task for task in sorted(built.free) if (robot, task, task) in built.arcs]
    if free:
        _order_free(built, gap, free, [task for task in route if task in built.free])
    else:
        _go(built, robot, gap.last, gap.onward)


def _order_free(built: _Model, gap: _Gap, free: list[int], current: list[int]) -> None:
    """Let a circuit through the gap's ends order the free tasks; ``current`` is their order now."""
    ends: list[int | None] = [None, *current, None]
    hinted = set(itertools.pairwise(ends))
    arcs = [(task + 1, task + 1, built.arcs[gap.robot, task, task]) for task in free]
    for tail, head in gap.steps(built, free):
        arc = built.model.new_bool_var(f"{gap.robot}: {tail} to {head}")
        built.model.add_hint(arc, int((tail, head) in hinted))
        built.arcs[gap.robot, tail, head] = arc
        arcs.append((0 if tail is None else tail + 1, 0 if head is None else head + 1, arc))
        before, after = gap.last if tail is None else tail, gap.onward if head is None else head
        _go(built, gap.robot, before, after, arc)
    built.model.add_circuit(arcs)
    idle = built.arcs.get((gap.robot, None, None))
    if idle is not None:  # or tasks that take no time could go round in a circle of their own
        for task in free:
            built.model.add_implication(idle, built.arcs[gap.robot, task, task])


def _travel_s(built: _Model, robot: int, a: int | None, b: int) -> float:
    if a is None:
        return float(built.problem.approach_s[robot, b])
    return float(built.problem.travel_s[robot, a, b])


def _go(built: _Model, robot: int, a: int | None, b: int | None, arc: Any = None) -> None:
    """Let task b (None: nothing) directly follow a (None: the robot's start), where ``arc`` is true."""
    statements = []
    if b is not None:
        travel = _travel_s(built, robot, a, b)
        if a is None:
            statements.append(built.start[b] >= built.ticks(travel))
        else:
            # the sum is rounded down as one, so that a real schedule always fits
            duration = float(built.problem.duration_s[a, robot])
            statements.append(built.start[b] >= built.start[a] + built.ticks(duration + travel))
    if a is not None and built.until:
        follows = built.horizon + 1 if b is None else built.start[b]
        statements.append(built.until[a] == follows)
    for statement in statements:
        if isinstance(statement, (bool, np.bool_)):
            continue
        constraint = built.model.add(statement)
        if arc is not None:
            constraint.only_enforce_if(arc)


def _add_resource(built: _Model, resource: Resource) -> None:
    intervals, units = [], []
    for task, need in resource.use:
        start, name = built.start[task], f"{resource.name} {task}"
        if resource.held:
            size = built.model.new_int_var(0, built.horizon + 1, f"{name} size")
            end = built.until[task]
        else:
            size, end = built.duration[task], built.end[task]
        intervals.append(built.model.new_interval_var(start, size, end, name))
        units.append(need)
    built.model.add_cumulative(intervals, units, resource.capacity)


def _routes(built: _Model, solver: Any) -> tuple[tuple[int, ...], ...]:
    """Read the routes from the arcs."""
    following = {
        (robot, a): b
        for (robot, a, b), arc in built.arcs.items()
        if (a is None or a != b) and solver.boolean_value(arc)
    }
    routes = []
    for robot, route in enumerate(built.schedule.routes):
        before = [task for task in route if task in built.frozen]
        after = built.chained(route)
        middle, task = [], following.get((robot, None))
        while task is not None:
            middle.append(task)
            task = following.get((robot, task))
        routes.append((*before, *middle, *after))
    return tuple(routes)


def _ranks(built: _Model, solver: Any) -> list[float]:
    """Return the start times found: the order in which shared resources are used."""
    return [
        float(start if isinstance(start, int) else solver.value(start))
        for _, start in sorted(built.start.items())
    ]
