"""Which frames can be used, and where the odometry jumps so that the map must be cut."""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from commonground.arrays import Floats
from commonground.errors import MappingError
from commonground.frame import Frame
from commonground.geometry import angle_between, is_rigid
from commonground.mapping.settings import OdometrySettings

SLACK_DEG = 30.0
"""Turning that is never a jump."""

SILENT_S = 3.0
"""A camera that gave nothing for so long while others did has fallen out."""
FAR_M = 20_000.0
"""A segment that begins farther from where the robot began is moved there: maps are not that wide,
and where segments that are not joined lie to each other is unknown anyway."""
TOLD = 3
"""Cuts of a map that are told one by one; of all that follow only the number is."""
MANY, MOST = 20, 0.5
"""After so many frames, odometry that jumps at a larger share of them is none."""


class Verdict(enum.Enum):
    """What to do with a frame."""

    USE = "use"
    CUT = "cut"
    """Use it, in a new segment of the map: the odometry jumped."""
    POSE_ONLY = "no depth"
    """It says where the robot is, and nothing of the world."""
    BAD_POSE = "pose not a rigid motion"
    LATE = "time goes backwards"


@dataclass
class Intake:
    """Judges frames as they come; remembers the last one of each camera, and what was turned down."""

    KEPT: ClassVar = (
        "stamps_ns", "poses", "sizes", "counts", "warnings", "segment", "streak", "begun", "moved",
    )  # fmt: skip

    settings: OdometrySettings
    give_up_after: int
    stamps_ns: dict[str, int] = field(default_factory=dict)
    """Camera → stamp of its last frame."""
    poses: dict[str, Floats] = field(default_factory=dict)
    """Camera → its last pose in this segment."""
    sizes: dict[str, str] = field(default_factory=dict)
    """Camera → image size."""
    counts: Counter[str] = field(default_factory=Counter)
    """Frames by camera, by verdict, and oddities."""
    warnings: list[str] = field(default_factory=list)
    segment: int = 0
    streak: int = 0
    begun: Floats | None = None
    """(3,) where the robot began."""
    moved: Floats = field(default_factory=lambda: np.zeros(3))
    """(3,) by which frames are moved since a jump to far away."""
    why: str = ""
    """Why the map was cut the last time."""
    cut: str = ""
    """What is said of that; empty where several cuts were told already."""

    def judge(self, frame: Frame) -> Verdict:
        """Return what to do with a frame; MappingError when nothing has been usable for long."""
        verdict = self._verdict(frame)
        name = frame.camera.name
        self.counts[f"frames of {name}"] += 1
        if verdict in (Verdict.USE, Verdict.CUT):
            self.streak = 0
        else:
            self.counts[verdict.value] += 1
            self._count_streak(frame, verdict)
        if verdict in (Verdict.LATE, Verdict.BAD_POSE):
            return verdict
        if verdict is Verdict.CUT:
            self._count_cut(frame)
            self.poses.clear()
        if self.begun is None:
            self.begun = frame.T_odom_cam[:3, 3].copy()
        self._note_size(frame)
        self.stamps_ns[name], self.poses[name] = frame.stamp_ns, frame.T_odom_cam
        return verdict

    def placed(self, frame: Frame) -> Frame:
        """Return a frame where its segment of the map lies, before it is judged."""
        if not self.moved.any():
            return frame
        T = frame.T_odom_cam.copy()
        T[:3, 3] += self.moved
        return replace(frame, T_odom_cam=T)

    def begin_near(self, frame: Frame) -> Frame:
        """Return the first frame of a segment, moved to where the robot began if it is far from there."""
        at = frame.T_odom_cam[:3, 3]
        if self.begun is None or float(np.linalg.norm(at - self.begun)) <= FAR_M:
            return frame
        moved, self.moved = self.moved, self.begun - at
        frame = self.placed(frame)
        self.moved = self.moved + moved
        self.poses[frame.camera.name] = frame.T_odom_cam
        if self.cut:
            told = self.warnings.index(self.cut)
            self.cut += (
                ", and the later one begins where the robot began, as maps are not that wide"
            )
            self.warnings[told] = self.cut
        return frame

    def _verdict(self, frame: Frame) -> Verdict:
        if not bool(is_rigid(frame.T_odom_cam, 1e-3)):
            return Verdict.BAD_POSE
        if frame.stamp_ns <= self.stamps_ns.get(frame.camera.name, frame.stamp_ns - 1):
            return Verdict.LATE
        if self._jumped(frame) or self._was_silent(frame):
            return Verdict.CUT
        depth = frame.depth_m[:: max(1, frame.depth_m.shape[0] // 60)]
        if not (np.isfinite(depth) & (depth > 0)).any():
            return Verdict.POSE_ONLY
        return Verdict.USE

    def _jumped(self, frame: Frame) -> bool:
        name, s = frame.camera.name, self.settings
        if name not in self.poses:
            return False
        seconds = (frame.stamp_ns - self.stamps_ns[name]) / 1e9
        moved = float(np.linalg.norm(frame.T_odom_cam[:3, 3] - self.poses[name][:3, 3]))
        turned = float(np.rad2deg(angle_between(frame.T_odom_cam, self.poses[name])))
        far = moved > s.slack_m + s.max_speed_mps * seconds
        wide = turned > SLACK_DEG + s.max_turn_dps * seconds
        if far or wide:
            self.why = (
                f"the odometry jumps by {moved:.1f} m and {turned:.0f}° within {seconds:.2f} s at "
                f"{frame.stamp_ns / 1e9:.2f} s"
            )
        return far or wide

    def _was_silent(self, frame: Frame) -> bool:
        longest_s = self.settings.longest_gap_s
        if longest_s is None or not self.poses:
            return False
        seconds = (frame.stamp_ns - max(self.stamps_ns.values())) / 1e9
        if seconds > longest_s:
            self.why = f"no frame came for {seconds:.0f} s up to {frame.stamp_ns / 1e9:.2f} s"
        return seconds > longest_s

    def _count_cut(self, frame: Frame) -> None:
        """Tell that the map is cut; MappingError where it would be cut at most frames."""
        self.segment += 1
        self.cut = ""
        if self.segment <= TOLD:
            self.cut = f"{self.why}: the map is cut there into segments that are not joined"
            self.warnings.append(self.cut)
        frames = sum(self.counts[f"frames of {name}"] for name in self.stamps_ns)
        if frames >= MANY and self.segment > MOST * frames:
            raise MappingError(
                f"{frame.robot}/{frame.camera.name}: the map would be cut at {self.segment} of its first "
                f"{frames} frames; the last time {self.why}. Are positions of the odometry, and of the "
                "camera on the robot, in meters, and do poses and images go by one clock? What is faster "
                f"than {self.settings.max_speed_mps:g} m/s needs mapping.odometry.max_speed_mps"
            )

    def at_end(self) -> list[str]:
        """Return what is told of the whole: how often the map was cut, and cameras that fell out."""
        more = f"the map is cut {self.segment} times in all; segments_begin_ns of metrics.json tells where"
        return [*([more] if self.segment > TOLD else []), *self._fallen_out()]

    def _fallen_out(self) -> list[str]:
        """Return a line for each camera that gave no more frames while others did."""
        end = max(self.stamps_ns.values(), default=0)
        lost = {
            n: (end - at) / 1e9 for n, at in self.stamps_ns.items() if end - at > SILENT_S * 1e9
        }
        return [
            f"camera '{name}' gave no frame in the last {seconds:.1f} s; the map goes on without it"
            for name, seconds in sorted(lost.items())
        ]

    def _note_size(self, frame: Frame) -> None:
        camera = frame.camera
        size = f"{camera.width}×{camera.height}"
        before = self.sizes.get(camera.name, size)
        if before != size:
            self.warnings.append(
                f"images of camera '{camera.name}' change from {before} to {size} at {frame.stamp_ns}; "
                "mapping goes on with the new intrinsics"
            )
        self.sizes[camera.name] = size

    def _count_streak(self, frame: Frame, verdict: Verdict) -> None:
        self.streak += 1
        if self.streak >= self.give_up_after:
            before = self.stamps_ns.get(frame.camera.name)
            detail = {
                Verdict.POSE_ONLY: "none has depth; check the depth images and their units",
                Verdict.LATE: f"time went back from {before} to {frame.stamp_ns}; map the parts separately",
                Verdict.BAD_POSE: "their poses are no rigid motions; check the odometry",
            }[verdict]
            raise MappingError(
                f"{frame.robot}/{frame.camera.name}: {self.streak} frames in a row up to stamp "
                f"{frame.stamp_ns} cannot be used: {detail}"
            )
