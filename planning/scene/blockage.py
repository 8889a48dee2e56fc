"""Explanation of a goal that cannot be reached: what cuts it off."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from commonground.arrays import Bools
from commonground.planning.scene.errand import Errand
from commonground.planning.scene.ground import in_polygon
from commonground.planning.scene.paths import ShortestPaths, unrestricted
from commonground.planning.scene.roadmap import Roadmap, Spot
from commonground.robots import Robot

MOST_NAMED = 4
GRID_M = 0.1
"""Outlines of places are looked at this densely for ground that is wide enough."""
MOST_ACROSS = 200


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


def may_pass_beside(errand: Errand, robot: Robot, start: Spot, paths: ShortestPaths) -> bool:
    """Return whether what cannot be reached might be by way of places beside which there is room.

    Robots drive over the points that stand for places. Where such a point is too near to the rim, but other
    ground in the place's outline is not, nothing is proven.
    """
    freed = freed_beside(paths.roadmap, robot.radius_m)
    if freed is paths.roadmap:
        return False
    easier = ShortestPaths(freed, paths.forbidden)
    for stop in errand.stops:
        spots = [start, *stop.spots]
        if not np.isfinite(paths.between(spots)[0, 1:]).any():
            anchored = [freed.start(robot), *(_again(freed, spot) for spot in stop.spots)]
            if not np.isfinite(easier.between(anchored)[0, 1:]).any():
                return False
    return True


def freed_beside(road: Roadmap, radius_m: float) -> Roadmap:
    """Return a roadmap with the places open beside whose points there is room, the same if there is none.

    It is for proofs alone: what it does not reach cannot be reached.
    """
    roomy = _wide_elsewhere(road, radius_m)
    if not roomy.any():
        return road
    whole = road.graph.adjacency(road.layer)
    beside = whole.multiply(roomy[:, None]).maximum(whole.multiply(roomy)).tocsr()
    return replace(road, usable=road.usable | roomy, metric=road.metric.maximum(beside))


def _again(road: Roadmap, spot: Spot) -> Spot:
    """Return a point of interest as it hangs on another roadmap."""
    return spot if spot.is_place else road.object(spot.symbol)


def _wide_elsewhere(road: Roadmap, radius_m: float) -> Bools:
    """Return the places (n,) that are too narrow at their points, and not all over their outlines."""
    out, outlines = np.zeros(len(road.positions), bool), road.places.boundaries
    if road.widths.rim is None or outlines is None:
        return out
    for row in np.flatnonzero(~road.widths.fits(radius_m) & road.widths.outlined).tolist():
        low, high = outlines[row].min(axis=0), outlines[row].max(axis=0)
        count = np.minimum((high - low)[:2] / GRID_M, MOST_ACROSS).astype(int) + 2
        x, y = (np.linspace(low[k], high[k], count[k]) for k in (0, 1))
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        points = np.column_stack([grid, np.full(len(grid), road.positions[row, 2])])
        points = points[in_polygon(points[:, :2], outlines[row][:, :2])]
        out[row] = len(points) > 0 and road.widths.is_free(points, radius_m).any()
    return out
