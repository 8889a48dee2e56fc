"""A Kalman filter of place and heading, and of how the odometry errs in them.

Odometry errs slowly: wheels of another size, a gyroscope's bias, a scale that vision cannot see. Its errors
ahead, aside, upwards and in heading for each meter wander as Ornstein–Uhlenbeck processes over the way
driven, so that what images tell where there is something to see is of use where there is nothing, and no
image is held back by a prior that errs the same way each time. Roll and pitch come from
gravity: they are corrected for one image and never add up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import angle_between, exp_so3, from_yaw, transform
from commonground.mapping.settings import OdometrySettings

SCALE_SIGMA = 0.02
"""Standard deviation of the odometry's scale error, which wanders: meters for each meter driven."""
SIDE_SIGMA = 0.003
"""The same across the way."""
CLIMB_SIGMA = 0.01
"""The same upwards."""
TURN_SIGMA_DEG_PER_M = 0.06
"""Standard deviation of the odometry's heading error for each meter, which wanders too."""
MEMORY_M = 25.0
"""Meters over which these stay about the same."""
TURN_SHARE = 0.003
"""Error of the heading for each radian that the robot turns."""
TILT_SIGMA_DEG = 0.04
"""Standard deviation of roll and pitch of the odometry, which gravity holds."""

PLACE, HEADING, SLIP, TURN = slice(0, 3), 3, slice(4, 7), 7
TILT = slice(8, 10)
"""In the state with which an image is registered: roll and pitch of that image."""
SIZE = 10
JITTER_M, JITTER_RAD = 0.005, 0.0005
"""Errors of the odometry after one meter that do not wander slowly."""
TINY = 1e-12


