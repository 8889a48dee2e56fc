"""Planning for a team on a scene graph: read the goals, choose and order the stops, move, check."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from commonground.errors import PlanningError
from commonground.planning.pddl import And, Formula, Not, nnf, satisfiable, to_pddl
from commonground.planning.result import Status
from commonground.planning.scene.allocation import Allocation, allocate
from commonground.planning.scene.certificate import Execution, certify, holds
from commonground.planning.scene.goal import literals, parse_goal
from commonground.planning.scene.motion import actions_of
from commonground.planning.scene.plan import RobotPlan, TeamPlan
from commonground.planning.scene.roadmap import Roadmap, Spot, build_roadmap
from commonground.planning.scene.solve import solve_goal
from commonground.planning.scene.traffic import share_the_ground
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

OUTSIDE_M = 50.0
"""A robot may always stand so far from the map."""
TEAM = "team"
"""The name under which a goal for all robots together is given."""


def plan_scene(
    graph: SceneGraph, team: Team, goals: Mapping[str, str], *, seed: int = 0
) -> TeamPlan:
    """Return a plan for each robot that has a goal; all of them, or the reason why one cannot be planned.

    A goal under the name ``team`` is shared out over the robots.
    """
    began = time.perf_counter()

    def ended(status: Status, plans: Mapping[str, RobotPlan], reason: str) -> TeamPlan:
        return TeamPlan(status, plans, reason, {"plan": time.perf_counter() - began})

    plans: dict[str, RobotPlan] = {}
    try:
        parsed = _parsed(graph, team, goals, seed)
        if isinstance(parsed, Allocation):
            return ended(parsed.status, plans, parsed.reason)
        for name, (formula, text) in parsed.items():
            rng = np.random.default_rng(seed)
            status, plans[name] = plan_robot(graph, team[name], formula, text, rng)
            if status is not Status.SOLVED:
                return ended(status, plans, plans[name].reason)
        layer = "surface_places" if graph.has("surface_places") else "places"
        shared, crossing = share_the_ground(graph, layer, team, plans)
    except PlanningError as error:
        return ended(Status.ERROR, plans, str(error))
    if crossing:
        return ended(Status.NOT_FOUND, plans, crossing)
    return ended(Status.SOLVED, shared, "; ".join(p.reason for p in plans.values() if p.reason))


def _parsed(
    graph: SceneGraph, team: Team, goals: Mapping[str, str], seed: int
) -> dict[str, tuple[Formula, str]] | Allocation:
    """Return each robot's goal as formula and text; the team's goal joins those of the robots it falls to."""
    own = {
        name: parse_goal(text, graph, where=f"goal of {name}")
        for name, text in goals.items()
        if name != TEAM
    }
    if TEAM in goals:
        whole = parse_goal(goals[TEAM], graph, where="goal of the team")
        shared = allocate(graph, team, whole, np.random.default_rng(seed))
        if shared.status is not Status.SOLVED:
            return shared
        for name, part in shared.goals.items():
            own[name] = And((own[name], part)) if name in own else part
    return {name: (formula, to_pddl(formula)) for name, formula in own.items()}


def plan_robot(
    graph: SceneGraph, robot: Robot, goal: Formula, text: str, rng: np.random.Generator
) -> tuple[Status, RobotPlan]:
    """Return the status and the plan of one robot; the plan has passed the certificate on the full graph."""
    plan = RobotPlan(robot.name, text)
    if not satisfiable(goal):
        return Status.UNSOLVABLE, replace(plan, reason="the goal contradicts itself")
    if not satisfiable(Not(goal)):
        raise PlanningError(f"goal of {robot.name}: it is always true, so it asks for nothing")
    _check_meaning(goal, robot)
    _check_positions(graph, robot)
    road = build_roadmap(graph, robot)
    start = road.start(robot)
    _check_distance(robot, road, start)
    if holds(goal, Execution(graph, road.layer, places=[road.symbol(start.anchors[0])])):
        done = replace(plan, optimal=True, reason=f"{robot.name}: the goal is true already")
        return Status.SOLVED, done
    solution = solve_goal(goal, robot, road, rng)
    if solution.status is not Status.SOLVED:
        return solution.status, replace(plan, reason=solution.reason)
    actions = actions_of(solution, robot, start)
    faults = certify(graph, robot, goal, actions, road.layer)
    if faults:
        return Status.NOT_FOUND, replace(plan, reason=f"no plan passed the check: {faults[0]}")
    return Status.SOLVED, replace(
        plan,
        actions=actions,
        cost_m=solution.cost_m,
        lower_bound_m=solution.lower_bound_m,
        optimal=solution.optimal,
    )


def _check_meaning(goal: Formula, robot: Robot) -> None:
    """Refuse what has no sensible plan: seeing is not something a robot can be careful not to do."""
    for literal in literals(nnf(goal)):
        if literal.predicate == "explored-region" and not literal.positive:
            region = literal.args[0]
            raise PlanningError(
                f"goal of {robot.name}: {literal} cannot be planned for; (not (visited-region {region})) can"
            )


def _check_positions(graph: SceneGraph, robot: Robot) -> None:
    if not all(math.isfinite(x) for x in robot.position.tolist()):
        raise PlanningError(f"the pose of {robot.name} is not finite; check robots.yaml")


def _check_distance(robot: Robot, road: Roadmap, start: Spot) -> None:
    """Refuse a pose that is farther from the map than the map is large: it is in another frame."""
    extent = float(np.linalg.norm(np.ptp(road.positions, axis=0)))
    if start.meters and min(start.meters) > max(OUTSIDE_M, extent):
        raise PlanningError(
            f"{robot.name} is {min(start.meters):.0f} m from the nearest place; its pose in robots.yaml must "
            "be in the frame of the map"
        )


__all__ = ["Roadmap", "plan_robot", "plan_scene"]
