"""The tracker: corrects the odometry by depth and color against images from a little earlier.

1. Follow the odometry, less the errors of scale and heading that it has at present (``motion``).
2. Register the image to those kept of the last meters (``registration``): planes to depth, textured points to
   brightness, with the odometry as prior, so that what no image tells stays with the odometry.
3. Believe it if enough fits and the correction is one that the odometry may need; else follow on.
4. Keep the image every now and then, without what moves in it (``reference``).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from commonground.arrays import Floats, Floats32
from commonground.frame import Frame
from commonground.geometry import angle_between, inverse
from commonground.mapping.settings import OdometrySettings
from commonground.mapping.tracking.distant import Distant
from commonground.mapping.tracking.hindsight import Hindsight
from commonground.mapping.tracking.motion import Motion
from commonground.mapping.tracking.reference import Reference
from commonground.mapping.tracking.registration import Doubt, register
from commonground.mapping.tracking.settings import TrackingSettings
from commonground.mapping.tracking.view import View, view_of

EVERY_DEG = 2.0
"""A camera's image is registered after turning this far, if not after ``every_m`` of movement."""
REFERENCE_M = 0.7
REFERENCE_DEG = 10.0
"""Movement between the images that are kept to register later ones to, and turning."""

SILENT_S = 1.0
"""The motion follows another camera if the one it follows gave nothing for so long."""
LOST_AFTER = 5
"""Images in a row that do not fit, after which what was kept is given up and tracking begins anew."""


class Tracker:
    """Corrects the poses of frames as they come, those of all cameras of a robot."""

    KEPT = (
        "motion", "distant", "hindsight", "camera", "stamp_ns", "references", "registered",
        "doubtful", "counts",
    )  # fmt: skip

    def __init__(self, settings: TrackingSettings, odometry: OdometrySettings) -> None:
        self.settings = settings
        self.motion = Motion(odometry)
        self.camera = ""
        """The camera whose movement is followed."""
        self.stamp_ns = 0
        """Of its last frame."""
        self.references: dict[str, list[Reference]] = {}
        """Camera → the images kept of it, oldest first."""
        self.distant = Distant(settings)
        self.hindsight = Hindsight()
        self.registered: dict[str, Floats] = {}
        """Camera → pose of the odometry when it was last registered."""
        self.doubtful = 0
        """Images since the last that fitted, of those with something to see."""
        self.counts: Counter[str] = Counter()
        self._view: View | None = None

    def track(self, frame: Frame) -> Frame:
        """Return the frame at its corrected pose."""
        self._view = None
        if not self.settings.enabled:
            return frame
        self._follow(frame)
        T = self.motion.corrected(frame.T_odom_cam)
        if self._due(frame) and frame.rgb.any():  # one whose images were dropped shows nothing
            self.registered[frame.camera.name] = frame.T_odom_cam
            self._view = view_of(frame, self.settings)
            T = self._registered(T)
        return replace(frame, T_odom_cam=T)

    def keep(self, frame: Frame) -> None:
        """Keep a tracked frame to register later ones to, if it is time; what moves should be left out."""
        if self._view is None:
            return
        name, s = frame.camera.name, self.settings
        kept = self.references.setdefault(name, [])
        if kept and not _apart(kept[-1].T, frame.T_odom_cam, REFERENCE_M, REFERENCE_DEG):
            return
        view = view_of(frame, s)
        kept.append(Reference.of(view, frame.T_odom_cam, s))
        del kept[: -s.references]
        if name == self.camera and s.distant_marks > 0:
            self._orient(frame, view, self._view.inverse_m)

    def _orient(self, frame: Frame, view: View, inverse_m: Floats32) -> None:
        """Correct the heading, and all that is kept, by what lies beyond the reach of depth."""
        T = frame.T_odom_cam
        poses = self.distant.add(view, inverse_m, T)
        self.hindsight.add(frame.stamp_ns, T, poses)
        newest = poses[-1] @ inverse(T)
        kept = self.references[self.camera]
        at = poses[-len(kept) :]
        whole = [newest] * (len(kept) - len(at))
        moves = [*whole, *(P @ inverse(r.T) for P, r in zip(at, kept[len(whole) :], strict=True))]
        for name, others in self.references.items():
            by = moves if name == self.camera else [newest] * len(others)
            self.references[name] = [r.moved(D) for r, D in zip(others, by, strict=True)]
        self.motion.shift(newest)

    def cut(self) -> None:
        """Begin anew after a jump of the odometry."""
        self.camera = ""
        self.references.clear()
        self.distant.clear()
        self.registered.clear()

    def take_growth(self) -> Floats:
        """Return the covariance (4, 4) of place and heading gathered since this was asked last."""
        out, self.motion.growth = self.motion.growth, np.zeros((4, 4))
        return out

    def _follow(self, frame: Frame) -> None:
        name = frame.camera.name
        if not self.camera:
            self.camera = name
            self.motion.start(frame.T_odom_cam)
        elif name != self.camera and frame.stamp_ns - self.stamp_ns > SILENT_S * 1e9:
            self.camera = name
            self.motion.move_to(frame.T_odom_cam)
            self.distant.clear()
        if name == self.camera:
            self.motion.move(frame.T_odom_cam)
            self.stamp_ns = frame.stamp_ns

    def _due(self, frame: Frame) -> bool:
        before = self.registered.get(frame.camera.name)
        s = self.settings
        return before is None or _apart(before, frame.T_odom_cam, s.every_m, EVERY_DEG)

    def _registered(self, T: Floats) -> Floats:
        """Return the pose at which the present view fits, and correct the motion; T itself if in doubt."""
        references = [r for kept in self.references.values() for r in kept]
        if not references or self._view is None:
            return T
        found = register(self._view, T, self.motion, references, self.settings)
        if isinstance(found, Doubt):
            self.counts[found.value] += 1
            self.doubtful += found is not Doubt.LITTLE
            if self.doubtful >= LOST_AFTER:
                self.references.clear()
                self.distant.clear()
                self.doubtful = 0
            return T
        self.counts["registered"] += 1
        self.doubtful = 0
        T = self.motion.turned(T, found.x)
        self.motion.correct(found.x, found.information)
        return T


def _apart(one: Floats, two: Floats, meters: float, degrees: float) -> bool:
    moved = float(np.linalg.norm(one[:3, 3] - two[:3, 3]))
    return moved >= meters or float(np.rad2deg(angle_between(one, two))) >= degrees
