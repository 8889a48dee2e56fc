"""Ground to keep out of: all of the outlines of a region's places, wherever their middles are.

To which place a point is nearest says nothing here. Where outlines overlap, those of banned places decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.scene import Layer, SceneGraph

STEP_M = 0.05
"""Ways are looked at this densely."""
LEVEL_M = 1.5
"""Ground that is so much higher or lower is another floor's."""
CELL_M = 1.0
"""Outlines are looked up in cells of this size."""
MOST_CELLS = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class KeepOut:
    """The outlines of some places, found by the cells of a grid that they are over."""

    corners: Floats
    starts: Ints
    z: Floats
    """(k,) height of each outline."""
    cells: Ints
    """Outlines, cell by cell."""
    cell_starts: Ints
    low: Floats
    """(2,) corner of the first cell."""
    high: Floats
    """(2,) corner of the last one."""
    count: Ints
    """(2,) cells."""

    def holds(self, at: Floats) -> Bools:
        """Return which points (m, 3) lie in the outlines, and not just on their rim."""
        # compiled loops take half a second to load, and plans without bans need none
        from commonground.planning.scene._outline_kernels import deep_inside

        grid = self.cells, self.cell_starts, self.low, self.high, self.count
        at = np.ascontiguousarray(at, float)
        return np.asarray(deep_inside(self.corners, self.starts, self.z, grid, at, LEVEL_M))

    def entered(self, p: Floats, q: Floats) -> Bools:
        """Return which straight ways p to q (m, 3) lead over this ground."""
        out = np.zeros(len(p), bool)
        near = np.flatnonzero(self._near(p, q))
        of, points = _along(p[near], q[near])
        out[near[of[self.holds(points)]]] = True
        return out

    def entered_by(self, lines: Sequence[Floats]) -> bool:
        """Return whether ways after one another lead onto this ground; who begins there may leave it."""
        if not lines:
            return False
        p, q = (np.concatenate(ends) for ends in zip(*map(_pieces, lines), strict=True))
        near = self._near(p, q)
        if not near.any():
            return False
        of, points = _along(p, np.where(near[:, None], q, p))
        held = np.zeros(len(points), bool)
        held[near[of]] = self.holds(points[near[of]])
        return bool((held & np.logical_or.accumulate(~held)).any())

    def _near(self, p: Floats, q: Floats) -> Bools:
        """Return which ways (m,) come near the outlines."""
        low, high = np.minimum(p, q)[:, :2], np.maximum(p, q)[:, :2]
        return np.asarray(((low <= self.high) & (high >= self.low)).all(axis=1))


def _pieces(line: Floats) -> tuple[Floats, Floats]:
    """Return the ends of the straight pieces of a line (k, 3); a point is one of its own."""
    return (line[:-1], line[1:]) if len(line) > 1 else (line, line)


def _along(p: Floats, q: Floats) -> tuple[Ints, Floats]:
    """Return points (k, 3) along straight ways p to q (m, 3), and of which way each is (k,)."""
    count = np.ceil(np.linalg.norm(q - p, axis=1) / STEP_M).astype(np.int64) + 1
    of = np.repeat(np.arange(len(p)), count)
    share = (np.arange(len(of)) - (np.cumsum(count) - count)[of]) / np.maximum(count - 1, 1)[of]
    return of, p[of] + share[:, None] * (q - p)[of]


def keep_out(layer: Layer, rows: Bools) -> KeepOut | None:
    """Return the ground of some places (n,) of a layer, None where no outlines tell of any."""
    if layer.boundaries is None or not rows.any():
        return None
    return _keep_out(layer, rows.tobytes())


def of_region(graph: SceneGraph, name: str, region: str) -> KeepOut | None:
    """Return the ground of a region, None where no outlines tell of it."""
    return keep_out(graph.layers[name], graph.in_region(name, region))


@lru_cache(maxsize=64)
def _keep_out(layer: Layer, rows: bytes) -> KeepOut | None:
    outlines = layer.boundaries
    mine = np.flatnonzero(np.frombuffer(rows, bool))
    some = [] if outlines is None else [(k, outlines[k]) for k in mine.tolist()]
    some = [(k, corners) for k, corners in some if len(corners) >= 3]
    if not some:
        return None
    flat = [np.asarray(corners[:, :2], float) for _, corners in some]
    low = np.array([corners.min(axis=0) for corners in flat])
    high = np.array([corners.max(axis=0) for corners in flat])
    first, last = low.min(axis=0), high.max(axis=0)
    cell_m = max(CELL_M, float(np.sqrt(np.prod(last - first) / MOST_CELLS)))
    count = ((last - first) / cell_m).astype(np.int64) + 1
    over = np.stack([((ends - first) / cell_m).astype(np.int64) for ends in (low, high)], axis=1)
    pairs = [
        (i * count[1] + j, k)
        for k, ((i0, j0), (i1, j1)) in enumerate(over.tolist())
        for i in range(i0, i1 + 1)
        for j in range(j0, j1 + 1)
    ]
    cell, outline = np.array(sorted(pairs), np.int64).T
    return KeepOut(
        np.ascontiguousarray(np.concatenate(flat)),
        np.cumsum([0, *map(len, flat)]).astype(np.int64),
        np.array([layer.positions[k, 2] for k, _ in some]),
        np.ascontiguousarray(outline),
        np.searchsorted(cell, np.arange(int(count.prod()) + 1)).astype(np.int64),
        first,
        first + cell_m * count,
        count,
    )


def whole_regions(shut: Bools, region: Ints) -> Bools:
    """Return which places (n,) are of regions (n,) of which every place is shut: nobody may enter these."""
    known = region >= 0
    open_ = np.bincount(region[known & ~shut], minlength=int(region.max(initial=0)) + 1) > 0
    return np.asarray(known & shut & ~open_[region])
