"""Straight lines over the ground: which centers of surface places see each other."""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Bools, Floats, Ints, Ints32
from commonground.compiled import compiled
from commonground.mapping.space.grid import neighbors
from commonground.mapping.space.place_layer import redundant
from commonground.mapping.surface.cells import CellTable, head_at
from commonground.mapping.surface.ground import GroundMap
from commonground.scene import Edges

OFF, EDGE, INSIDE = range(3)
"""A line leaves the ground, passes along its edge, or keeps a cell of ground on either side."""
REACH = 3.5
"""Centers up to so many diameters of a surface place apart are joined where they see each other."""

FRINGE_M = 2.0
"""A center is moved up to so far to have ground all around."""


class Footing:
    """Ground cells and the node each belongs to, for looking along lines."""

    def __init__(self, ground: GroundMap, rows: Ints, node: Ints32, max_step_m: float) -> None:
        cells = ground.cells
        self.ground = ground
        self.max_step_m = max_step_m
        self.member = np.full(len(cells) + 1, -1, np.int32)
        self.member[rows] = node
        usable = self.member[: len(cells)] >= 0
        near = neighbors(rows, 8, max_step_m, cells.table, usable)
        self.inner: Bools = np.zeros(len(cells) + 1, np.bool_)
        """(rows + 1,) cells with ground all around."""
        self.inner[rows] = (near >= 0).all(axis=1)

    def look(self, a: Floats, b: Floats, zone: Ints) -> tuple[Ints, Floats, Bools]:
        """Return what lines between points (m, 3) pass: OFF, EDGE or INSIDE, the highest step, and zones.

        The last tells whether a line goes from its first ``zone`` (k,) straight into its last.
        """
        a, b, ground = np.ascontiguousarray(a), np.ascontiguousarray(b), self.ground
        return look_along(
            a, b, ground.cells.table, self.member, self.inner, zone, ground.cell_m, self.max_step_m
        )

    def standing(self, rows: Ints, node: Ints32, k: int) -> Floats:
        """Return a center (k, 3) of each node: its centroid, or where that is off it, its nearest cell.

        A cell at the edge of the ground is taken only where there is no other.
        """
        at, size = self.ground.positions(rows), np.maximum(np.bincount(node, minlength=k), 1)
        sums = [np.bincount(node, at[:, i], k) for i in range(3)]
        centroid: Floats = np.stack(sums, axis=1) / size[:, None]
        away = np.linalg.norm(at[:, :2] - centroid[node, :2], axis=1)
        order = np.lexsort((away + FRINGE_M * ~self.inner[rows], node))
        nearest = order[np.searchsorted(node[order], np.arange(k))]
        cell = np.floor(centroid[:, :2] / self.ground.cell_m)
        within = (cell == self.ground.cells.place[rows[nearest]]).all(axis=1)
        return np.where(within[:, None], centroid, at[nearest])


def with_visible(
    footing: Footing, centers: Floats, touching: Edges, zone: Ints, size_m: float
) -> Edges:
    """Return the edges of neighbors and those between centers beyond that see each other.

    Paths over neighbors' centers alone zigzag: in the open they are up to a seventh too long. A line beyond
    neighbors stays in the ``zone`` (k,), the region, of its ends.
    """
    from scipy.spatial import cKDTree

    k = len(centers)
    if k < 3:
        return touching
    touching = _walkable(footing, centers, touching)
    pairs = cKDTree(centers).query_pairs(REACH * size_m, output_type="ndarray").astype(np.int64)
    pairs = np.sort(pairs, axis=1)
    pairs = pairs[~np.isin(pairs @ [k, 1], np.sort(touching.rows, axis=1) @ [k, 1])]
    pairs = pairs[np.lexsort(pairs.T[::-1])]
    grade, step, straight = footing.look(centers[pairs[:, 0]], centers[pairs[:, 1]], zone)
    seen = (grade != OFF) & straight
    pairs, step = pairs[seen], step[seen]
    ends = np.concatenate([touching.rows, pairs])
    length = np.linalg.norm(centers[ends[:, 0]] - centers[ends[:, 1]], axis=1)
    needed = ~redundant(k, np.sort(ends, axis=1), length, np.ones(len(ends)))
    needed[: len(touching)] = True
    more = np.flatnonzero(needed[len(touching) :])
    extras = tuple(
        {
            "type": "EdgeAttributes",
            "weighted": True,
            "metadata": {"border_m": 0.0, "step_m": round(float(step[e]), 3)},
        }
        for e in more
    )
    return Edges(ends[needed], length[needed], (*touching.extras, *extras))


def _walkable(footing: Footing, centers: Floats, edges: Edges) -> Edges:
    """Return the edges without those whose line leaves the ground, but for what nothing else connects."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import minimum_spanning_tree

    k, rows = len(centers), np.sort(edges.rows, axis=1)
    grade, _, _ = footing.look(centers[rows[:, 0]], centers[rows[:, 1]], np.zeros(k, np.int64))
    cost = np.where(grade == OFF, 1e6, 1.0) + edges.weights
    tree = minimum_spanning_tree(coo_matrix((cost, rows.T), (k, k)).tocsr()).tocoo()
    needed = np.isin(
        rows @ [k, 1],
        np.minimum(tree.row, tree.col).astype(np.int64) * k + np.maximum(tree.row, tree.col),
    )
    kept = (grade != OFF) | needed
    return Edges(
        edges.rows[kept],
        edges.weights[kept],
        tuple(e for e, x in zip(edges.extras, kept, strict=True) if x),
    )


@compiled
def look_along(
    a: Floats,
    b: Floats,
    cells: CellTable,
    member: Ints32,
    inner: Bools,
    zone: Ints,
    cell_m: float,
    max_step_m: float,
) -> tuple[Ints, Floats, Bools]:
    """Return for lines from points (m, 3) to others what they pass, the highest step, and if in two zones."""
    grade, steps = np.zeros(len(a), np.int64), np.zeros(len(a))
    straight = np.zeros(len(a), np.bool_)
    for n in range(len(a)):
        dx, dy = b[n, 0] - a[n, 0], b[n, 1] - a[n, 1]
        count = int(math.sqrt(dx * dx + dy * dy) / (0.4 * cell_m)) + 2
        z, best, current, turned, strange = a[n, 2], 2, -1, 0, False
        for s in range(count):
            share = s / (count - 1)
            u, v = (a[n, 0] + share * dx) / cell_m, (a[n, 1] + share * dy) / cell_m
            x, y = math.floor(u), math.floor(v)
            bit = 2 * int(u - x >= 0.5) + int(v - y >= 0.5)
            row, found, gap = head_at(cells, x, y), -1, max_step_m + 1e-6
            while row >= 0:
                if member[row] >= 0 and abs(cells.height[row] - z) <= gap:
                    found, gap = row, abs(cells.height[row] - z)
                row = cells.next[row]
            if found < 0 or (0 < s < count - 1 and not cells.open[found] >> bit & 1):
                best = 0
                break
            if s > 0:
                steps[n] = max(steps[n], gap)
            z = cells.height[found]
            if not inner[found]:
                best = min(best, 1)
            if zone[member[found]] != current:
                turned += 1
                current = zone[member[found]]
                strange |= turned > 2
        grade[n], straight[n] = best, not strange
    return grade, steps, straight
