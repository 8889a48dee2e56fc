"""The voxels of one object: a small hashed grid that coarsens instead of growing without bound."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Floats32, Ints, Ints32
from commonground.mapping.objects import _voxels
from commonground.mapping.objects._voxels import FACTS, HITS, MISSES, RANGE, WEIGHT
from commonground.scene.parts import connected

_LEAST = 64
AGAIN = 1.5
"""Mean hits of the voxels of a block from which those hit once belong to the object as well."""
FAINT = 0.1
"""A voxel of less than this share of the largest weight near it is an error of that one's depth."""
USUAL, LEAST_OFTEN = 0.8, 8
"""Hits of most voxels are those of this share; so few voxels are not thinned."""
NEAR_VOXELS, NEAR_GROWTH, NEAR_M = 4.0, 0.02, 0.7
"""How near that is: so many voxels, and meters by the square of the range, as depth errs; at most this."""


class VoxelCloud:
    """Mean points of the occupied voxels of one object, with votes for and against each.

    A cloud that passes ``most`` voxels doubles its voxel size, so an object costs the same memory
    whether it is a hydrant or a row of hedges.
    """

    __slots__ = ("_rows", "count", "most", "voxel_m")
    FIELDS = ("voxel_m", "most", "keys", "points", "facts")

    def __init__(
        self,
        voxel_m: float,
        most: int,
        keys: Ints | None = None,
        points: Floats | None = None,
        facts: Floats32 | None = None,
    ) -> None:
        """Begin without voxels, or with the columns of a checkpoint."""
        self.voxel_m = voxel_m
        self.most = most
        self.count = 0
        self._allocate(_LEAST if keys is None else len(keys))
        if keys is not None:
            self.count = len(keys)
            self.keys[:], self.points[:], self.facts[:] = keys, points, facts
            _voxels.index_rows(self._rows, self.count)

    # ---- columns ----

    @property
    def points(self) -> Floats:
        """Mean point (n, 3) of each voxel."""
        return self._rows.points[: self.count]

    @property
    def facts(self) -> Floats32:
        """Weight, hits, misses, nearest range and how open it lies (n, FACTS) of each voxel."""
        return self._rows.facts[: self.count]

    @property
    def keys(self) -> Ints:
        """Packed grid position (n,) of each voxel."""
        return self._rows.keys[: self.count]

    # ---- growing and thinning ----

    def insert(self, points: Floats, facts: Floats32) -> None:
        """Add points (k, 3) with their facts (k, FACTS); hits count on top of those already there."""
        self._make_room(len(points))
        self.count = _voxels.insert(self._rows, self.count, self.voxel_m, points, facts)
        while self.count > self.most:
            self._coarsen()

    def vote(self, verdicts: Ints32, votes: Floats32, scale: float) -> None:
        """Add to the hits or misses of each voxel by its verdict; see ``evidence.votes_of``."""
        _voxels.vote(self.facts, verdicts, votes, float(scale))

    def prune(self, tolerance: float) -> None:
        """Drop voxels whose misses outweigh ``tolerance`` times their hits."""
        facts = self.facts
        keep = facts[:, MISSES] <= tolerance * facts[:, HITS]
        if not keep.all():
            self.count = _voxels.keep_rows(self._rows, keep)
            _voxels.index_rows(self._rows, self.count)

    def drop_spill(self, gap: float, least: float) -> None:
        """Drop pieces ``gap`` voxels from all others that are below the share ``least`` of the largest."""
        from scipy.spatial import cKDTree

        if self.count < 2:
            return
        near = cKDTree(self.points).query_pairs(gap * self.voxel_m, output_type="ndarray")
        piece = connected(self.count, near)
        size = np.bincount(piece)
        keep = (size >= least * size.max())[piece]
        if not keep.all():
            self.count = _voxels.keep_rows(self._rows, keep)
            _voxels.index_rows(self._rows, self.count)

    def limit(self, most: int) -> None:
        """Coarsen until at most ``most`` voxels are left, and give the spare memory back."""
        while self.count > most:
            self._coarsen()
        self._allocate(self.count)

    def clear(self) -> None:
        self.count = 0
        self._rows.table[:] = -1

    # ---- questions ----

    def share_inside(self, points: Floats, reach_m: float, most: int = 200) -> float:
        """Return the share of points (k, 3) within about ``reach_m`` of a voxel."""
        if len(points) == 0 or self.count == 0:
            return 0.0
        return float(_voxels.share_inside(self._rows, self.voxel_m, points, reach_m, most))

    def claim(self, points: Floats, reach_m: float, owned: Ints32, mark: int) -> None:
        """Write ``mark`` at the points that lie within ``reach_m`` of a voxel and have no owner yet."""
        _voxels.owners(self._rows, self.voxel_m, points, reach_m, owned, mark)

    def solid(self) -> Ints:
        """Return the rows of voxels that belong to the object; all rows if that is nearly none.

        More must speak for a voxel than against it, and it must have been seen again, or others of its
        block: far away, noise scatters the hits on one surface over several voxels.
        """
        facts = self.facts
        good = facts[:, HITS] > facts[:, MISSES]
        cells = np.empty(self.count, np.int64)
        _voxels.blocks(self.keys, cells)
        _, block = np.unique(cells, return_inverse=True)
        hits = np.bincount(block, np.where(good, facts[:, HITS], 0.0))
        misses = np.bincount(block, facts[:, MISSES])
        again = (hits >= AGAIN * np.bincount(block, good)) & (hits > misses)
        firm = good & ((facts[:, HITS] >= 2) | again[block])
        if firm.sum() >= max(8, 0.2 * self.count):
            return np.flatnonzero(firm)
        return np.flatnonzero(good) if good.any() else np.arange(self.count)

    def surface(self, seldom: float = 0.0) -> Ints:
        """Return the rows of voxels on the surface of the object: those that belong to it but for its fringe.

        Pixels at edges hang in the air before and behind a surface, the more the farther it is. Seen from
        nearby or again, the surface itself has far more weight. What was hit less than ``seldom`` times as
        often as most of it is left out too: a mask that took more than the thing, once.
        """
        rows = self.solid()
        if seldom > 0 and len(rows):
            hits = self.facts[rows, HITS]
            often = hits >= seldom * np.quantile(hits, USUAL)
            rows = rows[often] if often.sum() >= LEAST_OFTEN else rows
        facts = self.facts[rows]
        reach = NEAR_VOXELS * self.voxel_m + NEAR_GROWTH * facts[:, RANGE].astype(float) ** 2
        most = np.empty(len(rows), np.float32)
        _voxels.brightest(self.points[rows], facts, np.minimum(reach, NEAR_M), most)
        return np.asarray(rows[facts[:, WEIGHT] >= FAINT * most])

    def bounds(self) -> tuple[Floats, Floats]:
        """Return the lowest and highest corner (3,) of the voxels' means."""
        return self.points.min(axis=0), self.points.max(axis=0)

    # ---- storage ----

    def _allocate(self, rows: int) -> None:
        """Move the rows into arrays with room for ``rows``, and index them."""
        room = max(_LEAST, 1 << int(np.ceil(np.log2(max(rows, 1)))))
        new = _voxels.Rows(
            np.empty(room, np.int64), np.empty((room, 3)), np.empty((room, FACTS), np.float32),
            np.empty(2 * room, np.int32),
        )  # fmt: skip
        if self.count:
            n = self.count
            new.keys[:n], new.points[:n], new.facts[:n] = self.keys, self.points, self.facts
        self._rows = new
        _voxels.index_rows(new, self.count)

    def _make_room(self, more: int) -> None:
        if self.count + more > len(self._rows.keys):
            self._allocate(self.count + more)

    def _coarsen(self) -> None:
        self.count = _voxels.coarsen(self._rows, self.count)
        self.voxel_m *= 2
