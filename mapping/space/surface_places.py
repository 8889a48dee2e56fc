"""The surface places of the scene graph: pieces of ground as nodes, shared borders as edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from commonground.arrays import Floats, Ints, Ints32
from commonground.mapping.space.gates import with_gates
from commonground.mapping.space.grid import neighbors
from commonground.mapping.space.hulls import hulls
from commonground.mapping.space.patches import Patches
from commonground.mapping.space.settings import SurfacePlaceSettings
from commonground.mapping.space.visibility import Footing, with_visible
from commonground.mapping.surface.blocks import NO_LABEL
from commonground.mapping.surface.ground import GroundMap
from commonground.scene import Edges, Layer, Ragged
from commonground.scene.layer import SURFACE_PLACES
from commonground.symbols import node_ids


@dataclass(frozen=True, slots=True, eq=False)
class SurfacePlaces:
    """The layer, and which ground each node stands for."""

    layer: Layer
    rows: Ints
    """(n,) rows of ground cells that belong to a node."""
    node: Ints32
    """(n,) the node each of them belongs to."""
    footing: Footing

    def joined(self, region: Ints, settings: SurfacePlaceSettings) -> SurfacePlaces:
        """Return the same with edges along all lines of sight within the ``region`` (k,) of their ends."""
        layer = self.layer
        edges = with_visible(self.footing, layer.positions, layer.edges, region, settings.size_m)
        return replace(self, layer=replace(layer, edges=edges))


def surface_places(
    ground: GroundMap,
    patches: Patches,
    words: Sequence[str],
    settings: SurfacePlaceSettings,
    max_step_m: float,
) -> SurfacePlaces:
    """Return the pieces of ground and the gates between them as a layer; ``words`` are the cells' classes."""
    cells, cell_m = ground.cells, ground.cell_m
    rows = ground.rows()
    rows = rows[cells.patch[rows] >= 0]
    rows = rows[np.lexsort((cells.place[rows, 1], cells.place[rows, 0], cells.patch[rows]))]
    ids, size = np.unique(cells.patch[rows], return_counts=True)
    large = size * cell_m**2 >= settings.min_area_m2
    large |= np.isin(ids, cells.patch[rows[cells.traversed[rows]]])
    rows = rows[np.repeat(large, size)]
    ids, size = ids[large], size[large]
    node = np.repeat(np.arange(len(ids), dtype=np.int32), size)
    rows, node, numbers = with_gates(
        ground, patches, rows, node, ids.astype(np.int64), settings.min_border_m, max_step_m
    )
    footing = Footing(ground, rows, node, max_step_m)
    size = np.bincount(node, minlength=len(numbers))
    starts = np.concatenate([[0], np.cumsum(size)]).astype(np.int64)
    at = ground.positions(rows)
    planes, rough = fitted_planes(at, node, len(numbers))
    outline, ends = outlines(ground, rows, node, len(numbers), max_step_m)
    of = np.repeat(np.arange(len(numbers)), np.diff(ends))
    heights = planes[of, 0] * outline[:, 0] + planes[of, 1] * outline[:, 1] + planes[of, 2]
    centers = footing.standing(rows, node, len(numbers))
    label = patches.kind[numbers]
    layer = Layer.of(
        SURFACE_PLACES,
        node_ids("P", numbers),
        centers,
        labels=label,
        names=[words[k] if 0 <= k < len(words) else "" for k in label],
        edges=borders(ground, rows, node, centers, settings.min_border_m, max_step_m),
        boundaries=Ragged(np.c_[outline, heights], ends),
        columns={
            "traversed": np.bincount(node, cells.traversed[rows], len(numbers)) > 0,
            "slope_deg": np.rad2deg(np.arctan(np.hypot(planes[:, 0], planes[:, 1]))),
            "roughness_m": rough,
            "area_m2": size * cell_m**2,
            "color": np.full((len(numbers), 3), 160, np.uint8),
            "first_seen_ns": extreme(np.minimum, cells.first_seen_ns[rows], starts),
            "last_seen_ns": extreme(np.maximum, cells.last_seen_ns[rows], starts),
        },
    )
    return SurfacePlaces(layer, rows, node, footing)


