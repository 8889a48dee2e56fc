"""Connected parts of a graph."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Ints


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
