"""Compiled expectation maximization of a transform over uncertain associations."""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Floats, Ints, Ints32
from commonground.compiled import compiled
from commonground.localization.association._fit import fit, fit_upright


@compiled(fastmath=True)
def columns_of(
    p1: Floats,
    p2: Floats,
    i1: Ints32,
    i2: Ints32,
    var_h: Floats,
    var_v: Floats,
) -> Floats:
    """Return for each association both positions, and half the precision across and along up, as (8, m).

    Laid out like this the loop over associations reads one after the other, which is vectorized.
    """
    out = np.empty((8, len(i1)))
    for k in range(len(i1)):
        a, b = i1[k], i2[k]
        for axis in range(3):
            out[axis, k], out[3 + axis, k] = p1[a, axis], p2[b, axis]
        out[6, k], out[7, k] = 0.5 / var_h[k], 0.5 / var_v[k]
    return out


@compiled(fastmath=True)
def residuals(
    T: Floats,
    columns: Floats,
    out: Floats,
) -> None:
    """Write half the squared residual of each association under T, in standard deviations."""
    x1, y1, z1 = columns[0], columns[1], columns[2]
    x2, y2, z2 = columns[3], columns[4], columns[5]
    across, along = columns[6], columns[7]
    xx, xy, xz, xt = T[0, 0], T[0, 1], T[0, 2], T[0, 3]
    yx, yy, yz, yt = T[1, 0], T[1, 1], T[1, 2], T[1, 3]
    zx, zy, zz, zt = T[2, 0], T[2, 1], T[2, 2], T[2, 3]
    for k in range(len(out)):
        rx = xx * x1[k] + xy * y1[k] + xz * z1[k] + xt - x2[k]
        ry = yx * x1[k] + yy * y1[k] + yz * z1[k] + yt - y2[k]
        rz = zx * x1[k] + zy * y1[k] + zz * z1[k] + zt - z2[k]
        out[k] = (rx * rx + ry * ry) * across[k] + rz * rz * along[k]


@compiled(fastmath=True)
def gather(
    T: Floats,
    columns: Floats,
    base: Floats,
    widen: float,
    halves: Floats,
    rows: Ints,
    scores: Floats,
    squares: Floats,
) -> int:
    """List the associations whose log-likelihood ratio under T (4, 4) is positive; return how many.

    The ratio weighs "the same object, seen with this noise" against "an unrelated one that happens to
    stand there"; ``base`` (m,) holds all of it that does not depend on T. ``halves`` (m,) is scratch.
    """
    residuals(T, columns, halves)
    used = 0
    wide = 1.5 * math.log(widen)
    share = 1.0 / widen
    for k in range(len(base)):
        rows[used] = k  # written always, kept only if it counts: no branch to mispredict
        used += base[k] - share * halves[k] > wide
    for h in range(used):
        half = share * halves[rows[h]]
        scores[h], squares[h] = base[rows[h]] - half - wide, 2.0 * half
    return used


@compiled(fastmath=True)
def sort_best_first(
    keys: Floats,
    order: Ints,
    n: int,
) -> None:
    """Write to ``order`` the indices of keys[:n] from the largest down (Shell's sort, Ciura's gaps)."""
    for a in range(n):
        order[a] = a
    for gap in (1750, 701, 301, 132, 57, 23, 10, 4, 1):
        for a in range(gap, n):
            here = order[a]
            b = a
            while b >= gap and (
                keys[order[b - gap]] < keys[here]
                or (keys[order[b - gap]] == keys[here] and order[b - gap] > here)
            ):
                order[b] = order[b - gap]
                b -= gap
            order[b] = here


@compiled(fastmath=True)
def one_to_one(
    used: int,
    i1: Ints32,
    i2: Ints32,
    rows: Ints,
    scores: Floats,
    squares: Floats,
    order: Ints,
    taken1: Ints,
    taken2: Ints,
    stamp: int,
    kept_rows: Ints,
    kept_scores: Floats,
) -> int:
    """Keep of the listed associations the best first, none sharing an object; return how many.

    ``squares`` is compacted in place; the rows and scores that stay are written to ``kept``.
    """
    sort_best_first(scores, order, used)
    kept = 0
    for h in range(used):
        k = rows[order[h]]
        if taken1[i1[k]] == stamp or taken2[i2[k]] == stamp:
            continue
        taken1[i1[k]] = taken2[i2[k]] = stamp
        kept_rows[kept], kept_scores[kept] = k, scores[order[h]]
        order[kept] = order[h]  # positions already passed: safe to overwrite
        kept += 1
    for h in range(kept):
        scores[h] = squares[order[h]]
    for h in range(kept):
        squares[h] = scores[h]
    return kept


@compiled(fastmath=True)
def weigh(
    scores: Floats,
    used: int,
    share: float,
    trust: Floats,
) -> float:
    """Write the probability that each association is right, given ``share``, that of objects seen again."""
    odds = math.log(share / (1.0 - share))
    total = 0.0
    for h in range(used):
        trust[h] = 1.0 / (1.0 + math.exp(-min(scores[h] + odds, 50.0)))
        total += trust[h]
    return total


@compiled(fastmath=True)
def refine(
    transforms: Floats,
    p1: Floats,
    p2: Floats,
    i1: Ints32,
    i2: Ints32,
    var_h: Floats,
    var_v: Floats,
    base: Floats,
    upright: bool,
    widening: Floats,
    pseudo: float,
    floor: float,
    rows: Ints,
    scores: Floats,
) -> tuple[Ints, Floats]:
    """Refine each transform (h, 4, 4) in place; return how many associations support it, and the noise.

    Expectation maximization over which associations are right and how many are. The rounds of
    ``widening`` first forgive larger residuals. In those of 1 the variance's scale is estimated from
    the residuals as well: ``pseudo`` residuals say beforehand that it is 1 (inverse-gamma prior).
    """
    n = len(i1)
    columns, halves = columns_of(p1, p2, i1, i2, var_h, var_v), np.empty(n)
    found, found_scores, squares = np.empty(n + 1, np.int64), np.empty(n), np.empty(n)
    trust, order = np.empty(n), np.empty(n, np.int64)
    taken1, taken2 = np.full(len(p1), -1), np.full(len(p2), -1)
    objects = min(len(p1), len(p2))
    count = np.zeros(len(transforms), np.int64)
    noise = np.ones(len(transforms))
    free, least = (4, 2) if upright else (6, 3)
    stamp = 0
    for t in range(len(transforms)):
        T = transforms[t]
        share = 0.2
        for p in range(len(widening)):
            widen = widening[p] * noise[t]
            used = gather(T, columns, base, widen, halves, found, found_scores, squares)
            stamp += 1
            used = one_to_one(
                used,
                i1,
                i2,
                found,
                found_scores,
                squares,
                order,
                taken1,
                taken2,
                stamp,
                rows[t],
                scores[t],
            )
            count[t] = used
            if used < least or p == len(widening) - 1:
                break
            right = weigh(scores[t], used, share, trust)
            share = min(max(right / objects, 0.05), 0.9)
            if upright:
                fit_upright(rows[t], trust, used, columns, T)
            else:
                fit(rows[t], trust, used, p1, p2, i1, i2, var_h, var_v, T)
            if widening[p] == 1.0:
                spread = 0.0
                for h in range(used):
                    spread += trust[h] * squares[h] * noise[t]
                noise[t] = max((pseudo + spread) / (pseudo + max(3.0 * right - free, 0.0)), floor)
    return count, noise
