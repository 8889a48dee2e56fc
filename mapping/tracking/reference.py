"""A reference image: planes where shape tells the pose, points where texture does."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints
from commonground.compiled import compiled
from commonground.frame import Intrinsics
from commonground.geometry import apply, rotate
from commonground.geometry.kernels import SURFACE_GATE, plane_around
from commonground.mapping.tracking._texture import strongest_gradients
from commonground.mapping.tracking.settings import TrackingSettings
from commonground.mapping.tracking.view import LEVELS, View

LEVEL_NORMAL = 0.9
"""Surfaces whose normals are this close to upright tell height and tilt only.

The noise of their many normals would look like a slope, and hold the robot back.
"""
LEVEL_POINTS, OTHER_POINTS = 200, 800
CELL_PX, MARGIN_PX = 8, 4
LEAST_GRADIENT = 3.0
"""Steps of 255 for each pixel; less is noise."""
LEAST = 12
"""Pixels that a plane needs among the 25 around."""
ROUGH = 3.0
"""A fit worse by this factor than the noise of depth is of no plane."""


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """Points of one image in the odometry frame as corrected."""

    T: Floats
    """(4, 4) the camera's corrected pose."""
    points: Floats
    """(n, 3) on surfaces."""
    normals: Floats
    """(n, 3)"""
    depths: Floats
    """(n,) of the points in their image."""
    marks: Floats
    """(m, 3) points with texture."""
    values: Floats
    """(LEVELS, m) brightness of the marks in the image and its smaller one."""

    @staticmethod
    def of(view: View, T: Floats, settings: TrackingSettings) -> Reference:
        """Choose points of a view seen from a pose."""
        planes = planes_of(view.inverse_m, view.intrinsics, view.noise)
        rows, columns = np.nonzero(planes[::2, ::2, 3] > 0)
        rows, columns = 2 * rows, 2 * columns
        upright = np.abs(planes[rows, columns, :3] @ T[2, :3]) > LEVEL_NORMAL
        picked = np.concatenate(
            [
                _thinned(np.flatnonzero(upright), LEVEL_POINTS),
                _thinned(np.flatnonzero(~upright), OTHER_POINTS),
            ]
        )
        rows, columns = rows[picked], columns[picked]
        normals = rotate(T, planes[rows, columns, :3].astype(float))
        level = np.abs(normals[:, 2]) > LEVEL_NORMAL
        normals[level] = np.sign(normals[level, 2:]) * np.array([0.0, 0.0, 1.0])
        depths = 1.0 / planes[rows, columns, 3].astype(float)
        h, w = view.inverse_m.shape
        free = np.zeros((h // CELL_PX + 1, w // CELL_PX + 1), np.bool_)
        usable = _within(np.ascontiguousarray(planes[..., 3]))
        i, j = strongest_gradients(
            view.pictures[0], usable, free, CELL_PX, MARGIN_PX, LEAST_GRADIENT
        ).T
        return Reference(
            T=T,
            points=apply(T, _rays(rows, columns, view.intrinsics) * depths[:, None]),
            normals=np.ascontiguousarray(normals),
            depths=depths,
            marks=apply(T, _rays(i, j, view.intrinsics) / planes[i, j, 3:].astype(float)),
            values=np.stack([_bilinear(view.pictures[k], i, j, 2.0**k) for k in range(LEVELS)]),
        )

    def moved(self, D: Floats) -> Reference:
        """Return it moved by a transform (4, 4) about the vertical."""
        return replace(
            self,
            T=D @ self.T,
            points=apply(D, self.points),
            normals=np.ascontiguousarray(rotate(D, self.normals)),
            marks=apply(D, self.marks),
        )


def _within(inverse_m: Floats32) -> Bools:
    """Return which pixels (h, w) lie within a surface: at its edge, what lies behind shines through."""
    import cv2

    around = np.ones((5, 5), np.uint8)
    low, high = cv2.erode(inverse_m, around), cv2.dilate(inverse_m, around)
    return np.asarray((low > 0) & (high - low <= SURFACE_GATE * high.astype(float)))


def _thinned(rows: Ints, most: int) -> Ints:
    return np.asarray(rows[:: max(1, -(-len(rows) // most))])


def _rays(rows: Ints, columns: Ints, intrinsics: Intrinsics) -> Floats:
    fx, fy, cx, cy = intrinsics
    return np.stack([(columns - cx) / fx, (rows - cy) / fy, np.ones(len(rows))], axis=1)


def _bilinear(picture: Any, rows: Ints, columns: Ints, shrink: float) -> Floats:
    """Return brightness (m,) at pixels of an image ``shrink`` times as large."""
    v, u = (rows + 0.5) / shrink - 0.5, (columns + 0.5) / shrink - 0.5
    i = np.clip(np.floor(v).astype(np.int64), 0, picture.shape[0] - 2)
    j = np.clip(np.floor(u).astype(np.int64), 0, picture.shape[1] - 2)
    s, t = u - j, v - i
    top = (1 - s) * picture[i, j] + s * picture[i, j + 1]
    bottom = (1 - s) * picture[i + 1, j] + s * picture[i + 1, j + 1]
    return np.asarray((1 - t) * top + t * bottom, np.float64)


# ---- compiled loops ----


@compiled
def planes_of(inverse_m: Floats32, intrinsics: Intrinsics, noise: float) -> Floats32:
    """Return (h, w, 4) the unit normal towards the camera and the inverse depth of each pixel's plane.

    All zero where there is none.
    """
    h, w = inverse_m.shape
    fx, fy, cx, cy = intrinsics
    out = np.zeros((h, w, 4), np.float32)
    for i in range(2, h - 2):
        for j in range(2, w - 2):
            if inverse_m[i, j] <= 0:
                continue
            n, offset, across, down, squares = plane_around(inverse_m, i, j, 1, LEAST)
            fitted = inverse_m[i, j] + offset
            if n == 0 or fitted <= 0 or squares > (n - 3) * (ROUGH * noise) ** 2:
                continue
            nx, ny = across * fx, down * fy
            nz = fitted - nx * (j - cx) / fx - ny * (i - cy) / fy
            size = math.sqrt(nx * nx + ny * ny + nz * nz)
            if size > 1e-9:
                out[i, j, 0], out[i, j, 1], out[i, j, 2] = -nx / size, -ny / size, -nz / size
                out[i, j, 3] = fitted
    return out
