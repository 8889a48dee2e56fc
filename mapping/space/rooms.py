"""Rooms: parts of the free space that only narrow passages join."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled
from commonground.mapping.depth_pieces import root_of
from commonground.scene import Edges, Layer
from commonground.scene.parts import connected


def openly_joined(room: Ints, borders: Edges, opening_m: float) -> Ints:
    """Return the room (n,) of each surface place; rooms that share more border than a door has are one.

    Furniture narrows the space over a floor, but the floor on both sides still meets along most of it.
    ``borders`` are the edges between the places, whose metadata tell ``border_m``; −1 is in no room.
    """
    a, b = room[borders.rows].T
    length = np.array([e.get("metadata", {}).get("border_m", 0.0) for e in borders.extras])
    met = (a >= 0) & (b >= 0) & (a != b)
    pairs, which = np.unique(np.sort(np.stack([a, b], 1)[met], axis=1), axis=0, return_inverse=True)
    total = np.bincount(which.ravel(), length[met], len(pairs))
    into = connected(int(room.max(initial=-1)) + 1, pairs[total >= opening_m])
    return np.where(room >= 0, np.append(into, -1)[room], -1)


def without_corners(room: Ints, places: Layer, width: Floats, least_m2: float) -> Ints:
    """Return the room (n,) of each place; what is too small for one is part of that to which it opens widest.

    In small scenes places lie close, so that a few of them are the corner behind a door or a table. The
    ``width`` (m,) is that of the edges between places.
    """
    room = room.copy()
    xy, reach = places.positions[:, :2], places.columns["clearance_m"][:, None]
    i, j = places.edges.rows.T
    while True:
        names, of = np.unique(room, return_inverse=True)
        low, high = np.full((len(names), 2), np.inf), np.full((len(names), 2), -np.inf)
        np.minimum.at(low, of, xy - reach)
        np.maximum.at(high, of, xy + reach)
        area = np.prod(high - low, axis=1)
        between = room[i] != room[j]
        widest = np.zeros(len(names))
        np.maximum.at(widest, of[i[between]], width[between])
        np.maximum.at(widest, of[j[between]], width[between])
        small = np.flatnonzero((area < least_m2) & (widest > 0))
        if len(small) == 0:
            return room
        k = small[area[small].argmin()]
        doors = np.flatnonzero(between & ((of[i] == k) | (of[j] == k)))
        door = doors[width[doors].argmax()]
        room[of == k] = room[j[door]] if of[i[door]] == k else room[i[door]]


@compiled
def basins(clearance: Floats, edges: Ints, widths: Floats, narrow: float, least_nodes: int) -> Ints:
    """Return the basin (n,) of each place, named after its roomiest place.

    ``edges`` (m, 2) come with their ``widths`` (m,), widest first. A watershed of the clearance: places flow
    together over ever narrower passages; two basins stay apart if the passage between them is narrower than
    ``narrow`` times the room in the tighter one, and both have enough places.
    """
    n = len(clearance)
    up = np.arange(n)
    peak = clearance.copy()
    size = np.ones(n, np.int64)
    for e in range(len(edges)):
        a, b = root_of(up, edges[e, 0]), root_of(up, edges[e, 1])
        if a == b:
            continue
        tight = widths[e] < narrow * min(peak[a], peak[b])
        if tight and size[a] >= least_nodes and size[b] >= least_nodes:
            continue
        if peak[a] < peak[b] or (peak[a] == peak[b] and a > b):
            a, b = b, a
        up[b] = a
        size[a] += size[b]
    for i in range(n):
        up[i] = root_of(up, i)
    return up
