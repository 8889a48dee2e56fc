"""Compiled prefilter of place pairs: the fullest yaw histogram of each, without refinement.

How far apart a place's objects are, and in which direction, is worked out once for each place.
"""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.compiled import compiled
from commonground.localization.association._refine import sort_best_first
from commonground.localization.association._votes import accumulate, span, vote


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


@compiled(fastmath=True)
def list_alike(
    appearance: Floats32,
    columns: Ints,
    first: int,
    last: int,
    least: float,
    a: Ints,
    b: Ints,
    weight: Floats32,
) -> int:
    """List the associations with a place whose appearance speaks for them; return how many.

    If there are more than room, only the more telling ones are listed.
    """
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
    a: Ints,
    b: Ints,
    weight: Floats32,
    heights1: Floats,
    heights2: Floats,
    distance1: Floats32,
    bearing1: Floats32,
    distance2: Floats32,
    bearing2: Floats32,
    variance: float,
    histograms: Floats32,
    bounds: Floats,
) -> None:
    """Let every two associations that fit vote for the yaw they imply, each in the other's histogram.

    ``bounds`` become the most that each one's histogram can reach. The tables are square, in rows.
    """
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
    columns: Ints,
    heights2: Floats,
    ends: Ints,
    starts: Ints,
    distances: Floats32,
    bearings: Floats32,
    wanted: Ints,
    least: float,
    variance: float,
    bins: int,
    room: int,
    most: int,
) -> Floats:
    """Return the most votes for a yaw of a place against each wanted one, exact for the ``most`` best.

    ``appearance`` (k, n) are log-likelihood ratios between the k objects of the place and all n of the other
    map; ``columns`` and ``heights2`` list the objects of all its places, ``ends`` (p + 1,) where each begins,
    ``distances`` and ``bearings`` are the tables of ``polar``, from ``starts`` on.
    """
    n1 = len(points1)
    distance1, bearing1 = polar(points1, np.array([0, n1]), np.array([0, n1 * n1]))
    heights1 = points1[:, 2].copy()
    best, top = np.zeros(len(wanted)), np.zeros(most)
    a, b = np.empty(room, np.int64), np.empty(room, np.int64)
    weight, bounds = np.empty(room, np.float32), np.empty(room)
    order = np.empty(room, np.int64)
    histograms = np.empty((room, bins + 1), np.float32)
    for w in range(len(wanted)):
        first, last = ends[wanted[w]], ends[wanted[w] + 1]
        used = list_alike(appearance, columns, first, last, least, a, b, weight)
        table = slice(starts[wanted[w]], starts[wanted[w] + 1])
        count_votes(
            used,
            a,
            b,
            weight,
            heights1,
            heights2[first:last],
            distance1,
            bearing1,
            distances[table],
            bearings[table],
            variance,
            histograms,
            bounds,
        )
        sort_best_first(bounds, order, used)
        for h in range(used):
            k = order[h]
            if bounds[k] <= best[w] or bounds[k] <= top[most - 1]:
                break  # neither this one nor those after it can be the fullest of a place worth telling
            fullest = accumulate(histograms, k, bins)
            best[w] = max(best[w], histograms[k, fullest] + weight[k])
        slot = most - 1
        while slot >= 0 and top[slot] < best[w]:
            if slot < most - 1:
                top[slot + 1] = top[slot]
            top[slot] = best[w]
            slot -= 1
    return best
