"""Whether the ground leans with the camera: then the camera is mounted otherwise than it is said to be.

A slope of the ground leans to one side of the world: seen from a robot that turns, it leans to another side
each time. What leans to the same side of the camera wherever it looks is not the ground. Along the way that
was driven, ground counts as leaning only where it does not rise as the way does.
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats
from commonground.frame import Frame

APART_M, APART_DEG = 0.3, 10.0
"""Frames that are taken nearer to one another tell the same."""
ROWS = 60
"""Rows of an image that are looked at."""
STEEP_DEG = 40.0
"""What is steeper is no ground."""
BELOW_M = 0.1
"""Ground is so far below the camera."""
LEAST_SHARE = 0.15
"""Share of an image that must be ground."""
FIRST, LEAST = 40, 20
"""Frames after which something is said for the first time, and which it takes."""
TURNED = 0.85
"""Length of the mean direction of view up to which a robot has turned."""
CLEAR = 3.0
"""Times that it exceeds the spread in the view; a slope of the world is spread there by turning."""
LEAN_DEG = 6.0
"""Mounts that are off by less are what calibration is like."""


class Leaning:
    """Collects how the ground leans in the view of each frame."""

    KEPT = ("found", "told", "before")

    def __init__(self) -> None:
        self.found: list[Floats] = []
        """Of each frame how the ground rises ahead and to the left, and where ahead is (x, y)."""
        self.told = False
        self.before: Floats | None = None
        """Pose (4, 4) of the frame before."""

    def add(self, frame: Frame) -> str:
        """Take in a frame at its pose; return what to say."""
        T, before = frame.T_odom_cam, self.before
        if self.told or not (before is None or _apart(before, T)):
            return ""
        self.before = T
        slope = ground_slope(frame)
        ahead = T[:2, 2]
        if slope is None or np.linalg.norm(ahead) < 0.2:
            return ""
        ahead = ahead / np.linalg.norm(ahead)
        slope = slope if before is None else _beside_the_way(slope, T[:3, 3] - before[:3, 3])
        left = np.array([-ahead[1], ahead[0]])
        self.found.append(np.array([slope @ ahead, slope @ left, *ahead]))
        return self.judged() if len(self.found) == FIRST else ""

    def cut(self) -> None:
        """Forget where the camera was: the next frames lie in another frame of odometry."""
        self.before = None

    def judged(self) -> str:
        """Return in one line how the ground leans with the camera, once; empty if it does not."""
        if self.told or len(self.found) < LEAST:
            return ""
        found = np.array(self.found)
        slopes, views = found[:, :2], found[:, 2:]
        lean = np.median(slopes, axis=0)
        spread = np.median(np.linalg.norm(slopes - lean, axis=1))
        size = float(np.linalg.norm(lean))
        if np.linalg.norm(views.mean(axis=0)) > TURNED or size < CLEAR * spread:
            return ""
        if np.rad2deg(np.arctan(size)) < LEAN_DEG:
            return ""
        self.told = True
        ways = ("ahead of", "behind"), ("to the left of", "to the right of")
        axis = int(np.abs(lean).argmax())
        return (
            f"the ground rises by {np.rad2deg(np.arctan(size)):.0f}° {ways[axis][int(lean[axis] < 0)]} the "
            "camera wherever it looks: is it mounted on the robot as T_robot_cam or /tf_static say, and does "
            "the odometry know which way is up?"
        )


def ground_slope(frame: Frame) -> Floats | None:
    """Return how the ground in a frame rises along x and y (2,); None if it shows too little."""
    step = max(1, frame.depth_m.shape[0] // ROWS)
    depth = frame.depth_m[::step, ::step].astype(float)
    rows, columns = np.indices(depth.shape) * step
    K, T = frame.camera.K, frame.T_odom_cam
    rays = np.stack(
        [(columns - K[0, 2]) / K[0, 0], (rows - K[1, 2]) / K[1, 1], np.ones(depth.shape)], axis=-1
    )
    points = (rays * depth[..., None]) @ T[:3, :3].T
    here = points[:-1, :-1]
    with np.errstate(invalid="ignore"):
        normals = np.cross(points[:-1, 1:] - here, points[1:, :-1] - here)
        normals /= np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-12)
        flat = np.abs(normals[..., 2]) > np.cos(np.deg2rad(STEEP_DEG))
        ground = flat & (here[..., 2] < -BELOW_M)
    if ground.mean() < LEAST_SHARE:
        return None
    return _fitted(here[ground])


def _fitted(points: Floats) -> Floats:
    """Return the slope (2,) of the plane through most of some points (n, 3)."""
    kept = np.ones(len(points), bool)
    slope = np.zeros(2)
    for _ in range(3):
        A = np.column_stack([points[kept, :2], np.ones(kept.sum())])
        plane = np.linalg.lstsq(A, points[kept, 2], rcond=None)[0]
        slope = plane[:2]
        off = np.abs(points[:, :2] @ slope + plane[2] - points[:, 2])
        kept = off <= 2.5 * np.median(off) + 0.01
    return np.asarray(slope)


def _beside_the_way(slope: Floats, moved: Floats) -> Floats:
    """Return a slope (2,) less what the way that was driven rises by, along it."""
    run = float(np.linalg.norm(moved[:2]))
    if run < APART_M / 2:
        return slope
    return np.asarray(slope - moved[:2] / run * (moved[2] / run))


def _apart(before: Floats, now: Floats) -> bool:
    moved = float(np.linalg.norm(now[:3, 3] - before[:3, 3]))
    turned = np.rad2deg(np.arccos(np.clip(before[:3, 2] @ now[:3, 2], -1, 1)))
    return moved > APART_M or bool(turned > APART_DEG)
