"""Ground cells as a graph: who is next to whom, and which cell is nearest to which seed."""

from __future__ import annotations

import heapq
import math

import numpy as np

from commonground.arrays import Bools, Floats, Ints, Ints32
from commonground.compiled import compiled
from commonground.mapping.surface.cells import CellTable, head_at

STEPS = np.array([(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)], np.int32)
"""The eight neighbors; the first four share an edge, the first two are ahead of the others."""


@compiled
def neighbors(
    rows: Ints, around: int, max_step_m: float, cells: CellTable, usable: Bools
) -> Ints32:
    """Return the usable neighbors' rows (n, around) of ``rows`` (n,), nearest in height; −1 for none.

    Quarters of both that are ground touch: two sides of a thin wall are no neighbors.
    """
    place, height = cells.place, cells.height
    out = np.full((len(rows), around), -1, np.int32)
    for n in range(len(rows)):
        row = rows[n]
        for k in range(around):
            other = head_at(cells, place[row, 0] + STEPS[k, 0], place[row, 1] + STEPS[k, 1])
            best = max_step_m
            while other >= 0:
                step = abs(height[other] - height[row])
                if usable[other] and step <= best and touch(cells.open[row], cells.open[other], k):
                    best, out[n, k] = step, other
                other = cells.next[other]
    return out


@compiled
def touch(one: int, other: int, k: int) -> bool:
    """Return whether the open quarters of a cell touch those of its neighbor in direction k of STEPS."""
    dx, dy = STEPS[k]
    for a in range(2):
        for b in range(2):
            x, y = a + dx, b + dy
            # the quarter next to it on the other side of the border
            if (x < 0 or x > 1 or dx == 0) and (y < 0 or y > 1 or dy == 0):
                u, v = x % 2, y % 2
                if one >> (2 * a + b) & 1 and other >> (2 * u + v) & 1:
                    return True
    return False


@compiled
def reached(near: Ints32, seeds: Ints) -> Bools:
    """Return which nodes (n,) can be reached from the seeds over ``near`` (n, k), −1 for no neighbor."""
    out = np.zeros(len(near), np.bool_)
    stack = np.empty(len(near), np.int64)
    n = 0
    for s in seeds:
        if not out[s]:
            out[s] = True
            stack[n] = s
            n += 1
    while n:
        n -= 1
        node = stack[n]
        for other in near[node]:
            if other >= 0 and not out[other]:
                out[other] = True
                stack[n] = other
                n += 1
    return out


@compiled
def grow(
    xy: Floats, near: Ints32, kind: Ints32, centers: Floats, starts: Ints, reach_m: float
) -> Ints32:
    """Return each cell's seed (n,), −1 for none: the nearest center that reaches it over its own kind.

    A Voronoi diagram that respects borders and holes. Cells are settled in the order of the farthest point
    on the way to them, so that each seed's cells hang together.
    """
    owner = np.full(len(xy), -1, np.int32)
    best, claim = np.full(len(xy), np.inf), np.full(len(xy), len(starts), np.int64)
    queue = [(0.0, np.int64(0), 0) for _ in range(0)]
    for s in range(len(starts)):
        heapq.heappush(queue, (0.0, starts[s], s))
    while queue:
        cost, c, s = heapq.heappop(queue)
        if owner[c] >= 0:
            continue
        owner[c] = s
        for other in near[c]:
            if other < 0 or owner[other] >= 0 or kind[other] != kind[c]:
                continue
            dx, dy = xy[other, 0] - centers[s, 0], xy[other, 1] - centers[s, 1]
            away = math.sqrt(dx * dx + dy * dy)
            far = max(cost, away)
            # what another way to the cell beats already need not wait
            if away <= reach_m and (far, s) < (best[other], claim[other]):
                best[other], claim[other] = far, s
                heapq.heappush(queue, (far, np.int64(other), s))
    return owner


@compiled
def new_seeds(
    xy: Floats, near: Ints32, kind: Ints32, owner: Ints32, reach_m: float
) -> tuple[Floats, Ints]:
    """Return centers (k, 2) and start cells (k,) that cover the cells without an owner, in order of rows."""
    taken = owner >= 0
    centers, starts = np.empty((len(xy), 2)), np.empty(len(xy), np.int64)
    queue = np.empty(len(xy), np.int64)
    k = 0
    for first in range(len(xy)):
        if taken[first]:
            continue
        taken[first] = True
        queue[0] = first
        head, tail = 0, 1
        while head < tail:
            c = queue[head]
            head += 1
            for other in near[c]:
                if other < 0 or taken[other] or kind[other] != kind[first]:
                    continue
                dx, dy = xy[other, 0] - xy[first, 0], xy[other, 1] - xy[first, 1]
                if dx * dx + dy * dy <= reach_m * reach_m:
                    taken[other] = True
                    queue[tail] = other
                    tail += 1
        members = queue[:tail]
        centers[k, 0], centers[k, 1] = xy[members, 0].mean(), xy[members, 1].mean()
        starts[k] = nearest_member(xy, members, centers[k, 0], centers[k, 1])
        k += 1
    return centers[:k], starts[:k]


@compiled
def nearest_member(xy: Floats, members: Ints, x: float, y: float) -> int:
    """Return the member cell nearest to a point."""
    best, out = np.inf, members[0]
    for m in members:
        d = (xy[m, 0] - x) ** 2 + (xy[m, 1] - y) ** 2
        if d < best:
            best, out = d, m
    return int(out)


@compiled
def start_cells(xy: Floats, owner: Ints32, centers: Floats) -> Ints:
    """Return for each center (k, 2) its own cell that is nearest to it, −1 where it has none."""
    out = np.full(len(centers), -1, np.int64)
    best = np.full(len(centers), np.inf)
    for c in range(len(xy)):
        s = owner[c]
        if s >= 0:
            d = (xy[c, 0] - centers[s, 0]) ** 2 + (xy[c, 1] - centers[s, 1]) ** 2
            if d < best[s]:
                best[s], out[s] = d, c
    return out
