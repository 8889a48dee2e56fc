"""Oriented box of an object from the points of all robots that saw it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.geometry import from_yaw, quat_wxyz
from commonground.mapping.objects.seen_box import seen_box
from commonground.mapping.objects.shape import even_rows
from commonground.objects import ObjectMap
from commonground.scene import Boxes

FEWEST = 12
"""Fewer points tell less than the box of the robot that saw the thing most."""


def seen_together(
    objects: ObjectMap, points: Floats32, eyes: Floats32 | None, group: Ints
) -> ObjectMap:
    """Return the fused objects with the boxes and centers of the points (n, k, 3) of all their members.

    ``eyes`` (n, m, 3) are from where each member was seen, ``group`` (n,) its fused object; one that a
    single object was made of stays as it is. NaN points are none. The fused objects keep as many points and
    eyes of all together.
    """
    centers, sizes = objects.boxes.centers.copy(), objects.boxes.sizes.copy()
    quats, centroids = objects.boxes.quat_wxyz.copy(), objects.centroids.copy()
    from_where = np.empty((len(points), 0, 3), np.float32) if eyes is None else eyes
    kept, looked = [
        np.full((len(objects), a.shape[1], 3), np.nan, np.float32) for a in (points, from_where)
    ]
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group, minlength=len(objects)))
    for row, end in enumerate(ends):
        members = order[ends[row - 1] if row else 0 : end]
        seen, from_there = _finite(points[members]), _finite(from_where[members])
        _keep(seen, kept[row])
        _keep(from_there, looked[row])
        if len(members) > 1 and len(seen) >= FEWEST:
            box = seen_box(seen, from_there)
            centers[row] = centroids[row] = box.center
            sizes[row], quats[row] = box.size, quat_wxyz(from_yaw(box.yaw))
    columns = {**objects.columns, "points": kept}
    return replace(
        objects,
        centroids=centroids,
        boxes=Boxes(centers, sizes, quats),
        columns=columns if eyes is None else {**columns, "viewpoints": looked},
    )


def _finite(points: Floats32) -> Floats:
    flat = points.reshape(-1, 3).astype(float)
    return np.asarray(flat[np.isfinite(flat).all(axis=1)])


def _keep(points: Floats, room: Floats32) -> None:
    """Fill a row with some of the points."""
    if len(points):
        chosen = points[even_rows(len(points), len(room))]
        room[: len(chosen)] = chosen
