"""Certificate of a plan: executed on the full graph, from the actions alone, and held against the goal.

The planner's roadmap, stops and distances play no part here: places are looked up by symbol, steps
between them must be edges of the graph, and the original goal is evaluated on what was executed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.planning.pddl import And, Atom, Formula, Imply, Not, Or
from commonground.planning.scene.footing import grounded, host_row, leads_on, place_at, under
from commonground.planning.scene.footprints import footprints_of
from commonground.planning.scene.plan import Action
from commonground.planning.scene.sight import sights
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
    safe: set[str] = field(default_factory=set)
    lies: dict[str, str] = field(default_factory=dict)
    """Where objects were put, by place symbol."""
    holding: str = ""
    at: str = ""
    """The object or region the robot is at."""
    view_m: float = 5.0
    """From so far the robot sees a place."""
    _regions: Ints | None = None

    def row(self, place: str) -> int:
        """Return the row of a place; raises SceneError for what is none."""
        name, row = self.graph.find(place)
        return int(row if name == self.layer else self.graph.layers[self.layer].row(place))

    def region_of(self, place: str) -> str:
        """Return the region symbol of a place, or ''."""
        if not self.graph.has("regions"):
            return ""
        if self._regions is None:
            self._regions = self.graph.ancestors(self.layer, "regions")
        parent = int(self._regions[self.row(place)])
        return symbol_of(int(self.graph.regions.ids[parent])) if parent >= 0 else ""


def certify(
    graph: SceneGraph, robot: Robot, goal: Formula, actions: Sequence[Action], layer: str
) -> list[str]:
    """Return everything that is wrong with a plan; an empty list is the certificate."""
    graph = grounded(graph, robot)
    start = nearest_place(graph, layer, robot)
    execution = Execution(graph, layer, places=[start], view_m=robot.view_m)
    faults: list[str] = []
    for k, action in enumerate(actions, start=1):
        faults += [
            f"step {k} ({action.action} {action.target}): {fault}"
            for fault in perform(execution, robot, action)
        ]
    if not faults and not holds(goal, execution):
        faults.append("all actions can be executed, but the goal does not hold at the end")
    return faults


def nearest_place(graph: SceneGraph, layer: str, robot: Robot) -> str:
    """Return the symbol of the place nearest to a robot."""
    return place_at(graph, layer, robot.position)


def perform(now: Execution, robot: Robot, action: Action) -> list[str]:
    """Carry out one action and return what is wrong with it."""
    if action.action == "wait":
        return []
    if not robot.can(action.action):
        return [f"{robot.name} cannot {action.action}"]
    if action.action == "goto":
        return _go(now, robot, action)
    if action.action == "inspect":
        return _inspect(now, robot, action)
    if action.action == "pick":
        return _pick(now, robot, action)
    return _place(now, action)


def _go(now: Execution, robot: Robot, action: Action) -> list[str]:
    airy = [place for place in action.places if place not in now.graph]
    if airy:
        return [f"{place} is off the ground" for place in airy]
    rows = np.array([now.row(place) for place in action.places], np.int64)
    faults = []
    if not np.isfinite(action.path_map).all():
        faults.append("a waypoint is not finite")
    linked = now.graph.adjacency(now.layer)
    gaps: list[int] = []
    if len(rows) > 1:
        meters = np.asarray(linked[rows[:-1], rows[1:]]).ravel()
        gaps = np.flatnonzero(meters == 0).tolist()
    for k in gaps:
        faults.append(f"{action.places[k]} and {action.places[k + 1]} are no neighbors")
    faults += _too_much_for(robot, now, rows)
    faults += _unjoined(robot, now, rows, action)
    faults += _too_narrow_ways(robot, now, rows, action.path_map)
    faults += _off_the_ground(robot, now, rows, action.path_map)
    faults += _off_the_lines(robot, now, action)
    faults += _in_the_air(now, rows, action)
    faults += _elsewhere(now, action)
    faults += [f"the path touches {thing}" for thing in touched(now, robot, action.path_map)]
    now.places += action.places
    if _is_thing(now, action.target):
        if not beside(now, robot, action.target, action.path_map[-1]):
            faults.append(f"{action.target} is not near the end of the path")
        now.objects.add(action.target)
    now.at = action.target
    return faults


def _too_much_for(robot: Robot, now: Execution, rows: Ints) -> list[str]:
    """Return the places, and the steps between neighbors, that a robot's body cannot take."""
    layer = now.graph.layers[now.layer]
    widths = widths_of(layer)
    slope = np.asarray(layer.columns.get("slope_deg", np.zeros(len(layer))), float)[rows]
    steep = rows[slope > robot.max_slope_deg]
    narrow = rows[~widths.fits(robot.radius_m)[rows]]
    faults = []
    for what, found in (("too steep", steep), ("too narrow", narrow)):
        symbols = [symbol_of(int(layer.ids[row])) for row in found]
        faults += [f"{symbol} is {what} for {robot.name}" for symbol in symbols]
    if len(rows) < 2:
        return faults
    gap = np.diff(layer.positions[rows], axis=0)
    rise = np.tan(np.radians(robot.max_slope_deg)) * np.linalg.norm(gap, axis=1)
    if (np.abs(gap[:, 2]) > np.maximum(robot.max_step_m, rise) + 1e-6).any():
        faults.append(f"a step is too high for {robot.name}")
    return faults


