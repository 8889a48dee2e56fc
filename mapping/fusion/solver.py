"""Pose graph optimization with gtsam under a robust kernel."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import Any

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.errors import MappingError
from commonground.mapping.fusion.posegraph import Constraints, PoseGraph
from commonground.reasons import reason
from commonground.scene.parts import connected

PRIOR_SIGMA = 1e-4
"""How firmly the first pose of all that hangs together is held, in meters and radians."""
ITERATIONS = 60
STEP_ITERATIONS = 2
"""Of each step of graduated non-convexity, which begins where the one before ended: more change nothing."""
CHAIN = 0.25
"""Below so many closures a pose a graph is nearly a chain. gtsam's multifrontal Cholesky rounds off too much
on a long one (15,115 poses: 60 steps to twice the error, where poses one after another take 12)."""
TO_GTSAM = np.array([3, 4, 5, 0, 1, 2])
"""gtsam's twists have the rotation first."""


class Kernel(Enum):
    """How a closure's pull depends on its residual."""

    GAUSS = "gauss"
    CAUCHY = "cauchy"
    """Heavy-tailed: a wrong closure pulls a little, a right one far off still pulls."""
    TRUNCATED = "truncated"
    """Truncated least squares at the 99.9 % gate: beyond, a closure does not pull at all."""


GATE = 22.46
"""χ² with six degrees of freedom at 99.9 %: a closure beyond does not fit."""


def solve(
    graph: PoseGraph,
    start: Floats,
    closures: Constraints,
    component: Ints,
    kernel: Kernel = Kernel.GAUSS,
) -> Floats:
    """Return the poses (n, 4, 4) that fit odometry and closures best."""
    problem = Problem(replace(graph, closures=closures), component)
    return problem.solved(start, np.ones(len(closures), bool), kernel)


