"""Robots that stand in another frame than the map: no place of it is within a few meters of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

import numpy as np

from commonground.arrays import Floats
from commonground.robots import Robot
from commonground.scene.graph import SceneGraph
from commonground.scene.layer import Layer

log = logging.getLogger(__name__)
LAYERS = ("surface_places", "places")
FAR_M = 5.0
"""So far beyond the next place a robot may stand, as on ground that was not mapped."""
LIFT_M = 1.0
"""What a robot is told to be at may be its middle, so high above the ground."""

Telling = Callable[[Floats], str]
"""Says of a point (3,) how far off the map it is; '' where it is on it."""


def off_map(graph: SceneGraph, radius_m: float = 0.0) -> Telling:
    """Return what tells of points that are too far from all that the map can mean.

    Where a map has no places, it is as large as its things lie apart.
    """
    places = [graph.layers[name] for name in LAYERS if graph.has(name)]
    found = [_known(layer) for layer in places if len(layer)]
    if not found and graph.has("objects"):
        at = graph.objects.positions
        found = [(at, float(np.linalg.norm(np.ptp(at, axis=0))))] if len(at) else []
    if not found:
        return lambda point: ""
    known = np.concatenate([points for points, _ in found])
    reach_m = FAR_M + max(radius_m, *(apart_m for _, apart_m in found))
    height_m = float(np.ptp(known, axis=0).max()) + reach_m

    def told(point: Floats) -> str:
        gaps = np.hypot(*(known[:, :2] - point[:2]).T)
        away_m = float(gaps.min())
        over_m = float(np.abs(known[int(gaps.argmin()), 2] - point[2]))
        if away_m <= reach_m and over_m <= height_m:
            return ""
        return f"{max(away_m, over_m):.0f} m from the nearest place"

    return told


@lru_cache(maxsize=4)
def _known(layer: Layer) -> tuple[Floats, float]:
    """Return the places of a layer with their outlines, and how far apart those next to each other are."""
    points = layer.positions
    rows = layer.edges.rows
    gaps = np.linalg.norm(points[rows[:, 0]] - points[rows[:, 1]], axis=1)
    apart_m = float(np.quantile(gaps, 0.9)) if len(gaps) else 0.0
    outlines = layer.boundaries
    return points if outlines is None else np.r_[points, outlines.points], apart_m


def strangers(graph: SceneGraph, robots: Iterable[Robot]) -> Mapping[str, str]:
    """Return robot → what is wrong with its pose, for each that stands outside all that the map can mean."""
    told = {robot.name: off_map(graph, robot.radius_m)(robot.position) for robot in robots}
    return {
        name: f"{name} is {far}; its pose in robots.yaml must be in the frame of the map"
        for name, far in told.items()
        if far
    }


def hanging(graph: SceneGraph, robots: Iterable[Robot]) -> Iterator[str]:
    """Yield which robots hang in the air, or stand in the ground, where the map tells how high that is."""
    if not graph.has("surface_places") or not len(graph.layers["surface_places"]):
        return
    ground = graph.layers["surface_places"].positions
    for robot in robots:
        apart = robot.position - ground
        x, y, z = apart[int(np.linalg.norm(apart, axis=1).argmin())].tolist()
        if abs(z) - float(np.hypot(x, y)) > LIFT_M:  # a slope may rise as far as the place is away
            where = "above" if z > 0 else "below"
            yield f"{robot.name} is {abs(z):.1f} m {where} the ground of the map; is z of its pose right?"


def tell_strangers(graph: SceneGraph, robots: Iterable[Robot]) -> None:
    """Warn of each robot that no plan can use: others may be given what it would have done."""
    for told in strangers(graph, robots).values():
        log.warning("%s; it takes no part", told)
