"""Where a robot is at any time of a plan, and how near two robots come, exactly between all waypoints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.planning.robots.lines import meters_of
from commonground.planning.scene.plan import Action

MARGIN_M = 0.05
"""Robots keep the sum of their radii and this much more between their centers."""
HEIGHT_M = 1.5
"""Robots this far above each other, on two floors, are in nobody's way."""


class Track(NamedTuple):
    """The motion of one robot, linear from one time to the next; it stays where it is at last."""

    time_s: Floats
    """(k,) not decreasing, the first is 0."""
    points: Floats
    """(k, 3)"""

    @staticmethod
    def of(start: Floats, actions: Sequence[Action]) -> Track:
        """Return the track of a robot that stands at a point (3,) and then acts."""
        times, points = [np.zeros(1)], [np.asarray(start, float)[None]]
        for action in actions:
            line = np.asarray(action.path_map, float)
            gone = meters_of(line)
            share = gone / gone[-1] if gone[-1] > 0 else np.zeros(len(line))
            times.append(action.start_s + share * (action.end_s - action.start_s))
            points.append(line)
        return Track(np.concatenate(times), np.concatenate(points))

    def at(self, time_s: Floats) -> Floats:
        """Return the positions (m, 3) at some times."""
        columns = [np.interp(time_s, self.time_s, self.points[:, c]) for c in range(3)]
        return np.stack(columns, axis=1)


class Approach(NamedTuple):
    """The moment at which two robots are nearest to each other on the ground."""

    meters: float
    time_s: float


def closest(a: Track, b: Track) -> Approach:
    """Return how near two robots come; only while neither is above the other by more than a body's height.

    Between two neighboring times of either track both move linearly, so their squared distance is a parabola
    whose least value is known in closed form.
    """
    times = np.unique(np.concatenate([a.time_s, b.time_s]))
    gap = a.at(times) - b.at(times)
    first, step = gap, np.diff(gap, axis=0, append=gap[-1:])
    low, high = _same_height(first[:, 2], step[:, 2])
    flat, along = first[:, :2], step[:, :2]
    length2 = np.maximum((along**2).sum(axis=1), 1e-18)
    best = np.clip(-(flat * along).sum(axis=1) / length2, low, np.maximum(low, high))
    meters = np.linalg.norm(flat + best[:, None] * along, axis=1)
    meters = np.where(low <= high, meters, np.inf)
    k = int(meters.argmin())
    lasts = np.diff(times, append=times[-1:])
    return Approach(float(meters[k]), float(times[k] + best[k] * lasts[k]))


def _same_height(rise: Floats, change: Floats) -> tuple[Floats, Floats]:
    """Return the part of each unit interval in which |rise + s change| stays below a body's height."""
    moving = np.abs(change) > 1e-12
    safe = np.where(moving, change, 1.0)
    ends = np.stack([(-HEIGHT_M - rise) / safe, (HEIGHT_M - rise) / safe])
    level = np.abs(rise) < HEIGHT_M
    low = np.where(moving, np.clip(ends.min(axis=0), 0.0, None), np.where(level, 0.0, 2.0))
    high = np.where(moving, np.clip(ends.max(axis=0), None, 1.0), np.where(level, 1.0, -1.0))
    return low, high
