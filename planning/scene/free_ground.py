"""The ground on which a robot may fit, and which of it hangs together: for proofs that there is no way.

Ways are looked for over places and bends at corners. That none is found says nothing; that two places lie on
free ground that nowhere meets does. The ground is laid out in cells, each free unless every point of it is
too near to the rim, so that whatever way there is leads from cell to neighboring cell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.planning.scene.outlines import in_outlines
from commonground.planning.scene.rim import LEVEL_M, OUTLINE_M
from commonground.planning.scene.widths import ROUNDING_M, Widths, widths_of
from commonground.scene import Layer

FINEST_M = 0.01
MOST_CELLS = 1_500_000
"""Of large maps the cells are larger, and less is proven."""
LEAST_M = 0.05
"""Points of the rim are too far apart to shut anything off from narrower robots."""


@dataclass(frozen=True, eq=False)
class FreeGround:
    """Cells on which a robot may fit, numbered by the part of the ground that they hang together in."""

    layer: Layer
    low: Floats
    """(2,) the lower corner of the first cell."""
    cell_m: float
    part: Ints
    """(nx, ny) 0 for cells on which it surely does not fit."""
    _of_place: dict[int, tuple[frozenset[int], frozenset[int]]] = field(default_factory=dict)

    def at_place(self, row: int) -> frozenset[int]:
        """Return the parts of the ground in which a place is the nearest one: a robot is at it."""
        return self._of(row)[0]

    def over_place(self, row: int) -> frozenset[int]:
        """Return those and the parts within its outline: a robot may pass over it."""
        return self._of(row)[1]

    def of_start(self, point: Floats) -> frozenset[int]:
        """Return the parts in which a robot may go on from where it stands: from a narrow spot, any."""
        _, parts = self._cells(point[:2], point[:2])
        own = frozenset(parts[:1].tolist()) - {0}
        return own or frozenset(range(1, int(self.part.max()) + 1))

    def around(self, point: Floats, reach_m: float) -> frozenset[int]:
        """Return the parts of the ground that come so near to a point."""
        at, parts = self._cells(point[:2] - reach_m, point[:2] + reach_m)
        near = np.linalg.norm(at - point[:2], axis=1) <= reach_m + self.cell_m
        return frozenset(parts[near & (parts > 0)].tolist())

    def _of(self, row: int) -> tuple[frozenset[int], frozenset[int]]:
        if row not in self._of_place:
            self._of_place[row] = self._found_at(row)
        return self._of_place[row]

    def _found_at(self, row: int) -> tuple[frozenset[int], frozenset[int]]:
        outlines, linked = self.layer.boundaries, self.layer.edges.rows.astype(np.int64)
        if outlines is None or len(outlines[row]) < 3:
            return frozenset(), frozenset()
        beside = linked[(linked == row).any(axis=1)].ravel().tolist()
        known = [outlines[k][:, :2] for k in {row, *beside} if len(outlines[k]) >= 3]
        corners = np.vstack(known)
        at, parts = self._cells(corners.min(axis=0), corners.max(axis=0))
        at, parts = at[parts > 0], parts[parts > 0]
        if len(at) == 0:
            return frozenset(), frozenset()
        widths = widths_of(self.layer)
        points = np.pad(at, ((0, 0), (0, 1)), constant_values=self.layer.positions[row, 2])
        nearest = widths.tree.query(points)[1] == row
        nearest[nearest] = widths.inside(points[nearest])
        over = nearest | in_outlines(outlines, at, np.full((len(at), 1), row))[:, 0]
        return frozenset(parts[nearest].tolist()), frozenset(parts[over].tolist())

    def _cells(self, low: Floats, high: Floats) -> tuple[Floats, Ints]:
        """Return the middles (m, 2) of the cells in a rectangle, and their parts (m,)."""
        first = np.maximum(((low - self.low) / self.cell_m).astype(int), 0)
        last = np.minimum(((high - self.low) / self.cell_m).astype(int) + 1, self.part.shape)
        x, y = (np.arange(first[k], max(last[k], first[k])) for k in (0, 1))
        grid = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
        return self.low + (grid + 0.5) * self.cell_m, self.part[grid[:, 0], grid[:, 1]]


@lru_cache(maxsize=16)
def free_ground(layer: Layer, radius_m: float) -> FreeGround | None:
    """Return the ground on which a robot may fit; None where outlines do not tell, or on several floors."""
    from scipy.ndimage import label

    from commonground.planning.scene._free_ground_kernels import shut_around

    widths = widths_of(layer)
    if widths.rim is None or layer.boundaries is None:
        return None
    points = np.ascontiguousarray(widths.rim.points)
    known = np.vstack([points[:, :2], layer.boundaries.points[:, :2]])
    low, extent = known.min(axis=0), np.ptp(known, axis=0)
    cell_m = max(FINEST_M, math.sqrt(float((extent + 0.1).prod()) / MOST_CELLS))
    within_m = _surely_shut_m(widths, points, radius_m) - cell_m * math.sqrt(0.5)
    if within_m < LEAST_M:
        return None
    shut = np.zeros((extent / cell_m).astype(int) + 1, bool)
    shut_around(points, low, cell_m, within_m, shut)
    part = label(~shut, structure=np.ones((3, 3)))[0]
    return FreeGround(layer, low, cell_m, np.asarray(part, np.int64))


def _surely_shut_m(widths: Widths, rim: Floats, radius_m: float) -> float:
    """Return meters from points of the rim within which a robot stands nowhere, whatever its height."""
    heights = np.r_[rim[:, 2], widths.positions[widths.outlined, 2]]
    rise_m = float(np.ptp(heights))
    near_m = radius_m - ROUNDING_M - OUTLINE_M
    return math.sqrt(near_m**2 - rise_m**2) if rise_m < min(LEVEL_M, near_m) else 0.0
