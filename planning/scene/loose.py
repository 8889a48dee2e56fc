"""What a robot may use beyond its roadmap: for proofs, in which only what is surely shut counts as shut.

A roadmap knows the places over whose points there is room, and the edges that are wide enough straight or
with the bends that were found. A loose one has every place and edge that may be used by whatever way from
where the robot stands; its meters mean nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from commonground.arrays import Floats
from commonground.planning.scene.footprints import beside_m
from commonground.planning.scene.free_ground import FreeGround, free_ground
from commonground.planning.scene.roadmap import NEAR, Roadmap, Spot, too_high, too_steep
from commonground.robots import Robot


@dataclass(frozen=True, slots=True, eq=False)
class LooseRoadmap(Roadmap):
    """A roadmap with all that is not surely shut."""

    free: FreeGround | None
    """None where nothing tells what hangs together."""
    own: frozenset[int]
    """The parts of the ground in which the robot is."""

    def may_be_at(self, spot: Spot) -> bool:
        """Return whether a robot may be at a place that it passes over: nearer to it than to any other."""
        row = spot.anchors[0]
        if not spot.is_place or self.free is None or not self.widths.outlined[row]:
            return True
        return not self.own.isdisjoint(self.free.at_place(row))

    def _attached(self, symbol: str, position: Floats, region: int, reach_m: float = 0.0) -> Spot:
        """Return a point as it hangs on all places near it from which there may be a way to it."""
        known = Roadmap._attached(self, symbol, position, region, reach_m)
        meters, rows = self.graph.nearest(self.layer, position, min(NEAR, len(self.positions)))
        found = dict(zip(known.anchors, known.meters, strict=True))
        parts = frozenset[int]()
        if self.free is not None:
            within_m = self.radius_m
            if reach_m > 0.0:
                within_m = beside_m(self.graph, self.layer, self.radius_m, symbol)
            parts = self.free.around(position, within_m)
        for row, m in zip(rows[0].tolist(), meters[0].tolist(), strict=True):
            if self.usable[row] and self.places.boundaries is not None and self._meets(parts, row):
                found.setdefault(row, m)
        return Spot(symbol, known.position, tuple(found), tuple(found.values()), region)

    def _meets(self, parts: frozenset[int], row: int) -> bool:
        return (
            not parts
            or self.free is None
            or not self.widths.outlined[row]
            or not parts.isdisjoint(self.free.over_place(row))
        )


def loosened(road: Roadmap, robot: Robot) -> LooseRoadmap | None:
    """Return a roadmap with all that may be open to a robot, None where nothing is in doubt."""
    from scipy.sparse import csr_matrix

    if road.widths.rim is None:
        return None
    whole = road.graph.adjacency(road.layer)
    i = np.repeat(np.arange(len(road.positions)), np.diff(whole.indptr))
    j = whole.indices.astype(np.int64)
    doubtful = np.zeros(len(i), bool)
    if len(i):  # SciPy answers no pairs with a matrix
        doubtful = np.asarray(road.metric[i, j]).ravel() == 0.0
    doubtful &= ~too_high(road.graph, road.layer, robot.max_step_m, robot.max_slope_deg)
    doubtful &= road.widths.outlined[i] & road.widths.outlined[j]
    narrow = ~road.widths.fits(road.radius_m) & road.widths.outlined
    narrow &= ~too_steep(road.places, robot.max_slope_deg)
    if not doubtful.any() and not narrow.any():
        return None
    own = frozenset[int]()
    free = free_ground(road.places, road.radius_m)
    if free is not None:
        own = free.of_start(robot.position)
        narrow[narrow] = [
            not own.isdisjoint(free.over_place(k)) for k in np.flatnonzero(narrow).tolist()
        ]
        some = np.flatnonzero(doubtful)
        doubtful[some] = [bool(own & free.over_place(i[k]) & free.over_place(j[k])) for k in some]
    more = csr_matrix((np.ones(int(doubtful.sum())), (i[doubtful], j[doubtful])), whole.shape)
    known = {f.name: getattr(road, f.name) for f in fields(Roadmap)}
    known |= {"usable": road.usable | narrow, "metric": road.metric.maximum(more)}
    known |= {"keeps_out": False}
    return LooseRoadmap(**known, free=free, own=own)
