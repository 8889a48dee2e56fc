"""A watch over a recording: whether its depth, its intrinsics and its odometry agree.

Each of the three may be wrong without anything failing; then images do not lie on one another where the
odometry puts them, or do so best where the robot moved farther or less far than it says (``agreement``).
"""

from __future__ import annotations

import numpy as np

from commonground.agreement import apart, best_step, misfits
from commonground.arrays import Floats
from commonground.frame import Frame
from commonground.geometry import inverse

STEPS = (0.0, 0.1, 0.14, 0.2, 0.28, 0.4, 0.5, 0.6, 0.7, 0.8, 0.87, 0.93, 1.0,
         1.07, 1.15, 1.25, 1.4, 1.7, 2.0, 2.5, 3.5, 5.0, 7.0, 10.0)  # fmt: skip
"""Lengths of a step that are tried, as shares of the odometry's."""
SAME = STEPS.index(1.0)
TOLD = 0.1
"""Steps that are off by less are what odometry is like."""
CLEAR, BETTER = 4.0, 1.1
"""Standard errors by which other steps must fit better, and by which factor, to be told."""
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
    "is depth in other units, are these the intrinsics of the camera and the distortion of its lens, and is "
    "the odometry sound?"
)


class Watch:
    """Holds the images of each camera against one another as the odometry tells they lie."""

    KEPT = ("found", "told")

    def __init__(self) -> None:
        self.kept: dict[str, Frame] = {}
        """Camera → the image that the next one is held against."""
        self.found: list[Floats] = []
        """Of the pairs of this stretch, how little fits for each length of the step."""
        self.told = False

    def add(self, frame: Frame) -> str:
        """Take in a frame at its pose of the odometry; return what is to be said, mostly nothing."""
        name = frame.camera.name
        before = self.kept.setdefault(name, frame)
        if self.told or not apart(before.T_odom_cam, frame.T_odom_cam):
            return ""
        self.kept[name] = frame
        if before.depth_m.shape != frame.depth_m.shape:
            return ""
        T_two_one = inverse(frame.T_odom_cam) @ before.T_odom_cam
        tried = _judgeable(misfits(frame.camera, (before.depth_m, frame.depth_m), T_two_one, STEPS))
        if np.isfinite(tried[SAME]):
            self.found.append(tried)
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
        best, clear = best_step(found, SAME)
        fits, usual = np.nanmean(found[:, best]), np.nanmean(found[:, SAME])
        other = clear > CLEAR and usual > BETTER * fits and abs(STEPS[best] - 1.0) > TOLD
        if other and np.nanmean(found[:, 0]) > BETTER * fits:
            self.told = True
            return (
                "images and odometry disagree about how far the camera moved: surfaces lie on one another "
                f"best where it moved {STEPS[best]:g} times as far as the odometry says; {ASKED}"
            )
        least = NOTHING_FITS if np.nanmean(found[:, 0]) > BETTER * usual else LITTLE_FITS
        if other or usual > least:
            self.told = True
            return f"surfaces of images that show the same place do not lie on one another; {ASKED}"
        return ""


def _judgeable(tried: Floats) -> Floats:
    """Return misfits by the length of the step; nothing fits where images would not even show one place.

    With depth that is far too small all that one image shows seems to be passed by before the next one.
    Another step has to fit well and better than none at all, or the images do show different places.
    """
    known = np.where(np.isfinite(tried), tried, 1.0)
    if np.isfinite(tried[SAME]) or known.min() > FITS or known[0] < BETTER * known.min():
        return tried
    return np.where(np.arange(len(tried)) >= SAME, known, tried)
