"""What is believed of the odometry's errors: a Kalman filter of position, heading, scale and turning.

Odometry errs slowly: wheels of another size, a gyroscope's bias, a scale that vision cannot see. Its scale
and its heading error for each metre wander as Ornstein–Uhlenbeck processes over the way driven, so that
what images tell where there is something to see is of use where there is nothing. Roll and pitch come from
gravity: they are corrected for one image and never add up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import angle_between, exp_so3, from_yaw, transform
from commonground.mapping.settings import OdometrySettings
from commonground.mapping.tracking.settings import TrackingSettings

PLACE, HEADING, SCALE, TURN = slice(0, 3), 3, 4, 5
TILT = slice(6, 8)
"""In the state with which an image is registered: roll and pitch of that image."""
JITTER_M, JITTER_RAD = 0.005, 0.0005
"""Errors of the odometry after one metre that do not wander slowly."""
TINY = 1e-12


@dataclass
class Motion:
    """Where the robot is, corrected, and how the odometry errs at present."""

    settings: TrackingSettings
    odometry: OdometrySettings
    T_raw: Floats = field(default_factory=lambda: np.eye(4))
    """(4, 4) the reference camera in the odometry as it came."""
    p: Floats = field(default_factory=lambda: np.zeros(3))
    """(3,) where that camera really is."""
    state: Floats = field(default_factory=lambda: np.zeros(3))
    """(3,) heading to add in radians, share by which the odometry goes too far, radians too much a metre."""
    P: Floats = field(default_factory=lambda: np.zeros((6, 6)))
    """(6, 6) covariance of place, heading, scale and turning, as seen from the references."""
    growth: Floats = field(default_factory=lambda: np.zeros((4, 4)))
    """(4, 4) covariance of place and heading gathered since it was last taken."""

    def start(self, T_raw: Floats) -> None:
        """Begin at a pose that is believed."""
        self.T_raw, self.p, self.state = T_raw.copy(), T_raw[:3, 3].copy(), np.zeros(3)
        s = self.settings
        turn = np.deg2rad(s.turn_sigma_deg_per_m)
        self.P = np.diag([0.0, 0.0, 0.0, 0.0, s.scale_sigma**2, turn**2])
        self.growth = np.zeros((4, 4))

    def corrected(self, T_raw: Floats) -> Floats:
        """Return the corrected pose (4, 4) of something at a pose of the odometry at the same instant."""
        R = from_yaw(self.state[0])
        return transform(R @ T_raw[:3, :3], self.p + R @ (T_raw[:3, 3] - self.T_raw[:3, 3]))

    def move_to(self, T_raw: Floats) -> None:
        """Follow another camera of the robot from here on."""
        self.p, self.T_raw = self.corrected(T_raw)[:3, 3].copy(), T_raw.copy()

    def move(self, T_raw: Floats) -> None:
        """Follow the odometry to its next pose, less what it is believed to err."""
        s = self.settings
        way = T_raw[:3, 3] - self.T_raw[:3, 3]
        metres, turned = float(np.linalg.norm(way)), float(angle_between(self.T_raw, T_raw))
        heading, scale, turn = self.state
        way = from_yaw(heading - 0.5 * turn * metres) @ way
        level = np.array([way[0], way[1], 0.0])
        across = np.array([-way[1], way[0], 0.0])
        keep = math.exp(-metres / s.memory_m)
        F = np.eye(6)
        F[PLACE, HEADING], F[PLACE, SCALE] = across, -level
        F[PLACE, TURN], F[HEADING, TURN] = -0.5 * metres * across, -metres
        F[SCALE, SCALE] = F[TURN, TURN] = keep
        kick = 1.0 - keep * keep
        Q = np.zeros((6, 6))
        Q[range(3), range(3)] = JITTER_M**2 * metres
        Q[HEADING, HEADING] = JITTER_RAD**2 * metres + (s.turn_share * turned) ** 2
        Q[SCALE, SCALE] = kick * s.scale_sigma**2
        Q[TURN, TURN] = kick * np.deg2rad(s.turn_sigma_deg_per_m) ** 2
        self.P = F @ self.P @ F.T + Q
        self.growth = F[:4, :4] @ self.growth @ F[:4, :4].T + self._odometry_noise(way, metres)
        self.p = self.p + way - scale * level
        self.state = np.array([heading - turn * metres, keep * scale, keep * turn])
        self.T_raw = T_raw.copy()

    def _odometry_noise(self, way: Floats, metres: float) -> Floats:
        """Return the covariance (4, 4) that a step has where nothing is seen."""
        o = self.odometry
        side2 = o.noise_side_m**2
        ahead = way / max(metres, 1e-9)
        out = np.zeros((4, 4))
        out[PLACE, PLACE] = side2 * np.eye(3) + (o.noise_m**2 - side2) * np.outer(ahead, ahead)
        out[HEADING, HEADING] = np.deg2rad(o.noise_deg) ** 2
        return out * metres

    def prior(self) -> Floats:
        """Return the information (8, 8) about the state and the image's roll and pitch."""
        C = np.zeros((8, 8))
        C[:6, :6] = self.P
        C[TILT, TILT] = np.eye(2) * np.deg2rad(self.settings.tilt_sigma_deg) ** 2
        return np.asarray(np.linalg.inv(C + TINY * np.eye(8)))

    def correct(self, x: Floats, information: Floats) -> None:
        """Take over a correction (8,) and how sure it is (8, 8)."""
        C = np.linalg.inv(information)
        kept = (C[:6, :6] @ np.linalg.inv(self.P + TINY * np.eye(6)))[:4, :4]
        self.growth = kept @ self.growth @ kept.T
        self.P = 0.5 * (C[:6, :6] + C[:6, :6].T)
        self.p = self.p + x[PLACE]
        self.state = self.state + x[HEADING : TURN + 1]

    def turned(self, T: Floats, x: Floats) -> Floats:
        """Return a corrected pose (4, 4) with a correction (8,) that is only tried, around the reference."""
        R = exp_so3([x[6], x[7], x[HEADING]])
        return transform(R @ T[:3, :3], self.p + x[PLACE] + R @ (T[:3, 3] - self.p))

    def arrays(self) -> dict[str, Any]:
        """Return the arrays of a checkpoint."""
        return {name: getattr(self, name) for name in ("T_raw", "p", "state", "P", "growth")}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Continue from a checkpoint."""
        for name in ("T_raw", "p", "state", "P", "growth"):
            setattr(self, name, np.array(arrays[name], float))
