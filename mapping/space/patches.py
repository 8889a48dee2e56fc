"""Surface places as the robot drives: the ground near it is cut into even convex pieces, again and again.

Centroidal Voronoi cells (Lloyd 1982) on the ground graph, each step starting where the last one ended, so
that a piece keeps its number. Pieces behind the robot, whose cells are final, stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats, Ints, Ints32
from commonground.mapping.space.grid import grow, neighbors, new_seeds, reached, start_cells
from commonground.mapping.space.hulls import hulls
from commonground.mapping.space.settings import SurfacePlaceSettings
from commonground.mapping.surface.blocks import NO_LABEL
from commonground.mapping.surface.ground import GroundMap

MIN_SOLIDITY = 0.8
"""A piece that fills less of its convex hull is cut in two."""

LLOYD_STEPS = 2
REACH = 0.8
"""A seed takes cells up to this share of a piece's diameter away."""
CROWDED = 1.1
"""Neighboring pieces that together are no larger than this share of a full one become one."""
SCRAP = 0.3
"""Below this share of a full piece, being of even size matters more than being convex."""
NO_GROUND = -2
FLOOR_BAND_M = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class Cells2d:
    """The live ground as a graph of cells."""

    place: Ints32
    """(n, 2) in the plan."""
    xy: Floats
    """(n, 2) meters."""
    near: Ints32
    """(n, 8) neighbors, −1 for none."""
    kind: Ints32
    """(n,) class, NO_LABEL for unknown ground, NO_GROUND for what is none."""

    def sorted_by_owner(self, owner: Ints32, k: int) -> tuple[Ints, Ints]:
        """Return the owned cells by owner, then x; and where each owner's begin (k + 1,)."""
        mine = np.flatnonzero(owner >= 0)
        order = mine[np.lexsort((self.place[mine, 0], owner[mine]))]
        return order, np.searchsorted(owner[order], np.arange(k + 1)).astype(np.int64)


