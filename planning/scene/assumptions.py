"""What a plan takes to be true of the ground because the graph does not tell it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from commonground.arrays import Ints
from commonground.planning.scene.footing import grounded, place_layer
from commonground.planning.scene.plan import Action
from commonground.planning.scene.widths import widths_of
from commonground.robots import Robot
from commonground.scene import Layer, SceneGraph


def assumptions(graph: SceneGraph, robot: Robot, actions: Sequence[Action]) -> Iterator[str]:
    """Yield what a robot's ways take for granted."""
    told = _width(graph, robot, actions), _start(graph, robot, actions)
    yield from filter(None, told)


def _start(graph: SceneGraph, robot: Robot, actions: Sequence[Action]) -> str:
    """Return how far beyond what the graph tells of the ground a robot sets out, '' where it is within."""
    if not any(action.places for action in actions):
        return ""
    layer = place_layer(graph)
    own = grounded(graph, robot)
    meters, rows = own.nearest(layer, robot.position)
    nearest, row = float(meters[0, 0]), int(rows[0, 0])
    if _is_told(own.layers[layer], own.neighbors(layer, row), row, robot):
        return ""
    place = own.layers[layer].symbols[row]
    return (
        f"{robot.name} starts off the map, {nearest:.1f} m from {place}, the nearest place; the ground "
        "between is taken to be free"
    )


def _is_told(places: Layer, neighbors: Ints, row: int, robot: Robot) -> bool:
    """Return whether a robot stands on ground of a place: by outline, clearance or neighbors."""
    widths, point = widths_of(places), robot.position[None]
    if widths.rim is not None and widths.outlined[row]:
        off_m = 0.0 if widths.inside(point)[0] else float(widths.rim.query(point)[0][0])
        return off_m <= robot.radius_m
    gaps = np.linalg.norm(places.positions[[*neighbors, row]] - places.positions[row], axis=1)
    reach_m = max(gaps.max(), np.nan_to_num(widths.place_m[row]), robot.radius_m)
    return bool(np.linalg.norm(places.positions[row] - point[0]) <= reach_m)


def _width(graph: SceneGraph, robot: Robot, actions: Sequence[Action]) -> str:
    """Return where a robot's ways are only taken to be wide enough for it, '' where the graph tells it."""
    layer = place_layer(graph)
    places = grounded(graph, robot).layers[layer]
    widths = widths_of(places)
    ways = [places.rows(list(action.places)) for action in actions if action.places]
    if not ways:
        return ""
    rows = np.unique(np.concatenate(ways))
    a, b = (np.concatenate(ends) for ends in ([w[:-1] for w in ways], [w[1:] for w in ways]))
    silent = rows[widths.unknown(rows)]
    steps = widths.unknown_between(a, b, robot.radius_m)
    wide = f"they are taken to be wide enough for a radius of {robot.radius_m:g} m"
    if len(silent):
        count = f"{len(silent)} of {len(rows)} places on its ways"
        return f"{robot.name}: {count} have neither outline nor clearance; {wide}"
    if steps.any():
        count = f"{int(steps.sum())} of {len(steps)} steps between places"
        return f"{robot.name}: nothing tells the width of {count}; {wide}"
    return ""
