"""Gates: where neighbors do not see each other, the ground on the way between them is a place of its own."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Ints, Ints32
from commonground.mapping.space.grid import neighbors
from commonground.mapping.space.patches import Patches
from commonground.mapping.space.ridge import spread
from commonground.mapping.space.visibility import INSIDE, OFF, Footing
from commonground.mapping.surface.ground import GroundMap

ROUNDS = 3
"""Ways around two corners need two gates, one after the other."""
RADIUS_M = 0.5
"""How large a gate is, where its neighbors are large enough to give that much."""
SHARE = 0.3
"""A gate's radius as a share of the root of its smaller neighbor's area."""
LEAST_CELLS = 8
"""A smaller piece gives nothing up for a gate."""
APART_M = 0.8
"""Gates made at once are at least this far apart: one may serve several neighbors."""
GRAZING_M, BLOCKED_M = 5.0, 1e3
"""Meters that a path along the edge of the ground, and one that leaves it, count more."""


def with_gates(
    ground: GroundMap,
    patches: Patches,
    rows: Ints,
    node: Ints32,
    ids: Ints,
    min_border_m: float,
    max_step_m: float,
) -> tuple[Ints, Ints32, Ints]:
    """Return cells (n,), their nodes (n,) and the nodes' numbers (k,), with gates as further nodes.

    Around a door jamb or a table the straight line between two neighbors' centers leaves the ground: paths
    along it would be found too short, and lead into the jamb.
    """
    done = np.empty(0, np.int64)
    for _ in range(ROUNDS):
        footing = Footing(ground, rows, node, max_step_m)
        centers = footing.standing(rows, node, len(ids))
        pairs, at = _bends(footing, rows, node, centers, min_border_m)
        code = ids[pairs[:, 0]] << 32 | ids[pairs[:, 1]]
        new = ~np.isin(code, done)
        kept = spread(at[new], np.full(int(new.sum()), APART_M))
        pairs, at, done = pairs[new][kept], at[new][kept], np.append(done, code[new][kept])
        if len(pairs) == 0:
            break
        size = np.bincount(node, minlength=len(ids))
        radius = SHARE * ground.cell_m * np.sqrt(size[pairs].min(axis=1))
        kinds = patches.kind[ids[node]]
        node = _carved(ground, rows, node, kinds, pairs, at, np.minimum(radius, RADIUS_M), len(ids))
        _, first = np.unique(node, return_index=True)
        ids = np.concatenate([ids, patches.gates_between(ids[pairs], kinds[first[-len(pairs) :]])])
        left, renumbered = np.unique(node, return_inverse=True)
        ids, node = ids[left], renumbered.astype(np.int32)
        order = np.lexsort((ground.cells.place[rows, 1], ground.cells.place[rows, 0], node))
        rows, node = rows[order], node[order]
    return rows, node, ids


def _bends(
    footing: Footing, rows: Ints, node: Ints32, centers: Floats, min_border_m: float
) -> tuple[Ints, Floats]:
    """Return neighbors (m, 2) that do not see each other, and the point (m, 3) of the border to go over."""
    ground, k = footing.ground, len(centers)
    c, large = ground.cells, np.bincount(node, minlength=k) >= LEAST_CELLS
    usable = footing.member[: len(c)] >= 0
    near = neighbors(rows, 2, footing.max_step_m, c.table, usable)
    a, b = np.repeat(rows, 2), near.ravel().astype(np.int64)
    a, b = a[b >= 0], b[b >= 0]
    p, q = footing.member[a].astype(np.int64), footing.member[b].astype(np.int64)
    pairs, group, count = np.unique(
        (np.minimum(p, q) * k + np.maximum(p, q))[p != q], return_inverse=True, return_counts=True
    )
    ends = np.stack([pairs // k, pairs % k], axis=1)
    whole = np.zeros(k, np.int64)
    grade, _, _ = footing.look(centers[ends[:, 0]], centers[ends[:, 1]], whole)
    blind = (grade == OFF) & (count * ground.cell_m >= min_border_m - 1e-9)
    border = np.stack([a, b], axis=1)[p != q][blind[group]].reshape(-1)
    group = np.repeat(group[blind[group]], 2)
    group, border = group[large[footing.member[border]]], border[large[footing.member[border]]]
    at = ground.positions(border)
    first, _, _ = footing.look(centers[ends[group, 0]], at, whole)
    last, _, _ = footing.look(at, centers[ends[group, 1]], whole)
    worst = np.minimum(first, last)
    meters = np.linalg.norm(at - centers[ends[group, 0]], axis=1)
    meters += np.linalg.norm(at - centers[ends[group, 1]], axis=1)
    meters += np.where(worst == OFF, BLOCKED_M, np.where(worst == INSIDE, 0.0, GRAZING_M))
    order = np.lexsort((meters, group))
    _, one = np.unique(group[order], return_index=True)
    best = order[one]
    return ends[group[best]], at[best]


def _carved(
    ground: GroundMap,
    rows: Ints,
    node: Ints32,
    kinds: Ints32,
    pairs: Ints,
    at: Floats,
    radius: Floats,
    k: int,
) -> Ints32:
    """Return the nodes (n,) with the ground around points (m, 3) taken out of two neighbors each, from k on.

    A gate is of one class, of the ``kinds`` (n,) that of the ground at its point.
    """
    from scipy.spatial import cKDTree

    out = node.copy()
    position = ground.positions(rows)
    tree, large = cKDTree(position), np.bincount(node, minlength=k) >= LEAST_CELLS
    _, middle = tree.query(at)
    for gate, found in enumerate(tree.query_ball_point(at, radius + 1e-6, return_sorted=True)):
        near = np.asarray(found, np.int64)
        mine = np.isin(node[near], pairs[gate]) & (out[near] < k) & large[node[near]]
        mine &= kinds[near] == kinds[middle[gate]]
        out[near[mine]] = k + gate
        out[middle[gate]] = k + gate
    return out
