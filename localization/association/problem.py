"""Association problem: two centered, upright point sets and the putative associations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Bools, Floats, Ints32
from commonground.errors import LocalizationError
from commonground.localization.association.side import Side
from commonground.reasons import reason


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
    upright: bool,
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
            f"noise_m = {noise_m}: give the positions' standard deviation in meters"
        )
    names = ("features1['covariance']", "features2['covariance']")
    side1 = Side.of(p1, noise_m, upright, covariance1, clutter=False, name=names[0])
    side2 = Side.of(p2, noise_m, upright, covariance2, name=names[1])
    if pairs is None:
        return all_to_all(side1, side2, len(p2), upright, float(noise_m))
    i1, i2, rows = _pairs(pairs, len(p1), len(p2), side1.kept, side2.kept)
    return Problem(side1, side2, i1, i2, rows, upright, float(noise_m))


def all_to_all(side1: Side, side2: Side, n2: int, upright: bool, noise_m: float) -> Problem:
    """Return the problem of associating anything with anything; side 2 was given with n2 objects."""
    from commonground.localization.association._pairwise import every_pair

    i1, i2, rows = every_pair(side1.kept, side2.kept, n2)
    return Problem(side1, side2, i1, i2, rows, upright, noise_m)


def _points(given: Any, name: str) -> Floats:
    try:
        points = np.asarray(given, float)
    except (TypeError, ValueError) as error:
        raise LocalizationError(
            f"{name}: an (n, 3) array of numbers is needed: {reason(error)}"
        ) from error
    if points.size == 0:
        return np.empty((0, 3))
    if points.ndim != 2 or points.shape[1] != 3:
        hint = "; transpose it" if points.ndim == 2 and points.shape[0] == 3 else ""
        raise LocalizationError(f"{name}: its shape is {points.shape}, not (n, 3){hint}")
    return points


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
