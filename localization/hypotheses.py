"""Pose hypotheses of a robot in a map: prediction by odometry, update by a submap, pruning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.geometry import adjoint, exp_se3, gravity_aligned, inverse, log_se3
from commonground.localization.association.side import Side
from commonground.localization.nearby import FOUR, match_nearby, upright_gap
from commonground.localization.places import Place
from commonground.localization.registration import DRIFT_YAW_DEG_PER_M
from commonground.localization.settings import RelocalizerSettings

SEEN_AGAIN = np.array([0.2, 0.4, 0.6, 0.8])
"""Shares of a mapped place's objects that may be seen again, when none are."""
TILT_RAD = 0.005
STEADY_M = 25.0
"""Meters over which odometry errs about alike: so far its error grows with the way, beyond with the root."""
NO_PAIRS = np.empty((0, 2), np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    """One hypothesis, at the robot's latest submap."""

    T_map_place: Floats
    """(4, 4) upright."""
    covariance: Floats
    """(6, 6) of ξ in T_true = T_map_place exp(ξ), translation first, without the odometry ``behind_m``."""
    behind_m: float
    """Travel since the objects were seen that tell the pose: it holds there; odometry leads on from it."""
    log_odds: float
    """All that spoke for it, fading: against the other hypotheses."""
    belief: float
    """The same against the robot being somewhere else by now: bounded, since robots are carried and slip."""
    supports: int
    """Submaps that agreed."""
    since_m: float
    """Travel since one did."""
    objects: frozenset[int]
    """The map's objects that were seen again lately: they prove nothing a second time."""


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """What a submap says of one hypothesis: where the robot is, and how much that is worth."""

    T_map_place: Floats
    covariance: Floats
    behind_m: float
    """Travel since its objects were seen."""
    log_evidence: float
    """Of the match by itself, as of one anywhere in the map."""
    nearness: float
    """What it gains by lying where the hypothesis says."""
    pairs: Ints
    """(k, 2) rows of the robot's and of the map's objects seen again; none is a miss."""


def slipped(travel_m: float, settings: RelocalizerSettings) -> Floats:
    """Return what odometry adds (6, 6) to the covariance of a pose on so much travel."""
    m = abs(travel_m) / STEADY_M
    way2 = (
        2.0 * STEADY_M**2 * (m + np.expm1(-m))
    )  # of an error that wanders, at first the travel squared
    slide = settings.drift_m_per_m**2 * way2 + 1e-6
    turn = np.radians(DRIFT_YAW_DEG_PER_M) ** 2 * way2 + 1e-8
    return np.diag([slide, slide, 0.25 * slide, TILT_RAD**2, TILT_RAD**2, turn])


def spread(hypothesis: Hypothesis, settings: RelocalizerSettings) -> Floats:
    """Return the covariance (6, 6) of a hypothesis where the robot is now."""
    return np.asarray(hypothesis.covariance + slipped(hypothesis.behind_m, settings))


def moved(
    hypothesis: Hypothesis, T_before_now: Floats, settings: RelocalizerSettings
) -> Hypothesis:
    """Return the track after odometry: what tells its pose lies farther behind, evidence fades."""
    far = float(np.linalg.norm(T_before_now[:3, 3]))
    A = adjoint(inverse(T_before_now))
    return replace(
        hypothesis,
        T_map_place=gravity_aligned(hypothesis.T_map_place @ T_before_now),
        covariance=A @ hypothesis.covariance @ A.T,
        behind_m=hypothesis.behind_m + far,
        log_odds=settings.kept_per_submap * hypothesis.log_odds,
        since_m=hypothesis.since_m + far,
    )


def observe_near(
    hypothesis: Hypothesis,
    place: Place,
    mapped: Place,
    ratios: Floats32,
    settings: RelocalizerSettings,
    noise_m: float,
    behind: Callable[[Ints], float],
) -> Observation:
    """Return what a submap says of a track: the best mode near it, weighed by how near, or a miss.

    ``ratios`` (k1, k2) are those of the appearance of the submap's objects against the mapped place's;
    ``behind`` tells the travel since some rows of the robot's objects were seen.
    """
    expected = inverse(mapped.T_map_place) @ hypothesis.T_map_place
    found = match_nearby(place, mapped, ratios, expected, spread(hypothesis, settings), noise_m)
    miss = _miss(place.side, mapped.side, expected, settings)
    if not found or found[0].total <= miss:
        return Observation(hypothesis.T_map_place, hypothesis.covariance, 0.0, miss, 0.0, NO_PAIRS)
    best = found[0]
    T, seen_m = mapped.T_map_place @ best.T_2_1, behind(best.pairs[:, 0])
    return Observation(T, best.covariance, seen_m, best.log_evidence, best.nearness, best.pairs)


def _miss(one: Side, two: Side, T_2_1: Floats, settings: RelocalizerSettings) -> float:
    """Return the log evidence of seeing nothing again of what should be there."""
    guess = two.T_side_given @ T_2_1 @ inverse(one.T_side_given)
    images = one.points @ guess[:2, :3].T + guess[:2, 3]
    expected = int(((images**2).sum(axis=1) < two.radius**2).sum())
    expected = min(expected, len(two))
    each = expected * np.log1p(-SEEN_AGAIN)
    return max(float(np.logaddexp.reduce(each) - np.log(len(each))), settings.min_log_odds)


def updated(
    hypothesis: Hypothesis, observation: Observation, echo: float, settings: RelocalizerSettings
) -> Hypothesis:
    """Return the track after a observation: a Kalman update where it agrees, less belief where it does not.

    ``echo`` is the log evidence of the best match elsewhere: what a place that repeats itself reaches
    without being the right one. Only what goes beyond it counts.
    """
    rows = frozenset(observation.pairs[:, 1].tolist())
    gain = min(observation.log_evidence + observation.nearness, observation.log_evidence - echo)
    gain = max(gain, settings.min_log_odds)
    kept = hypothesis.log_odds
    if not rows or gain <= 0.0:
        belief = hypothesis.belief + gain
        odds = kept + gain if belief >= settings.localized_log_odds else min(kept + gain, belief)
        return replace(hypothesis, log_odds=odds, belief=belief)
    fresh = len(rows - hypothesis.objects) / len(rows)
    # both are weighed where the objects were seen; the odometry from there on is in neither
    P = hypothesis.covariance + slipped(hypothesis.behind_m - observation.behind_m, settings)
    R = observation.covariance
    K = P @ np.linalg.inv(P + R)
    xi = log_se3(inverse(hypothesis.T_map_place) @ observation.T_map_place)
    # what was seen before is not measured anew: correlated observations must not shrink the covariance
    shrunk = (np.eye(6) - max(fresh, 0.2) * K) @ P
    return Hypothesis(
        T_map_place=gravity_aligned(hypothesis.T_map_place @ exp_se3(K @ xi)),
        covariance=0.5 * (shrunk + shrunk.T),
        behind_m=observation.behind_m,
        log_odds=kept + fresh * gain,
        belief=min(max(hypothesis.belief, 0.0) + fresh * gain, settings.max_log_odds),
        supports=hypothesis.supports + (fresh > 0.2),
        since_m=0.0,
        objects=frozenset(rows | hypothesis.objects) if fresh < 0.5 else rows,
    )


def same(one: Hypothesis, two: Hypothesis, settings: RelocalizerSettings) -> bool:
    """Return whether two tracks tell one pose, within what both leave open (chi-square of 4 at 0.9999)."""
    xi = upright_gap(one.T_map_place, two.T_map_place)
    S = (spread(one, settings) + spread(two, settings))[FOUR]
    return bool(xi @ np.linalg.solve(S, xi) < 23.5)


def merged(hypotheses: Sequence[Hypothesis], settings: RelocalizerSettings) -> list[Hypothesis]:
    """Return the tracks worth keeping, the likeliest first, none the same as another."""
    kept: list[Hypothesis] = []
    alive = [hypothesis for hypothesis in hypotheses if hypothesis.belief > settings.min_log_odds]
    for hypothesis in sorted(alive, key=lambda t: -t.log_odds):
        if len(kept) == settings.max_hypotheses:
            break
        if not any(same(other, hypothesis, settings) for other in kept):
            kept.append(hypothesis)
    return kept
