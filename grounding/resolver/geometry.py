"""Distances and directions between nodes, vectorized over the candidates. All in the map frame."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.grounding.nodes import Nodes
from commonground.grounding.outlines import Outlines
from commonground.grounding.world import World
from commonground.robots import Robot

COMPASS: dict[str, tuple[float, float]] = {
    "east": (1.0, 0.0),
    "northeast": (math.sqrt(0.5), math.sqrt(0.5)),
    "north": (0.0, 1.0),
    "northwest": (-math.sqrt(0.5), math.sqrt(0.5)),
    "west": (-1.0, 0.0),
    "southwest": (-math.sqrt(0.5), -math.sqrt(0.5)),
    "south": (0.0, -1.0),
    "southeast": (math.sqrt(0.5), -math.sqrt(0.5)),
}
"""Unit vectors (x east, y north)."""

STACKED_M = 0.15
"""What bounds may be off by where one thing is on another."""

TOUCHING_M = 0.5
"""Between things that are nearer to each other nothing fits; then it is their middles that count."""


@dataclass(frozen=True, slots=True, eq=False)
class Anchor:
    """What something is measured from: a node or a robot."""

    name: str
    position: Floats
    """(3,)"""
    region: str | None = None
    """Its symbol, if it is a region: distances to it are distances to its border."""
    yaw: float | None = None
    """Heading of a robot, counter-clockwise from east."""
    outline: Outlines | None = None
    """Of a node; a robot is where it stands."""

    @property
    def ground(self) -> Outlines:
        return self.outline if self.outline is not None else Outlines.of(self.position[None])


def node_anchor(world: World, symbol: str) -> Anchor:
    found = world.find(symbol)
    if found is None:
        raise KeyError(symbol)
    nodes, row = found
    region = symbol if nodes.kind == "region" else None
    return Anchor(symbol, nodes.positions[row], region, outline=nodes.outlines.take([row]))


def robot_anchor(robot: Robot) -> Anchor:
    R = robot.T_map_robot
    return Anchor(robot.name, robot.position, yaw=math.atan2(R[1, 0], R[0, 0]))


def distances(world: World, nodes: Nodes, rows: Ints, anchor: Anchor) -> Floats:
    """Return the meters (n,) on the ground of nodes from an anchor: between the nearest points of both.

    Where both meet, or one is inside a region, it is the centers that order things, scaled down below every
    distance of things apart.
    """
    away = nodes.positions[rows, :2] - anchor.position[:2]
    outlines, center = nodes.outlines.take(rows), np.linalg.norm(away, axis=1)
    if nodes.kind == "region":
        points = _points_of(anchor.ground)[0]
        gap = np.array([_points_to_region(world, int(r), points).min() for r in rows])
    elif anchor.region is not None:
        found = world.find(anchor.region)
        points = _points_of(outlines)
        flat = _points_to_region(world, found[1] if found else 0, points.reshape(-1, 2))
        gap = flat.reshape(points.shape[:2]).min(axis=1)
    else:
        gap = outlines.to_one(anchor.ground)
    return np.where(gap > 0, gap, 1e-6 * center)


def _points_of(outlines: Outlines) -> Floats:
    """Return points (n, 9, 2) of outlines: corners, middles of sides and centers."""
    corners = outlines.corners()
    sides = (corners + np.roll(corners, 1, axis=1)) / 2
    return np.concatenate([corners, sides, outlines.centers[:, None]], axis=1)


def _points_to_region(world: World, row: int, points: Floats) -> Floats:
    """Return the meters (n,) from points (n, 2) to a region: to the bounds of its nearest places."""
    regions, places = world.regions, world.places
    own = np.flatnonzero(places.region == row) if len(places) else np.empty(0, np.int64)
    if len(own) == 0:
        return _gap(points, regions.low[row], regions.high[row])
    from scipy.spatial import cKDTree

    tree = cKDTree(places.positions[own][:, :2])
    k = min(6, len(own))
    _, near = tree.query(points, k=k)
    near = own[np.asarray(near).reshape(len(points), k)]
    return np.asarray(_gap(points[:, None], places.low[near], places.high[near]).min(axis=1))


def _gap(points: Floats, low: Floats, high: Floats) -> Floats:
    low, high = low[..., :2], high[..., :2]
    outside = np.maximum(np.maximum(low - points, points - high), 0.0)
    return np.asarray(np.linalg.norm(outside, axis=-1))


def coordinate(nodes: Nodes, rows: Ints, direction: str) -> Floats:
    """Return how far (n,) nodes lie in a compass direction."""
    return np.asarray(nodes.positions[rows, :2] @ np.array(COMPASS[direction]))


def in_direction(nodes: Nodes, rows: Ints, direction: str, anchor: Anchor) -> Bools:
    """Return which nodes (n,) lie in a compass direction of an anchor: within its quarter."""
    offset = nodes.positions[rows, :2] - anchor.position[:2]
    along = offset @ np.array(COMPASS[direction])
    distance = np.linalg.norm(offset, axis=1)
    return np.asarray((along >= math.cos(math.pi / 4) * distance - 1e-9) & (distance > 0))


def bearings(nodes: Nodes, rows: Ints, robot: Robot) -> Floats:
    """Return the angles (n,) of nodes from a robot's heading, counter-clockwise, in (−π, π]."""
    anchor = robot_anchor(robot)
    offset = nodes.positions[rows, :2] - anchor.position[:2]
    angle = np.arctan2(offset[:, 1], offset[:, 0]) - (anchor.yaw or 0.0)
    return np.asarray(np.angle(np.exp(1j * angle)))


