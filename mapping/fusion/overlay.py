"""Two stretches of surface laid over one another: point to plane, coarse to fine, held by what the poses say.

(Chen and Medioni 1992; surfaces facing all ways count alike, as in Rusinkiewicz and Levoy 2001.) What no
surface tells, such as how far along a street with nothing beside it, stays as expected, and the covariance
says so.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.geometry import apply, exp_se3, inverse, log_se3, rotate
from commonground.mapping.fusion.stretches import Stretch

REACHES_M = (0.6, 0.3, 0.15)
"""How far points may be from their surface: first far, then near."""
ROUNDS = 8
"""Steps at most, for each reach."""
STILL = 2e-4
MOST_POINTS = 1500
SIDES = 8
"""Directions that upright surfaces are told apart by when points are chosen."""
FACING = 0.8
"""Cosine between the normals of a point and of the surface that it is laid on, at least."""
LEAST_SHARE, LEAST_POINTS = 0.15, 50
"""Of the points that must lie on the other stretch in the end."""
SIGMA_M = 0.03
TOLD_BY = 120.0
"""Neighbouring points err alike: all together tell as much as this many alone."""
FLOOR = np.diag(np.r_[[0.01] * 3, np.radians([0.1, 0.1, 0.05])] ** 2)
"""Covariance of what points do not show: stretches bend a little with the odometry."""
LOOSE = 1e-3
"""Information there is in any case, so that the covariance exists."""


@dataclass(frozen=True, slots=True, eq=False)
class Overlay:
    """How one stretch lies to another."""

    T: Floats
    """(4, 4) coordinates of the second stretch → of the first."""
    covariance: Floats
    """(6, 6) of ξ in T exp(ξ), from the surfaces alone."""
    share: float
    """Of the second's points that lie on the first."""


def lay_over(one: Stretch, two: Stretch, T_1_2: Floats, covariance: Floats) -> Overlay | None:
    """Return how the second stretch lies to the first, near where expected; None if too little fits."""
    chosen = chosen_rows(two.normals)
    p, n = two.points[chosen], two.normals[chosen]
    expected = np.linalg.inv(covariance)
    T = T_1_2.copy()
    for reach in REACHES_M:
        for _ in range(ROUNDS):
            said = _said(one, p, n, T, reach)
            if said is None:
                return None
            H, g, share = said
            xi = log_se3(inverse(T_1_2) @ T)
            step = -np.linalg.solve(H + expected, g + expected @ xi)
            T = T @ exp_se3(step)
            if np.abs(step).max() < STILL:
                break
    if share < LEAST_SHARE:
        return None
    alone: Floats = np.asarray(np.linalg.inv(H + LOOSE * np.eye(6)) + FLOOR, np.float64)
    return Overlay(T, alone, share)


def _said(
    one: Stretch, p: Floats, n: Floats, T: Floats, reach: float
) -> tuple[Floats, Floats, float] | None:
    """Return the normal equations of points at a pose, and the share of them that lie on the surface."""
    at, facing = apply(T, p), rotate(T, n)
    gap, nearest = one.tree.query(at, distance_upper_bound=reach)
    found = np.isfinite(gap)
    nearest = np.where(found, nearest, 0)
    found &= (facing * one.normals[nearest]).sum(axis=1) > FACING
    if found.sum() < LEAST_POINTS:
        return None
    normals = one.normals[nearest[found]]
    r = ((at[found] - one.points[nearest[found]]) * normals).sum(axis=1)
    sigma = max(reach / 4, SIGMA_M)
    w = 1.0 / (1.0 + (r / sigma) ** 2) ** 2
    w *= TOLD_BY / max(w.sum(), TOLD_BY) / sigma**2
    local = normals @ T[:3, :3]
    J = np.concatenate([local, np.cross(p[found], local)], axis=1)
    return (J * w[:, None]).T @ J, (J * w[:, None]).T @ r, float(found.mean())


def chosen_rows(normals: Floats) -> Ints:
    """Return rows of points: as many on surfaces that face each way, and of those that face up."""
    way = np.arctan2(normals[:, 1], normals[:, 0])
    side = 1 + np.floor((way / (2 * np.pi) + 0.5) * SIDES).astype(np.int64) % SIDES
    kind = np.where(np.abs(normals[:, 2]) < 0.7, side, 0)
    quota = MOST_POINTS // (SIDES + 1)
    rows = [np.flatnonzero(kind == k) for k in range(SIDES + 1)]
    return np.sort(np.concatenate([r[:: max(1, -(-len(r) // quota))] for r in rows]))
