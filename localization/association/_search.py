"""Compiled search for the posterior's modes: guesses are refined, pruned and ranked by evidence."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Ints, Ints32
from commonground.compiled import compiled
from commonground.localization.association._peaks import Support, evidence, gap2, spread_out
from commonground.localization.association._refine import NoisePrior, best_first, refine
from commonground.localization.association.correspondences import Correspondences


class PosePrior(NamedTuple):
    """How two sides that may show one place lie to one another before anything is compared."""

    reach2: float
    """Squared radius of what side 2 looked at."""
    var_h: float
    """Variance of the distance between the two centers along a horizontal axis."""
    var_v: float


class SearchSettings(NamedTuple):
    """How the peaks of the posterior are looked for."""

    noise_m: float
    guesses: int
    """So many distinct guesses are refined on the candidates,"""
    peaks: int
    """and so many of the results on all correspondences."""
    approach: Floats
    """Factors on the variance in the rounds of the former,"""
    polish: Floats
    """and of the latter."""
    noise: NoisePrior
    shares: Floats
    """Grid of the share of an overlap's objects that both sides hold."""


class Peaks(NamedTuple):
    """Distinct peaks (h,) of the posterior over transforms."""

    T: Floats
    """(h, 4, 4)"""
    log_evidence: Floats
    log_prior: Floats
    overlap: Ints
    noise: Floats
    share: Floats
    supports: Ints
    """(h,) how many correspondences support each: the first of the two below."""
    rows: Ints
    """(h, most)"""
    scores: Floats


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
def log_prior(T: Floats, upright: bool, prior: PosePrior) -> float:
    """Return the log prior density of a transform between two centered sides; any heading is as likely."""
    x, y, z = T[0, 3], T[1, 3], T[2, 3]
    tau = 2.0 * math.pi
    apart: float = (x * x + y * y) / prior.var_h + 2.0 * math.log(tau * prior.var_h)
    if upright:
        apart += z * z / prior.var_v + math.log(tau * prior.var_v)
        return -math.log(tau) - 0.5 * apart
    apart += z * z / prior.var_h + math.log(tau * prior.var_h)
    return -math.log(8.0 * math.pi**2) - 0.5 * apart


@compiled(fastmath=True)
def distinct(
    order: Ints, T: Floats, rows: Ints, count: Ints, corners: Floats, apart: float, marks: Ints
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
    candidates: Ints,
    matches: Correspondences,
    how: SearchSettings,
) -> Floats:
    """Return the most promising distinct transforms (h, 4, 4) near the guesses, refined on the candidates."""
    T = guesses[spread_out(guesses, corners, 8.0 * how.noise_m, how.guesses)]
    few = Correspondences(
        matches.p1,
        matches.p2,
        matches.i1[candidates],
        matches.i2[candidates],
        matches.var_h[candidates],
        matches.var_v[candidates],
        matches.base[candidates],
        matches.upright,
    )
    most = min(len(candidates), len(matches.p1), len(matches.p2))
    rows, scores = np.empty((len(T), most), np.int64), np.empty((len(T), most))
    count, _ = refine(T, few, how.approach, how.noise, rows, scores)
    promise = np.empty(len(T))
    for t in range(len(T)):
        promise[t] = -count[t]
        for h in range(count[t]):
            promise[t] += scores[t, h]
    T = T[best_first(promise)]
    return T[spread_out(T, corners, 4.0 * how.noise_m, how.peaks)]


@compiled(fastmath=True)
def search(
    guesses: Floats,
    corners: Floats,
    candidates: Ints,
    matches: Correspondences,
    prior: PosePrior,
    how: SearchSettings,
) -> Peaks:
    """Return the distinct peaks near the guesses (h, 4, 4), the one with most evidence first."""
    T = roughly(guesses, corners, candidates, matches, how)
    most = min(len(matches.i1), len(matches.p1), len(matches.p2))
    rows, scores = np.empty((len(T), most), np.int64), np.empty((len(T), most))
    count, noise = refine(T, matches, how.polish, how.noise, rows, scores)
    least = 2 if matches.upright else 3
    values, priors, shares = np.zeros(len(T)), np.zeros(len(T)), np.zeros(len(T))
    overlaps, held = np.zeros(len(T), np.int64), np.empty(len(T), np.int64)
    used = 0
    for t in range(len(T)):
        n = count[t]
        if n < least:
            continue
        support = Support(rows[t, :n], scores[t, :n], noise[t])
        value, overlaps[t], shares[t] = evidence(T[t], support, matches, prior.reach2, how.shares)
        priors[t] = log_prior(T[t], matches.upright, prior)
        values[t] = value + priors[t]
        held[used] = t
        used += 1
    held = held[:used]
    order = best_first(values[held])
    marks = np.full(len(matches.i1), -1)
    kept = distinct(held[order], T, rows, count, corners, 3.0 * how.noise_m, marks)
    return Peaks(
        T[kept],
        values[kept],
        priors[kept],
        overlaps[kept],
        noise[kept],
        shares[kept],
        count[kept],
        rows[kept],
        scores[kept],
    )
