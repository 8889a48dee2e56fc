"""What stands in the way and is not in the map: things that robots met, and robots that are out of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Bools, Floats, Ints
from commonground.planning.robots.protocol import REACH_M, Point
from commonground.planning.scene.execution import NEAR
from commonground.scene import Boxes, Edges, Layer, SceneGraph
from commonground.scene.layer import NO_LABEL
from commonground.symbols import indices_of, node_ids

Number = TypeVar("Number", bound=np.generic)

HEIGHT_M = 1.0
CORNER = 1.5
"""Obstacles are planned for as squares, whose corners are that much farther out."""
SAME_M = 0.3
STEP_M = 0.05
ARM_M = REACH_M - 0.1
"""From so far a thing is planned to be reached."""


class Obstacle(NamedTuple):
    """Something on the ground."""

    position: Point
    half_m: float
    """From its middle to its sides."""

    def same_as(self, other: Obstacle) -> bool:
        """Return whether both are one thing, seen twice."""
        return bool(np.hypot(*np.subtract(self.position[:2], other.position[:2])) < SAME_M)


def _leaving(layer: Layer, obstacle: Obstacle, first: Ints) -> Bools:
    """Return which edges (m,) lead from some places away from an obstacle."""
    gap = np.linalg.norm(layer.positions[:, :2] - np.array(obstacle.position[:2]), axis=1)
    rows = layer.edges.rows
    out = np.zeros(len(rows), bool)
    for one, two in ((0, 1), (1, 0)):
        begin, end = rows[:, one], rows[:, two]
        away = (layer.positions[begin, :2] - np.array(obstacle.position[:2])) * (
            layer.positions[end, :2] - layer.positions[begin, :2]
        )
        out |= np.isin(begin, first) & (away.sum(axis=1) >= 0.0) & (gap[end] > gap[begin])
    return out


def edges_near(layer: Layer, obstacle: Obstacle, radius_m: float) -> Bools:
    """Return which edges (m,) of a layer a robot cannot drive along without touching an obstacle."""
    a, b = (layer.positions[layer.edges.rows[:, k], :2] for k in (0, 1))
    at = np.array(obstacle.position[:2])
    along = b - a
    share = ((at - a) * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-18)
    gap = np.linalg.norm(a + np.clip(share, 0.0, 1.0)[:, None] * along - at, axis=1)
    return np.asarray(gap < obstacle.half_m + radius_m)


def with_obstacles(
    graph: SceneGraph,
    name: str,
    obstacles: Sequence[Obstacle],
    radius_m: float,
    starts: Sequence[str] = (),
    *,
    known: Layer,
) -> SceneGraph:
    """Return the scene with obstacles among its objects; where outlines tell no ground, edges are cut.

    None of them gets the symbol of a thing that is ``known``, whether it is in the scene or gone.

    ``radius_m`` is that of the thinnest robot; planning keeps thicker ones farther away. From ``starts``,
    the places of robots, they may drive away from what they stand by.
    """
    if not obstacles:
        return graph
    graph = graph.with_layer("objects", added(graph.objects, obstacles, known))
    layer = graph.layers[name]
    if layer.boundaries is not None:
        return graph
    keep = np.ones(len(layer.edges), bool)
    first = layer.rows(list(starts))
    for obstacle in obstacles:
        keep &= ~edges_near(layer, obstacle, radius_m) | _leaving(layer, obstacle, first)
    edges = Edges.of(layer.edges.rows[keep], layer.edges.weights[keep])
    return graph.with_layer(name, replace(layer, edges=edges))


def handled_from_places(
    graph: SceneGraph, name: str, obstacles: Sequence[Obstacle], radius_m: float
) -> tuple[SceneGraph, dict[str, Floats]]:
    """Return the scene with things that stand by an obstacle where robots reach them, and where they are.

    A robot that went up to such a thing would touch the obstacle; it can reach it from the next free place,
    or on the way from there. What is out of reach from all is not in the scene. The box of a thing stays
    where it really is, as one more thing to keep away from.
    """
    things, places = graph.objects, graph.layers[name]
    if not obstacles or not len(things):
        return graph, {}
    at = np.array([o.position[:2] for o in obstacles])
    room = np.array([o.half_m for o in obstacles]) + radius_m

    def shut(points: Floats) -> Bools:
        gap = np.linalg.norm(points[:, None, :2] - at, axis=2)
        return np.asarray((gap < room * CORNER).any(axis=1))

    def touching(points: Floats) -> Bools:
        gap = np.abs(points[:, None, :2] - at)
        return np.asarray((gap < room[:, None]).all(axis=2).any(axis=1))

    free = ~shut(places.positions)
    positions, really = things.positions.copy(), {}
    kept = np.ones(len(things), bool)
    for row in np.flatnonzero(shut(positions)).tolist():
        _, near = graph.nearest(name, positions[row], min(NEAR, len(places)))
        really[things.symbols[row]] = positions[row].copy()
        stands = (
            _stand(positions[row], places.positions[k], touching) for k in near[0][free[near[0]]]
        )
        stand = next((s for s in stands if s is not None), None)
        kept[row] = stand is not None
        positions[row] = positions[row] if stand is None else stand
    moved = replace(things, positions=positions)
    if really and things.boxes is not None:
        rows = things.rows(list(really))
        sizes = things.boxes.sizes.copy()
        sizes[rows] = np.nan
        boxed = rows[things.boxes.valid[rows]]
        wide = np.linalg.norm(things.boxes.sizes[boxed, :2], axis=1) / 2
        left = [
            Obstacle((p[0], p[1], p[2]), half)
            for p, half in zip(things.positions[boxed].tolist(), wide.tolist(), strict=True)
        ]
        moved = added(replace(moved, boxes=replace(things.boxes, sizes=sizes)), left, things)
    graph = graph.with_layer("objects", moved)
    return graph.take("objects", np.r_[kept, np.ones(len(moved) - len(kept), bool)]), really


def _stand(thing: Floats, place: Floats, touching: Callable[[Floats], Bools]) -> Floats | None:
    """Return where a robot reaches a thing: at a free place, or as far before it as that takes."""
    away_m = float(np.hypot(*(place - thing)[:2]))
    if away_m <= ARM_M:
        return place
    steps = np.arange(0.0, ARM_M, STEP_M)[:, None]
    points = thing + (place - thing) * (steps / away_m)
    open_ = np.flatnonzero(~touching(points))
    return None if len(open_) == 0 else np.array([*points[open_[0], :2], place[2]])


def added(things: Layer, obstacles: Sequence[Obstacle], known: Layer) -> Layer:
    """Return a layer of objects with nodes of no class and no parent at its end, by symbols of their own."""
    n, k = len(things), len(obstacles)
    centers = np.array([o.position for o in obstacles], float).reshape(k, 3) + [0, 0, HEIGHT_M / 2]
    sizes = np.array([[2 * o.half_m, 2 * o.half_m, HEIGHT_M] for o in obstacles]).reshape(k, 3)
    boxes = things.boxes
    if boxes is None:
        boxes = Boxes.axis_aligned(things.positions, np.full((n, 3), np.nan))
    first = int(indices_of(np.r_[known.ids, things.ids]).max(initial=0)) + 1

    def longer(column: NDArray[Number], fill: float) -> NDArray[Number]:
        more = np.full((k, *column.shape[1:]), fill, column.dtype)
        return np.concatenate([column, more])

    return replace(
        things,
        ids=np.concatenate([things.ids, node_ids("O", np.arange(first, first + k))]),
        positions=np.concatenate([things.positions, centers]),
        labels=np.concatenate([things.labels, np.full(k, NO_LABEL, np.int32)]),
        names=(*things.names, *["obstacle"] * k),
        boxes=Boxes.joined([boxes, Boxes.axis_aligned(centers, sizes)]),
        features=None if things.features is None else longer(things.features, np.nan),
        columns={name: longer(column, 0) for name, column in things.columns.items()},
        extras=(*things.extras, *[{}] * k) if things.extras else (),
    )