def _unjoined(robot: Robot, now: Execution, rows: Ints, action: Action) -> Iterator[str]:
    """Yield the ends of a motion that no edge joins to the ground it is on, where no outline tells of it."""
    if len(rows) == 0:
        return
    unknown = ~widths_of(now.graph.layers[now.layer]).outlined[rows]
    first, last = action.places[0], action.places[-1]
    if unknown[0]:
        began = len(now.places) == 1
        before = _footing(now, robot, robot.position) if began else now.row(now.places[-1])
        near = _joined(now, int(rows[0]))
        if before not in near and (began or near.isdisjoint(_joined(now, before))):
            yield f"nothing joins {first} to where {robot.name} is"
    if not unknown[-1] or action.target in now.lies or not _is_thing(now, action.target):
        return
    if _footing(now, robot, under(now.graph, now.layer, action.target)) not in _joined(
        now, rows[-1]
    ):
        yield f"nothing joins {last} to where {action.target} is"


def _footing(now: Execution, robot: Robot, point: Floats) -> int:
    """Return the row of the nearest place to a point on which a robot can stand, else of the nearest one.

    Where it can choose, edges lead on from it.
    """
    layer = now.graph.layers[now.layer]
    rows = now.graph.nearest(now.layer, point, min(NEAR, len(layer)))[1][0]
    slope = np.asarray(layer.columns.get("slope_deg", np.zeros(len(layer))), float)[rows]
    fits = widths_of(layer).fits(robot.radius_m)[rows] & ~(slope > robot.max_slope_deg)
    leaves = leads_on(now.graph, now.layer)[rows]
    fits = fits & leaves if (fits & leaves).any() else fits
    return int(rows[fits][0] if fits.any() else rows[0])


def _joined(now: Execution, row: int) -> set[int]:
    return {int(row), *now.graph.neighbors(now.layer, row).tolist()}


def _is_thing(now: Execution, symbol: str) -> bool:
    return symbol in now.graph and now.graph.find(symbol)[0] == "objects"


def _too_narrow_ways(robot: Robot, now: Execution, rows: Ints, line: Floats) -> Iterator[str]:
    """Yield the steps that are too narrow for a robot, that from the place it stood on included."""
    layer = now.graph.layers[now.layer]
    before = now.row(now.places[-1])
    widths = widths_of(layer)
    if widths.rim is not None and widths.outlined[rows].all():
        return  # the very line is held against the rim
    stood = np.linalg.norm(layer.positions[before] - line[0]) < THERE_M
    # from a place that is too narrow itself, as maps have them, a robot may get out
    stood &= widths.fits(robot.radius_m)[before]
    if stood and len(rows) and rows[0] in now.graph.neighbors(now.layer, before):
        rows = np.r_[before, rows]
    for k in np.flatnonzero(~widths.fits_between(rows[:-1], rows[1:], robot.radius_m)):
        one, other = (symbol_of(int(layer.ids[row])) for row in rows[k : k + 2])
        yield f"the way from {one} to {other} is too narrow for {robot.name}"


def _off_the_ground(robot: Robot, now: Execution, rows: Ints, line: Floats) -> Iterator[str]:
    """Yield where the path itself, as driven from its very start, leaves the ground that outlines tell."""
    widths = widths_of(now.graph.layers[now.layer])
    if not widths.outlined[rows].all():
        return
    for k in np.flatnonzero(widths.leaves_ground(line, robot.radius_m)):
        (x, y, _), (u, v, _) = line[k : k + 2].tolist()
        yield f"from ({x:.1f}, {y:.1f}) to ({u:.1f}, {v:.1f}) {robot.name} leaves the ground"


def _off_the_lines(robot: Robot, now: Execution, action: Action) -> Iterator[str]:
    """Yield where a path leaves both the lines between places and the free discs that clearances tell."""
    layer, line = now.graph.layers[now.layer], action.path_map
    widths = widths_of(layer)
    if widths.rim is not None or np.isnan(widths.place_m).all() or len(line) < 2:
        return
    known = widths.tree.query(line)[0] < THERE_M
    known[0] |= np.linalg.norm(line[0] - robot.position) < THERE_M or now.at in now.objects
    known[-1] |= _is_thing(now, action.target)
    free = known | widths.is_free(line, robot.radius_m)
    free = free[:-1] & free[1:] & widths.is_free_between(line[:-1], line[1:], robot.radius_m)
    for k in np.flatnonzero(~free & ~(known[:-1] & known[1:])):
        if _on_an_edge(now, robot, line[k], line[k + 1]):
            continue
        (x, y, _), (u, v, _) = line[k : k + 2].tolist()
        yield f"nothing tells that ({x:.1f}, {y:.1f}) to ({u:.1f}, {v:.1f}) is free for {robot.name}"


