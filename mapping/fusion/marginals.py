"""How uncertain the poses of a graph are as seen from one another: exactly, without each closure, or cheaply.

``RelativeUncertainty`` says cheaply how uncertain all relative poses are, without direction. A robot that
turned wrongly is lost sideways, hardly along its way, so a wrong closure can look near; the marginal
covariance tells.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import adjoint, exp_se3, inverse
from commonground.mapping.fusion.posegraph import Constraints, PoseGraph, mahalanobis2, residuals
from commonground.mapping.fusion.resistance import Resistances

MOST = 60
"""So many closures that may come in are looked at exactly, those that matter first."""
WORK = 100_000_000
"""As many used closures are looked at as this allows, counted in entries of the factor for each."""
FAR = 1e9
"""Variance of what nothing joins, in m² and rad²; or so many times the largest variance of an edge."""
CHECKED = 1e-10
"""Share of a closure's variance that must be left over for others to have a say."""


@dataclass(frozen=True, slots=True, eq=False)
class Marginals:
    """How uncertain poses are as seen from one another at an optimum, along the free axes."""

    resistances: Resistances
    seen: Floats
    """(n, 6, 6), or as many as there are axes: adjoints from the origin to each pose."""

    @staticmethod
    def of(graph: PoseGraph, poses: Floats, accepted: Bools, axes: Ints) -> Marginals | None:
        """Return what odometry and used closures tell; None where it cannot be told."""
        edges = Constraints.joined([graph.odometry, graph.closures.take(accepted)])
        # seen from the middle, an edge between i and j moves with the difference of their errors alone
        back = inverse(poses)
        back[:, :3, 3] += back[:, :3, :3] @ poses[:, :3, 3].mean(axis=0)
        seen = adjoint(back)[:, axes[:, None], axes]
        moved, C = seen[edges.rows[:, 1]], edges.covariances[:, axes[:, None], axes]
        conductances = np.swapaxes(moved, -1, -2) @ np.linalg.solve(C, moved)
        try:
            return Marginals(Resistances.of(len(poses), edges.rows, conductances), seen)
        except np.linalg.LinAlgError:
            return None

    def between(self, ends: Ints) -> Floats:
        """Return covariances (k, d, d) of poses j seen from poses i of (i, j) = ``ends`` (k, 2)."""
        back = self.seen[ends[:, 1]]
        known = back @ self.resistances.between(ends) @ np.swapaxes(back, -1, -2)
        known[~self.resistances.joined(ends)] = FAR * np.eye(known.shape[-1])
        return np.asarray(known)


@dataclass(frozen=True, slots=True, eq=False)
class LeaveOneOut:
    """What all others say of used closures."""

    rows: Ints
    """(k,) the closures that others check."""
    near2: Floats
    """(k,) squared Mahalanobis distance of each from where the others put it."""
    covariances: Floats
    """(k, 6, 6) of that difference: the closure's own and that of the poses without it."""
    estimated: Floats
    """(k, 4, 4) relative poses by the others."""

    @staticmethod
    def of(
        graph: PoseGraph, poses: Floats, accepted: Bools, strength: Floats, axes: Ints
    ) -> LeaveOneOut | None:
        """Return this for used closures at an optimum, those with the least ``strength`` (m,) if too many.

        Where a closure with covariance C is left with residual r and the poses with covariance P, the others
        by themselves leave it with C (C − P)⁻¹ r, whose covariance is C (C − P)⁻¹ C.
        """
        known = Marginals.of(graph, poses, accepted, axes)
        if known is None:
            return None
        rows = np.flatnonzero(accepted)
        rows = rows[np.argsort(strength[rows], kind="stable")]
        rows = np.sort(rows[: max(MOST, WORK // max(1, len(known.resistances.values)))])
        free = (slice(None), axes[:, None], axes)
        C = graph.closures.covariances[rows]
        left = C[free] - known.between(graph.closures.rows[rows])
        # one that nothing else checks leaves no residual to judge by
        least = np.linalg.eigvalsh(left)[:, :1], np.linalg.eigvalsh(C[free])[:, :1]
        checked = (least[0] > CHECKED * least[1])[:, 0]
        rows, C, left = rows[checked], C[checked], left[checked]
        used = graph.closures.take(rows)
        twists = residuals(used, poses)
        pull = np.linalg.solve(left, twists[:, axes, None])
        whole = C.copy()
        whole[free] = C[free] @ np.linalg.solve(left, C[free])
        twists[:, axes] = (C[free] @ pull)[..., 0]
        near2 = mahalanobis2(twists[:, axes], whole[free])
        return LeaveOneOut(rows, near2, whole, used.T @ exp_se3(twists))


@dataclass(frozen=True, slots=True, eq=False)
class RelativeUncertainty:
    """Relative uncertainty of poses, from odometry and the accepted closures, by effective resistance.

    Along odometry variances add up; where closures offer other ways they combine as parallel resistors do.
    This is exact for position-only graphs and a good measure otherwise (Khosoussi et al. 2014 relate the
    two); the heading's share grows with the distance between the poses.
    """

    turns: Resistances
    """Of headings."""
    far: float
    """Variance of headings that nothing joins."""
    positions: Floats
    """(n, 3)"""
    ratio: float
    """Variance of position per variance of heading of one odometry step."""

    @staticmethod
    def of(graph: PoseGraph, poses: Floats, accepted: Bools) -> RelativeUncertainty:
        """Return the slack of a graph's poses under odometry and the accepted closures."""
        edges = [graph.odometry, graph.closures.take(accepted)]
        rows = np.concatenate([e.rows for e in edges])
        turn = np.concatenate([_turn(e.covariances) for e in edges])
        C = graph.odometry.covariances
        move = np.trace(C[:, :3, :3], axis1=1, axis2=2) / 3
        ratio = float(np.median(move / _turn(C))) if len(C) else 1.0
        turns = Resistances.of(len(poses), rows, 1.0 / turn[:, None, None])
        return RelativeUncertainty(
            turns, FAR * float(turn.max(initial=1.0)), poses[:, :3, 3], ratio
        )

    def covariances(self, rows: Ints) -> Floats:
        """Return covariances (m, 6, 6), translation first, of pose j seen from pose i beyond their own."""
        turn = np.where(self.turns.joined(rows), self.turns.between(rows)[:, 0, 0], self.far)
        gap2 = ((self.positions[rows[:, 0]] - self.positions[rows[:, 1]]) ** 2).sum(axis=1)
        move = turn * (self.ratio + gap2 / 3)
        out = np.zeros((len(rows), 6, 6))
        out[:, range(3), range(3)] = move[:, None]
        out[:, range(3, 6), range(3, 6)] = turn[:, None]
        return out


def _turn(covariances: Floats) -> Floats:
    return np.asarray(covariances[:, range(3, 6), range(3, 6)].max(axis=1))
