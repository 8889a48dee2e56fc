"""Evidence for and against each track: that it exists, is one thing, and stands still."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.mapping.objects.association import Match, View
from commonground.mapping.objects.lifting import Sighting
from commonground.mapping.objects.settings import EvidenceSettings, MotionSettings, ObjectSettings
from commonground.mapping.objects.track import Track

CONFIRM = 0.6
"""Log-odds at which a track becomes an object of the map."""
PAIR_BOUND = 8.0
"""Bound of the evidence for or against a join."""
REST_S = 5.0
"""A moving thing that stood this long is part of the static map again."""

LEAST_VOXELS = 6
"""Fewer judged voxels say nothing of a track."""
MOSTLY = 0.5
"""Share of a track under a mask from which the mask is taken to include it."""


# ---- existence ----


def judge_absence(view: View, covered: bool, settings: ObjectSettings, travel_m: float) -> None:
    """Lower the existence of a track that should have been detected, in view and not hidden, but was not.

    ``covered``: a mask matched to another track includes this one, which speaks for it, weakly.
    """
    evidence, track = settings.evidence, view.track
    judged = view.seen + view.passed
    if judged < max(LEAST_VOXELS, 0.25 * view.sampled):
        return  # hidden, cut off by the image, or without depth: nothing is known
    drift = settings.drift * (travel_m - track.last_travel_m)
    if drift > settings.trusted_drift_m:
        return  # it may stand elsewhere in the drifted frame
    if view.passed_share > MOSTLY:
        change = -evidence.gone * view.passed_share
    elif covered:
        change = 0.25 * evidence.seen
    else:
        change = -evidence.missed * view.seen / view.sampled
    move_logit(track, change, evidence)


def move_logit(track: Track, change: float, settings: EvidenceSettings) -> None:
    """Add to a track's log-odds of existence within the bound."""
    track.logit = float(np.clip(track.logit + change, -settings.most, settings.most))


def votes_of(segments: int, own: int | None, taken: Iterable[int], bare: float) -> Floats32:
    """Return the vote on a voxel by what the image shows there: [passed, no mask, mask 1, …, surface].

    A voxel under the track's own mask belongs to it; one seen through is empty; one under the mask of
    another track belongs to that, one on a surface to none; one under no mask less so, by ``bare``. Masks
    nobody matched say nothing. A track without a mask of its own in this frame only learns what is empty or
    surface.
    """
    votes = np.zeros(segments + 3, np.float32)
    votes[0] = -1.0
    votes[segments + 2] = -0.7
    if own is None:
        return votes
    votes[1] = -bare
    for segment in taken:
        votes[segment + 1] = -1.0
    votes[own + 1] = 1.0
    return votes


# ---- one thing or two ----


class Pairs:
    """Evidence for and against two tracks being one thing, for pairs that were seen together."""

    KEPT = ("scores",)

    def __init__(self, bound: float) -> None:
        self.bound = bound
        self.scores: dict[tuple[int, int], float] = {}

    def add(self, a: Track, b: Track, amount: float) -> float:
        """Add evidence (positive: one thing) and return the total."""
        key = (min(a.number, b.number), max(a.number, b.number))
        total = float(np.clip(self.scores.get(key, 0.0) + amount, -self.bound, self.bound))
        self.scores[key] = total
        return total

    def of(self, a: Track, b: Track) -> float:
        """Return the evidence so far."""
        return self.scores.get((min(a.number, b.number), max(a.number, b.number)), 0.0)

    def drop(self, number: int) -> None:
        """Forget a track that is no more."""
        for key in [k for k in self.scores if number in k]:
            del self.scores[key]

    def inherit(self, kept: int, gone: int) -> None:
        """Hand the evidence of a track that was joined into another to that other."""
        for key in [k for k in self.scores if gone in k]:
            value = self.scores.pop(key)
            other = key[0] if key[1] == gone else key[1]
            if other != kept:
                new = (min(kept, other), max(kept, other))
                self.scores[new] = float(
                    np.clip(self.scores.get(new, 0.0) + value, -self.bound, self.bound)
                )


def compare_pairs(
    pairs: Pairs, views: Sequence[View], owner: Mapping[int, int], least_seen: int = LEAST_VOXELS
) -> list[tuple[Track, Track]]:
    """Add what this frame's masks say of every two near tracks; return those under one mask.

    One mask over most of both speaks for one thing; a mask for each speaks against it. ``owner`` maps
    a view's row to the segment it was matched to.
    """
    rows = [i for i, v in enumerate(views) if v.seen >= least_seen]
    together = []
    for a, b in near_pairs([views[i].track for i in rows]):
        first, second = views[rows[a]], views[rows[b]]
        verdict = _one_thing(views, rows[a], rows[b], owner)
        # a mere corner in view proves little
        clarity = min(1.0, 2 * min(first.seen_share, second.seen_share))
        if verdict:
            pairs.add(first.track, second.track, verdict * clarity)
        if verdict > 0:
            together.append((first.track, second.track))
    return together


def _one_thing(views: Sequence[View], i: int, j: int, owner: Mapping[int, int]) -> float:
    best_i, best_j = _main_mask(views[i]), _main_mask(views[j])
    if best_i == 0 or best_j == 0:
        return 0.0
    if best_i == best_j:
        return 1.0
    if owner.get(i) == best_i and owner.get(j) == best_j:
        return -1.0
    return 0.0


def _main_mask(view: View) -> int:
    """Return the mask over most of what is seen of a track, 0 if there is none."""
    masks = view.overlap[1:-1]
    best = 1 + int(masks.argmax()) if len(masks) else 0
    return best if best and view.covered(best) >= MOSTLY else 0


def near_pairs(tracks: Sequence[Track], margin_m: float = 0.3) -> Ints:
    """Return the pairs (m, 2) of tracks whose boxes come within a margin."""
    if len(tracks) < 2:
        return np.empty((0, 2), np.int64)
    low = np.array([t.low for t in tracks])
    high = np.array([t.high for t in tracks]) + margin_m
    meet = (low[:, None] <= high[None]).all(axis=2)
    return np.argwhere(np.triu(meet & meet.T, 1))


# ---- motion ----


def judge_motion(
    track: Track,
    sighting: Sighting,
    view: View,
    match: Match,
    stamp_ns: int,
    settings: MotionSettings,
) -> None:
    """Update where a matched track goes; it moves once it left its voxels empty and its middle shifted.

    Neither alone is enough: a new side coming into view shifts the middle, wrong depth empties voxels.
    """
    motion = track.motion
    elapsed = (stamp_ns - motion.stamp_ns) / 1e9
    center: Floats = sighting.center
    if elapsed > 0:
        step = (center - motion.center) / elapsed
        motion.velocity = 0.5 * (motion.velocity + step)
    left = view.passed_share if 1.0 - match.inside > settings.passed else 0.0
    motion.score = 0.6 * motion.score + 0.4 * left
    motion.center, motion.stamp_ns = center, stamp_ns
    # along the ground: the image border cuts tall things at changing heights
    shift = float(np.linalg.norm((center - motion.anchor)[:2]))
    extent = float((track.high - track.low)[:2].min())
    if not motion.moving:
        motion.moving = motion.score > settings.passed and shift > max(
            settings.shift_m, 0.4 * extent
        )
        motion.rest_ns = stamp_ns
    elif shift > settings.shift_m:
        motion.anchor, motion.rest_ns = center, stamp_ns
    elif stamp_ns - motion.rest_ns > REST_S * 1e9:
        motion.moving, motion.score = False, 0.0
