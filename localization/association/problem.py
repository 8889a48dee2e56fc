"""Association problem: two centered, upright point sets and the putative associations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Ints32
from commonground.errors import LocalizationError
from commonground.given import check_inside, indices, vectors
from commonground.localization.association.side import Side


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
    p1 = vectors(points1, 3, "points1", LocalizationError)
    p2 = vectors(points2, 3, "points2", LocalizationError)
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


def _pairs(
    given: Any, n1: int, n2: int, kept1: Ints32, kept2: Ints32
) -> tuple[Ints32, Ints32, Ints32]:
    pairs = indices(given, 2, "pairs", LocalizationError)
    check_inside(pairs, (n1, n2), "pairs", "objects", LocalizationError)
    new1, new2 = np.full(n1, -1, np.int32), np.full(n2, -1, np.int32)
    new1[kept1], new2[kept2] = np.arange(len(kept1)), np.arange(len(kept2))
    i1, i2 = new1[pairs[:, 0]], new2[pairs[:, 1]]
    usable = (i1 >= 0) & (i2 >= 0)
    return i1[usable], i2[usable], np.flatnonzero(usable).astype(np.int32)
