"""Compiled loop over the masks of all views: what one view says of each of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Floats32, Ints, Ints32
from commonground.compiled import compiled
from commonground.mapping.objects._voxels import FACTS, HITS, SegmentedImage, judge_voxels

UNSEEN, THING, SEVERAL, BARE, PASSED = range(5)
"""What a view says of a mask of another: not enough of it is seen; it is a thing or a part of one; several;
no thing, or a surface of the room; or nothing is there."""


class Limits(NamedTuple):
    """Shares of a mask's points."""

    seen: float
    """Of all points, to be seen at all."""
    one: float
    """Of the seen ones, under one mask, to be one thing there."""
    part: float
    """Of the seen ones, under a mask, for that to count as one of several."""


@compiled
def judge_members(
    points: Floats, starts: Ints, rows: Ints, image: SegmentedImage, count: int, voxel_m: float,
    limits: Limits, status: Ints32, into: Ints32,
) -> None:  # fmt: skip
    """Write what an image of ``count`` masks says of each of some sets of points, and under which mask it is.

    The points of row r are those from ``starts[r]`` to ``starts[r + 1]``.
    """
    longest = 0
    for r in rows:
        longest = max(longest, starts[r + 1] - starts[r])
    facts = np.ones((longest, FACTS), np.float32)
    facts[:, HITS] = 4.0
    verdicts, overlap = np.empty(longest, np.int32), np.empty(count + 2, np.int64)
    for r in rows:
        n = starts[r + 1] - starts[r]
        _, seen, _, passed = judge_voxels(
            points[starts[r] : starts[r + 1]], facts[:n], 0, 1, image, voxel_m, verdicts[:n],
            overlap,
        )  # fmt: skip
        status[r], into[r] = _verdict(n, seen, passed, overlap, limits)


@compiled
def _verdict(n: int, seen: int, passed: int, overlap: Ints, limits: Limits) -> tuple[int, int]:
    if passed > seen and passed >= limits.seen * n:
        return PASSED, 0
    if seen == 0 or seen < limits.seen * n:
        return UNSEEN, 0
    best, parts = 0, 0
    for k in range(1, len(overlap) - 1):
        if best == 0 or overlap[k] > overlap[best]:
            best = k
        parts += overlap[k] >= limits.part * seen
    if best and overlap[best] >= limits.one * seen:
        return THING, best
    if overlap[0] + overlap[-1] >= 0.5 * seen:
        return BARE, 0
    return (SEVERAL, 0) if parts >= 2 else (UNSEEN, 0)


@compiled
def count_votes(
    points: Floats, facts: Floats32, image: SegmentedImage, mask: int, voxel_m: float,
    count: int, own: Floats, other: Floats,
) -> None:  # fmt: skip
    """Count for each point whether an image shows it under a mask, or under none, another or as passed."""
    verdicts, overlap = np.empty(len(points), np.int32), np.empty(count + 2, np.int64)
    judge_voxels(points, facts, 0, 1, image, voxel_m, verdicts, overlap)
    for n in range(len(points)):
        if verdicts[n] == mask:
            own[n] += 1.0
        elif verdicts[n] >= -1:
            other[n] += 1.0
