"""Merging of 3D places: nearby balls of free space with like clearance become one."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.mapping.fusion.merge_ground import seen_by
from commonground.scene import Edges, Layer, SceneGraph
from commonground.symbols import node_ids

NEAR_M, ALIKE_M = 0.4, 0.4
"""Places of two robots whose centers, and whose clearances, differ by less are one (as in Hydra)."""


def merge_places(graphs: Sequence[SceneGraph]) -> tuple[Layer | None, list[Ints]]:
    """Return the places of a team, and the row in it of each robot's places (n_r,); None without any."""
    counts = [len(g.layers["places"]) if g.has("places") else 0 for g in graphs]
    starts = np.cumsum([0, *counts])
    layers = [g.layers["places"] for g, n in zip(graphs, counts, strict=True) if n]
    if not layers:
        return None, [np.empty(0, np.int64) for _ in graphs]
    robot = np.repeat(np.arange(len(graphs)), counts)
    every = Layer.joined(layers)
    clearance = every.columns.get("clearance_m", np.zeros(len(every)))
    kept, row = np.unique(_stands_for(every.positions, clearance, robot), return_inverse=True)
    columns = {name: column[kept] for name, column in every.columns.items()}
    layer = Layer.of(
        every.key,
        node_ids("p", np.arange(len(kept))),
        every.positions[kept],
        edges=_merged_edges(every.edges.rows, row),
        columns={**columns, "seen_by": seen_by(row, robot, len(kept), len(graphs))},
        kind=every.kind,
    )
    return layer, [row[a:b].astype(np.int64) for a, b in itertools.pairwise(starts)]


def _merged_edges(own: Ints, row: Ints) -> Edges:
    """Return the edges (m, 2) of all layers, whose nodes became rows (n,) of the merged one, each once."""
    edges = np.sort(row[own], axis=1)
    return Edges.of(np.unique(edges[edges[:, 0] != edges[:, 1]], axis=0))


def _stands_for(at: Floats, clearance: Floats, robot: Ints) -> Ints:
    """Return for each place (n,) the one that stands for it: of an earlier robot, or itself."""
    from scipy.spatial import cKDTree

    stands_for = np.arange(len(at))
    for r in range(1, int(robot.max(initial=0)) + 1):
        mine = np.flatnonzero(robot == r)
        earlier = np.flatnonzero((robot < r) & (stands_for == np.arange(len(at))))
        if not len(mine) or not len(earlier):
            continue
        gap, near = cKDTree(at[earlier]).query(at[mine], distance_upper_bound=NEAR_M)
        twin = earlier[np.where(np.isfinite(gap), near, 0)]
        same = np.isfinite(gap) & (np.abs(clearance[twin] - clearance[mine]) <= ALIKE_M)
        stands_for[mine[same]] = twin[same]
    return stands_for