class Problem:
    """A pose graph as gtsam has it, to be solved with these closures and others, from any start."""

    def __init__(self, graph: PoseGraph, component: Ints) -> None:
        import gtsam

        self._graph, self._component = graph, component
        self._odometry = gtsam.NonlinearFactorGraph()
        for factor in _factors(graph.odometry, None):
            self._odometry.add(factor)
        self._closures: dict[Kernel, list[Any]] = {}

    def solved(
        self, start: Floats, used: Bools, kernel: Kernel = Kernel.GAUSS, *, chordal: bool = False
    ) -> Floats:
        """Return the poses (n, 4, 4) that fit odometry and the used closures (m,) best.

        ``chordal`` starts from rotations that solve the relaxed problem, where that can be done.
        """
        import gtsam

        factors, values = self._held(start, used), gtsam.Values()
        self._fill(factors, used, kernel)
        for k, T in enumerate(start):
            values.insert(k, gtsam.Pose3(T))
        if chordal and used.any():
            values = self._chordal(start, used) or values
        solver = gtsam.LevenbergMarquardtOptimizer(factors, values, self._parameters(used))
        return self._optimum(solver)

    def graduated(self, start: Floats, used: Bools) -> Floats:
        """Return the poses (n, 4, 4) of truncated least squares by graduated non-convexity.

        Yang, Antonante, Tzoumas, Carlone: Graduated non-convexity for robust spatial perception, RA-L 2020;
        gtsam's ``GncOptimizer``. The loss begins convex and becomes the truncated one step by step, so that
        a closure beyond the gate at the start may still come to fit. Odometry is known to be right.
        """
        import gtsam

        factors, values = self._held(start, used), gtsam.Values()
        trusted = factors.size() + len(self._graph.odometry)
        self._fill(factors, used, Kernel.GAUSS)
        for k, T in enumerate(start):
            values.insert(k, gtsam.Pose3(T))
        steps = self._parameters(used)
        steps.setMaxIterations(STEP_ITERATIONS)
        parameters = gtsam.GncLMParams(steps)
        parameters.setLossType(gtsam.GncLossType.TLS)
        parameters.setKnownInliers(list(range(trusted)))
        solver = gtsam.GncLMOptimizer(factors, values, parameters)
        solver.setInlierCostThresholds(GATE / 2.0)  # gtsam's errors are half of χ²
        return self._optimum(solver)

    def _optimum(self, solver: Any) -> Floats:
        try:
            found = solver.optimize()
        except (RuntimeError, ValueError, IndexError) as error:
            raise MappingError(
                f"the paths cannot be optimized: {reason(error)}; leave out the edges given "
                "last, or state larger covariances"
            ) from error
        return np.stack([found.atPose3(k).matrix() for k in range(len(self._graph))])

    def _parameters(self, used: Bools) -> Any:
        import gtsam

        parameters = gtsam.LevenbergMarquardtParams()
        parameters.setMaxIterations(ITERATIONS)
        if used.sum() < CHAIN * len(self._graph):
            parameters.setLinearSolverType("SEQUENTIAL_CHOLESKY")
        parameters.setRelativeErrorTol(1e-6)
        return parameters

    def _held(self, start: Floats, used: Bools) -> Any:
        """Return factors that hold the first pose of all that odometry and the used closures tie together.

        Robots of one group may be tied by none of those that are used: nothing else would say where they are.
        """
        import gtsam

        factors = gtsam.NonlinearFactorGraph()
        hold = gtsam.noiseModel.Isotropic.Sigma(6, PRIOR_SIGMA)
        edges = (self._graph.odometry.rows, self._graph.closures.rows[used])
        _, firsts = np.unique(connected(len(self._graph), np.concatenate(edges)), return_index=True)
        for first in sorted(firsts.tolist()):
            factors.add(gtsam.PriorFactorPose3(first, gtsam.Pose3(start[first]), hold))
        return factors

    def _fill(self, factors: Any, used: Bools, kernel: Kernel) -> None:
        """Add odometry and the used closures to some factors."""
        factors.push_back(self._odometry)
        if kernel not in self._closures:
            self._closures[kernel] = _factors(self._graph.closures, _robust(kernel))
        own = self._closures[kernel]
        for k in np.flatnonzero(used).tolist():
            factors.add(own[k])

    def _chordal(self, start: Floats, used: Bools) -> Any:
        """Return a start whose rotations solve the relaxed problem; None where that fails."""
        import gtsam

        if self._held(start, used).size() > 1:
            return None  # the relaxation wants one connected graph
        plain, unit = gtsam.NonlinearFactorGraph(), gtsam.noiseModel.Unit.Create(6)
        plain.add(gtsam.PriorFactorPose3(0, gtsam.Pose3(start[0]), unit))
        self._fill(plain, used, Kernel.GAUSS)
        try:
            return gtsam.InitializePose3.initialize(plain)
        except (RuntimeError, ValueError):
            return None


def _factors(constraints: Constraints, robust: Any) -> list[Any]:
    import gtsam

    models: dict[bytes, Any] = {}  # most edges share one covariance
    turned, out = constraints.covariances[:, TO_GTSAM[:, None], TO_GTSAM], []
    for (i, j), T, C in zip(constraints.rows.tolist(), constraints.T, turned, strict=True):
        key = C.tobytes()
        if key not in models:
            gauss = gtsam.noiseModel.Gaussian.Covariance(C)
            models[key] = gauss if robust is None else gtsam.noiseModel.Robust.Create(robust, gauss)
        out.append(gtsam.BetweenFactorPose3(i, j, gtsam.Pose3(T), models[key]))
    return out


def _robust(kernel: Kernel) -> Any:
    import gtsam

    m = gtsam.noiseModel.mEstimator
    if kernel is Kernel.CAUCHY:
        return m.Cauchy.Create(2.0)
    return m.TruncatedLeastSquares.Create(4.74) if kernel is Kernel.TRUNCATED else None
