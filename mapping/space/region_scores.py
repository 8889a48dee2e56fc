"""How well the regions of a map are those a person would name: against true ones, by shared ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.compiled import compiled
from commonground.geometry import apply
from commonground.scene import Layer, SceneGraph

SAME_IOU = 0.5
"""A region found and a true one are the same where they share this much of the ground either has."""
LEAST_M2 = 5.0
"""A true region counts only where the map covers at least this much of it."""
CELL_M = 0.4
HEIGHT_M = 0.5
"""A surface place farther above or below a point than this is another level."""


@dataclass(frozen=True, slots=True)
class RegionScores:
    """Regions found, true ones, and how many are the same."""

    precision: float
    """Share of the regions found that are a true one; NaN without any."""
    recall: float
    """Share of the true regions that were found; NaN without any."""
    found: int
    true: int


def evaluate_regions(
    graph: SceneGraph, truth: SceneGraph, T_world_map: Floats | None = None
) -> RegionScores:
    """Compare the regions of a map with the true ones on the ground that the map holds.

    How much ground the map lacks is another question.
    """
    points = _grid(graph, np.eye(4) if T_world_map is None else T_world_map)
    found = _region_at(graph, points, T_world_map)
    true = _region_at(truth, points)
    both = (found >= 0) & (true >= 0)
    shared = np.zeros((len(graph.regions), len(truth.regions)))
    np.add.at(shared, (found[both], true[both]), CELL_M**2)
    size = shared.sum(axis=0)
    either = shared.sum(axis=1)[:, None] + size[None] - shared
    same = shared > np.maximum(SAME_IOU * either, 1e-9)
    asked = size >= LEAST_M2
    return RegionScores(
        precision=float(same.any(axis=1).mean()) if len(same) else float("nan"),
        recall=float(same.any(axis=0)[asked].mean()) if asked.any() else float("nan"),
        found=len(same),
        true=int(asked.sum()),
    )


def _grid(graph: SceneGraph, T_world_map: Floats) -> Floats:
    """Return points (n, 3) in the world, one for each square of ground about a map's places."""
    from scipy.spatial import cKDTree

    at = apply(T_world_map, graph.surface_places.positions)
    if not len(at):
        return np.empty((0, 3))
    low, high = at[:, :2].min(axis=0) - 2.0, at[:, :2].max(axis=0) + 2.0
    ticks = [np.arange(a, b, CELL_M) for a, b in zip(low, high, strict=True)]
    xy = np.stack(np.meshgrid(*ticks, indexing="ij"), axis=-1).reshape(-1, 2)
    away, nearest = cKDTree(at[:, :2]).query(xy, distance_upper_bound=3.0)
    near = np.isfinite(away)
    return np.column_stack([xy[near], at[nearest[near], 2]])


def _region_at(graph: SceneGraph, points: Floats, T_world_map: Floats | None = None) -> Ints:
    """Return the row (n,) of the region under each point; −1 for none."""
    place = owners(graph.surface_places, points, T_world_map)
    region = np.append(graph.parents("surface_places", "regions"), -1)
    return np.asarray(region[place], np.int64)


def owners(surface: Layer, points: Floats, T_world_map: Floats | None = None) -> Ints:
    """Return the surface place (n,) whose outline holds each point, the nearest center's; −1 for none."""
    from scipy.spatial import cKDTree

    T = np.eye(4) if T_world_map is None else T_world_map
    centers = apply(T, surface.positions)
    out, best = np.full(len(points), -1, np.int64), np.full(len(points), np.inf)
    if surface.boundaries is None or len(points) == 0:
        return out
    tree = cKDTree(points[:, :2])
    for node in range(len(surface)):
        outline = apply(T, surface.boundaries[node])
        reach = np.linalg.norm(outline[:, :2] - centers[node, :2], axis=1).max(initial=0)
        near = np.array(tree.query_ball_point(centers[node, :2], reach), np.int64)
        near = near[np.abs(points[near, 2] - centers[node, 2]) < HEIGHT_M + 0.3 * reach]
        near = near[_within(outline[:, :2], points[near, :2])]
        gap = np.linalg.norm(points[near, :2] - centers[node, :2], axis=1)
        closer = near[gap < best[near]]
        out[closer], best[closer] = node, gap[gap < best[near]]
    return out


@compiled
def _within(outline: Floats, points: Floats) -> Bools:
    """Return which points (n, 2) lie within a convex outline (k, 2), in either sense of turning."""
    out = np.zeros(len(points), np.bool_)
    for i in range(len(points)):
        left = right = True
        for k in range(len(outline)):
            here, after = outline[k], outline[(k + 1) % len(outline)]
            cross = (after[0] - here[0]) * (points[i, 1] - here[1]) - (after[1] - here[1]) * (
                points[i, 0] - here[0]
            )
            left, right = left and cross >= -1e-9, right and cross <= 1e-9
        out[i] = left or right
    return out
