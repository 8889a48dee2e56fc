"""Columns of nodes that have a field of their own in Spark-DSG files, and how a value is written there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from commonground.arrays import Floats

LEAST_LENGTH = 1e-9
"""Of a quaternion; what is shorter is no rotation."""
Rows = list[Any]
"""A value for each node, as JSON has it."""


class Native(NamedTuple):
    """How one column is kept."""

    field: str
    """Its name in Spark-DSG."""
    read: Callable[[Rows], Any]
    """Makes a column of what is in a file."""
    write: Callable[[Rows], Rows]
    """Makes what is in a file of the rows of a column."""


def quaternions(rows: Sequence[Mapping[str, float]]) -> Floats:
    """Return rotations as quaternions (n, 4), w first; ValueError for one without a length."""
    found = np.array([(q["w"], q["x"], q["y"], q["z"]) for q in rows], float).reshape(-1, 4)
    if not np.all(np.linalg.norm(found, axis=1) > LEAST_LENGTH):
        raise ValueError("a rotation is a quaternion of zeros or of what is not finite")
    return found


def _colors(rows: Rows) -> Any:
    return np.array([(c["r"], c["g"], c["b"]) for c in rows], np.uint8)


NATIVE: Mapping[str, Native] = {
    "color": Native(
        "color", _colors, lambda rows: [{"r": r, "g": g, "b": b, "a": 255} for r, g, b in rows]
    ),
    "clearance_m": Native("distance", lambda rows: np.array(rows, float), list),
    "stamp_ns": Native("timestamp", lambda rows: np.array(rows, np.int64), list),
    "quat_wxyz": Native(
        "world_R_body",
        quaternions,
        lambda rows: [{"w": w, "x": x, "y": y, "z": z} for w, x, y, z in rows],
    ),
}
"""Column → how it is kept; where a kind of node lacks the field, the column goes to the metadata."""
