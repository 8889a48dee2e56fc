"""Compiled loops over distant marks: finding them again, and what they say of the poses of images.

A mark is seen from its host image in a direction; its inverse depth there is not measured but estimated
(Civera, Davison and Montiel 2008). The unknown inverse depths are eliminated, so that what is left is about
the poses of the images alone. An image is corrected by five numbers: x, y, heading, and how far it is tilted
about the level axes x and y.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Bytes, Floats, Floats32, Ints
from commonground.compiled import compiled
from commonground.frame import Intrinsics
from commonground.geometry.kernels import rotated_back
from commonground.mapping.tracking._terms import BLUR_PX, KERNEL
from commonground.mapping.tracking._texture import brightness_at

CLOSER, FARTHER = 0.55, 1.5
"""Factors by which the distance to a mark may have changed: it looks otherwise from elsewhere."""
ROUNDS = 8
SEARCH_PX = 4.0
"""A mark found farther than this from where it should be is another one."""
HOLD = 0.3
"""Information that keeps a search in place along an edge."""
MISFIT = 2.0
"""Mean squared residual, in variances, of a patch that is no longer the same."""
UNKNOWN = 5
"""Numbers by which an image is corrected."""
NEAREST = 0.3
"""Largest inverse depth of a mark."""


class Marks(NamedTuple):
    """Patches without depth that are followed."""

    hosts: Ints
    """(n,) the image that each was chosen in."""
    rays: Floats
    """(n, P, 3) directions of the patch's pixels in its host, its center first."""
    values: Floats
    """(n, P) their brightness there."""
    inverse: Floats
    """(n,) the inverse depth in the host, as estimated."""


class System(NamedTuple):
    """Normal equations of the poses of K images, with the inverse depths of n marks eliminated."""

    S: Floats
    """(5K, 5K)"""
    g: Floats
    """(5K,)"""
    C: Floats
    """(n, 5K) how each inverse depth depends on the poses."""
    own: Floats
    """(n, 2) the residual of each inverse depth, and the information about it."""


@compiled
def find_again(
    poses: Floats, marks: Marks, wanted: Bools, picture: Floats32, intrinsics: Intrinsics,
    noise: float, seen: Floats, found: Bytes,
) -> None:  # fmt: skip
    """Look for the wanted marks in the newest image: put u, v and their information into ``seen`` (n, 5).

    ``found`` (n,) becomes 1 where it is, 2 where something else is, 0 out of view or not wanted.
    """
    T = poses[-1]
    n, P = marks.values.shape
    spots, gap = np.empty((P, 2)), np.empty(3)
    for k in range(n):
        found[k] = 0
        if not wanted[k]:
            continue
        H = poses[marks.hosts[k]]
        for a in range(3):
            gap[a] = marks.inverse[k] * (H[a, 3] - T[a, 3])
        if project(H, marks.rays[k], gap, T, intrinsics, spots):
            found[k] = settle(spots, marks.values[k], picture, noise, seen[k])


@compiled
def project(
    H: Floats, rays: Floats, gap: Floats, T: Floats, intrinsics: Intrinsics, spots: Floats
) -> bool:
    """Put where rays (P, 3) of a host H are in the image at T into ``spots`` (P, 2)."""
    fx, fy, cx, cy = intrinsics
    d = np.empty(3)
    for j in range(len(rays)):
        for a in range(3):
            d[a] = gap[a] + H[a, 0] * rays[j, 0] + H[a, 1] * rays[j, 1] + H[a, 2] * rays[j, 2]
        x, y, z = rotated_back(T, d[0], d[1], d[2])
        if z < CLOSER or z > FARTHER:
            return False
        spots[j, 0] = fx * x / z + cx
        spots[j, 1] = fy * y / z + cy
    return True


