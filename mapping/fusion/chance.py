"""Null model of loop closures: how well a wrong one would agree by chance.

A wrong closure puts its pose anywhere in the map, turned anyhow; a right one errs by its covariance and by
that of the odometry it is compared through. The log ratio of the two densities is evidence. However loose or
tight the stated covariances are, a wrong closure hardly ever gains much: the probability that chance
reaches a log ratio of t is at most exp(−t).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from commonground.arrays import Floats, Ints
from commonground.geometry import adjoint, inverse, log_se3, log_so3
from commonground.mapping.fusion.posegraph import Constraints, PoseGraph, mahalanobis2

STRIDES = 16
"""So many sets of pairs of poses show how poses lie to one another."""
FLAT = 1e-3
"""Share of the largest extent below which the map has no thickness."""
NEAREST = 0.2
"""Share of the usual squared distance below which it is no wonder to be nearer."""
BOX = 12.0
"""Squared width of a box per variance of what is spread evenly over it."""
SPATIAL, PLANAR = np.arange(6), np.array([0, 1, 5])


@dataclass(frozen=True, slots=True, eq=False)
class Chance:
    """What a wrong closure may claim: the relative pose of any two poses of the map."""

    axes: Ints
    """Components of a twist that are free."""
    spread2: Floats
    """(6,) their mean squares over the map."""

    @staticmethod
    def of(poses: Floats, robot: Ints) -> Chance:
        """Return how poses (n, 4, 4) of each robot lie to one another, for frames may differ.

        What never tilts is not turned just anyhow.
        """
        n = len(poses)
        strides = np.unique(np.linspace(1, max(n - 1, 1), STRIDES).astype(int))
        pairs = np.concatenate([np.c_[np.arange(n), np.roll(np.arange(n), -k)] for k in strides])
        own = robot[pairs[:, 0]] == robot[pairs[:, 1]]
        i, j = pairs[own].T if own.any() else pairs.T
        apart = inverse(poses[i]) @ poses[j]
        # the frames of robots are not known yet; several robots spread over more than each of them
        share = np.unique(robot, return_counts=True)[1] / n
        move2 = (apart[:, :3, 3] ** 2).mean(axis=0) / (share**2).sum()
        turn2 = (log_so3(apart[:, :3, :3]) ** 2).mean(axis=0)
        flat = move2[2] <= FLAT**2 * move2.max() and turn2[:2].max() < FLAT**2
        # the robot turns, so both horizontal axes see the same
        move2[:2] = move2[:2].mean()
        return Chance(PLANAR if flat else SPATIAL, np.concatenate([move2, turn2]))

    def distances2(self, twists: Floats, covariances: Floats) -> Floats:
        """Return squared Mahalanobis lengths (m,) along the free axes."""
        return mahalanobis2(twists[:, self.axes], covariances[:, self.axes[:, None], self.axes])

    def evidence(self, twists: Floats, covariances: Floats) -> Floats:
        """Return log ratios (m,): a right closure's density at its error, against that of a wrong one."""
        return self._room(covariances) - 0.5 * self.distances2(twists, covariances)

    def rarity(self, distances2: Floats, covariances: Floats) -> Floats:
        """Return −log of the probability (m,) that a wrong closure comes as near as this."""
        k = len(self.axes)
        # the volume of the ellipsoid up to there
        ball = 0.5 * k * np.log(np.maximum(distances2, NEAREST * k) / 2) - gammaln(k / 2 + 1)
        return np.asarray(self._room(covariances) - ball)

    def _room(self, covariances: Floats) -> Floats:
        """Return the log volume (m,) of what wrong closures claim, per volume of what right ones do."""
        own = 2 * np.pi * covariances[:, self.axes[:, None], self.axes]
        wide = own + BOX * np.diag(self.spread2[self.axes])
        return np.asarray(0.5 * (np.linalg.slogdet(wide)[1] - np.linalg.slogdet(own)[1]))


@dataclass(frozen=True, slots=True, eq=False)
class Odometry:
    """Chained odometry with its covariance between any two poses of a robot.

    Every step's error, seen from the origin, adds up: ``spread`` are the sums of Ad(X) C Ad(X)ᵀ.
    """

    poses: Floats
    """(n, 4, 4)"""
    spread: Floats
    """(n, 6, 6)"""

    @staticmethod
    def of(graph: PoseGraph, poses: Floats) -> Odometry:
        """Return the odometry of a graph along its chained poses (n, 4, 4)."""
        steps = np.zeros((len(graph), 6, 6))
        after = graph.odometry.rows[:, 1]
        steps[after] = _carried(adjoint(poses[after]), graph.odometry.covariances)
        return Odometry(poses, np.cumsum(steps, axis=0))

    def between(self, i: Ints, k: Ints) -> tuple[Floats, Floats]:
        """Return relative poses (m, 4, 4) of poses k seen from i, and covariances (m, 6, 6) at k."""
        gone = self.spread[np.maximum(i, k)] - self.spread[np.minimum(i, k)]
        back = inverse(self.poses[k])
        return inverse(self.poses[i]) @ self.poses[k], _carried(adjoint(back), gone)


def alone(closures: Constraints, odometry: Odometry, chance: Chance) -> Floats:
    """Return the evidence (m,) of closures within one robot, by its odometry between their ends."""
    moved, C = odometry.between(*closures.rows.T)
    return chance.evidence(log_se3(inverse(closures.T) @ moved), C + closures.covariances)


def _carried(A: Floats, covariances: Floats) -> Floats:
    return np.asarray(A @ covariances @ np.swapaxes(A, -1, -2))
