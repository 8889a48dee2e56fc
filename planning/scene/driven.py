"""What is wrong with a driven line: ground, widths and slopes that bear no robot, and what it touches."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.planning.scene.execution import NEAR, THERE_M, Execution
from commonground.planning.scene.footing import host_row, leads_on, under
from commonground.planning.scene.footprints import footprints_of
from commonground.planning.scene.plan import Action
from commonground.planning.scene.widths import widths_of
from commonground.robots import Robot
from commonground.symbols import symbol_of


def line_faults(now: Execution, robot: Robot, action: Action) -> list[str]:
    """Return everything that is wrong with the line of a motion and the places it leads along."""
    rows = np.array([now.row(place) for place in action.places], np.int64)
    finite = np.isfinite(action.path_map).all()
    faults = [] if finite else ["a waypoint is not finite"]
    faults += _gaps(now, rows, action)
    faults += _too_much_for(robot, now, rows)
    faults += _unjoined(robot, now, rows, action)
    faults += _too_narrow_ways(robot, now, rows, action.path_map)
    faults += _off_the_ground(robot, now, rows, action.path_map)
    faults += _off_the_lines(robot, now, action)
    faults += _in_the_air(now, rows, action)
    faults += _elsewhere(now, action)
    faults += [f"the path touches {thing}" for thing in _touched(now, robot, action.path_map)]
    return faults


def _gaps(now: Execution, rows: Ints, action: Action) -> Iterator[str]:
    """Yield the places after one another that no edge joins."""
    linked = now.graph.adjacency(now.layer)
    meters = np.asarray(linked[rows[:-1], rows[1:]]).ravel() if len(rows) > 1 else np.ones(0)
    for k in np.flatnonzero(meters == 0).tolist():
        yield f"{action.places[k]} and {action.places[k + 1]} are no neighbors"


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
    if not unknown[-1] or action.target in now.lies or not now.is_thing(action.target):
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
    known[-1] |= now.is_thing(action.target)
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
    if now.is_thing(action.target):
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


def _touched(now: Execution, robot: Robot, line: Floats) -> Iterator[str]:
    """Yield the things, not moved so far, that a robot touches on its way along a line (k, 3)."""
    objects = now.graph.objects
    prints = footprints_of(objects)
    for k in np.unique(prints.hits(line[:-1], line[1:], robot.radius_m, line[[0, -1]])[0]):
        thing = symbol_of(int(objects.ids[prints.rows[k]]))
        if thing not in now.lies and thing != now.holding:
            yield thing
