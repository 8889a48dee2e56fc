"""A sliding window over landmarks without depth: the compass that far things make.

Depth tells of the nearest ten meters only, and a heading known from these walks at random. Buildings, poles
and trees farther off turn with the robot and hardly move otherwise. Marks there have no depth, so
their inverse depth is estimated together with the poses of the images that saw them, in one least-squares
problem over the last meters of which the inverse depths are eliminated. The steps between the images, as
tracking found them, hold it together.
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Floats32
from commonground.frame import Intrinsics
from commonground.geometry import angle_between, exp_so3, from_yaw
from commonground.mapping.tracking._distant import (
    NEAREST,
    UNKNOWN,
    Marks,
    System,
    add_marks,
    add_steps,
    add_tilts,
    find_again,
)
from commonground.mapping.tracking._texture import strongest_gradients
from commonground.mapping.tracking.registration import BRIGHTNESS_NOISE
from commonground.mapping.tracking.settings import TrackingSettings
from commonground.mapping.tracking.view import View

PATTERN = np.array(
    sorted(
        ((i, j) for i in range(-2, 3) for j in range(-2, 3) if abs(i) + abs(j) < 4),
        key=lambda at: at[0] ** 2 + at[1] ** 2,
    ),
    np.int64,
)
"""(21, 2) rows and columns of a patch around its mark, which comes first."""
CELL_PX = 10
MARGIN_PX = 8
CLEAR_PX = 5
"""A distant mark keeps this far from what has depth: before it, near and far mix."""
LEAST_GRADIENT = 6.0
MISSES = 2
"""A mark that was another so often in a row is looked for no more."""
FEWEST = 20
"""Marks in view with which poses are corrected."""
FEWEST_SEEN = 2
"""Times that a mark must have been found, to be of use when it is in view no more."""
ERROR_PX = np.array([0.05, 0.2])
"""Error of where a mark is found beyond noise, sidewards and upwards: the latter has what the height errs."""
INVERSE_PRIOR = np.array([0.03, 0.1])
"""Inverse depth of a new mark, and its standard deviation."""
STEP_M = np.array([0.005, 0.002])
"""What steps err after a meter ahead and to the side; it grows with the square root."""
STEP_DEG = 0.03
STEP_TURN = 0.0005
"""The same of the heading, and for each radian turned."""
TILT, TILT_STEP = np.deg2rad([0.1, 0.02])
"""Radians that roll and pitch err, which gravity holds, and how much that changes within a meter."""
FIXED = 1e12
MARKS = ("hosts", "rays", "values", "inverse", "misses", "seen")


class Distant:
    """The images of the last meters, and the distant marks seen in them."""

    KEPT = ("poses", "tilts", "steps", "sigmas", *MARKS)

    def __init__(self, settings: TrackingSettings) -> None:
        self.settings = settings
        self.clear()

    def clear(self) -> None:
        size = len(PATTERN)
        self.poses = np.zeros((0, 4, 4))
        """(K, 4, 4) of the images, oldest first."""
        self.tilts = np.zeros((0, 2))
        """(K, 2) radians about x and y that they are tilted further."""
        self.steps, self.sigmas = np.zeros((0, 3)), np.zeros((0, 3))
        """(K − 1, 3) ahead, to the left and turned from image to image, and what they err."""
        self.hosts = np.zeros(0, np.int64)
        """(n,) the image that each mark was chosen in."""
        self.rays = np.zeros((0, size, 3))
        """(n, 21, 3) directions of a patch's pixels in its host."""
        self.values = np.zeros((0, size))
        """(n, 21) their brightness there."""
        self.inverse = np.zeros(0)
        """(n,) the inverse depth in the host, as estimated."""
        self.misses = np.zeros(0, np.int64)
        """(n,) how often in a row something else was there; ``MISSES`` if it is not looked for any more."""
        self.seen = np.zeros((0, 0, 5))
        """(n, K, 5) where each image has the mark, u and v, and the information about that; 0 if unseen."""

    def add(self, view: View, inverse_m: Floats32, T: Floats) -> Floats:
        """Take in an image at a pose; return the poses (K, 4, 4) of the last images, corrected.

        ``inverse_m`` tells where the image has depth, that of moving things included.
        """
        self._push(T)
        fits = self._find_marks(view)
        if fits >= FEWEST:
            self._solve(view.intrinsics)
        self._choose(view, inverse_m)
        return self.poses

    def _push(self, T: Floats) -> None:
        if len(self.poses):
            last = self.poses[-1]
            meters = max(0.1, float(np.linalg.norm(T[:3, 3] - last[:3, 3])))
            heading = np.deg2rad(STEP_DEG) * meters**0.5
            turned = STEP_TURN * float(angle_between(last, T))
            sigmas = [*(STEP_M * meters**0.5), np.hypot(heading, turned)]
            self.steps = np.concatenate([self.steps, _step(last, T)[None]])
            self.sigmas = np.concatenate([self.sigmas, np.array(sigmas)[None]])
        self.poses = np.concatenate([self.poses, T[None]])
        self.tilts = np.pad(self.tilts, ((0, 1), (0, 0)), "edge" if len(self.tilts) else "constant")
        self.seen = np.pad(self.seen, ((0, 0), (0, 1), (0, 0)))
        if len(self.poses) > self.settings.distant_images:
            self.poses, self.tilts = self.poses[1:], self.tilts[1:]
            self.steps, self.sigmas = self.steps[1:], self.sigmas[1:]
            self.hosts = self.hosts - 1
            self.seen = self.seen[:, 1:]
            self._keep(self.hosts >= 0)

    def _keep(self, rows: Bools) -> None:
        for name in MARKS:
            setattr(self, name, np.ascontiguousarray(getattr(self, name)[rows]))

    def _find_marks(self, view: View) -> int:
        """Look for the marks in the newest image; return how many were found."""
        n = len(self.hosts)
        seen, found = np.zeros((n, 5)), np.zeros(n, np.uint8)
        wanted = self.misses < MISSES
        find_again(
            self._tilted(), self._marks(), wanted, view.pictures[0], view.intrinsics,
            BRIGHTNESS_NOISE, seen, found,
        )  # fmt: skip
        fits = found == 1
        self.seen[fits, -1] = _weighted(seen[fits])
        self.misses[fits] = 0
        self.misses[wanted & (found == 2)] += 1
        self.misses[wanted & (found == 0)] = MISSES
        times = (self.seen[:, :, 2] > 0).sum(axis=1)
        self._keep((self.misses < MISSES) | (times >= FEWEST_SEEN))
        return int(fits.sum())

    def _solve(self, intrinsics: Intrinsics) -> None:
        """Correct poses and inverse depths by one Gauss–Newton step; the oldest image stays where it is.

        The next image brings the next step: what is in the window is nearly right already.
        """
        K, n = len(self.poses), len(self.hosts)
        size = UNKNOWN * K
        S, g = np.zeros((size, size)), np.zeros(size)
        C, own = np.zeros((n, size)), np.zeros((n, 2))
        system = System(S, g, C, own)
        add_marks(self._tilted(), self._marks(), self.seen, intrinsics, INVERSE_PRIOR, system)
        add_steps(self.poses, self.steps, self.sigmas, S, g)
        root_meters = self.sigmas[:, 0] / STEP_M[0]
        add_tilts(self.tilts, TILT, TILT_STEP * root_meters, S, g)
        S[range(3), range(3)] += FIXED
        x = -np.linalg.solve(S, g)
        self.inverse = np.clip(self.inverse - (own[:, 0] + C @ x) / own[:, 1], 0.0, NEAREST)
        poses, x = self.poses.copy(), x.reshape(K, UNKNOWN)
        poses[:, :2, 3] += x[:, :2]
        poses[:, :3, :3] = from_yaw(x[:, 2]) @ poses[:, :3, :3]
        self.poses, self.tilts = poses, self.tilts + x[:, 3:]

    def _marks(self) -> Marks:
        return Marks(self.hosts, self.rays, self.values, self.inverse)

    def _tilted(self) -> Floats:
        """Return the poses (K, 4, 4) of the images with their roll and pitch corrected."""
        out = self.poses.copy()
        out[:, :3, :3] = exp_so3(np.pad(self.tilts, ((0, 0), (0, 1)))) @ out[:, :3, :3]
        return out

    def _choose(self, view: View, inverse_m: Floats32) -> None:
        """Choose new marks in the newest image where none is yet."""
        h, w = view.pictures[0].shape
        taken = np.zeros((h // CELL_PX + 1, w // CELL_PX + 1), np.bool_)
        u, v = self.seen[self.seen[:, -1, 2] > 0, -1, :2].T
        taken[(v // CELL_PX).astype(int), (u // CELL_PX).astype(int)] = True
        spots = strongest_gradients(
            view.pictures[0], _without_depth(inverse_m), taken, CELL_PX, MARGIN_PX, LEAST_GRADIENT
        )
        room = self.settings.distant_marks - int((self.misses < MISSES).sum())
        if room <= 0 or len(spots) == 0:
            return
        spots = spots[:: -(-len(spots) // room)]
        fx, fy, cx, cy = view.intrinsics
        i, j = np.moveaxis(spots[:, None] + PATTERN, 2, 0)
        rays = np.stack([(j - cx) / fx, (i - cy) / fy, np.ones(i.shape)], axis=2)
        n = len(spots)
        self.hosts = np.concatenate([self.hosts, np.full(n, len(self.poses) - 1)])
        self.rays = np.concatenate([self.rays, rays])
        self.values = np.concatenate([self.values, view.pictures[0][i, j].astype(float)])
        self.inverse = np.concatenate([self.inverse, np.full(n, INVERSE_PRIOR[0])])
        self.misses = np.concatenate([self.misses, np.zeros(n, np.int64)])
        self.seen = np.concatenate([self.seen, np.zeros((n, len(self.poses), 5))])


def _without_depth(inverse_m: Floats32) -> Bools:
    """Return where (h, w) neither a pixel nor those ``CLEAR_PX`` beside it have depth."""
    import cv2

    beside = np.zeros((2 * CLEAR_PX + 1, 2 * CLEAR_PX + 1), np.uint8)
    beside[::CLEAR_PX, ::CLEAR_PX] = 1
    return np.asarray(cv2.dilate(inverse_m, beside) <= 0)


def _step(one: Floats, two: Floats) -> Floats:
    """Return (3,) how far ahead and to the left of a camera another is, and how far it is turned."""
    yaw = np.arctan2(one[1, 2], one[0, 2])
    x, y = two[:2, 3] - one[:2, 3]
    turned = np.arctan2(two[1, 2], two[0, 2]) - yaw
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([c * x + s * y, c * y - s * x, (turned + np.pi) % (2 * np.pi) - np.pi])


def _weighted(seen: Floats) -> Floats:
    """Return observations (n, 5) with the information that is left of it with common errors."""
    out = seen.copy()
    M: Floats = seen[:, [[2, 3], [3, 4]]]
    M = np.asarray(np.linalg.solve(np.eye(2) + M @ np.diag(ERROR_PX**2), M), np.float64)
    out[:, 2], out[:, 3], out[:, 4] = M[:, 0, 0], 0.5 * (M[:, 0, 1] + M[:, 1, 0]), M[:, 1, 1]
    return out
