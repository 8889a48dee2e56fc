"""Compiled refinement of a transform on the associations that agree with it."""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Floats, Ints, Ints32
from commonground.localization.association._compiled import compiled


@compiled
def gather(
    T: Floats,
    p1: Floats,
    p2: Floats,
    i1: Ints32,
    i2: Ints32,
    var_h: Floats,
    var_v: Floats,
    base: Floats,
    widen: float,
    rows: Ints,
    scores: Floats,
    squares: Floats,
) -> int:
    """List the associations whose log-likelihood ratio under T (4, 4) is positive; return how many.

    The ratio weighs "the same object, seen with this noise" against "an unrelated one that happens to
    stand there"; ``base`` (m,) holds all of it that does not depend on T.
    """
    used = 0
    wide = 1.5 * math.log(widen)
    for k in range(len(i1)):
        a, b = i1[k], i2[k]
        x, y, z = p1[a, 0], p1[a, 1], p1[a, 2]
        rx = T[0, 0] * x + T[0, 1] * y + T[0, 2] * z + T[0, 3] - p2[b, 0]
        ry = T[1, 0] * x + T[1, 1] * y + T[1, 2] * z + T[1, 3] - p2[b, 1]
        rz = T[2, 0] * x + T[2, 1] * y + T[2, 2] * z + T[2, 3] - p2[b, 2]
        square = ((rx * rx + ry * ry) / var_h[k] + rz * rz / var_v[k]) / widen
        score = base[k] - 0.5 * square - wide
        if score > 0.0:
            rows[used], scores[used], squares[used] = k, score, square
            used += 1
    return used


@compiled
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


@compiled
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


@compiled
def turn_away(A: Floats, V: Floats, p: int, q: int) -> None:
    """Turn the symmetric A, and the basis V with it, so that A[p, q] vanishes (one step of Jacobi's)."""
    theta = (A[q, q] - A[p, p]) / (2.0 * A[p, q])
    t = 1.0 / (abs(theta) + math.sqrt(theta * theta + 1.0))
    if theta < 0.0:
        t = -t
    c = 1.0 / math.sqrt(t * t + 1.0)
    s = t * c
    for k in range(4):
        akp, akq = A[k, p], A[k, q]
        A[k, p], A[k, q] = c * akp - s * akq, s * akp + c * akq
    for k in range(4):
        apk, aqk = A[p, k], A[q, k]
        A[p, k], A[q, k] = c * apk - s * aqk, s * apk + c * aqk
        vkp, vkq = V[k, p], V[k, q]
        V[k, p], V[k, q] = c * vkp - s * vkq, s * vkp + c * vkq


@compiled
def rotation_of(
    S: Floats,
    R: Floats,
) -> None:
    """Write to R the rotation that maximises trace(Rᵀ S): the top eigenvector of Horn's matrix (1987).

    The eigenvector of the symmetric 4 × 4 matrix is found by Jacobi's rotations.
    """
    A, V = np.zeros((4, 4)), np.eye(4)
    A[0, 0] = S[0, 0] + S[1, 1] + S[2, 2]
    A[1, 1] = S[0, 0] - S[1, 1] - S[2, 2]
    A[2, 2] = S[1, 1] - S[0, 0] - S[2, 2]
    A[3, 3] = S[2, 2] - S[0, 0] - S[1, 1]
    A[0, 1] = A[1, 0] = S[2, 1] - S[1, 2]
    A[0, 2] = A[2, 0] = S[0, 2] - S[2, 0]
    A[0, 3] = A[3, 0] = S[1, 0] - S[0, 1]
    A[1, 2] = A[2, 1] = S[0, 1] + S[1, 0]
    A[1, 3] = A[3, 1] = S[0, 2] + S[2, 0]
    A[2, 3] = A[3, 2] = S[1, 2] + S[2, 1]
    for _ in range(12):
        off = 0.0
        for p in range(3):
            for q in range(p + 1, 4):
                off += abs(A[p, q])
                if A[p, q] != 0.0:
                    turn_away(A, V, p, q)
        if off < 1e-13 * (abs(A[0, 0]) + abs(A[1, 1]) + abs(A[2, 2]) + abs(A[3, 3])):
            break
    top = 0
    for k in range(1, 4):
        if A[k, k] > A[top, top]:
            top = k
    w, x, y, z = V[0, top], V[1, top], V[2, top], V[3, top]
    R[0, 0], R[1, 1], R[2, 2] = (
        1 - 2 * (y * y + z * z),
        1 - 2 * (x * x + z * z),
        1 - 2 * (x * x + y * y),
    )
    R[0, 1], R[1, 0] = 2 * (x * y - w * z), 2 * (x * y + w * z)
    R[0, 2], R[2, 0] = 2 * (x * z + w * y), 2 * (x * z - w * y)
    R[1, 2], R[2, 1] = 2 * (y * z - w * x), 2 * (y * z + w * x)


@compiled
def fit(
    rows: Ints,
    trust: Floats,
    used: int,
    p1: Floats,
    p2: Floats,
    i1: Ints32,
    i2: Ints32,
    var_h: Floats,
    var_v: Floats,
    upright: bool,
    T: Floats,
) -> None:
    """Write to T the transform of least squares over the listed associations, weighted by trust."""
    m1, m2 = np.zeros(3), np.zeros(3)
    w_h, w_v = 0.0, 0.0
    for h in range(used):
        k = rows[h]
        u, v = trust[h] / var_h[k], trust[h] / var_v[k]
        w_h += u
        w_v += v
        for c in range(3):
            w = u if c < 2 else v
            m1[c] += w * p1[i1[k], c]
            m2[c] += w * p2[i2[k], c]
    for c in range(3):
        m1[c] /= w_h if c < 2 else w_v
        m2[c] /= w_h if c < 2 else w_v
    S = np.zeros((3, 3))
    for h in range(used):
        k = rows[h]
        w = trust[h] / var_h[k]
        for r in range(3):
            for c in range(3):
                S[r, c] += w * (p2[i2[k], r] - m2[r]) * (p1[i1[k], c] - m1[c])
    R = np.eye(3)
    if upright:
        yaw = math.atan2(S[1, 0] - S[0, 1], S[0, 0] + S[1, 1])
        R[0, 0] = R[1, 1] = math.cos(yaw)
        R[1, 0] = math.sin(yaw)
        R[0, 1] = -R[1, 0]
    else:
        rotation_of(S, R)
    for r in range(3):
        T[r, 3] = m2[r]
        for c in range(3):
            T[r, c] = R[r, c]
            T[r, 3] -= R[r, c] * m1[c]


@compiled
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


@compiled
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
    found, found_scores, squares = np.empty(n, np.int64), np.empty(n), np.empty(n)
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
            used = gather(
                T, p1, p2, i1, i2, var_h, var_v, base, widen, found, found_scores, squares
            )
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
            fit(rows[t], trust, used, p1, p2, i1, i2, var_h, var_v, upright, T)
            if widening[p] == 1.0:
                spread = 0.0
                for h in range(used):
                    spread += trust[h] * squares[h] * noise[t]
                noise[t] = max((pseudo + spread) / (pseudo + max(3.0 * right - free, 0.0)), floor)
    return count, noise
