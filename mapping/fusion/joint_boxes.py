"""The box of a thing that several robots saw, from what all of them saw of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.geometry import from_yaw, quat_wxyz
from commonground.mapping.objects.shape import spread_rows, upright_box
from commonground.objects import ObjectMap
from commonground.scene import Boxes

TRIM = 0.03
"""Share of the points that may stick out at each side: robots' views do not lie exactly over one another."""
FEWEST = 12
"""Fewer points tell less than the box of the robot that saw the thing most."""


def seen_together(objects: ObjectMap, points: Floats32, group: Ints) -> ObjectMap:
    """Return the fused objects with the boxes and centres of the points (n, k, 3) of all their members.

    ``group`` (n,) is the fused object of each member; one that a single object was made of stays as it is.
    NaN points are none. The fused objects keep as many points, spread over the thing.
    """
    most = points.shape[1]
    centers, sizes = objects.boxes.centers.copy(), objects.boxes.sizes.copy()
    quats, centroids = objects.boxes.quat_wxyz.copy(), objects.centroids.copy()
    kept = np.full((len(objects), most, 3), np.nan, np.float32)
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group, minlength=len(objects)))[:-1]
    for row, members in enumerate(np.split(order, ends)):
        seen: Floats = points[members].reshape(-1, 3).astype(float)
        seen = seen[np.isfinite(seen).all(axis=1)]
        chosen = seen[spread_rows(seen, most)] if len(seen) else seen
        kept[row, : len(chosen)] = chosen
        if len(members) > 1 and len(seen) >= FEWEST:
            box = upright_box(seen, TRIM)
            centers[row] = centroids[row] = box.center
            sizes[row], quats[row] = box.size, quat_wxyz(from_yaw(box.yaw))
    return replace(
        objects,
        centroids=centroids,
        boxes=Boxes(centers, sizes, quats),
        columns={**objects.columns, "points": kept},
    )
