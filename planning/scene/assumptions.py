"""What a plan takes to be true of the ground because the graph does not tell it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.planning.scene.air import is_unknown
from commonground.planning.scene.footing import MAST_M, grounded, place_layer, under
from commonground.planning.scene.plan import Action
from commonground.planning.scene.rim import OUTLINE_M
from commonground.planning.scene.widths import widths_of
from commonground.robots import Robot
from commonground.scene import Layer, SceneGraph

THERE_M = 0.1
"""A robot so near to an edge stands on it."""
CRACK_M = 0.06
"""Narrower gaps between outlines are none."""
MOST_NAMED = 3
UNTOLD = "nothing tells whether something is between, the straight way is taken to be free"


def assumptions(graph: SceneGraph, robot: Robot, actions: Sequence[Action]) -> Iterator[str]:
    """Yield what a robot's ways take for granted."""
    told = _width(graph, robot, actions), _start(graph, robot, actions)
    yield from filter(None, told)
    yield from _goals(graph, robot, actions)
    yield from _overhead(graph, robot, actions)
    yield from _cracks(graph, robot, actions)


def _cracks(graph: SceneGraph, robot: Robot, actions: Sequence[Action]) -> Iterator[str]:
    """Yield what gaps between outlines a robot crosses of which nothing tells that they are no walls."""
    places = grounded(graph, robot).layers[place_layer(graph)]
    widths, found = widths_of(places), list[float]()
    for action in actions if widths.rim is not None else ():
        line = action.path_map
        gone = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))]
        along = np.arange(0.0, gone[-1], CRACK_M / 2)
        at = np.stack([np.interp(along, gone, line[:, c]) for c in range(3)], axis=1)
        inside = np.flatnonzero(widths.inside(at))
        ends = np.flatnonzero(
            np.diff(inside) > 1
        )  # what is before the first one and after the last is told
        for before, after in zip(inside[ends], inside[ends + 1], strict=True):
            meters = float(along[after] - along[before])
            if meters >= CRACK_M and is_unknown(places, at[[(before + after) // 2]])[0]:
                found.append(meters)
    if found:
        yield (
            f"{robot.name} crosses gaps of up to {max(found):.2f} m between outlines of places, {len(found)} "
            "in all; nothing tells that they are no walls, they are taken for ground"
        )


def _overhead(graph: SceneGraph, robot: Robot, actions: Sequence[Action]) -> Iterator[str]:
    """Yield which things a robot is below at best, rather than at them."""
    own = grounded(graph, robot)
    for thing in dict.fromkeys(a.item or a.target for a in actions if a.action != "wait"):
        if thing in own and own.find(thing)[0] == "objects":
            up_m = _bottom(own, thing) - float(under(own, place_layer(own), thing)[2])
            if up_m > MAST_M:
                yield (
                    f"{thing} hangs {up_m:.1f} m above the ground; it is taken to be in reach of "
                    f"{robot.name} below it"
                )


def _bottom(graph: SceneGraph, thing: str) -> float:
    """Return the height of the lower side of an object's box, else of its middle."""
    things, row = graph.objects, graph.objects.row(thing)
    if things.boxes is None or not things.boxes.valid[row]:
        return float(things.positions[row, 2])
    return float(things.boxes.centers[row, 2] - things.boxes.sizes[row, 2] / 2)


def _start(graph: SceneGraph, robot: Robot, actions: Sequence[Action]) -> str:
    """Return how far beyond what the graph tells of the ground a robot sets out, '' where it is within."""
    if not any(action.places for action in actions):
        return ""
    own = grounded(graph, robot)
    where = _off_the_map(own, robot, robot.position)
    if where:
        return f"{robot.name} starts off the map, {where}; the ground between is taken to be free"
    first = next(action for action in actions if action.places)
    return _straight_from_start(own, robot, first)


def _goals(graph: SceneGraph, robot: Robot, actions: Sequence[Action]) -> Iterator[str]:
    """Yield which things a robot drives to lie beyond what the graph tells of the ground."""
    own = grounded(graph, robot)
    untold = dict[str, str]()
    seen = set[str]()
    for action in actions:
        if action.action != "goto" or action.target in seen or action.target not in own:
            continue
        seen.add(action.target)
        end = action.path_map[-1]
        where = _off_the_map(own, robot, end)
        if where:
            yield (
                f"{robot.name} leaves the map for {action.target}, {where}; the ground between is taken "
                "to be free"
            )
        elif action.places and (meters := _untold(own, robot, action.places[-1], end)):
            untold[action.target] = f"{meters:.1f} m from {action.places[-1]} to {action.target}"
    if untold:
        ways = ", ".join([*untold.values()][:MOST_NAMED])
        more = (
            f" and on {len(untold) - MOST_NAMED} more such ways" if len(untold) > MOST_NAMED else ""
        )
        yield f"{robot.name} drives straight for {ways}{more}; {UNTOLD}"


def _off_the_map(own: SceneGraph, robot: Robot, point: Floats) -> str:
    """Return how far from the nearest place a point is that no place tells of, '' for another one."""
    layer = place_layer(own)
    meters, rows = own.nearest(layer, point)
    nearest, row = float(meters[0, 0]), int(rows[0, 0])
    if _is_told(own.layers[layer], own.neighbors(layer, row), row, robot, point):
        return ""
    return f"{nearest:.1f} m from {own.layers[layer].symbols[row]}, the nearest place"


def _straight_from_start(own: SceneGraph, robot: Robot, first: Action) -> str:
    """Return that a robot gets straight from where it stands to its first place, where nothing tells that."""
    place = first.places[0]
    meters = _untold(own, robot, place, robot.position)
    return f"{robot.name} starts {meters:.1f} m from {place}; {UNTOLD}" if meters else ""


def _untold(own: SceneGraph, robot: Robot, place: str, point: Floats) -> float:
    """Return meters on the ground between a place and a point where nothing tells what is between, else 0."""
    places = own.layers[place_layer(own)]
    widths, row = widths_of(places), places.row(place)
    at = places.positions[row]
    meters = float(np.linalg.norm((at - point)[:2]))
    near = meters <= robot.radius_m or _beside_edge(own, row, point) <= THERE_M
    if near or (widths.rim is not None and widths.outlined[row]):
        return 0.0
    told = widths.rim is None and widths.is_free_between(point[None], at[None], robot.radius_m)[0]
    return 0.0 if told else meters


def _beside_edge(own: SceneGraph, row: int, point: Floats) -> float:
    """Return meters on the ground from a point to the nearest edge at a place; infinite for none."""
    layer = place_layer(own)
    at = own.layers[layer].positions[:, :2]
    along = at[own.neighbors(layer, row)] - at[row]
    offset = point[:2] - at[row]
    share = np.clip(along @ offset / np.maximum((along**2).sum(axis=1), 1e-18), 0.0, 1.0)
    return float(np.linalg.norm(offset - share[:, None] * along, axis=1).min(initial=np.inf))


def _is_told(places: Layer, neighbors: Ints, row: int, robot: Robot, point: Floats) -> bool:
    """Return whether a point is on ground of a place: by outline, clearance or neighbors."""
    widths, points = widths_of(places), point[None]
    if widths.rim is not None and widths.outlined[row]:
        off_m = 0.0 if widths.inside(points)[0] else float(widths.rim.meters(points)[0]) - OUTLINE_M
        return off_m <= robot.radius_m
    gaps = np.linalg.norm(places.positions[[*neighbors, row]] - places.positions[row], axis=1)
    reach_m = max(gaps.max(), np.nan_to_num(widths.place_m[row]), robot.radius_m)
    return bool(np.linalg.norm(places.positions[row] - point) <= reach_m)


def _width(graph: SceneGraph, robot: Robot, actions: Sequence[Action]) -> str:
    """Return where a robot's ways are only taken to be wide enough for it, '' where the graph tells it."""
    layer = place_layer(graph)
    places = grounded(graph, robot).layers[layer]
    widths = widths_of(places)
    ways = [places.rows(list(action.places)) for action in actions if action.places]
    if not ways:
        return ""
    rows = np.unique(np.concatenate(ways))
    a, b = (np.concatenate(ends) for ends in ([w[:-1] for w in ways], [w[1:] for w in ways]))
    silent = rows[widths.unknown(rows)]
    steps = widths.unknown_between(a, b, robot.radius_m)
    wide = f"they are taken to be wide enough for a radius of {robot.radius_m:g} m"
    if len(silent):
        count = f"{len(silent)} of {len(rows)} places on its ways"
        return f"{robot.name}: {count} have neither outline nor clearance; {wide}"
    if steps.any():
        count = f"{int(steps.sum())} of {len(steps)} steps between places"
        return f"{robot.name}: nothing tells the width of {count}; {wide}"
    return ""