def on_side_of_robot(nodes: Nodes, rows: Ints, side: str, robot: Robot) -> Bools:
    """Return which nodes (n,) are to the left or right of, in front of or behind a robot."""
    angle = bearings(nodes, rows, robot)
    if side == "left":
        return np.asarray(angle > 0)
    if side == "right":
        return np.asarray(angle < 0)
    if side == "front":
        return np.asarray(np.abs(angle) <= math.pi / 3)
    return np.asarray(np.abs(angle) >= 2 * math.pi / 3)


def on_side_of_thing(nodes: Nodes, rows: Ints, side: str, anchor: Anchor, viewer: Robot) -> Bools:
    """Return which nodes (n,) are on a side of a thing, as the robot sees it from where it stands."""
    view = anchor.position[:2] - viewer.position[:2]
    view = view / max(float(np.linalg.norm(view)), 1e-9)
    offset = nodes.positions[rows, :2] - anchor.position[:2]
    away, left = offset @ view, offset @ np.array([-view[1], view[0]])
    apart = np.linalg.norm(offset, axis=1) > 1e-6
    sides = {
        "left": left >= np.abs(away),
        "right": -left >= np.abs(away),
        "front": -away >= np.abs(left),
        "behind": away >= np.abs(left),
    }
    return np.asarray(sides[side] & apart)


def between(nodes: Nodes, rows: Ints, first: Anchor, last: Anchor) -> Bools:
    """Return which nodes (n,) are between two anchors: near the line that joins them, not past its ends.

    Of each anchor it is the point nearest to the other's middle that counts: a long fence has no one middle.
    """
    a = first.ground.nearest_to(last.position[:2])[0]
    b = last.ground.nearest_to(first.position[:2])[0]
    if np.linalg.norm(b - a) < TOUCHING_M:
        a, b = first.position[:2], last.position[:2]
    span = b - a
    length = max(float(np.linalg.norm(span)), 1e-9)
    offset = nodes.positions[rows, :2] - a
    along = offset @ span / length**2
    aside = np.abs(offset @ np.array([-span[1], span[0]])) / length
    return np.asarray((along > 0) & (along < 1) & (aside <= max(0.25 * length, 1.0)))


def stacked(nodes: Nodes, rows: Ints, how: str, below: Nodes, row: int) -> Bools:
    """Return which nodes (n,) are on, under, above or in a thing, by the bounds of both."""
    at, low, high = nodes.positions[rows], nodes.low[rows, 2], nodes.high[rows, 2]
    base, top = below.low[row] - STACKED_M, below.high[row] + STACKED_M
    over = ((at[:, :2] >= base[:2]) & (at[:, :2] <= top[:2])).all(axis=1)
    over &= np.array([nodes is not below or int(r) != row for r in rows], bool)
    middle = 0.5 * (base[2] + top[2])
    heights = {
        "on": (low >= middle) & (low <= top[2]),
        "above": low >= top[2] - 2 * STACKED_M,
        "under": high <= top[2],
        "in": (at[:, 2] >= base[2]) & (at[:, 2] <= top[2]),
    }
    return np.asarray(over & heights[how])