@dataclass
class Motion:
    """Where the robot is, corrected, and how the odometry errs at present."""

    KEPT: ClassVar = ("T_raw", "p", "heading", "slip", "turn", "P", "growth")

    odometry: OdometrySettings
    T_raw: Floats = field(default_factory=lambda: np.eye(4))
    """(4, 4) the reference camera in the odometry as it came."""
    p: Floats = field(default_factory=lambda: np.zeros(3))
    """(3,) where that camera really is."""
    heading: float = 0.0
    """Radians to add to the odometry's heading."""
    slip: Floats = field(default_factory=lambda: np.zeros(3))
    """(3,) meters that the odometry goes too far for each meter: ahead, to the left, up."""
    turn: float = 0.0
    """Radians that the odometry turns too far to the left for each meter."""
    P: Floats = field(default_factory=lambda: np.zeros((8, 8)))
    """(8, 8) covariance of place, heading, slip and turn, as seen from the references."""
    growth: Floats = field(default_factory=lambda: np.zeros((4, 4)))
    """(4, 4) covariance of place and heading gathered since it was last taken."""

    def start(self, T_raw: Floats) -> None:
        """Begin at a pose that is believed."""
        self.T_raw, self.p = T_raw.copy(), T_raw[:3, 3].copy()
        self.heading, self.slip, self.turn = 0.0, np.zeros(3), 0.0
        self.P = np.diag([0.0, 0.0, 0.0, 0.0, *self._wandering()])
        self.growth = np.zeros((4, 4))

    def _wandering(self) -> Floats:
        """Return the variances (4,) of slip and turn."""
        turn = np.deg2rad(TURN_SIGMA_DEG_PER_M)
        return np.array([SCALE_SIGMA, SIDE_SIGMA, CLIMB_SIGMA, turn]) ** 2

    def corrected(self, T_raw: Floats) -> Floats:
        """Return the corrected pose (4, 4) of something at a pose of the odometry at the same instant."""
        R = from_yaw(self.heading)
        return transform(R @ T_raw[:3, :3], self.p + R @ (T_raw[:3, 3] - self.T_raw[:3, 3]))

    def move_to(self, T_raw: Floats) -> None:
        """Follow another camera of the robot from here on."""
        self.p, self.T_raw = self.corrected(T_raw)[:3, 3].copy(), T_raw.copy()

    def move(self, T_raw: Floats) -> None:
        """Follow the odometry to its next pose, less what it is believed to err."""
        step = T_raw[:3, 3] - self.T_raw[:3, 3]
        meters, turned = float(np.linalg.norm(step)), float(angle_between(self.T_raw, T_raw))
        step = from_yaw(self.heading - 0.5 * self.turn * meters) @ step
        ahead, across = np.array([step[0], step[1], 0.0]), np.array([-step[1], step[0], 0.0])
        slips = np.stack([ahead, across, np.array([0.0, 0.0, meters])], axis=1)
        keep = math.exp(-meters / MEMORY_M)
        F = np.eye(8)
        F[PLACE, HEADING], F[PLACE, SLIP] = across, -slips
        F[PLACE, TURN], F[HEADING, TURN] = -0.5 * meters * across, -meters
        F[range(4, 8), range(4, 8)] = keep
        Q = np.zeros((8, 8))
        Q[range(3), range(3)] = JITTER_M**2 * meters
        Q[HEADING, HEADING] = JITTER_RAD**2 * meters + (TURN_SHARE * turned) ** 2
        Q[range(4, 8), range(4, 8)] = (1.0 - keep * keep) * self._wandering()
        self.P = F @ self.P @ F.T + Q
        self.growth = F[:4, :4] @ self.growth @ F[:4, :4].T + self._odometry_noise(step, meters)
        self.p = self.p + step - slips @ self.slip
        self.heading -= self.turn * meters
        self.slip, self.turn = keep * self.slip, keep * self.turn
        self.T_raw = T_raw.copy()

    def _odometry_noise(self, step: Floats, meters: float) -> Floats:
        """Return the covariance (4, 4) that a step has where nothing is seen."""
        o = self.odometry
        side2 = o.noise_side_m**2
        ahead = step / max(meters, 1e-9)
        out = np.zeros((4, 4))
        out[PLACE, PLACE] = side2 * np.eye(3) + (o.noise_m**2 - side2) * np.outer(ahead, ahead)
        out[HEADING, HEADING] = np.deg2rad(o.noise_deg) ** 2
        return out * meters

    def prior(self) -> Floats:
        """Return the information (10, 10) about the state and the image's roll and pitch."""
        C = np.zeros((SIZE, SIZE))
        C[:8, :8] = self.P
        C[TILT, TILT] = np.eye(2) * np.deg2rad(TILT_SIGMA_DEG) ** 2
        return np.asarray(np.linalg.inv(C + TINY * np.eye(SIZE)))

    def correct(self, x: Floats, information: Floats) -> None:
        """Take over a correction (10,) and how sure it is (10, 10)."""
        seen = self._seen(information)
        self.growth = self.growth @ np.linalg.inv(np.eye(4) + seen @ self.growth)
        self.growth = 0.5 * (self.growth + self.growth.T)
        C = np.linalg.inv(information)[:8, :8]
        self.P = 0.5 * (C + C.T)
        self.p = self.p + x[PLACE]
        self.heading += float(x[HEADING])
        self.slip, self.turn = self.slip + x[SLIP], self.turn + float(x[TURN])

    def _seen(self, information: Floats) -> Floats:
        """Return what (4, 4) the image alone tells of place and heading, whatever its roll and pitch."""
        rows = np.r_[0:4, TILT]
        M = (information - self.prior())[np.ix_(rows, rows)]
        M[4:, 4:] += np.eye(2) / np.deg2rad(TILT_SIGMA_DEG) ** 2
        return np.asarray(M[:4, :4] - M[:4, 4:] @ np.linalg.solve(M[4:, 4:], M[4:, :4]))

    def shift(self, D: Floats) -> None:
        """Move what is believed by a transform (4, 4) about the vertical; how sure it is stays as it is."""
        self.p = D[:3, :3] @ self.p + D[:3, 3]
        self.heading += float(np.arctan2(D[1, 0], D[0, 0]))

    def turned(self, T: Floats, x: Floats) -> Floats:
        """Return a corrected pose (4, 4) with a correction (10,) that is only tried, around the reference."""
        R = exp_so3([*x[TILT], x[HEADING]])
        return transform(R @ T[:3, :3], self.p + x[PLACE] + R @ (T[:3, 3] - self.p))
