"""The rim of the ground that the outlines of places cover together, and how near straight ways come to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.planning.scene.air import is_beside_a_thing, is_wall
from commonground.scene import Layer, Ragged
from commonground.scene.moved import MIDDLE
from commonground.scene.parts import connected

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

OUTLINE_M = 0.02
"""Outlines are drawn around cells; the ground is taken to reach so far beyond them."""
ACROSS_M = 0.15
"""Outlines overlap where ground goes on, and so they meet this much beside the border of cells."""
NEXT_M = 0.15
"""Points of one rim are so near to each other."""
LEVEL_M = 0.5
"""Ground that is so much higher or lower does not go on there, as at a loading dock."""
NEAR = 16
"""So many places around a point may cover it."""
CELL_M = 0.5
"""The rim is kept in cells of this size."""
MOST_CELLS = 4_000_000


@dataclass(frozen=True, eq=False)
class Rim:
    """Points all along the rim of the ground, and where inwards is."""

    points: Floats
    """(m, 3)"""
    inwards: Floats
    """(m, 2) unit vectors."""
    tree: cKDTree

    @cached_property
    def _cells(self) -> tuple[Floats, Ints, Floats, Ints]:
        """The points cell by cell, where cells begin, the corner of the first one, and how many there are."""
        low = self.points[:, :2].min(axis=0)
        extent = np.ptp(self.points[:, :2], axis=0)
        cell_m = max(CELL_M, float(np.sqrt((extent[0] + 1.0) * (extent[1] + 1.0) / MOST_CELLS)))
        count = (extent / cell_m).astype(np.int64) + 1
        cell = ((self.points[:, :2] - low) / cell_m).astype(np.int64)
        key = cell[:, 0] * count[1] + cell[:, 1]
        order = np.argsort(key, kind="stable")
        starts = np.searchsorted(key[order], np.arange(count[0] * count[1] + 1))
        return (
            np.ascontiguousarray(self.points[order]),
            starts.astype(np.int64),
            np.array([*low, cell_m]),
            count,
        )

    def meters(self, at: Floats) -> Floats:
        """Return meters (k,) from points (k, 3) to the rim, whichever side of it they are on."""
        return np.asarray(self.tree.query(at)[0]) + OUTLINE_M

    def along(self, p: Floats, q: Floats, enough_m: float) -> Floats:
        """Return the least meters (k,) from straight lines p to q (k, 3) to the rim, at most about enough."""
        from commonground.planning.scene._width_kernels import nearest_along

        p, q = (np.ascontiguousarray(ends, float) for ends in (p, q))
        return np.asarray(nearest_along(*self._cells, p, q, float(enough_m)) + OUTLINE_M)

    def inwards_from(self, at: Floats, covered: Bools) -> tuple[Floats, Floats, Floats]:
        """Return the rim points (k, 3) nearest to points, the ways from them inwards (k, 2), and meters.

        Meters are negative beyond the rim. Points that no outline covers may lie in gaps that are no rim.
        """
        gap, rows = self.tree.query(at)
        away = (at - self.points[rows])[:, :2]
        inside = covered | ((away * self.inwards[rows]).sum(axis=1) >= 0.0)
        away *= np.where(inside, 1.0, -1.0)[:, None]
        meters = np.linalg.norm(away, axis=1)[:, None]
        way = np.where(meters > OUTLINE_M, away / np.maximum(meters, 1e-9), self.inwards[rows])
        return self.points[rows], way, np.where(inside, gap + OUTLINE_M, OUTLINE_M - gap)


def rim_of(layer: Layer, tree: cKDTree) -> Rim | None:
    """Return the rim of the ground that the outlines of places cover; None without outlines."""
    from scipy.spatial import cKDTree

    from commonground.planning.scene._width_kernels import GAPS_M, TOUCH_M, rim

    outlines, n = layer.boundaries, len(layer)
    if outlines is None:
        return None
    one, other = np.concatenate([layer.edges.rows, layer.edges.rows[:, ::-1]]).T.astype(np.int64)
    order = np.lexsort((other, one))
    indptr = np.searchsorted(one[order], np.arange(n + 1)).astype(np.int64)
    at_borders = np.tile(_borders(layer), (2, 1))[order]
    points = np.ascontiguousarray(outlines.points, float)
    starts = outlines.starts.astype(np.int64)
    found = rim(points, starts, indptr, other[order], at_borders)
    at, outwards = found[:, :3], np.pad(found[:, 3:5], ((0, 0), (0, 1)))
    # where ground begins again beyond a little gap it goes on, but not through a wall
    cracks = found[:, 6] > 0.0
    cracks[cracks] = ~is_wall(layer, (at + found[:, 6:] / 2 * outwards)[cracks])
    found, at, outwards = found[~cracks], at[~cracks], outwards[~cracks]
    # where outlines touch that have no border there, 3D places tell whether a wall is between them; beyond a
    # thin piece of what is no ground lies the same outline again, and there the ground ends
    ends = ~covered(outlines, tree, at + TOUCH_M * outwards, but=found[:, 5])
    ends[~ends] = is_wall(layer, at[~ends]) & ~is_beside_a_thing(layer, at[~ends])
    at, outwards = at[ends], outwards[ends]
    crossed = np.zeros(len(at), bool)
    for gap_m in GAPS_M:
        crossed |= covered(outlines, tree, at + gap_m * outwards)
    crossed[crossed] = ~is_wall(layer, (at + max(GAPS_M) / 2 * outwards)[crossed])
    left = ~_in_pinholes(at, crossed, max(GAPS_M))
    at, outwards = at[left], outwards[left]
    return Rim(at, -outwards[:, :2], cKDTree(at)) if len(at) else None


def _borders(layer: Layer) -> Floats:
    """Return the middle of the border that each edge (m, 3) crosses, and how far from it that may reach.

    Lines of sight across other borders have none; where no edge tells any, it may be anywhere.
    """
    out = np.tile([0.0, 0.0, -1.0], (len(layer.edges), 1))
    for k, extra in enumerate(layer.edges.extras):
        told = extra.get("metadata") or {}
        if told.get(MIDDLE) and told.get("border_m"):
            out[k] = *told[MIDDLE][:2], told["border_m"] / 2 + ACROSS_M
    if (out[:, 2] < 0.0).all():
        out[:, 2] = np.inf
    return out


def _in_pinholes(rim: Floats, crossed: Bools, wide_m: float) -> Bools:
    """Return which points (m, 3) of the rim are around holes that are no wider than the gaps maps leave.

    Such a piece of the rim is short, and a little beyond all of it there is ground again.
    """
    from scipy.spatial import cKDTree

    if len(rim) == 0:
        return np.zeros(0, bool)
    of = connected(len(rim), cKDTree(rim).query_pairs(NEXT_M, output_type="ndarray"))
    count = int(of.max()) + 1
    low, high = np.full((2, count, 3), [[[np.inf]], [[-np.inf]]])
    np.minimum.at(low, of, rim)
    np.maximum.at(high, of, rim)
    narrow = (high - low)[:, :2].max(axis=1) <= wide_m
    np.logical_and.at(narrow, of, crossed)
    return np.asarray(narrow[of])


def covered(
    outlines: Ragged,
    tree: cKDTree,
    at: Floats,
    level_m: float = LEVEL_M,
    *,
    but: Floats | None = None,
) -> Bools:
    """Return which points (m, 3) lie in the outline of a place near them, on one level with it.

    Of each point, the outline in row ``but`` (m,) does not count.
    """
    # compiled loops take half a second to load, and graphs without outlines need none
    from commonground.planning.scene._outline_kernels import within

    if len(at) == 0:
        return np.zeros(0, bool)
    near = tree.query(at, k=np.arange(1, min(NEAR, tree.n) + 1))[1]
    if but is not None:
        near = np.where(near == but[:, None], -1, near)
    points = np.ascontiguousarray(outlines.points, float)
    starts = outlines.starts.astype(np.int64)
    return np.asarray(within(points, starts, at, near.astype(np.int64), level_m))