def _on_an_edge(now: Execution, robot: Robot, p: Floats, q: Floats) -> bool:
    """Return whether both points are on the line between two neighbors that is wide enough for a robot."""
    layer = now.graph.layers[now.layer]
    at, widths = layer.positions, widths_of(layer)
    a = int(widths.tree.query((p + q) / 2)[1])
    b = np.asarray(now.graph.neighbors(now.layer, a), np.int64)
    b = b[widths.fits_between(np.full(len(b), a), b, robot.radius_m)]
    along = at[b] - at[a]
    on = np.ones(len(b), bool)
    for point in (p, q):
        offset = point - at[a]
        share = (along @ offset) / np.maximum((along**2).sum(axis=1), 1e-18)
        gaps = np.linalg.norm(offset - np.clip(share, 0.0, 1.0)[:, None] * along, axis=1)
        on &= gaps < THERE_M
    return bool(on.any())


def _in_the_air(now: Execution, rows: Ints, action: Action) -> Iterator[str]:
    """Yield the waypoints higher or lower than all the ground that a motion passes from where it begins."""
    heights = now.graph.layers[now.layer].positions[:, 2]
    known = [*rows.tolist(), now.row(now.places[-1])]
    if _is_thing(now, action.target):
        known.append(host_row(now.graph, now.layer, action.target))
    z = np.r_[heights[known], action.path_map[0, 2]]
    off = np.maximum(z.min() - action.path_map[:, 2], action.path_map[:, 2] - z.max())
    for x, y, height in action.path_map[off > THERE_M].tolist():
        yield f"at ({x:.1f}, {y:.1f}) a height of {height:.1f} m is off the ground"


def _elsewhere(now: Execution, action: Action) -> Iterator[str]:
    """Yield where a motion to a place ends nearer to another one."""
    layer, end = now.graph.layers[now.layer], action.path_map[-1]
    if not action.places or action.target != action.places[-1]:
        return
    meters = float(np.linalg.norm(layer.positions[now.row(action.target)] - end))
    if meters > max(THERE_M, float(now.graph.nearest(now.layer, end)[0][0, 0]) + 1e-6):
        yield f"the path ends {meters:.2f} m from {action.target}, and nearer to another place"


def touched(now: Execution, robot: Robot, line: Floats) -> Iterator[str]:
    """Yield the things, not moved so far, that a robot touches on its way along a line (k, 3)."""
    objects = now.graph.objects
    prints = footprints_of(objects)
    for k in np.unique(prints.hits(line[:-1], line[1:], robot.radius_m, line[[0, -1]])[0]):
        thing = symbol_of(int(objects.ids[prints.rows[k]]))
        if thing not in now.lies and thing != now.holding:
            yield thing


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


def _inspect(now: Execution, robot: Robot, action: Action) -> list[str]:
    if not beside(now, robot, action.target, action.path_map[-1]):
        return ["the robot is not at it"]
    now.safe.add(action.target)
    now.objects.add(action.target)
    return []


def _pick(now: Execution, robot: Robot, action: Action) -> list[str]:
    layer = now.graph.objects
    if now.holding:
        return [f"the gripper already holds {now.holding}"]
    if not beside(now, robot, action.target, action.path_map[-1]):
        return ["the robot is not at it"]
    if layer.metadata(layer.row(action.target)).get("suspicious") and action.target not in now.safe:
        return ["it is suspicious and was not inspected"]
    now.holding = action.target
    now.objects.add(action.target)
    return []


def _place(now: Execution, action: Action) -> list[str]:
    if now.holding != action.item:
        return [f"the gripper holds {now.holding or 'nothing'}, not {action.item}"]
    if now.places[-1] != action.target:
        return [f"the robot is at {now.places[-1]}"]
    now.lies[action.item], now.holding = action.target, ""
    return []


def holds(goal: Formula, now: Execution) -> bool:
    """Return whether a goal is true after an execution."""
    if isinstance(goal, And):
        return all(holds(part, now) for part in goal.parts)
    if isinstance(goal, Or):
        return any(holds(part, now) for part in goal.parts)
    if isinstance(goal, Not):
        return not holds(goal.body, now)
    if isinstance(goal, Imply):
        return not holds(goal.left, now) or holds(goal.right, now)
    return isinstance(goal, Atom) and _FACTS[goal.predicate](now, *goal.args)


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
    "safe": lambda now, o: o in now.safe,
    "visited-region": _visited_region,
    "in-region": lambda now, r: now.region_of(now.places[-1]) == r,
    "explored-region": _explored,
    "holding": lambda now, o: now.holding == o,
    "object-in-place": _lies_in,
}
