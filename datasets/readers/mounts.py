"""Where cameras sit on robots, as files state it: no farther away than a robot is large."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats
from commonground.errors import DataError

ROBOT_M, RIG_M = 50.0, 5.0
"""A camera farther from its robot, or a depth camera farther from its color camera, is not in meters."""


def checked_mount(T: Floats, where: str, most_m: float = ROBOT_M) -> Floats:
    """Return a pose (4, 4) of a camera; DataError where it lies too far from what it is on."""
    away_m = float(np.linalg.norm(T[:3, 3]))
    if away_m > most_m:
        raise DataError(
            f"{where} is {away_m:.0f} m away; is it in meters, not in millimeters, and which way does it map?"
        )
    return T
