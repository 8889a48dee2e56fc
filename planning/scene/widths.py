"""How wide the ground is at places and between them: from outlines and clearances, or unknown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.planning.scene.rim import NEAR, OUTLINE_M, Rim, covered, rim_of
from commonground.scene import Edges, Layer, Ragged

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
    from scipy.spatial import cKDTree

ROUNDING_M = 0.01
"""Clearances are known to a centimeter."""
ASTRAY_M = 20.0
"""A robot so far from a place is not in the map, and is told so elsewhere."""
WIDE_M = 1.0
"""How wide edges are is worked out once for all robots with no larger a radius."""
SAMPLED_M = 5e-3
"""Rims are known at points, and ground next to them seems so much wider."""
PIECE_M = 0.5
"""Straight ways are held against clearances piece by piece, each no longer than this."""


@dataclass(frozen=True, slots=True, eq=False)
class Widths:
    """Free meters around each place of a layer, and what tells them between places."""

    positions: Floats
    place_m: Floats
    """(n,) to the nearest obstacle or the rim of the ground; NaN where nothing tells it."""
    outlined: Bools
    """(n,) places that have an outline."""
    rim: Rim | None
    """The rim of the ground that the outlines cover together."""
    along: csr_matrix | None
    """(n, n) free meters along edges, as a graph of 3D places tells them."""
    outlines: Ragged | None
    tree: cKDTree
    """The places."""

    def fits(self, radius_m: float) -> Bools:
        """Return which places (n,) are wide enough for a radius, or not known to be too narrow."""
        return np.asarray(~(self.place_m < radius_m - ROUNDING_M))

    def fits_between(self, a: Ints, b: Ints, radius_m: float) -> Bools:
        """Return which straight ways between places a and b (m,) are not known to be too narrow."""
        out = np.ones(len(a), bool)
        doubtful = np.flatnonzero(~self._surely(a, b, radius_m))
        told = self._between(a[doubtful], b[doubtful], radius_m)
        out[doubtful] = ~(told < radius_m - ROUNDING_M)
        return out

    def fits_from(self, point: Floats, rows: Ints, radius_m: float) -> Bools:
        """Return to which places (m,) the straight way from a point is not known to be too narrow.

        At a point that is too narrow itself, as that of a thing at a wall, it is nowhere narrower than there.
        """
        out = np.ones(len(rows), bool)
        meters = np.linalg.norm(self.positions[rows] - point, axis=1)
        known = np.flatnonzero(self.outlined[rows] & (meters < ASTRAY_M))
        if self.rim is None or len(known) == 0:
            return out
        needed = min(radius_m, float(self.rim.meters(point[None])[0]))
        start = np.repeat(point[None], len(known), axis=0)
        told = self.rim.along(start, self.positions[rows[known]], radius_m)
        out[known] = told >= needed - ROUNDING_M
        return out

    def leaves_ground(self, line: Floats, radius_m: float) -> Bools:
        """Return on which pieces of a line (k, 3) a robot reaches beyond the rim of the ground.

        On the first and the last it may be as near to the rim as it begins and ends, and beyond it where it
        begins or ends there.
        """
        if self.rim is None or len(line) < 2:
            return np.zeros(max(len(line) - 1, 0), bool)
        needed = np.full(len(line) - 1, radius_m)
        for piece, room_m in zip((0, -1), self.room(line[[0, -1]]).tolist(), strict=True):
            needed[piece] = min(needed[piece], room_m)
        return np.asarray(self.rim.along(line[:-1], line[1:], radius_m) < needed - ROUNDING_M)

    def fits_straight(
        self, p: Floats, q: Floats, radius_m: float, at_least_m: float = 0.0
    ) -> Bools:
        """Return along which lines p to q (m, 3) the ground is as wide as a radius, or as at an end.

        It is at least so wide in any case.
        """
        if self.rim is None:
            return np.ones(len(p), bool)
        needed = np.minimum(np.minimum(self.room(p), self.room(q)), radius_m)
        needed = np.maximum(needed, at_least_m)
        return np.asarray(self.rim.along(p, q, radius_m) >= needed - ROUNDING_M)

    @property
    def doubt_m(self) -> float:
        """How much wider the ground may be told than it is."""
        return ROUNDING_M if self.rim is None else ROUNDING_M + OUTLINE_M + SAMPLED_M

    def is_free(self, points: Floats, radius_m: float) -> Bools:
        """Return at which points (m, 3) the ground is known to be as wide as a radius."""
        if self.rim is None:
            return np.asarray(self._room_in_discs(points) >= radius_m - ROUNDING_M)
        free = self.rim.meters(points) >= radius_m - ROUNDING_M
        free[free] = self.inside(points[free])
        return free

    def is_free_between(self, p: Floats, q: Floats, radius_m: float) -> Bools:
        """Return along which lines p to q (m, 3) it is known to be so, or as wide as at an end."""
        if self.rim is not None:
            return self.fits_straight(p, q, radius_m)
        ends = np.minimum(self._room_in_discs(p), self._room_in_discs(q))
        return self._in_discs(p, q, np.minimum(ends, radius_m))

    def fits_at(self, points: Floats, radius_m: float) -> Bools:
        """Return at which points (m, 3) the ground is not known to be too narrow."""
        return np.asarray(self.room(points) >= radius_m - ROUNDING_M)

    def room(self, points: Floats) -> Floats:
        """Return meters (m,) from points to the rim around them, 0 outside."""
        if self.rim is None:
            return np.full(len(points), np.inf)
        return np.where(self.inside(points), self.rim.meters(points), 0.0)

    def inside(self, points: Floats) -> Bools:
        """Return which points (m, 3) lie in the outline of a place."""
        if self.outlines is None:
            return np.zeros(len(points), bool)
        return covered(self.outlines, self.tree, points, np.inf)

    def unknown(self, rows: Ints) -> Bools:
        """Return for which places (m,) nothing tells how wide the ground is."""
        return np.asarray(np.isnan(self.place_m[rows]))

    def unknown_between(self, a: Ints, b: Ints, radius_m: float) -> Bools:
        """Return between which places (m,) nothing tells whether a radius fits."""
        return np.asarray(np.isnan(self._between(a, b, radius_m)) & ~self._surely(a, b, radius_m))

    def _room_in_discs(self, points: Floats) -> Floats:
        """Return free meters (m,) around points as the widest disc around a place tells it, 0 outside."""
        if len(points) == 0:
            return np.empty(0)
        meters, rows = self.tree.query(points, k=np.arange(1, min(NEAR, self.tree.n) + 1))
        left = np.nan_to_num(self.place_m[rows] - meters, nan=0.0).max(axis=1)
        return np.asarray(np.maximum(left, 0.0))

    def _in_discs(self, p: Floats, q: Floats, needed_m: Floats) -> Bools:
        """Return whether lines p to q (m, 3) are all within the free discs of places, less some meters (m,).

        Of each piece of a line the part within a disc is known exactly; together they have to cover it.
        """
        count = np.maximum(np.ceil(np.linalg.norm(q - p, axis=1) / PIECE_M), 1).astype(np.int64)
        of = np.repeat(np.arange(len(p)), count)
        first = np.cumsum(count) - count
        share = ((np.arange(len(of)) - first[of]) / count[of])[:, None]
        along = (q - p)[of] / count[of, None]
        begin = p[of] + share * (q - p)[of]
        rows = self.tree.query(begin + along / 2, k=np.arange(1, min(NEAR, self.tree.n) + 1))[1]
        reach = np.nan_to_num(self.place_m[rows], nan=-1.0) - needed_m[of, None] + ROUNDING_M
        offset = self.positions[rows] - begin[:, None]
        length2 = np.maximum((along**2).sum(axis=1), 1e-18)[:, None]
        middle = (offset * along[:, None]).sum(axis=2) / length2
        aside2 = ((offset - middle[..., None] * along[:, None]) ** 2).sum(axis=2)
        left = np.where(reach >= 0.0, reach**2 - aside2, -1.0)
        half = np.sqrt(np.maximum(left, 0.0) / length2)
        low = np.where(left >= 0.0, middle - half, np.inf)
        order = np.argsort(low, axis=1)
        low = np.take_along_axis(low, order, axis=1)
        high = np.take_along_axis(middle + half, order, axis=1)
        covered = np.zeros(len(begin))
        for k in range(low.shape[1]):
            covered = np.where(low[:, k] <= covered, np.maximum(covered, high[:, k]), covered)
        return np.asarray(np.logical_and.reduceat(covered >= 1.0, first)) if len(p) else covered > 0

    def between(self, a: Ints, b: Ints, enough_m: float) -> Floats:
        """Return free meters (m,) along straight ways, up to enough; infinite where nothing tells them."""
        meters = np.linalg.norm(self.positions[a] - self.positions[b], axis=1)
        discs = np.nan_to_num((self.place_m[a] + self.place_m[b] - meters) / 2, nan=-np.inf)
        told = np.nan_to_num(self._between(a, b, enough_m), nan=np.inf)
        return np.asarray(np.maximum(discs - ROUNDING_M, told))

    def _surely(self, a: Ints, b: Ints, radius_m: float) -> Bools:
        """Return where the free discs around both ends leave no doubt: halfway they are least wide."""
        meters = np.linalg.norm(self.positions[a] - self.positions[b], axis=1)
        return np.asarray((self.place_m[a] + self.place_m[b] - meters) / 2 >= radius_m)

    def _between(self, a: Ints, b: Ints, enough_m: float) -> Floats:
        """Return free meters (m,) around straight ways, up to enough; NaN where nothing tells them."""
        return np.asarray(np.fmin(self._along_edge(a, b), self._inside_rim(a, b, enough_m)))

    def _along_edge(self, a: Ints, b: Ints) -> Floats:
        """Return what the edges tell (m,); NaN for nothing."""
        if self.along is None or len(a) == 0:
            return np.full(len(a), np.nan)
        told = np.asarray(self.along[a, b], float).ravel()
        return np.where(told > 0.0, told, np.nan)

    def _inside_rim(self, a: Ints, b: Ints, enough_m: float) -> Floats:
        """Return meters (m,) from straight lines to the rim; NaN where an end has no outline."""
        out = np.full(len(a), np.nan)
        known = np.flatnonzero(self.outlined[a] & self.outlined[b])
        if self.rim is None or len(known) == 0:
            return out
        p, q = self.positions[a[known]], self.positions[b[known]]
        out[known] = self.rim.along(p, q, enough_m)
        return out


@lru_cache(maxsize=8)
def widths_of(layer: Layer) -> Widths:
    """Return what a layer of places tells of widths."""
    from scipy.spatial import cKDTree

    n = len(layer)
    clearance = np.asarray(layer.columns.get("clearance_m", np.zeros(n)), float)
    told = np.where(clearance > 0.0, clearance, np.nan)
    outlined, tree = np.zeros(n, bool), cKDTree(layer.positions)
    ground: Rim | None = None
    if layer.boundaries is not None:
        outlined = np.diff(layer.boundaries.starts.astype(np.int64)) >= 3
    if outlined.any():
        ground = rim_of(layer, tree)
    if ground is not None:
        told = np.fmin(told, np.where(outlined, ground.meters(layer.positions), np.nan))
    return Widths(
        layer.positions,
        told,
        outlined,
        ground,
        _along(layer.edges, n, layer),
        layer.boundaries,
        tree,
    )


def too_narrow(layer: Layer, radius_m: float) -> Bools:
    """Return along which edges (m,) of a layer the straight way is known to be too narrow for a radius."""
    return _along_edges(layer, max(float(np.ceil(radius_m)), WIDE_M)) < radius_m - ROUNDING_M


@lru_cache(maxsize=8)
def _along_edges(layer: Layer, enough_m: float) -> Floats:
    i, j = layer.edges.rows.T.astype(np.int64)
    return widths_of(layer).between(i, j, enough_m)


def _along(edges: Edges, n: int, layer: Layer) -> csr_matrix | None:
    """Return the widths that weights of edges stand for: those of 3D places do, where they are no ones."""
    from scipy.sparse import csr_matrix

    if "clearance_m" not in layer.columns or layer.boundaries is not None:
        return None
    i, j = edges.rows.T
    if len(edges) == 0 or bool((edges.weights == 1.0).all()):
        return None
    both = (np.concatenate([i, j]), np.concatenate([j, i]))
    one = csr_matrix((np.tile(edges.weights, 2), both), shape=(n, n))
    count = csr_matrix((np.ones(2 * len(edges)), both), shape=(n, n))
    one.data /= count.data  # an edge may be given twice
    return one
