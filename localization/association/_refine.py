"""Compiled expectation maximization of a transform over uncertain associations."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled
from commonground.localization.association._fit import fit, fit_upright
from commonground.localization.association.correspondences import Correspondences


class NoisePrior(NamedTuple):
    """What is known of the noise before the residuals are seen: an inverse-gamma prior of its scale."""

    residuals: float
    """So many residuals' worth of trust in the stated variance."""
    floor: float
    """The variance is at least this share of the stated one."""


class Scratch(NamedTuple):
    """Working arrays of refinement, as long as there are correspondences."""

    halves: Floats
    rows: Ints
    scores: Floats
    squares: Floats
    trust: Floats
    taken1: Ints
    """(n1,) the round in which an object was last taken."""
    taken2: Ints


@compiled(fastmath=True)
def scratch_for(matches: Correspondences) -> Scratch:
    """Return working arrays for these correspondences."""
    n = len(matches.i1)
    return Scratch(
        np.empty(n),
        np.empty(n + 1, np.int64),
        np.empty(n),
        np.empty(n),
        np.empty(n),
        np.full(len(matches.p1), -1),
        np.full(len(matches.p2), -1),
    )


@compiled(fastmath=True)
def columns_of(matches: Correspondences) -> Floats:
    """Return for each association both positions, and half the precision across and along up, as (8, m).

    Laid out like this the loop over associations reads one after the other, which is vectorized.
    """
    out = np.empty((8, len(matches.i1)))
    for k in range(len(matches.i1)):
        a, b = matches.i1[k], matches.i2[k]
        for axis in range(3):
            out[axis, k], out[3 + axis, k] = matches.p1[a, axis], matches.p2[b, axis]
        out[6, k], out[7, k] = 0.5 / matches.var_h[k], 0.5 / matches.var_v[k]
    return out


@compiled(fastmath=True)
def residuals(T: Floats, columns: Floats, out: Floats) -> None:
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
def gather(T: Floats, columns: Floats, base: Floats, widen: float, scratch: Scratch) -> int:
    """List the associations whose log-likelihood ratio under T (4, 4) is positive; return how many.

    The ratio weighs "the same object, seen with this noise" against "an unrelated one that happens to
    stand there"; ``base`` (m,) holds all of it that does not depend on T.
    """
    halves, rows, scores, squares = scratch.halves, scratch.rows, scratch.scores, scratch.squares
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
def best_first(keys: Floats) -> Ints:
    """Return the indices of keys from the largest down, of equal ones the first first."""
    return np.argsort(-keys, kind="mergesort")


@compiled(fastmath=True)
def one_to_one(
    used: int,
    matches: Correspondences,
    scratch: Scratch,
    stamp: int,
    kept_rows: Ints,
    kept_scores: Floats,
) -> int:
    """Keep of the listed associations the best first, none sharing an object; return how many.

    ``squares`` is compacted in place; the rows and scores that stay are written to ``kept``.
    """
    i1, i2 = matches.i1, matches.i2
    rows, scores, squares = scratch.rows, scratch.scores, scratch.squares
    taken1, taken2 = scratch.taken1, scratch.taken2
    order = best_first(scores[:used])
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
def weigh(scores: Floats, used: int, share: float, trust: Floats) -> float:
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
    matches: Correspondences,
    widening: Floats,
    prior: NoisePrior,
    rows: Ints,
    scores: Floats,
) -> tuple[Ints, Floats]:
    """Refine each transform (h, 4, 4) in place; return how many associations support it, and the noise.

    Expectation maximization over which associations are right and how many are. The rounds of
    ``widening`` first forgive larger residuals. In those of 1 the variance's scale is estimated from
    the residuals as well. ``rows`` and ``scores`` (h, most) become those of the support.
    """
    columns, scratch = columns_of(matches), scratch_for(matches)
    objects = min(len(matches.p1), len(matches.p2))
    count = np.zeros(len(transforms), np.int64)
    noise = np.ones(len(transforms))
    free, least = (4, 2) if matches.upright else (6, 3)
    stamp = 0
    for t in range(len(transforms)):
        T = transforms[t]
        share = 0.2
        for p in range(len(widening)):
            used = gather(T, columns, matches.base, widening[p] * noise[t], scratch)
            stamp += 1
            used = one_to_one(used, matches, scratch, stamp, rows[t], scores[t])
            count[t] = used
            if used < least or p == len(widening) - 1:
                break
            right = weigh(scores[t], used, share, scratch.trust)
            share = min(max(right / objects, 0.05), 0.9)
            if matches.upright:
                fit_upright(rows[t], scratch.trust, used, columns, T)
            else:
                fit(rows[t], scratch.trust, used, matches, T)
            if widening[p] == 1.0:
                spread = 0.0
                for h in range(used):
                    spread += scratch.trust[h] * scratch.squares[h] * noise[t]
                degrees = max(3.0 * right - free, 0.0)
                noise[t] = max(
                    (prior.residuals + spread) / (prior.residuals + degrees), prior.floor
                )
    return count, noise
