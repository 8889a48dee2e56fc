"""How uncertain one pose is seen from another: variances through a pose graph add like resistances.

Along odometry variances add up; where closures offer other ways they combine as parallel resistors do.
This is exact for position-only graphs and a good measure otherwise (Khosoussi et al. 2014 relate the
two); the heading's share grows with the distance between the poses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.mapping.fusion.posegraph import PoseGraph

TINY = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Slack:
    """Relative uncertainty of poses, from odometry and the accepted closures."""

    solve: Any
    """Solves the grounded graph Laplacian of headings."""
    positions: Floats
    """(n, 3)"""
    ratio: float
    """Variance of position per variance of heading of one odometry step."""

    @staticmethod
    def of(graph: PoseGraph, poses: Floats, accepted: Bools) -> Slack:
        """Return the slack of a graph's poses under odometry and the accepted closures."""
        from scipy.sparse import coo_matrix, diags
        from scipy.sparse.linalg import factorized

        edges = [graph.odometry, graph.closures.take(accepted)]
        rows = np.concatenate([e.rows for e in edges])
        turn = np.concatenate([_turn(e.covariances) for e in edges])
        n = len(poses)
        (i, j), w = rows.T, 1.0 / turn
        A = coo_matrix((np.r_[w, w], (np.r_[i, j], np.r_[j, i])), shape=(n, n)).tocsr()
        degree = np.asarray(A.sum(axis=1)).ravel()
        # a touch of ground everywhere keeps unconnected groups solvable
        L = (diags(degree + TINY * max(degree.max(), 1.0)) - A).tocsc()
        C = graph.odometry.covariances
        move = np.trace(C[:, :3, :3], axis1=1, axis2=2) / 3
        ratio = float(np.median(move / _turn(C))) if len(C) else 1.0
        return Slack(factorized(L), poses[:, :3, 3], ratio)

    def covariances(self, rows: Ints) -> Floats:
        """Return covariances (m, 6, 6), translation first, of pose j seen from pose i beyond their own."""
        turn = self._resistance(rows)
        gap2 = ((self.positions[rows[:, 0]] - self.positions[rows[:, 1]]) ** 2).sum(axis=1)
        move = turn * (self.ratio + gap2 / 3)
        out = np.zeros((len(rows), 6, 6))
        out[:, range(3), range(3)] = move[:, None]
        out[:, range(3, 6), range(3, 6)] = turn[:, None]
        return out

    def _resistance(self, rows: Ints) -> Floats:
        n = len(self.positions)
        nodes, index = np.unique(rows, return_inverse=True)
        index = index.reshape(rows.shape)
        order = np.argsort(index[:, 0], kind="stable")
        out = np.zeros(len(rows))
        diagonal = np.zeros(len(nodes))
        cross = np.zeros(len(rows))
        starts = np.searchsorted(index[order, 0], np.arange(len(nodes) + 1))
        for k, node in enumerate(nodes):
            unit = np.zeros(n)
            unit[node] = 1.0
            column = self.solve(unit)
            diagonal[k] = column[node]
            mine = order[starts[k] : starts[k + 1]]
            cross[mine] = column[rows[mine, 1]]
        out = diagonal[index[:, 0]] + diagonal[index[:, 1]] - 2 * cross
        return np.maximum(out, 0.0)


def _turn(covariances: Floats) -> Floats:
    return np.asarray(covariances[:, range(3, 6), range(3, 6)].max(axis=1))
