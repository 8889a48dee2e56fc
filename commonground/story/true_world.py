"""Simulated robots in the true world: they drive by the map, and find what is there.

A robot goes where its orders say in the map, as well as it knows its own pose. Ground it can stand on, the
thing it came for and what stands in its way are the world's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.geometry import apply, inverse
from commonground.planning.robots.faults import Fault
from commonground.planning.robots.lines import along
from commonground.planning.robots.protocol import Failure, Sighting
from commonground.planning.robots.simulated import Order, SimRobot, SimWorld
from commonground.planning.scene.outlines import in_outlines
from commonground.robots import Team
from commonground.scene import SceneGraph

REACH_M = {"inspect": 4.0, "pick": 3.0}
"""How near the robot must be to what it works on, measured to the thing's box."""
SWERVE_M = 0.25
"""What reaches less far into the way is gone around without a word, as robots' own drivers do."""
TALL_M, TRUNK_M = 2.5, 0.35
NEAR_PLACES = 8
SAME_M = 1.5
"""A thing of the map this near to a true one of the same class is that one."""
RIM_M = 1.5
"""Rims between places are narrower: where no ground is seen so far ahead, it ends."""


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The true world, and how the map and the robots' beliefs lie in it."""

    graph: SceneGraph
    T_world_map: Floats
    T_world_believed: Mapping[str, Floats]
    """Robot → how its own picture of the map really lies; that of a robot not named lies as the map does."""

    def where(self, robot: str, points_map: Floats) -> Floats:
        """Return where points (k, 3) really are of which a robot believes that they are so in the map."""
        return apply(self.T_world_believed.get(robot, self.T_world_map), points_map)

    def astray_m(self, robot: str, point_map: Floats) -> float:
        """Return how far from where the map has it a robot really is, or what it puts down."""
        line = point_map[None, :]
        return float(np.linalg.norm(self.where(robot, line) - apply(self.T_world_map, line)))

    def on_ground(self, points: Floats) -> Bools:
        """Return which points (k, 3) are in the outline of a true surface place, or of none near (a rim)."""
        layer = self.graph.surface_places
        if layer.boundaries is None:
            return np.ones(len(points), bool)
        _, near = self.graph.nearest("surface_places", points, NEAR_PLACES)
        rows = np.tile(np.unique(near), (len(points), 1))
        return np.asarray(in_outlines(layer.boundaries, points, rows).any(axis=1))


class TrueWorld(SimWorld):
    """The world in which robots carry out what was planned on their map."""

    def __init__(self, graph: SceneGraph, team: Team, truth: Truth) -> None:
        super().__init__(graph, team)
        self._truth = truth
        self._rows = _true_rows(graph, truth)
        boxes = truth.graph.objects.boxes
        sizes = np.zeros((len(truth.graph.objects.ids), 3)) if boxes is None else boxes.sizes
        self._reach = np.hypot(sizes[:, 0], sizes[:, 1]) / 2
        self._thick = _radii(sizes)
        back, true = inverse(truth.T_world_map), truth.graph.objects.positions
        self.lies = {t: apply(back, true[row][None])[0] for t, row in self._rows.items()}
        self._mapped = dict(self.lies)

    def _ahead(self, robot: SimRobot, path: Floats, begin_m: float, end_m: float) -> Fault | None:
        """Return what a robot would drive into, or that the ground ends before it."""
        ahead = np.array([along(path, m) for m in np.linspace(begin_m, end_m + RIM_M, 9)])
        line = self._truth.where(robot.name, ahead)
        row = self._in_the_way(line[:3])
        if row is not None:
            at = self._centers()[row]
            return self._seen(robot, at, 2 * float(self._thick[row]))
        if not self._truth.on_ground(line).any():
            return self._seen(robot, line[len(line) // 2], RIM_M)
        return None

    def _in_the_way(self, line: Floats) -> int | None:
        """Return the true thing that a robot would come into, coming nearer."""
        gaps = np.linalg.norm(line[:, None, :2] - self._centers()[None, :, :2], axis=2)
        held = [self._rows[r.holding] for r in self.robots.values() if r.holding in self._rows]
        gaps[:, held] = np.inf
        inside = (gaps[1:] < np.minimum(self._thick - SWERVE_M, gaps[0])).any(axis=0)
        return int(np.flatnonzero(inside)[0]) if inside.any() else None

    def _centers(self) -> Floats:
        """Return where all true things are now (n, 3); what is held is where it was."""
        centers: Floats = self._truth.graph.objects.positions.copy()
        known = [(row, self.lies[thing]) for thing, row in self._rows.items() if thing in self.lies]
        if known:
            rows, lies = zip(*known, strict=True)
            centers[list(rows)] = apply(self._truth.T_world_map, np.array(lies))
        return centers

    def _seen(self, robot: SimRobot, at: Floats, size_m: float) -> Fault:
        """Return an obstacle where the robot takes it to be."""
        T = self._truth.T_world_believed.get(robot.name, self._truth.T_world_map)
        x, y, z = apply(inverse(T), at[None])[0].tolist()
        return Fault("blocked", position=(x, y, z), size_m=size_m)

    def _lacks(self, robot: SimRobot, order: Order) -> Failure:
        """Return why a robot cannot work on a thing from where it really is; '' where it can."""
        if order.thing not in self.lies:
            x, y, z = order.path[0].tolist()
            robot.notice(Sighting(order.thing, (x, y, z), absent=True))
            return "missing"
        at = apply(self._truth.T_world_map, self.lies[order.thing][None])[0]
        here = self._truth.where(robot.name, robot.position[None])[0]
        gap = float(np.linalg.norm(at[:2] - here[:2])) - self._reach[self._rows[order.thing]]
        return "" if gap <= REACH_M[order.kind] else "refused"

    def _place(self, robot: SimRobot, order: Order) -> Failure:
        """Put a thing down where the robot takes the place to be."""
        failure = super()._place(robot, order)
        if not failure:
            there = self._truth.where(robot.name, self.lies[order.thing][None])
            self.lies[order.thing] = apply(inverse(self._truth.T_world_map), there)[0]
            self._mapped[order.thing] = self.lies[order.thing]
        return failure


def _radii(sizes: Floats) -> Floats:
    """Return how thick things (n,) are where a robot passes: crowns and lamps of tall ones hang above."""
    half = 0.5 * sizes[:, :2].min(axis=1)
    return np.asarray(np.where(sizes[:, 2] > TALL_M, np.minimum(half, TRUNK_M), half))


def _true_rows(graph: SceneGraph, truth: Truth) -> dict[str, int]:
    """Return thing of the map → row of the true thing that it is; what is not there any more is left out."""
    words, true_words = graph.label_words("objects"), truth.graph.label_words("objects")
    where = apply(truth.T_world_map, graph.objects.positions)
    true = truth.graph.objects.positions
    if not len(true):
        return {}
    found: dict[str, int] = {}
    for symbol, at, word in zip(graph.objects.symbols, where, words, strict=True):
        gaps = np.linalg.norm(true[:, :2] - at[:2], axis=1)
        if word:
            gaps[[other != word for other in true_words]] = np.inf
        nearest = int(gaps.argmin())
        if gaps[nearest] < SAME_M:
            found[symbol] = nearest
    return found
