"""What a plan takes to be true of the ground because the graph does not tell it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from commonground.planning.scene.footing import grounded, place_layer
from commonground.planning.scene.plan import Action
from commonground.planning.scene.widths import widths_of
from commonground.robots import Robot
from commonground.scene import SceneGraph


def assumed_width(graph: SceneGraph, robot: Robot, actions: Sequence[Action]) -> str:
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
