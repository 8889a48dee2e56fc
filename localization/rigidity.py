"""Whether what agrees on a transform between two maps is what one rigid body would show twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import apply
from commonground.localization.association.distortion import SIGNIFICANT, TILT_DEG
from commonground.localization.association.result import Verdict
from commonground.localization.matching import Match
from commonground.localization.places import Place

MOST = 0.5
"""Share of the evidence that comes from matches which show a mirror image, a stretch or a lean."""
FEWEST = 8
"""Fewer pairs of objects say nothing of how residuals lie."""
ROUND = 6.0
"""By so much the mean squared residual along one axis may exceed what is stated, and that along the others.

Objects seen from two sides are off by more than stated, but not along one axis of the map alone.
"""
CLIMB = 0.015
"""Standard deviation of the height that odometry gains by mistake, as a share of the travel."""


def is_rigid(matches: Sequence[Match], places1: Sequence[Place], places2: Sequence[Place]) -> bool:
    """Return whether the maps that agreeing matches lay on one another can be one rigid body.

    However alike things look, a mirror image, a stretched map or one that leans is none: most matches say so
    each by itself, or what is left between the objects lies along one axis. Or the maps lean to one another.
    """
    if leans(matches, places1, places2):
        return False
    evidence = np.array([m.association.log_evidence for m in matches])
    bent = np.array([m.association.verdict is Verdict.INCONSISTENT for m in matches])
    if evidence[bent].sum() > MOST * evidence.sum():
        return False
    left = _left_over(matches, places1, places2)
    if len(left) < FEWEST:
        return True
    *others, widest = np.linalg.eigvalsh(left.T @ left / len(left)).tolist()
    return bool(widest <= ROUND * max(1.0, *others))


def leans(matches: Sequence[Match], places1: Sequence[Place], places2: Sequence[Place]) -> bool:
    """Return whether what is the same differs in height by the more the farther it lies to one side.

    Matches that turn about the vertical alone pick objects for which a lean makes no difference: none shows
    it by itself, but from one match to the next the heights then differ. So they do where odometry climbs or
    sinks by mistake, which goes with the travel.
    """
    if not all(m.T_map2_map1[2, 2] > 1.0 - 1e-9 for m in matches):
        return False  # up is not taken to be known
    rows, rise = [np.empty((0, 5))], [np.empty(0)]
    for match, i, j in _pairs(matches, places1, places2):
        one, two = places1[match.place1], places2[match.place2]
        at_1, at_2 = apply(one.T_map_place, one.points[i]), apply(two.T_map_place, two.points[j])
        on = np.ones(len(i))
        rows.append(np.c_[at_1[:, :2], on * one.travel_m, on * two.travel_m, on])
        rise.append(at_2[:, 2] - at_1[:, 2])
    A, b = np.concatenate(rows), np.concatenate(rise)
    if len(b) < FEWEST:
        return False
    A[:, :4] -= A[:, :4].mean(axis=0)
    # what odometry climbs is known to be little, so that it explains a drift and no lean
    known2 = np.array([np.inf, np.inf, CLIMB**2, CLIMB**2, np.inf])
    spread2 = max(float(b.var()), 1e-6)
    for _ in range(2):
        C = np.linalg.pinv(A.T @ A + np.diag(spread2 / known2))
        fit = C @ A.T @ b
        spread2 = max(float(((b - A @ fit) ** 2).sum()) / max(len(b) - 3, 1), 1e-6)
    slope = fit[:2]
    steep = float(np.linalg.norm(slope))
    sigma = float(np.sqrt(spread2 * (slope @ C[:2, :2] @ slope))) / max(steep, 1e-12)
    return bool(steep > max(np.tan(np.radians(TILT_DEG)), SIGNIFICANT * sigma))


def _pairs(
    matches: Sequence[Match], places1: Sequence[Place], places2: Sequence[Place]
) -> Iterator[tuple[Match, list[int], list[int]]]:
    """Yield each match with the rows, among the objects of its places, of the pairs no better one had."""
    seen: set[tuple[int, int]] = set()
    for match in sorted(matches, key=lambda m: -m.association.log_evidence):
        one, two = places1[match.place1], places2[match.place2]
        own = dict(zip(one.rows.tolist(), range(len(one)), strict=True))
        theirs = dict(zip(two.rows.tolist(), range(len(two)), strict=True))
        fresh = [pair for pair in map(tuple, match.association.pairs.tolist()) if pair not in seen]
        seen.update(fresh)
        yield match, [own[a] for a, _ in fresh], [theirs[b] for _, b in fresh]


def _left_over(
    matches: Sequence[Match], places1: Sequence[Place], places2: Sequence[Place]
) -> Floats:
    """Return the residuals (k, 3) of all pairs of objects, each once, in stated standard deviations."""
    out = [np.empty((0, 3))]
    for match, i, j in _pairs(matches, places1, places2):
        one, two = places1[match.place1], places2[match.place2]
        gap = apply(match.association.T_2_1, one.points[i]) - two.points[j]
        across = one.side.var_h[i] + two.side.var_h[j]
        up = one.side.var_v[i] + two.side.var_v[j]
        out.append(gap / np.sqrt(np.stack([across, across, up], axis=1)))
    return np.concatenate(out)
