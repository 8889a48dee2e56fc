"""Planning for one robot on a scene graph: choose and order the stops of its goal, move, check."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from commonground.errors import PlanningError
from commonground.planning.pddl import Formula, Not, nnf, satisfiable
from commonground.planning.result import Check, Status, unhurried
from commonground.planning.scene.certificate import certify
from commonground.planning.scene.execution import Execution, holds
from commonground.planning.scene.goal import literals
from commonground.planning.scene.motion import actions_of, past_things, touched
from commonground.planning.scene.plan import Action, RobotPlan
from commonground.planning.scene.precedence import Precedence
from commonground.planning.scene.roadmap import Roadmap, build_roadmap
from commonground.planning.scene.solve import MOST_NAMED, Solution, solve_goal
from commonground.robots import Robot
from commonground.scene import SceneGraph
from commonground.scene.strangers import strangers

TRUE_ALREADY = "the goal is true already"
MOST_DETOURS = 6
"""So often a way is looked for that no object stands in."""


def plan_robot(
    graph: SceneGraph,
    robot: Robot,
    goal: Formula,
    text: str,
    rng: np.random.Generator,
    order: Sequence[Precedence] = (),
    check: Check = unhurried,
) -> tuple[Status, RobotPlan]:
    """Return the status and the plan of one robot; the plan has passed the certificate on the full graph.

    ``order`` says which of its own steps come before which.
    """
    plan = RobotPlan(robot.name, text)
    if not satisfiable(goal):
        return Status.UNSOLVABLE, replace(plan, reason="the goal contradicts itself")
    if not satisfiable(Not(goal)):
        raise PlanningError(f"goal of {robot.name}: it is always true, so it asks for nothing")
    _check_meaning(goal, robot)
    check_position(robot)
    whole = build_roadmap(graph, robot)
    _check_footing(goal, robot, whole, strangers(graph, [robot]))
    if is_true(goal, robot, whole):
        done = replace(plan, optimal=True, reason=f"{robot.name}: {TRUE_ALREADY}")
        return Status.SOLVED, done
    solution, actions = _past_all(goal, robot, whole, rng, order, check)
    if solution.status is not Status.SOLVED:
        return solution.status, replace(plan, reason=solution.reason)
    faults = certify(graph, robot, goal, actions, whole.layer)
    if faults:
        why = (
            f"no plan of {robot.name} passed the check: {faults[0]}. Ask it for fewer things at once, or a "
            f"narrower robot than its radius_m of {robot.radius_m:g}"
        )
        return Status.NOT_FOUND, replace(plan, reason=why)
    return Status.SOLVED, replace(
        plan,
        actions=actions,
        cost_m=solution.cost_m,
        lower_bound_m=solution.lower_bound_m,
        optimal=solution.optimal,
    )


def _past_all(
    goal: Formula,
    robot: Robot,
    road: Roadmap,
    rng: np.random.Generator,
    order: Sequence[Precedence],
    check: Check,
) -> tuple[Solution, tuple[Action, ...]]:
    """Return a solution whose motions keep off what stands around."""
    start, met = road.start(robot), dict[str, None]()
    for _ in range(MOST_DETOURS):
        solution = solve_goal(goal, robot, road, rng, order, check, proves=not met)
        if solution.status is not Status.SOLVED and met:
            things = " and ".join([*met][:MOST_NAMED]) + (" …" if len(met) > MOST_NAMED else "")
            why = f"{robot.name} finds no way past {things}"
            return replace(solution, status=Status.NOT_FOUND, reason=why), ()
        if solution.status is not Status.SOLVED:
            return solution, ()
        actions = actions_of(solution, robot, start)
        past = past_things(road, robot, actions)
        if past is road:
            break
        road, met = past, met | dict.fromkeys(touched(road, robot, actions))
        check(f"{robot.name} looked for a way past the things that stand around")
    return solution, actions


def is_true(goal: Formula, robot: Robot, road: Roadmap) -> bool:
    """Return whether a goal holds where a robot stands, before anybody does anything."""
    here = [road.symbol(road.row_at(robot.position))]
    return holds(goal, Execution(road.graph, road.layer, places=here, view_m=robot.view_m))


def _check_meaning(goal: Formula, robot: Robot) -> None:
    """Refuse what has no sensible plan: seeing is not something a robot can be careful not to do."""
    for literal in literals(nnf(goal)):
        if literal.predicate == "explored-region" and not literal.positive:
            region = literal.args[0]
            raise PlanningError(
                f"goal of {robot.name}: {literal} cannot be planned for; (not (visited-region {region})) can"
            )


def check_position(robot: Robot) -> None:
    """Refuse a pose that is not finite."""
    if not all(math.isfinite(x) for x in robot.position.tolist()):
        raise PlanningError(f"the pose of {robot.name} is not finite; check robots.yaml")


def _check_footing(goal: Formula, robot: Robot, road: Roadmap, away: Mapping[str, str]) -> None:
    """Refuse 3D places in the air, where no robot drives, and poses of another frame."""
    for symbol in (arg for literal in literals(nnf(goal)) for arg in literal.args):
        if symbol not in road.graph:
            raise PlanningError(
                f"goal of {robot.name}: {symbol} is off the ground; name a place below"
            )
    if robot.name in away:
        raise PlanningError(away[robot.name])


__all__ = ["Roadmap", "check_position", "plan_robot"]
