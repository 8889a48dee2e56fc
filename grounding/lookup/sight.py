"""What can be seen from a point: straight lines to things, past boxes and the surfaces of the mesh."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import from_quat_wxyz
from commonground.rays import Triangles
from commonground.scene import SceneGraph
from commonground.scene.graph import Mesh

SIGHT_M = 30.0
"""Farther things are not told apart by a robot's camera."""
EYE_M = 1.0
"""Height of the eye above what one stands on."""
SLACK_M = 0.3
"""So near to a thing's box a hit surface is the thing's own."""
POINTS = np.array([[0, 0, 0], [0, 0, 0.8], [0.8, 0, 0], [-0.8, 0, 0], [0, 0.8, 0], [0, -0.8, 0]])
"""Where a thing is looked at, in half sizes of its box: one of these in sight is enough."""
_BATCH = 200


def in_sight(graph: SceneGraph, name: str, eye: Floats, anchor: int = -1) -> Bools:
    """Return which nodes (n,) of a layer are in sight of an eye (3,).

    What hides them is the mesh where the graph has one, else the boxes of the other objects. The object of
    row ``anchor``, from which one looks, hides nothing.
    """
    nodes = graph.layer(name)
    out = np.zeros(len(nodes), bool)
    near = np.flatnonzero(np.linalg.norm(nodes.positions - eye, axis=1) <= SIGHT_M)
    walls = None if graph.mesh is None or not len(graph.mesh.faces) else _Walls(graph.mesh)
    for start in range(0, len(near), _BATCH):
        rows = near[start : start + _BATCH]
        looked_at = _looked_at(graph, name, rows)
        if walls is not None:
            seen = walls.clear(eye, looked_at, _reach(graph, name, rows))
        else:
            seen = ~_hidden(graph, name, rows, eye, looked_at, anchor)
        out[rows] = seen.any(axis=1)
    return out


def _looked_at(graph: SceneGraph, name: str, rows: Ints) -> Floats:
    """Return the points (k, p, 3) at which nodes are looked at."""
    nodes = graph.layer(name)
    centers = np.repeat(nodes.positions[rows][:, None], len(POINTS), axis=1)
    if nodes.boxes is None:
        return centers
    valid = nodes.boxes.valid[rows]
    turned = from_quat_wxyz(nodes.boxes.quat_wxyz[rows])
    offsets = (POINTS[None] * nodes.boxes.sizes[rows][:, None] / 2) @ np.swapaxes(turned, 1, 2)
    boxed = nodes.boxes.centers[rows][:, None] + offsets
    return np.asarray(np.where(valid[:, None, None], boxed, centers))


def _reach(graph: SceneGraph, name: str, rows: Ints) -> Floats:
    """Return how far (k,) a node's own surface lies from its middle at most."""
    boxes = graph.layer(name).boxes
    if boxes is None:
        return np.full(len(rows), SLACK_M)
    sizes = np.nan_to_num(boxes.sizes[rows])
    return np.asarray(SLACK_M + np.linalg.norm(sizes, axis=1) / 2)


def _hidden(
    graph: SceneGraph, name: str, rows: Ints, eye: Floats, targets: Floats, anchor: int
) -> Bools:
    """Return which points (k, p) some other object's box hides: the slab test, in each box's frame."""
    boxes = graph.objects.boxes
    hidden = np.zeros(targets.shape[:2], bool)
    if boxes is None:
        return hidden
    for other in np.flatnonzero(boxes.valid):
        turned = from_quat_wxyz(boxes.quat_wxyz[other][None])[0]
        start = (eye - boxes.centers[other]) @ turned
        half = boxes.sizes[other] / 2
        if other == anchor or (np.abs(start) <= half).all():
            continue
        way = (targets - eye) @ turned
        with np.errstate(divide="ignore", invalid="ignore"):
            a, b = (-half - start) / way, (half - start) / way
        into = np.nanmax(np.minimum(a, b), axis=-1)
        out_of = np.nanmin(np.maximum(a, b), axis=-1)
        crossed = (into < out_of) & (into < 1) & (out_of > 0)
        if name == "objects":
            crossed[rows == other] = False
        hidden |= crossed
    return hidden


class _Walls:
    """The surfaces of a mesh, as rays meet them."""

    def __init__(self, mesh: Mesh) -> None:
        self._triangles = Triangles(mesh.vertices, mesh.faces)

    def clear(self, eye: Floats, targets: Floats, reach: Floats) -> Bools:
        """Return which points (k, p) no surface hides but that of the thing itself."""
        way = targets - eye
        length = np.linalg.norm(way, axis=-1)
        rays = np.concatenate([np.broadcast_to(eye, way.shape), way], axis=-1).astype(np.float32)
        cast = self._triangles.cast(rays)
        share = np.minimum(cast["t_hit"].numpy(), 1.0)
        return np.asarray(share * length >= length - reach[:, None])
