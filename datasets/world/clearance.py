"""Obstacles: discs of things, lanes to keep free, obstacles; looked up by place."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Floats
from commonground.datasets.world.roads import segment_distance

CELL_M = 16.0
Rect = tuple[float, float, float, float]
"""x0, y0, x1, y1"""


class Clearance:
    """Remembers shapes on the ground in squares, so that a question looks only at those nearby."""

    def __init__(self) -> None:
        self._discs: dict[tuple[int, int], list[tuple[float, float, float]]] = defaultdict(list)
        self._lanes: dict[tuple[int, int], list[tuple[float, ...]]] = defaultdict(list)
        self._rects: dict[tuple[int, int], list[Rect]] = defaultdict(list)

    def add_discs(self, discs: Floats) -> None:
        """Add discs (k, 3) of x, y, radius."""
        for x, y, r in discs.tolist():
            for cell in _cells(x - r, y - r, x + r, y + r):
                self._discs[cell].append((x, y, r))

    def add_lane(self, a: Floats, b: Floats, width: float) -> None:
        """Add a strip around the segment a–b."""
        (x0, y0), (x1, y1) = np.minimum(a, b) - width / 2, np.maximum(a, b) + width / 2
        for cell in _cells(x0, y0, x1, y1):
            self._lanes[cell].append((*a.tolist(), *b.tolist(), width))

    def add_obstacle(self, rect: Rect) -> None:
        for cell in _cells(*rect):
            self._rects[cell].append(rect)

    def free(self, discs: Floats, room: float) -> bool:
        """Return whether discs (k, 3), widened by ``room``, touch nothing."""
        p, r = discs[:, :2], discs[:, 2] + room
        low, high = (p - r[:, None]).min(axis=0), (p + r[:, None]).max(axis=0)
        cells = _cells(*low, *high)
        others = np.array([d for cell in cells for d in self._discs.get(cell, ())]).reshape(-1, 3)
        gap = np.linalg.norm(p[:, None] - others[None, :, :2], axis=-1)
        if (gap < r[:, None] + others[None, :, 2]).any():
            return False
        for rect in {rect for cell in cells for rect in self._rects.get(cell, ())}:
            inside = (p > np.array(rect[:2]) - r[:, None]) & (p < np.array(rect[2:]) + r[:, None])
            if inside.all(axis=1).any():
                return False
        lanes = np.array([n for cell in cells for n in self._lanes.get(cell, ())]).reshape(-1, 5)
        away = segment_distance(p, lanes[:, :2], lanes[:, 2:4])
        return not (away < r[:, None] + lanes[:, 4] / 2).any()

    def lane_distance(self, p: ArrayLike) -> float:
        """Return the meters from a point to the nearest lane; the cell size where none is near."""
        x, y = np.asarray(p, float)
        cells = _cells(x - CELL_M, y - CELL_M, x + CELL_M, y + CELL_M)
        lanes = np.array([n for cell in cells for n in self._lanes.get(cell, ())]).reshape(-1, 5)
        away = segment_distance([[x, y]], lanes[:, :2], lanes[:, 2:4])
        return float(min(away.min(initial=CELL_M), CELL_M))


def _cells(x0: float, y0: float, x1: float, y1: float) -> list[tuple[int, int]]:
    i0, j0, i1, j1 = (int(v // CELL_M) for v in (x0, y0, x1, y1))
    return [(i, j) for i in range(i0, i1 + 1) for j in range(j0, j1 + 1)]
