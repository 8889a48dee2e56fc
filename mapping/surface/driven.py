"""The ground a robot drove over: marked where it was seen, and filled in where the camera never looked.

A camera on a robot rides at one height over the ground; one held in a hand does not, and then nothing is
said to have been driven over.

Where a robot drove, the ground goes on, seen or not, until something is seen to stand there.
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Ints, Ints32
from commonground.compiled import compiled
from commonground.mapping.surface.blocks import NO_LABEL, Blocks
from commonground.mapping.surface.cells import CellTable, head_at
from commonground.mapping.surface.columns import ground_rules, unfilled
from commonground.mapping.surface.ground import FAINT, GroundMap

REACH_DOWN_M = 3.0
STEADY_M = 0.15
"""How much the height of a camera on a robot may vary over the ground."""
ENOUGH = 8
"""Points of a path over known ground that tell the camera's height."""
LABEL_REACH_M = 3.0
"""Ground filled in takes the class of ground seen this near."""


def mark_driven(
    ground: GroundMap, blocks: Blocks, path: Floats, stamps_ns: Ints, radius_m: float
) -> None:
    """Mark the ground under a camera's path (n, 3), and add what is missing of it."""
    table, cell_m = ground.cells.table, ground.cell_m
    height = _camera_height(heights_over(path, REACH_DOWN_M, cell_m, table))
    if height is None:
        return
    path, stamps_ns = _without_gaps(path, stamps_ns, cell_m)
    over = heights_over(path, REACH_DOWN_M, cell_m, table)
    known = np.isfinite(over)
    feet = path - [0, 0, height]
    _mark(ground, blocks, feet[known & (np.abs(over - height) < STEADY_M)], radius_m)
    if not known.all():
        _fill(ground, blocks, feet[~known], stamps_ns[~known], radius_m)


def _camera_height(over: Floats) -> float | None:
    """Return the height over the ground a camera rides at, of those (n,) along its path; None if none."""
    known = over[np.isfinite(over)]
    if len(known) < ENOUGH:
        return None
    height = float(np.median(known))
    return height if np.median(np.abs(known - height)) <= STEADY_M / 2 else None


def _without_gaps(path: Floats, stamps_ns: Ints, step_m: float) -> tuple[Floats, Ints]:
    """Return a path with points between those far apart: images may be meters from one another."""
    along = np.cumsum([0.0, *np.linalg.norm(np.diff(path, axis=0), axis=1)])
    between = np.arange(0.0, along[-1], step_m)
    at = np.unique(np.concatenate([along, between]))
    full = np.stack([np.interp(at, along, path[:, c]) for c in range(3)], axis=1)
    return full, stamps_ns[np.searchsorted(along, at)]


def _mark(ground: GroundMap, blocks: Blocks, feet: Floats, radius_m: float) -> None:
    """Mark the cells that are ground near points (n, 3), and open what is unseen of them."""
    cells = ground.cells
    rows = np.flatnonzero(mark(feet, radius_m, STEADY_M, ground.cell_m, cells.table) & cells.live)
    rules = ground_rules(ground.settings, np.empty(0, np.bool_))
    free = unfilled(cells.place[rows], cells.height[rows].astype(float), blocks.grid, rules)
    seen = np.where(cells.weight[rows] > FAINT, cells.open[rows], 0)
    cells.open[rows] = seen | free


def _fill(
    ground: GroundMap, blocks: Blocks, feet: Floats, stamps_ns: Ints, radius_m: float
) -> None:
    """Add ground around the points (n, 3) where a robot stood and none is known."""
    from scipy.spatial import cKDTree

    cells, cell_m = ground.cells, ground.cell_m
    r = int(np.ceil(radius_m / cell_m))
    steps = np.stack(np.meshgrid(*[np.arange(-r, r + 1)] * 2, indexing="ij"), -1).reshape(-1, 2)
    steps = steps[np.hypot(*steps.T) * cell_m <= radius_m]
    around = np.floor(feet[:, :2] / cell_m)[:, None, :] + steps
    places = np.unique(around.reshape(-1, 2), axis=0).astype(np.int32)
    places = places[cells.heads_at(places) < 0]
    rules = ground_rules(ground.settings, np.empty(0, np.bool_))
    _, nearest = cKDTree(feet[:, :2]).query((places + 0.5) * cell_m)
    free = unfilled(places, feet[nearest, 2], blocks.grid, rules)
    places, nearest, free = places[free > 0], nearest[free > 0], free[free > 0]
    if len(places) == 0:
        return
    heights, stamps = feet[nearest, 2], stamps_ns[nearest]
    keys = np.c_[places // ground.cells_per_block, np.floor(heights / blocks.block_m)]
    blocks.claim(np.unique(keys, axis=0).astype(np.int32), int(stamps.max()))
    cells.append(
        places, height=heights, weight=FAINT, label=_labels(ground, places, heights), live=True,
        traversed=True, open=free, first_seen_ns=stamps, last_seen_ns=stamps,
    )  # fmt: skip


def _labels(ground: GroundMap, places: Ints32, heights: Floats) -> Ints:
    """Return the classes (n,) of the seen ground nearest to places (n, 2)."""
    from scipy.spatial import cKDTree

    cells, n = ground.cells, len(ground.cells)
    rows = np.flatnonzero((cells.weight[:n] > FAINT) & (cells.label[:n] >= 0) & cells.live[:n])
    labels = np.full(len(places), NO_LABEL)
    if len(rows):
        middle = np.c_[(places + 0.5) * ground.cell_m, heights]
        away, row = cKDTree(ground.positions(rows)).query(middle)
        labels = np.where(away < LABEL_REACH_M, cells.label[rows[row]], NO_LABEL)
    return labels


@compiled
def heights_over(path: Floats, down_m: float, cell_m: float, cells: CellTable) -> Floats:
    """Return the height (n,) of points (n, 3) over the highest ground seen below them; NaN over none."""
    out = np.full(len(path), np.nan)
    for i in range(len(path)):
        x, y = int(np.floor(path[i, 0] / cell_m)), int(np.floor(path[i, 1] / cell_m))
        row = head_at(cells, x, y)
        while row >= 0:
            over = path[i, 2] - cells.height[row]
            if cells.weight[row] > FAINT and 0.0 < over < down_m and not out[i] < over:
                out[i] = over
            row = cells.next[row]
    return out


@compiled
def mark(feet: Floats, radius_m: float, slack_m: float, cell_m: float, cells: CellTable) -> Bools:
    """Mark the ground within a radius of points (n, 3) and about their height; return which rows it is."""
    marked = np.zeros(len(cells.height), np.bool_)
    r = int(np.ceil(radius_m / cell_m))
    for i in range(len(feet)):
        x0, y0 = int(np.floor(feet[i, 0] / cell_m)), int(np.floor(feet[i, 1] / cell_m))
        for x in range(x0 - r, x0 + r + 1):
            for y in range(y0 - r, y0 + r + 1):
                dx, dy = (x + 0.5) * cell_m - feet[i, 0], (y + 0.5) * cell_m - feet[i, 1]
                if dx * dx + dy * dy > radius_m * radius_m:
                    continue
                row = head_at(cells, x, y)
                while row >= 0:
                    if cells.weight[row] > 0 and abs(cells.height[row] - feet[i, 2]) < slack_m:
                        cells.traversed[row] = True
                        marked[row] = True
                    row = cells.next[row]
    return marked
