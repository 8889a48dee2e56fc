"""What is to be associated, checked and brought into one form: upright, centred, finite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Bools, Floats, Ints32
from commonground.errors import LocalizationError
from commonground.geometry import transform

DEGENERATE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One of the two maps: its usable objects in a centred frame whose z axis is up, where up is known."""

    points: Floats
    """(n, 3)"""
    var_h: Floats
    """(n,) variance of the position along a horizontal axis."""
    var_v: Floats
    """(n,) variance along the vertical axis."""
    T_side_given: Floats
    """(4, 4) from the frame the points were given in to this one."""
    kept: Ints32
    """(n,) rows of the given points."""

    def __len__(self) -> int:
        return len(self.points)


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Two sides and the putative associations between them."""

    side1: Side
    side2: Side
    i1: Ints32
    """(m,) object of side 1 of each association."""
    i2: Ints32
    rows: Ints32
    """(m,) row of the given pairs, or of all to all: i · n2 + j."""
    upright: bool
    """Gravity is known: only yaw and translation are free."""
    noise_m: float

    def __len__(self) -> int:
        return len(self.i1)


def pose_problem(
    points1: Any,
    points2: Any,
    pairs: Any,
    gravity: Any,
    noise_m: float,
    covariance1: Any = None,
    covariance2: Any = None,
) -> Problem:
    """Return the problem of the given arrays; LocalizationError where they make none.

    Objects whose position is not finite are left out: they are the rows one can do nothing with.
    """
    p1, p2 = _points(points1, "points1"), _points(points2, "points2")
    if not (np.isfinite(noise_m) and noise_m > 0):
        raise LocalizationError(
            f"noise_m = {noise_m}: give the positions' standard deviation in metres"
        )
    up = _up(gravity)
    side1 = _side(p1, covariance1, noise_m, None if up is None else up[0], "1")
    side2 = _side(p2, covariance2, noise_m, None if up is None else up[1], "2")
    if pairs is None:
        i1 = np.repeat(np.arange(len(side1), dtype=np.int32), len(side2))
        i2 = np.tile(np.arange(len(side2), dtype=np.int32), len(side1))
        rows = side1.kept[i1] * np.int32(len(p2)) + side2.kept[i2]
    else:
        i1, i2, rows = _pairs(pairs, len(p1), len(p2), side1.kept, side2.kept)
    return Problem(side1, side2, i1, i2, rows.astype(np.int32), up is not None, float(noise_m))


def _points(given: Any, name: str) -> Floats:
    try:
        points = np.asarray(given, float)
    except (TypeError, ValueError) as error:
        raise LocalizationError(f"{name}: an (n, 3) array of numbers is needed: {error}") from error
    if points.size == 0:
        return np.empty((0, 3))
    if points.ndim != 2 or points.shape[1] != 3:
        hint = "; transpose it" if points.ndim == 2 and points.shape[0] == 3 else ""
        raise LocalizationError(f"{name}: its shape is {points.shape}, not (n, 3){hint}")
    return points


def _up(gravity: Any) -> tuple[Floats, Floats] | None:
    """Return the direction of the vertical in both maps, or None where it is unknown."""
    if gravity is None or gravity is False:
        return None
    if gravity is True:
        return np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0])
    try:
        vectors = np.asarray(gravity, float)
        both = np.broadcast_to(vectors, (2, 3))
    except (TypeError, ValueError) as error:
        raise LocalizationError(
            "gravity: give True (z is up in both maps), one direction (3,) for both, or one for each (2, 3)"
        ) from error
    length = np.linalg.norm(both, axis=1, keepdims=True)
    if not (np.isfinite(both).all() and (length > DEGENERATE).all()):
        raise LocalizationError(f"gravity = {vectors.tolist()}: it has no direction")
    # Either sign names the same vertical; both maps get the same one.
    up1, up2 = both / length
    flip = -1.0 if up1[2] < 0 else 1.0
    return flip * up1, flip * up2


def _side(points: Floats, covariance: Any, noise_m: float, up: Floats | None, which: str) -> Side:
    kept = np.flatnonzero(np.isfinite(points).all(axis=1)).astype(np.int32)
    p = points[kept]
    R = np.eye(3) if up is None else _upright_rotation(up)
    centre = p.mean(axis=0) if len(p) else np.zeros(3)
    var = np.tile(np.eye(3) * noise_m**2, (len(p), 1, 1))
    if covariance is not None:
        var = var + R @ _covariances(covariance, len(points), which)[kept] @ R.T
    diagonal = np.diagonal(var, axis1=1, axis2=2)
    if up is None:  # no axis is special: one variance for all three
        var_h = var_v = diagonal.mean(axis=1)
    else:
        var_h, var_v = diagonal[:, :2].mean(axis=1), diagonal[:, 2].copy()
    return Side((p - centre) @ R.T, var_h, var_v, transform(R, -R @ centre), kept)


def _covariances(given: Any, n: int, which: str) -> Floats:
    covariance = np.asarray(given, float)
    if covariance.shape != (n, 3, 3):
        raise LocalizationError(
            f"features{which}['covariance']: its shape is {covariance.shape}, not ({n}, 3, 3)"
        )
    diagonal = np.diagonal(covariance, axis1=1, axis2=2)
    if (diagonal < 0).any():
        raise LocalizationError(f"features{which}['covariance']: a variance is negative")
    return np.asarray(np.nan_to_num(covariance, nan=0.0, posinf=1e6))


def _upright_rotation(up: Floats) -> Floats:
    """Return the smallest rotation that turns the direction ``up`` into +z."""
    c = up[2]
    if c > 1 - DEGENERATE:
        return np.eye(3)
    if c < -1 + DEGENERATE:
        return np.diag([1.0, -1.0, -1.0])
    v = np.array([up[1], -up[0], 0.0])  # up × z
    K = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.asarray(np.eye(3) + K + K @ K / (1 + c))


def _pairs(
    given: Any, n1: int, n2: int, kept1: Ints32, kept2: Ints32
) -> tuple[Ints32, Ints32, Ints32]:
    pairs = np.asarray(given)
    if pairs.size == 0:
        pairs = np.empty((0, 2), np.int32)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.issubdtype(pairs.dtype, np.integer):
        raise LocalizationError(
            f"pairs: an (m, 2) array of whole numbers is needed, not {pairs.shape} of {pairs.dtype}"
        )
    outside: Bools = (pairs < 0).any(axis=1) | (pairs[:, 0] >= n1) | (pairs[:, 1] >= n2)
    if outside.any():
        row = int(np.flatnonzero(outside)[0])
        raise LocalizationError(
            f"pairs[{row}] = {pairs[row].tolist()}: the maps have {n1} and {n2} objects"
        )
    new1, new2 = np.full(n1, -1, np.int32), np.full(n2, -1, np.int32)
    new1[kept1], new2[kept2] = np.arange(len(kept1)), np.arange(len(kept2))
    i1, i2 = new1[pairs[:, 0]], new2[pairs[:, 1]]
    usable = (i1 >= 0) & (i2 >= 0)
    return i1[usable], i2[usable], np.flatnonzero(usable).astype(np.int32)