@compiled
def settle(spots: Floats, values: Floats, picture: Floats32, noise: float, out: Floats) -> int:
    """Shift a patch until it fits; put its center (the first spot) and the information into ``out`` (5,)."""
    P = len(values)
    bright, seen = np.empty((P, 3)), np.empty(3)
    mean = values.mean()
    spread = ((values - mean) ** 2).sum()
    du = dv = misfit = 0.0
    for _ in range(ROUNDS):
        b, bu, bv, square, product = 0.0, 0.0, 0.0, 0.0, 0.0
        for j in range(P):
            if not brightness_at(picture, spots[j, 0] + du, spots[j, 1] + dv, seen):
                return 0
            for a in range(3):
                bright[j, a] = seen[a]
            b, bu, bv = b + seen[0] / P, bu + seen[1] / P, bv + seen[2] / P
            square += (seen[1] * seen[1] + seen[2] * seen[2]) / P
            product += seen[0] * (values[j] - mean)
        gain = min(1.5, max(0.67, product / max(spread, 1e-9)))
        s2 = noise * noise + BLUR_PX * BLUR_PX * square
        uu = uv = vv = ru = rv = misfit = 0.0
        for j in range(P):
            r = bright[j, 0] - b - gain * (values[j] - mean)
            gu, gv = bright[j, 1] - bu, bright[j, 2] - bv
            uu, uv, vv = uu + gu * gu / s2, uv + gu * gv / s2, vv + gv * gv / s2
            ru, rv, misfit = ru + gu * r / s2, rv + gv * r / s2, misfit + r * r / (s2 * P)
        det = (uu + HOLD) * (vv + HOLD) - uv * uv
        su, sv = -((vv + HOLD) * ru - uv * rv) / det, -((uu + HOLD) * rv - uv * ru) / det
        size = math.sqrt(su * su + sv * sv)
        du, dv = du + su / max(size, 1.0), dv + sv / max(size, 1.0)
        if du * du + dv * dv > SEARCH_PX * SEARCH_PX:
            return 2
        if size < 0.02:
            break
    out[0], out[1], out[2], out[3], out[4] = spots[0, 0] + du, spots[0, 1] + dv, uu, uv, vv
    return 1 if misfit < MISFIT else 2


@compiled
def add_marks(
    poses: Floats, marks: Marks, seen: Floats, intrinsics: Intrinsics, prior: Floats, system: System
) -> None:
    """Add what marks (n) seen in images (K) tell; ``seen`` is (n, K, 5): u, v and their information."""
    n, K = seen.shape[:2]
    J, r = np.zeros((2, 2 * UNKNOWN + 1)), np.empty(2)
    touched = np.zeros(K, np.bool_)
    for i in range(n):
        h, inverse, ray, own = marks.hosts[i], marks.inverse[i], marks.rays[i, 0], system.own[i]
        touched[:] = False
        own[0] = (inverse - prior[0]) / prior[1] ** 2
        own[1] = 1.0 / prior[1] ** 2
        for k in range(K):
            unseen = seen[i, k, 2] + seen[i, k, 4] <= 0 or k == h
            if unseen or not slopes(poses[h], poses[k], ray, inverse, intrinsics, J, r):
                continue
            r[0] -= seen[i, k, 0]
            r[1] -= seen[i, k, 1]
            touched[h] = touched[k] = True
            add_sighting(UNKNOWN * h, UNKNOWN * k, J, r, seen[i, k, 2:], i, system)
        eliminate(touched, i, system)


@compiled
def slopes(
    H: Floats, T: Floats, ray: Floats, inverse: float, intrinsics: Intrinsics, J: Floats, spot: Floats
) -> bool:  # fmt: skip
    """Put where T has a mark of H into ``spot``, and how it moves with H, T and the inverse depth into J."""
    a, e, d, j = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    for q in range(3):
        a[q] = H[q, 0] * ray[0] + H[q, 1] * ray[1] + H[q, 2] * ray[2]
        e[q] = H[q, 3] - T[q, 3]
        d[q] = a[q] + inverse * e[q]
    at = rotated_back(T, d[0], d[1], d[2])
    z = at[2]
    if z < 0.2:
        return False
    for row in range(2):
        x = at[row] / z
        spot[row] = intrinsics[row] * x + intrinsics[row + 2]
        for q in range(3):
            j[q] = (T[q, row] - x * T[q, 2]) * intrinsics[row] / z
        J[row, 0], J[row, 1] = inverse * j[0], inverse * j[1]
        J[row, 2] = a[0] * j[1] - a[1] * j[0]
        J[row, 3] = a[1] * j[2] - a[2] * j[1]
        J[row, 4] = a[2] * j[0] - a[0] * j[2]
        J[row, 5], J[row, 6] = -J[row, 0], -J[row, 1]
        J[row, 7] = j[0] * d[1] - j[1] * d[0]
        J[row, 8] = j[1] * d[2] - j[2] * d[1]
        J[row, 9] = j[2] * d[0] - j[0] * d[2]
        J[row, 10] = j[0] * e[0] + j[1] * e[1] + j[2] * e[2]
    return True


