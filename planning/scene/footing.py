"""Where robots stand on a graph of 3D places: below those over the ground, never those in the air."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.planning.scene.air import aired
from commonground.robots import Robot
from commonground.scene import Layer, SceneGraph
from commonground.scene.parts import connected
from commonground.scene.strangers import hanging
from commonground.symbols import symbol_of

AROUND_M = 2.0
"""A place is compared with the lowest one so far around it on the plan."""
BODY_M = 1.5
"""Places this much higher than that are in the air."""
FLOOR_M = 3.0
FLOOR_SHARE = 0.2
"""The floor is where a fifth of the clearances so far around end lower."""
FRAGMENT_SHARE = 0.02
FRAGMENT = 4
"""Places that hang together are a fragment if they are fewer than so many of the largest such part, or fewer
than four where that has forty."""
MAST_M = 2.0
"""A robot's pose is at most so far above the floor it stands on."""


def place_layer(graph: SceneGraph) -> str:
    """Return the layer that robots drive on: surface places where the graph has them, else 3D places."""
    return "surface_places" if graph.has("surface_places") else "places"


def place_at(graph: SceneGraph, layer: str, point: Floats) -> str:
    """Return the symbol of the place nearest to a point."""
    return symbol_of(int(graph.layers[layer].ids[graph.nearest(layer, point)[1][0, 0]]))


def host_row(graph: SceneGraph, layer: str, thing: str) -> int:
    """Return the row of the place an object lies on: its parent, else the nearest."""
    row = graph.objects.row(thing)
    parent = int(graph.parents("objects", layer)[row])
    return (
        parent if parent >= 0 else int(graph.nearest(layer, graph.objects.positions[row])[1][0, 0])
    )


@lru_cache(maxsize=16)
def leads_on(graph: SceneGraph, layer: str) -> Bools:
    """Return which places (n,) have edges to more than a fragment of the map."""
    return no_fragment(len(graph.layers[layer]), graph.layers[layer].edges.rows)


def no_fragment(n: int, pairs: Ints) -> Bools:
    """Return which of n places hang together with more than a few others, as ``pairs`` (m, 2) join them."""
    part = connected(n, pairs)
    size = np.bincount(part)[part]
    largest = size.max(initial=0)
    least = max(FRAGMENT_SHARE * largest, min(FRAGMENT, largest / 10))
    return np.asarray((size > 1) & (size >= least))


def under(graph: SceneGraph, layer: str, thing: str) -> Floats:
    """Return the point (3,) of the ground below an object, at the height of the place it lies on."""
    point = graph.position(thing).copy()
    point[2] = graph.layers[layer].positions[host_row(graph, layer, thing), 2]
    return point


def set_down(graph: SceneGraph, robot: Robot) -> Robot:
    """Return a robot on the ground, where its pose is too far off it to be its own height."""
    if not any(hanging(graph, [robot])):
        return robot
    layer, pose = place_layer(graph), robot.T_map_robot.copy()
    pose[2, 3] = graph.position(place_at(graph, layer, robot.position))[2]
    return replace(robot, T_map_robot=pose)


def grounded(graph: SceneGraph, robot: Robot) -> SceneGraph:
    """Return the graph as a robot drives on it: of 3D places those over the ground, at the robot's height.

    Surface places know of the 3D places over them.
    """
    if place_layer(graph) == "surface_places":
        return aired(graph)
    if not graph.has("places"):
        return graph
    places = graph.layers["places"]
    rows, floor_z = _over_ground(places)
    kept = graph if len(rows) == len(places) else graph.take("places", rows)
    if "clearance_m" not in places.columns:
        return kept
    gap = np.linalg.norm(places.positions[rows, :2] - robot.position[:2], axis=1)
    height = float(np.clip(robot.position[2] - floor_z[int(gap.argmin())], 0.0, MAST_M))
    positions = np.column_stack([places.positions[rows, :2], floor_z + height])
    return kept.with_layer("places", replace(kept.layers["places"], positions=positions))


@lru_cache(maxsize=4)
def _over_ground(places: Layer) -> tuple[Ints, Floats]:
    """Return the rows of places over the ground, and the height of the floor below each of them."""
    from scipy.spatial import cKDTree

    flat, z = places.positions[:, :2], places.positions[:, 2]
    near = cKDTree(flat).query_ball_point(flat, AROUND_M)
    lowest = np.array([z[rows].min() for rows in near])
    rows = np.flatnonzero(z - lowest <= BODY_M)
    below = z - np.asarray(places.columns.get("clearance_m", np.zeros(len(z))), float)
    around = cKDTree(flat[rows]).query_ball_point(flat[rows], FLOOR_M)
    floor_z = [float(np.quantile(below[rows[k]], FLOOR_SHARE)) for k in around]
    return rows, np.array(floor_z)
