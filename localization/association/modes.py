"""Modes of the posterior over transforms, each with its evidence against unrelated maps.

For a transform T, each object of side 1 that would lie where side 2 was looked at is either seen
again (probability ρ) or not:

    log p(side 2 | T) / p(side 2 | unrelated) = Σ_i log(1 − ρ + ρ exp s_i),
    s_ij = log N(p2_j; T p1_i, noise) − log(density of unrelated objects at p2_j) − log K + log LR_ij,

with K the associations an object takes part in, LR_ij the likelihood ratio of appearance, and ρ averaged
out. Integrating over the peak's width and weighing it by the prior of the transform (Occam's factor) makes
it a Bayes factor: under unrelated maps it exceeds e^x with probability at most e^−x.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats, Ints, Ints32
from commonground.localization.association.affinity import Candidates
from commonground.localization.association.problem import Problem

CENTERS_APART = 0.6
"""Standard deviation of the distance between two overlapping maps' centers, as a share of their radius."""
SEEN_AGAIN = np.array([0.05, 0.1, 0.2, 0.4, 0.7, 0.9])
"""Grid of ρ, the share of an overlap's objects that both maps hold; a priori all alike."""
APPROACH = np.array([9.0, 4.0, 1.0, 1.0])
"""Factors on the variance in successive rounds of refinement: guesses are coarse at first."""
POLISH = np.array([1.0, 1.0, 1.0, 1.0, 1.0])
NOISE_PRIOR = 8.0
"""Residuals' worth of trust in the given noise, when the residuals themselves are asked for it."""
NOISE_FLOOR = 0.02
"""The variance is at least this share of the given one."""
GUESSES = 24
PEAKS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """What an association's log-likelihood ratio needs besides the transform."""

    var_h: Floats
    """(m,)"""
    var_v: Floats
    base: Floats
    """(m,) all of the ratio that does not depend on the residual."""


@dataclass(frozen=True, slots=True, eq=False)
class Mode:
    """One transform and the associations that support it, one to one."""

    T: Floats
    """(4, 4) side 2 from side 1."""
    log_evidence: float
    """Log Bayes factor against unrelated maps."""
    rows: Ints
    """(k,) rows of the problem's associations."""
    scores: Floats
    """(k,) their log-likelihood ratios."""
    share: float
    """How many of the overlap's objects are seen again, as the support says."""
    noise: float
    """Estimated share of the given variance."""
    overlap: int
    """Objects of side 1 that lie where side 2 was looked at."""
    log_prior: float
    """Log prior density of the transform, which is part of the evidence."""

    @property
    def support(self) -> float:
        """The summed log-likelihood ratios."""
        return float(self.scores.sum())

    @property
    def probability(self) -> Floats:
        """That each association is right (k,), if the transform is."""
        against = (1.0 - self.share) / self.share * np.exp(-np.minimum(self.scores, 50.0))
        return np.asarray(1.0 / (1.0 + against))


def find_modes(
    problem: Problem, terms: Terms, candidates: Candidates, guesses: Floats
) -> list[Mode]:
    """Return the distinct peaks near the guesses (h, 4, 4), the one with most evidence first."""
    from commonground.localization.association._search import search

    if not len(guesses):
        return []
    one, two = problem.side1, problem.side2
    T, count, summaries, overlaps, rows, scores = search(
        guesses,
        _corners(problem),
        problem.noise_m,
        (GUESSES, PEAKS),
        candidates.rows,
        one.points,
        two.points,
        problem.i1,
        problem.i2,
        *(terms.var_h, terms.var_v, terms.base),
        problem.upright,
        *(APPROACH, POLISH),
        *(NOISE_PRIOR, NOISE_FLOOR),
        (1.1 * two.radius) ** 2,
        *_centers_apart2(problem),
        SEEN_AGAIN,
    )
    return [
        Mode(T[k], value, rows[k, :n], scores[k, :n], share, noise, overlap, prior)
        for k, (n, overlap, (value, prior, noise, share)) in enumerate(
            zip(count.tolist(), overlaps.tolist(), summaries.tolist(), strict=True)
        )
    ]


def _centers_apart2(problem: Problem) -> tuple[float, float]:
    """Return the variances with which the sides' centers lie apart, across and along the vertical.

    Maps are compared because they may show one place, so that little overlap is the exception.
    """
    one, two = problem.side1, problem.side2
    noise2 = 2.0 * problem.noise_m**2
    spread = CENTERS_APART * 0.5 * (one.radius + two.radius)
    return spread**2 + noise2, one.height**2 + two.height**2 + noise2


@dataclass(frozen=True, slots=True, eq=False)
class Refined:
    """Transforms (h, 4, 4) after refinement, and what supports each."""

    T: Floats
    rows: Ints
    """(h, most): the first ``count`` of each row are the support."""
    scores: Floats
    count: Ints
    noise: Floats


def refined(
    problem: Problem, terms: Terms, i1: Ints32, i2: Ints32, guesses: Floats, rounds: Floats
) -> Refined:
    """Return the guesses refined on the associations i1, i2, which ``terms`` belong to."""
    from commonground.localization.association._refine import refine

    T = np.array(guesses, float)
    p1, p2 = problem.side1.points, problem.side2.points
    most = min(len(i1), len(p1), len(p2))
    rows, scores = np.empty((len(T), most), np.int64), np.empty((len(T), most))
    matched = (p1, p2, i1, i2, terms.var_h, terms.var_v, terms.base)
    prior = (problem.upright, rounds, NOISE_PRIOR, NOISE_FLOOR)
    count, noise = refine(T, *matched, *prior, rows, scores)
    return Refined(T, rows, scores, count, noise)


def _corners(problem: Problem) -> Floats:
    """Return points (4, 3) of side 1 whose images tell transforms apart."""
    r = max(problem.side1.radius, problem.noise_m)
    return r * np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0], [-1.0, -1.0, -1.0]])
