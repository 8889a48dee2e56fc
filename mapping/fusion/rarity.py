"""How rarely a wrong closure comes as near to where the poses say it should be as this one does.

Wrong closures claim the relative pose of two other poses of the map, so some such claims are laid against the
estimate: the share of those that come as near is the probability, however maps are shaped. Beyond what can
be counted it is carried on as the tail of a sum of squares of normal variables with the spread of the map
(saddlepoint approximation of Lugannani and Rice 1980), in which directions in which the estimate is less
certain than the map is wide say nothing.
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.geometry import inverse
from commonground.mapping.compiled import compiled
from commonground.mapping.fusion.chance import Chance

CLAIMS = 1000
"""So many relative poses stand for what wrong closures claim."""
COUNTED = 10
"""So many must come as near for their share to be taken as it is."""
NEAREST = 0.2
"""Share of the usual squared distance below which it is no wonder to be nearer."""
HALVINGS = 40
CHUNK = 2000


def rarity(
    estimated: Floats, distances2: Floats, covariances: Floats, claims: Floats, chance: Chance
) -> Floats:
    """Return −log of the probability (m,) that a wrong closure comes as near as this.

    ``estimated`` (m, 4, 4) are the poses j seen from i by the other measurements; ``claims`` (k, 4, 4).
    """
    axes = chance.axes
    near2 = np.maximum(distances2, NEAREST * len(axes))
    out = np.zeros(len(estimated))
    back = np.ascontiguousarray(inverse(claims))
    for start in range(0, len(estimated), CHUNK):
        part = slice(start, start + CHUNK)
        C = covariances[part][:, axes[:, None], axes]
        white = np.linalg.inv(np.linalg.cholesky(C))
        found2 = np.empty((len(C), len(claims)))
        _distances2(back, np.ascontiguousarray(estimated[part]), white, axes, found2)
        count = (found2 <= near2[part, None]).sum(axis=1)
        last = min(COUNTED, len(claims)) - 1
        reach2 = np.maximum(np.partition(found2, last, axis=1)[:, last], near2[part])
        wide = white * np.sqrt(chance.spread2[axes])
        shares = np.linalg.eigvalsh(wide @ np.swapaxes(wide, -1, -2)).clip(0.0)
        beyond = _tail(shares, near2[part]) - _tail(shares, reach2)
        out[part] = np.log(len(claims) / np.maximum(count, last + 1)) + np.maximum(beyond, 0.0)
    return out


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
def _distances2(back: Floats, estimated: Floats, white: Floats, axes: Ints, out: Floats) -> None:
    """Write squared lengths (m, k) of twists log(claim⁻¹ · estimated), along the axes and whitened."""
    d = len(axes)
    R, xi = np.zeros((3, 3)), np.zeros(6)
    for e in range(len(estimated)):
        T = estimated[e]
        for c in range(len(back)):
            for i in range(3):
                xi[i] = back[c, i, 3]
                for k in range(3):
                    xi[i] += back[c, i, k] * T[k, 3]
                for j in range(3):
                    R[i, j] = (
                        back[c, i, 0] * T[0, j] + back[c, i, 1] * T[1, j] + back[c, i, 2] * T[2, j]
                    )
            _log(R, xi)
            total = 0.0
            for i in range(d):
                y = 0.0
                for j in range(i + 1):
                    y += white[e, i, j] * xi[axes[j]]
                total += y * y
            out[e, c] = total


@compiled
def _log(R: Floats, xi: Floats) -> None:
    """Turn a translation, in ``xi`` (6,), and a rotation into their twist."""
    wx, wy, wz = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    sine = np.sqrt(wx * wx + wy * wy + wz * wz) / 2
    angle = np.arctan2(sine, (R[0, 0] + R[1, 1] + R[2, 2] - 1) / 2)
    scale = 0.5 * angle / sine if sine > 1e-9 else 0.5
    wx, wy, wz = wx * scale, wy * scale, wz * scale
    a2 = angle * angle
    k = (1 - 0.5 * angle / np.tan(0.5 * angle)) / a2 if a2 > 1e-6 else 1 / 12
    x, y, z = xi[0], xi[1], xi[2]
    dot = wx * x + wy * y + wz * z
    # V⁻¹ t = t − ½ w × t + k w × (w × t)
    xi[0] = x - 0.5 * (wy * z - wz * y) + k * (wx * dot - a2 * x)
    xi[1] = y - 0.5 * (wz * x - wx * z) + k * (wy * dot - a2 * y)
    xi[2] = z - 0.5 * (wx * y - wy * x) + k * (wz * dot - a2 * z)
    xi[3], xi[4], xi[5] = wx, wy, wz
