"""Exact uncertainty where it decides: of closures that may come in, and of used ones that may be wrong.

``slack`` tells cheaply how uncertain all relative poses are, without direction. A robot that turned wrongly
is lost sideways, hardly along its way, so a wrong closure can look near; the marginal covariance tells.
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import adjoint, inverse
from commonground.mapping.fusion.chance import Chance
from commonground.mapping.fusion.posegraph import Constraints, PoseGraph, mahalanobis2, residuals
from commonground.mapping.fusion.resistance import Resistances

MOST = 60
"""So many closures are looked at exactly, those that matter first."""
GATE = 27.9
"""χ² with six degrees of freedom at 99.99 %: a used closure that the others contradict by more is wrong."""
FAR = 1e9
"""Variance of what nothing joins, in m² and rad²."""
CHECKED = 1e-6
"""Share of a closure's variance that must be left over for others to have a say."""


def exact(graph: PoseGraph, poses: Floats, accepted: Bools, rows: Ints) -> Floats | None:
    """Return covariances (k, 6, 6) of the poses that chosen closures join, by odometry and used closures.

    They are of pose j seen from pose i at an optimum; None where they cannot be told.
    """
    edges = Constraints.joined([graph.odometry, graph.closures.take(accepted)])
    # seen from the middle, an edge between i and j moves with the difference of their errors alone
    seen = inverse(poses)
    seen[:, :3, 3] += seen[:, :3, :3] @ poses[:, :3, 3].mean(axis=0)
    moved = adjoint(seen[edges.rows[:, 1]])
    conductances = np.swapaxes(moved, -1, -2) @ np.linalg.solve(edges.covariances, moved)
    try:
        resistances = Resistances.of(len(poses), edges.rows, conductances)
    except np.linalg.LinAlgError:
        return None
    ends = graph.closures.rows[rows]
    back = adjoint(seen[ends[:, 1]])
    known = back @ resistances.between(ends) @ np.swapaxes(back, -1, -2)
    known[~resistances.joined(ends)] = FAR * np.eye(6)
    return known


def contradicted(
    graph: PoseGraph,
    poses: Floats,
    accepted: Bools,
    chance: Chance,
    strength: Floats,
) -> int | None:
    """Return the used closure that all others contradict most, None if none is contradicted.

    Of the used ones those with the least ``strength`` are looked at. A closure with covariance C that is left
    with residual r, where the result has covariance P, lies r' (C − P)⁻¹ r from what the others say.
    """
    rows = np.flatnonzero(accepted)
    rows = rows[np.argsort(strength[rows], kind="stable")[:MOST]]
    if not len(rows):
        return None
    axes = chance.axes
    C = graph.closures.covariances[rows]
    known = exact(graph, poses, accepted, rows)
    if known is None:
        return None
    free = (C - known)[:, axes[:, None], axes]
    # one that nothing else checks leaves no residual to judge by
    values = np.linalg.eigvalsh(free)[:, 0]
    checked = values > CHECKED * np.linalg.eigvalsh(C[:, axes[:, None], axes])[:, 0]
    far = np.zeros(len(rows))
    twists = residuals(graph.closures.take(rows), poses)[:, axes]
    far[checked] = mahalanobis2(twists[checked], free[checked])
    worst = int(far.argmax())
    return int(rows[worst]) if far[worst] > GATE else None
