"""Uneven ground: a triangulated height field under two fine rasters, of surface classes and of regions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Bools, Bytes, Floats, Ints, Ints32
from commonground.datasets.labels import NUMBER
from commonground.datasets.world.shapes import PLAIN, Shape, mesh

NO_PAINT, WHITE, YELLOW = range(3)
NO_REGION = -1


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Heights on a coarse grid, classes and regions on a fine one; both start at ``origin``."""

    origin: Floats
    """(2,) the corner with the lowest x and y."""
    step_m: float
    heights: Floats
    """(nx, ny) at the grid's corners; each square is two triangles, split from low x and y to high."""
    cell_m: float
    surface: Bytes
    """(mx, my) class number of each cell; 0 where nobody can drive."""
    paint: Bytes
    """(mx, my) road markings."""
    region: Ints32
    """(mx, my) row of the region, NO_REGION for none."""

    @property
    def extent(self) -> Floats:
        """The edge lengths (2,) in meters."""
        return (np.asarray(self.heights.shape) - 1) * self.step_m

    def height(self, xy: ArrayLike) -> Floats:
        """Return z (n,) of the triangles under points (n, 2); points outside take the nearest edge's."""
        g = (np.asarray(xy, float).reshape(-1, 2) - self.origin) / self.step_m
        g = np.clip(g, 0, np.asarray(self.heights.shape) - 1 - 1e-9)
        i, j = g.astype(int).T
        u, v = (g - np.floor(g)).T
        h = self.heights
        low, x, y, high = h[i, j], h[i + 1, j], h[i, j + 1], h[i + 1, j + 1]
        below = low + u * (x - low) + v * (high - x)
        above = low + v * (y - low) + u * (high - y)
        return np.asarray(np.where(u >= v, below, above))

    def normal(self, xy: ArrayLike, span_m: float = 0.5) -> Floats:
        """Return the upward unit normals (n, 3), averaged over a footprint of ``span_m``."""
        p = np.asarray(xy, float).reshape(-1, 2)
        dx, dy = np.array([span_m / 2, 0]), np.array([0, span_m / 2])
        slope_x = (self.height(p + dx) - self.height(p - dx)) / span_m
        slope_y = (self.height(p + dy) - self.height(p - dy)) / span_m
        n = np.stack([-slope_x, -slope_y, np.ones(len(p))], axis=1)
        return np.asarray(n / np.linalg.norm(n, axis=1, keepdims=True))

    def cells(self, xy: ArrayLike) -> Ints:
        """Return the fine cells (n, 2) of points (n, 2), clipped to the raster."""
        c = np.floor((np.asarray(xy, float).reshape(-1, 2) - self.origin) / self.cell_m)
        return np.clip(c.astype(np.int64), 0, np.asarray(self.surface.shape) - 1)

    def surface_at(self, xy: ArrayLike) -> Bytes:
        """Return the class numbers (n,) under points (n, 2)."""
        i, j = self.cells(xy).T
        return np.asarray(self.surface[i, j])

    def region_at(self, xy: ArrayLike) -> Ints32:
        """Return the region rows (n,) under points (n, 2)."""
        i, j = self.cells(xy).T
        return np.asarray(self.region[i, j])

    def shape(self) -> Shape:
        """Return the triangles, in world coordinates."""
        nx, ny = self.heights.shape
        x = self.origin[0] + self.step_m * np.arange(nx)
        y = self.origin[1] + self.step_m * np.arange(ny)
        X, Y = np.meshgrid(x, y, indexing="ij")
        vertices = np.stack([X, Y, self.heights], axis=-1).reshape(-1, 3)
        k = (np.arange(nx - 1)[:, None] * ny + np.arange(ny - 1)).ravel()
        faces = np.concatenate(
            [np.stack([k, k + ny, k + ny + 1], 1), np.stack([k, k + ny + 1, k + 1], 1)]
        )
        return mesh(vertices, faces, (128, 128, 128), PLAIN)


class Canvas:
    """Draws classes and regions on the fine raster of a rectangular site."""

    def __init__(self, size: tuple[float, float], base: str, cell_m: float) -> None:
        shape = (round(size[0] / cell_m), round(size[1] / cell_m))
        self.size, self.cell_m = size, cell_m
        self.surface = np.full(shape, NUMBER[base], np.uint8)
        self.paint = np.zeros(shape, np.uint8)
        self.region = np.full(shape, NO_REGION, np.int32)

    def _window(self, low: ArrayLike, high: ArrayLike) -> tuple[slice, slice]:
        a = np.clip(np.rint(np.asarray(low) / self.cell_m), 0, self.surface.shape).astype(int)
        b = np.clip(np.rint(np.asarray(high) / self.cell_m), 0, self.surface.shape).astype(int)
        return slice(a[0], b[0]), slice(a[1], b[1])

    def rectangle(
        self,
        rect: ArrayLike,
        surface: str | None = None,
        region: int | None = None,
        paint: int | None = None,
    ) -> None:
        """Fill the rectangle x0, y0, x1, y1."""
        r = np.asarray(rect, float)
        self._fill(self._window(r[:2], r[2:]), None, surface, region, paint)

    def strip(
        self,
        start: ArrayLike,
        end: ArrayLike,
        width: float,
        surface: str | None = None,
        region: int | None = None,
        paint: int | None = None,
    ) -> None:
        """Fill the band of a width around the segment between two points, with round ends."""
        a, b = np.asarray(start, float), np.asarray(end, float)
        window = self._window(np.minimum(a, b) - width, np.maximum(a, b) + width)
        near = self._distance(window, a, b) <= width / 2
        self._fill(window, near, surface, region, paint)

    def disc(
        self, center: ArrayLike, radius: float, surface: str, region: int | None = None
    ) -> None:
        self.strip(center, center, 2 * radius, surface, region)

    def _distance(self, window: tuple[slice, slice], a: Floats, b: Floats) -> Floats:
        x = (np.arange(window[0].start, window[0].stop) + 0.5)[:, None] * self.cell_m
        y = (np.arange(window[1].start, window[1].stop) + 0.5)[None, :] * self.cell_m
        d = b - a
        t = ((x - a[0]) * d[0] + (y - a[1]) * d[1]) / max(float(d @ d), 1e-12)
        t = np.clip(t, 0, 1)
        return np.asarray(np.hypot(x - a[0] - t * d[0], y - a[1] - t * d[1]))

    def _fill(
        self,
        window: tuple[slice, slice],
        mask: Bools | None,
        surface: str | None,
        region: int | None,
        paint: int | None,
    ) -> None:
        where = (Ellipsis if mask is None else mask,)
        if surface is not None:
            self.surface[window][where] = NUMBER[surface] if surface else 0
            self.paint[window][where] = NO_PAINT
        if region is not None:
            self.region[window][where] = region
        if paint is not None:
            self.paint[window][where] = paint


def rolling_heights(
    shape: tuple[int, int], step_m: float, relief_m: float, rng: np.random.Generator
) -> Floats:
    """Return a smooth height field whose standard deviation is ``relief_m``, with swells some 30 m apart."""
    from scipy.ndimage import gaussian_filter

    noise = rng.standard_normal(shape)
    swells = gaussian_filter(noise, 18 / step_m, mode="reflect")
    humps = gaussian_filter(rng.standard_normal(shape), 4 / step_m, mode="reflect")
    field = swells / max(float(swells.std()), 1e-9) + 0.06 * humps / max(float(humps.std()), 1e-9)
    return np.asarray(relief_m * (field - field.min()))
