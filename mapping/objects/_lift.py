"""Compiled loops from a label image and depth to points, segment by segment."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints, Ints32
from commonground.compiled import compiled
from commonground.frame import Intrinsics
from commonground.geometry.kernels import transformed
from commonground.mapping.cell_keys import cell_key, first_slot
from commonground.mapping.depth_pieces import DepthNoise, DepthSensor, join, root_of, step_limit

AREA, VALID, BORDER, DEPTH_SUM = range(4)
STATS = 4
"""Per segment: pixels, pixels with usable depth, pixels on the image border, sum of depth."""

BORDER_PX = 3
GAP_PX = 6
"""Pixels without depth that one surface of one mask may have between two that have it, in a row or column."""


class Points(NamedTuple):
    """Pixels of segments as points; room for all, filled from the front."""

    segments: Ints32
    """(n,) which segment each is of."""
    at: Floats
    """(n, 3) in the odometry frame."""
    ranges: Floats32
    """(n,) depth."""
    is_open: Bools
    """(n,) the thing may go on beyond: at the image border, behind an occluder, where depth ends."""


class Voxels(NamedTuple):
    """Occupied voxels of segments, one after another."""

    starts: Ints
    """(k + 2,) where those of each segment begin."""
    points: Floats
    """(n, 3) the mean of each."""
    weights: Floats32
    """(n,) number of points, at most four, less with distance: depth noise grows with its square."""
    ranges: Floats32
    """(n,) nearest depth."""
    open_share: Floats32


@compiled
def measure(masks: Ints32, cleaned: Ints32, depth: Floats32, stats: Floats) -> None:
    """Fill the areas, border contact and depth sums of each segment; row 0 is the background."""
    rows, columns = masks.shape
    for y in range(rows):
        edge_row = y < BORDER_PX or y >= rows - BORDER_PX
        for x in range(columns):
            s = masks[y, x]
            if s <= 0:
                continue
            stats[s, AREA] += 1
            if edge_row or x < BORDER_PX or x >= columns - BORDER_PX:
                stats[s, BORDER] += 1
            if cleaned[y, x] == s:
                stats[s, VALID] += 1
                stats[s, DEPTH_SUM] += depth[y, x]


@compiled
def _tie(z: Floats32, parent: Ints32, a: int, b: int, noise: DepthNoise) -> None:
    if abs(z[a] - z[b]) <= step_limit(max(z[a], z[b]), noise):
        join(parent, a, b)


@compiled
def _pieces(flat: Ints32, z: Floats32, columns: int, sensor: DepthSensor, kept: Ints32) -> Ints32:
    """Return the first pixel of the piece each usable pixel belongs to; write the usable masks."""
    near_m, far_m, noise = sensor
    parent = np.empty(len(flat), np.int32)
    for n in range(len(flat)):
        usable = flat[n] > 0 and z[n] >= near_m and z[n] <= far_m
        kept[n] = flat[n] if usable else 0
        parent[n] = n
        if not usable:
            continue
        # sensors lose depth along edges: an arm is tied to its pole across what is lost between them
        for k in range(1, min(GAP_PX, n % columns) + 1):
            if flat[n - k] != flat[n]:
                break
            if kept[n - k]:
                _tie(z, parent, n - k, n, noise)
                break
        for k in range(1, min(GAP_PX, n // columns) + 1):
            if flat[n - k * columns] != flat[n]:
                break
            if kept[n - k * columns]:
                _tie(z, parent, n - k * columns, n, noise)
                break
    return parent


@compiled
def clean(
    masks: Ints32, depth: Floats32, sensor: DepthSensor, least_share: float, out: Ints32
) -> None:
    """Write the masks without pixels that lack depth or hang apart from the body of their segment.

    A mask that spills over its object's edge takes in strips of background. In depth they are pieces of
    their own; those smaller than ``least_share`` of a segment's largest piece are dropped.
    """
    flat, z, kept = masks.ravel(), depth.ravel(), out.ravel()
    parent = _pieces(flat, z, masks.shape[1], sensor, kept)
    size = np.zeros(len(flat), np.int32)
    largest = np.zeros(flat.max() + 1, np.int32)
    for n in range(len(flat)):
        if kept[n]:
            root = root_of(parent, n)
            parent[n] = root
            size[root] += 1
            largest[kept[n]] = max(largest[kept[n]], size[root])
    for n in range(len(flat)):
        if kept[n] and size[parent[n]] < least_share * largest[kept[n]]:
            kept[n] = 0


@compiled
def _smoothed(
    masks: Ints32, depth: Floats32, y: int, x: int, noise: DepthNoise, needed: int
) -> float:
    """Return the mean depth of the pixels around that lie on the same surface of the same segment.

    NaN if there are fewer than ``needed`` of them: a flying pixel hangs between two surfaces. Far away,
    where noise is larger than what there is to resolve, the window is larger.
    """
    rows, columns = masks.shape
    s, z = masks[y, x], depth[y, x]
    slack = step_limit(z, noise)
    reach = 1 if z < 3.0 else 2
    total = 0.0
    found = 0
    for j in range(max(0, y - reach), min(rows, y + reach + 1)):
        for i in range(max(0, x - reach), min(columns, x + reach + 1)):
            if masks[j, i] == s and abs(depth[j, i] - z) <= slack:
                total += depth[j, i]
                found += 1
    return total / found if found > needed else np.nan


@compiled
def _is_open(
    masks: Ints32, depth: Floats32, y: int, x: int, z: float, step: int, noise: DepthNoise
) -> bool:
    """Return whether a thing may go on beyond a pixel where it ends in the image.

    It may where the image ends, and where something nearer is in front. Where what lies beyond is farther
    away, the thing itself ends.
    """
    rows, columns = masks.shape
    s = masks[y, x]
    for k in range(4):
        dy, dx = (k == 0) - (k == 1), (k == 2) - (k == 3)
        j, i = y + dy * step, x + dx * step
        if j < BORDER_PX or i < BORDER_PX or j >= rows - BORDER_PX or i >= columns - BORDER_PX:
            return True
        if masks[j, i] == s:
            continue
        beyond = depth[j, i]
        if np.isnan(beyond):  # sensors lose the edge itself
            j, i = min(max(j + 3 * dy, 0), rows - 1), min(max(i + 3 * dx, 0), columns - 1)
            beyond = depth[j, i]
        if beyond < z - step_limit(z, noise):
            return True
    return False


@compiled
def back_project(
    masks: Ints32, depth: Floats32, intrinsics: Intrinsics, T_odom_cam: Floats, strides: Ints32,
    needed: int, sensor: DepthSensor, out: Points,
) -> int:  # fmt: skip
    """Write the points in the odometry frame of every ``strides[s]``-th clean pixel; return how many."""
    fx, fy, cx, cy = intrinsics
    numbers, points, ranges, is_open = out
    noise, end_m = sensor.noise, 0.95 * sensor.far_m
    rows, columns = masks.shape
    count = 0
    for y in range(rows):
        for x in range(columns):
            s = masks[y, x]
            if s <= 0 or strides[s] == 0 or x % strides[s] or y % strides[s]:
                continue
            z = _smoothed(masks, depth, y, x, noise, needed)
            if np.isnan(z):
                continue
            at = transformed(T_odom_cam, (x - cx) / fx * z, (y - cy) / fy * z, z)
            points[count, 0], points[count, 1], points[count, 2] = at
            numbers[count] = s
            ranges[count] = z
            is_open[count] = z > end_m or _is_open(masks, depth, y, x, z, strides[s], noise)
            count += 1
    return count


@compiled
def group(segments: Ints32, count: int, starts: Ints, order: Ints32) -> None:
    """Sort point rows by segment: segment s has ``order[starts[s]:starts[s + 1]]``."""
    starts[:] = 0
    for n in range(count):
        starts[segments[n] + 1] += 1
    for s in range(len(starts) - 1):
        starts[s + 1] += starts[s]
    fill = starts.copy()
    for n in range(count):
        s = segments[n]
        order[fill[s]] = n
        fill[s] += 1


@compiled
def voxelize(points: Points, order: Ints32, starts: Ints, voxel_m: float, out: Voxels) -> int:
    """Write the mean point of every occupied voxel of every segment; return how many there are."""
    voxel_starts, voxels, weights, nearest, open_share = out
    size = 1
    most = 0
    for s in range(len(starts) - 1):
        most = max(most, starts[s + 1] - starts[s])
    while size < 2 * most + 2:
        size *= 2
    slot_key = np.empty(size, np.int64)
    slot_row = np.full(size, -1, np.int32)
    used = 0
    for s in range(len(starts) - 1):
        first = used
        voxel_starts[s] = first
        for n in range(starts[s], starts[s + 1]):
            p = points.at[order[n]]
            key = cell_key(p[0], p[1], p[2], voxel_m)
            at = first_slot(key, size)
            # rows of earlier segments in the table are stale: they count as empty
            while slot_row[at] >= first and slot_key[at] != key:
                at = (at + 1) & (size - 1)
            row = slot_row[at]
            if row < first:
                row = used
                slot_row[at], slot_key[at] = row, key
                voxels[row] = 0.0
                weights[row] = 0.0
                nearest[row] = np.inf
                open_share[row] = 0.0
                used += 1
            voxels[row] += p
            weights[row] += 1
            nearest[row] = min(nearest[row], points.ranges[order[n]])
            open_share[row] = max(open_share[row], np.float32(points.is_open[order[n]]))
        for row in range(first, used):
            voxels[row] /= weights[row]
            z = nearest[row]
            weights[row] = min(weights[row], np.float32(4.0)) / (1 + z * z / 9)
    voxel_starts[len(starts) - 1] = used
    return used


@compiled
def mark_surfaces(masks: Ints32, surfaces: Ints32, number: int) -> None:
    """Write ``number`` where there is no mask but a surface (not negative)."""
    flat, ground = masks.ravel(), surfaces.ravel()
    for p in range(len(flat)):
        if flat[p] == 0 and ground[p] >= 0:
            flat[p] = number
