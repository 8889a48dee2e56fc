"""Outlines of nodes on the ground, and how far they are apart: between their nearest points.

A fence is as near as its nearest end, and a flag on a pole no farther than the pole. Heights do not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import from_quat_wxyz
from commonground.scene.layer import Boxes


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """Rectangles on the ground, a row a node; one without a box is a point."""

    centers: Floats
    """(n, 2)"""
    halves: Floats
    """(n, 2) half the lengths along their own axes."""
    axes: Floats
    """(n, 2, 2) unit vectors of their long and cross sides, each a row."""

    @staticmethod
    def of(positions: Floats, boxes: Boxes | None = None) -> Outlines:
        """Return the outlines of boxes where there are any, else the points (n, 3) as they are."""
        n = len(positions)
        out = Outlines(
            np.array(positions[:, :2], float), np.zeros((n, 2)), np.tile(np.eye(2), (n, 1, 1))
        )
        has = np.zeros(n, bool) if boxes is None else boxes.valid
        if boxes is None or not has.any():
            return out
        there = boxes.take(has)
        along = from_quat_wxyz(there.quat_wxyz)[:, :2, 0]
        length = np.linalg.norm(along, axis=1, keepdims=True)
        along = np.where(length > 1e-6, along / np.maximum(length, 1e-6), [1.0, 0.0])
        axes = np.stack([along, along[:, ::-1] * [-1.0, 1.0]], axis=1)
        corners = there.corners()[..., :2] @ np.swapaxes(axes, 1, 2)
        low, high = corners.min(axis=1), corners.max(axis=1)
        middle = (low + high) / 2
        out.axes[has] = axes
        out.halves[has] = (high - low) / 2
        out.centers[has] = (middle[:, None] @ axes)[:, 0]
        return out

    def __len__(self) -> int:
        return len(self.centers)

    def take(self, rows: Any) -> Outlines:
        return Outlines(self.centers[rows], self.halves[rows], self.axes[rows])

    def corners(self) -> Floats:
        """Return the corners (n, 4, 2)."""
        signs = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
        return self.centers[:, None] + (signs * self.halves[:, None]) @ self.axes

    def to_points(self, points: Floats) -> Floats:
        """Return the meters (n, m) from each outline to points (m, 2) or (n, m, 2); 0 inside."""
        local = (points - self.centers[:, None]) @ np.swapaxes(self.axes, 1, 2)
        outside = np.maximum(np.abs(local) - self.halves[:, None], 0.0)
        return np.asarray(np.linalg.norm(outside, axis=-1))

    def to_one(self, one: Outlines) -> Floats:
        """Return the meters (n,) from each outline to the only one of another; 0 where they meet."""
        mine, other = self.corners(), one.corners()
        there = one.to_points(mine.reshape(1, -1, 2)).reshape(-1, 4)
        meters = np.minimum(self.to_points(other[0]).min(axis=1), there.min(axis=1))
        return np.where(self._meets(mine, other[0], one), 0.0, meters)

    def _meets(self, mine: Floats, other: Floats, one: Outlines) -> Any:
        """Return which (n,) no line along a side keeps from the other, whose corners are (4, 2)."""
        sides = np.concatenate([self.axes, np.tile(one.axes, (len(self), 1, 1))], axis=1)
        here = mine @ np.swapaxes(sides, 1, 2)
        there = other @ np.swapaxes(sides, 1, 2)
        apart = (here.max(axis=1) < there.min(axis=1)) | (there.max(axis=1) < here.min(axis=1))
        return ~apart.any(axis=1)

    def nearest_to(self, point: Floats) -> Floats:
        """Return the point (n, 2) of each outline that is nearest to a point (2,)."""
        local = ((point - self.centers)[:, None] @ np.swapaxes(self.axes, 1, 2))[:, 0]
        inside = np.clip(local, -self.halves, self.halves)
        return np.asarray(self.centers + (inside[:, None] @ self.axes)[:, 0])
