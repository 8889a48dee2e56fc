"""Where robots may stand so as to be at a place, and how far apart two of them can be there at most."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from commonground.arrays import Floats
from commonground.planning.scene.certificate import nearest_place
from commonground.planning.scene.footing import grounded, place_layer
from commonground.planning.scene.widths import widths_of
from commonground.robots import Robot
from commonground.scene import SceneGraph

GRID_M = 0.1
"""The ground at a place is looked at this densely."""


def apart_m(
    graph: SceneGraph, a: tuple[Robot, str], b: tuple[Robot, str], enough_m: float = 0.0
) -> float:
    """Return how far apart two robots, each at a place, can stand; never less than they really can.

    Nobody looks farther around than ``enough_m`` asks for; for 0 a robot at a place stands on the very point.
    """
    spots = [_spots(graph, *end, enough_m) for end in (a, b)]
    gaps = np.linalg.norm(spots[0][:, None] - spots[1], axis=-1)
    slack = sum(np.sqrt(2.0) * GRID_M / 2 for found in spots if len(found) > 2)
    return float(gaps.max() + slack)


def points_of(graph: SceneGraph, robot: Robot, place: str) -> Floats:
    """Return the place (1, 2), or the place and where the robot is (2, 2) if it starts at that place."""
    own = grounded(graph, robot)
    at = [own.position(place)[:2]] if place in own else []
    starts = nearest_place(own, place_layer(graph), robot) == place
    return np.array([*at, robot.position[:2]] if starts or not at else at)


def _spots(graph: SceneGraph, robot: Robot, place: str, enough_m: float) -> Floats:
    points = points_of(graph, robot, place)
    if enough_m <= 0.0 or place not in grounded(graph, robot):
        return points
    around = _around(grounded(graph, robot), place_layer(graph), place, robot.radius_m, enough_m)
    return np.vstack([points, around]) if len(around) else points


@lru_cache(maxsize=256)
def _around(graph: SceneGraph, layer: str, place: str, radius_m: float, enough_m: float) -> Floats:
    """Return points (m, 2) around a place at which a robot is on free ground and at that place."""
    widths = widths_of(graph.layers[layer])
    row = int(graph.layers[layer].row(place))
    side = np.arange(-2.0 * enough_m, 2.0 * enough_m + GRID_M, GRID_M)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    points = widths.positions[row] + np.pad(grid, ((0, 0), (0, 1)))
    points = points[widths.tree.query(points)[1] == row]
    return np.asarray(points[widths.is_free(points, radius_m - GRID_M)][:, :2])
