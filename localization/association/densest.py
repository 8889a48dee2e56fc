"""Densest set of mutually consistent associations (Lusk et al., CLIPPER, ICRA 2021).

Maximize uᵀMu / uᵀu over u ≥ 0 with u_i u_j = 0 wherever i and j conflict: the clique whose affinity has
the greatest spectral radius. The constraint becomes a penalty that grows until nothing conflicts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Floats, Ints
from commonground.localization.association.correspondences import AffinityGraph

ROUNDS = 60
"""Times the penalty may grow."""
STEPS = 200
"""Gradient steps at one penalty."""
CONFLICT = 0.01
"""Share of conflicts that rounding may settle; to climb until none is left takes most of the time."""


def densest_set(graph: AffinityGraph, start: ArrayLike | None = None) -> Ints:
    """Return the members of a dense consistent set, the surest first, from a start u (m,) > 0.

    As many are taken as the spectral radius says that the set has: with soft affinities that is
    fewer than agree, so precision comes first and the rest is collected under the transform.
    """
    from commonground.localization.association._densest import densest, greedy_clique

    n = len(graph.starts) - 1
    if n == 0:
        return np.empty(0, np.int64)
    u: Floats = np.ones(n) if start is None else np.array(start, float)
    value = densest(graph, u, ROUNDS, STEPS, CONFLICT)
    order = np.argsort(-u, kind="stable")[: int((u > 1e-6).sum())]
    size = min(max(1, round(value)), len(order))
    return np.asarray(greedy_clique(order, graph, size))
