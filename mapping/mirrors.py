"""What lies behind a wall and repeats, as in a mirror, what lies before it: depth cameras look into mirrors.

A phantom room cannot be told from a real one behind an opening by what is seen through it alone. But it is
the room itself, turned over at a plane near that of the wall. What goes on across that plane tells nothing:
floors and side walls are their own images.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats

UPRIGHT, ACROSS = 0.2, 0.3
"""How far up or down the normals of walls point at most, and along that of a wall those of what tells."""
AZIMUTHS = 72
LEVEL, RAISED_M = 0.8, 0.3
"""Level surfaces so high above the lowest are tops of things, and tell as well."""
OFF_WALL_M = tuple(0.03 * k for k in range(-2, 6))
"""A mirror lies so far before the plane of its wall."""
LEAST_WALL_M2, LEAST_M2 = 0.4, 0.3
"""A wall has so much in view, and a phantom so much that tells."""
BEHIND_M = 0.3
"""What is nearer to a wall, behind it, is its own thickness."""
NEAR_M, ALIKE, SHARE = 0.06, 0.7, 0.5
"""So near must the image of a point be to a surface that faces as it does, for this share of the points."""
MOST = 20_000


@dataclass(frozen=True, slots=True)
class Reflection:
    """What may be an image in a mirror."""

    normal: Floats
    """(3,) of the wall, into the room."""
    offset: float
    area_m2: float
    share: float
    """Share of what lies behind the wall that repeats what lies before it."""
    at: Floats
    """(3,) the middle of what is repeated."""

    def __str__(self) -> str:
        x, y, z = self.at
        return (
            f"{self.area_m2:.1f} m² of surface around ({x:.1f}, {y:.1f}, {z:.1f}) repeat what is before a "
            f"wall ({self.share:.0%} of all behind it): most likely a mirror, with no room there"
        )


def reflections(points: Floats, normals: Floats, cell_m: float) -> list[Reflection]:
    """Return what lies behind walls and repeats what lies before them, most first.

    ``points`` (n, 3) are on surfaces, one a cell of ``cell_m`` or so, ``normals`` (n, 3) to where it is free.
    """
    cell_m2 = cell_m**2
    found = []
    for normal, wall in _walls(points, normals, cell_m, cell_m2):
        images = [
            _reflection(points, normals, normal, wall + d, max(NEAR_M, 2 * cell_m), cell_m2)
            for d in OFF_WALL_M
        ]
        best = max((i for i in images if i is not None), key=lambda i: i.share, default=None)
        if best is not None:
            found.append(best)
    found.sort(key=lambda r: -r.area_m2)
    return found


def _walls(
    points: Floats, normals: Floats, cell_m: float, cell_m2: float
) -> list[tuple[Floats, float]]:
    """Return normal and offset of the upright planes that much of the surface lies in."""
    upright = np.abs(normals[:, 2]) < UPRIGHT
    turn = np.arctan2(normals[upright, 1], normals[upright, 0]) / (2 * np.pi) % 1.0
    counts = np.bincount((turn * AZIMUTHS).astype(int) % AZIMUTHS, minlength=AZIMUTHS)
    wide = counts + np.roll(counts, 1) + np.roll(counts, -1)
    peaks = (counts >= np.roll(counts, 1)) & (counts > np.roll(counts, -1))
    walls: list[tuple[Floats, float]] = []
    for bin_ in np.flatnonzero(peaks & (wide * cell_m2 >= LEAST_WALL_M2)):
        angle = 2 * np.pi * (bin_ + 0.5) / AZIMUTHS
        facing = upright & (normals @ [np.cos(angle), np.sin(angle), 0.0] > 0.98)
        if not facing.any():
            continue
        normal = normals[facing].mean(axis=0) * [1.0, 1.0, 0.0]
        normal /= np.linalg.norm(normal)
        along = points[facing] @ normal
        size = max(0.05, 2 * cell_m)
        low = along.min()
        heights = np.bincount(((along - low) / size).astype(int))
        for k in np.argsort(-heights, kind="stable"):
            if heights[k] * cell_m2 < LEAST_WALL_M2:
                break
            near = np.abs(along - low - size * (k + 0.5)) < size
            offset = float(np.median(along[near]))
            if all(abs(offset - o) > BEHIND_M for n, o in walls if n is normal):
                walls.append((normal, offset))
    return walls


def _reflection(
    points: Floats, normals: Floats, normal: Floats, offset: float, near_m: float, cell_m2: float
) -> Reflection | None:
    from scipy.spatial import cKDTree

    along = points @ normal - offset
    raised = points[:, 2] > np.quantile(points[:, 2], 0.02) + RAISED_M
    tells: Bools = (np.abs(normals @ normal) > ACROSS) | (raised & (normals[:, 2] > LEVEL))
    behind, before = tells & (along < -BEHIND_M), tells & (along > BEHIND_M)
    if behind.sum() * cell_m2 < LEAST_M2 or not before.any():
        return None
    area = float(behind.sum() * cell_m2)
    rows = np.flatnonzero(behind)
    behind = np.isin(np.arange(len(points)), rows[:: max(1, len(rows) // MOST)])
    images = points[behind] - 2 * along[behind, None] * normal
    faces = normals[behind] - 2 * (normals[behind] @ normal)[:, None] * normal
    gap, nearest = cKDTree(points[before]).query(images, distance_upper_bound=near_m)
    close = np.isfinite(gap)
    alike = np.zeros(len(images), bool)
    of = normals[before][nearest[close]]
    alike[close] = (of * faces[close]).sum(axis=1) > ALIKE
    share = float(alike.mean())
    if share < SHARE or share * area < LEAST_M2:
        return None
    return Reflection(normal, offset, share * area, share, points[behind][alike].mean(axis=0))
