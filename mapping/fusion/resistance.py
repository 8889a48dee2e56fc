"""Effective resistance between nodes of a graph whose edges conduct in one or several dimensions.

Where errors are seen from one common origin, the information matrix of a pose graph is a graph Laplacian
with a matrix for each edge, and the covariance of one pose seen from another is the effective resistance
between the two: (e_i − e_j)ᵀ L⁻¹ (e_i − e_j) (Khosoussi et al. 2014). With one number an edge it is the
resistance of a network of resistors. One sparse factorization serves all pairs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.compiled import compiled
from commonground.scene.parts import connected


@dataclass(frozen=True, slots=True, eq=False)
class Resistances:
    """A Laplacian, each connected part of which is grounded at one node, as unit lower factor and pivots."""

    starts: Ints
    """(size + 1,) where each column of the factor begins."""
    below: Ints
    """Rows below the diagonal."""
    values: Floats
    pivots: Floats
    """(size,)"""
    place: Ints
    """(nodes, dimensions) rows of each node in the factor."""
    part: Ints
    """(nodes,) which connected part each node belongs to."""

    @staticmethod
    def of(nodes: int, rows: Ints, conductances: Floats) -> Resistances:
        """Return the resistances of edges (m, 2) with conductances (m, d, d); LinAlgError if singular."""
        from scipy.sparse import tril
        from scipy.sparse.linalg import splu

        part = connected(nodes, rows)
        order = _order(nodes, rows)
        matrix = _laplacian(order, rows, conductances, part)
        try:
            factor = splu(
                matrix, permc_spec="NATURAL", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
            )
        except RuntimeError as error:  # SuperLU's name for an exactly singular matrix
            raise np.linalg.LinAlgError("an edge conducts nothing in some direction") from error
        pivots = factor.U.diagonal()
        if (factor.perm_r != factor.perm_c).any() or not (pivots > 0).all():
            raise np.linalg.LinAlgError("the Laplacian is not positive definite")
        lower = tril(factor.L, -1, format="csc")
        d = conductances.shape[1]
        place = factor.perm_r[order[:, None] * d + np.arange(d)]
        return Resistances(
            lower.indptr.astype(np.int64),
            lower.indices.astype(np.int64),
            lower.data,
            pivots,
            place.astype(np.int64),
            part,
        )

    def between(self, pairs: Ints) -> Floats:
        """Return the resistances (k, d, d) between pairs (k, 2) of nodes of one part."""
        d = self.place.shape[1]
        out = np.zeros((len(pairs), d, d))
        nodes, ends = np.unique(pairs, return_inverse=True)
        felt = _felt(self.starts, self.below, self.values, self.place[nodes])
        _squared(*felt, self.pivots, ends.reshape(-1, 2).astype(np.int64), out)
        return out

    def joined(self, pairs: Ints) -> Bools:
        """Return which pairs (k, 2) of nodes are of one connected part."""
        return np.asarray(self.part[pairs[:, 0]] == self.part[pairs[:, 1]])


def _order(nodes: int, rows: Ints) -> Ints:
    """Return the position (nodes,) of each node in an order of elimination that fills little."""
    from scipy.sparse import coo_matrix, diags
    from scipy.sparse.linalg import splu

    (i, j), ones = rows.T, np.ones(2 * len(rows))
    links = coo_matrix((ones, (np.r_[i, j], np.r_[j, i])), shape=(nodes, nodes)).tocsr()
    degree = np.asarray(links.sum(axis=1)).ravel()
    firm = (diags(degree + 1.0) - links).tocsc()
    options = {"SymmetricMode": True}
    return np.asarray(splu(firm, permc_spec="MMD_AT_PLUS_A", options=options).perm_c, np.int64)


def _laplacian(order: Ints, rows: Ints, conductances: Floats, part: Ints) -> object:
    """Return the Laplacian in the order given as a sparse matrix."""
    from scipy.sparse import coo_matrix

    d, nodes = conductances.shape[1], len(order)
    i, j = order[rows].T
    ground = np.unique(part, return_index=True)[1]
    # held as firmly as all its edges do together, which keeps the scale
    hold = np.zeros((nodes, d, d))
    np.add.at(hold, rows.T, conductances)
    hold = hold[ground] + np.where(hold[ground].any(axis=(1, 2)), 0.0, 1.0)[:, None, None] * np.eye(
        d
    )
    at = order[ground]
    blocks = np.concatenate([conductances, conductances, -conductances, -conductances, hold])
    down, right = np.r_[i, j, i, j, at], np.r_[i, j, j, i, at]
    span = np.arange(d)
    shape = (len(blocks), d, d)
    row = np.broadcast_to(down[:, None, None] * d + span[:, None], shape).ravel()
    column = np.broadcast_to(right[:, None, None] * d + span, shape).ravel()
    return coo_matrix((blocks.ravel(), (row, column)), shape=(nodes * d, nodes * d)).tocsc()


@compiled
def _felt(starts: Ints, below: Ints, values: Floats, place: Ints) -> tuple[Ints, Ints, Floats]:
    """Return L⁻¹ e of each node where it is not zero: where each begins, the rows, the values (·, d)."""
    size, (nodes, d) = len(starts) - 1, place.shape
    begins = np.zeros(nodes + 1, np.int64)
    rows = np.empty(size, np.int64)
    solved = np.empty((size, d))
    work, marked, used = np.zeros((size, d)), np.zeros(size, np.bool_), 0
    for k in range(nodes):
        for a in range(d):
            work[place[k, a], a] = 1.0
            marked[place[k, a]] = True
        if used + size > len(rows):
            more = 2 * len(rows) + size
            rows = np.append(rows, np.empty(more - len(rows), np.int64))
            solved = np.append(solved, np.empty((more - len(solved), d)), axis=0)
        for c in range(place[k].min(), size):
            if not marked[c]:
                continue
            for p in range(starts[c], starts[c + 1]):
                marked[below[p]] = True
                for a in range(d):
                    work[below[p], a] -= values[p] * work[c, a]
            rows[used] = c
            for a in range(d):
                solved[used, a] = work[c, a]
                work[c, a] = 0.0
            used += 1
            marked[c] = False
        begins[k + 1] = used
    return begins, rows[:used], solved[:used]


@compiled
def _squared(
    begins: Ints, rows: Ints, solved: Floats, pivots: Floats, pairs: Ints, out: Floats
) -> None:
    """Sum up yᵀ D⁻¹ y for the difference y of what the ends of each pair are felt as."""
    size, d = len(pivots), solved.shape[1]
    y = np.zeros(d)
    for k in range(len(pairs)):
        p, q = begins[pairs[k, 0]], begins[pairs[k, 1]]
        p_end, q_end = begins[pairs[k, 0] + 1], begins[pairs[k, 1] + 1]
        while p < p_end or q < q_end:
            p_row = rows[p] if p < p_end else size
            q_row = rows[q] if q < q_end else size
            row = min(p_row, q_row)
            for a in range(d):
                y[a] = 0.0
                if p_row == row:
                    y[a] += solved[p, a]
                if q_row == row:
                    y[a] -= solved[q, a]
            p += p_row == row
            q += q_row == row
            for a in range(d):
                scaled = y[a] / pivots[row]
                for b in range(d):
                    out[k, a, b] += scaled * y[b]
