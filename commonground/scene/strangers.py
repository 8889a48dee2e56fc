"""Robots that stand in another frame than the map: farther from it than it is large."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from commonground.arrays import Floats
from commonground.robots import Robot
from commonground.scene.graph import SceneGraph

log = logging.getLogger(__name__)
LAYERS = ("surface_places", "places", "objects")


def strangers(graph: SceneGraph, robots: Iterable[Robot]) -> Mapping[str, str]:
    """Return robot → what is wrong with its pose, for each that stands outside all that the map can mean."""
    points = [graph.layers[name].positions for name in LAYERS if graph.has(name)]
    if not points:
        return {}
    known = np.concatenate(points)
    low, high = known.min(axis=0), known.max(axis=0)
    return dict(_outside(robots, low, high))


def _outside(robots: Iterable[Robot], low: Floats, high: Floats) -> Iterator[tuple[str, str]]:
    size_m = float(np.linalg.norm(high - low))
    for robot in robots:
        beyond = np.maximum(np.maximum(low - robot.position, robot.position - high), 0.0)
        away_m = float(np.linalg.norm(beyond))
        if not away_m <= max(size_m, robot.radius_m):
            yield (
                robot.name,
                f"{robot.name} stands {away_m:.0f} m outside the map, which is {size_m:.0f} m large; "
                "its pose in robots.yaml must be in the frame of the map",
            )


def tell_strangers(graph: SceneGraph, robots: Iterable[Robot]) -> None:
    """Warn of each robot that no plan can use: others may be given what it would have done."""
    for told in strangers(graph, robots).values():
        log.warning("%s; it takes no part", told)
