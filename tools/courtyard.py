"""Lay out the bundled sample scene by hand and write ``commonground/data/courtyard.json``."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from commonground.scene import Boxes, Edges, Layer, Ragged, SceneGraph, save_scene
from commonground.scene.layer import OBJECTS, REGIONS, SURFACE_PLACES
from commonground.symbols import node_ids

STEP_M = 4.0
"""Side of a surface place."""

# x0, y0, x1, y1 in steps; later rows lie on top of earlier ones
REGION_PLAN = [
    ("grass", "south lawn", (0, 0, 16, 4)),
    ("grass", "north lawn", (0, 8, 9, 14)),
    ("road", "main street", (0, 4, 16, 6)),
    ("sidewalk", "sidewalk", (0, 6, 16, 7)),
    ("plaza", "plaza", (0, 7, 9, 9)),
    ("parking lot", "east parking lot", (9, 7, 16, 14)),
    ("path", "garden path", (4, 9, 5, 14)),
    ("shelter", "bus shelter", (12, 3, 14, 4)),
]
# class, color, x, y in meters, size x y z in meters
OBJECT_PLAN = [
    *(
        ("tree", "green", x, y, (1.6, 1.6, 5.0))
        for x, y in [(5, 4), (14, 9), (27, 5), (40, 8), (58, 5)]
    ),
    *(("tree", "green", x, y, (1.6, 1.6, 5.0)) for x, y in [(4, 42), (12, 50), (30, 40), (33, 52)]),
    *(
        ("vehicle", c, x, 33, (1.9, 4.5, 1.5))
        for c, x in [("red", 40), ("white", 44), ("blue", 52), ("black", 60)]
    ),
    *(("vehicle", c, x, 51, (1.9, 4.5, 1.5)) for c, x in [("white", 42), ("red", 56)]),
    *(("sign", "yellow", x, 27, (0.6, 0.1, 2.2)) for x in (6, 22, 38, 54)),
    *(("pole", "gray", x, 25.5, (0.2, 0.2, 4.0)) for x in (10, 30, 50)),
    *(
        ("seating", "brown", x, y, (1.6, 0.6, 0.8))
        for x, y in [(8, 33), (20, 33), (50, 14.5), (53, 14.5)]
    ),
    *(("trash", "green", x, y, (0.6, 0.6, 1.0)) for x, y in [(24, 31), (48.6, 13), (37, 54)]),
    *(
        ("box", c, x, y, (0.5, 0.5, 0.5))
        for c, x, y in [("brown", 16, 35), ("white", 46, 45), ("brown", 48, 47)]
    ),
    *(("barrel", c, x, y, (0.6, 0.6, 0.9)) for c, x, y in [("blue", 38, 42), ("orange", 62, 42)]),
    *(("bicycle", c, x, y, (1.7, 0.5, 1.1)) for c, x, y in [("red", 28, 31.5), ("blue", 30, 31.5)]),
    *(("bag", c, x, y, (0.4, 0.3, 0.4)) for c, x, y in [("black", 20.8, 34), ("red", 52, 13.4)]),
    ("flag", "blue", 18, 30, (0.3, 0.3, 6.0)),
    ("rock", "gray", 10, 13, (1.2, 0.9, 0.7)),
    ("fence", "gray", 18, 55, (30.0, 0.2, 1.2)),
]
COLORS = {
    "green": (60, 130, 60), "red": (190, 40, 40), "white": (235, 235, 235), "blue": (50, 80, 180),
    "black": (30, 30, 30), "yellow": (230, 200, 40), "gray": (140, 140, 140), "brown": (130, 90, 50),
    "orange": (230, 130, 30),
}  # fmt: skip


def courtyard() -> SceneGraph:
    """Return the sample: square surface places, regions of the plan, objects on the place below them."""
    surfaces = sorted({kind for kind, _, _ in REGION_PLAN})
    cells = {
        (i, j): r
        for r, (_, _, (x0, y0, x1, y1)) in enumerate(REGION_PLAN)
        for i in range(x0, x1)
        for j in range(y0, y1)
    }
    grid = sorted(cells)
    row = {cell: k for k, cell in enumerate(grid)}
    centers = (np.array(grid) + 0.5) * STEP_M
    square = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * STEP_M / 2
    steps = ((1, 0), (0, 1), (1, 1), (1, -1))
    edges = [
        (row[c], row[n]) for c in grid for d in steps if (n := (c[0] + d[0], c[1] + d[1])) in row
    ]
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(len(grid))),
        np.c_[centers, np.zeros(len(grid))],
        labels=[surfaces.index(REGION_PLAN[cells[c]][0]) for c in grid],
        names=[REGION_PLAN[cells[c]][0] for c in grid],
        edges=Edges.of(edges),
        boundaries=Ragged.of([square + [*c, 0.0] for c in centers]),
    )
    place_region = np.array([cells[c] for c in grid])
    regions = Layer.of(
        REGIONS,
        node_ids("R", np.arange(len(REGION_PLAN))),
        [np.append(centers[place_region == r].mean(axis=0), 0.0) for r in range(len(REGION_PLAN))],
        labels=[surfaces.index(kind) for kind, _, _ in REGION_PLAN],
        names=[kind for kind, _, _ in REGION_PLAN],
        extras=tuple({"metadata": {"name": name}} for _, name, _ in REGION_PLAN),
    )
    classes = sorted({kind for kind, *_ in OBJECT_PLAN})
    at = np.array([(x, y, size[2] / 2) for _, _, x, y, size in OBJECT_PLAN])
    objects = Layer.of(
        OBJECTS,
        node_ids("O", np.arange(len(OBJECT_PLAN))),
        at,
        labels=[classes.index(kind) for kind, *_ in OBJECT_PLAN],
        names=[kind for kind, *_ in OBJECT_PLAN],
        boxes=Boxes.axis_aligned(at, np.array([size for *_, size in OBJECT_PLAN])),
        columns={"color": np.array([COLORS[c] for _, c, *_ in OBJECT_PLAN], np.uint8)},
        extras=tuple({"metadata": {"color": color}} for _, color, *_ in OBJECT_PLAN),
    )
    below = [row[int(x // STEP_M), int(y // STEP_M)] for x, y in at[:, :2]]
    graph = SceneGraph(
        layers={"objects": objects, "surface_places": places, "regions": regions},
        labelspaces={
            "objects": dict(enumerate(classes)),
            "surface_places": dict(enumerate(surfaces)),
            "regions": dict(enumerate(surfaces)),
        },
    )
    graph = graph.with_links("objects", "surface_places", list(enumerate(below)))
    return graph.with_links("surface_places", "regions", list(enumerate(place_region)))


if __name__ == "__main__":
    save_scene(
        courtyard(),
        Path(__file__).resolve().parents[1] / "commonground" / "data" / "courtyard.json",
    )
