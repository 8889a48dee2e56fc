"""Compiled prefilter of place pairs: the fullest yaw histogram of each, without refinement.

How far apart a place's objects are, and in which direction, is worked out once for each place.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.compiled import compiled
from commonground.localization.association._histogram import accumulate, span, vote
from commonground.localization.association._refine import best_first


@compiled(fastmath=True)
def polar(points: Floats, ends: Ints, starts: Ints) -> tuple[Floats32, Floats32]:
    """Return the distance and the bearing from each object of a place to each other one, seen from above.

    Place p holds points[ends[p]:ends[p + 1]]; its square table begins at starts[p].
    """
    distance = np.zeros(starts[-1], np.float32)
    bearing = np.zeros(starts[-1], np.float32)
    for p in range(len(starts) - 1):
        first, n = ends[p], ends[p + 1] - ends[p]
        for i in range(n):
            for j in range(n):
                x = points[first + j, 0] - points[first + i, 0]
                y = points[first + j, 1] - points[first + i, 1]
                cell = starts[p] + i * n + j
                distance[cell] = math.sqrt(x * x + y * y)
                bearing[cell] = math.atan2(y, x)
    return distance, bearing


class PlaceTables(NamedTuple):
    """The layouts of all places of a map: how far apart their objects are, and in which direction."""

    columns: Ints
    """(k,) rows of the map's objects, one place after the other."""
    heights: Floats
    """(k,) in their places' frames."""
    ends: Ints
    """(p + 1,) where each place begins in ``columns``."""
    starts: Ints
    """(p + 1,) where the square table of each place begins in the two below."""
    distances: Floats32
    """From each object of a place to each other one of it, from above."""
    bearings: Floats32


class Layout(NamedTuple):
    """The layout of one place of n objects."""

    heights: Floats
    """(n,)"""
    distances: Floats32
    """(n · n,)"""
    bearings: Floats32


class Pairs(NamedTuple):
    """Objects of two places whose appearance speaks for their being the same."""

    a: Ints
    b: Ints
    weight: Floats32
    """Log-likelihood ratios."""


class VoteSettings(NamedTuple):
    """How pairs of objects vote for a yaw."""

    least: float
    """Log-likelihood ratio of appearance from which a pair votes."""
    variance: float
    """Summed variance of positions along an axis, in m²."""
    bins: int
    """Of a full turn."""
    most_pairs: int


@compiled(fastmath=True)
def list_alike(
    appearance: Floats32, columns: Ints, first: int, last: int, least: float, pairs: Pairs
) -> int:
    """List the pairs with a place whose appearance speaks for them; return how many.

    If there are more than room, only the more telling ones are listed.
    """
    a, b, weight = pairs
    used, bar = len(a) + 1, least
    while used > len(a):
        used = 0
        for i in range(len(appearance)):
            for j in range(first, last):
                value = appearance[i, columns[j]]
                if value > bar:
                    if used < len(a):
                        a[used], b[used], weight[used] = i, j - first, value
                    used += 1
        bar += 1.0
    return used


@compiled(fastmath=True)
def count_votes(
    used: int,
    pairs: Pairs,
    one: Layout,
    two: Layout,
    variance: float,
    histograms: Floats32,
    bounds: Floats,
) -> None:
    """Let every two associations that fit vote for the yaw they imply, each in the other's histogram.

    ``bounds`` become the most that each one's histogram can reach.
    """
    a, b, weight = pairs
    heights1, distance1, bearing1 = one
    heights2, distance2, bearing2 = two
    bins = histograms.shape[1] - 1
    reach, gate = math.sqrt(5.0 * variance), 25.0 * variance
    hits = np.empty(used, np.int64)
    n1, n2 = len(heights1), len(heights2)
    histograms[:used] = 0.0
    for k in range(used):
        bounds[k] = weight[k]
    for k in range(used):
        row1, row2, found = a[k] * n1, b[k] * n2, 0
        for m in range(k + 1, used):
            hits[found] = m  # written always, kept only if it counts: no branch to mispredict
            gap = distance1[row1 + a[m]] - distance2[row2 + b[m]]
            found += (gap * gap < gate) & (a[m] != a[k]) & (b[m] != b[k])
        for h in range(found):
            m = hits[h]
            d1 = distance1[row1 + a[m]]
            rise = (heights1[a[m]] - heights1[a[k]]) - (heights2[b[m]] - heights2[b[k]])
            if d1 <= reach or rise * rise >= gate + 0.001 * d1 * d1:
                continue
            yaw = bearing2[row2 + b[m]] - bearing1[row1 + a[m]] + math.pi
            if yaw < 0.0:
                yaw += 2.0 * math.pi
            elif yaw > 2.0 * math.pi:
                yaw -= 2.0 * math.pi
            low, high = span(yaw, reach / d1, bins)
            vote(histograms, k, low, high, weight[m])
            vote(histograms, m, low, high, weight[k])
            bounds[k] += weight[m]
            bounds[m] += weight[k]


@compiled(fastmath=True)
def prefilter(
    appearance: Floats32,
    points1: Floats,
    tables: PlaceTables,
    wanted: Ints,
    how: VoteSettings,
    most: int,
) -> Floats:
    """Return the most votes for a yaw of a place against each wanted one, exact for the ``most`` best.

    ``appearance`` (k, n) are log-likelihood ratios between the k objects of the place and all n of the
    other map.
    """
    n1, room = len(points1), how.most_pairs
    distance1, bearing1 = polar(points1, np.array([0, n1]), np.array([0, n1 * n1]))
    one = Layout(points1[:, 2].copy(), distance1, bearing1)
    best, top = np.zeros(len(wanted)), np.zeros(most)
    pairs = Pairs(np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.float32))
    bounds = np.empty(room)
    histograms = np.empty((room, how.bins + 1), np.float32)
    for w in range(len(wanted)):
        first, last = tables.ends[wanted[w]], tables.ends[wanted[w] + 1]
        used = list_alike(appearance, tables.columns, first, last, how.least, pairs)
        cells = slice(tables.starts[wanted[w]], tables.starts[wanted[w] + 1])
        two = Layout(tables.heights[first:last], tables.distances[cells], tables.bearings[cells])
        count_votes(used, pairs, one, two, how.variance, histograms, bounds)
        for k in best_first(bounds[:used]):
            if bounds[k] <= best[w] or bounds[k] <= top[most - 1]:
                break  # neither this one nor those after it can be the fullest of a place worth telling
            fullest = accumulate(histograms, k, how.bins)
            best[w] = max(best[w], histograms[k, fullest] + pairs.weight[k])
        slot = most - 1
        while slot >= 0 and top[slot] < best[w]:
            if slot < most - 1:
                top[slot + 1] = top[slot]
            top[slot] = best[w]
            slot -= 1
    return best
