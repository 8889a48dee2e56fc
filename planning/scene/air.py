"""What 3D places know of the air over the ground: whether a gap between outlines is a crack or a wall."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.geometry import from_quat_wxyz
from commonground.scene import Boxes, Layer, SceneGraph

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

HEIGHTS_M = (0.3, 0.7)
"""So high over the ground nothing may be where a robot's body passes; free at one of them is enough."""
FREE_M = 0.1
"""So far from the nearest obstacle a point is surely free: mapped walls are that rough."""
BESIDE_M = 0.8
"""So near to a thing of the map it is that which leaves no room, and no wall."""
KNOWN_M = 1.0
"""Points that are farther than this outside of all that is known to be free are not known."""
STEP_M = 0.2
NEAR = 8


@dataclass(frozen=True, eq=False)
class AiredLayer(Layer):
    """Surface places together with the 3D places of their map."""

    air: Layer | None = None
    things: Boxes | None = None


@lru_cache(maxsize=8)
def aired(graph: SceneGraph) -> SceneGraph:
    """Return the graph with surface places that know of the 3D places, else the graph."""
    ground = graph.surface_places
    if ground.boundaries is None or isinstance(ground, AiredLayer) or not graph.has("places"):
        return graph
    if "clearance_m" not in graph.layers["places"].columns:
        return graph
    things = graph.objects.boxes if graph.has("objects") else None
    return graph.with_layer("surface_places", _aired(ground, graph.layers["places"], things))


@lru_cache(maxsize=8)
def _aired(ground: Layer, air: Layer, things: Boxes | None) -> AiredLayer:
    known = {f.name: getattr(ground, f.name) for f in fields(Layer)}
    return AiredLayer(**known, air=air, things=things)


def is_wall(layer: Layer, at: Floats) -> Bools:
    """Return over which points (m, 3) of the ground something stands, as far as the air is known."""
    room = _room(layer, at)
    return np.asarray((room < FREE_M) & (room > -KNOWN_M))


def is_beside_a_thing(layer: Layer, at: Floats) -> Bools:
    """Return which points (m, 3) are in or right beside a thing of the map, seen from above."""
    things = layer.things if isinstance(layer, AiredLayer) else None
    beside = np.zeros(len(at), bool)
    if things is None or len(at) == 0:
        return beside
    turns = from_quat_wxyz(things.quat_wxyz)
    for row in np.flatnonzero(things.valid):
        reach = things.sizes[row] / 2 + BESIDE_M
        near = np.abs(at - things.centers[row])[:, :2].max(axis=1) < np.linalg.norm(reach)
        own = (at[near] - things.centers[row]) * (1.0, 1.0, 0.0) @ turns[row]
        beside[np.flatnonzero(near)] |= (np.abs(own) < reach)[:, :2].all(axis=1)
    return beside


def is_unknown(layer: Layer, at: Floats) -> Bools:
    """Return over which points (m, 3) of the ground nothing tells of the air."""
    return np.asarray(_room(layer, at) <= -KNOWN_M)


def _room(layer: Layer, at: Floats) -> Floats:
    """Return how deep points (m, 3) are in what is known to be free, at the best height; negative outside."""
    room = np.full(len(at), -np.inf)
    air = layer.air if isinstance(layer, AiredLayer) else None
    if air is None or len(air) == 0 or len(at) == 0:
        return room
    for tree, radii in _discs(air):
        k = np.arange(1, min(NEAR, tree.n) + 1)
        for height in HEIGHTS_M:
            meters, rows = tree.query(at + np.array([0.0, 0.0, height]), k=k)
            room = np.maximum(room, (radii[rows] - meters).max(axis=1))
    return room


@lru_cache(maxsize=4)
def _discs(air: Layer) -> tuple[tuple[cKDTree, Floats], ...]:
    """Return the free balls around 3D places, and those along the edges between them."""
    from scipy.spatial import cKDTree

    clearance = np.nan_to_num(np.asarray(air.columns["clearance_m"], float))
    found = [(cKDTree(air.positions), clearance)]
    told = air.edges.weights != 1.0  # ones are no widths
    a, b = air.edges.rows[told].T
    p, q = air.positions[a], air.positions[b]
    count = np.ceil(np.linalg.norm(q - p, axis=1) / STEP_M).astype(np.int64)
    of = np.repeat(np.arange(len(p)), count)
    share = (np.arange(len(of)) - (np.cumsum(count) - count)[of] + 0.5) / count[of]
    width = np.minimum(air.edges.weights[told], np.minimum(clearance[a], clearance[b]))
    if len(of):
        found.append((cKDTree(p[of] + share[:, None] * (q - p)[of]), width[of]))
    return tuple(found)
