"""Motion between stops: paths over the places, pulled straight where the ground allows, with times."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.planning.scene.around import around_objects
from commonground.planning.scene.durations import timed
from commonground.planning.scene.footprints import footprints_of
from commonground.planning.scene.ground import Ground
from commonground.planning.scene.plan import Action
from commonground.planning.scene.roadmap import BESIDE_M, Roadmap, Spot, pieces_of
from commonground.planning.scene.solve import Leg, Solution
from commonground.robots import Robot
from commonground.symbols import symbol_of

LONGEST_SIGHT_M = 1000.0
"""No way is straightened over more at once."""
MOST_SAMPLES = 200_000
"""Of a straight piece of a way; a map may be as wide as it likes."""
STEP_M = 0.2
"""Straight pieces are checked this densely."""
SAME_M = 1e-6
STANDOFF_M = 0.2
"""A robot stops this far from an object, besides its own radius."""


def actions_of(solution: Solution, robot: Robot, start: Spot) -> tuple[Action, ...]:
    """Return the timed actions of a solution; a leg that moves nowhere has no goto."""
    paths = solution.paths
    if paths is None:
        return ()
    road = paths.roadmap
    prints = footprints_of(road.graph.objects)
    ground = Ground(road, ~paths.forbidden & road.usable, robot.radius_m, prints)
    out: list[Action] = []
    here, at = start, np.asarray(start.position, float)
    for leg in solution.legs:
        rows = paths.path(here, leg.spot)
        line = np.vstack([at, road.line(rows), leg.spot.position])
        line = _before_the_wall(_without_repeats(line), leg, ground)
        line = _stopped_short(_straightened(line, ground), leg, ground, robot)
        line = around_objects(line, ground, rows)
        symbols = tuple(road.symbol(r) for r in rows)
        if len(line) > 1 or symbols:
            out.append(Action("goto", leg.target, line, symbols))
        at, here = line[-1], leg.spot
        if leg.stop.action != "goto":
            item = leg.stop.item or (leg.target if leg.stop.action == "pick" else "")
            out.append(Action(leg.stop.action, leg.target, at[None], item=item))
    return timed(out, robot)


def past_things(road: Roadmap, robot: Robot, actions: Sequence[Action]) -> Roadmap:
    """Return the roadmap without the steps and places at which motions touch an object; itself for none."""
    prints = footprints_of(road.graph.objects)
    steps: set[tuple[int, int]] = set()
    shut: set[int] = set()
    beside: set[int] = set()
    for action in actions:
        line = action.path_map
        which, pieces = prints.hits(line[:-1], line[1:], robot.radius_m, line[[0, -1]])
        if len(which) == 0:
            continue
        # between things that are nearer to each other than it is wide no way leads either
        touched = prints.joined(np.unique(which), 2 * robot.radius_m)
        rows = np.array([road.row(place) for place in action.places], np.int64)
        a, b, at = rows[:-1], rows[1:], road.positions
        p, q, of = pieces_of(road.places, road.bends, a, b)
        which, ways = prints.hits(p, q, robot.radius_m, line[[0, -1]])
        ways = of[ways[np.isin(which, touched)]]
        steps |= set(zip(a[ways].tolist(), b[ways].tolist(), strict=True))
        ends = np.linalg.norm(at[rows][:, None] - line[[0, -1]], axis=2).min(axis=1) < SAME_M
        passed = rows[~ends]  # where the robot has to be it may be near a thing
        which, places = prints.hits(at[passed], at[passed], robot.radius_m, at[:0])
        shut |= set(passed[places[np.isin(which, touched)]].tolist())
        beside |= {passed[end] for end in _ends_of(pieces, len(line) - 1)[: len(passed)]}
    if not (steps or shut):  # it is touched between a stop and the place by which it is reached
        shut = beside
    return road.without(steps, shut) if steps or shut else road


def touched(road: Roadmap, robot: Robot, actions: Sequence[Action]) -> list[str]:
    """Return the things that a robot would touch on its way."""
    prints, lines = footprints_of(road.graph.objects), [action.path_map for action in actions]
    each = [prints.hits(a[:-1], a[1:], robot.radius_m, a[[0, -1]])[0] for a in lines]
    rows = prints.rows[np.unique(np.concatenate([*each, np.empty(0, np.int64)]))]
    return [symbol_of(int(road.graph.objects.ids[row])) for row in rows]


def _ends_of(pieces: Ints, count: int) -> list[int]:
    """Return 0 where the earlier, and -1 where the later half of so many pieces of a way has any of some."""
    middle = (count - 1) / 2
    return [0] * bool((pieces <= middle).any()) + [-1] * bool((pieces >= middle).any())


def _without_repeats(line: Floats) -> Floats:
    moved = np.linalg.norm(np.diff(line, axis=0), axis=1) > 1e-6
    return np.asarray(line[np.concatenate([[True], moved])])


def _straightened(line: Floats, ground: Ground) -> Floats:
    """Return the line with waypoints left out wherever the straight line is free (string pulling)."""
    if len(line) < 3 or not ground.shaped:
        return line
    kept, i = [0], 0
    while i < len(line) - 1:
        i = _farthest_in_sight(line, i, ground)
        kept.append(i)
    return line[kept]


def _farthest_in_sight(line: Floats, i: int, ground: Ground) -> int:
    """Return the farthest waypoint reached straight from i: double the stride, then halve the doubt."""
    good, stride = i + 1, 2
    while i + stride < len(line) and _clear(line[i], line[i + stride], ground):
        good, stride = i + stride, stride * 2
    bad = min(i + stride, len(line))
    while bad - good > 1:
        middle = (good + bad) // 2
        if _clear(line[i], line[middle], ground):
            good = middle
        else:
            bad = middle
    return good


def _clear(a: Floats, b: Floats, ground: Ground) -> bool:
    """Return whether a robot may go straight from a to b, its middle and both sides on free ground."""
    length = float(np.linalg.norm(b - a))
    if length < 1e-6:
        return True
    if length > LONGEST_SIGHT_M:
        return False
    if not ground.road.widths.fits_straight(a[None], b[None], ground.radius_m).all():
        return False
    if not ground.avoids(a[None], b[None]).all():
        return False
    if len(ground.footprints.hits(a[None], b[None], ground.radius_m, np.empty((0, 3)))[0]):
        return False
    s = np.linspace(0.0, 1.0, max(2, int(np.ceil(length / STEP_M)) + 1))[:, None]
    middle = a + s * (b - a)
    aside = np.array([a[1] - b[1], b[0] - a[0], 0.0])
    aside *= ground.radius_m / max(float(np.linalg.norm(aside)), 1e-9)
    inner = middle[1:-1]
    sides = np.vstack([inner, inner + aside, inner - aside])
    return bool(len(inner) == 0 or ground.on_ground(sides).all())


def _before_the_wall(line: Floats, leg: Leg, ground: Ground) -> Floats:
    """Return the line cut beside an object at a wall, into which the robot would reach at the end."""
    name, row = ground.road.graph.find(leg.spot.symbol)
    widths = ground.road.widths
    if name != "objects" or widths.fits_at(line[-1:], ground.radius_m)[0]:
        return line
    reach_m = ground.radius_m + BESIDE_M

    def is_there(at: Floats) -> Bools:
        beside = ground.distance_to_object(row, at) <= reach_m
        return np.asarray(beside & ~widths.fits_at(at, ground.radius_m))

    return _cut(line, is_there)


def _stopped_short(line: Floats, leg: Leg, ground: Ground, robot: Robot) -> Floats:
    """Return the line cut where the robot is beside the box of the object it goes to, not on top of it."""
    graph = ground.road.graph
    name, row = graph.find(leg.spot.symbol)
    boxes = graph.objects.boxes
    if name != "objects" or boxes is None or not boxes.valid[row]:
        return line
    margin = robot.radius_m + STANDOFF_M
    return _cut(line, lambda at: ground.distance_to_object(row, at) < margin)


def _cut(line: Floats, ends: Callable[[Floats], Bools]) -> Floats:
    """Return the line up to where it ends next to the first point of some."""
    for k in range(len(line) - 1):
        a, b = line[k], line[k + 1]
        samples = int(min(float(np.linalg.norm(b - a)) / 0.05, MOST_SAMPLES)) + 2
        s = np.linspace(0, 1, samples)
        near = ends(a + s[:, None] * (b - a))
        if near.any():
            cut = s[max(0, int(near.argmax()) - 1)]
            return _without_repeats(np.vstack([line[: k + 1], a + cut * (b - a)]))
    return line
