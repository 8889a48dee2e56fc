"""Detours around objects: straight pieces that would run into one go past its corners instead."""

from __future__ import annotations

import itertools

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.geometry import from_quat_wxyz
from commonground.planning.scene.ground import FLAT_M, Ground

STEP_M = 0.1
ROOM_M = 0.05
"""Corners are passed with this much more than the robot's radius."""
TOUCH_M = 0.05
MOST = 6
"""Objects considered around one piece."""


def around_objects(line: Floats, ground: Ground, ends: tuple[int, int] = (-1, -1)) -> Floats:
    """Return the line with each blocked piece led around the objects in its way, where that is possible.

    ``ends`` are the rows of the objects that the line starts and ends at: being near those is its purpose.
    """
    if ground.road.graph.objects.boxes is None or len(line) < 2:
        return line
    blocked = ground.hits_object(line, ground.radius_m)
    blocked[[0, -1]] = False
    line = line[~blocked]  # places may lie under things; the path past them is found below
    out = [line[:1]]
    for k in range(len(line) - 1):
        allowed = {ends[0] if k == 0 else -1, ends[1] if k == len(line) - 2 else -1}
        out.append(_piece(line[k], line[k + 1], ground, allowed)[1:])
    return np.concatenate(out)


def _piece(a: Floats, b: Floats, ground: Ground, allowed: set[int]) -> Floats:
    straight = np.stack([a, b])
    blocking = _blocking(a, b, ground, allowed)
    if len(blocking) == 0:
        return straight
    near: set[int] = set()
    while len(blocking) and len(near) < MOST:
        near |= {int(i) for i in blocking}
        found = _shortest(a, b, ground, sorted(near), allowed)
        if found is None:
            return straight
        pieces = [_blocking(p, q, ground, allowed) for p, q in itertools.pairwise(found)]
        blocking = np.setdiff1d(np.concatenate(pieces), sorted(near))
        if len(blocking) == 0:
            return found
    return straight


def _blocking(a: Floats, b: Floats, ground: Ground, allowed: set[int]) -> Ints:
    """Return rows of the objects a robot would touch between two points."""
    boxes = ground.road.graph.objects.boxes
    if boxes is None:
        return np.empty(0, np.int64)
    s = np.linspace(0, 1, max(2, int(np.ceil(np.linalg.norm(b - a) / STEP_M)) + 1))[:, None]
    points = a + s * (b - a)
    reach = (
        0.5 * float(np.nanmax(np.linalg.norm(boxes.sizes[:, :2], axis=1), initial=0.0))
        + ground.radius_m
    )
    low, high = points.min(axis=0) - reach, points.max(axis=0) + reach
    near = ((boxes.centers >= low) & (boxes.centers <= high))[:, :2].all(axis=1)
    rows = np.flatnonzero(near & boxes.valid & (boxes.sizes[:, 2] > FLAT_M))
    # a robot may be near what it comes from or goes to, but not inside it
    margin = {int(i): TOUCH_M if int(i) in allowed else ground.radius_m for i in rows}
    hit = [i for i, m in margin.items() if (ground.distance_to_object(i, points) < m).any()]
    return np.asarray(hit, np.int64)


def _shortest(
    a: Floats, b: Floats, ground: Ground, rows: list[int], allowed: set[int]
) -> Floats | None:
    """Return the shortest path from a to b over the corners of some objects, or None."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import dijkstra

    corners = np.concatenate([_corners(ground, row, float(a[2])) for row in rows])
    corners = corners[ground.free(corners)]
    points = np.concatenate([a[None], b[None], corners])
    n = len(points)
    meters = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1, n):
            hit = np.intersect1d(_blocking(points[i], points[j], ground, allowed), rows)
            if len(hit) == 0 and ground.on_ground((points[i] + points[j])[None] / 2)[0]:
                meters[i, j] = meters[j, i] = max(
                    float(np.linalg.norm(points[i] - points[j])), 1e-6
                )
    length, previous = dijkstra(
        csr_matrix(meters), directed=False, indices=0, return_predecessors=True
    )
    if not np.isfinite(length[1]):
        return None
    path = [1]
    while path[-1] != 0:
        path.append(int(previous[path[-1]]))
    return np.asarray(points[path[::-1]])


def _corners(ground: Ground, row: int, z: float) -> Floats:
    """Return the corners (4, 3) of an object's footprint, moved out so that a robot passes them."""
    boxes = ground.road.graph.objects.boxes
    if boxes is None:
        return np.empty((0, 3))
    half = boxes.sizes[row, :2] / 2 + ground.radius_m + ROOM_M
    signs = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]])
    local = np.c_[signs * half, np.zeros(4)]
    out = boxes.centers[row] + local @ from_quat_wxyz(boxes.quat_wxyz[row]).T
    out[:, 2] = z
    return np.asarray(out)
