"""Paths of fused robots as they were driven: every pose, with the roll and pitch that each robot had.

Fusion moves keyframes, which stand upright. Between two of them a robot went as it recorded, so its own path
is carried along: each pose by what both keyframes moved by, the nearer one counting for more.
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.errors import CommongroundError
from commonground.geometry import (
    from_quat_wxyz,
    gravity_aligned,
    interpolate,
    inverse,
    transform,
)
from commonground.mapping.fusion.robot_run import RobotRun
from commonground.names import within
from commonground.tum import read_tum


def driven_path(run: RobotRun, corrected: Floats, before_ns: int) -> tuple[Ints, Floats]:
    """Return stamps (n,) and poses (n, 4, 4) of a robot up to a time, by its ``corrected`` keyframes.

    Those are all that were recorded; of a run without its recorded path, the keyframes.
    """
    keys, moved = run.stamps_ns, gravity_aligned(corrected) @ inverse(run.poses)
    stamps, T = _recorded(run)
    mine = (stamps >= keys[0]) & (stamps < before_ns)
    stamps, T = stamps[mine], T[mine]
    one = np.clip(np.searchsorted(keys, stamps, side="right") - 1, 0, len(keys) - 1)
    two = np.minimum(one + 1, len(keys) - 1)
    share = np.clip((stamps - keys[one]) / np.maximum(keys[two] - keys[one], 1), 0.0, 1.0)
    return stamps, interpolate(moved[one] @ T, moved[two] @ T, share)


def _recorded(run: RobotRun) -> tuple[Ints, Floats]:
    """Return all poses a robot noted if they are those of its keyframes, else these with their attitude."""
    try:
        stamps, T = read_tum(within(run.folder, "trajectory.tum"))
    except CommongroundError:
        stamps, T = np.empty(0, np.int64), np.empty((0, 4, 4))
    if np.isin(run.stamps_ns, stamps).all():
        return stamps, T
    for layer in run.graph.agents.values():
        if len(layer) == len(run.poses) and "quat_wxyz" in layer.columns:
            R = from_quat_wxyz(np.asarray(layer.columns["quat_wxyz"], float))
            return run.stamps_ns, transform(R, layer.positions)
    return run.stamps_ns, run.poses
