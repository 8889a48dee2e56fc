"""Compiled loops over the voxels of one object: insert, look up, check against an image, thin out.

Rows keep their order of arrival, so that a cloud restored from a checkpoint goes on exactly as it would have.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints, Ints32
from commonground.compiled import compiled
from commonground.frame import Intrinsics
from commonground.geometry.kernels import transformed
from commonground.mapping.cell_keys import cell_key, coarser, first_slot
from commonground.mapping.depth_pieces import DepthSensor

WEIGHT, HITS, MISSES, RANGE, OPEN = range(5)
FACTS = 5
"""Columns of ``facts``: weight of the mean, votes for and against membership, nearest range seen from, and
the share of sightings in which the thing might have gone on beyond the voxel."""

UNKNOWN, OCCLUDED, PASSED = -3, -2, -1
"""What an image says of a voxel other than a mask number: nothing, hidden, or seen through."""

MEAN_WEIGHT = np.float32(40.0)
"""Beyond this weight a voxel's mean keeps following, so that slow drift does not smear it."""


class Rows(NamedTuple):
    """The voxels of one object, with room for more."""

    keys: Ints
    """(n,) packed grid position."""
    points: Floats
    """(n, 3) mean point."""
    facts: Floats32
    """(n, FACTS)"""
    table: Ints32
    """Row of each key by open addressing, −1 where there is none; a power of two, at most half full."""


class SegmentedImage(NamedTuple):
    """An image that voxels are looked for in."""

    depth: Floats32
    masks: Ints32
    """(h, w) 1 … k, 0 for none."""
    intrinsics: Intrinsics
    T_cam_odom: Floats
    sensor: DepthSensor


@compiled
def find_slot(keys: Ints, table: Ints32, key: int) -> int:
    """Return the table's slot of a key: where its row stands, or the empty slot where it would."""
    at = first_slot(key, len(table))
    while table[at] >= 0 and keys[table[at]] != key:
        at = (at + 1) & (len(table) - 1)
    return at


@compiled
def index_rows(rows: Rows, count: int) -> None:
    """Fill the table with the first ``count`` rows."""
    keys, table = rows.keys, rows.table
    table[:] = -1
    for row in range(count):
        table[find_slot(keys, table, keys[row])] = row


@compiled
def insert(rows: Rows, count: int, voxel_m: float, new_points: Floats, new_facts: Floats32) -> int:
    """Add points to rows that have room for them; return the new number of rows.

    The hits of a point are added where its voxel exists; a new voxel starts with one at least.
    """
    keys, points, facts, table = rows
    for n in range(len(new_points)):
        x, y, z = new_points[n, 0], new_points[n, 1], new_points[n, 2]
        key = cell_key(x, y, z, voxel_m)
        slot = find_slot(keys, table, key)
        row = table[slot]
        if row < 0:
            table[slot] = row = count
            count += 1
            keys[row] = key
            points[row] = new_points[n]
            facts[row] = new_facts[n]
            facts[row, HITS] = max(new_facts[n, HITS], np.float32(1.0))
            continue
        weight = min(facts[row, WEIGHT], MEAN_WEIGHT)
        share = new_facts[n, WEIGHT] / (weight + new_facts[n, WEIGHT])
        points[row, 0] += share * (x - points[row, 0])
        points[row, 1] += share * (y - points[row, 1])
        points[row, 2] += share * (z - points[row, 2])
        facts[row, WEIGHT] = weight + new_facts[n, WEIGHT]
        facts[row, HITS] += new_facts[n, HITS]
        facts[row, RANGE] = min(facts[row, RANGE], new_facts[n, RANGE])
        facts[row, OPEN] += max(share, 0.1) * (new_facts[n, OPEN] - facts[row, OPEN])
    return count


@compiled
def _near(rows: Rows, voxel_m: float, point: Floats, reach_m: float) -> bool:
    keys, table = rows.keys, rows.table
    x, y, z = point[0], point[1], point[2]
    if table[find_slot(keys, table, cell_key(x, y, z, voxel_m))] >= 0:
        return True
    steps = max(1, int(np.ceil(reach_m / voxel_m)))
    for step in range(1, steps + 1):
        d = reach_m * step / steps
        for axis in range(6):
            sign = d if axis < 3 else -d
            dx, dy, dz = (axis % 3 == 0) * sign, (axis % 3 == 1) * sign, (axis % 3 == 2) * sign
            key = cell_key(x + dx, y + dy, z + dz, voxel_m)
            if table[find_slot(keys, table, key)] >= 0:
                return True
    return False


