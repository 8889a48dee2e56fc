"""Explanation of a goal that cannot be reached: what cuts it off."""

from __future__ import annotations

import numpy as np

from commonground.planning.scene.errand import Errand
from commonground.planning.scene.paths import ShortestPaths, unrestricted
from commonground.planning.scene.roadmap import Spot
from commonground.robots import Robot

MOST_NAMED = 4


def explain_blockage(errand: Errand, robot: Robot, start: Spot, paths: ShortestPaths) -> str:
    """Return the first stop that cannot be reached, and whether regions, terrain or gaps are the cause."""
    road = paths.roadmap
    for stop in errand.stops:
        if np.isfinite(paths.between([start, *stop.spots])[0, 1:]).any():
            continue
        what = f"{robot.name} cannot reach {stop.targets[0]}"
        everywhere = unrestricted(road)
        if errand.forbidden.any() and np.isfinite(everywhere.between([start, stop.spots[0]])[0, 1]):
            return f"{what} without touching {_avoided(errand, everywhere, start, stop.spots[0])}"
        if _reachable_ignoring_terrain(paths, start, stop.spots[0]):
            return (
                f"{what}: the ground between is too steep, its steps are too high, or it is too narrow for a "
                f"radius of {robot.radius_m:g} m"
            )
        part, whole = _island(paths, stop.spots[0]), len(road.positions)
        return (
            f"{what}: nothing connects the robot to its part of the map ({part} of {whole} places)"
        )
    return "every stop can be reached, but not in an order that satisfies the goal"


def _avoided(errand: Errand, everywhere: ShortestPaths, start: Spot, spot: Spot) -> str:
    """Name the avoided regions that cut all ways off, and the places that are avoided alone."""
    road = everywhere.roadmap
    of_region = [
        r for r in set(road.region.tolist()) if r >= 0 and errand.forbidden[road.region == r].all()
    ]
    regions: list[int] = []
    alone: list[str] = []
    shut, paths = np.zeros(len(errand.forbidden), bool), everywhere
    while np.isfinite(paths.between([start, spot])[0, 1]):
        rows = paths.path(start, spot)
        crossed = rows[errand.forbidden[rows]]
        if not len(crossed):  # straight over it from where the robot stands
            gap = np.linalg.norm(road.positions - np.array(start.position), axis=1)
            avoided = np.flatnonzero(errand.forbidden & ~shut)
            crossed = avoided[np.argsort(gap[avoided])][:1]
        if not len(crossed):
            break
        new = [int(r) for r in dict.fromkeys(road.region[crossed].tolist()) if r in of_region]
        regions += new
        alone += [road.symbol(int(r)) for r in crossed if road.region[r] not in of_region]
        shut = shut | np.isin(road.region, new)
        shut[crossed] = True
        paths = ShortestPaths(road, shut)
    names = [road.graph.regions.symbols[r] for r in sorted(regions)] + alone
    return " or ".join(names[:MOST_NAMED]) + (" and others" if len(names) > MOST_NAMED else "")


def _reachable_ignoring_terrain(paths: ShortestPaths, start: Spot, spot: Spot) -> bool:
    from scipy.sparse.csgraph import connected_components

    road = paths.roadmap
    _, part = connected_components(road.graph.adjacency(road.layer), directed=False)
    return bool({int(part[a]) for a in start.anchors} & {int(part[a]) for a in spot.anchors})


def _island(paths: ShortestPaths, spot: Spot) -> int:
    from scipy.sparse.csgraph import connected_components

    road = paths.roadmap
    _, part = connected_components(road.graph.adjacency(road.layer), directed=False)
    return int((part == part[spot.anchors[0]]).sum())
