"""Regions: connected ground of one kind outdoors, rooms indoors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from commonground.arrays import Ints
from commonground.scene import Boxes, Layer
from commonground.scene.layer import REGIONS
from commonground.symbols import node_ids


def ground_regions(surface: Layer) -> Ints:
    """Return the region (n,) of each surface place: neighbours of one kind share it.

    A region is numbered by the smallest row in it, so that it keeps its number while it grows.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    n = len(surface)
    if n == 0:
        return np.empty(0, np.int64)
    i, j = surface.edges.rows.T
    same = surface.labels[i] == surface.labels[j]
    links = coo_matrix((np.ones(same.sum()), (i[same], j[same])), (n, n))
    _, part = connected_components(links, directed=False)
    first = np.full(part.max() + 1, n, np.int64)
    np.minimum.at(first, part, np.arange(n))
    return np.asarray(first[part])


def region_layer(surface: Layer, region: Ints, words: Sequence[str]) -> tuple[Layer, Ints]:
    """Return the layer of regions, and the row (n,) of each surface place's region in it."""
    first, rows = np.unique(region, return_inverse=True)
    k = len(first)
    area = surface.columns["area_m2"]
    weight = np.bincount(rows, area, k)
    centre = np.stack(
        [
            np.bincount(rows, area * surface.positions[:, c], k) / np.maximum(weight, 1e-9)
            for c in range(3)
        ],
        1,
    )
    low, high = np.full((k, 3), np.inf), np.full((k, 3), -np.inf)
    if surface.boundaries is not None and k:
        of = np.repeat(rows, np.diff(surface.boundaries.starts))
        np.minimum.at(low, of, surface.boundaries.points)
        np.maximum.at(high, of, surface.boundaries.points)
    seen_first = np.full(k, np.iinfo(np.int64).max)
    seen_last = np.zeros(k, np.int64)
    np.minimum.at(seen_first, rows, surface.columns["first_seen_ns"])
    np.maximum.at(seen_last, rows, surface.columns["last_seen_ns"])
    labels = surface.labels[first]
    layer = Layer.of(
        REGIONS,
        node_ids("R", surface.ids[first] & np.uint64((1 << 56) - 1)),
        centre,
        labels=labels,
        names=[words[x] if 0 <= x < len(words) else "" for x in labels],
        boxes=Boxes.axis_aligned((low + high) / 2, high - low) if k else None,
        columns={
            "area_m2": weight,
            "first_seen_ns": seen_first,
            "last_seen_ns": seen_last,
        },
    )
    return layer, rows.astype(np.int64)
