"""Change detection between robots: objects where another robot saw free space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from commonground.arrays import Bools
from commonground.objects import ObjectMap
from commonground.scene import SceneGraph

MARGIN_M = 0.7
"""Free space must reach so far beyond a thing's center: maps lie over one another no more exactly."""


def with_absences(objects: ObjectMap, graphs: Sequence[SceneGraph]) -> ObjectMap:
    """Return the objects with a column of which robots saw each one to be gone."""
    columns = {**objects.columns, "seen_absent_by": seen_absent(objects, graphs)}
    return replace(objects, columns=columns)


def seen_absent(objects: ObjectMap, graphs: Sequence[SceneGraph]) -> Bools:
    """Return which robots (n, robots) saw free space where an object is that they did not see.

    A robot's places are balls of free space, as large as their clearance; where a thing stood when the robot
    passed, there can be none. ``graphs`` are the robots', moved into the objects' frame.
    """
    from scipy.spatial import cKDTree

    out = np.zeros((len(objects), len(graphs)), bool)
    for robot, graph in enumerate(graphs):
        if not graph.has("places") or not len(objects):
            continue
        places = graph.layers["places"]
        clearance = np.asarray(places.columns.get("clearance_m", np.zeros(len(places))), float)
        open_ = np.flatnonzero(clearance > MARGIN_M)
        if not len(open_):
            continue
        reach = float(clearance[open_].max())
        near = cKDTree(places.positions[open_]).query_ball_point(objects.centroids, reach)
        for row in np.flatnonzero([len(found) > 0 for found in near]):
            found = open_[near[row]]
            gap = np.linalg.norm(places.positions[found] - objects.centroids[row], axis=1)
            out[row, robot] = bool((clearance[found] - gap > MARGIN_M).any())
    absent: Bools = out & ~np.asarray(objects.columns["seen_by"], bool)
    return absent
