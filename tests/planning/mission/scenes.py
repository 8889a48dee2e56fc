"""A small site for missions: a row of places with a loop around it, so that every way has another one."""

from __future__ import annotations

import numpy as np

from commonground.geometry import from_xyz_yaw
from commonground.robots import Robot, Team
from commonground.scene import Edges, Layer, SceneGraph
from commonground.scene.layer import OBJECTS, REGIONS, SURFACE_PLACES
from commonground.symbols import node_ids

SIDE = 7
STEP_M = 2.0
THINGS = {0: (6, 6), 1: (3, 0), 2: (0, 6), 3: (6, 0), 4: (3, 3)}
"""Number of a thing → column and row of the place it lies on."""
HANDS = frozenset({"goto", "inspect", "pick", "place"})


def place(column: int, row: int) -> str:
    return f"P{column * SIDE + row}"


def at(column: int, row: int) -> tuple[float, float, float]:
    return (column * STEP_M, row * STEP_M, 0.0)


def grid() -> SceneGraph:
    """Return a grid of places two meters apart, five things, and a region for each half."""
    cells = [(c, r) for c in range(SIDE) for r in range(SIDE)]
    points = np.array([at(c, r) for c, r in cells])
    index = {cell: k for k, cell in enumerate(cells)}
    rows = [(index[c, r], index[c + 1, r]) for c, r in cells if c + 1 < SIDE]
    rows += [(index[c, r], index[c, r + 1]) for c, r in cells if r + 1 < SIDE]
    hosts = [index[cell] for cell in THINGS.values()]
    region = (points[:, 1] > 5.0).astype(int)
    graph = SceneGraph(
        layers={
            "objects": Layer.of(
                OBJECTS,
                node_ids("O", np.array(list(THINGS))),
                points[hosts] + [0.3, 0.0, 0.0],
                labels=np.zeros(len(THINGS)),
                names=["box"] * len(THINGS),
            ),
            "surface_places": Layer.of(
                SURFACE_PLACES, node_ids("P", np.arange(len(points))), points, edges=Edges.of(rows)
            ),
            "regions": Layer.of(
                REGIONS,
                node_ids("R", np.arange(2)),
                np.stack([points[region == k].mean(axis=0) for k in (0, 1)]),
            ),
        },
        labelspaces={"objects": {0: "box"}},
    )
    graph = graph.with_links("objects", "surface_places", np.c_[np.arange(len(hosts)), hosts])
    return graph.with_links("surface_places", "regions", np.c_[np.arange(len(points)), region])


def team(**starts: tuple[int, int]) -> Team:
    """Return robots with hands, each at a column and row."""
    return Team(
        {name: Robot(name, from_xyz_yaw([*at(*cell), 0.0]), HANDS) for name, cell in starts.items()}
    )