class Patches:
    """Numbers of the surface places, kept in the ground cells, and what their final cells add up to."""

    KEPT = ("kind", "final", "_live", "gates")

    def __init__(self, settings: SurfacePlaceSettings, max_step_m: float) -> None:
        self.settings = settings
        self.max_step_m = max_step_m
        self.kind: Ints32 = np.empty(0, np.int32)
        """(k,) class of each piece, NO_LABEL for unknown ground."""
        self.final: Floats = np.empty((0, 3))
        """(k, 3) sum of x and y, and number, of the final cells of each piece."""
        self.gates: Ints = np.empty((0, 3), np.int64)
        """(g, 3) numbers of two pieces, and that of the gate between them: it was made once and stays."""
        self._live: Ints = np.empty(0, np.int64)

    def update(self, ground: GroundMap, ground_kinds: Bools) -> None:
        """Cut the live ground anew. ``ground_kinds`` (c,) tells which classes can be driven on.

        With classes, what has none is ground where it is level with ground that has one; without, ground is
        what the robot's path leads to.
        """
        self.settle(ground)
        cells = ground.cells
        rows = np.flatnonzero(cells.live[: len(cells)] & (cells.weight[: len(cells)] > 0))
        self._live = rows
        graph = self._graph(ground, rows, ground_kinds)
        cells.patch[rows] = self._partition(graph, cells.patch[rows], ground.cell_m)

    def settle(self, ground: GroundMap) -> None:
        """Add the cells that became final since the last step to what their pieces stand on."""
        cells = ground.cells
        done = self._live[~cells.live[self._live]]
        self._live = self._live[cells.live[self._live]]
        done = done[(cells.patch[done] >= 0) & (cells.weight[done] > 0)]
        at = (cells.place[done] + 0.5) * ground.cell_m
        np.add.at(self.final, cells.patch[done], np.c_[at, np.ones(len(at))])

    # ---- what is ground ----

    def _graph(self, ground: GroundMap, rows: Ints, ground_kinds: Bools) -> Cells2d:
        """Return the live cells that are ground, joined where steps are small."""
        cells, n = ground.cells, len(ground.cells)
        kind = cells.label[rows].astype(np.int32)
        named = np.append(ground_kinds, len(ground_kinds) == 0)  # the last one is NO_LABEL's
        if len(ground_kinds):
            kind = level_kinds(ground, rows, kind, named[kind])
        drivable = named[kind]
        live = np.zeros(n, bool)
        live[rows[drivable]] = True
        found = neighbors(rows, 8, self.max_step_m, cells.table, live)
        index = np.full(n + 1, -1, np.int32)
        index[rows] = np.arange(len(rows))
        near = index[found]
        usable = drivable & ((near >= 0).sum(axis=1) >= 3)  # no ground is that thin
        near = _only(near, usable)
        usable &= reached(near, np.flatnonzero(usable & self._sure(ground, rows, kind, usable)))
        xy = np.asarray((cells.place[rows] + 0.5) * ground.cell_m, float)
        kind = np.where(usable, kind, NO_GROUND).astype(np.int32)
        return Cells2d(cells.place[rows], xy, _only(near, usable), kind)

    def _sure(self, ground: GroundMap, rows: Ints, kind: Ints32, usable: Bools) -> Bools:
        """Return which cells are ground beyond doubt; others must be reached from them by small steps."""
        cells = ground.cells
        sure = (kind >= 0) | cells.traversed[rows] | (cells.patch[rows] >= 0)
        if (sure & usable).any() or not usable.any():
            return sure
        # nothing was driven over and nothing has a class: the lowest wide surface is the floor
        heights = cells.height[rows]
        floor = np.quantile(heights[usable], 0.05)
        return np.asarray(np.abs(heights - floor) < FLOOR_BAND_M)

    # ---- cutting it ----

    def _partition(self, graph: Cells2d, patch: Ints32, cell_m: float) -> Ints32:
        """Return the piece number (n,) of each cell; −1 where there is no ground."""
        reach = REACH * self.settings.size_m
        ids, owner = self._before(graph, patch)
        for step in range(LLOYD_STEPS + 1):
            if step == 0:
                ids, owner = self._join(graph, ids, owner, cell_m)
                ids, owner = self._split(graph, ids, owner, cell_m)
            centers, _ = self._centers(graph, owner, ids)
            starts = start_cells(graph.xy, owner, centers)
            has = starts >= 0
            ids, centers, starts = ids[has], centers[has], starts[has]
            owner = grow(graph.xy, graph.near, graph.kind, centers, starts, reach)
            loose = np.where(graph.kind == NO_GROUND, 0, owner)
            if (loose < 0).any():
                more, first = new_seeds(graph.xy, graph.near, graph.kind, loose, reach)
                ids = np.concatenate([ids, self._number(graph.kind[first])])
                centers, starts = np.concatenate([centers, more]), np.concatenate([starts, first])
                owner = grow(graph.xy, graph.near, graph.kind, centers, starts, reach)
        return np.asarray(np.append(ids, -1)[owner], np.int32)

    def _before(self, graph: Cells2d, patch: Ints32) -> tuple[Ints32, Ints32]:
        """Return the pieces (k,) there are, and which of them each cell (n,) belongs to, −1 for none."""
        kinds = np.append(self.kind, NO_GROUND - 1).astype(np.int32)
        stays = (patch >= 0) & (kinds[patch] == graph.kind)
        ids = np.unique(patch[stays])
        owner = np.where(stays, np.searchsorted(ids, patch), -1)
        return ids.astype(np.int32), owner.astype(np.int32)

    def _centers(self, graph: Cells2d, owner: Ints32, ids: Ints32) -> tuple[Floats, Floats]:
        """Return the centroid (k, 2) of each piece, its final cells included, and its cell count."""
        sums = self.final[ids].copy()
        mine = owner >= 0
        for axis in range(2):
            sums[:, axis] += np.bincount(owner[mine], graph.xy[mine, axis], len(ids))
        sums[:, 2] += np.bincount(owner[mine], minlength=len(ids))
        return sums[:, :2] / np.maximum(sums[:, 2:], 1), sums[:, 2]

    def _join(
        self, graph: Cells2d, ids: Ints32, owner: Ints32, cell_m: float
    ) -> tuple[Ints32, Ints32]:
        """Join pieces that fit into a neighbor of their kind; smallest pairs first, none twice."""
        full = self._full(cell_m)
        _, counts = self._centers(graph, owner, ids)
        pairs = _touching(graph.near, owner)
        pairs = pairs[self.kind[ids[pairs[:, 0]]] == self.kind[ids[pairs[:, 1]]]]
        pairs = pairs[counts[pairs].sum(axis=1) <= CROWDED * full]
        fixed = self.final[ids, 2] > 0
        taken = np.zeros(len(ids), bool)
        into = np.arange(len(ids))
        for p, q in pairs[np.argsort(counts[pairs].sum(axis=1), kind="stable")].tolist():
            small, other = (p, q) if (fixed[p], counts[p]) < (fixed[q], counts[q]) else (q, p)
            if not (fixed[small] or taken[p] or taken[q]):
                taken[p] = taken[q] = True
                into[small] = other
        joined = np.append(into, -1)[owner].astype(np.int32)
        bent = _solidity(graph, joined, len(ids)) < MIN_SOLIDITY
        worse = bent & (counts[into] + counts > 2 * SCRAP * full)
        into = np.where(worse[into], np.arange(len(ids)), into)
        return ids, np.append(into, -1)[owner].astype(np.int32)

    def _split(
        self, graph: Cells2d, ids: Ints32, owner: Ints32, cell_m: float
    ) -> tuple[Ints32, Ints32]:
        """Cut pieces that are not convex enough in two, across their longer side."""
        bent = _solidity(graph, owner, len(ids)) < MIN_SOLIDITY
        centers, counts = self._centers(graph, owner, ids)
        bent &= (self.final[ids, 2] == 0) & (counts > SCRAP * self._full(cell_m))
        if not bent.any():
            return ids, owner
        mine = np.flatnonzero((owner >= 0) & np.append(bent, False)[owner])
        d = graph.xy[mine] - centers[owner[mine]]
        sums = [
            np.bincount(owner[mine], w, len(ids))
            for w in (d[:, 0] ** 2, d[:, 1] ** 2, d[:, 0] * d[:, 1])
        ]
        angle = 0.5 * np.arctan2(2 * sums[2], sums[0] - sums[1])
        axis = np.stack([np.cos(angle), np.sin(angle)], 1)[owner[mine]]
        far = (d * axis).sum(axis=1) > 0
        fresh = np.flatnonzero(bent)
        new = np.full(len(ids), -1)
        new[fresh] = len(ids) + np.arange(len(fresh))
        out = owner.copy()
        out[mine[far]] = new[owner[mine[far]]]
        return np.concatenate([ids, self._number(self.kind[ids[fresh]])]), out

    def _full(self, cell_m: float) -> float:
        """Return the number of cells of a full piece."""
        return float(np.pi / 4 * self.settings.size_m**2 / cell_m**2)

    def _number(self, kind: Ints32) -> Ints32:
        """Return numbers for new pieces of the given kinds."""
        fresh = np.arange(len(self.kind), len(self.kind) + len(kind), dtype=np.int32)
        self.kind = np.concatenate([self.kind, kind]).astype(np.int32)
        self.final = np.concatenate([self.final, np.zeros((len(kind), 3))])
        return fresh

    def gates_between(self, pairs: Ints, kinds: Ints32) -> Ints:
        """Return the numbers (g,) of the gates between pieces (g, 2), new ones with their ``kinds`` (g,)."""
        known = {(int(p), int(q)): int(gate) for p, q, gate in self.gates}
        new = np.array([(p, q) not in known for p, q in pairs.tolist()], bool)
        fresh = self._number(kinds[new]).astype(np.int64)
        self.gates = np.concatenate([self.gates, np.c_[pairs[new], fresh]])
        out = np.array([known.get((p, q), -1) for p, q in pairs.tolist()], np.int64)
        out[new] = fresh
        return out


