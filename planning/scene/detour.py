"""Detours around objects: straight pieces that would run into one go past its corners instead."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.planning.scene.ground import Ground
from commonground.scene.parts import shortest_path

ROOM_M = 0.05
"""Corners are passed with this much more than the robot's radius."""
MOST = 12
"""Objects considered around one piece."""


def around_objects(line: Floats, ground: Ground) -> Floats:
    """Return the line with each blocked piece led around the objects in its way, where that is possible.

    Nearer to an object than its radius a robot is only where the line begins or ends so near to it.
    """
    prints = ground.footprints
    if len(prints) == 0 or len(line) < 2:
        return line
    blocked = ground.hits_object(line, ground.radius_m)
    blocked[[0, -1]] = False
    line = line[_kept(line, blocked, ground)]  # the path past things over places is found below
    out = [line[:1]]
    ends = line[[0, -1]]
    for k in range(len(line) - 1):
        out.append(_piece(line[k], line[k + 1], ground, ends)[1:])
    return np.concatenate(out)


def _kept(line: Floats, blocked: Bools, ground: Ground) -> Bools:
    """Return which points of a line remain without those near things that can be left out."""
    kept = ~blocked
    rows = np.flatnonzero(kept)
    fits = ground.road.widths.fits_straight(line[rows[:-1]], line[rows[1:]], ground.radius_m)
    for k in np.flatnonzero(~fits):
        kept[rows[k] : rows[k + 1]] = True
    return kept


def _piece(a: Floats, b: Floats, ground: Ground, ends: Floats) -> Floats:
    straight = np.stack([a, b])
    near: set[int] = set()
    found: Floats | None = straight
    while found is not None and len(near) < MOST:
        blocking = _blocking(found[:-1], found[1:], ground, ends)
        if not blocking:
            return found
        if blocking <= near:
            break
        near |= blocking
        found = _shortest(a, b, ground, sorted(near), ends)
    return straight


def _blocking(a: Floats, b: Floats, ground: Ground, ends: Floats) -> set[int]:
    """Return the footprints that a robot would touch on straight ways a to b (m, 3)."""
    return set(ground.footprints.hits(a, b, ground.radius_m, ends)[0].tolist())


def _shortest(a: Floats, b: Floats, ground: Ground, near: list[int], ends: Floats) -> Floats | None:
    """Return the shortest path from a to b over the corners of some footprints, or None."""
    from scipy.sparse import csr_matrix

    corners = np.concatenate([_corners(ground, k, float(a[2])) for k in near])
    corners = corners[ground.free(corners) & ground.road.widths.fits_at(corners, ground.radius_m)]
    points = np.concatenate([a[None], b[None], corners])
    n = len(points)
    i, j = np.triu_indices(n, 1)
    open_ = ground.on_ground((points[i] + points[j]) / 2)
    open_ &= ground.road.widths.fits_straight(points[i], points[j], ground.radius_m)
    which, ways = ground.footprints.hits(points[i], points[j], ground.radius_m, ends)
    open_[ways[np.isin(which, near)]] = False
    i, j = i[open_], j[open_]
    meters = np.maximum(np.linalg.norm(points[i] - points[j], axis=1), 1e-6)
    path = shortest_path(csr_matrix((meters, (i, j)), shape=(n, n)), 0, 1)
    return points[path] if len(path) else None


def _corners(ground: Ground, k: int, z: float) -> Floats:
    """Return the corners (4, 3) of a footprint, moved out so that a robot passes them."""
    prints = ground.footprints
    signs = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]])
    local = signs * (prints.half[k] + ground.radius_m + ROOM_M)
    return np.column_stack([prints.centers[k] + local @ prints.axes[k].T, np.full(4, z)])
