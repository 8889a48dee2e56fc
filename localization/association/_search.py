"""Compiled search for the posterior's modes: guesses are refined, pruned and ranked by evidence."""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Floats, Ints, Ints32
from commonground.compiled import compiled
from commonground.localization.association._peaks import evidence, gap2, spread_out
from commonground.localization.association._refine import refine, sort_best_first


@compiled(fastmath=True)
def likelihoods(
    i1: Ints32,
    i2: Ints32,
    var_h1: Floats,
    var_v1: Floats,
    var_h2: Floats,
    var_v2: Floats,
    log_clutter: Floats,
    appearance: Floats,
) -> tuple[Floats, Floats, Floats]:
    """Return both variances (m,) of each association, and its log ratio but for the residual.

    An object that may be any of several has its chance shared among them.
    """
    n = len(i1)
    count1, count2 = np.zeros(len(var_h1), np.int64), np.zeros(len(var_h2), np.int64)
    for k in range(n):
        count1[i1[k]] += 1
        count2[i2[k]] += 1
    var_h, var_v, base = np.empty(n), np.empty(n), np.empty(n)
    for k in range(n):
        a, b = i1[k], i2[k]
        h, v = var_h1[a] + var_h2[b], var_v1[a] + var_v2[b]
        rivals = max(count1[a], count2[b])
        peak = -1.5 * math.log(2.0 * math.pi) - 0.5 * math.log(h * h * v * rivals * rivals)
        var_h[k], var_v[k], base[k] = h, v, appearance[k] + peak - log_clutter[b]
    return var_h, var_v, base


@compiled(fastmath=True)
def log_prior(
    T: Floats,
    upright: bool,
    spread2: float,
    heights2: float,
) -> float:
    """Return the log prior density of a transform between two centered sides.

    Any heading is as likely as any other; the centers lie apart by the given variances.
    """
    x, y, z = T[0, 3], T[1, 3], T[2, 3]
    tau = 2.0 * math.pi
    apart: float = (x * x + y * y) / spread2 + 2.0 * math.log(tau * spread2)
    if upright:
        apart += z * z / heights2 + math.log(tau * heights2)
        return -math.log(tau) - 0.5 * apart
    apart += z * z / spread2 + math.log(tau * spread2)
    return -math.log(8.0 * math.pi**2) - 0.5 * apart


@compiled(fastmath=True)
def distinct(
    order: Ints,
    T: Floats,
    rows: Ints,
    count: Ints,
    corners: Floats,
    apart: float,
    marks: Ints,
) -> Ints:
    """Return those of the ordered transforms that are peaks of their own.

    Neither is near a better one, nor has its support. ``marks`` (m,) is scratch, all below zero.
    """
    kept = np.empty(len(order), np.int64)
    used = 0
    for t in order:
        for h in range(count[t]):
            marks[rows[t, h]] = t
        own = True
        for k in range(used):
            other = kept[k]
            common = 0
            for h in range(count[other]):
                common += marks[rows[other, h]] == t
            near = gap2(T[t], T[other], corners) < apart * apart
            if near or common > 0.7 * count[t]:
                own = False
                break
        if own:
            kept[used] = t
            used += 1
    return kept[:used]


@compiled(fastmath=True)
def roughly(
    guesses: Floats,
    corners: Floats,
    noise_m: float,
    limits: tuple[int, int],
    candidates: Ints,
    p1: Floats,
    p2: Floats,
    i1: Ints32,
    i2: Ints32,
    var_h: Floats,
    var_v: Floats,
    base: Floats,
    upright: bool,
    approach: Floats,
    pseudo: float,
    floor: float,
) -> Floats:
    """Return the most promising distinct transforms (h, 4, 4) near the guesses, refined on the candidates."""
    T = guesses[spread_out(guesses, corners, 8.0 * noise_m, limits[0])]
    j1, j2 = i1[candidates], i2[candidates]
    few_h, few_v, few_base = var_h[candidates], var_v[candidates], base[candidates]
    most = min(len(j1), len(p1), len(p2))
    rows, scores = np.empty((len(T), most), np.int64), np.empty((len(T), most))
    count, _ = refine(
        T,
        p1,
        p2,
        j1,
        j2,
        few_h,
        few_v,
        few_base,
        upright,
        approach,
        pseudo,
        floor,
        rows,
        scores,
    )
    promise = np.empty(len(T))
    for t in range(len(T)):
        promise[t] = -count[t]
        for h in range(count[t]):
            promise[t] += scores[t, h]
    order = np.empty(len(T), np.int64)
    sort_best_first(promise, order, len(T))
    T = T[order]
    return T[spread_out(T, corners, 4.0 * noise_m, limits[1])]


@compiled(fastmath=True)
def search(
    guesses: Floats,
    corners: Floats,
    noise_m: float,
    limits: tuple[int, int],
    candidates: Ints,
    p1: Floats,
    p2: Floats,
    i1: Ints32,
    i2: Ints32,
    var_h: Floats,
    var_v: Floats,
    base: Floats,
    upright: bool,
    approach: Floats,
    polish: Floats,
    pseudo: float,
    floor: float,
    radius2: float,
    spread2: float,
    heights2: float,
    shares: Floats,
) -> tuple[Floats, Ints, Floats, Ints, Ints, Floats]:
    """Return the distinct peaks near the guesses, the one with most evidence first.

    These are transforms (h, 4, 4), how many associations support each, (h, 4) its log evidence, log
    prior, noise and share of objects seen again, its overlap, and the support's rows and scores.
    """
    T = roughly(
        guesses,
        corners,
        noise_m,
        limits,
        candidates,
        p1,
        p2,
        i1,
        i2,
        var_h,
        var_v,
        base,
        upright,
        approach,
        pseudo,
        floor,
    )
    most = min(len(i1), len(p1), len(p2))
    rows, scores = np.empty((len(T), most), np.int64), np.empty((len(T), most))
    count, noise = refine(
        T, p1, p2, i1, i2, var_h, var_v, base, upright, polish, pseudo, floor, rows, scores
    )
    axes = least = 2 if upright else 3
    summary, overlaps = np.zeros((len(T), 4)), np.zeros(len(T), np.int64)
    held = np.empty(len(T), np.int64)
    used = 0
    for t in range(len(T)):
        if count[t] < least:
            continue
        n = count[t]
        value, overlaps[t], share = evidence(
            T[t],
            rows[t],
            scores[t],
            n,
            noise[t],
            p1,
            i1,
            var_h,
            var_v,
            axes,
            radius2,
            shares,
        )
        prior = log_prior(T[t], upright, spread2, heights2)
        summary[t] = np.array([value + prior, prior, noise[t], share])
        held[used] = t
        used += 1
    held = held[:used]
    order = np.empty(used, np.int64)
    sort_best_first(summary[held, 0], order, used)
    marks = np.full(len(i1), -1)
    kept = distinct(held[order], T, rows, count, corners, 3.0 * noise_m, marks)
    return T[kept], count[kept], summary[kept], overlaps[kept], rows[kept], scores[kept]
