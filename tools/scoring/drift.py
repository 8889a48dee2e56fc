"""How far odometry drifts."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import inverse, relative


def relative_drift_percent(T_true: Floats, T_odom: Floats, length_m: float = 100.0) -> float:
    """Return the mean translation error of all stretches of a length, in percent of it (KITTI's measure).

    NaN where the path is shorter.
    """
    steps = np.linalg.norm(np.diff(T_true[:, :3, 3], axis=0), axis=1)
    at = np.concatenate([[0], np.cumsum(steps)])
    starts = np.flatnonzero(at + length_m <= at[-1])[::10]
    if len(starts) == 0:
        return float("nan")
    ends = np.searchsorted(at, at[starts] + length_m)
    error = inverse(relative(T_true[starts], T_true[ends])) @ relative(T_odom[starts], T_odom[ends])
    return float(100 / length_m * np.linalg.norm(error[:, :3, 3], axis=1).mean())
