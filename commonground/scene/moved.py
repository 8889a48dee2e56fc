"""What of nodes and edges lies in space, moved into another frame: all alike, or each node by itself.

A column that is in neither table is none that mapping writes; a new one has to be put into one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import apply, from_quat_wxyz, quat_wxyz
from commonground.scene.layer import Boxes, Edges, Layer, Ragged


def moved_points(T: Floats, column: Any) -> Any:
    """Return points (n, 3) or lists of points (n, k, 3), in the precision they have."""
    if len(column) == 0:
        return column
    lists = (-1, 3) if T.ndim == 2 else (len(column), -1, 3)
    return apply(T, column.reshape(lists)).reshape(column.shape).astype(column.dtype)


def moved_spread(T: Floats, column: Any) -> Any:
    """Return covariances (n, 3, 3) of positions."""
    R = T[..., :3, :3]
    return R @ column @ np.swapaxes(R, -1, -2)


def _turned(T: Floats, column: Any) -> Any:
    R = T[..., :3, :3]
    return quat_wxyz(R @ from_quat_wxyz(column)) if len(column) else column


MOVING = {
    "points": moved_points,
    "viewpoints": moved_points,
    "quat_wxyz": _turned,
    "covariance": moved_spread,
}
"""Columns that lie in space, and how they move."""
STILL = frozenset(
    {
        "color", "existence", "observations", "first_seen_ns", "last_seen_ns", "stamp_ns", "segment",
        "seen_by", "seen_absent_by", "look_spread", "look_weight", "history_stamp_ns", "history_range_m",
        "history_area_px", "clearance_m", "area_m2", "roughness_m", "slope_deg", "traversed",
    }
)  # fmt: skip
"""Columns that say the same in every frame in which up is up."""
MIDDLE = "middle"
"""Of what is told of an edge, a point; the rest are lengths."""


def moved_columns(columns: Mapping[str, Any], T: Floats) -> dict[str, Any]:
    """Return columns of nodes moved by T (4, 4), or each by its own (n, 4, 4)."""
    return {k: MOVING[k](T, column) if k in MOVING else column for k, column in columns.items()}


def moved_boxes(boxes: Boxes, T: Floats) -> Boxes:
    """Return boxes moved by T (4, 4), or each by its own (n, 4, 4)."""
    return Boxes(moved_points(T, boxes.centers), boxes.sizes, _turned(T, boxes.quat_wxyz))


def moved_layer(layer: Layer, T: Floats) -> Layer:
    """Return a layer moved by T (4, 4), or each node with what belongs to it by its own (n, 4, 4)."""
    boundaries = layer.boundaries
    if boundaries is not None:
        owner = np.repeat(np.arange(len(layer)), np.diff(boundaries.starts))
        own = T if T.ndim == 2 else T[owner]
        boundaries = Ragged(moved_points(own, boundaries.points), boundaries.starts)
    return replace(
        layer,
        positions=moved_points(T, layer.positions),
        boxes=None if layer.boxes is None else moved_boxes(layer.boxes, T),
        boundaries=boundaries,
        edges=_moved_edges(layer.edges, T),
        columns=moved_columns(layer.columns, T),
    )


def _moved_edges(edges: Edges, T: Floats) -> Edges:
    """Return edges; the middle of one moves with its first node."""
    told = [k for k, extra in enumerate(edges.extras) if MIDDLE in extra.get("metadata", {})]
    if not told:
        return edges
    middles = np.array([edges.extras[k]["metadata"][MIDDLE] for k in told], float)
    moved = moved_points(T if T.ndim == 2 else T[edges.rows[told, 0]], middles)
    extras = list(edges.extras)
    for k, at in zip(told, np.round(moved, 3).tolist(), strict=True):
        extras[k] = {**extras[k], "metadata": {**extras[k]["metadata"], MIDDLE: at}}
    return replace(edges, extras=tuple(extras))