def outlines(
    ground: GroundMap, rows: Ints, node: Ints32, k: int, max_step_m: float
) -> tuple[Floats, Ints]:
    """Return the corners (m, 2) of the hull of each node's cells, and where each begins.

    Of cells on two sides of a thin wall only the open quarters count: whole ones would meet below it.
    """
    cells = ground.cells
    usable = np.zeros(len(cells), bool)
    usable[rows] = True
    whole = cells.table._replace(open=np.full_like(cells.table.open, 15))
    beside, near = (neighbors(rows, 8, max_step_m, t, usable) for t in (whole, cells.table))
    parted = (beside != near).any(axis=1) & (cells.open[rows] > 0)
    bits = np.where(parted, cells.open[rows], 15)
    cell, quarter = np.nonzero(bits[:, None] >> np.arange(4) & 1)
    place = 2 * cells.place[rows[cell]] + np.stack([quarter // 2, quarter % 2], axis=1)
    order = np.lexsort((place[:, 0], node[cell]))
    starts = np.searchsorted(node[cell][order], np.arange(k + 1)).astype(np.int64)
    corners, ends, _ = hulls(np.ascontiguousarray(place[order], np.int32), starts)
    return np.asarray(corners * (ground.cell_m / 2), float), ends


def extreme(which: Any, values: Ints, starts: Ints) -> Ints:
    """Return the smallest or largest (k,) of values in consecutive groups."""
    if len(starts) < 2:
        return np.empty(0, np.int64)
    return np.asarray(which.reduceat(values, starts[:-1]), np.int64)


def fitted_planes(at: Floats, node: Ints32, k: int) -> tuple[Floats, Floats]:
    """Return the planes z = ax + by + c (k, 3) of cells (n, 3), and the root mean square height over them."""
    count = np.maximum(np.bincount(node, minlength=k), 1)
    mean = np.stack([np.bincount(node, at[:, i], k) for i in range(3)], axis=1) / count[:, None]
    d = at - mean[node]
    moment = {
        (i, j): np.bincount(node, d[:, i] * d[:, j], k) for i in range(3) for j in range(i, 3)
    }
    # a few cells in a row say nothing of the slope across it: a little ridge keeps that flat
    ridge = 1e-3 * count
    xx, yy, xy = moment[0, 0] + ridge, moment[1, 1] + ridge, moment[0, 1]
    det = np.maximum(xx * yy - xy**2, 1e-9)
    a = (yy * moment[0, 2] - xy * moment[1, 2]) / det
    b = (xx * moment[1, 2] - xy * moment[0, 2]) / det
    planes = np.stack([a, b, mean[:, 2] - a * mean[:, 0] - b * mean[:, 1]], axis=1)
    off = d[:, 2] - a[node] * d[:, 0] - b[node] * d[:, 1]
    return planes, np.sqrt(np.bincount(node, off**2, k) / count)


def borders(
    ground: GroundMap,
    rows: Ints,
    node: Ints32,
    centers: Floats,
    min_border_m: float,
    max_step_m: float,
) -> Edges:
    """Return edges between nodes whose cells touch with small steps, over much border or a path.

    Each edge's metadata tells its length ``border_m``, its highest step ``step_m``, and its middle.
    """
    cells, cell_m = ground.cells, ground.cell_m
    member = np.full(len(cells) + 1, -1, np.int32)
    member[rows] = node
    usable = member[: len(cells)] >= 0
    near = neighbors(rows, 2, max_step_m, cells.table, usable)
    a, b = np.repeat(np.arange(len(rows)), 2), near.ravel()
    apart = (b >= 0) & (member[b] != node[a])
    a, b = a[apart], b[apart]
    if len(a) == 0:
        return Edges.of()
    p, q = np.minimum(node[a], member[b]), np.maximum(node[a], member[b])
    key = p.astype(np.int64) * len(centers) + q
    pairs, group, count = np.unique(key, return_inverse=True, return_counts=True)
    step = np.zeros(len(pairs))
    np.maximum.at(step, group, np.abs(cells.height[rows[a]] - cells.height[b]).astype(float))
    middle = (ground.positions(rows[a]) + ground.positions(b)) / 2
    middle = np.stack([np.bincount(group, middle[:, k]) for k in range(3)], 1) / count[:, None]
    driven = np.bincount(group, cells.traversed[rows[a]] & cells.traversed[b]) > 0
    kept = np.flatnonzero((count * cell_m >= min_border_m - 1e-9) | driven)
    ends = np.stack([pairs // len(centers), pairs % len(centers)], axis=1)[kept]
    length = np.linalg.norm(centers[ends[:, 0]] - centers[ends[:, 1]], axis=1)
    extras = tuple(
        {
            "type": "EdgeAttributes",
            "weighted": True,
            "metadata": {
                "border_m": round(float(count[k] * cell_m), 3),
                "step_m": round(float(step[k]), 3),
                "middle": np.round(middle[k], 3).tolist(),
            },
        }
        for k in kept
    )
    return Edges(ends.astype(np.int64), length, extras)


def used_words(layer: Layer, words: Sequence[str]) -> dict[int, str]:
    """Return the label space of a layer: the numbers its nodes use, and their words."""
    present = np.unique(layer.labels)
    return {int(k): words[k] for k in present if k != NO_LABEL}
