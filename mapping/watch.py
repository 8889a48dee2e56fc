"""A watch over a recording: whether its depth, its intrinsics and its odometry agree.

Each of the three may be wrong without anything failing; then images do not lie on one another where the
odometry puts them, or do so best where the robot moved farther or less far than it says, or with another
focal length (``agreement``). Either is told only where it explains more than the tracker's corrections do: an
odometry that drifts makes surfaces fit better here and there with many a step and focal length. That nothing
fits is told only by images that are taken near one another: from farther away, much of what was seen is
hidden, however sound all is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from commonground.agreement import apart, best_step, focal_misfits, misfits
from commonground.arrays import Floats, Floats32
from commonground.frame import Frame
from commonground.geometry import inverse

STEPS = (0.0, 0.1, 0.14, 0.2, 0.28, 0.4, 0.5, 0.6, 0.7, 0.8, 0.87, 0.93, 1.0,
         1.07, 1.15, 1.25, 1.4, 1.7, 2.0, 2.5, 3.5, 5.0, 7.0, 10.0)  # fmt: skip
"""Lengths of a step that are tried, as shares of the odometry's."""
SAME = STEPS.index(1.0)
FOCALS = (0.5, 0.6, 0.7, 0.8, 0.87, 0.93, 1.07, 1.15, 1.25, 1.4, 1.7, 2.0)
"""Focal lengths that are tried, as shares of the camera's."""
TOLD = 0.1
"""Steps and focal lengths that are off by less are what odometry and calibration are like."""
CLEAR, BETTER = 4.0, 1.1
"""Standard errors by which others must fit better, and by which factor, to be told."""
AS_WELL = 1.05
"""Times the misfit of the tracked poses up to which they fit, or the tracker has the better reason."""
NEAR = 0.4
"""Share of its middle depth that a camera has moved at most where two images show much the same."""
NOTHING_FITS = 0.7
"""Good recordings misfit by 0.25 to 0.3; from here on most of an image does not lie on the next one."""
LITTLE_FITS = 0.5
"""The same where the odometry explains no more of it than a camera that stands still."""
FITS = 0.45
"""Images that share nothing after the odometry's step, and misfit by less after a shorter one, tell of it."""
FIRST, STRETCH, LEAST = 20, 60, 8
"""Pairs of images after which something is said for the first time, after which a new stretch is judged by
itself, and which a last one must have."""
ASKED = (
    "is depth in other units, are these the intrinsics of the camera and the distortion of its lens, are the "
    "poses of what the format says (camera or body) and turned by x, y, z, w, and is the odometry sound?"
)


class Watch:
    """Holds the images of each camera against one another as the odometry tells they lie."""

    KEPT = ("found", "told")

    def __init__(self) -> None:
        self.kept: dict[str, tuple[Frame, Floats]] = {}
        """Camera → the image that the next one is held against, and its tracked pose."""
        self.found: list[Floats] = []
        """Of the pairs of this stretch, how little fits for each length of the step and each focal length,
        how little as they were tracked, and whether they were taken near one another."""
        self.told = False

    def add(self, frame: Frame, T_tracked: Floats | None = None) -> str:
        """Take in a frame at its pose of the odometry, and where it was tracked; return what to say."""
        name = frame.camera.name
        T_tracked = frame.T_odom_cam if T_tracked is None else T_tracked
        before, T_before = self.kept.setdefault(name, (frame, T_tracked))
        if self.told or not apart(before.T_odom_cam, frame.T_odom_cam):
            return ""
        self.kept[name] = frame, T_tracked
        if before.depth_m.shape != frame.depth_m.shape:
            return ""
        T_two_one = inverse(frame.T_odom_cam) @ before.T_odom_cam
        depths = before.depth_m, frame.depth_m
        tried = _judgeable(misfits(frame.camera, depths, T_two_one, STEPS))
        if np.isfinite(tried[SAME]):
            focal = focal_misfits(frame.camera, depths, T_two_one, FOCALS)
            tracked = misfits(frame.camera, depths, inverse(T_tracked) @ T_before, (1.0,))
            near = _near(before.depth_m, T_two_one)
            self.found.append(np.array([*tried, *focal, *tracked, near]))
        return self.judged() if len(self.found) in (FIRST, STRETCH) else ""

    def cut(self) -> None:
        """Forget the images: the next ones lie in another frame of odometry."""
        self.kept.clear()

    def judged(self) -> str:
        """Return what the stretch so far shows to be wrong, once; empty if nothing is."""
        if self.told or len(self.found) < LEAST:
            return ""
        found = np.array(self.found)
        if len(found) >= STRETCH:
            self.found.clear()
        line = _told(found)
        self.told = bool(line)
        return f"{line}; {ASKED}" if line else ""


def _told(found: Floats) -> str:
    """Return what pairs of images (n, k) show to be wrong."""
    steps, focals = found[:, : len(STEPS)], found[:, len(STEPS) : -2]
    tracked = np.where(np.isfinite(found[:, -2]), found[:, -2], 1.0)
    step = _better(steps, STEPS, SAME, tracked)
    focal = _better(_with_same(focals, steps), (*FOCALS, 1.0), -1, tracked)
    if focal is not None and (step is None or focal.misfit <= step.misfit):
        return (
            "surfaces of images lie on one another best with "
            f"{focal.share:g} times the focal length that the camera is said to have"
        )
    if step is not None and np.nanmean(steps[:, 0]) > BETTER * step.misfit:
        return (
            "images and odometry disagree about how far the camera moved: surfaces lie on one another "
            f"best where it moved {step.share:g} times as far as the odometry says"
        )
    near = found[:, -1] > 0
    if near.sum() < LEAST:
        return ""
    still = np.nanmean(steps[near, 0])
    usual = min(np.nanmean(steps[near, SAME]), tracked[near].mean())
    least = NOTHING_FITS if still > BETTER * usual else LITTLE_FITS
    if usual > least:
        return "surfaces of images that show the same place do not lie on one another"
    return ""


class _Better(NamedTuple):
    """A step or a focal length with which surfaces clearly fit better than as it is told."""

    share: float
    misfit: float


def _better(found: Floats, shares: Sequence[float], same: int, tracked: Floats) -> _Better | None:
    best, clear = best_step(found, same)
    fits, usual = np.nanmean(found[:, best]), np.nanmean(found[:, same])
    explains = usual > BETTER * fits and fits <= AS_WELL * tracked.mean()
    other = clear > CLEAR and explains and abs(shares[best] - 1.0) > TOLD
    return _Better(shares[best], float(fits)) if other else None


def _with_same(focals: Floats, steps: Floats) -> Floats:
    return np.concatenate([focals, steps[:, [SAME]]], axis=1)


def _near(depth_m: Floats32, T_two_one: Floats) -> bool:
    """Return whether a camera has hardly moved, for how far it sees."""
    known = depth_m[::8, ::8]
    known = known[np.isfinite(known) & (known > 0)]
    moved = float(np.linalg.norm(T_two_one[:3, 3]))
    return len(known) > 0 and moved <= NEAR * float(np.median(known))


def _judgeable(tried: Floats) -> Floats:
    """Return misfits by the length of the step; nothing fits where images would not even show one place.

    With depth that is far too small all that one image shows seems to be passed by before the next one.
    Another step has to fit well and better than none at all, or the images do show different places.
    """
    known = np.where(np.isfinite(tried), tried, 1.0)
    if np.isfinite(tried[SAME]) or known.min() > FITS or known[0] < BETTER * known.min():
        return tried
    return np.where(np.arange(len(tried)) >= SAME, known, tried)
