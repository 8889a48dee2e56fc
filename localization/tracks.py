"""Hypotheses about where a robot is in a map: how they move, what supports them, what speaks against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.geometry import (
    adjoint,
    exp_se3,
    gravity_aligned,
    inverse,
    log_se3,
)
from commonground.localization.association.side import Side
from commonground.localization.nearby import FOUR, look_around, upright_gap
from commonground.localization.places import Place
from commonground.localization.settings import RelocalizerSettings

SEEN_AGAIN = np.array([0.2, 0.4, 0.6, 0.8])
"""Shares of a mapped place's objects that may be seen again, when none are."""
TILT_RAD = 0.005
NO_PAIRS = np.empty((0, 2), np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """One hypothesis, at the robot's latest submap."""

    T_map_place: Floats
    """(4, 4) upright."""
    covariance: Floats
    """(6, 6) of ξ in T_true = T_map_place exp(ξ), translation first."""
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
class Sighting:
    """What a submap says of one hypothesis: where the robot is, and how much that is worth."""

    T_map_place: Floats
    covariance: Floats
    log_evidence: float
    """Of the match by itself, as of one anywhere in the map."""
    nearness: float
    """What it gains by lying where the hypothesis says."""
    pairs: Ints
    """(k, 2) rows of the robot's and of the map's objects seen again; none is a miss."""


def moved(track: Track, T_before_now: Floats, settings: RelocalizerSettings) -> Track:
    """Return the track after odometry: the covariance grows with the distance driven, evidence fades."""
    far = float(np.linalg.norm(T_before_now[:3, 3]))
    A = adjoint(inverse(T_before_now))
    slide = (settings.drift * far) ** 2 + 1e-6
    turn = np.radians(settings.drift_yaw_deg_per_m * far) ** 2 + 1e-8
    tilt = TILT_RAD**2
    grown = A @ track.covariance @ A.T + np.diag([slide, slide, 0.25 * slide, tilt, tilt, turn])
    return replace(
        track,
        T_map_place=gravity_aligned(track.T_map_place @ T_before_now),
        covariance=grown,
        log_odds=settings.memory * track.log_odds,
        since_m=track.since_m + far,
    )


def look_near(
    track: Track,
    place: Place,
    mapped: Place,
    ratios: Floats32,
    settings: RelocalizerSettings,
    noise_m: float,
) -> Sighting:
    """Return what a submap says of a track: the best mode near it, weighed by how near, or a miss.

    ``ratios`` (k1, k2) are those of the looks of the submap's objects against the mapped place's.
    """
    expected = inverse(mapped.T_map_place) @ track.T_map_place
    sights = look_around(place, mapped, ratios, expected, track.covariance, noise_m)
    miss = _miss(place.side, mapped.side, expected, settings)
    if not sights or sights[0].total <= miss:
        return Sighting(track.T_map_place, track.covariance, miss, 0.0, NO_PAIRS)
    best = sights[0]
    T = mapped.T_map_place @ best.T21
    return Sighting(T, best.covariance, best.log_evidence, best.nearness, best.pairs)


def _miss(one: Side, two: Side, T21: Floats, settings: RelocalizerSettings) -> float:
    """Return the log evidence of seeing nothing again of what should be there."""
    guess = two.T_side_given @ T21 @ inverse(one.T_side_given)
    images = one.points @ guess[:2, :3].T + guess[:2, 3]
    expected = int(((images**2).sum(axis=1) < two.radius**2).sum())
    expected = min(expected, len(two))
    each = expected * np.log1p(-SEEN_AGAIN)
    return max(float(np.logaddexp.reduce(each) - np.log(len(each))), settings.least)


def supported(
    track: Track, sighting: Sighting, echo: float, settings: RelocalizerSettings
) -> Track:
    """Return the track after a sighting: a Kalman update where it agrees, less belief where it does not.

    ``echo`` is the log evidence of the best match elsewhere: what a place that repeats itself reaches
    without being the right one. Only what goes beyond it counts.
    """
    rows = frozenset(sighting.pairs[:, 1].tolist())
    gain = min(sighting.log_evidence + sighting.nearness, sighting.log_evidence - echo)
    gain = max(gain, settings.least)
    kept = track.log_odds
    if not rows or gain <= 0.0:
        belief = track.belief + gain
        odds = kept + gain if belief >= settings.localized else min(kept + gain, belief)
        return replace(track, log_odds=odds, belief=belief)
    fresh = len(rows - track.objects) / len(rows)
    P, R = track.covariance, sighting.covariance
    K = P @ np.linalg.inv(P + R)
    xi = log_se3(inverse(track.T_map_place) @ sighting.T_map_place)
    # what was seen before is not measured anew: correlated sightings must not shrink the covariance
    shrunk = (np.eye(6) - max(fresh, 0.2) * K) @ P
    return Track(
        T_map_place=gravity_aligned(track.T_map_place @ exp_se3(K @ xi)),
        covariance=0.5 * (shrunk + shrunk.T),
        log_odds=kept + fresh * gain,
        belief=min(max(track.belief, 0.0) + fresh * gain, settings.most),
        supports=track.supports + (fresh > 0.2),
        since_m=0.0,
        objects=frozenset(rows | track.objects) if fresh < 0.5 else rows,
    )


def same(one: Track, T_map_place: Floats, covariance: Floats) -> bool:
    """Return whether a pose is that of a track, within what both leave open (chi-square of 4 at 0.9999)."""
    xi = upright_gap(one.T_map_place, T_map_place)
    S = (one.covariance + covariance)[FOUR]
    return bool(xi @ np.linalg.solve(S, xi) < 23.5)


def merged(tracks: Sequence[Track], settings: RelocalizerSettings) -> list[Track]:
    """Return the tracks worth keeping, the likeliest first, none the same as another."""
    kept: list[Track] = []
    alive = [track for track in tracks if track.belief > settings.least]
    for track in sorted(alive, key=lambda t: -t.log_odds):
        if len(kept) == settings.hypotheses:
            break
        if not any(same(other, track.T_map_place, track.covariance) for other in kept):
            kept.append(track)
    return kept
