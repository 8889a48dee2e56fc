"""The ridge of free space: voxels equally near to two solid things apart, and straight lines between them."""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints, Ints32
from commonground.compiled import compiled
from commonground.mapping.space.brushfire import FAR, Space, at_offset, neighbor
from commonground.mapping.space.kinds import MIDDLE, OPEN
from commonground.mapping.surface.blocks import SIDE, VOXELS, find_slot


@compiled
def mark_ridge(
    slots: Ints32, space: Space, ridge: Bools, least: int, apart: int, cosine: float
) -> None:
    """Mark in ``ridge`` (slots × 512,) the generalized Voronoi voxels of some blocks.

    A voxel is one if a neighbor's nearest solid voxel lies at least ``apart`` voxels from its own and in
    another direction: their angle's cosine is below ``cosine``. ``least`` is the least squared distance.
    Voxels that no obstacle is near to count too: they are the middle of nowhere.
    """
    for slot in slots:
        for v in range(VOXELS):
            node = slot * VOXELS + v
            room = space.square[node]
            ridge[node] = False
            if space.kind[node] != MIDDLE or room < least:
                continue
            if room == FAR:
                ridge[node] = True
                continue
            a = space.offset[node]
            for n in (4, 10, 12, 14, 16, 22):
                other = neighbor(slot, v, n, space.around)
                if other < 0 or space.kind[other] < OPEN or space.square[other] > room:
                    continue
                b = space.offset[other]
                dx, dy, dz = (
                    a[0] - b[0] - (n // 9 - 1),
                    a[1] - b[1] - ((n // 3) % 3 - 1),
                    a[2] - b[2] - (n % 3 - 1),
                )
                if dx * dx + dy * dy + dz * dz < apart * apart:
                    continue
                dot = float(a[0]) * b[0] + float(a[1]) * b[1] + float(a[2]) * b[2]
                if dot < cosine * math.sqrt(float(room) * float(space.square[other])):
                    ridge[node] = True
                    break


@compiled
def clearances(
    nodes: Ints, space: Space, distance: Floats32, voxel_m: float, reach_m: float
) -> Floats:
    """Return the meters (n,) from voxels to the nearest obstacle, at most ``reach_m``."""
    out = np.full(len(nodes), reach_m)
    for i in range(len(nodes)):
        node = nodes[i]
        if space.square[node] == FAR:
            continue
        o = space.offset[node]
        root = at_offset(node, int(o[0]), int(o[1]), int(o[2]), space)
        # the surface lies before the center of the first voxel behind it
        inside = max(-voxel_m, distance[root]) if root >= 0 else -0.5 * voxel_m
        out[i] = min(reach_m, max(0.0, voxel_m * math.sqrt(float(space.square[node])) + inside))
    return out


@compiled
def spread(at: Floats, spacing: Floats) -> Ints:
    """Return the rows of points (n, 3) kept when each keeps its spacing from all kept before it."""
    kept = np.empty(len(at), np.int64)
    n = 0
    for i in range(len(at)):
        free = True
        for k in range(n):
            j = kept[k]
            dx, dy, dz = at[i, 0] - at[j, 0], at[i, 1] - at[j, 1], at[i, 2] - at[j, 2]
            if dx * dx + dy * dy + dz * dz < spacing[i] * spacing[i]:
                free = False
                break
        if free:
            kept[n] = i
            n += 1
    return kept[:n].copy()


@compiled
def widths(at: Floats, to: Floats, space: Space, voxel_m: float, reach_m: float) -> Floats:
    """Return the least clearance (n,) along straight lines between points (n, 3); at most ``reach_m``.

    It is 0 where a line leaves the space, and NaN where part of it is not known any more.
    """
    out = np.empty(len(at))
    for i in range(len(at)):
        d = to[i] - at[i]
        steps = int(math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (0.6 * voxel_m)) + 2
        out[i] = reach_m
        for s in range(steps):
            share = s / (steps - 1)
            x = math.floor((at[i, 0] + share * d[0]) / voxel_m)
            y = math.floor((at[i, 1] + share * d[1]) / voxel_m)
            z = math.floor((at[i, 2] + share * d[2]) / voxel_m)
            slot = find_slot(space.table, space.keys, x // SIDE, y // SIDE, z // SIDE)
            if slot < 0:
                out[i] = np.nan
                break
            node = slot * VOXELS + ((x % SIDE) * SIDE + y % SIDE) * SIDE + z % SIDE
            if space.kind[node] not in (OPEN, MIDDLE):
                out[i] = 0.0
                break
            out[i] = min(out[i], voxel_m * math.sqrt(float(space.square[node])))
    return out
