"""Arrays that callers hand over, converted and checked once at the public door."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Floats, Ints
from commonground.errors import SceneError
from commonground.geometry import is_rigid
from commonground.reasons import reason

Many = TypeVar("Many", bound=Sized)
Error = type[Exception]


def vectors(given: Any, width: int, name: str, error: Error = SceneError) -> Floats:
    """Return numbers (n, width), a row for each; nothing is laid out anew."""
    try:
        array = np.asarray(given, float)
    except (TypeError, ValueError) as wrong:
        raise error(
            f"{name}: an (n, {width}) array of numbers is needed: {reason(wrong)}"
        ) from wrong
    return np.empty((0, width)) if array.size == 0 else _laid_out(array, width, name, error)


def indices(given: Any, width: int, name: str, error: Error = SceneError) -> Ints:
    """Return whole numbers (m, width), as the rows of what belongs together."""
    array = np.asarray(given)
    if array.size == 0:
        return np.empty((0, width), np.int64)
    if not np.issubdtype(array.dtype, np.integer):
        raise error(
            f"{name}: an (m, {width}) array of whole numbers is needed, "
            f"not {array.shape} of {array.dtype}"
        )
    array = _laid_out(array, width, name, error)
    return array.astype(np.int64, copy=False)


def as_many(given: Many, count: int, name: str, error: Error = SceneError) -> Many:
    if len(given) != count:
        raise error(f"{name}: there are {len(given)} of them, not {count}")
    return given


def check_inside(
    pairs: Ints, counts: Sequence[int], name: str, of: str = "nodes", error: Error = SceneError
) -> None:
    """Refuse pairs (m, 2) of rows that are not there, of as many on each side."""
    outside = ((pairs < 0) | (pairs >= counts)).any(axis=1)
    if outside.any():
        row = int(np.flatnonzero(outside)[0])
        raise error(
            f"{name}[{row}] = {pairs[row].tolist()}: there are {counts[0]} and {counts[1]} {of}"
        )


def stamps(given: Any, name: str, error: Error) -> Ints:
    """Return times (n,) in whole nanoseconds."""
    array = np.asarray(given)
    if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
        raise error(
            f"{name}: (n,) whole nanoseconds are needed, not {array.shape} of {array.dtype}; "
            "seconds have to be multiplied by 1e9 and made whole"
        )
    return array.astype(np.int64, copy=False)


def poses(given: Any, count: int, name: str, error: Error) -> Floats:
    """Return so many poses (n, 4, 4); those that are not finite are left as they are."""
    array = np.asarray(given, float)
    if array.shape != (count, 4, 4):
        raise error(f"{name}: its shape is {array.shape}, not ({count}, 4, 4): one for each stamp")
    return array


def pose(given: Any, name: str, error: Error) -> Floats:
    """Return a pose (4, 4), rigid or not finite: what is not known yet may be so."""
    array = np.asarray(given, float)
    if array.shape != (4, 4):
        raise error(f"{name}: its shape is {array.shape}, not (4, 4)")
    if np.isfinite(array).all() and not is_rigid(array):
        hint = "; transpose it" if is_rigid(array.T) else ""
        raise error(f"{name}: is no rigid motion with the last row 0 0 0 1{hint}")
    return array


def _laid_out(array: NDArray[Any], width: int, name: str, error: Error) -> NDArray[Any]:
    if array.ndim != 2 or array.shape[1] != width:
        hint = "; transpose it" if array.ndim == 2 and array.shape[0] == width else ""
        raise error(f"{name}: its shape is {array.shape}, not (n, {width}){hint}")
    return array
