"""The robot's path as recorded: every pose, the keyframes of the pose graph, and their files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.frame import Frame
from commonground.geometry import gravity_aligned, relative, transform
from commonground.mapping.fusion.g2o import write_g2o
from commonground.mapping.fusion.posegraph import Constraints, PoseGraph
from commonground.mapping.settings import OdometrySettings
from commonground.mapping.tracking.hindsight import Hindsight
from commonground.mapping.tracking.settings import TrackingSettings
from commonground.tum import write_tum

KEYFRAME_S = 10.0
"""Seconds between keyframes while standing."""
NOISE_TILT_DEG = 0.2
"""Standard deviation of roll and pitch, which gravity keeps from growing."""

R_OPTICAL_BODY = np.array([[0.0, -1, 0], [0, 0, -1], [1, 0, 0]])
"""A body looks along its x with z up; a camera looks along its z with y down."""
TILT = slice(3, 5)


class Keyframes:
    """Poses of the body: at the camera that came first, x forward, y left, z up."""

    KEPT = (
        "camera", "stamps_ns", "poses", "raw_poses", "true_poses", "segments", "keys", "growths",
        "travel",
    )  # fmt: skip

    def __init__(
        self,
        settings: OdometrySettings,
        tracking: TrackingSettings | None = None,
        hindsight: Hindsight | None = None,
    ) -> None:
        self.settings = settings
        self.hindsight = hindsight or Hindsight()
        self.tracking = tracking or TrackingSettings(enabled=False)
        self.camera = ""
        self.stamps_ns: list[int] = []
        self.poses: list[Floats] = []
        """As corrected."""
        self.raw_poses: list[Floats] = []
        """As the odometry told them."""
        self.true_poses: list[Floats] = []
        """Empty, or as many as there are poses."""
        self.segments: list[int] = []
        self.keys: list[int] = []
        """Rows of ``poses`` that are keyframes."""
        self.growths: list[Floats] = []
        """Covariance (4, 4) of place and heading from each keyframe's predecessor to it, by what was seen."""
        self.travel: list[float] = []
        """Meters driven up to each pose; a jump adds none."""

    def add(self, frame: Frame, segment: int, T_raw: Floats) -> bool:
        """Note a frame's pose if it is of the reference camera; return whether it is a keyframe."""
        self.camera = self.camera or frame.camera.name
        if frame.camera.name != self.camera:
            return False
        body = transform(R_OPTICAL_BODY, np.zeros(3))
        T = frame.T_odom_cam @ body
        new = not self.poses or self.segments[-1] != segment
        step = 0.0 if new else float(np.linalg.norm(T[:3, 3] - self.poses[-1][:3, 3]))
        self.travel.append((self.travel[-1] if self.travel else 0.0) + step)
        self.stamps_ns.append(frame.stamp_ns)
        self.poses.append(T)
        self.raw_poses.append(T_raw @ body)
        self.segments.append(segment)
        if frame.T_world_cam is not None and len(self.true_poses) == len(self.poses) - 1:
            self.true_poses.append(frame.T_world_cam @ body)
        if new or self._due():
            self.keys.append(len(self.poses) - 1)
        return self.keys[-1] == len(self.poses) - 1

    def _due(self) -> bool:
        last, s = self.keys[-1], self.settings
        moved = self.travel[-1] - self.travel[last]
        seconds = (self.stamps_ns[-1] - self.stamps_ns[last]) / 1e9
        return moved >= s.keyframe_m or seconds >= KEYFRAME_S

    @property
    def travel_m(self) -> float:
        return self.travel[-1] if self.travel else 0.0

    def upright(self) -> Floats:
        """Return the keyframes (k, 4, 4) without roll and pitch."""
        return gravity_aligned(self._of_keys())

    def settled(self) -> Floats:
        """Return the keyframes (k, 4, 4) upright, as they look afterwards."""
        stamps = np.array([self.stamps_ns[i] for i in self.keys], np.int64)
        return gravity_aligned(self.hindsight.corrected(stamps, self._of_keys()))

    def _of_keys(self) -> Floats:
        return np.array([self.poses[i] for i in self.keys]).reshape(-1, 4, 4)

    def edges(self) -> tuple[Ints, Floats, Floats]:
        """Return the odometry edges among keyframes: rows (m, 2), T_a_b (m, 4, 4), covariances (m, 6, 6).

        Twists are translation first, in the frame of the first keyframe; none joins two segments. They follow
        the settled path, so they differ a little from the poses of the time.
        """
        T = self.settled()
        segment = np.array([self.segments[i] for i in self.keys], np.int64)
        first = np.flatnonzero(segment[1:] == segment[:-1])
        rows = np.stack([first, first + 1], axis=1)
        travel = np.array([self.travel[i] for i in self.keys])
        meters = np.maximum(travel[rows[:, 1]] - travel[rows[:, 0]], 0.1)
        motion = relative(T[rows[:, 0]], T[rows[:, 1]])
        if not self.tracking.enabled:
            return rows, motion, self._covariances(motion, meters)
        left = self.tracking
        own = self._covariances(motion, meters, (left.noise_m, left.noise_side_m, left.noise_deg))
        return rows, motion, own + self._unseen(rows[:, 1], T)

    def _unseen(self, keys: Ints, T: Floats) -> Floats:
        """Return what (m, 6, 6) the odometry adds on the way to keyframes where little was seen."""
        G = np.array(self.growths).reshape(-1, 4, 4)[keys]
        R = T[keys, :3, :3]
        out = np.zeros((len(keys), 6, 6))
        out[:, :3, :3] = R.transpose(0, 2, 1) @ G[:, :3, :3] @ R
        out[:, 5, 5] = G[:, 3, 3]
        return out

    def _covariances(
        self, motion: Floats, meters: Floats, sigmas: tuple[float, float, float] | None = None
    ) -> Floats:
        """Return (m, 6, 6): distances err more than directions do, as wheels slip and scales wander."""
        s = self.settings
        ahead_m, side_m, heading_deg = sigmas or (s.noise_m, s.noise_side_m, s.noise_deg)
        length = np.linalg.norm(motion[:, :3, 3], axis=1, keepdims=True)
        ahead = np.where(length > 1e-3, motion[:, :3, 3] / np.maximum(length, 1e-3), 0.0)
        side2 = side_m**2
        along = (ahead_m**2 - side2) * ahead[:, :, None] * ahead[:, None, :]
        covariance = np.zeros((len(motion), 6, 6))
        covariance[:, :3, :3] = (side2 * np.eye(3) + along) * meters[:, None, None]
        covariance[:, TILT, TILT] = np.eye(2) * np.deg2rad(NOISE_TILT_DEG) ** 2
        covariance[:, 5, 5] = np.deg2rad(heading_deg) ** 2 * meters
        return covariance

    def write_g2o(self, path: Path) -> None:
        """Write the keyframes and the odometry between them."""
        poses, edges = self.upright(), Constraints(*self.edges())
        rows, robot = np.arange(len(poses)), np.zeros(len(poses), np.int64)
        write_g2o(PoseGraph(rows, poses, edges, Constraints.none(), robot), path)

    def write_tum(self, path: Path, poses: Sequence[Floats] | None = None) -> None:
        T = np.array(self.poses if poses is None else poses).reshape(-1, 4, 4)
        write_tum(path, np.array(self.stamps_ns[: len(T)], np.int64), T)
