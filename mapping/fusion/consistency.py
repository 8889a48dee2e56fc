"""Pairwise consistency of loop closures through the odometry between their ends.

Closures a = (i, j) and b = (k, m) agree if going round i → j → m → k → i ends where it began, up to the
covariance of the two closures and of the odometry from i to k and from j to m (pairwise consistency
maximization, Mangelson et al. 2018). Only closures near one another in time are compared: their odometry
is short, so chance agreement is rare. What an agreement is worth is estimated in two ways, and the better
one counts: by the stated covariances (``chance``), and, where there are many closures, by comparing the
distances found with those of closures that claim the relative pose of two poses picked at random; the latter
holds although stated covariances are too loose or too tight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import inverse
from commonground.mapping.fusion.chance import Chance, Odometry, alone
from commonground.mapping.fusion.cycles import cycle_errors
from commonground.mapping.fusion.posegraph import Constraints

NEIGHBORS = 32
"""So many closures nearest in time are compared with each."""
CROWDED, FEWER = 5000, 12
"""From so many closures on, this many neighbors do: there are enough who agree."""
SHOWN = 128
"""Of closures that are not asked about, so many, evenly picked, show what agreements are worth."""
WITHIN = 5
"""So many submaps apart two closures still bear each other out; odometry between others says too little."""
CLEAR = 1.5
"""What each agreement that holds a cluster together pays more: chance ones combine in many ways."""
BINS = 40
"""Histogram bins of log distance, from 1e-5 to 1e5."""


@dataclass(frozen=True, slots=True, eq=False)
class Support:
    """What speaks for closures before anything is optimized: log evidence against chance."""

    pairs: Ints
    """(k, 2) closures that agree."""
    gains: Floats
    """(k,) what each agreement is worth, less the number of neighbors it was chosen from."""
    alone: Floats
    """(m,) by the robot's own odometry between its ends."""

    @property
    def link(self) -> Floats:
        """The best agreement (m,) of each closure; 0 if it agrees with none."""
        out = np.zeros(len(self.alone))
        for end in self.pairs.T:
            np.maximum.at(out, end, self.gains)
        return out

    def clusters(self, among: Bools, tops: Floats) -> tuple[Floats, Ints]:
        """Return the evidence (m,) of each closure's cluster among the chosen, 0 for others; and its size.

        Given one closure, each further one agrees with it by chance or for a reason: a cluster's evidence is
        that of its best spanning tree, and the largest of ``tops`` (m,) among its members.
        """
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

        m = len(self.alone)
        kept = among[self.pairs].all(axis=1) & (self.gains > CLEAR)
        links = coo_matrix((CLEAR - self.gains[kept], self.pairs[kept].T), shape=(m, m))
        tree = minimum_spanning_tree(links).tocoo()
        total, label = connected_components(links, directed=False)
        best = np.zeros(total)
        np.maximum.at(best, label, tops)
        evidence = np.bincount(label[tree.row], -tree.data, total) + best
        return np.where(among, evidence[label], 0.0), np.bincount(label, minlength=total)[label]

    def witnessed(self, submaps: Ints) -> Bools:
        """Return which closures (m,) between ``submaps`` (m, 2) agree with one near by that has other ends.

        One submap that is taken for another place is so by all submaps of that place: they are one mistake.
        """
        apart = np.abs(submaps[self.pairs[:, 0]] - submaps[self.pairs[:, 1]])
        own = ((apart > 0) & (apart <= WITHIN)).all(axis=1) & (self.gains > CLEAR)
        out = np.zeros(len(self.alone), bool)
        out[self.pairs[own]] = True
        return out

    @staticmethod
    def joined(parts: Sequence[tuple[Ints, Support]], count: int) -> Support:
        """Return the support of ``count`` closures whose parts are at the rows given."""
        alone = np.zeros(count)
        for rows, part in parts:
            alone[rows] = part.alone
        pairs = [np.empty((0, 2), np.int64), *(rows[part.pairs] for rows, part in parts)]
        gains = [np.empty(0), *(part.gains for _, part in parts)]
        return Support(np.concatenate(pairs), np.concatenate(gains), alone)


def closure_support(
    closures: Constraints,
    odometry: Odometry,
    chance: Chance,
    own: bool,
    rng: np.random.Generator,
    asked: Bools,
) -> Support:
    """Return what speaks for closures between one pair of robots, or within one robot if they are its own.

    Of those that are not ``asked`` (m,) about, agreements with these are told, and some others.
    """
    m = len(closures)
    single = np.maximum(alone(closures, odometry, chance), 0.0) if own else np.zeros(m)
    count = NEIGHBORS if m <= CROWDED else FEWER
    shown = asked.copy() if asked.all() else np.zeros(m, bool)
    shown[:: max(1, m // SHOWN)] = True
    pairs = _near_in_time(closures.rows, count, np.flatnonzero(asked | shown))
    if len(pairs) == 0:
        return Support(pairs, np.empty(0), single)
    real = cycle_errors(closures, closures.T, odometry, chance, pairs)
    p, q = rng.integers(0, len(odometry.poses), (2, m))
    confused = inverse(odometry.poses[p]) @ odometry.poses[q]
    usual = cycle_errors(closures, confused, odometry, chance, pairs)
    near2, usual2 = (found / len(chance.axes) for _, found in (real, usual))
    counted: Bools = np.asarray(shown[pairs].any(axis=1))
    learned = _learned(near2, usual2, counted)
    gains = np.maximum(real[0], learned) - np.log(min(count, m - 1))
    return Support(pairs[gains > 0], gains[gains > 0], single)


def _learned(real: Floats, chance: Floats, counted: Bools) -> Floats:
    """Return log likelihood ratios (k,) of distances, falling with distance, by how often chance has them.

    That is taken from those that are ``counted`` (k,).
    """
    edges = np.linspace(-5, 5, BINS + 1)
    bins_real, bins_chance = (np.digitize(np.log10(d + 1e-12), edges) for d in (real, chance))
    counts = [np.bincount(b[counted], minlength=BINS + 2) + 1.0 for b in (bins_real, bins_chance)]
    ratio = np.maximum(np.log(counts[0] / counts[1]), 0.0)
    falling = np.maximum.accumulate(ratio[::-1])[::-1] * (ratio > 0)
    return np.asarray(falling[bins_real])


def _near_in_time(rows: Ints, neighbors: int, asked: Ints) -> Ints:
    """Return pairs (k, 2) of closures whose ends are near in time, of those asked for, each pair once."""
    from scipy.spatial import cKDTree

    if len(rows) < 2:
        return np.empty((0, 2), np.int64)
    count = min(neighbors + 1, len(rows))
    spots = np.sort(rows, axis=1)
    _, near = cKDTree(spots.astype(float)).query(spots[asked], k=count)
    a = np.repeat(asked, count)
    b = near.ravel()
    both = np.unique((np.minimum(a, b) * len(rows) + np.maximum(a, b))[a != b])
    return np.stack(np.divmod(both, len(rows)), axis=1)
