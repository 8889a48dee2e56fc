"""Plans driven by simulated robots in the true world: preconditions and effects are checked there.

The robot goes where its plan says in the map, as well as it knows its own pose. What it finds there is the
world's: ground it can stand on, the thing it came for, or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.geometry import apply, inverse
from commonground.runs import Run
from commonground.story import truth as known
from commonground.story.asking import planned
from commonground.story.drives import reader_of
from commonground.story.spec import Story

if TYPE_CHECKING:
    from commonground.objects import ObjectMap
    from commonground.scene import SceneGraph

REACH_M = {"inspect": 4.0, "pick": 3.0}
"""How near the robot must be to what it works on, measured to the thing's box."""
ASTRAY_M = 3.0
"""A robot, or what it puts down, that ends farther from where the plan has it is not where it should be."""
OFF_SHARE = 0.1
"""Share of a way that may touch the rims between places."""
BRUSH_M = 0.1
TALL_M, TRUNK_M = 2.5, 0.35
NEAR_PLACES = 8
SAME_M = 1.5
"""A thing of the map this near to a true one of the same class is that one."""


@dataclass
class Place:
    """The true world while a plan is carried out."""

    truth: SceneGraph
    lies: dict[int, Floats]
    """True object's row → where it lies now."""
    holding: dict[str, int] = field(default_factory=dict)
    """Robot → row of what it carries."""


def carry_out(story: Story, run: Run) -> Mapping[str, Any]:
    """Drive every plan; return what each robot did and what went otherwise than planned."""
    asked = run.result("instruct").get("asked", [])
    drive = story.again or story.see
    truth = reader_of(drive).truth()
    T = known.T_world_map(run)
    if truth is None or T is None:
        return {"driven": [], "note": "there is no true world to drive in"}
    from commonground.mapping.locating import find_objects

    objects = find_objects(run.fused)
    errors = _pose_errors(run, T)
    driven = []
    for number, values in planned(asked):
        world = Place(truth, dict(enumerate(truth.objects.positions)))
        robots = {
            name: _drive(world, name, actions, objects, T @ errors.get(name, np.eye(4)), T)
            for name, actions in values["plan"]["robots"].items()
        }
        driven.append({"instruction": number, "robots": robots})
    return {"driven": driven}


def _pose_errors(run: Run, T_world_map: Floats) -> dict[str, Floats]:
    """Return for each localized robot where it really is when it believes to be at the map's origin."""
    out = {}
    for name, fix in run.result("relocalize").items():
        if fix.get("T_map_robot") is not None and fix.get("T_world_robot") is not None:
            true = inverse(T_world_map) @ np.array(fix["T_world_robot"])
            out[name] = true @ inverse(np.array(fix["T_map_robot"]))
    return out


def _drive(
    world: Place,
    robot: str,
    actions: list[dict[str, Any]],
    objects: ObjectMap,
    T_world_believed: Floats,
    T_world_map: Floats,
) -> dict[str, Any]:
    """Carry out one robot's actions; it stops at the first that cannot be done."""
    steps: list[dict[str, Any]] = []
    for action in actions:
        path = apply(T_world_believed, np.array(action["path_map"], float))
        fault = _act(world, robot, action, path, objects, T_world_map)
        target = action.get("item") or action["target"]
        steps.append({"action": action["action"], "target": target, "fault": fault})
        if fault:
            break
    faults = [s["fault"] for s in steps if s["fault"]]
    return {
        "done": not faults,
        "steps": len(steps),
        "of": len(actions),
        "surprise": "".join(faults),
    }


def _act(
    world: Place,
    robot: str,
    action: dict[str, Any],
    path: Floats,
    objects: ObjectMap,
    T_world_map: Floats,
) -> str:
    """Do one action; return what is in the way, or ''."""
    kind, end = action["action"], path[-1]
    astray = float(np.linalg.norm(apply(T_world_map, np.array(action["path_map"][-1:]))[0] - end))
    if kind == "goto":
        return _go(world, path) or _astray(robot, astray)
    if kind == "place":
        if robot not in world.holding:
            return f"{robot} holds nothing to put down"
        world.lies[world.holding.pop(robot)] = end
        return _astray(action["item"], astray)
    if kind not in REACH_M:
        return ""
    row = _true_row(world, action["target"], objects, T_world_map)
    if row is None:
        return f"{action['target']} is no longer where the map has it"
    if _gap(world, row, end) > REACH_M[kind]:
        return f"{action['target']} is out of reach"
    if kind == "pick":
        if robot in world.holding:
            return f"{robot} already carries something"
        world.holding[robot] = row
    return ""


def _astray(what: str, gap_m: float) -> str:
    """Return what is wrong with where something ended, or ''."""
    return f"{what} ends {gap_m:.0f} m from where it should be" if gap_m > ASTRAY_M else ""


def _go(world: Place, path: Floats) -> str:
    """Check that the way leads over true ground, and through nothing."""
    off = ~_on_ground(world.truth, path)
    if off.mean() > OFF_SHARE:
        return "the way leaves the ground"
    boxes = world.truth.objects.boxes
    if boxes is None or len(path) < 2:
        return ""
    centers = np.array([world.lies[k] for k in sorted(world.lies)])
    gaps = np.linalg.norm(path[:-1, None, :2] - centers[None, :, :2], axis=2)
    gaps[:, list(world.holding.values())] = np.inf
    inside = gaps < _radii(boxes.sizes) - BRUSH_M
    if not inside.any():
        return ""
    row = int(np.flatnonzero(inside.any(axis=0))[0])
    return f"a {world.truth.label_words('objects')[row] or 'thing'} stands in the way"


def _radii(sizes: Floats) -> Floats:
    """Return how thick things (n,) are where a robot passes: crowns and lamps of tall ones hang above."""
    half = 0.5 * sizes[:, :2].min(axis=1)
    return np.asarray(np.where(sizes[:, 2] > TALL_M, np.minimum(half, TRUNK_M), half))


def _on_ground(truth: SceneGraph, path: Floats) -> Bools:
    """Return which points (k,) are in the outline of a true surface place, or of none near (a rim)."""
    from commonground.planning.scene.ground import in_polygon

    layer = truth.surface_places
    if layer.boundaries is None:
        return np.ones(len(path), bool)
    _, near = truth.nearest("surface_places", path, NEAR_PLACES)
    out = np.zeros(len(path), bool)
    for row in np.unique(near):
        out |= in_polygon(path[:, :2], layer.boundaries[int(row)][:, :2])
    return out


def _true_row(world: Place, symbol: str, objects: ObjectMap, T_world_map: Floats) -> int | None:
    """Return the true object that a thing of the map is, if it is still there."""
    from commonground.symbols import node_id

    rows = np.flatnonzero(objects.ids == np.uint64(node_id(symbol)))
    if not len(rows):
        return None
    where = apply(T_world_map, objects.centroids[rows])[0]
    word = objects.labels[rows[0]]
    words = world.truth.label_words("objects")
    best, near = None, SAME_M
    for row, position in world.lies.items():
        gap = float(np.linalg.norm(position[:2] - where[:2]))
        if gap < near and (not word or words[row] == word):
            best, near = row, gap
    return best


def _gap(world: Place, row: int, point: Floats) -> float:
    boxes = world.truth.objects.boxes
    size = 0.0 if boxes is None else float(np.hypot(*boxes.sizes[row, :2])) / 2
    return max(0.0, float(np.linalg.norm(world.lies[row][:2] - point[:2])) - size)
