"""A robot's map as tables of small whole numbers: what travels of it, and how exactly.

A row for each object, submap, keyframe and node of a layer: columns of a fixed width, and lists such as its
neighbors. Positions of objects and keyframes are kept to a centimeter, those of ground and space to 10,
what has no unit as half-precision numbers. The mesh, pictures and the path between keyframes do not travel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from commonground.arrays import Bools, Floats, Ints, Ints32

NONE = np.iinfo(np.int32).min
"""Stands for what is not known."""
FINE_M, COARSE_M = 0.01, 0.1
STEPS: Mapping[str, float] = {
    "positions": COARSE_M, "centroids": FINE_M, "centers": FINE_M, "sizes": FINE_M,
    "points": 0.05, "viewpoints": 0.1, "history_range_m": 0.02,
    "outlines": COARSE_M, "clearance_m": COARSE_M,
    "move": 1e-4, "turn": 1e-5, "place": FINE_M, "yaw": 1e-4, "log_sigma": 0.05, "correlation": 0.02,
    "embeddings": 1 / 127, "quat_wxyz": 1e-3, "label_scores": 0.01, "existence": 0.004,
    "features": 1 / 127, "slope_deg": 1.0, "roughness_m": 0.005, "area_m2": 0.1, "look_spread": 1e-3,
}  # fmt: skip
"""Name of a column → what its numbers are rounded to."""
TICK_NS = 1_000_000
"""To what times are rounded, if nothing else is said."""
STAMPS = "_ns"
LOCAL = ("points", "viewpoints", "centers")
"""Columns that are kept as seen from where their row is."""
Row: TypeAlias = tuple[bytes, ...]
"""The fixed columns of a row, then each of its lists."""
Layout: TypeAlias = Sequence[tuple[str, Sequence[int], str]]
"""Name, shape of one row, and type of each column, in their order."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows by their number, in the order of the numbers."""

    meta: Mapping[str, Any]
    """JSON values: how the columns are laid out, and what else is needed to make of it what it was."""
    rows: Mapping[int, Row]


def table(
    ids: Sequence[int],
    columns: Mapping[str, Any],
    lists: Mapping[str, Sequence[Ints]] | None = None,
    at: Floats | None = None,
    epoch_ns: int = 0,
    tick_ns: int = TICK_NS,
    **meta: Any,
) -> Table:
    """Return columns (n, …) and lists by name as a table; ``at`` (n, 3) is where each row is."""
    lists, n = lists or {}, len(ids)
    parts: list[Ints32] = [np.empty((n, 0), np.int32)]
    layout = []
    for name, values in columns.items():
        array = np.asarray(values)
        layout.append((name, array.shape[1:], array.dtype.str))
        if name in LOCAL and at is not None:
            array = array - at.reshape(n, *[1] * (array.ndim - 2), 3)
        width = int(np.prod(array.shape[1:], dtype=np.int64))
        parts.append(whole_numbers(name, array, epoch_ns, tick_ns).reshape(n, width))
    fixed = np.concatenate(parts, axis=1)
    rows = {
        int(number): (
            fixed[k].tobytes(),
            *(np.asarray(own[k], np.int32).tobytes() for own in lists.values()),
        )
        for k, number in enumerate(ids)
    }
    return Table({**meta, "columns": layout, "lists": list(lists), "ns": [epoch_ns, tick_ns]}, rows)


def columns_of(
    found: Table, at: str | None = None
) -> tuple[Ints, dict[str, Any], dict[str, list[Ints]]]:
    """Return the numbers of the rows of a table, its columns and its lists; ValueError if they do not fit.

    ``at`` names the column that says where each row is.
    """
    numbers = np.array(sorted(found.rows), np.int64)
    rows = [found.rows[k] for k in numbers.tolist()]
    layout: Layout = found.meta["columns"]
    widths = [int(np.prod(shape, dtype=np.int64)) for _, shape, _ in layout]
    fixed = np.frombuffer(b"".join(row[0] for row in rows), "<i4").reshape(len(rows), sum(widths))
    columns: dict[str, Any] = {}
    for (name, shape, kind), part in zip(
        layout, np.split(fixed, np.cumsum(widths)[:-1], axis=1), strict=True
    ):
        values = part.reshape(len(rows), *shape)
        columns[name] = as_they_were(name, values, np.dtype(kind), found.meta["ns"])
    if at is not None:
        for name in set(LOCAL) & columns.keys():
            array = columns[name]
            spot = columns[at].reshape(len(rows), *[1] * (array.ndim - 2), 3)
            columns[name] = (array + spot).astype(array.dtype)
    lists = {
        name: [np.frombuffer(row[1 + k], "<i4").astype(np.int64) for row in rows]
        for k, name in enumerate(found.meta["lists"])
    }
    return numbers, columns, lists


def whole_numbers(name: str, array: Any, epoch_ns: int, tick_ns: int) -> Ints32:
    """Return a column as whole numbers of 32 bits."""
    if name.endswith(STAMPS):
        since = np.round((array - epoch_ns) / tick_ns)
        return _bounded(since, np.abs(since) < -float(NONE))
    if array.dtype.kind != "f":
        return np.asarray(array, np.int64).astype(np.int32)
    if name not in STEPS:
        return np.asarray(array, np.float16).view(np.int16).astype(np.int32)
    steps = np.round(np.asarray(array, float) / STEPS[name])
    return _bounded(steps, np.isfinite(steps) & (np.abs(steps) < -float(NONE)))


def _bounded(values: Any, good: Bools) -> Ints32:
    return np.where(good, np.where(good, values, 0.0), NONE).astype(np.int32)


def as_they_were(name: str, values: Any, kind: np.dtype[Any], ns: Sequence[int]) -> Any:
    """Return whole numbers as the column they were made of."""
    if name.endswith(STAMPS):
        return np.where(values == NONE, 0, values.astype(np.int64) * ns[1] + ns[0]).astype(kind)
    if kind.kind != "f":
        return values.astype(kind)
    if name not in STEPS:
        return values.astype(np.int16).view(np.float16).astype(kind)
    return np.where(values == NONE, np.nan, values * STEPS[name]).astype(kind)


def grouped(rows: Ints, values: Ints, wanted: Ints) -> list[Ints]:
    """Return for each of the ``wanted`` rows its values, rising; ``rows`` (m,) says whose they are."""
    order = np.lexsort((values, rows))
    rows, values = rows[order], values[order]
    first, last = np.searchsorted(rows, wanted), np.searchsorted(rows, wanted, "right")
    return [values[a:b] for a, b in zip(first, last, strict=True)]
