"""Relative pose uncertainty in a pose graph, approximated by effective resistance.

Along odometry variances add up; where closures offer other ways they combine as parallel resistors do.
This is exact for position-only graphs and a good measure otherwise (Khosoussi et al. 2014 relate the
two); the heading's share grows with the distance between the poses.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.mapping.fusion.posegraph import PoseGraph
from commonground.mapping.fusion.resistance import Resistances

FAR = 1e9
"""What nothing joins is uncertain by so many times the largest variance of an edge."""


@dataclass(frozen=True, slots=True, eq=False)
class RelativeUncertainty:
    """Relative uncertainty of poses, from odometry and the accepted closures."""

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
