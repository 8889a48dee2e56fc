"""A way between neighbors that winds around many corners: over free cells, then pulled tight."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.planning.scene.outlines import in_outlines
from commonground.planning.scene.rim import LEVEL_M, OUTLINE_M, Rim
from commonground.planning.scene.widths import ROUNDING_M, widths_of
from commonground.scene import Layer, Ragged
from commonground.scene.parts import shortest_path

FINEST_M = 0.02
MOST_CELLS = 100_000
"""Of large places the cells are larger, and narrow ways are missed."""
BETWEEN_M = 0.3
"""Outlines of neighbors may be so far apart; a way between them leads nowhere else."""
ENTRIES = 64
"""A place is linked to so many free cells around it."""
AHEAD = ((1, 0), (0, 1), (1, 1), (1, -1))


Free = Callable[[Floats, Floats], Bools]
"""Along which straight ways (m, 3) a robot touches nothing."""


def winding(layer: Layer, ends: tuple[int, int], radius_m: float, surely_m: float) -> Floats | None:
    """Return where the way between two neighbors bends (k, 3); None if none is found on their outlines."""
    return wound(layer, ends, layer.positions[list(ends)], (radius_m, surely_m))


def wound(
    layer: Layer,
    rows: Sequence[int],
    at: Floats,
    radii: tuple[float, float],
    free: Free | None = None,
) -> Floats | None:
    """Return where the way between two points (2, 3) bends (k, 3); None if none is found on some outlines.

    It is surely wide enough, but as wide as the radius only where one of them is no wider.
    """
    from scipy.sparse import coo_matrix

    widths, outlines, (radius_m, surely_m) = widths_of(layer), layer.boundaries, radii
    if widths.rim is None or outlines is None or not widths.outlined[list(rows)].all():
        return None

    def open_(p: Floats, q: Floats) -> Bools:
        fits = widths.fits_straight(p, q, surely_m, radius_m)
        if free is not None:
            fits[fits] = free(p[fits], q[fits])
        return fits

    cells = _cells(outlines, widths.rim, rows, surely_m)
    if free is not None:
        cells.open_[cells.open_] = free(*[cells.middles(at[0, 2])] * 2)
    points, links, meters = cells.linked()
    for k, end in enumerate(at):
        meters_to = np.linalg.norm(points[:, :2] - end[:2], axis=1)
        near = np.argsort(meters_to, kind="stable")[:ENTRIES]
        there = np.column_stack([points[near], np.full(len(near), end[2])])
        near = near[open_(np.repeat(end[None], len(near), axis=0), there)]
        links = np.vstack([links, np.column_stack([near, np.full(len(near), len(points) + k)])])
        meters = np.r_[meters, meters_to[near]]
    n = len(points)
    lengths = coo_matrix((np.maximum(meters, 1e-9), links.T), shape=(n + 2, n + 2)).tocsr()
    found = shortest_path(lengths, n, n + 1)
    if len(found) == 0:
        return None
    line = _risen(np.vstack([points, at[:, :2]])[found], at[0, 2], at[1, 2])
    kept = [0]
    while kept[-1] < len(line) - 1:
        after = line[kept[-1] + 1 :]
        here = np.repeat(line[kept[-1]][None], len(after), axis=0)
        seen = np.flatnonzero(open_(here, after))
        if len(seen) == 0:
            return None  # as on slopes, where cells do not tell it all
        kept.append(kept[-1] + 1 + int(seen[-1]))
    return np.asarray(line[kept[1:-1]])


@dataclass(frozen=True, eq=False)
class _Cells:
    low: Floats
    """(2,) the lower corner of the first cell."""
    cell_m: float
    open_: Bools
    """(nx, ny) on whose middles the robot fits."""

    def linked(self) -> tuple[Floats, Ints, Floats]:
        """Return the middles (n, 2) of the open cells, which are next to one another (m, 2), and meters."""
        number = np.cumsum(self.open_).reshape(self.open_.shape) - 1
        links, meters = [np.empty((0, 2), np.int64)], [np.empty(0)]
        nx, ny = self.open_.shape
        for dx, dy in AHEAD:
            here = slice(0, nx - dx), slice(max(-dy, 0), ny - max(dy, 0))
            next_ = slice(dx, nx), slice(max(dy, 0), ny + min(dy, 0))
            both = self.open_[here] & self.open_[next_]
            links.append(np.column_stack([number[here][both], number[next_][both]]))
            meters.append(np.full(int(both.sum()), self.cell_m * math.hypot(dx, dy)))
        return self.middles(0.0)[:, :2], np.vstack(links), np.concatenate(meters)

    def middles(self, z: float) -> Floats:
        """Return the middles (n, 3) of the open cells, all at one height."""
        flat = self.low + (np.argwhere(self.open_) + 0.5) * self.cell_m
        return np.column_stack([flat, np.full(len(flat), z)])


def _cells(outlines: Ragged, rim: Rim, rows: Sequence[int], radius_m: float) -> _Cells:
    """Return the cells on the outlines of some places, and between these, on which a robot fits."""
    from scipy.ndimage import binary_dilation

    from commonground.planning.scene._free_ground_kernels import shut_around

    corners = np.vstack([outlines[k] for k in rows])
    low, high = corners.min(axis=0), corners.max(axis=0)
    extent = np.maximum(high - low, FINEST_M)[:2]
    cell_m = max(FINEST_M, math.sqrt(float(extent.prod()) / MOST_CELLS))
    reach = np.array([radius_m, radius_m, LEVEL_M]) + cell_m
    near = ((rim.points >= low - reach) & (rim.points <= high + reach)).all(axis=1)
    shut = np.zeros((extent / cell_m).astype(int) + 1, bool)
    within_m = max(radius_m - ROUNDING_M - OUTLINE_M, 0.0)
    # a little more, so that halfway from cell to cell there is room as well
    within_m = math.hypot(within_m, cell_m * math.sqrt(0.5))
    shut_around(np.ascontiguousarray(rim.points[near]), low[:2], cell_m, within_m, shut)
    own = np.zeros_like(shut)
    for row in rows:
        first, last = (
            ((end - low)[:2] / cell_m).astype(int)
            for end in (outlines[row].min(axis=0), outlines[row].max(axis=0))
        )
        part = own[first[0] : last[0] + 1, first[1] : last[1] + 1]
        at = low[:2] + (np.argwhere(np.ones_like(part)) + first + 0.5) * cell_m
        part |= in_outlines(outlines, at, np.full((len(at), 1), row)).reshape(part.shape)
    own = binary_dilation(own, iterations=math.ceil(BETWEEN_M / cell_m))
    return _Cells(low[:2], cell_m, own & ~shut)


def _risen(line: Floats, from_z: float, to_z: float) -> Floats:
    """Return a line (k, 2) with heights that rise evenly along it."""
    along = np.array([0.0, *itertools.accumulate(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    return np.column_stack([line, from_z + along / max(along[-1], 1e-9) * (to_z - from_z)])
