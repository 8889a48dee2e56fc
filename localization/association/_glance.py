"""Compiled first look at many pairs of places: the best poll of each, without anything else."""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.localization.association._compiled import compiled
from commonground.localization.association._polls import settle, vote


@compiled
def alike(
    looks: Floats32,
    columns: Ints,
    first: int,
    last: int,
    least: float,
    a: Ints,
    b: Ints,
    weight: Floats32,
) -> int:
    """List the associations with a place whose looks speak for them; return how many.

    If there are more than room, only the more telling ones are listed.
    """
    used, bar = len(a) + 1, least
    while used > len(a):
        used = 0
        for i in range(len(looks)):
            for j in range(first, last):
                value = looks[i, columns[j]]
                if value > bar:
                    if used < len(a):
                        a[used], b[used], weight[used] = i, j, value
                    used += 1
        bar += 1.0
    return used


@compiled
def implied_yaw(
    p: Floats, q: Floats, r: Floats, s: Floats, variance: float
) -> tuple[bool, float, float]:
    """Return whether p → q can be r → s turned about the vertical, the turn in [0, 2π], and its spread."""
    ux, uy = q[0] - p[0], q[1] - p[1]
    vx, vy = s[0] - r[0], s[1] - r[1]
    d2 = ux * ux + uy * uy
    rise = (q[2] - p[2]) - (s[2] - r[2])
    gap = math.sqrt(d2) - math.sqrt(vx * vx + vy * vy)
    spread2 = 5.0 * variance / max(d2, 1e-9)
    fits = gap * gap < 25.0 * variance and rise * rise < 25.0 * variance + 0.001 * d2
    yaw = math.atan2(ux * vy - uy * vx, ux * vx + uy * vy) + math.pi
    return fits and spread2 < 1.0, yaw, math.sqrt(spread2)


@compiled
def glance(
    looks: Floats32,
    points1: Floats,
    columns: Ints,
    points2: Floats,
    ends: Ints,
    wanted: Ints,
    least: float,
    variance: float,
    bins: int,
    most: int,
) -> Floats:
    """Return the best yaw poll of one place against each of the wanted places.

    ``looks`` (k, n) are log-likelihood ratios between the k objects of the place and all n of the other
    map; ``columns`` and ``points2`` list the objects of all its places, ``ends`` (p + 1,) where each begins.
    """
    best = np.zeros(len(wanted))
    a, b = np.empty(most, np.int64), np.empty(most, np.int64)
    weight = np.empty(most, np.float32)
    polls = np.empty((most, bins + 1), np.float32)
    per_radian = bins / (2.0 * math.pi)
    for w in range(len(wanted)):
        used = alike(looks, columns, ends[wanted[w]], ends[wanted[w] + 1], least, a, b, weight)
        polls[:used] = 0.0
        for k in range(used):
            for m in range(k + 1, used):
                if a[k] == a[m] or b[k] == b[m]:
                    continue
                fits, yaw, spread = implied_yaw(
                    points1[a[k]], points1[a[m]], points2[b[k]], points2[b[m]], variance
                )
                if fits:
                    low, high = (yaw - spread) * per_radian, (yaw + spread) * per_radian
                    vote(polls[k], low, high, weight[m])
                    vote(polls[m], low, high, weight[k])
            top = settle(polls[k], bins)
            best[w] = max(best[w], polls[k, top] + weight[k])
    return best