def _only(near: Ints32, usable: Bools) -> Ints32:
    """Return the neighbors (n, 8) with those to and from cells that are not usable taken out."""
    keep = np.append(usable, False)[near] & usable[:, None]
    return np.where(keep, near, -1).astype(np.int32)


def _touching(near: Ints32, owner: Ints32) -> Ints:
    """Return the pairs (m, 2) of pieces with neighboring cells, smaller number first."""
    a = np.repeat(owner, near.shape[1]).astype(np.int64)
    b = np.append(owner, -1)[near.ravel()]
    apart = (a >= 0) & (a < b)
    # one number a pair: sorting rows of two takes several times as long
    code = np.unique(a[apart] << 32 | b[apart])
    return np.stack([code >> 32, code & 0xFFFFFFFF], axis=1)


def _solidity(graph: Cells2d, owner: Ints32, k: int) -> Floats:
    """Return how much of its convex hull each piece (k,) fills; 1 for one without live cells."""
    order, starts = graph.sorted_by_owner(owner, k)
    full = np.flatnonzero(np.diff(starts))
    out = np.ones(k)
    if len(full):
        ends = np.append(starts[full], starts[-1])
        _, _, area = hulls(np.ascontiguousarray(graph.place[order]), ends)
        out[full] = np.diff(ends) / area
    return out


LEVEL_M = 0.04
"""Heights that differ by less are one surface; what is that low is driven over anyway."""


def level_kinds(ground: GroundMap, rows: Ints, kind: Ints32, drivable: Bools) -> Ints32:
    """Return the classes (n,) of cells, with those of the nearest ground where there was none.

    ``drivable`` (n,) tells which of the ``rows`` (n,) have a class that is ground. A cell without a class is
    ground too if it was driven over, or if it is as high as the nearest ground and level cells lead there:
    perception may take the floor of a doorway for a part of the door, and a hole there would cut the map.
    """
    from scipy.spatial import cKDTree

    c, nameless = ground.cells, kind == NO_LABEL
    if not nameless.any() or not drivable.any():
        return kind
    at = ground.positions(rows)
    _, nearest = cKDTree(at[drivable, :2]).query(at[nameless, :2])
    driven = nameless & c.traversed[rows]
    level = drivable | driven
    level[nameless] |= np.abs(at[nameless, 2] - at[drivable, 2][nearest]) < LEVEL_M
    usable = np.zeros(len(c), np.bool_)
    usable[rows[level]] = True
    found = neighbors(rows, 8, LEVEL_M, c.table, usable)
    index = np.full(len(c) + 1, -1, np.int32)
    index[rows] = np.arange(len(rows))
    ours = reached(index[found], np.flatnonzero(drivable | driven))
    out = kind.copy()
    out[nameless] = np.where(ours[nameless], kind[drivable][nearest], NO_LABEL)
    return out
