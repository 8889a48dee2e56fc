"""Streets: a network of roads cut at its crossings, through which each street goes on in its line."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.scene.parts import connected

REACH_M = 10.0
"""A street's direction at a place is that of the road within this distance."""
STRAIGHT = 0.3
"""Across a street the road spreads at most this share of what it spreads along it; more is a crossing."""
TURN_DEG = 25.0
"""Neighbors whose directions differ by less are of one street, and so are pieces in one line."""
ASIDE_M = 4.0
"""Pieces in one line are at most this far beside it."""
LEAST_M = 15.0
"""A shorter piece is no street of its own."""


def streets(at: Floats, area_m2: Floats, edges: Ints) -> Ints:
    """Return the street (n,) of each place of one network of roads.

    ``at`` (n, 3) are the places, ``edges`` (m, 2) join neighbors. A network without crossings is one street,
    winding as it may be.
    """
    direction, straight = _directions(at[:, :2], area_m2)
    a, b = edges.T
    along = np.abs((direction[a] * direction[b]).sum(axis=1)) > np.cos(np.radians(TURN_DEG))
    piece = connected(len(at), edges[straight[a] & straight[b] & along])
    long = [k for k in np.unique(piece[straight]) if _length(at[piece == k]) >= LEAST_M]
    if len(long) < 2:
        return np.zeros(len(at), np.int64)
    lines = [_line(at[piece == k]) for k in long]
    pairs = [(i, j) for j in range(len(long)) for i in range(j) if _in_line(lines[i], lines[j])]
    street = connected(len(long), np.array(pairs, np.int64).reshape(-1, 2))
    out = np.full(len(at), -1, np.int64)
    for k, number in zip(long, street, strict=True):
        out[piece == k] = number
    return _filled(out, at[:, :2], lines, street)


def _directions(xy: Floats, weight: Floats) -> tuple[Floats, Bools]:
    """Return the unit direction (n, 2) of the road about each place, and whether it is clear (n,)."""
    from scipy.spatial import cKDTree

    tree = cKDTree(xy)
    direction, ratio = np.zeros_like(xy), np.ones(len(xy))
    for k, near in enumerate(tree.query_ball_point(xy, REACH_M)):
        w = weight[near] / weight[near].sum()
        d = xy[near] - w @ xy[near]
        size, axes = np.linalg.eigh((d * w[:, None]).T @ d)
        direction[k], ratio[k] = axes[:, 1], size[0] / max(size[1], 1e-9)
    return direction, ratio <= STRAIGHT


def _line(at: Floats) -> tuple[Floats, Floats]:
    """Return the middle (2,) and the unit direction (2,) of a piece of road."""
    middle = at[:, :2].mean(axis=0)
    d = at[:, :2] - middle
    return middle, np.linalg.eigh(d.T @ d)[1][:, 1]


def _length(at: Floats) -> float:
    middle, direction = _line(at)
    return float(np.ptp((at[:, :2] - middle) @ direction))


def _in_line(one: tuple[Floats, Floats], two: tuple[Floats, Floats]) -> bool:
    """Return whether two pieces lie on one straight line."""
    (p, u), (q, v) = one, two
    across = [
        abs(float(u[0] * (q - p)[1] - u[1] * (q - p)[0])),
        abs(float(v[0] * (q - p)[1] - v[1] * (q - p)[0])),
    ]
    return abs(float(u @ v)) > np.cos(np.radians(TURN_DEG)) and max(across) < ASIDE_M


def _filled(street: Ints, xy: Floats, lines: list[tuple[Floats, Floats]], of_line: Ints) -> Ints:
    """Return the streets with crossings and stumps given to the street whose middle line is nearest."""
    rest = np.flatnonzero(street < 0)
    away = np.stack([np.abs((xy[rest] - p) @ [-u[1], u[0]]) for p, u in lines])
    near = _nearest(xy, street, rest, of_line)
    street = street.copy()
    street[rest] = of_line[np.where(near, away, np.inf).argmin(axis=0)]
    return street


def _nearest(xy: Floats, street: Ints, rest: Ints, of_line: Ints) -> Bools:
    """Return which lines (l, r) belong to a street that comes near each of the rest."""
    from scipy.spatial import cKDTree

    gaps = np.stack([cKDTree(xy[street == s]).query(xy[rest])[0] for s in of_line])
    return np.asarray(gaps <= np.maximum(gaps.min(axis=0) + 3.0, REACH_M))
