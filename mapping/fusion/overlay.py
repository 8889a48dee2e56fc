"""Whether two maps lie on one another where objects say: surfaces that meet, space that both see free.

A small room holds few objects, and few that agree may do so by chance; its walls, table and floor do not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.geometry import apply, from_yaw, inverse, rotate, transform
from commonground.mapping.fusion.merge_mesh import vertex_normals
from commonground.mapping.fusion.patches import LEVEL, SurfacePatch
from commonground.mapping.fusion.surface_registration import register_patches
from commonground.mapping.surface.mesh_part import MeshPart

SMALL_M = 8.0
"""Maps are of a room if the way of the camera stays within so much; beyond, there are objects enough."""
REACH_M = 12.0
"""Surfaces so near to where the maps were matched are compared."""
MOST = 20_000
"""Points of a surface that are compared, at most."""
LOOSE = np.diag(np.r_[[0.15] * 3, np.radians([1.0, 1.0, 3.0])] ** 2)
"""Covariance of what a few objects say of the transform."""
LEAST_SHARE = 0.5
"""Of the points of one map that lie near the other, the share that must lie on its surface."""
MOST_FREE = 0.05
"""Share of the points of one map that may lie where the other looked through."""
LEAD, MARGIN = 2.0, 0.05
"""Turned otherwise about the same spot, so many times as much must fail to lie, and so much more: a square
room lies on itself four ways but for its furniture."""
TURNS = np.radians([90.0, 180.0, 270.0])
ON_M, NEAR_M = 0.06, 0.3
"""So near is on the surface, and so near is next to it, about where the other map has been."""
CELL_M = 0.1
FEWEST = 200


class Sight(NamedTuple):
    """What a map shows besides its objects."""

    mesh: MeshPart
    eyes: Floats
    """(k, 3) from where it was seen."""

    @property
    def small(self) -> bool:
        """Whether it was seen from within a room, of which there may be few objects to tell it by."""
        return is_small(self.eyes)


class Overlay(NamedTuple):
    """How two maps lie on one another."""

    T: Floats
    """(4, 4) coordinates of the second map → of the first, as the surfaces have it."""
    covariance: Floats
    """(6, 6) of ξ in T exp(ξ)."""
    share: float
    """Of the second's points near the first's surfaces that lie on them."""
    free: float
    """Share of points that lie where the other map is seen to be free."""
    rival: float
    """The best share with the second map turned."""

    @property
    def holds(self) -> bool:
        """Whether the surfaces say that the maps show the same."""
        alone = 1.0 - self.rival >= max(LEAD * (1.0 - self.share), 1.0 - self.share + MARGIN)
        return self.share >= LEAST_SHARE and self.free <= MOST_FREE and alone

    def __str__(self) -> str:
        return (
            f"surfaces meet on {self.share:.0%} ({LEAST_SHARE:.0%} needed), stand in free space on "
            f"{self.free:.0%} ({MOST_FREE:.0%} allowed), and meet on {self.rival:.0%} turned otherwise"
        )


def is_small(eyes: Floats) -> bool:
    """Return whether the way of a camera (k, 3) stays within a room."""
    return bool(len(eyes)) and float(np.linalg.norm(np.ptp(eyes, axis=0))) < SMALL_M


def overlay(one: Sight, two: Sight, T_1_2: Floats, at_1: Floats) -> Overlay | None:
    """Return how the second map lies on the first about a spot (3,) of it; None if too little is seen."""
    first = _surface(one, at_1)
    second = _surface(two, apply(inverse(T_1_2), at_1))
    if first is None or second is None:
        return None
    found = register_patches(first, second, T_1_2, LOOSE)
    if found is None:
        return None
    free = max(
        _in_free_space(one, first, apply(found.T, second.points)),
        _in_free_space(two, second, apply(inverse(found.T), first.points)),
    )
    middle = transform(np.eye(3), second.middle)
    rival = 0.0
    for turn in TURNS:
        spin = middle @ transform(from_yaw(turn)[:3, :3], np.zeros(3)) @ inverse(middle)
        other = register_patches(first, second, found.T @ spin, LOOSE)
        rival = max(rival, 0.0 if other is None else _share_on(first, second, other.T))
    share = _share_on(first, second, found.T)
    return Overlay(found.T, found.covariance, share, free, rival)


def _surface(sight: Sight, at: Floats) -> SurfacePatch | None:
    """Return what a map's mesh shows about a spot, in the map's frame."""
    from scipy.spatial import cKDTree

    mesh = sight.mesh
    if not len(mesh.faces):
        return None
    normals = vertex_normals(mesh)
    points = mesh.vertices.astype(float)
    good = (normals**2).sum(axis=1) > 0.5
    rows = np.flatnonzero(good & (np.linalg.norm(points - at, axis=1) < REACH_M))
    rows = rows[:: max(1, len(rows) // MOST)]
    if len(rows) < FEWEST or (normals[rows, 2] < LEVEL).sum() < FEWEST // 2:
        return None
    p = points[rows]
    return SurfacePatch(0, 0.0, p, normals[rows], cKDTree(p), np.median(p, axis=0))


def _share_on(one: SurfacePatch, two: SurfacePatch, T: Floats) -> float:
    """Return the share of the second's points near the first's surfaces that lie on them and face alike."""
    points, normals = apply(T, two.points), rotate(T, two.normals)
    gap, nearest = one.tree.query(points, distance_upper_bound=NEAR_M)
    near = np.isfinite(gap)
    if near.sum() < FEWEST:
        return 0.0
    to, facing = nearest[near], one.normals[nearest[near]]
    off = np.abs(((points[near] - one.points[to]) * facing).sum(axis=1))
    alike = (facing * normals[near]).sum(axis=1) > 0.8
    # of what lies beside all the first map shows, nothing is known
    return float((alike & (off < ON_M)).mean())


def _in_free_space(sight: Sight, seen: SurfacePatch, points: Floats) -> float:
    """Return the share of points that lie where one looked through to the map's own surfaces."""
    eyes = sight.eyes
    targets = seen.points[:: max(1, len(seen.points) // 2000)]
    normals = seen.normals[:: max(1, len(seen.points) // 2000)]
    free: list[Ints] = []
    for eye in eyes[:: max(1, len(eyes) // 12)]:
        beam = targets - eye
        far = np.linalg.norm(beam, axis=1)
        facing = ((beam * normals).sum(axis=1) < -0.2 * far) & (far < 4.0) & (far > 0.8)
        for share in np.arange(0.1, 0.8, 0.1):
            free.append(_cells(eye + share * beam[facing]))
    if not free:
        return 0.0
    cells = np.unique(np.concatenate(free), axis=0)
    # what is near a surface, or behind one that hides it, says nothing
    centers = (cells + 0.5) * CELL_M
    clear = seen.tree.query(centers, distance_upper_bound=3 * CELL_M)[0] > 2 * CELL_M
    known = {tuple(cell) for cell in cells[clear].tolist()}
    mine = _cells(points).tolist()
    return sum(tuple(cell) in known for cell in mine) / max(len(mine), 1)


def _cells(points: Floats) -> Ints:
    return np.floor(points / CELL_M).astype(np.int64)
