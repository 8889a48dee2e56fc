"""Compiled pairwise consistency of putative associations: distances that both maps agree on.

They release the interpreter lock, so that threads share a large problem; each owns a range of rows.
Coordinates are single precision and centered: at 100 m that resolves 0.01 mm.
"""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints, Ints32
from commonground.compiled import compiled
from commonground.localization.association.correspondences import (
    AffinityGraph,
    Candidates,
    Tolerance,
)


@compiled(fastmath=True)
def every_pair(kept1: Ints32, kept2: Ints32, n2: int) -> tuple[Ints32, Ints32, Ints32]:
    """Return the associations of all with all: which objects (m,), (m,), and i · n2 + j as given."""
    n = len(kept1) * len(kept2)
    i1, i2, rows = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    m = 0
    for i in range(len(kept1)):
        for j in range(len(kept2)):
            i1[m], i2[m], rows[m] = i, j, kept1[i] * n2 + kept2[j]
            m += 1
    return i1, i2, rows


@compiled(fastmath=True)
def gathered(points: Floats, objects: Ints32) -> Floats32:
    """Return the positions (3, m) of some objects, as the loops over pairs of associations read them."""
    out = np.empty((3, len(objects)), np.float32)
    for m in range(len(objects)):
        for axis in range(3):
            out[axis, m] = points[objects[m], axis]
    return out


@compiled(fastmath=True)
def misfits(k: int, first: int, c: Candidates, tolerance: Tolerance, out: Floats32) -> None:
    """Write how far association ``first`` + m is from the cut-off of consistency with k; < 0 is in.

    The distance between the two objects must be the same in both maps, within ``gate2`` variances of
    its noise plus a slack that grows with the distance. Upright maps compare the horizontal distance
    and the height difference apart. No branch, no division and no index that could be negative: this
    loop is vectorized.
    """
    drift2, tilt2, gate2 = tolerance
    x1, y1, z1 = c.xyz1[0, first:], c.xyz1[1, first:], c.xyz1[2, first:]
    x2, y2, z2 = c.xyz2[0, first:], c.xyz2[1, first:], c.xyz2[2, first:]
    other_h, other_v = c.var_h[first:], c.var_v[first:]
    ax, ay, az = c.xyz1[0, k], c.xyz1[1, k], c.xyz1[2, k]
    bx, by, bz = c.xyz2[0, k], c.xyz2[1, k], c.xyz2[2, k]
    noise_h, noise_v = c.var_h[k], c.var_v[k]
    if c.upright:
        for m in range(len(x1)):
            ux, uy, uz = x1[m] - ax, y1[m] - ay, z1[m] - az
            wx, wy, wz = x2[m] - bx, y2[m] - by, z2[m] - bz
            d1 = ux * ux + uy * uy
            d2 = wx * wx + wy * wy
            ch = np.sqrt(d1) - np.sqrt(d2)
            cv = uz - wz
            eh = ch * ch - gate2 * (noise_h + other_h[m] + drift2 * d1)
            ev = cv * cv - gate2 * (noise_v + other_v[m] + tilt2 * d1)
            out[m] = max(eh, ev)
    else:
        for m in range(len(x1)):
            ux, uy, uz = x1[m] - ax, y1[m] - ay, z1[m] - az
            wx, wy, wz = x2[m] - bx, y2[m] - by, z2[m] - bz
            d1 = ux * ux + uy * uy + uz * uz
            d2 = wx * wx + wy * wy + wz * wz
            gap = np.sqrt(d1) - np.sqrt(d2)
            out[m] = gap * gap - gate2 * (noise_h + other_h[m] + drift2 * d1)


@compiled(fastmath=True)
def consistent(k: int, first: int, misfit: Floats32, c: Candidates, hits: Ints32) -> int:
    """List the associations from ``first`` on that fit k and share no object with it; return how many."""
    fits, kept = 0, 0
    for m in range(len(c.i1) - first):
        hits[fits] = m + first  # written always, kept only if it counts: no branch to mispredict
        fits += misfit[m] < 0.0
    for h in range(fits):
        m = hits[h]
        hits[kept] = m
        kept += (c.i1[m] != c.i1[k]) & (c.i2[m] != c.i2[k])
    return kept


@compiled(fastmath=True)
def affinity_rows(
    first: int,
    last: int,
    c: Candidates,
    tolerance: Tolerance,
    counts: Ints,
    cols: Ints32,
    vals: Floats32,
) -> int:
    """Fill the affinity's rows first..last in compressed form; return the entries, or −1 if too many."""
    n = len(c.i1)
    drift2, tilt2, _ = tolerance
    xyz1, xyz2 = c.xyz1, c.xyz2
    misfit = np.empty(n, np.float32)
    hits = np.empty(n + 1, np.int32)
    used = 0
    for k in range(first, last):
        misfits(k, 0, c, tolerance, misfit)
        found = consistent(k, 0, misfit, c, hits)
        if used + found > len(cols):
            return -1
        start = used
        for h in range(found):
            m = hits[h]
            ux, uy, uz = xyz1[0, m] - xyz1[0, k], xyz1[1, m] - xyz1[1, k], xyz1[2, m] - xyz1[2, k]
            wx, wy, wz = xyz2[0, m] - xyz2[0, k], xyz2[1, m] - xyz2[1, k], xyz2[2, m] - xyz2[2, k]
            d1, d2 = ux * ux + uy * uy, wx * wx + wy * wy
            q = np.float32(0.0)
            if c.upright:
                q = (uz - wz) ** 2 / (c.var_v[k] + c.var_v[m] + tilt2 * d1)
            else:
                d1 += uz * uz
                d2 += wz * wz
            q += (np.sqrt(d1) - np.sqrt(d2)) ** 2 / (c.var_h[k] + c.var_h[m] + drift2 * d1)
            cols[used] = m
            vals[used] = math.exp(-0.5 * q)
            used += 1
        counts[k] = used - start
    return used


@compiled(fastmath=True)
def best_edges(
    graph: AffinityGraph, weight: Floats32, inside: Bools, per_row: int
) -> tuple[Ints, Ints, Floats]:
    """List each row's most promising edges to later rows, but those with both ends inside."""
    starts, cols, vals = graph
    n = len(starts) - 1
    out_k, out_m = np.empty(n * per_row, np.int64), np.empty(n * per_row, np.int64)
    promise = np.empty(n * per_row, np.float64)
    used = 0
    for k in range(n):
        first = used
        for e in range(starts[k], starts[k + 1]):
            m = cols[e]
            if m < k or (inside[k] and inside[m]):
                continue
            value = weight[m] + math.log(vals[e])
            slot = used
            if used - first == per_row:
                if value <= promise[used - 1]:
                    continue
                slot = used - 1
            else:
                used += 1
            while slot > first and promise[slot - 1] < value:
                promise[slot], out_m[slot] = promise[slot - 1], out_m[slot - 1]
                slot -= 1
            promise[slot], out_m[slot] = value, m
        for slot in range(first, used):
            out_k[slot] = k
            promise[slot] += weight[k]
    return out_k[:used], out_m[:used], promise[:used]
