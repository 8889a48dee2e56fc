"""The pose graph of a team: every robot's odometry, and the closures that join them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from commonground.arrays import Ints
from commonground.mapping.fusion.closures import Closure
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.posegraph import Constraints, PoseGraph


def team_graph(runs: Sequence[RobotRun], closures: Sequence[Closure]) -> PoseGraph:
    """Return the pose graph of all robots: their odometry and the closures."""
    starts = np.cumsum([0, *(len(r.poses) for r in runs)])
    odometry = [
        Constraints(r.odometry.rows + s, r.odometry.T, r.odometry.covariances)
        for r, s in zip(runs, starts[:-1], strict=True)
    ]
    rows: Ints = np.array(
        [[starts[c.robots[k]] + c.keyframes[k] for k in (0, 1)] for c in closures], np.int64
    ).reshape(-1, 2)
    constraints = Constraints(
        rows,
        np.array([c.T for c in closures], float).reshape(-1, 4, 4),
        np.array([c.covariance for c in closures], float).reshape(-1, 6, 6),
    )
    return PoseGraph(
        ids=np.arange(starts[-1]),
        poses=np.concatenate([r.poses for r in runs]),
        odometry=Constraints.joined(odometry),
        closures=constraints,
        robot=np.repeat(np.arange(len(runs)), np.diff(starts)),
        names=tuple(r.name for r in runs),
        evidence=np.array([c.evidence for c in closures], float),
        objects=np.array([len(r.objects) for r in runs], np.int64),
    )
