"""The shortest schedule of a partially ordered plan, with its resources assigned anew (CP-SAT)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from commonground.arrays import Floats
from commonground.errors import PlanningError
from commonground.planning.result import Status
from commonground.planning.temporal.listing import least_spans, list_schedule
from commonground.planning.temporal.network import Link, TemporalNetwork
from commonground.planning.temporal.ordering import PartialOrder
from commonground.planning.temporal.plan_schedule import PlanSchedule, Setup, check_plan
from commonground.planning.temporal.steps import Activity, TotalOrder

DECIMALS = 6
"""Times with at most so many decimals are scheduled exactly."""
RESOLUTION = 1e-7
"""Unit of other times as a part of the longest schedule."""
TIDY = 0.5
"""Most work for keeping to the resources of the plan where that costs no time."""
MENTIONED = 4
"""Most durations that a contradiction is told by."""
PATIENCE = 20.0
"""How many times as long as its work may take on an idle machine a schedule may take on a busy one."""

Assignment = Mapping[int, tuple[str, ...]]
"""Outermost activity → its resources, in the order in which the plan lists them."""
OPEN = ""
"""In an assignment that is refused: whatever resource."""
NOBODY = "nobody is left for one of the actions"
Place = tuple[int, int]
"""Outermost activity, and a place in its resources."""
Able = Mapping[Place, Sequence[str]]
"""Which resources may stand in a place."""


def schedule_plan(
    order: PartialOrder,
    *,
    setup_s: Setup | None = None,
    refused: Sequence[Assignment] = (),
    together: Sequence[tuple[Place, Place]] = (),
    least_s: float = 0.0,
    work: float = 10.0,
    seed: int = 0,
) -> PlanSchedule:
    """Return times and resources with the smallest makespan that is proven or found.

    Among equally short ones, the resources that the plan names are kept where possible. ``refused`` lists
    assignments that turned out not to work: no schedule contains all of one of them. Places in
    ``together`` get the same resource. No schedule is shorter than ``least_s``, as the caller knows.
    ``work`` limits the solver in its own deterministic units, about a second of an idle processor each, on
    one thread: the answer then does not depend on what else runs.
    """
    plan = order.plan
    if not plan.steps:
        return PlanSchedule(Status.SOLVED, order, makespan_s=0.0, optimal=True)
    conflict = _bare_network(order).conflict()
    if conflict:
        timed = [link for link in conflict if link.least_s > 0 or np.isfinite(link.most_s)]
        named = "; ".join(str(link) for link in timed[:MENTIONED])
        more = f"; and {len(timed) - MENTIONED} more" if len(timed) > MENTIONED else ""
        reason = f"the durations contradict the order: {named}{more}"
        return PlanSchedule(Status.UNSOLVABLE, order, reason=reason)
    able = _able(plan, refused)
    if not all(able.values()):
        return PlanSchedule(Status.UNSOLVABLE, order, reason=NOBODY)
    built = _build(order, setup_s or {}, able)
    built.model.add(built.makespan >= built.down(least_s))
    _refuse(built, refused)
    _join_places(built, together)
    found = _solve(built, None, work, seed)
    if found.status is not Status.SOLVED:
        return found
    found = _solve(built, found, min(work, TIDY), seed)
    faults = check_plan(found)
    if faults:
        raise PlanningError(f"the schedule found is not valid, please report this: {faults[0]}")
    return found


def _able(plan: TotalOrder, refused: Sequence[Assignment]) -> Able:
    """Return the resources that may stand in each place, those that a refusal speaks of alone left out."""
    able = {
        (block, place): list(plan.pool_of(given))
        for block in plan.blocks()
        for place, given in enumerate(plan.activities[block].resources)
    }
    for assignment in refused:
        named = [
            ((block, place), name)
            for block, names in assignment.items()
            for place, name in enumerate(names)
            if name != OPEN
        ]
        if len(named) == 1 and named[0][1] in able[named[0][0]]:
            able[named[0][0]].remove(named[0][1])
    return able


def _bare_network(order: PartialOrder) -> TemporalNetwork:
    """Return the network of orderings and durations alone."""
    plan = order.plan
    events = [f"{number} {step.name}" for number, step in enumerate(plan.steps)]
    links = [Link(events[a], events[b], reason="order of the plan") for a, b in order.reduced()]
    links += [
        Link(events[a.start], events[a.end], a.shortest_s, a.longest_s, f"duration of {a.name}")
        for a in plan.activities
    ]
    return TemporalNetwork.of(links, events)


@dataclass(slots=True)
class _Model:
    """The model while it is built.

    Steps at one instant still come one after the other. So a step has a time in units and a finer moment,
    of which there are more in one unit than there are steps; order and use are stated on moments,
    durations and the makespan on times.
    """

    order: PartialOrder
    setup_s: Setup
    model: Any
    unit: float
    exact: bool
    horizon: int
    time: list[Any] = field(default_factory=list)
    moment: list[Any] = field(default_factory=list)
    makespan: Any = None
    uses: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict)
    """(outermost activity, place in its resources) → resource → whether it is used."""

    def down(self, seconds: float) -> int:
        """Return whole units, rounded down: a real schedule then fits the model."""
        return int(np.floor(seconds / self.unit + 1e-6))

    def up(self, seconds: float) -> int:
        """Return whole units, rounded up so far that the times of a real schedule fit."""
        return int(np.ceil(seconds / self.unit - 1e-6)) + (0 if self.exact else 1)


def _build(order: PartialOrder, setup_s: Setup, able: Able) -> _Model:
    from ortools.sat.python import cp_model

    plan = order.plan
    longest = sum(a.shortest_s for a in plan.activities) + sum(setup_s.values())
    unit, exact = _unit(plan, setup_s, longest)
    built = _Model(order, setup_s, cp_model.CpModel(), unit, exact, 0)
    built.horizon = built.up(longest) + len(plan.activities)
    model = built.model
    fine = len(plan.steps) + 1
    for step in plan.steps:
        coarse = model.new_int_var(0, built.horizon, step.name)
        moment = model.new_int_var(0, built.horizon * fine + fine - 1, f"{step.name}, moment")
        model.add_linear_constraint(moment - fine * coarse, 0, fine - 1)
        built.time.append(coarse)
        built.moment.append(moment)
    built.makespan = model.new_int_var(0, built.horizon, "makespan")
    for before, after in order.reduced():
        model.add(built.moment[before] < built.moment[after])
        model.add(built.time[before] <= built.time[after])
    for activity in plan.activities:
        lasts = built.time[activity.end] - built.time[activity.start]
        model.add(lasts >= built.down(activity.shortest_s))
        if np.isfinite(activity.longest_s):
            model.add(lasts <= built.up(activity.longest_s))
    model.add_max_equality(built.makespan, built.time)
    _add_resources(built, able)
    first = list_schedule(order, setup_s, able)
    if first is not None:
        _hint(built, *first)
    return built


def _refuse(built: _Model, refused: Sequence[Assignment]) -> None:
    """Allow no schedule that contains all of an assignment."""
    for assignment in refused:
        literals: list[Any] = [
            built.uses[block, place].get(name)
            for block, names in assignment.items()
            for place, name in enumerate(names)
            if name != OPEN
        ]
        # with a literal missing, no schedule contains the assignment anyway
        if all(literal is not None for literal in literals):
            built.model.add_bool_or([~literal for literal in literals])


def _join_places(built: _Model, together: Sequence[tuple[Place, Place]]) -> None:
    """Give places that belong together the same resource."""
    for a, b in together:
        for name in built.uses[a].keys() | built.uses[b].keys():
            built.model.add(built.uses[a].get(name, 0) == built.uses[b].get(name, 0))


def _unit(plan: TotalOrder, setup_s: Setup, longest: float) -> tuple[float, bool]:
    """Return the unit of time in seconds, and whether all times are whole units."""
    times = [a.shortest_s for a in plan.activities] + list(setup_s.values())
    times += [a.longest_s for a in plan.activities if np.isfinite(a.longest_s)]
    values = np.array(times, float)
    for decimals in range(DECIMALS + 1):
        if np.allclose(values, np.round(values, decimals), rtol=0, atol=1e-12):
            return 10.0**-decimals, True
    return max(longest, 1e-9) * RESOLUTION, False


def _add_resources(built: _Model, able: Able) -> None:
    """Assign resources to outermost activities, each to one at a time."""
    plan, model = built.order.plan, built.model
    spans = least_spans(built.order)
    users: dict[str, list[tuple[int, Any, Any]]] = {}
    pools: dict[tuple[str, ...], list[Any]] = {}
    busy: dict[str, list[Any]] = {}
    for block in plan.blocks():
        activity = plan.activities[block]
        least = built.down(spans[block])
        start, size, end = _in_use(built, activity, least)
        for place, given in enumerate(activity.resources):
            pool = plan.pool_of(given)
            names = able[block, place]
            chosen = {r: model.new_bool_var(f"{activity.name} uses {r}") for r in names}
            model.add_exactly_one(chosen.values())
            built.uses[block, place] = chosen
            whole = model.new_interval_var(start, size, end, f"{activity.name} {given}")
            pools.setdefault(pool, []).append(whole)
            for name, literal in chosen.items():
                interval = model.new_optional_interval_var(
                    start, size, end, literal, f"{activity.name} on {name}"
                )
                users.setdefault(name, []).append((block, literal, interval))
                busy.setdefault(name, []).append(least * literal)
    for pool, intervals in pools.items():
        model.add_cumulative(intervals, [1] * len(intervals), len(pool))
    for name, entries in users.items():
        model.add(sum(busy[name]) <= built.makespan)
        model.add_no_overlap([interval for _, _, interval in entries])
        own = {block for block, _, _ in entries}
        if any(r == name and {a, b} <= {None, *own} for r, a, b in built.setup_s):
            _add_setups(built, name, entries)


def _in_use(built: _Model, activity: Activity, least: int) -> tuple[Any, Any, Any]:
    """Return start, size and end of the moments of an activity, that of its end included.

    Between two steps ``least`` units apart lie at most a unit's moments fewer.
    """
    fine = len(built.time) + 1
    shortest = max(1, (least - 1) * fine + 2)
    size = built.model.new_int_var(shortest, (built.horizon + 2) * fine, f"{activity.name} lasts")
    return built.moment[activity.start], size, built.moment[activity.end] + 1


def _add_setups(built: _Model, name: str, entries: list[tuple[int, Any, Any]]) -> None:
    """Order the users of one resource by a circuit, whose arcs carry the time between them."""
    plan, model = built.order.plan, built.model
    idle = model.new_bool_var(f"{name} is idle")
    arcs = [(0, 0, idle)]
    for i, (block, literal, _) in enumerate(entries, start=1):
        start = built.time[plan.activities[block].start]
        first = model.new_bool_var(f"{name} first {block}")
        gap = built.down(built.setup_s.get((name, None, block), 0.0))
        model.add(start >= gap).only_enforce_if(first)
        arcs += [(i, i, ~literal), (0, i, first)]
        arcs.append((i, 0, model.new_bool_var(f"{name} last {block}")))
        model.add_implication(idle, ~literal)
    for (i, (a, _, _)), (j, (b, _, _)) in itertools.permutations(enumerate(entries, start=1), 2):
        follows = model.new_bool_var(f"{name}: {a} then {b}")
        arcs.append((i, j, follows))
        gap = built.down(built.setup_s.get((name, a, b), 0.0))
        end, start = built.time[plan.activities[a].end], built.time[plan.activities[b].start]
        model.add(start >= end + gap).only_enforce_if(follows)
    model.add_circuit(arcs)


def _solve(built: _Model, best: PlanSchedule | None, work: float, seed: int) -> PlanSchedule:
    """Minimize the makespan, or, from the best schedule on, changes of resources at that makespan."""
    from ortools.sat.python import cp_model

    plan, model = built.order.plan, built.model
    if best is None:
        model.minimize(built.makespan)
    else:
        model.add(built.makespan <= built.up(best.makespan_s))
        model.clear_hints()
        _hint(built, best.time_s, {b: best.resources[b] for b in plan.blocks()})
        model.minimize(
            sum(
                literal
                for (block, place), chosen in built.uses.items()
                for name, literal in chosen.items()
                if name != plan.activities[block].resources[place]
            )
        )
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = PATIENCE * (work + TIDY)
    solver.parameters.max_deterministic_time = work
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return best or _no_schedule(built, status == cp_model.INFEASIBLE)
    found = _read(built, solver)
    if best is not None:
        kept = found is not None and found.makespan_s <= best.makespan_s + built.unit
        return (
            replace(best, time_s=found.time_s, resources=found.resources)
            if kept and found
            else best
        )
    if found is None:
        return _no_schedule(built, False)
    bound = min(float(solver.best_objective_bound) * built.unit, found.makespan_s)
    return replace(found, lower_bound_s=bound, optimal=status == cp_model.OPTIMAL)


def _no_schedule(built: _Model, proven: bool) -> PlanSchedule:
    if not proven:
        reason = "no schedule was found with the work allowed"
        return PlanSchedule(Status.NOT_FOUND, built.order, reason=reason)
    reason = "no assignment of the resources keeps the order and the longest durations"
    return PlanSchedule(Status.UNSOLVABLE, built.order, reason=reason)


def _read(built: _Model, solver: Any) -> PlanSchedule | None:
    """Return the schedule found with every step as early as its resources' order allows."""
    plan = built.order.plan
    given: dict[int, dict[str, str]] = {}
    for (block, place), chosen in built.uses.items():
        name = next(name for name, literal in chosen.items() if solver.boolean_value(literal))
        given.setdefault(block, {})[plan.activities[block].resources[place]] = name
    resources = tuple(
        tuple(given.get(plan.root(i), {}).get(r, r) for r in activity.resources)
        for i, activity in enumerate(plan.activities)
    )
    rough = np.array([solver.value(t) for t in built.moment]) * built.unit / (len(plan.steps) + 1)
    schedule = PlanSchedule(
        Status.SOLVED, built.order, rough, resources, setup_s=dict(built.setup_s)
    )
    network = schedule.network()
    if network.conflict():  # rounding has made a tight limit impossible
        return None
    earliest = network.earliest()
    times = np.array([round(earliest[f"{i} {s.name}"], 9) for i, s in enumerate(plan.steps)])
    return replace(schedule, time_s=times, makespan_s=float(times.max()))


def _hint(built: _Model, time_s: Floats, used: Assignment) -> None:
    """Give the solver a schedule to start from."""
    for variable, seconds in zip(built.time, time_s, strict=True):
        built.model.add_hint(variable, built.down(float(seconds)))
    for (block, place), chosen in built.uses.items():
        for name, literal in chosen.items():
            built.model.add_hint(literal, int(used[block][place] == name))
