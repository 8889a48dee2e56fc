"""Merging of surface places: ground seen by several robots becomes one layer."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.mapping.fusion.ground_lines import SAME_HEIGHT_M, passable
from commonground.scene import Edges, Layer, SceneGraph
from commonground.scene.layer import SURFACE_PLACES
from commonground.symbols import node_ids

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
    near = _neighbors(every, robot)
    kept, row = np.unique(_covered(every, near), return_inverse=True)
    layer = replace(every, key=SURFACE_PLACES, edges=Edges.of()).take(kept)
    layer = replace(
        layer,
        ids=node_ids("P", np.arange(len(kept))),
        edges=_edges(every, layer, row, robot, kept, near),
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


def _neighbors(layer: Layer, robot: Ints) -> Ints:
    """Return the pairs (m, 2) of places so near that they touch, with a straight way between them."""
    from scipy.spatial import cKDTree

    radius = _radius(layer)
    reach = 2 * NEXT_TO * float(radius.max(initial=0.0))
    pairs = cKDTree(layer.positions[:, :2]).query_pairs(reach, output_type="ndarray")
    a, b = pairs.T
    gap = np.linalg.norm(layer.positions[a, :2] - layer.positions[b, :2], axis=1)
    level = np.abs(layer.positions[a, 2] - layer.positions[b, 2]) < SAME_HEIGHT_M
    met = (robot[a] != robot[b]) & level & (gap < NEXT_TO * (radius[a] + radius[b]))
    near: Ints = pairs[met].astype(np.int64)
    return near[passable(layer, robot, near)]


def _covered(layer: Layer, near: Ints) -> Ints:
    """Return for each place (n,) the place that stands for it: itself, or a larger one over its center."""
    n = len(layer)
    stands_for, open_ = np.arange(n), np.ones(n, bool)
    radius = _radius(layer)
    a, b = np.concatenate([near, near[:, ::-1]]).T
    gap = np.linalg.norm(layer.positions[a, :2] - layer.positions[b, :2], axis=1)
    over = gap < 0.8 * radius[a]
    a, b = a[over], b[over]
    order = np.argsort(a, kind="stable")
    a, b = a[order], b[order]
    for big in np.lexsort((np.arange(n), -np.round(radius, 3))):
        if open_[big]:
            under = b[np.searchsorted(a, big) : np.searchsorted(a, big, "right")]
            taken = under[open_[under]]
            stands_for[taken] = big
            open_[taken] = False
    return stands_for


def _edges(every: Layer, layer: Layer, row: Ints, robot: Ints, kept: Ints, near: Ints) -> Edges:
    """Return the robots' own edges, and edges between neighbors that different robots saw, in meters."""
    stays = kept[row] == np.arange(len(row))
    met = near[stays[near].all(axis=1)]
    own = every.edges
    moved = np.flatnonzero(~stays[own.rows].all(axis=1))
    still = np.ones(len(own), bool)
    still[moved] = passable(every, robot, kept[row][own.rows[moved]])
    same = np.arange(len(row))
    own = own.keep(still, same, same).merged(row)
    edges = Edges.joined([own, Edges.of(row[met])]).merged(np.arange(len(layer)))
    a, b = edges.rows.T
    return replace(edges, weights=np.linalg.norm(layer.positions[a] - layer.positions[b], axis=1))


def seen_by(row: Ints, robot: Ints, places: int, robots: int) -> Bools:
    """Return which robots (places, robots) saw each place, given the place and the robot of each sighting."""
    out = np.zeros((places, robots), bool)
    out[row, robot] = True
    return out
