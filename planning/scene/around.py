"""Ways led around what stands on the ground: over the corners of objects, else over cells of the ground."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.planning.scene.footprints import TOUCH_M
from commonground.planning.scene.ground import Ground
from commonground.planning.scene.winding import wound
from commonground.scene.parts import shortest_path

ROOM_M = 0.05
"""Corners are passed with this much more than the robot's radius."""
MOST = 12
"""Objects considered around one piece."""
REACHES_M = (1.5, 4.0, 10.0)
"""From so far before an object to as far behind it another way is looked for, besides the robot's radius."""
STEP_M = 0.05


def around_objects(line: Floats, ground: Ground, rows: Ints) -> Floats:
    """Return the line with each blocked piece led around the objects in its way, where that is possible.

    Nearer to an object than its radius a robot is only where the line begins or ends so near to it. The line
    leads over some places (k,), on whose ground a way is looked for where their middles are in the way.
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
    return _wound(np.concatenate(out), ground, rows)


def _wound(line: Floats, ground: Ground, rows: Ints) -> Floats:
    """Return the line with what is still blocked led around the objects over cells of the ground."""
    if ground.road.widths.rim is None:
        return line
    ends = line[[0, -1]]
    for reach_m in REACHES_M:
        for k in sorted(_blocking(line[:-1], line[1:], ground, ends)):
            line = _past(line, k, reach_m, ground, rows)
    return line


def _past(line: Floats, k: int, reach_m: float, ground: Ground, rows: Ints) -> Floats:
    """Return the line led around a footprint, from where it comes near to it to where it leaves it behind."""
    road, radius_m, near = ground.road, ground.radius_m, line[[0, -1]]
    gone = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))]
    along = np.union1d(np.arange(0.0, gone[-1], STEP_M), gone)
    at = np.stack([np.interp(along, gone, line[:, c]) for c in range(3)], axis=1)
    hit = np.flatnonzero(ground.footprints.meters(k, at, at) < radius_m)
    if len(hit) == 0:
        return line
    beside = (along >= along[hit[0]] - reach_m) & (along <= along[hit[-1]] + reach_m)
    piece, around = at[beside], _places_around(at[beside], ground, rows)
    if len(around) == 0:
        return line
    for surely_m, room_m in ((radius_m + road.widths.doubt_m, ROOM_M), (radius_m, TOUCH_M)):

        def free(p: Floats, q: Floats, within_m: float = radius_m + room_m) -> Bools:
            out = ground.avoids(p, q)
            out[ground.footprints.hits(p, q, within_m, near)[1]] = False
            return out

        bends = wound(road.places, around.tolist(), piece[[0, -1]], (radius_m, surely_m), free)
        if bends is not None:
            before, after = along[beside][[0, -1]]
            return np.vstack(
                [line[gone < before], piece[:1], bends, piece[-1:], line[gone > after]]
            )
    return line


def _places_around(points: Floats, ground: Ground, rows: Ints) -> Ints:
    """Return those of some places that points (k, 3) are next to, and their neighbors, as far as outlined."""
    road = ground.road
    gaps = np.linalg.norm(road.positions[rows][:, None] - points, axis=2)
    nearest = rows[np.unique(gaps.argmin(axis=0))] if len(rows) else rows
    around = np.unique(np.r_[nearest, road.metric[nearest].indices]).astype(np.int64)
    return np.asarray(around[ground.allowed[around] & road.widths.outlined[around]])


def _kept(line: Floats, blocked: Bools, ground: Ground) -> Bools:
    """Return which points of a line remain without those near things that can be left out."""
    kept = ~blocked
    rows = np.flatnonzero(kept)
    fits = ground.road.widths.fits_straight(line[rows[:-1]], line[rows[1:]], ground.radius_m)
    fits &= ground.avoids(line[rows[:-1]], line[rows[1:]])
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
    widths = ground.road.widths
    open_ &= widths.fits_straight(points[i], points[j], ground.radius_m)
    if (
        widths.rim is None and not np.isnan(widths.place_m).all()
    ):  # the straight way itself may be along an edge
        open_[1:] &= widths.is_free_between(points[i[1:]], points[j[1:]], ground.radius_m)
    open_ &= ground.avoids(points[i], points[j])
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
