"""Straight lines over a team's ground, of which outlines of places and the edges between them are known."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.scene import Layer, Ragged
from commonground.scene.parts import connected

SAME_HEIGHT_M = 0.5
TEAR_M = 0.1
"""Places that join are torn apart by so much where each follows its own part of a path."""
SAME_GROUND_M = 0.3
"""So much of a line in two robots' places is the same ground; less may be the two sides of a wall."""


def passable(ground: Layer, robot: Ints, pairs: Ints) -> Bools:
    """Return between which pairs (m, 2) of places a straight line stays on ground that is known to join.

    Outlines alone do not tell: they reach below walls. So the line has to go on from place to place of one
    robot where that robot has them joined, and from one robot's to another's where both have much of it. Of a
    place without an outline, nothing speaks against its neighbors.
    """
    outlines = ground.boundaries
    if outlines is None:
        return np.ones(len(pairs), bool)
    size = np.diff(outlines.starts)
    known = np.asarray((size[pairs] > 2).all(axis=1))
    out = ~known
    a, b = pairs[known].T
    line, place, first, last = _places_along(
        ground.positions, outlines, *ground.positions[pairs[known].T]
    )
    # two places of a line, as rows of the four above
    count = np.bincount(line, minlength=len(a))
    one = np.repeat(np.arange(len(line)), count[line])
    two = np.arange(len(one)) - np.repeat(np.cumsum(count[line]) - count[line], count[line])
    two += (np.cumsum(count) - count)[line[one]]
    one, two = one[one < two], two[one < two]
    shared = np.minimum(last[one], last[two]) - np.maximum(first[one], first[two])
    length = np.linalg.norm(ground.positions[b] - ground.positions[a], axis=1)[line[one]]
    code, both = [len(ground), 1], np.stack([place[one], place[two]], axis=1)
    joined = np.isin(np.sort(both) @ code, np.sort(ground.edges.rows) @ code)
    own = robot[place[one]] == robot[place[two]]
    same = shared * length > np.minimum(SAME_GROUND_M, 0.9 * length)
    on = np.where(own, joined & (shared * length > -TEAR_M), same)
    part = connected(len(line), np.stack([one, two], axis=1)[on])
    start, end = np.full(len(a), -1), np.full(len(a), -2)
    for of, at in ((start, a), (end, b)):
        mine = np.flatnonzero(place == at[line])
        of[line[mine]] = part[mine]
    out[known] = start == end
    return out


def _places_along(
    centers: Floats, outlines: Ragged, a: Floats, b: Floats
) -> tuple[Ints, Ints, Floats, Floats]:
    """Return the places that lines (m,) from a to b cross: line, place, and the shares of it in between."""
    from scipy.spatial import cKDTree

    size = np.diff(outlines.starts)
    shaped = np.flatnonzero(size > 2)
    far = np.linalg.norm((outlines.points - np.repeat(centers, size, axis=0))[:, :2], axis=1)
    reach = np.linalg.norm((b - a)[:, :2], axis=1) / 2 + far.max(initial=0.0)
    near = cKDTree(centers[shaped, :2]).query_ball_point((a + b)[:, :2] / 2, reach)
    line = np.repeat(np.arange(len(a)), [len(found) for found in near])
    place = shaped[np.concatenate([*near, []]).astype(np.int64)]
    height = (a[line, 2] + b[line, 2]) / 2
    level = np.abs(centers[place, 2] - height) < SAME_HEIGHT_M
    line, place = line[level], place[level]
    first, last = _inside(outlines.points, outlines.starts, place, a[line], b[line])
    met = first < last
    return line[met], place[met], first[met], last[met]


def _inside(
    points: Floats, starts: Ints, place: Ints, a: Floats, b: Floats
) -> tuple[Floats, Floats]:
    """Return from and to which share (k,) lines a to b lie in the convex outline of a place."""
    if not len(place):
        return np.empty(0), np.empty(0)
    count = np.diff(starts)[place]
    row = np.repeat(np.arange(len(place)), count)
    begin = np.cumsum(count) - count
    turn = np.arange(len(row)) - begin[row]
    p = points[starts[place][row] + turn, :2]
    q = points[starts[place][row] + (turn + 1) % count[row], :2]
    way = np.where(np.add.reduceat(_cross(p, q), begin) < 0, -1.0, 1.0)[row]
    side = way * _cross(q - p, b[row, :2] - a[row, :2])
    inside = way * _cross(q - p, a[row, :2] - p)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = -inside / side
    along = np.abs(side) < 1e-12
    enter = np.where(along, np.where(inside < 0, 2.0, 0.0), np.where(side > 0, share, 0.0))
    leave = np.where(side < -1e-12, share, 1.0)
    first = np.maximum.reduceat(enter, begin)
    return np.maximum(first, 0.0), np.minimum(np.minimum.reduceat(leave, begin), 1.0)


def _cross(u: Floats, v: Floats) -> Floats:
    return np.asarray(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
