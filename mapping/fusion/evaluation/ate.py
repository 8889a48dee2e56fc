"""Absolute trajectory error of a team: one joint rigid alignment of all robots, then the root mean square."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import align_points, apply


def joint_ate(found: Sequence[Floats], true: Sequence[Floats]) -> float:
    """Return the error in meters of robots' paths (k, 4, 4) each, by evo where it is installed."""
    both = np.concatenate(list(found)), np.concatenate(list(true))
    if len(both[0]) < 3:
        return own_ate(*both)
    try:
        return evo_ate(*both)
    except ImportError:
        return own_ate(*both)


def own_ate(found: Floats, true: Floats) -> float:
    """Return the error of poses (n, 4, 4) after the rigid alignment of least squares."""
    T = align_points(found[:, :3, 3], true[:, :3, 3])
    gap = np.linalg.norm(apply(T, found[:, :3, 3]) - true[:, :3, 3], axis=1)
    return float(np.sqrt((gap**2).mean()))


def evo_ate(found: Floats, true: Floats) -> float:
    """Return the same as evo computes it; ImportError without evo."""
    from evo.core.metrics import APE, PoseRelation, StatisticsType
    from evo.core.trajectory import PosePath3D

    estimate, reference = PosePath3D(poses_se3=list(found)), PosePath3D(poses_se3=list(true))
    estimate.align(reference)
    error = APE(PoseRelation.translation_part)
    error.process_data((reference, estimate))
    return float(error.get_statistic(StatisticsType.rmse))
