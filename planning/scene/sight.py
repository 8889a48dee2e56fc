"""Which places are seen from which: near enough, and along a straight line that stays on the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.planning.scene.air import is_wall
from commonground.planning.scene.widths import widths_of
from commonground.scene import Layer, SceneGraph

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

LINE_M = 0.1
"""A line of sight keeps so far from the rim of the ground, whose points are that dense."""

SAMPLES = 12
"""Of the way to a thing within reach: a wall takes one at least."""


def is_behind(layer: Layer, stands: Floats, thing: Floats) -> Bools:
    """Return from which points (k, 3) a thing is behind a wall: ground ends there, and goes on beyond."""
    widths, share = widths_of(layer), np.linspace(0.0, 1.0, SAMPLES)[:, None, None]
    at = (stands + share * (thing - stands)).reshape(-1, 3)
    inside = widths.inside(at)
    shut = ~inside
    shut[shut] = is_wall(layer, at[shut])
    ahead = np.logical_or.accumulate(inside.reshape(SAMPLES, -1)[::-1])[::-1]
    return np.asarray((shut.reshape(SAMPLES, -1) & ahead).any(axis=0))


def sights(graph: SceneGraph, layer: str, stand: Ints, look: Ints, view_m: float) -> csr_matrix:
    """Return (s, l): 1 where a robot on the place in row ``stand`` sees the place in row ``look``.

    Every place sees itself and its neighbors. Where outlines do not tell where the ground ends, nothing is
    in the way.
    """
    from scipy.sparse import csr_matrix
    from scipy.spatial import cKDTree

    places = graph.layers[layer]
    at = places.positions
    pairs = cKDTree(at[stand]).sparse_distance_matrix(
        cKDTree(at[look]), view_m + 1e-6, output_type="coo_matrix"
    )
    a, b = stand[pairs.row], look[pairs.col]
    linked = np.asarray(graph.adjacency(layer)[a, b]).ravel() > 0 if len(a) else np.zeros(0, bool)
    seen = (a == b) | linked
    far = np.flatnonzero(~seen)
    seen[far] = widths_of(places).fits_between(a[far], b[far], LINE_M)
    return csr_matrix(
        (np.ones(int(seen.sum())), (pairs.row[seen], pairs.col[seen])), (len(stand), len(look))
    )
