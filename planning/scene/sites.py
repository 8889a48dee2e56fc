"""Made-up sites for measuring planners: a jittered grid with holes, square regions, scattered objects."""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.geometry import from_xyz_yaw
from commonground.robots import Robot, Team
from commonground.scene import Edges, Layer, SceneGraph
from commonground.scene.layer import OBJECTS, REGIONS, SURFACE_PLACES
from commonground.scene.parts import connected
from commonground.symbols import node_ids

HOLES = 0.12
"""Share of the ground that obstacles take."""
REGION_M = 8.0


def make_site(places: int, objects: int, rng: np.random.Generator) -> tuple[SceneGraph, Team]:
    """Return a site of about so many places a meter apart, and a Spot at its corner."""
    side = math.ceil(math.sqrt(places / (1 - HOLES)))
    points, edges = _ground(side, places, rng)
    tiles = max(2, round(side / REGION_M))
    tile = np.clip(points[:, :2] / side * tiles, 0, tiles - 1).astype(int) @ [tiles, 1]
    used, region = np.unique(tile, return_inverse=True)
    hosts = rng.choice(len(points), objects, replace=False)
    spread = rng.uniform(-0.4, 0.4, (objects, 3)) * [1, 1, 0]
    graph = SceneGraph(
        layers={
            "objects": Layer.of(
                OBJECTS,
                node_ids("O", np.arange(objects)),
                points[hosts] + spread,
                labels=np.zeros(objects),
                names=["box"] * objects,
            ),
            "surface_places": Layer.of(
                SURFACE_PLACES, node_ids("P", np.arange(len(points))), points, edges=Edges.of(edges)
            ),
            "regions": Layer.of(
                REGIONS,
                node_ids("R", np.arange(len(used))),
                np.stack([points[region == r].mean(axis=0) for r in range(len(used))]),
            ),
        },
        labelspaces={"objects": {0: "box"}},
    )
    graph = graph.with_links("objects", "surface_places", np.c_[np.arange(objects), hosts])
    graph = graph.with_links("surface_places", "regions", np.c_[np.arange(len(points)), region])
    pose = from_xyz_yaw([*points[0, :2] + 0.1, 0.0, 0.0])
    spot = Robot("spot", pose, frozenset({"goto", "inspect", "pick", "place"}))
    return graph, Team({"spot": spot})


def _ground(side: int, places: int, rng: np.random.Generator) -> tuple[Floats, Ints]:
    """Return the connected ground (n, 3) left between obstacles, and its edges to eight neighbors."""
    ij = np.stack(np.meshgrid(np.arange(side), np.arange(side), indexing="ij"), -1).reshape(-1, 2)
    points = ij + rng.uniform(-0.25, 0.25, ij.shape)
    keep = np.ones(len(points), bool)
    while keep.sum() > places * 1.03:
        middle, radius = rng.uniform(0, side, 2), rng.uniform(0.8, 2.5)
        hole = np.linalg.norm(points - middle, axis=1) < radius
        if (keep & ~hole).sum() < places:
            break
        keep &= ~hole
    index = np.arange(side * side).reshape(side, side)
    pairs = [
        np.c_[
            index[: side - di, max(0, -dj) : side - max(0, dj)].ravel(),
            index[di:, max(0, dj) : side + min(0, dj)].ravel(),
        ]
        for di, dj in ((0, 1), (1, 0), (1, 1), (1, -1))
    ]
    edges = np.concatenate(pairs)
    edges = edges[keep[edges].all(axis=1)]
    part = connected(len(points), edges)
    main = keep & (part == np.bincount(part[keep]).argmax())
    new = np.cumsum(main) - 1
    edges = edges[main[edges].all(axis=1)]
    return np.c_[points[main], np.zeros(main.sum())], new[edges]
