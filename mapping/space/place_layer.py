"""The layer of places in the scene graph."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.compiled import compiled
from commonground.mapping.space.places import Places
from commonground.scene import Edges, Layer
from commonground.scene.layer import PLACES
from commonground.scene.parts import connected
from commonground.symbols import node_ids

DETOUR = 1.02
"""A line is left out if two others make the same path at most this much longer."""


def place_layer(places: Places, min_nodes: int) -> tuple[Layer, Floats]:
    """Return the places that hang together in enough numbers, and the width (m,) of each edge."""
    n = len(places.at)
    part = connected(n, places.edges)
    count = np.bincount(part, places.alive, n + 1)
    rows = np.flatnonzero(places.alive & (count[part] >= min_nodes))
    new = np.full(n, -1, np.int64)
    new[rows] = np.arange(len(rows))
    kept = (new[places.edges] >= 0).all(axis=1)
    edges, width = new[places.edges[kept]], places.width[kept]
    length = np.linalg.norm(places.at[rows[edges[:, 0]]] - places.at[rows[edges[:, 1]]], axis=1)
    needed = ~redundant(len(rows), edges, length, width)
    edges, width, length = edges[needed], width[needed], length[needed]
    layer = Layer.of(
        PLACES,
        node_ids("p", rows),
        places.at[rows],
        edges=Edges.of(edges, length),
        columns={
            "clearance_m": places.clearance[rows],
            "first_seen_ns": places.first_seen_ns[rows],
            "last_seen_ns": places.last_seen_ns[rows],
        },
    )
    return layer, width


def redundant(n: int, edges: Ints, length: Floats, width: Floats) -> Bools:
    """Return which edges (m,) a detour over a third place replaces: hardly longer and not narrower."""
    order = np.lexsort((edges[:, 0], edges[:, 1], -length))
    both = np.concatenate([edges, edges[:, ::-1]])
    which = np.concatenate([np.arange(len(edges))] * 2)
    by_node = np.lexsort((both[:, 1], both[:, 0]))
    starts = np.searchsorted(both[by_node, 0], np.arange(n + 1))
    return _redundant(order, edges, length, width, starts, both[by_node, 1], which[by_node])


@compiled
def _redundant(
    order: Ints, edges: Ints, length: Floats, width: Floats, starts: Ints, ends: Ints, which: Ints
) -> Bools:
    out = np.zeros(len(edges), np.bool_)
    for e in order:  # the longest first, so that what a detour is made of is still there
        a, b = edges[e]
        i, j = starts[a], starts[b]
        while i < starts[a + 1] and j < starts[b + 1]:
            if ends[i] < ends[j]:
                i += 1
            elif ends[i] > ends[j]:
                j += 1
            else:
                p, q = which[i], which[j]
                if (
                    not (out[p] or out[q])
                    and length[p] + length[q] <= DETOUR * length[e]
                    and min(width[p], width[q]) >= 0.9 * width[e]
                ):
                    out[e] = True
                    break
                i += 1
                j += 1
    return out
