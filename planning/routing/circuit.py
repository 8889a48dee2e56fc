"""Routes as a constraint model (CP-SAT): finds any, or proves that none exists, given time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Ints
from commonground.planning.routing.bound import Relaxation, relax
from commonground.planning.routing.problem import RouteProblem, before_matrix
from commonground.planning.routing.search import Found, with_nodes

EFFORT = 10.0
"""Most work, in the measure of the solver, where time is not limited."""
UNITS = 10_000_000
"""Resolution of costs in the model: the largest finite cost in whole units."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What the solver found out."""

    found: Found | None
    lower_bound: float
    optimal: bool
    """``found`` is the best, up to the rounding of the costs."""
    infeasible: bool


@dataclass(frozen=True, slots=True)
class _Model:
    model: Any
    arcs: dict[tuple[int, int], Any]
    unit: float


def prove(problem: RouteProblem, time_limit_s: float, seed: int = 0) -> Proof:
    """Search the whole space for at most ``time_limit_s``; where that is infinite, for a limited amount of
    work, which makes the result reproducible.
    """
    from ortools.sat.python import cp_model

    relaxation = relax(problem)
    built = _build(problem, relaxation)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = max(0.01, time_limit_s)
    if math.isinf(time_limit_s):
        solver.parameters.max_deterministic_time = EFFORT
        solver.parameters.interleave_search = True
    solver.parameters.num_workers = 2
    solver.parameters.random_seed = seed
    status = solver.solve(built.model)
    if status == cp_model.INFEASIBLE:
        return Proof(None, np.inf, False, True)
    bound = max(0.0, float(solver.best_objective_bound)) * built.unit
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Proof(None, bound, False, False)
    found = with_nodes(problem, _order(built, solver, relaxation.group))
    return Proof(found, bound, status == cp_model.OPTIMAL, False)


def _order(built: _Model, solver: Any, group: Ints) -> tuple[int, ...]:
    """Read the stops from the arcs, from the start on."""
    following = {a: b for (a, b), arc in built.arcs.items() if solver.boolean_value(arc)}
    order, node = [], following[0]
    while node != len(group) - 1:
        order.append(int(group[node]) - 1)
        node = following[node]
    return tuple(order)


def _build(problem: RouteProblem, relaxation: Relaxation) -> _Model:
    """State the circuit over alternatives, ranks for precedence and loads for the gripper."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    n, last = len(problem.stops), len(relaxation.cost) - 1
    finite = relaxation.cost < relaxation.missing
    unit = max(float(relaxation.cost[finite].max(initial=0.0)), 1e-300) / UNITS
    costs = np.floor(np.where(finite, relaxation.cost, 0.0) / unit).astype(np.int64)
    arcs = {
        (int(a), int(b)): model.new_bool_var(f"arc {a} {b}")
        for a, b in np.argwhere(finite)
        if a != b
    }
    loops = _optional_nodes(model, relaxation.group, n)
    model.add_circuit(
        [(a, b, arc) for (a, b), arc in arcs.items()]
        + [(v, v, loop) for v, loop in loops.items()]
        + [(last, 0, True)]
    )
    if problem.orderings() or problem.deliveries:
        rank = [model.new_int_var(0, n - 1, f"rank {s}") for s in range(n)]
        for earlier, later in np.argwhere(before_matrix(problem)):
            model.add(rank[earlier] + 1 <= rank[later])
        _order_arcs(problem, model, relaxation.group, arcs, rank)
    model.minimize(sum(int(costs[a, b]) * arc for (a, b), arc in arcs.items()))
    return _Model(model, arcs, unit)


def _optional_nodes(model: Any, group: Ints, n: int) -> dict[int, Any]:
    """Return a loop literal for each alternative; all but one of a stop are left out."""
    loops = {}
    for stop in range(1, n + 1):
        members = [int(v) for v in np.flatnonzero(group == stop)]
        if len(members) > 1:
            for v in members:
                loops[v] = model.new_bool_var(f"leave out {v}")
            model.add(sum(loops[v] for v in members) == len(members) - 1)
    return loops


def _order_arcs(
    problem: RouteProblem,
    model: Any,
    group: Ints,
    arcs: dict[tuple[int, int], Any],
    rank: list[Any],
) -> None:
    """Tie ranks and loads to the arcs (Miller, Tucker, Zemlin 1960)."""
    n = len(problem.stops)
    change, load = problem.load_changes()
    loads = [
        model.new_int_var(max(0, d), problem.capacity + min(0, d), f"load {s}")
        for s, d in enumerate(change)
    ]
    for (a, b), arc in arcs.items():
        tail, head = int(group[a]) - 1, int(group[b]) - 1
        if head == n:
            continue
        if tail < 0:
            model.add(rank[head] == 0).only_enforce_if(arc)
            model.add(loads[head] == load + change[head]).only_enforce_if(arc)
        else:
            model.add(rank[head] == rank[tail] + 1).only_enforce_if(arc)
            model.add(loads[head] == loads[tail] + change[head]).only_enforce_if(arc)
    model.add_all_different(rank)
