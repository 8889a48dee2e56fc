"""Acceptance test of the best transform: confidence, covariance and the reason of a refusal."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats
from commonground.localization.association.correspondences import TILT, Correspondences
from commonground.localization.association.distortion import distorted, mirrored
from commonground.localization.association.modes import Mode
from commonground.localization.association.problem import Problem
from commonground.localization.association.result import Association, Verdict

# Confidence: log-odds fitted once on scattered maps and campus submaps of many sizes and overlaps.
CHANCE_SLOPE, RIVAL_SLOPE = 0.69, 0.59
"""Log-odds against chance per unit of log evidence, and against the runner-up per unit of lead."""
EVEN = {
    (True, True): (-0.8, 1.5),
    (False, True): (-0.8, 1.5),
    (True, False): (-3.7, 0.0),
    (False, False): (0.7, 4.0),
}
"""(gravity known, appearance known): the log evidence, and the lead, at which right and wrong are even."""
SURPLUS_WORTH = 2.5
"""The most log evidence that counts for each object beyond those that any transform can be fitted to."""
# Acceptance: an error is much worse than a miss, so what is accepted is not just what is likely.
LEAST_CONFIDENCE = 0.9
LEAST_EVIDENCE = 9.0
"""Unrelated scattered maps reach it never; submaps of streets full of copies, in 300 to 60."""
LEAST_LEAD = 4.6
LEAST_OBJECTS = 4
ECHO = 0.25
"""Share of the runner-up's support by which the lead must be longer: it proves that the place repeats itself,
and then a few objects more or less are no proof, as each map misses some."""
COMPLETE = 0.7
"""Share of the overlap's objects that agree, from which a match is meant even if there are few objects."""
UNLIKE = -2.0
"""Median log-likelihood ratio of appearance below which a layout that agrees is refused."""
CHOSEN = 0.85
"""Probability from which an association is listed."""
RIGHT_M, RIGHT_DEG = 1.0, 5.0
"""What "right" means: the error at the objects' center, and of the rotation."""


def nothing(noise_m: float = 0.0) -> Association:
    """Return the answer where nothing can be associated."""
    none = np.empty(0, np.int64)
    return Association(
        rows=none,
        pairs=none.reshape(0, 2),
        probabilities=np.empty(0),
        T_2_1=np.eye(4),
        covariance=np.eye(6) * 1e6,
        confidence=0.0,
        verdict=Verdict.CHANCE,
        log_evidence=-np.inf,
        margin=0.0,
        noise_m=noise_m,
    )


def decide(
    problem: Problem, matches: Correspondences, modes: list[Mode], appearance: Floats
) -> Association:
    """Return the best mode as an answer, with its confidence and the reason if it is refused."""
    from commonground.localization.association._answer import as_given

    if not modes:
        return nothing(problem.noise_m)
    best = modes[0]
    probability = best.probability
    covariance = center_covariance(matches, best, probability)
    exact = _within_tolerance(covariance)
    lead = min((best.log_evidence - other.log_evidence for other in modes[1:]), default=np.inf)
    surplus = len(best.rows) - (2 if problem.upright else 3)
    chance_even, rival_even = EVEN[problem.upright, bool(appearance.any())]
    counted = min(best.log_evidence, chance_even + SURPLUS_WORTH * surplus)
    against = np.exp(-log_odds_of_chance(counted, chance_even))
    against += np.exp(-log_odds_of_rival(float(lead), rival_even))
    confidence = exact / (1.0 + against)
    verdict = _verdict(matches, modes, confidence, appearance)
    if verdict in (Verdict.INCONSISTENT, Verdict.UNLIKE):
        confidence *= 0.1
    chosen = np.flatnonzero(probability > CHOSEN)
    chosen = chosen[np.argsort(problem.rows[best.rows[chosen]])]
    rows = best.rows[chosen]
    s1, s2 = problem.side1, problem.side2
    T_2_1, spread = as_given(s1.T_side_given, s2.T_side_given, best.T, covariance)
    return Association(
        rows=problem.rows[rows].astype(np.int64),
        pairs=np.stack([s1.kept[problem.i1[rows]], s2.kept[problem.i2[rows]]], axis=1).astype(
            np.int64
        ),
        probabilities=probability[chosen],
        T_2_1=T_2_1,
        covariance=spread,
        confidence=float(confidence),
        verdict=verdict,
        log_evidence=best.log_evidence,
        margin=float(lead),
        noise_m=problem.noise_m * float(np.sqrt(best.noise)),
    )


def log_odds_of_chance(log_evidence: float, even: float = EVEN[True, True][0]) -> float:
    """Return the log-odds of a transform with this evidence against coincidence."""
    return CHANCE_SLOPE * (log_evidence - even)


def log_odds_of_rival(lead: float, even: float = EVEN[True, True][1]) -> float:
    """Return the log-odds of a transform against the runner-up, by its lead in log evidence."""
    return RIVAL_SLOPE * (lead - even)


def _verdict(
    matches: Correspondences, modes: list[Mode], confidence: float, appearance: Floats
) -> Verdict:
    best = modes[0]
    lead = min(
        (best.log_evidence - other.log_evidence - ECHO * other.support for other in modes[1:]),
        default=np.inf,
    )
    complete = len(best.rows) >= max(4, COMPLETE * best.overlap)
    if best.log_evidence < LEAST_EVIDENCE and not (complete and lead < 0.0):
        return Verdict.CHANCE
    reflected = mirrored(matches, best)
    # with gravity known a mirror image fits many ways a little; without it, a flip is one of several ways
    if lead < LEAST_LEAD and not (reflected and matches.upright):
        return Verdict.AMBIGUOUS
    if reflected or distorted(matches, best):
        return Verdict.INCONSISTENT
    if float(np.median(appearance[best.rows])) < UNLIKE:
        return Verdict.UNLIKE
    if confidence < LEAST_CONFIDENCE or len(best.rows) < LEAST_OBJECTS:
        return Verdict.UNOBSERVABLE
    return Verdict.ACCEPTED


def center_covariance(matches: Correspondences, mode: Mode, probability: Floats) -> Floats:
    """Return the covariance (6, 6) of ξ in T_true = T exp(ξ), in side 1's centered frame.

    ``probability`` (k,) is that of the mode's associations.
    """
    from commonground.localization.association._answer import covariance_of

    turn = 3.0 / np.pi**2  # a turn that nothing fixes is uniform
    tilt = 1.0 / (2.0 * TILT**2) if matches.upright else 0.0
    return covariance_of(mode.rows, probability, mode.noise, matches, turn, tilt)


def _within_tolerance(covariance: Floats) -> float:
    """Return the probability that an error of this covariance is within what counts as right."""
    return _below(covariance, 0, RIGHT_M) * _below(covariance, 3, np.radians(RIGHT_DEG))


def _below(covariance: Floats, first: int, radius: float) -> float:
    """Return P(|x| < radius) for three components x ~ N(0, covariance), from the first on.

    A scaled chi-square of the same two moments stands for the distribution.
    """
    from scipy.special import gammainc

    from commonground.localization.association._answer import moments

    mean, variance = moments(covariance, first)
    if mean <= 0:
        return 1.0
    return float(gammainc(mean**2 / variance, radius**2 * mean / variance))
