"""Which loop closures support one another: pairs that agree through the odometry between their ends.

Closures a = (i, j) and b = (k, m) agree if going round i → j → m → k → i ends where it began, up to the
covariance of the two closures and of the odometry from i to k and from j to m (pairwise consistency
maximization, Mangelson et al. 2018). With X the odometry's poses, E_a = X_i T_a X_j⁻¹ is what closure a
says of the map as a whole, and going round is E_a E_b⁻¹ seen from pose i. Only closures near one
another in time are compared: their odometry is short, so chance agreement is rare.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.geometry import inverse, log_so3
from commonground.mapping.fusion.posegraph import Constraints, PoseGraph

NEIGHBOURS = 32
"""So many closures nearest in time are compared with each."""
CHUNK = 200_000
BINS = 40
"""Histogram bins of log distance, from 1e-5 to 1e5."""
WORTH = 1.0
"""Pairs whose log likelihood ratio is less are not joined into one cluster."""


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Closures grouped by mutual agreement."""

    label: Ints
    """(m,) cluster of each closure; one that agrees with nobody is a cluster of its own."""
    evidence: Floats
    """(clusters,) log likelihood ratio, against chance, of the agreement inside each cluster."""


@dataclass(frozen=True, slots=True, eq=False)
class Drift:
    """How uncertain odometry is between two poses of one robot."""

    travelled: Floats
    """(n, 2) accumulated variance of position and of heading along each robot's odometry."""
    poses: Floats
    """(n, 4, 4) chained odometry."""

    @staticmethod
    def of(graph: PoseGraph) -> Drift:
        """Return the drift model of a graph's odometry."""
        step = np.zeros((len(graph), 2))
        C = graph.odometry.covariances
        step[graph.odometry.rows[:, 1], 0] = np.trace(C[:, :3, :3], axis1=1, axis2=2) / 3
        step[graph.odometry.rows[:, 1], 1] = np.trace(C[:, 3:, 3:], axis1=1, axis2=2) / 3
        return Drift(np.cumsum(step, axis=0), graph.chained())

    def between(self, i: Ints, k: Ints) -> tuple[Floats, Floats]:
        """Return variances (m,) of position and heading from pose i to pose k, and nothing else."""
        gone = np.abs(self.travelled[i] - self.travelled[k])
        length2 = ((self.poses[i, :3, 3] - self.poses[k, :3, 3]) ** 2).sum(axis=1)
        # heading errors made on the way turn what is left of it; on average half the way
        return gone[:, 0] + gone[:, 1] * length2 / 3, gone[:, 1]


def clusters(closures: Constraints, drift: Drift, rng: np.random.Generator) -> Clusters:
    """Return groups of closures, between one pair of robots, that agree with one another.

    What distances mean is learned, so stated covariances may be too loose or too tight by any factor:
    the distances found are compared with those that arise when every closure claims the relative pose
    of two poses picked at random instead. A cluster's evidence is that of its best spanning tree: given
    one closure, each further one agrees with it by chance or for a reason.
    """
    m, pairs = len(closures), _near_in_time(closures.rows)
    if len(pairs) == 0:
        return Clusters(np.arange(m), np.zeros(m))
    p, q = rng.integers(0, len(drift.poses), (2, m))
    confused = inverse(drift.poses[p]) @ drift.poses[q]
    real = _distances(closures, closures.T, drift, pairs)
    ratio, bins = _log_ratio(real, _distances(closures, confused, drift, pairs))
    return _spanning(pairs, ratio[bins], m)


def _log_ratio(real: Floats, chance: Floats) -> tuple[Floats, Ints]:
    """Return the log likelihood ratio per histogram bin of distances, falling with distance, and the bins."""
    edges = np.linspace(-5, 5, BINS + 1)
    bins_real, bins_chance = (np.digitize(np.log10(d + 1e-12), edges) for d in (real, chance))
    counts = [np.bincount(b, minlength=BINS + 2) + 1.0 for b in (bins_real, bins_chance)]
    ratio = np.maximum(np.log(counts[0] / counts[1]), 0.0)
    return np.maximum.accumulate(ratio[::-1])[::-1] * (ratio > 0), bins_real


def _spanning(pairs: Ints, ratios: Floats, count: int) -> Clusters:
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

    keep = ratios > WORTH
    links = coo_matrix((-ratios[keep], pairs[keep].T), shape=(count, count))
    tree = minimum_spanning_tree(links).tocoo()
    total, label = connected_components(links, directed=False)
    evidence = np.zeros(total)
    np.add.at(evidence, label[tree.row], -tree.data)
    return Clusters(label.astype(np.int64), evidence)


def _distances(closures: Constraints, T: Floats, drift: Drift, pairs: Ints) -> Floats:
    chunks = (pairs[k : k + CHUNK] for k in range(0, len(pairs), CHUNK))
    return np.concatenate([_distance(closures, T, drift, chunk) for chunk in chunks])


def _near_in_time(rows: Ints) -> Ints:
    """Return pairs (k, 2) of closures whose ends are near in time, each pair once."""
    from scipy.spatial import cKDTree

    if len(rows) < 2:
        return np.empty((0, 2), np.int64)
    count = min(NEIGHBOURS + 1, len(rows))
    _, near = cKDTree(np.sort(rows, axis=1).astype(float)).query(np.sort(rows, axis=1), k=count)
    a = np.repeat(np.arange(len(rows)), count)
    both = np.stack([np.minimum(a, near.ravel()), np.maximum(a, near.ravel())], axis=1)
    return np.unique(both[both[:, 0] != both[:, 1]], axis=0).astype(np.int64)


def _distance(closures: Constraints, T: Floats, drift: Drift, pairs: Ints) -> Floats:
    """Return squared Mahalanobis distances (k,) per degree of freedom of going round two closures."""
    a, b = pairs.T
    (i, j), (k, m) = closures.rows[a].T, closures.rows[b].T
    swapped = (i > j) != (k > m)
    T_b = np.where(swapped[:, None, None], inverse(T[b]), T[b])
    k, m = np.where(swapped, m, k), np.where(swapped, k, m)
    X = drift.poses
    loop = T[a] @ (inverse(X[j]) @ X[m]) @ inverse(T_b) @ (inverse(X[k]) @ X[i])
    ik_t, ik_r = drift.between(i, k)
    jm_t, jm_r = drift.between(j, m)
    own_t, own_r = _variances(closures.covariances)
    turn = own_r[a] + own_r[b] + ik_r + jm_r
    lever2 = ((X[k, :3, 3] - X[i, :3, 3]) ** 2).sum(1) + ((X[m, :3, 3] - X[j, :3, 3]) ** 2).sum(1)
    move = own_t[a] + own_t[b] + ik_t + jm_t + (own_r[a] + own_r[b]) * lever2
    t2 = (loop[:, :3, 3] ** 2).sum(axis=1)
    r2 = (log_so3(loop[:, :3, :3]) ** 2).sum(axis=1)
    return np.asarray((t2 / move + r2 / turn) / 6)


def _variances(covariances: Floats) -> tuple[Floats, Floats]:
    """Return mean variances (m,) of position and rotation."""
    t = np.trace(covariances[:, :3, :3], axis1=1, axis2=2) / 3
    r = np.trace(covariances[:, 3:, 3:], axis1=1, axis2=2) / 3
    return t, r