@compiled
def add_sighting(
    host: int, at: int, J: Floats, r: Floats, information: Floats, mark: int, system: System
) -> None:
    """Add one sighting of a mark, r off where it should be, to the rows of its host and of the image."""
    S, g, C, own = system.S, system.g, system.C[mark], system.own[mark]
    uu, uv, vv = information[0], information[1], information[2]
    e2 = uu * r[0] * r[0] + 2 * uv * r[0] * r[1] + vv * r[1] * r[1]
    w = 1.0 / (1.0 + e2 / (KERNEL * KERNEL)) ** 2
    for p in range(2 * UNKNOWN):
        row = host + p if p < UNKNOWN else at + p - UNKNOWN
        mu = w * (uu * J[0, p] + uv * J[1, p])
        mv = w * (uv * J[0, p] + vv * J[1, p])
        g[row] += mu * r[0] + mv * r[1]
        C[row] += mu * J[0, -1] + mv * J[1, -1]
        for q in range(UNKNOWN):
            S[row, host + q] += mu * J[0, q] + mv * J[1, q]
            S[row, at + q] += mu * J[0, q + UNKNOWN] + mv * J[1, q + UNKNOWN]
    mu = w * (uu * J[0, -1] + uv * J[1, -1])
    mv = w * (uv * J[0, -1] + vv * J[1, -1])
    own[0] += mu * r[0] + mv * r[1]
    own[1] += mu * J[0, -1] + mv * J[1, -1]


@compiled
def eliminate(touched: Bools, mark: int, system: System) -> None:
    """Take the unknown inverse depth of a mark out of the equations (Schur's complement)."""
    S, g, C, own = system.S, system.g, system.C[mark], system.own[mark]
    rows, m = np.empty(UNKNOWN * len(touched), np.int64), 0
    for p in range(len(rows)):
        if touched[p // UNKNOWN]:
            rows[m] = p
            m += 1
    for p in rows[:m]:
        c = C[p] / own[1]
        g[p] -= c * own[0]
        for q in rows[:m]:
            S[p, q] -= c * C[q]


@compiled
def add_steps(poses: Floats, steps: Floats, sigmas: Floats, S: Floats, g: Floats) -> None:
    """Add the steps (K − 1, 3) from image to image: ahead, to the left, turned, with what they err."""
    J, r, rows = np.zeros((3, 6)), np.empty(3), np.empty(6, np.int64)
    for k in range(len(steps)):
        one, two = poses[k], poses[k + 1]
        yaw = math.atan2(one[1, 2], one[0, 2])
        c, s = math.cos(yaw), math.sin(yaw)
        x, y = two[0, 3] - one[0, 3], two[1, 3] - one[1, 3]
        ahead, aside = c * x + s * y, c * y - s * x
        r[0], r[1] = ahead - steps[k, 0], aside - steps[k, 1]
        turned = math.atan2(two[1, 2], two[0, 2]) - yaw - steps[k, 2]
        r[2] = (turned + math.pi) % (2.0 * math.pi) - math.pi
        J[0, 0], J[0, 1], J[0, 2], J[0, 3], J[0, 4] = -c, -s, aside, c, s
        J[1, 0], J[1, 1], J[1, 2], J[1, 3], J[1, 4] = s, -c, -ahead, -s, c
        J[2, 2], J[2, 5] = -1.0, 1.0
        for a in range(6):
            rows[a] = UNKNOWN * (k + a // 3) + a % 3
        for q in range(3):
            w = 1.0 / sigmas[k, q] ** 2
            for a in range(6):
                g[rows[a]] += w * J[q, a] * r[q]
                for b in range(6):
                    S[rows[a], rows[b]] += w * J[q, a] * J[q, b]


@compiled
def add_tilts(tilts: Floats, sigma: float, sigmas: Floats, S: Floats, g: Floats) -> None:
    """Add that tilts (K, 2) err by sigma, and from image to image by sigmas (K − 1,)."""
    for k in range(len(tilts)):
        for q in range(2):
            row = UNKNOWN * k + 3 + q
            S[row, row] += 1.0 / sigma**2
            g[row] += tilts[k, q] / sigma**2
            if k == 0:
                continue
            before, w = row - UNKNOWN, 1.0 / sigmas[k - 1] ** 2
            step = w * (tilts[k, q] - tilts[k - 1, q])
            g[row] += step
            g[before] -= step
            S[row, row] += w
            S[before, before] += w
            S[row, before] -= w
            S[before, row] -= w
