"""Pose graph optimization with gtsam under a robust kernel."""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.mapping.fusion.posegraph import Constraints, PoseGraph

PRIOR_SIGMA = 1e-4
"""How firmly the first pose of each group is held, in meters and radians."""
ITERATIONS = 60
TO_GTSAM = np.array([3, 4, 5, 0, 1, 2])
"""gtsam's twists have the rotation first."""


class Kernel(Enum):
    """How a closure's pull depends on its residual."""

    GAUSS = "gauss"
    CAUCHY = "cauchy"
    """Heavy-tailed: a wrong closure pulls a little, a right one far off still pulls."""
    TRUNCATED = "truncated"
    """Truncated least squares at the 99.9 % gate: beyond, a closure does not pull at all."""


def solve(
    graph: PoseGraph,
    start: Floats,
    closures: Constraints,
    component: Ints,
    kernel: Kernel = Kernel.GAUSS,
    *,
    chordal: bool = False,
) -> Floats:
    """Return the poses (n, 4, 4) that fit odometry and closures best; ``chordal`` starts from rotations."""
    import gtsam

    factors, values = _problem(graph, start, closures, component, kernel)
    if chordal and len(closures):
        values = _chordal(graph, start, closures, component, values)
    parameters = gtsam.LevenbergMarquardtParams()
    parameters.setMaxIterations(ITERATIONS)
    parameters.setRelativeErrorTol(1e-6)
    found = gtsam.LevenbergMarquardtOptimizer(factors, values, parameters).optimize()
    return np.stack([found.atPose3(k).matrix() for k in range(len(graph))])


def _problem(
    graph: PoseGraph, start: Floats, closures: Constraints, component: Ints, kernel: Kernel
) -> tuple[Any, Any]:
    """Return the factors and the start as gtsam has them."""
    import gtsam

    factors = gtsam.NonlinearFactorGraph()
    for root in np.unique(component):
        first = int(np.flatnonzero(component[graph.robot] == root)[0])
        hold = gtsam.noiseModel.Isotropic.Sigma(6, PRIOR_SIGMA)
        factors.add(gtsam.PriorFactorPose3(first, gtsam.Pose3(start[first]), hold))
    _add(factors, graph.odometry, None)
    _add(factors, closures, _robust(kernel))
    values = gtsam.Values()
    for k, T in enumerate(start):
        values.insert(k, gtsam.Pose3(T))
    return factors, values


def _add(factors: Any, constraints: Constraints, robust: Any) -> None:
    import gtsam

    models: dict[bytes, Any] = {}  # most edges share one covariance
    turned = constraints.covariances[:, TO_GTSAM[:, None], TO_GTSAM]
    for (i, j), T, C in zip(constraints.rows.tolist(), constraints.T, turned, strict=True):
        key = C.tobytes()
        if key not in models:
            gauss = gtsam.noiseModel.Gaussian.Covariance(C)
            models[key] = gauss if robust is None else gtsam.noiseModel.Robust.Create(robust, gauss)
        factors.add(gtsam.BetweenFactorPose3(i, j, gtsam.Pose3(T), models[key]))


def _robust(kernel: Kernel) -> Any:
    import gtsam

    m = gtsam.noiseModel.mEstimator
    if kernel is Kernel.CAUCHY:
        return m.Cauchy.Create(2.0)
    return m.TruncatedLeastSquares.Create(4.74) if kernel is Kernel.TRUNCATED else None


def _chordal(
    graph: PoseGraph, start: Floats, closures: Constraints, component: Ints, values: Any
) -> Any:
    """Return a start whose rotations solve the relaxed problem; the given one where that fails."""
    import gtsam

    plain = gtsam.NonlinearFactorGraph()
    first = int(np.flatnonzero(component[graph.robot] == component[graph.robot[0]])[0])
    plain.add(
        gtsam.PriorFactorPose3(first, gtsam.Pose3(start[first]), gtsam.noiseModel.Unit.Create(6))
    )
    if len(np.unique(component)) > 1:
        return values  # the relaxation wants one connected graph
    _add(plain, graph.odometry, None)
    _add(plain, closures, None)
    try:
        return gtsam.InitializePose3.initialize(plain)
    except (RuntimeError, ValueError):
        return values
