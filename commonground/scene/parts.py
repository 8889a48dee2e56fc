"""Connected parts of a graph, and shortest paths in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Ints

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def connected(n: int, pairs: Ints) -> Ints:
    """Return the number (n,) of the part each of n nodes belongs to, as ``pairs`` (m, 2) connect them."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    links = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), (n, n))
    return np.asarray(connected_components(links, directed=False)[1], np.int64)


def stars(part: Ints) -> Ints:
    """Return pairs (n, 2) that hold each part together: every node with the first of its part."""
    _, first, number = np.unique(part, return_index=True, return_inverse=True)
    return np.stack([first[number.ravel()], np.arange(len(part))], axis=1)


def eldest(part: Ints) -> Ints:
    """Return for each node (n,) the lowest row of its part."""
    return stars(part)[:, 0]


def shortest_path(lengths: csr_matrix, start: int, goal: int) -> Ints:
    """Return the nodes from one to another along links (n, n) that lead both ways; none where no way is."""
    from scipy.sparse.csgraph import dijkstra

    _, before = dijkstra(lengths, directed=False, indices=start, return_predecessors=True)
    path = [goal]
    while path[-1] != start and before[path[-1]] >= 0:
        path.append(int(before[path[-1]]))
    return np.array(path[::-1] if path[-1] == start else [], np.int64)