@compiled
def share_inside(rows: Rows, voxel_m: float, points: Floats, reach_m: float, most: int) -> float:
    """Return the share of the points that lie within about ``reach_m`` of a voxel, from ``most`` of them."""
    step = max(1, (len(points) + most - 1) // most)
    hits = 0
    total = 0
    for n in range(0, len(points), step):
        total += 1
        hits += _near(rows, voxel_m, points[n], reach_m)
    return hits / max(total, 1)


@compiled
def owners(
    rows: Rows, voxel_m: float, points: Floats, reach_m: float, owned: Ints32, mark: int
) -> None:
    """Write ``mark`` into ``owned`` for the points near a voxel that nobody owns yet (0)."""
    for n in range(len(points)):
        if owned[n] == 0 and _near(rows, voxel_m, points[n], reach_m):
            owned[n] = mark


@compiled
def _verdict(
    depth: Floats32, masks: Ints32, u: float, v: float, z: float, radius: int, slack: float
) -> int:
    """Return what the pixels under a voxel's footprint say of it.

    Five samples: the voxel is seen where the surface is near its depth in any of them, hidden where
    the surface is nearer in any, and passed only if every sample with depth looks beyond it.
    """
    rows, columns = depth.shape
    seen = UNKNOWN
    for sample in range(5):
        x = int(np.round(u)) + (radius if sample == 1 else -radius if sample == 2 else 0)
        y = int(np.round(v)) + (radius if sample == 3 else -radius if sample == 4 else 0)
        if x < 0 or y < 0 or x >= columns or y >= rows:
            continue
        gap = depth[y, x] - z
        if not np.isfinite(gap):
            continue
        if abs(gap) <= slack:
            return int(masks[y, x])
        if gap < 0:
            seen = OCCLUDED
        elif seen == UNKNOWN:
            seen = PASSED
    return seen


@compiled
def judge_voxels(
    points: Floats, facts: Floats32, first: int, step: int, image: SegmentedImage, voxel_m: float,
    verdicts: Ints32, overlap: Ints,
) -> tuple[int, int, int, int]:  # fmt: skip
    """Project every ``step``-th voxel (n,) into the image and judge it against depth and masks.

    Writes a verdict per row (UNKNOWN where not looked at) and the number of seen voxels under each mask
    (0 is no mask); returns how many are in view, seen, hidden and passed. A voxel that is passed counts only
    if it was well established: that noise is seen through says nothing of the object.
    """
    depth, masks, intrinsics, T_cam_odom, sensor = image
    rows, columns = depth.shape
    fx, fy, cx, cy = intrinsics
    near_m, far_m, noise = sensor
    in_view = hidden = passed = seen = 0
    verdicts[:] = UNKNOWN
    overlap[:] = 0
    for n in range(first, len(points), step):
        a, b, c = transformed(T_cam_odom, points[n, 0], points[n, 1], points[n, 2])
        if c < near_m or c > far_m:
            continue
        u, v = fx * a / c + cx, fy * b / c + cy
        if u < 0 or v < 0 or u > columns - 1 or v > rows - 1:
            continue
        in_view += 1
        radius = min(4, int(0.35 * voxel_m * fx / c))
        slack = 3 * (noise.near_m + noise.growth * c * c) + 0.6 * voxel_m
        verdict = _verdict(depth, masks, u, v, c, radius, slack)
        verdicts[n] = verdict
        if verdict >= 0:
            seen += 1
            overlap[verdict] += 1
        elif verdict == OCCLUDED:
            hidden += 1
        elif verdict == PASSED and facts[n, HITS] >= 2 and facts[n, HITS] > facts[n, MISSES]:
            passed += 1
    return in_view, seen, hidden, passed


@compiled
def vote(facts: Floats32, verdicts: Ints32, votes: Floats32, scale: float) -> None:
    """Add each voxel's vote: for it if positive, against it if negative.

    ``votes`` holds the vote of each verdict: [passed, no mask, mask 1, …].
    """
    for n in range(len(facts)):
        if verdicts[n] < PASSED:
            continue
        value = votes[verdicts[n] + 1] * scale
        if value > 0:
            facts[n, HITS] += value
        else:
            facts[n, MISSES] -= value


@compiled
def keep_rows(rows: Rows, keep: Bools) -> int:
    """Move the kept rows to the front in their order; return how many there are."""
    keys, points, facts, _ = rows
    used = 0
    for n in range(len(keep)):
        if keep[n]:
            keys[used] = keys[n]
            points[used] = points[n]
            facts[used] = facts[n]
            used += 1
    return used


@compiled
def coarsen(rows: Rows, count: int) -> int:
    """Join voxels into those of twice the size, in place; return how many are left."""
    keys, points, facts, table = rows
    table[:] = -1
    used = 0
    for n in range(count):
        key = coarser(keys[n])
        slot = find_slot(keys, table, key)
        row = table[slot]
        if row < 0:
            table[slot] = row = used
            used += 1
            keys[row], points[row], facts[row] = key, points[n], facts[n]
            continue
        total = facts[row, WEIGHT] + facts[n, WEIGHT]
        points[row] += facts[n, WEIGHT] / total * (points[n] - points[row])
        facts[row, WEIGHT] = total
        facts[row, HITS] = max(facts[row, HITS], facts[n, HITS])
        facts[row, MISSES] = min(facts[row, MISSES], facts[n, MISSES])
        facts[row, RANGE] = min(facts[row, RANGE], facts[n, RANGE])
        facts[row, OPEN] = max(facts[row, OPEN], facts[n, OPEN])
    return used


@compiled
def blocks(keys: Ints, out: Ints) -> None:
    """Write the key of the block of 4³ cells around each cell."""
    for n in range(len(keys)):
        out[n] = coarser(coarser(keys[n]))


@compiled
def brightest(points: Floats, facts: Floats32, reach_m: Floats, out: Floats32) -> None:
    """Write the largest weight among the voxels within ``reach_m`` (n,) of each voxel, itself included."""
    for n in range(len(points)):
        most, reach2 = facts[n, WEIGHT], reach_m[n] * reach_m[n]
        for k in range(len(points)):
            if facts[k, WEIGHT] > most:
                x, y = points[k, 0] - points[n, 0], points[k, 1] - points[n, 1]
                z = points[k, 2] - points[n, 2]
                if x * x + y * y + z * z <= reach2:
                    most = facts[k, WEIGHT]
        out[n] = most
