"""What is true after some actions on the full graph: where a robot was, and whether a goal holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.planning.pddl import And, Atom, Formula, Imply, Not, Or, nnf
from commonground.planning.scene.footing import host_row, under
from commonground.planning.scene.footprints import footprints_of
from commonground.planning.scene.keep_out import of_region
from commonground.planning.scene.sight import sights
from commonground.planning.scene.vocabulary import VOCABULARY
from commonground.planning.scene.widths import widths_of
from commonground.robots import Robot
from commonground.scene import SceneGraph
from commonground.symbols import symbol_of

NEAR = 8
"""An object must be among the things reached from one of so many nearest places."""


THERE_M = 0.05
"""A robot so near to a place stands on it."""


REACH_M = 0.5
"""A robot whose side is so near to an object is at it; farther only where no place is nearer."""


@dataclass(slots=True)
class Execution:
    """What is true after some actions, and everything that was visited until then."""

    graph: SceneGraph
    layer: str
    places: list[str] = field(default_factory=list)
    objects: set[str] = field(default_factory=set)
    deeds: set[tuple[str, str]] = field(default_factory=set)
    """What was done to which object, for good."""
    lies: dict[str, str] = field(default_factory=dict)
    """Where objects were put, by place symbol."""
    holding: str = ""
    at: str = ""
    """The object or region the robot is at."""
    view_m: float = 5.0
    """From so far the robot sees a place."""
    driven: list[Floats] = field(default_factory=list)
    """The lines (k, 3) of all motions."""
    _regions: Ints | None = None

    @property
    def safe(self) -> set[str]:
        """The objects that were inspected."""
        return {thing for deed, thing in self.deeds if deed == "inspect"}

    def row(self, place: str) -> int:
        """Return the row of a place; raises SceneError for what is none."""
        name, row = self.graph.find(place)
        return int(row if name == self.layer else self.graph.layers[self.layer].row(place))

    def is_thing(self, symbol: str) -> bool:
        """Return whether a symbol is an object's."""
        return symbol in self.graph and self.graph.find(symbol)[0] == "objects"

    def region_of(self, place: str) -> str:
        """Return the region symbol of a place, or ''."""
        if not self.graph.has("regions"):
            return ""
        if self._regions is None:
            self._regions = self.graph.ancestors(self.layer, "regions")
        parent = int(self._regions[self.row(place)])
        return symbol_of(int(self.graph.regions.ids[parent])) if parent >= 0 else ""


def beside(now: Execution, robot: Robot, thing: str, stand: Floats) -> bool:
    """Return whether a robot that stands somewhere (3,) is at an object, as near to it as places allow."""
    if not _is_near(now, thing):
        return False
    if thing in now.lies:  # put on the very place
        return True
    position = under(now.graph, now.layer, thing)
    rows = now.graph.nearest(now.layer, position, NEAR)[1][0]
    widths = widths_of(now.graph.layers[now.layer])
    fits = widths.fits(robot.radius_m)[rows] & widths.fits_from(position, rows, robot.radius_m)
    places = now.graph.layers[now.layer].positions[rows[fits] if fits.any() else rows]
    to_places = float(_meters_to(now, thing, places).min())
    return float(_meters_to(now, thing, stand[None])[0]) <= max(
        robot.radius_m + REACH_M, to_places + THERE_M
    )


def _is_near(now: Execution, thing: str) -> bool:
    """Return whether the last place is one from which an object can be reached."""
    if thing in now.lies:
        return now.places[-1] == now.lies[thing]
    _, rows = now.graph.nearest(now.layer, under(now.graph, now.layer, thing), NEAR)
    return now.row(now.places[-1]) in rows[0]


def _meters_to(now: Execution, thing: str, points: Floats) -> Floats:
    """Return meters (m,) on the ground from points (m, 3) to the footprint of an object, or its middle."""
    objects = now.graph.objects
    row, prints = objects.row(thing), footprints_of(objects)
    known = np.flatnonzero(prints.rows == row)
    if len(known):
        return prints.meters(int(known[0]), points, points)
    return np.asarray(np.linalg.norm(points[:, :2] - objects.positions[row][:2], axis=1))


def holds(goal: Formula, now: Execution) -> bool:
    """Return whether a goal is true after an execution."""
    if isinstance(goal, And):
        return all(holds(part, now) for part in goal.parts)
    if isinstance(goal, Or):
        return any(holds(part, now) for part in goal.parts)
    if isinstance(goal, Not):
        if not isinstance(goal.body, Atom):
            return holds(nnf(goal), now)
        return not holds(goal.body, now) and not _entered(goal.body, now)
    if isinstance(goal, Imply):
        return holds(nnf(goal), now)
    if not isinstance(goal, Atom):
        return False
    deed = VOCABULARY[goal.predicate].deed
    return (deed, *goal.args) in now.deeds if deed else _FACTS[goal.predicate](now, *goal.args)


def _entered(atom: Atom, now: Execution) -> bool:
    """Return whether a robot drove over the ground of a region that it may never have been at a place of."""
    if atom.predicate != "visited-region" or not now.driven:
        return False
    ground = of_region(now.graph, now.layer, atom.args[0])
    return ground is not None and ground.entered_by(now.driven)


def _lies_in(now: Execution, thing: str, place: str) -> bool:
    if thing in now.lies or now.holding == thing:
        return now.lies.get(thing) == place and now.holding != thing
    return host_row(now.graph, now.layer, thing) == now.row(place)


def _visited_region(now: Execution, region: str) -> bool:
    return any(now.region_of(place) == region for place in dict.fromkeys(now.places))


def _explored(now: Execution, region: str) -> bool:
    inside = np.flatnonzero(now.graph.in_region(now.layer, region))
    passed = np.array([now.row(place) for place in dict.fromkeys(now.places)], np.int64)
    if len(inside) == 0:
        return False
    seen = sights(now.graph, now.layer, passed, inside, now.view_m).sum(axis=0)
    return bool((np.asarray(seen) > 0).all())


_FACTS: Mapping[str, Callable[..., bool]] = {
    "visited-place": lambda now, p: p in now.places,
    "at-place": lambda now, p: now.places[-1] == p,
    "visited-object": lambda now, o: o in now.objects,
    "at-object": lambda now, o: (
        o in now.objects and now.at in (o, now.lies.get(o)) and _is_near(now, o)
    ),
    "visited-region": _visited_region,
    "in-region": lambda now, r: now.region_of(now.places[-1]) == r,
    "explored-region": _explored,
    "holding": lambda now, o: now.holding == o,
    "object-in-place": _lies_in,
}
