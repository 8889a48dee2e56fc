"""The free ground of a robot: inside the places' polygons or clearances, and clear of objects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.planning.scene.footprints import Footprints
from commonground.planning.scene.outlines import in_outlines
from commonground.planning.scene.roadmap import Roadmap

NEAR = 6
"""Places looked at around a point."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The ground a robot may use on one plan."""

    road: Roadmap
    allowed: Bools
    """(n,) places that may be touched."""
    radius_m: float
    footprints: Footprints

    @property
    def shaped(self) -> bool:
        """Return whether the places have an extent; without one only their edges are known to be free."""
        layer = self.road.places
        return layer.boundaries is not None or "clearance_m" in layer.columns

    def avoids(self, p: Floats, q: Floats) -> Bools:
        """Return which straight ways p to q (m, 3) keep out of the regions that must not be touched."""
        ground = self.road.kept_out(~self.allowed)
        return np.ones(len(p), bool) if ground is None else ~ground.entered(p, q)

    def free(self, points: Floats) -> Bools:
        """Return which points (m, 3) are on allowed ground, with the robot's radius clear of objects."""
        return self.on_ground(points) & ~self.hits_object(points, self.radius_m)

    def on_ground(self, points: Floats) -> Bools:
        """Return which points (m, 3) lie in an allowed place and in no place that is not allowed.

        Places without an extent tell nothing, so no point is ruled out by them.
        """
        if not self.shaped:
            return np.ones(len(points), bool)
        graph, layer = self.road.graph, self.road.places
        _, rows = graph.nearest(self.road.layer, points, min(NEAR, len(layer)))
        if layer.boundaries is not None:
            inside = in_outlines(layer.boundaries, points, rows)
        else:
            gap = np.linalg.norm(self.road.positions[rows] - points[:, None], axis=2)
            room = layer.columns["clearance_m"][rows] - self.radius_m
            inside = gap <= np.maximum(room, 0.0)
        open_ = self.allowed[rows]
        return np.asarray((inside & open_).any(axis=1) & ~(inside & ~open_).any(axis=1))

    def hits_object(self, points: Floats, margin_m: float) -> Bools:
        """Return which points (m, 3) are nearer than a margin to the footprint of an object."""
        hit = np.zeros(len(points), bool)
        hit[self.footprints.near(points, points, margin_m)[1]] = True
        return hit

    def distance_to_object(self, row: int, points: Floats) -> Floats:
        """Return meters (m,) from points to the footprint of an object, 0 inside."""
        known = np.flatnonzero(self.footprints.rows == row)
        if len(known) == 0:
            center = self.road.graph.objects.positions[row]
            return np.asarray(np.linalg.norm(points[:, :2] - center[:2], axis=1))
        return self.footprints.meters(int(known[0]), points, points)
