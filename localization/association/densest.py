"""Densest set of mutually consistent associations (Lusk et al., CLIPPER, ICRA 2021).

Maximize uᵀMu / uᵀu over u ≥ 0 with u_i u_j = 0 wherever i and j conflict: the clique whose affinity has
the greatest spectral radius. The constraint becomes a penalty that grows until nothing conflicts.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled
from commonground.localization.association.correspondences import AffinityGraph


@compiled(fastmath=True)
def products(graph: AffinityGraph, u: Floats, Mu: Floats, Cu: Floats) -> None:
    """Write M u and C u for symmetric M with unit diagonal; only the columns where u > 0 are touched."""
    for i in range(len(u)):
        Mu[i] = Cu[i] = u[i]
    for j in range(len(u)):
        uj = u[j]
        if uj > 0.0:
            for e in range(graph.starts[j], graph.starts[j + 1]):
                Mu[graph.cols[e]] += graph.vals[e] * uj
                Cu[graph.cols[e]] += uj


@compiled(fastmath=True)
def objective(u: Floats, Mu: Floats, Cu: Floats, d: float) -> float:
    """Return uᵀ M_d u, where M_d is M, and −d where two associations conflict."""
    total = u.sum()
    f = 0.0
    for i in range(len(u)):
        f += u[i] * (Mu[i] + d * (Cu[i] - total))
    return f


@compiled(fastmath=True)
def conflicts(u: Floats, Mu: Floats, Cu: Floats) -> tuple[float, float]:
    """Return how far u is from a consistent set, in [0, 1], and the penalty that weighs it evenly."""
    total = u.sum()
    gain, conflict, mass = 0.0, 0.0, 0.0
    for i in range(len(u)):
        against = total - Cu[i]
        if u[i] > 1e-9 and against > 1e-9:
            gain += Mu[i]
            conflict += against
            mass += u[i] * against
    return mass / (total * total), gain / conflict if conflict > 0.0 else 0.0


@compiled(fastmath=True)
def ascend(graph: AffinityGraph, u: Floats, Mu: Floats, Cu: Floats, d: float, steps: int) -> float:
    """Climb uᵀ M_d u over the unit sphere's nonnegative part from u, in place; return the value."""
    n = len(u)
    trial, Mt, Ct = np.empty(n), np.empty(n), np.empty(n)
    value = objective(u, Mu, Cu, d)
    for _ in range(steps):
        total = u.sum()
        alpha, gained, moved = 1.0, 0.0, 0.0
        for _ in range(30):
            norm = 0.0
            for i in range(n):
                trial[i] = max(u[i] + alpha * (Mu[i] + d * (Cu[i] - total)), 0.0)
                norm += trial[i] * trial[i]
            if norm == 0.0:
                return value
            norm = 1.0 / math.sqrt(norm)
            moved = 0.0
            for i in range(n):
                trial[i] *= norm
                moved += (trial[i] - u[i]) ** 2
            products(graph, trial, Mt, Ct)
            gained = objective(trial, Mt, Ct, d) - value
            if gained >= -1e-9:
                break
            alpha *= 0.25
        if gained < 0.0:
            return value
        u[:], Mu[:], Cu[:] = trial, Mt, Ct
        value += gained
        if gained < 1e-7 * value or moved < 1e-12:
            return value
    return value


@compiled(fastmath=True)
def densest(graph: AffinityGraph, u: Floats, rounds: int, steps: int, tolerance: float) -> float:
    """Turn the start u (m,) into a stationary point almost without conflicts, in place; return uᵀ M u.

    The penalty d of conflicts grows until they are few (a homotopy), so that early steps see the
    relaxed problem and the last ones the constrained one.
    """
    n = len(u)
    Mu, Cu = np.empty(n), np.empty(n)
    products(graph, u, Mu, Cu)
    u[:] = Mu / np.sqrt((Mu * Mu).sum())  # one power step
    products(graph, u, Mu, Cu)
    share, d = conflicts(u, Mu, Cu)
    for _ in range(rounds):
        ascend(graph, u, Mu, Cu, d, steps)
        share, more = conflicts(u, Mu, Cu)
        if share < tolerance:
            break
        d += more
    return objective(u, Mu, Cu, 0.0)


@compiled(fastmath=True)
def greedy_clique(order: Ints, graph: AffinityGraph, size: int) -> Ints:
    """Return up to ``size`` of the ordered members, the first first, each consistent with all before it."""
    agrees = np.zeros(len(graph.starts) - 1, np.int64)
    clique = np.empty(size, np.int64)
    used = 0
    for k in order:
        if used == size:
            break
        if agrees[k] == used:
            clique[used] = k
            used += 1
            for e in range(graph.starts[k], graph.starts[k + 1]):
                agrees[graph.cols[e]] += 1
    return clique[:used]


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

    n = len(graph.starts) - 1
    if n == 0:
        return np.empty(0, np.int64)
    u: Floats = np.ones(n) if start is None else np.array(start, float)
    value = densest(graph, u, ROUNDS, STEPS, CONFLICT)
    order = np.argsort(-u, kind="stable")[: int((u > 1e-6).sum())]
    size = min(max(1, round(value)), len(order))
    return np.asarray(greedy_clique(order, graph, size))
