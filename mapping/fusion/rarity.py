"""P-value of a loop closure: how rarely a wrong one comes as near to the pose the others predict.

Wrong closures claim the relative pose of two other poses of the map, so some such claims are laid against the
estimate: the share of those that come as near is the probability, however maps are shaped. Beyond what can
be counted it is carried on as the tail of a sum of squares of normal variables with the spread of the map
(saddlepoint approximation of Lugannani and Rice 1980), in which directions in which the estimate is less
certain than the map is wide say nothing.
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled
from commonground.geometry import inverse
from commonground.geometry.kernels import log_twist
from commonground.mapping.fusion.chance import NEAREST, Chance

CLAIMS = 1000
"""So many relative poses stand for what wrong closures claim."""
COUNTED = 10
"""So many must come as near for their share to be taken as it is."""
TRUST = 3.0
"""By so much, in log odds, the model of chance may say more than what is counted among claims."""
ROUNDED = 1e-12
"""Share of the largest variance below which a variance is rounding."""
HALVINGS = 40
TURNS = 3
"""From this component of a twist on it is a turn."""


def rarity(
    estimated: Floats, distances2: Floats, covariances: Floats, claims: Floats, chance: Chance
) -> Floats:
    """Return −log of the probability (m,) that a wrong closure comes as near as this.

    ``estimated`` (m, 4, 4) are the poses j seen from i by the other measurements; ``claims`` (k, 4, 4).
    """
    axes = chance.axes
    near2 = np.maximum(distances2, NEAREST * len(axes))
    C = np.ascontiguousarray(covariances[:, axes[:, None], axes])
    white = np.asarray(np.linalg.inv(_root(C)), np.float64)
    turn = axes >= TURNS
    loosest = np.ascontiguousarray(np.linalg.eigvalsh(C[:, turn][:, :, turn])[:, -1])
    last = min(COUNTED, len(claims))
    count, reach2 = np.zeros(len(C), np.int64), np.empty((len(C), last))
    back, there = np.ascontiguousarray(inverse(claims)), np.ascontiguousarray(estimated)
    _count(back, there, white, loosest, axes, near2, count, reach2)
    wide = white * np.sqrt(chance.spread2[axes])
    shares = np.linalg.eigvalsh(wide @ np.swapaxes(wide, -1, -2)).clip(0.0)
    beyond = _tail(shares, near2) - _tail(shares, np.maximum(reach2[:, -1], near2))
    return np.log(len(claims) / np.maximum(count, last)) + np.maximum(beyond, 0.0)


def _root(C: Floats) -> Floats:
    """Return Cholesky factors (m, d, d); where rounding left none, those of the nearest with one."""
    try:
        return np.asarray(np.linalg.cholesky(C))
    except np.linalg.LinAlgError:  # directions of which nothing is known, at the end of a long path
        widths, axes = np.linalg.eigh(C)
        widths = np.maximum(widths, ROUNDED * widths[:, -1:])
        nearest = (axes * widths[:, None, :]) @ np.swapaxes(axes, 1, 2)
        return np.asarray(np.linalg.cholesky(nearest))


def proof(
    estimated: Floats, distances2: Floats, covariances: Floats, claims: Floats, chance: Chance
) -> Floats:
    """Return the same as the model of chance has it, as far as what is counted among claims bears it out."""
    model = np.maximum(chance.rarity(distances2, covariances), 0.0)
    return np.minimum(model, rarity(estimated, distances2, covariances, claims, chance) + TRUST)


def claimed(group: Ints, rng: np.random.Generator) -> Ints:
    """Return pairs (k, 2) of poses, picked at random, both of the same group (n,)."""
    order = np.argsort(group, kind="stable")
    _, of, count = np.unique(group, return_inverse=True, return_counts=True)
    first = rng.integers(0, len(group), CLAIMS)
    mine = of[first]
    begin = (np.cumsum(count) - count)[mine]
    return np.stack([first, order[begin + rng.integers(0, count[mine])]], axis=1)


def _tail(shares: Floats, limit: Floats) -> Floats:
    """Return −log of the probability (m,) that Σ λ z² stays below a limit (m,), for λ (m, k), z normal."""
    low, high = np.zeros(len(limit)), shares.shape[1] / (2 * limit)
    for _ in range(HALVINGS):
        s = (low + high) / 2
        above = (shares / (1 + 2 * s[:, None] * shares)).sum(axis=1) > limit
        low, high = np.where(above, s, low), np.where(above, high, s)
    scaled = 2 * low[:, None] * shares
    bound = 0.5 * np.log1p(scaled).sum(axis=1) - low * limit
    curved = 0.5 * ((scaled / (1 + scaled)) ** 2).sum(axis=1)
    return np.asarray(bound + np.maximum(0.5 * np.log(2 * np.pi * curved + 1e-300), 0.0))


@compiled
def _count(
    back: Floats,
    estimated: Floats,
    white: Floats,
    loosest: Floats,
    axes: Ints,
    near2: Floats,
    count: Ints,
    reach2: Floats,
) -> None:
    """Count the claims within a squared distance (m,), and write the least squared distances (m, k), rising.

    Distances are whitened lengths of twists log(claim⁻¹ · estimated) along the axes. A claim is passed over
    whose angle alone, at its ``loosest`` variance (m,), puts it farther than any that counts.
    """
    d = len(axes)
    R, xi = np.zeros((3, 4)), np.zeros(6)
    for e in range(len(estimated)):
        T, least = estimated[e], reach2[e]
        least[:] = np.inf
        trace = -np.inf
        for c in range(len(back)):
            B = back[c]
            for i in range(3):
                for j in range(3):
                    R[i, j] = B[i, 0] * T[0, j] + B[i, 1] * T[1, j] + B[i, 2] * T[2, j]
            if R[0, 0] + R[1, 1] + R[2, 2] < trace:
                continue
            for i in range(3):
                R[i, 3] = B[i, 3] + B[i, 0] * T[0, 3] + B[i, 1] * T[1, 3] + B[i, 2] * T[2, 3]
            log_twist(R, xi)
            total = 0.0
            for i in range(d):
                y = 0.0
                for j in range(i + 1):
                    y += white[e, i, j] * xi[axes[j]]
                total += y * y
            count[e] += total <= near2[e]
            if total < least[-1]:
                _put(least, total)
                angle2 = max(least[-1], near2[e]) * loosest[e]
                trace = 1 + 2 * np.cos(np.sqrt(angle2)) if angle2 < np.pi**2 else -np.inf


@compiled
def _put(least: Floats, value: float) -> None:
    """Put a value in its place among rising ones, the last of which goes."""
    at = len(least) - 1
    while at > 0 and least[at - 1] > value:
        least[at] = least[at - 1]
        at -= 1
    least[at] = value
