"""Compiled loops of the color descriptor: histograms of every segment in two passes over the image."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bytes, Floats, Floats32, Ints32
from commonground.compiled import compiled
from commonground.frame import Intrinsics

HUES, VALUES, GRAYS = 10, 2, 4
BINS = HUES * VALUES + GRAYS
"""Bins of one histogram: hue by brightness for colorful pixels, lightness for gray ones."""
LAYERS = 2
"""Histograms of a segment: its upper and its lower half."""


@compiled
def extents(
    masks: Ints32, up_u: float, up_v: float, low: Floats, high: Floats, area: Floats
) -> None:
    """Fill the range of each segment along the image direction (up_u, up_v), and its area."""
    rows, columns = masks.shape
    for y in range(rows):
        for x in range(columns):
            s = masks[y, x]
            if s <= 0:
                continue
            t = up_u * x + up_v * y
            low[s] = min(low[s], t)
            high[s] = max(high[s], t)
            area[s] += 1


@compiled
def _add_color(histogram: Floats32, red: float, green: float, blue: float) -> None:
    """Add one pixel, shared between neighboring bins so that small changes move little mass."""
    value = max(red, green, blue)
    chroma = value - min(red, green, blue)
    if chroma <= 0.0:
        hue = 0.0
    elif value == red:
        hue = ((green - blue) / chroma) % 6.0
    elif value == green:
        hue = (blue - red) / chroma + 2.0
    else:
        hue = (red - green) / chroma + 4.0
    # how colorful: relative chroma, but not in the dark, where it is noise
    colorful = min(1.0, max(0.0, (chroma / max(value, 24.0) - 0.08) / 0.22))
    place = hue / 6.0 * HUES
    first = int(place)
    share = place - first
    first, second = first % HUES, (first + 1) % HUES
    bright = min(1.0, max(0.0, (value / 255.0 - 0.35) / 0.3))
    for v in range(VALUES):
        mass = colorful * (bright if v else 1.0 - bright)
        histogram[v * HUES + first] += mass * (1.0 - share)
        histogram[v * HUES + second] += mass * share
    place = (red + green + blue) / 765.0 * (GRAYS - 1)
    first = min(int(place), GRAYS - 2)
    share = place - first
    histogram[HUES * VALUES + first] += (1.0 - colorful) * (1.0 - share)
    histogram[HUES * VALUES + first + 1] += (1.0 - colorful) * share


@compiled
def histograms(
    rgb: Bytes,
    masks: Ints32,
    up_u: float,
    up_v: float,
    low: Floats,
    high: Floats,
    strides: Ints32,
    out: Floats32,
) -> None:
    """Fill the histograms (k + 1, LAYERS, BINS) from every ``strides[s]``-th pixel of each segment."""
    rows, columns = masks.shape
    for y in range(rows):
        for x in range(columns):
            s = masks[y, x]
            if s <= 0 or x % strides[s] or y % strides[s]:
                continue
            t = (up_u * x + up_v * y - low[s]) / max(high[s] - low[s], 1.0)
            layer = 0 if t > 0.5 else 1
            _add_color(out[s, layer], float(rgb[y, x, 0]), float(rgb[y, x, 1]), float(rgb[y, x, 2]))


@compiled
def spans(
    masks: Ints32, depth: Floats32, count: int, intrinsics: Intrinsics, up: Floats, limits: Floats
) -> None:
    """Fill the lowest and highest extent (k + 1, 4) of each segment: across and up, in meters.

    ``up`` is the vertical in camera axes. Across is horizontal in the image.
    """
    rows, columns = masks.shape
    fx, fy, cx, cy = intrinsics
    for y in range(0, rows, 2):
        for x in range(0, columns, 2):
            s = masks[y, x]
            z = depth[y, x]
            if s <= 0 or s > count or not np.isfinite(z):
                continue
            a, b = (x - cx) / fx * z, (y - cy) / fy * z
            across = a * up[1] - b * up[0]
            height = a * up[0] + b * up[1] + z * up[2]
            limits[s, 0] = min(limits[s, 0], across)
            limits[s, 1] = max(limits[s, 1], across)
            limits[s, 2] = min(limits[s, 2], height)
            limits[s, 3] = max(limits[s, 3], height)
