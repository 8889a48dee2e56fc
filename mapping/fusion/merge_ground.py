"""Merging of surface places: ground seen by several robots becomes one layer."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.scene import Edges, Layer, SceneGraph
from commonground.scene.layer import SURFACE_PLACES
from commonground.symbols import node_ids

SAME_HEIGHT_M = 0.5
NEXT_TO = 1.25
"""Places whose centers are nearer than this share of the sum of their radii are neighbors."""


@dataclass(frozen=True, slots=True, eq=False)
class FusedGround:
    """Surface places of the team, their words, and where each robot's places went."""

    layer: Layer
    words: Mapping[int, str]
    into: list[Ints]
    """For each robot (n_r,) rows of the fused layer."""


def merge_ground(graphs: Sequence[SceneGraph]) -> FusedGround:
    """Return one layer of surface places; of places that cover the same ground the larger stays."""
    words = sorted({w for g in graphs for w in g.labelspaces.get("surface_places", {}).values()})
    layers = [_reworded(g, words) for g in graphs]
    starts = np.cumsum([0, *map(len, layers)])
    every = Layer.joined(layers)
    robot = np.repeat(np.arange(len(layers)), [len(x) for x in layers])
    stands_for = _covered(every, robot)
    kept, row = np.unique(stands_for, return_inverse=True)
    layer = replace(every, key=SURFACE_PLACES, edges=Edges.of()).take(kept)
    layer = replace(
        layer,
        ids=node_ids("P", np.arange(len(kept))),
        edges=_edges(every, layer, row, robot, kept),
        columns={**layer.columns, "seen_by": seen_by(row, robot, len(kept), len(layers))},
    )
    into = [row[a:b].astype(np.int64) for a, b in itertools.pairwise(starts)]
    return FusedGround(layer, dict(enumerate(words)), into)


def _reworded(graph: SceneGraph, words: Sequence[str]) -> Layer:
    layer = graph.surface_places
    space = graph.labelspaces.get("surface_places", {})
    table = {old: words.index(word) for old, word in space.items()}
    labels = np.array([table.get(int(x), -1) for x in layer.labels], np.int32)
    return replace(layer, labels=labels)


def _radius(layer: Layer) -> Floats:
    return np.asarray(np.sqrt(np.maximum(layer.area_m2, 0.01) / np.pi))


def _covered(layer: Layer, robot: Ints) -> Ints:
    """Return for each place (n,) the place that stands for it: itself, or a larger one over its center."""
    from scipy.spatial import cKDTree

    n = len(layer)
    stands_for = np.arange(n)
    if n < 2:
        return stands_for
    radius = _radius(layer)
    tree = cKDTree(layer.positions[:, :2])
    order = np.lexsort((np.arange(n), -np.round(radius, 3)))
    open_ = np.ones(n, bool)
    for big in order:
        if not open_[big]:
            continue
        near = np.asarray(
            tree.query_ball_point(layer.positions[big, :2], 0.8 * radius[big]), np.int64
        )
        level = np.abs(layer.positions[near, 2] - layer.positions[big, 2]) < SAME_HEIGHT_M
        taken = near[level & open_[near] & (robot[near] != robot[big]) & (near != big)]
        stands_for[taken] = big
        open_[taken] = False
    return stands_for


def _edges(every: Layer, layer: Layer, row: Ints, robot: Ints, kept: Ints) -> Edges:
    """Return the robots' own edges, and edges between neighbors that different robots saw, in meters."""
    from scipy.spatial import cKDTree

    radius = _radius(layer)
    reach = 2 * NEXT_TO * float(radius.max(initial=0.0))
    pairs = (
        cKDTree(layer.positions[:, :2]).query_pairs(reach, output_type="ndarray").astype(np.int64)
    )
    a, b = pairs.T
    gap = np.linalg.norm(layer.positions[a, :2] - layer.positions[b, :2], axis=1)
    level = np.abs(layer.positions[a, 2] - layer.positions[b, 2]) < SAME_HEIGHT_M
    met: Bools = (
        (robot[kept][a] != robot[kept][b]) & level & (gap < NEXT_TO * (radius[a] + radius[b]))
    )
    own = every.edges.merged(row)
    edges = Edges.joined([own, Edges.of(pairs[met])]).merged(np.arange(len(layer)))
    a, b = edges.rows.T
    return replace(edges, weights=np.linalg.norm(layer.positions[a] - layer.positions[b], axis=1))


def seen_by(row: Ints, robot: Ints, places: int, robots: int) -> Bools:
    """Return which robots (places, robots) saw each place, given the place and the robot of each sighting."""
    out = np.zeros((places, robots), bool)
    out[row, robot] = True
    return out
