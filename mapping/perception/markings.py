"""Flat things on surfaces, which only their color tells: a magazine on a table, a poster on a wall.

The surface's own color changes slowly across it. What is cut off from the large even regions of a surface by
edges of color, has the size of a thing and fills its outline, lies on it or hangs there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Bytes, Floats, Floats32, Ints32

BLUR_PX, EDGE = 1.0, 7.0
"""Of a reduced image: what is smoothed first, and the change of color from pixel to pixel that is an edge."""
EVEN_SHARE = 0.12
"""An even region with this share of its surface, or more, is the surface itself."""
MARGIN_PX, BORDER_PX = 3, 4
"""Edges are so wide, and next to what is in front of a surface its color is not to be trusted."""
ALIKE, ALIKE_SHARE = 9.0, 0.3
"""So are even regions of about one color that have this share together, as tiles do."""
WITHIN = 0.5
"""Share of what is right around a flat thing that is its surface."""
APART = 14.0
"""Color by which a thing differs from what is around it."""


class Sizes(NamedTuple):
    """What the size of a flat thing may be."""

    least_m2: float
    most_m2: float
    least_m: float
    """Of its shorter side."""
    fill: float
    """Share of its outline, as a rectangle, that it covers at least."""


def flat_things(
    rgb: Bytes, surfaces: Ints32, points: Floats32, pixel_m2: Floats, sizes: Sizes
) -> Ints32:
    """Return the label image (h, w) of flat things, 1 … k, on the ``surfaces`` (h, w), of which 0 is none.

    ``points`` (h, w, 3) are where the pixels lie, ``pixel_m2`` (h, w) how large each is there.
    """
    from scipy import ndimage

    color = _opponent(rgb)
    color = np.stack([ndimage.gaussian_filter(c, BLUR_PX) for c in color])
    inside = surfaces > 0
    same: Bools = ndimage.minimum_filter(surfaces, 3) == ndimage.maximum_filter(surfaces, 3)
    even = inside & same & (_steepness(color) < EDGE)
    regions, count = ndimage.label(even)
    large = _surface_itself(regions, count, surfaces, color)
    ground = ndimage.binary_dilation(large[regions], iterations=MARGIN_PX)
    trusted = ndimage.binary_erosion(inside, iterations=BORDER_PX, border_value=0)
    # lines are no things
    rest, _ = ndimage.label(ndimage.binary_opening(trusted & ~ground))
    out = np.zeros(surfaces.shape, np.int32)
    k = 0
    for number, box in enumerate(ndimage.find_objects(rest), start=1):
        if box is None:
            continue
        box = tuple(slice(max(0, s.start - 2 * MARGIN_PX), s.stop + 2 * MARGIN_PX) for s in box)
        if pixel_m2[box].sum() < sizes.least_m2:
            continue
        core = rest[box] == number
        mask = ndimage.binary_dilation(core, iterations=MARGIN_PX - 1) & inside[box]
        ring = ndimage.binary_dilation(mask, iterations=MARGIN_PX) & ~mask
        around = ring & ground[box] & inside[box]
        if around.sum() < WITHIN * ring.sum():
            continue
        if not _is_thing(mask, points[box], pixel_m2[box], sizes):
            continue
        inner = color[(slice(None), *box)][:, core].mean(axis=1)
        outer = color[(slice(None), *box)][:, around].mean(axis=1)
        if np.linalg.norm(inner - outer) < APART:
            continue
        k += 1
        out[box][mask & (out[box] == 0)] = k
    return out


def _surface_itself(regions: Ints32, count: int, surfaces: Ints32, color: Floats32) -> Bools:
    """Return which even regions (count + 1,) are the surface they lie on."""
    label = regions.ravel()
    size = np.bincount(label, minlength=count + 1)
    total = np.stack([np.bincount(label, c.ravel(), count + 1) for c in color], axis=1)
    mean = total / np.maximum(size, 1)[:, None]
    of = np.zeros(count + 1, np.int64)
    of[label] = surfaces.ravel()
    whole = np.bincount(surfaces.ravel())
    large = size >= EVEN_SHARE * whole[of]
    sizeable = size >= 8
    for surface in np.unique(of[sizeable]):
        rows = np.flatnonzero(sizeable & (of == surface))
        gap = np.linalg.norm(mean[rows, None] - mean[None, rows], axis=2)
        alike = (gap < ALIKE) @ size[rows]
        large[rows] |= alike >= ALIKE_SHARE * whole[surface]
    large[0] = False
    return large


def _is_thing(mask: Bools, points: Floats32, pixel_m2: Floats, sizes: Sizes) -> bool:
    area = float(np.nansum(pixel_m2[mask]))
    if not sizes.least_m2 <= area <= sizes.most_m2:
        return False
    p = points[mask]
    p = p[np.isfinite(p).all(axis=1)]
    if len(p) < 12:
        return False
    p = p - p.mean(axis=0)
    _, axes = np.linalg.eigh(p.T @ p)
    long, wide = (np.ptp(np.quantile(p @ axes[:, i], [0.02, 0.98])) for i in (2, 1))
    return bool(wide >= sizes.least_m and area >= sizes.fill * long * wide)


def _opponent(rgb: Bytes) -> Floats32:
    """Return brightness and two opponent colors (3, h, w), about as different as they look."""
    r, g, b = np.moveaxis(rgb.astype(np.float32), -1, 0)
    return np.stack([(r + g + b) / 3, r - g, 0.5 * (r + g) - b])


def _steepness(color: Floats32) -> Floats32:
    """Return how much color changes per pixel (h, w)."""
    dy, dx = color[:, 2:, :] - color[:, :-2, :], color[:, :, 2:] - color[:, :, :-2]
    out = np.zeros(color.shape[1:], np.float32)
    out[1:-1] = (dy**2).sum(axis=0)
    out[:, 1:-1] += (dx**2).sum(axis=0)
    return np.asarray(0.5 * np.sqrt(out), np.float32)
