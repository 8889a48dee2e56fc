"""Certificate of a plan: executed on the full graph, from the actions alone, and held against the goal.

The planner's roadmap, stops and distances play no part here: places are looked up by symbol, steps
between them must be edges of the graph, and the original goal is evaluated on what was executed.
"""

from __future__ import annotations

from collections.abc import Sequence

from commonground.planning.pddl import Formula
from commonground.planning.scene.driven import line_faults
from commonground.planning.scene.execution import Execution, beside, holds
from commonground.planning.scene.footing import grounded, place_at
from commonground.planning.scene.plan import Action
from commonground.robots import Robot
from commonground.scene import SceneGraph


def certify(
    graph: SceneGraph, robot: Robot, goal: Formula, actions: Sequence[Action], layer: str
) -> list[str]:
    """Return everything that is wrong with a plan; an empty list is the certificate."""
    graph = grounded(graph, robot)
    start = nearest_place(graph, layer, robot)
    execution = Execution(graph, layer, places=[start], view_m=robot.view_m)
    faults: list[str] = []
    for k, action in enumerate(actions, start=1):
        faults += [
            f"step {k} ({action.action} {action.target}): {fault}"
            for fault in perform(execution, robot, action)
        ]
    if not faults and not holds(goal, execution):
        faults.append("all actions can be executed, but the goal does not hold at the end")
    return faults


def nearest_place(graph: SceneGraph, layer: str, robot: Robot) -> str:
    """Return the symbol of the place nearest to a robot."""
    return place_at(graph, layer, robot.position)


def perform(now: Execution, robot: Robot, action: Action) -> list[str]:
    """Carry out one action and return what is wrong with it."""
    if action.action == "wait":
        return []
    if not robot.can(action.action):
        return [f"{robot.name} cannot {action.action}"]
    if action.action == "goto":
        return _go(now, robot, action)
    if action.action == "pick":
        return _pick(now, robot, action)
    if action.action == "place":
        return _place(now, action)
    return _work(now, robot, action)


def _go(now: Execution, robot: Robot, action: Action) -> list[str]:
    airy = [place for place in action.places if place not in now.graph]
    if airy:
        return [f"{place} is off the ground" for place in airy]
    faults = line_faults(now, robot, action)
    now.places += action.places
    now.driven.append(action.path_map)
    if now.is_thing(action.target):
        if not beside(now, robot, action.target, action.path_map[-1]):
            faults.append(f"{action.target} is not near the end of the path")
        now.objects.add(action.target)
    now.at = action.target
    return faults


def _work(now: Execution, robot: Robot, action: Action) -> list[str]:
    if not beside(now, robot, action.target, action.path_map[-1]):
        return ["the robot is not at it"]
    now.deeds.add((action.action, action.target))
    now.objects.add(action.target)
    return []


def _pick(now: Execution, robot: Robot, action: Action) -> list[str]:
    layer = now.graph.objects
    if now.holding:
        return [f"the gripper already holds {now.holding}"]
    if not beside(now, robot, action.target, action.path_map[-1]):
        return ["the robot is not at it"]
    if layer.metadata(layer.row(action.target)).get("suspicious") and action.target not in now.safe:
        return ["it is suspicious and was not inspected"]
    now.holding = action.target
    now.objects.add(action.target)
    return []


def _place(now: Execution, action: Action) -> list[str]:
    if now.holding != action.item:
        return [f"the gripper holds {now.holding or 'nothing'}, not {action.item}"]
    if now.places[-1] != action.target:
        return [f"the robot is at {now.places[-1]}"]
    now.lies[action.item], now.holding = action.target, ""
    return []
