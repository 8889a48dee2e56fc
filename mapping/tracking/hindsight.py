"""The smoothed trajectory: each pose as the sliding window estimated it last.

What is seen is mapped at the pose that its image had when it came. The images of the next meters tell more of
that pose: it settles while it moves through the window of the compass (``distant``). How the robot came from
one place to the next is told by the settled path; where things were mapped, by the poses of the time.
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.geometry import from_yaw


class Hindsight:
    """Poses of the images that were kept, when they came and settled."""

    KEPT = ("stamps_ns", "came", "left", "settled")

    def __init__(self) -> None:
        self.stamps_ns: list[int] = []
        self.came: list[Floats] = []
        """(x, y, heading) as mapped."""
        self.left: list[Floats] = []
        """(x, y, heading) as believed once the image was taken in; the poses after it follow from there."""
        self.settled: list[Floats] = []
        """(x, y, heading) as believed last."""

    def add(self, stamp_ns: int, T: Floats, poses: Floats) -> None:
        """Note an image's pose as it came, and those (K, 4, 4) believed now, of it and images before."""
        believed = [_flat(P) for P in poses]
        self.stamps_ns.append(stamp_ns)
        self.came.append(_flat(T))
        self.left.append(believed[-1])
        self.settled.append(believed[-1])
        self.settled[-len(believed) :] = believed

    def corrected(self, stamps_ns: Ints, poses: Floats) -> Floats:
        """Return poses (n, 4, 4) of the time as they look afterwards."""
        if not self.stamps_ns or len(poses) == 0:
            return poses
        known = np.array(self.stamps_ns, np.int64)
        settled = np.array(self.settled)
        first, last = settled - np.array(self.left), settled - np.array(self.came)
        after = np.searchsorted(known, stamps_ns)
        one, two = np.maximum(after - 1, 0), np.minimum(after, len(known) - 1)
        span = np.maximum(known[two] - known[one], 1)
        share = np.clip((stamps_ns - known[one]) / span, 0.0, 1.0)[:, None]
        moved = (1.0 - share) * _near(first[one]) + share * _near(last[two])
        moved[after == 0] = _near(last[0])
        moved[after == len(known)] = _near(first[-1])
        out = poses.copy()
        out[:, :2, 3] += moved[:, :2]
        out[:, :3, :3] = from_yaw(moved[:, 2]) @ poses[:, :3, :3]
        return out


def _flat(T: Floats) -> Floats:
    return np.array([T[0, 3], T[1, 3], np.arctan2(T[1, 2], T[0, 2])])


def _near(moved: Floats) -> Floats:
    """Return moves (…, 3) with their turn within half a circle."""
    out = moved.copy()
    out[..., 2] = (out[..., 2] + np.pi) % (2 * np.pi) - np.pi
    return out
