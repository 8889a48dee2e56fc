"""Point-to-plane registration of two surface patches with a prior on their relative pose.

(Chen and Medioni 1992; surfaces facing all ways count alike, as in Rusinkiewicz and Levoy 2001.) What no
surface tells, such as how far along a street with nothing beside it, stays as expected, and the covariance
says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled
from commonground.geometry import apply, inverse, nearest_rotation, transform
from commonground.geometry.kernels import add_residual
from commonground.geometry.se3 import hat
from commonground.mapping.fusion.patches import SurfacePatch

REACHES_M = {0.6: 3, 0.3: 2, 0.15: 1}
"""How far points may be from their surface, first far, then near; and of how many points one is looked at."""
ROUNDS = 8
"""Steps at most, for each reach."""
STILL = 2e-4
MOST_POINTS = 1500
SIDES = 8
"""Directions that upright surfaces are told apart by when points are chosen."""
FACING = 0.8
"""Cosine between the normals of a point and of the surface that it is laid on, at least."""
LEAST_SHARE, FEWEST = 0.2, 30
"""Of the points that must lie on the other patch, and how many."""
SIGMA_M = 0.03
TOLD_BY = 40.0
"""Neighboring points err alike: all together tell as much as this many alone."""
FLOOR = np.diag(np.r_[[0.01] * 3, np.radians([0.1, 0.1, 0.05])] ** 2)
"""Covariance of what points do not show: patches bend a little with the odometry."""
LOOSE = 1e-3
"""Information there is in any case, so that the covariance exists."""


@dataclass(frozen=True, slots=True, eq=False)
class SurfaceRegistration:
    """How one patch lies to another."""

    T: Floats
    """(4, 4) coordinates of the second patch → of the first."""
    covariance: Floats
    """(6, 6) of ξ in T exp(ξ), from the surfaces alone."""
    share: float
    """Of the second's points that lie on the first."""


def register_patches(
    one: SurfacePatch, two: SurfacePatch, T_1_2: Floats, covariance: Floats
) -> SurfaceRegistration | None:
    """Return how the second patch lies to the first, near where expected; None if too little fits."""
    chosen = chosen_rows(two.normals)
    p, n = two.points[chosen], two.normals[chosen]
    expected = np.linalg.inv(covariance)
    T = T_1_2.copy()
    for reach, every in REACHES_M.items():
        for _ in range(ROUNDS):
            equations = _normal_equations(one, p[::every], n[::every], T, reach)
            if equations is None:
                return None
            H, g, share = equations
            xi = _small(inverse(T_1_2) @ T)
            step: Floats = -np.linalg.solve(H + expected, g + expected @ xi).astype(float)
            T = _moved(T, step)
            if np.abs(step).max() < STILL:
                break
    alone: Floats = np.asarray(np.linalg.inv(H + LOOSE * np.eye(6)) + FLOOR, np.float64)
    return SurfaceRegistration(T, alone, share)


def _normal_equations(
    one: SurfacePatch, p: Floats, n: Floats, T: Floats, reach: float
) -> tuple[Floats, Floats, float] | None:
    """Return the normal equations of points at a pose, and the share of them that lie on the surface."""
    gap, nearest = one.tree.query(apply(T, p), distance_upper_bound=reach)
    H, g = np.zeros((6, 6)), np.zeros(6)
    sigma = max(reach / 4, SIGMA_M)
    nearest = np.where(np.isfinite(gap), nearest, -1)
    surfaces = Surface(p, n), Surface(one.points, one.normals)
    found, weight = plane_terms(T, *surfaces, nearest, sigma, H, g)
    if found < max(LEAST_SHARE * len(p), FEWEST):
        return None
    weighted = TOLD_BY / max(weight, TOLD_BY) / sigma**2
    return H * weighted, g * weighted, found / len(p)


class Surface(NamedTuple):
    """Points of a surface and its normals there, (n, 3) each."""

    points: Floats
    normals: Floats


@compiled
def plane_terms(
    T: Floats, two: Surface, one: Surface, nearest: Ints, sigma: float, H: Floats, g: Floats
) -> tuple[int, float]:
    """Add to the normal equations what points of surface two at a pose say of surface one.

    ``nearest`` (m,) are the points of surface one that lie nearest, −1 for none. Return how many points
    took part, and their weight.
    """
    p, n = two
    points, normals = one
    J = np.zeros(6)
    found, total = 0, 0.0
    for k in range(len(p)):
        if nearest[k] < 0:
            continue
        m, q = normals[nearest[k]], points[nearest[k]]
        facing, r = 0.0, 0.0
        for a in range(3):
            facing += (T[a, 0] * n[k, 0] + T[a, 1] * n[k, 1] + T[a, 2] * n[k, 2]) * m[a]
            at = T[a, 0] * p[k, 0] + T[a, 1] * p[k, 1] + T[a, 2] * p[k, 2] + T[a, 3]
            r += (at - q[a]) * m[a]
        if facing <= FACING:
            continue
        for a in range(3):
            J[a] = T[0, a] * m[0] + T[1, a] * m[1] + T[2, a] * m[2]
        for a in range(3):
            b, c = (a + 1) % 3, (a + 2) % 3
            J[3 + a] = p[k, b] * J[c] - p[k, c] * J[b]
        w = 1.0 / (1.0 + (r / sigma) ** 2) ** 2
        found += 1
        total += w
        add_residual(J, r, w, H, g)
    return found, total


def _moved(T: Floats, step: Floats) -> Floats:
    """Return a pose after a small step: T exp(ξ) to second order."""
    K = hat(step[3:])
    R = nearest_rotation(np.eye(3) + K + 0.5 * K @ K)
    return np.asarray(T @ transform(R, step[:3] + 0.5 * K @ step[:3]))


def _small(T: Floats) -> Floats:
    """Return ξ of T = exp(ξ) near the identity, to first order."""
    R = T[:3, :3]
    turn = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return np.concatenate([T[:3, 3] - 0.5 * np.cross(turn, T[:3, 3]), turn])


def chosen_rows(normals: Floats) -> Ints:
    """Return rows of points: as many on surfaces that face each way, and of those that face up."""
    way = np.arctan2(normals[:, 1], normals[:, 0])
    side = 1 + np.floor((way / (2 * np.pi) + 0.5) * SIDES).astype(np.int64) % SIDES
    kind = np.where(np.abs(normals[:, 2]) < 0.7, side, 0)
    quota = MOST_POINTS // (SIDES + 1)
    rows = [np.flatnonzero(kind == k) for k in range(SIDES + 1)]
    return np.sort(np.concatenate([r[:: max(1, -(-len(r) // quota))] for r in rows]))
