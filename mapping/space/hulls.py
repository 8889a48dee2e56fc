"""Convex hulls of groups of ground cells, in exact integer arithmetic."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Ints, Ints32
from commonground.compiled import compiled


@compiled
def hulls(place: Ints32, starts: Ints) -> tuple[Ints, Ints, Floats]:
    """Return the hulls of groups of unit cells: corners (m, 2), starts (k + 1,) and areas (k,) in cells.

    Group i is ``place[starts[i]:starts[i + 1]]`` (n, 2), sorted by x; cell (x, y) spans x … x + 1, y … y + 1.
    Andrew's monotone chain; corners are counter-clockwise.
    """
    k = len(starts) - 1
    out = np.empty((4 * len(place) + 4, 2), np.int64)
    ends, areas = np.zeros(k + 1, np.int64), np.zeros(k)
    n = 0
    for g in range(k):
        corners = column_ends(place[starts[g] : starts[g + 1]])
        first = n
        for turn in range(2):
            base = n
            for a in range(len(corners)):
                p = corners[a] if turn == 0 else corners[len(corners) - 1 - a]
                while n - base >= 2:
                    ux, uy = out[n - 1, 0] - out[n - 2, 0], out[n - 1, 1] - out[n - 2, 1]
                    if ux * (p[1] - out[n - 1, 1]) - uy * (p[0] - out[n - 1, 0]) > 0:
                        break
                    n -= 1
                out[n, 0], out[n, 1] = p[0], p[1]
                n += 1
            n -= 1
        for a in range(first, n):
            b = a + 1 if a + 1 < n else first
            areas[g] += 0.5 * (out[a, 0] * out[b, 1] - out[b, 0] * out[a, 1])
        ends[g + 1] = n
    return out[:n].copy(), ends, areas


@compiled
def column_ends(place: Ints32) -> Ints:
    """Return the corners that may lie on the hull, sorted by x, then y, of cells sorted by x."""
    first, last = place[0, 0], place[-1, 0]
    low = np.full(last - first + 2, np.int64(1) << 40)
    high = np.full(last - first + 2, -(np.int64(1) << 40))
    for i in range(len(place)):
        for x in range(place[i, 0] - first, place[i, 0] - first + 2):
            low[x] = min(low[x], place[i, 1])
            high[x] = max(high[x], place[i, 1] + 1)
    out = np.empty((2 * len(low), 2), np.int64)
    n = 0
    for x in range(len(low)):
        if low[x] <= high[x]:
            out[n, 0], out[n, 1] = x + first, low[x]
            out[n + 1, 0], out[n + 1, 1] = x + first, high[x]
            n += 2
    return out[:n]
