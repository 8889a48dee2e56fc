"""Random scenes of places in square cells: fields, crowds, corridors with bays, and rings."""

from __future__ import annotations

import itertools

import numpy as np

from commonground.scene import Edges, Layer, Ragged, SceneGraph
from commonground.scene.layer import OBJECTS, PLACES, SURFACE_PLACES
from commonground.symbols import node_ids

KINDS = ("field", "crowd", "corridor", "ring")
ABLE = frozenset({"goto", "inspect", "pick", "place"})
IN_AIR_M = 2.5
"""Places in the air are so much higher than the ground."""


def drawn(
    cells: set[tuple[int, int]], rng: np.random.Generator, things: int, plain: bool = False
) -> SceneGraph:
    """Return a scene with a place in each cell, linked to its four neighbors.

    Places are not quite in the middle of their cells. Outlines or clearances tell how wide the ground is, or
    nothing does; a graph of 3D places has some in the air as well.
    """
    corner = [[-0.5, -0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0]]
    middle = np.array([[float(x), float(y), 0.0] for x, y in sorted(cells)])
    form = "bare" if plain else ("bare", "outlines", "3D")[rng.integers(3)]
    off_m = 0.0 if plain else float(rng.choice([0.0, 0.0, 0.1]))
    at = middle + np.pad(rng.uniform(-off_m, off_m, (len(middle), 2)), ((0, 0), (0, 1)))
    known = {cell: k for k, cell in enumerate(sorted(cells))}
    links = [
        (k, known[q]) for (x, y), k in known.items() for q in ((x + 1, y), (x, y + 1)) if q in known
    ]
    points, columns = at, {}
    if form == "3D":
        air = rng.choice(len(at), 3, replace=False)
        points = np.r_[at, at[air] + [0.0, 0.0, IN_AIR_M]]
        links += [(int(k), len(at) + j) for j, k in enumerate(air)]
        links += [(len(at) + i, len(at) + j) for i, j in ((0, 1), (1, 2))]
        columns = {"clearance_m": np.full(len(points), 0.45)}
    kind = PLACES if form == "3D" else SURFACE_PLACES
    places = Layer.of(
        kind,
        node_ids("p" if form == "3D" else "P", np.arange(len(points))),
        points,
        edges=Edges.of(links),
        columns=columns,
        boundaries=Ragged.of([p + corner for p in middle]) if form == "outlines" else None,
    )
    hosts = rng.choice(len(at), things, replace=False)
    objects = Layer.of(OBJECTS, node_ids("O", np.arange(things)), at[hosts] + [0.0, 0.2, 0.0])
    name = "places" if form == "3D" else "surface_places"
    graph = SceneGraph(layers={name: places, "objects": objects})
    return graph.with_links("objects", name, list(enumerate(hosts)))


def cells_of(kind: str, rng: np.random.Generator) -> set[tuple[int, int]]:
    """Return the cells of a kind of scene."""
    if kind == "field":
        return set(itertools.product(range(12), range(12)))
    if kind == "crowd":
        return set(itertools.product(range(6), range(6)))
    length = int(rng.integers(8, 16))
    cells = {(x, 0) for x in range(length)}
    if kind == "ring":
        return (
            cells
            | {(x, 3) for x in range(length)}
            | {(x, y) for x in (0, length - 1) for y in (1, 2)}
        )
    for x in rng.choice(length, int(rng.integers(1, 4)), replace=False):
        cells |= {(int(x), 1), (int(x), 2)}
    return cells


def layer_of(graph: SceneGraph) -> str:
    return "places" if graph.has("places") else "surface_places"
