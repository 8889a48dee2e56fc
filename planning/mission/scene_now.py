"""The scene that a plan is made for: what is where now, who takes part, and where their plans begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.planning.mission.belief import BACK_M, ON_PLACE_M, SceneBelief
from commonground.planning.mission.obstacles import Obstacle, handled_from_places, with_obstacles
from commonground.planning.mission.views import View
from commonground.planning.team.check import AWAY
from commonground.planning.team.world import scene_after
from commonground.robots import Robot, Team
from commonground.scene import Layer, SceneGraph
from commonground.symbols import symbol_of

BRUSH_M = 0.03
"""Obstacles are planned around at so much more than needed: who keeps exactly to it stops before them."""
CLEAR_M = 0.07
"""Robots that take no part are kept away from a little farther than needed."""


class Start(NamedTuple):
    """Where a robot's new plan begins."""

    place: str
    lead: tuple[Floats, ...]
    """Points (3,) that it drives to first, where it stands between places."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a plan is made for: the scene, the robots that take part, and where they begin."""

    graph: SceneGraph
    team: Team
    starts: Mapping[str, Start]
    held: Mapping[str, str]
    """Robot → thing it holds, which lies at its feet in the graph."""
    beside: Mapping[str, Floats]
    """Thing so near to an obstacle that it is handled from farther off, or by nobody → where it really is."""
    absent: Mapping[str, str]
    """Robot → why it takes no part."""


def scene_of(belief: SceneBelief, views: Mapping[str, View]) -> Scene:
    """Return the scene as it is now, with what stands in the way."""
    layer = belief.layer
    fit = {name: view for name, view in views.items() if view.fit}
    out = {name: view for name, view in views.items() if not view.fit}
    obstacles = [*_widened(belief.obstacles), *_parked(belief.team, out)]
    starts = {name: _start(belief, name, view, obstacles) for name, view in fit.items()}
    held = {name: view.holding for name, view in fit.items() if view.holding}
    graph = _things_now(belief, {t: starts[n].place for n, t in held.items()}, out)
    robots = {n: _at(belief.team[n], starts[n].lead[-1], view.pace) for n, view in fit.items()}
    radii = [r.radius_m for r in robots.values()] or [0.0]
    graph, beside = handled_from_places(graph, layer, obstacles, max(radii))
    places = [start.place for start in starts.values()]
    graph = with_obstacles(graph, layer, obstacles, min(radii), places, known=belief.graph.objects)
    absent = {name: _why_absent(name, view) for name, view in out.items()}
    return Scene(graph, Team(robots), starts, held, beside, absent)


def _why_absent(name: str, view: View) -> str:
    return f"{name} {view.why}" + (f" and holds {view.holding}" if view.holding else "")


def _things_now(
    belief: SceneBelief, feet: Mapping[str, str], out: Mapping[str, View]
) -> SceneGraph:
    """Return the scene with things where they are now, or at the feet of who holds them."""
    lies = {t: p for t, p in belief.state.lies.items() if p != AWAY} | dict(feet)
    graph = scene_after(belief.graph, belief.layer, lies, belief.state.safe)
    away = {view.holding for view in out.values()}
    gone = [t for t in graph.objects.symbols if t in belief.gone or t in away]
    keep = np.ones(len(graph.objects), bool)
    keep[graph.objects.rows(gone)] = False
    return graph.take("objects", keep) if gone else graph


def _widened(obstacles: Sequence[Obstacle]) -> list[Obstacle]:
    return [o._replace(half_m=o.half_m + BRUSH_M) for o in obstacles]


def _parked(team: Team, out: Mapping[str, View]) -> list[Obstacle]:
    """Return robots that take no part as obstacles, along the whole way on which they may be."""
    return [
        Obstacle(at, team[name].radius_m + CLEAR_M)
        for name, view in out.items()
        for at in (view.position, *view.line)
    ]


def _start(belief: SceneBelief, name: str, view: View, obstacles: Sequence[Obstacle]) -> Start:
    """Return where a robot's plan begins: at its place, where the graph tells no ground to go straight on.

    Where something stands in the way to that place, it begins at an end of the edge on which the robot is.
    """
    own, here = belief.execution(name), np.array(view.position, float)
    place = own.places[-1]
    at = own.graph.position(place)
    shaped = belief.graph.layers[belief.layer].boundaries is not None
    if shaped or not ON_PLACE_M < float(np.linalg.norm(at - here)) < BACK_M:
        return Start(place, (here,))
    radius = belief.team[name].radius_m
    for other in (place, *_on_edges(own.graph.layers[belief.layer], here)):
        there = own.graph.position(other)
        if all(_passes(here, there, o, radius) for o in obstacles):
            return Start(other, (here, there))
    return Start(place, (here, at))


def _on_edges(layer: Layer, here: Floats) -> list[str]:
    """Return the ends of the edges on which a point lies."""
    a, b = (layer.positions[layer.edges.rows[:, k]] for k in (0, 1))
    share = ((here - a) * (b - a)).sum(axis=1) / np.maximum(((b - a) ** 2).sum(axis=1), 1e-12)
    gap = np.linalg.norm(a + np.clip(share, 0.0, 1.0)[:, None] * (b - a) - here, axis=1)
    ends = np.unique(layer.edges.rows[gap < ON_PLACE_M])
    return [symbol_of(int(layer.ids[end])) for end in ends.tolist()]


def _passes(here: Floats, there: Floats, obstacle: Obstacle, radius_m: float) -> bool:
    """Return whether a robot that goes straight on comes too near to no obstacle, or leaves it behind."""
    points = here + np.linspace(0.0, 1.0, 20)[:, None] * (there - here)
    gap = np.linalg.norm(points[:, :2] - np.array(obstacle.position)[:2], axis=1)
    return bool(gap.min() >= min(obstacle.half_m + radius_m, float(gap[0])))


def _at(robot: Robot, position: Floats, pace: float) -> Robot:
    pose = robot.T_map_robot.copy()
    pose[:3, 3] = position
    return replace(robot, T_map_robot=pose, speed_mps=robot.speed_mps * pace)
