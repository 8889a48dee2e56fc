"""Allocation as a constraint model (CP-SAT): a circuit of its tasks for each robot."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from commonground.planning.temporal.problem import TeamProblem
from commonground.planning.temporal.schedule import Routes, Schedule, timetable

RESOLUTION = 1e-7
"""Unit of time in the model as a part of the makespan, where the times are not whole numbers."""


@dataclass(slots=True)
class _Model:
    """Variables of the model while it is being built."""

    problem: TeamProblem
    model: Any
    unit: float
    arcs: dict[tuple[int, int | None, int | None], Any] = field(default_factory=dict)
    """(robot, from, to); None: into or out of the robot's tasks; from a task to itself: it is another's."""

    def ticks(self, seconds: float) -> int:
        """Round down to units: what holds of real times then holds of whole ones."""
        return int(np.floor(seconds / self.unit + 1e-6))


def improve(problem: TeamProblem, schedule: Schedule, *, effort: float, seed: int) -> Schedule:
    """Return the best of all schedules, with its bound, or the one given where none is found to be better.

    ``effort`` limits the work in the solver's own measure, so that equal seeds give equal schedules.
    """
    from ortools.sat.python import cp_model

    built = _build(problem, schedule)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    solver.parameters.max_deterministic_time = effort
    solver.parameters.interleave_search = True
    status = solver.solve(built.model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return replace(schedule, optimal=status == cp_model.INFEASIBLE)
    found = timetable(problem, _routes(built, solver))
    if found is None or found.makespan_s >= schedule.makespan_s:
        found = schedule
    bound = max(0.0, float(solver.best_objective_bound)) * built.unit
    return replace(
        found,
        lower_bound_s=min(bound, found.makespan_s),
        optimal=status == cp_model.OPTIMAL,
    )


def _build(problem: TeamProblem, schedule: Schedule) -> _Model:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    built = _Model(problem, model, _unit(problem, schedule.makespan_s))
    makespan = model.new_int_var(0, int(np.ceil(schedule.makespan_s / built.unit)), "makespan")
    for robot, route in enumerate(schedule.routes):
        _add_robot(built, robot, route, makespan)
    for task in range(len(problem.duration_s)):
        able = (int(r) for r in np.flatnonzero(problem.able[task]))
        model.add_exactly_one(~built.arcs[r, task, task] for r in able)
    model.minimize(makespan)
    return built


def _unit(problem: TeamProblem, makespan: float) -> float:
    """Return 1 where all times are whole, else a small part of the makespan."""
    for values in (problem.duration_s, problem.approach_s, problem.travel_s):
        known = values[np.isfinite(values)]
        if not np.array_equal(known, np.round(known)):
            return max(makespan, 1e-9) * RESOLUTION
    return 1.0


def _add_robot(built: _Model, robot: int, current: tuple[int, ...], makespan: Any) -> None:
    """Let a circuit order a robot's tasks, which end by the makespan; ``current`` is their order now."""
    problem, model = built.problem, built.model
    own = [int(t) for t in np.flatnonzero(problem.able[:, robot])]
    hinted = set(itertools.pairwise((None, *current, None))) | {(t, t) for t in {*own} - {*current}}
    way = np.vstack([problem.travel_s[robot], problem.approach_s[robot]])
    nodes: list[int | None] = [None, *own]
    arcs, terms = [], []
    for (a, tail), (b, head) in itertools.product(enumerate(nodes), enumerate(nodes)):
        lasts = 0.0
        if head is not None and tail != head:
            lasts = float(way[-1 if tail is None else tail, head] + problem.duration_s[head, robot])
        if np.isinf(lasts):
            continue
        arc = built.arcs[robot, tail, head] = model.new_bool_var(f"{robot}: {tail} to {head}")
        model.add_hint(arc, int((tail, head) in hinted))
        arcs.append((a, b, arc))
        terms.append(built.ticks(lasts) * arc)
    model.add_circuit(arcs)
    model.add(sum(terms) <= makespan)
    for task in own:  # or tasks could go round in a circle of their own
        model.add_implication(built.arcs[robot, None, None], built.arcs[robot, task, task])


def _routes(built: _Model, solver: Any) -> Routes:
    """Read the routes from the arcs."""
    following = {
        (robot, a): b
        for (robot, a, b), arc in built.arcs.items()
        if (a is None or a != b) and solver.boolean_value(arc)
    }
    routes = []
    for robot in range(built.problem.duration_s.shape[1]):
        route, task = [], following.get((robot, None))
        while task is not None:
            route.append(task)
            task = following.get((robot, task))
        routes.append(tuple(route))
    return tuple(routes)
