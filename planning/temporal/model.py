"""Allocation and schedule as a constraint model (CP-SAT): a circuit of its tasks for each robot."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from commonground.planning.temporal.problem import TeamProblem
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
    optimal: bool


@dataclass(slots=True)
class _Model:
    """Variables of the model while it is being built."""

    problem: TeamProblem
    schedule: Schedule
    model: Any
    unit: float
    horizon: int
    start: list[Any] = field(default_factory=list)
    end: list[Any] = field(default_factory=list)
    arcs: dict[tuple[int, int | None, int | None], Any] = field(default_factory=dict)
    """(robot, from, to); None: into or out of the robot's tasks."""

    def ticks(self, seconds: float) -> int:
        """Round down to units: what holds of real times then holds of whole ones."""
        return int(np.floor(seconds / self.unit + 1e-6))


def improve(
    problem: TeamProblem,
    schedule: Schedule,
    *,
    seconds: float,
    effort: float = np.inf,
    workers: int = 2,
    seed: int = 0,
) -> Improvement:
    """Search all schedules for one with a smaller makespan than the one given.

    ``effort`` limits the work in the solver's own measure, which makes the result reproducible.
    """
    from ortools.sat.python import cp_model

    built = _build(problem, schedule)
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
    found = timetable(problem, _routes(built, solver))
    if found is None or found.makespan_s >= schedule.makespan_s:
        found = schedule
    return Improvement(found, bound, status == cp_model.OPTIMAL)


def _build(problem: TeamProblem, schedule: Schedule) -> _Model:
    from ortools.sat.python import cp_model

    unit = _unit(problem, schedule.makespan_s)
    horizon = int(np.ceil(schedule.makespan_s / unit))
    built = _Model(problem, schedule, cp_model.CpModel(), unit, horizon)
    for task in range(len(schedule.start_s)):
        built.start.append(built.model.new_int_var(0, horizon, f"start {task}"))
        built.model.add_hint(built.start[task], built.ticks(schedule.start_s[task]))
    _add_robots(built)
    for robot, route in enumerate(schedule.routes):
        _order(built, robot, route)
    for before, after in problem.precedences:
        built.model.add(built.start[after] >= built.end[before])
    makespan = built.model.new_int_var(0, horizon, "makespan")
    for end in built.end:
        built.model.add(makespan >= end)
    built.model.minimize(makespan)
    return built


def _unit(problem: TeamProblem, makespan: float) -> float:
    """Return 1 where all times are whole, else a small part of the makespan."""
    for values in (problem.duration_s, problem.approach_s, problem.travel_s):
        known = values[np.isfinite(values)]
        if not np.array_equal(known, np.round(known)):
            return max(makespan, 1e-9) * RESOLUTION
    return 1.0


def _add_robots(built: _Model) -> None:
    """Let each task be done by one of the robots that can."""
    problem, model = built.problem, built.model
    robots = built.schedule.robot_of()
    for task in range(len(built.start)):
        able = [int(r) for r in np.flatnonzero(problem.able[task])]
        times = {r: built.ticks(problem.duration_s[task, r]) for r in able}
        duration = model.new_int_var(min(times.values()), max(times.values()), f"duration {task}")
        built.end.append(model.new_int_var(0, built.horizon, f"end {task}"))
        model.add(built.start[task] + duration == built.end[task])
        chosen = {r: model.new_bool_var(f"{task} by {r}") for r in able}
        model.add_exactly_one(chosen.values())
        for r in able:
            model.add(duration == times[r]).only_enforce_if(chosen[r])
            model.add_hint(chosen[r], int(r == robots[task]))
            built.arcs[r, task, task] = ~chosen[r]


def _order(built: _Model, robot: int, current: Sequence[int]) -> None:
    """Let a circuit order a robot's tasks; ``current`` is their order now."""
    model = built.model
    own = [t for t in range(len(built.start)) if (robot, t, t) in built.arcs]
    if not own:
        return
    ends: list[int | None] = [None, *current, None]
    hinted = set(itertools.pairwise(ends))
    arcs = [(task + 1, task + 1, built.arcs[robot, task, task]) for task in own]
    nodes: list[int | None] = [None, *own]
    for tail, head in itertools.product(nodes, nodes):
        arc = _arc(built, robot, tail, head)
        if arc is not None:
            model.add_hint(arc, int((tail, head) in hinted))
            arcs.append((0 if tail is None else tail + 1, 0 if head is None else head + 1, arc))
    model.add_circuit(arcs)
    for task in own:  # or tasks that take no time could go round in a circle of their own
        model.add_implication(built.arcs[robot, None, None], built.arcs[robot, task, task])


def _arc(built: _Model, robot: int, tail: int | None, head: int | None) -> Any | None:
    """Add whether a robot goes from one task straight to another; None where there is no way.

    What it then takes is rounded down as one sum, so that a real schedule always fits.
    """
    problem = built.problem
    lasts = 0.0 if tail is None else float(problem.duration_s[tail, robot])
    travel = problem.approach_s[robot] if tail is None else problem.travel_s[robot, tail]
    itself = tail == head and tail is not None
    if itself or (head is not None and np.isinf(travel[head])):
        return None
    arc = built.model.new_bool_var(f"{robot}: {tail} to {head}")
    built.arcs[robot, tail, head] = arc
    if head is not None:
        since = 0 if tail is None else built.start[tail]
        follows = built.start[head] >= since + built.ticks(lasts + float(travel[head]))
        built.model.add(follows).only_enforce_if(arc)
    return arc


def _routes(built: _Model, solver: Any) -> tuple[tuple[int, ...], ...]:
    """Read the routes from the arcs."""
    following = {
        (robot, a): b
        for (robot, a, b), arc in built.arcs.items()
        if (a is None or a != b) and solver.boolean_value(arc)
    }
    routes = []
    for robot in range(len(built.schedule.routes)):
        route, task = [], following.get((robot, None))
        while task is not None:
            route.append(task)
            task = following.get((robot, task))
        routes.append(tuple(route))
    return tuple(routes)
