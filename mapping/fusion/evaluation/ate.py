"""Absolute trajectory error of a team: one rigid alignment per frame, then the root mean square."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.geometry import align_points, apply


def team_ate(found: Sequence[Floats], true: Sequence[Floats], frame: Ints) -> float:
    """Return the error of robots in the frames (r,) numbered: each frame is aligned on its own.

    A robot left in a frame of its own so shows its drift alone, not where it began, which it cannot know.
    """
    total, count = 0.0, 0
    for number in np.unique(frame):
        robots = np.flatnonzero(frame == number).tolist()
        n = sum(len(found[r]) for r in robots)
        total += n * joint_ate([found[r] for r in robots], [true[r] for r in robots]) ** 2
        count += n
    return float(np.sqrt(total / max(count, 1)))


def joint_ate(found: Sequence[Floats], true: Sequence[Floats]) -> float:
    """Return the error in meters of robots' paths (k, 4, 4), aligned at once and rigidly, as evo has it."""
    one, two = (np.concatenate([path[:, :3, 3] for path in paths]) for paths in (found, true))
    gap = np.linalg.norm(apply(align_points(one, two), one) - two, axis=1)
    return float(np.sqrt((gap**2).mean()))
