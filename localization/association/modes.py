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
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.localization.association.correspondences import Candidates, Correspondences
from commonground.localization.association.problem import Problem

if TYPE_CHECKING:
    from commonground.localization.association._search import PosePrior

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
    problem: Problem, matches: Correspondences, candidates: Candidates, guesses: Floats
) -> list[Mode]:
    """Return the distinct peaks near the guesses (h, 4, 4), the one with most evidence first."""
    from commonground.localization.association._refine import NoisePrior
    from commonground.localization.association._search import SearchSettings, search

    if not len(guesses):
        return []
    noise = NoisePrior(NOISE_PRIOR, NOISE_FLOOR)
    how = SearchSettings(problem.noise_m, GUESSES, PEAKS, APPROACH, POLISH, noise, SEEN_AGAIN)
    peaks = search(guesses, _corners(problem), candidates.rows, matches, _prior(problem), how)
    return [
        Mode(
            T=peaks.T[k],
            log_evidence=float(peaks.log_evidence[k]),
            rows=peaks.rows[k, :n],
            scores=peaks.scores[k, :n],
            share=float(peaks.share[k]),
            noise=float(peaks.noise[k]),
            overlap=int(peaks.overlap[k]),
            log_prior=float(peaks.log_prior[k]),
        )
        for k, n in enumerate(peaks.supports.tolist())
    ]


def _prior(problem: Problem) -> PosePrior:
    """Return how the sides lie to one another before anything is compared.

    Maps are compared because they may show one place, so that little overlap is the exception.
    """
    from commonground.localization.association._search import PosePrior

    one, two = problem.side1, problem.side2
    noise2 = 2.0 * problem.noise_m**2
    spread = CENTERS_APART * 0.5 * (one.radius + two.radius)
    var_v = one.height**2 + two.height**2 + noise2
    return PosePrior((1.1 * two.radius) ** 2, spread**2 + noise2, var_v)


def support_of(matches: Correspondences, T: Floats) -> Floats:
    """Return the log-likelihood ratios (k,) of what supports a transform (4, 4) once it is refined."""
    from commonground.localization.association._refine import NoisePrior, refine

    most = min(len(matches.i1), len(matches.p1), len(matches.p2))
    rows, scores = np.empty((1, most), np.int64), np.empty((1, most))
    prior = NoisePrior(NOISE_PRIOR, NOISE_FLOOR)
    count, _ = refine(T[None].copy(), matches, POLISH, prior, rows, scores)
    return np.asarray(scores[0, : count[0]])


def _corners(problem: Problem) -> Floats:
    """Return points (4, 3) of side 1 whose images tell transforms apart."""
    r = max(problem.side1.radius, problem.noise_m)
    return r * np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0], [-1.0, -1.0, -1.0]])
