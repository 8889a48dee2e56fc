"""Compiled loops from a depth image to surfaces: smoothing, normals, edges, pieces."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints32
from commonground.compiled import compiled
from commonground.frame import Intrinsics
from commonground.mapping.depth_pieces import DepthNoise, join, root_of, step_limit


@compiled
def shrink(
    depth: Floats32, factor: int, near_m: float, far_m: float, noise: DepthNoise, out: Floats32
) -> None:
    """Write the mean depth of the nearest surface in each ``factor``² block; NaN where there is none."""
    rows, columns = out.shape
    for y in range(rows):
        for x in range(columns):
            nearest = np.inf
            for j in range(y * factor, (y + 1) * factor):
                for i in range(x * factor, (x + 1) * factor):
                    z = depth[j, i]
                    if z >= near_m and z <= far_m and z < nearest:
                        nearest = z
            if nearest == np.inf:
                out[y, x] = np.nan
                continue
            total, count = 0.0, 0
            reach = step_limit(nearest, noise)
            for j in range(y * factor, (y + 1) * factor):
                for i in range(x * factor, (x + 1) * factor):
                    if depth[j, i] - nearest <= reach:
                        total += depth[j, i]
                        count += 1
            out[y, x] = total / count


@compiled
def smooth(
    depth: Floats32, noise: DepthNoise, reach_near: int, reach_far: int, out: Floats32
) -> None:
    """Write the mean of each pixel's neighbors on the same surface; isolated pixels become NaN."""
    rows, columns = depth.shape
    for y in range(rows):
        for x in range(columns):
            z = depth[y, x]
            if np.isnan(z):
                out[y, x] = np.nan
                continue
            reach = reach_near if z < 2.5 else reach_far
            gap = step_limit(z, noise)
            total, count = 0.0, 0
            for j in range(max(0, y - reach), min(rows, y + reach + 1)):
                for i in range(max(0, x - reach), min(columns, x + reach + 1)):
                    if abs(depth[j, i] - z) <= gap:
                        total += depth[j, i]
                        count += 1
            out[y, x] = total / count if count > 3 else np.nan


@compiled
def _step(depth: Floats32, y: int, x: int, dy: int, dx: int, gap: float) -> int:
    """Return how many pixels (at most the length of the step) one can go without leaving the surface."""
    rows, columns = depth.shape
    steps = 0
    for k in range(1, 7):
        j, i = y + k * dy, x + k * dx
        if j < 0 or i < 0 or j >= rows or i >= columns:
            break
        if not abs(depth[j, i] - depth[j - dy, i - dx]) <= gap:
            break
        steps = k
    return steps


@compiled
def normals(
    depth: Floats32, K: Intrinsics, noise: DepthNoise, window_m: float, out: Floats32
) -> None:
    """Write unit normals (h, w, 3) in camera axes, toward the camera; NaN where there is no surface.

    From the differences across about ``window_m``, but at most 13 pixels, cut short at depth edges.
    """
    rows, columns = depth.shape
    fx, fy, cx, cy = K
    out[:] = np.nan
    for y in range(rows):
        for x in range(columns):
            z = depth[y, x]
            if np.isnan(z):
                continue
            gap = step_limit(z, noise)
            want = max(2, min(6, int(window_m * fx / (2 * z) + 0.5)))
            right, left = (
                min(want, _step(depth, y, x, 0, 1, gap)),
                min(want, _step(depth, y, x, 0, -1, gap)),
            )
            down, up = (
                min(want, _step(depth, y, x, 1, 0, gap)),
                min(want, _step(depth, y, x, -1, 0, gap)),
            )
            if right + left == 0 or down + up == 0:
                continue
            z1, z2 = depth[y, x + right], depth[y, x - left]
            ax = ((x + right - cx) * z1 - (x - left - cx) * z2) / fx
            ay, az = (y - cy) * (z1 - z2) / fy, z1 - z2
            z3, z4 = depth[y + down, x], depth[y - up, x]
            bx = (x - cx) * (z3 - z4) / fx
            by, bz = ((y + down - cy) * z3 - (y - up - cy) * z4) / fy, z3 - z4
            nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
            length = np.sqrt(nx * nx + ny * ny + nz * nz)
            if length <= 0:
                continue
            toward = nx * (x - cx) / fx + ny * (y - cy) / fy + nz
            sign = -1.0 if toward > 0 else 1.0
            out[y, x, 0] = sign * nx / length
            out[y, x, 1] = sign * ny / length
            out[y, x, 2] = sign * nz / length


@compiled
def plane_pieces(
    depth: Floats32,
    normal: Floats32,
    K: Intrinsics,
    noise: DepthNoise,
    least_cos: float,
    parent: Ints32,
) -> None:
    """Join neighboring pixels that lie in one another's tangent plane and face the same way."""
    rows, columns = depth.shape
    z, n = depth.ravel(), normal.reshape(-1, 3)
    for p in range(rows * columns):
        parent[p] = p
    for p in range(rows * columns):
        if np.isnan(n[p, 0]):
            continue
        y, x = p // columns, p % columns
        for back in (1, columns):
            if (back == 1 and x == 0) or (back > 1 and y == 0):
                continue
            q = p - back
            if np.isnan(n[q, 0]):
                continue
            same = n[p, 0] * n[q, 0] + n[p, 1] * n[q, 1] + n[p, 2] * n[q, 2]
            if same < least_cos:
                continue
            if abs(_off_plane(z, n, p, q, columns, K)) <= 0.5 * step_limit(z[p], noise):
                join(parent, p, q)


@compiled
def _off_plane(z: Floats32, n: Floats32, p: int, q: int, columns: int, K: Intrinsics) -> float:
    """Return how far pixel q's point lies above (toward the camera) the tangent plane at pixel p."""
    fx, fy, cx, cy = K
    dx = ((q % columns - cx) * z[q] - (p % columns - cx) * z[p]) / fx
    dy = ((q // columns - cy) * z[q] - (p // columns - cy) * z[p]) / fy
    return float(n[p, 0] * dx + n[p, 1] * dy + n[p, 2] * (z[q] - z[p]))


@compiled
def number_pieces(usable: Bools, parent: Ints32, least: int, out: Ints32) -> int:
    """Write the pieces of at least ``least`` usable pixels as 1 … k, others 0; return k."""
    flat, label = usable.ravel(), out.ravel()
    size = np.zeros(len(flat), np.int32)
    for p in range(len(flat)):
        if flat[p]:
            size[root_of(parent, p)] += 1
    number = np.zeros(len(flat), np.int32)
    used = 0
    for p in range(len(flat)):
        label[p] = 0
        if not flat[p]:
            continue
        root = root_of(parent, p)
        if size[root] < least:
            continue
        if number[root] == 0:
            used += 1
            number[root] = used
        label[p] = number[root]
    return used


@compiled
def piece_moments(
    pieces: Ints32,
    depth: Floats32,
    normal: Floats32,
    K: Intrinsics,
    T_odom_cam: Floats,
    out: Floats,
) -> None:
    """Sum per piece: pixels, area (m²), normal (3), point (3), outer product of the point (6), box (6).

    Points and normals in the odometry frame; ``out`` is (k + 1, 20). Box: lowest then highest corner.
    """
    rows, columns = pieces.shape
    fx, fy, cx, cy = K
    out[:] = 0.0
    out[:, 14:17] = np.inf
    out[:, 17:20] = -np.inf
    p = np.empty(3)
    m = np.empty(3)
    for y in range(rows):
        for x in range(columns):
            s = pieces[y, x]
            if s <= 0:
                continue
            z = depth[y, x]
            a, b = (x - cx) / fx, (y - cy) / fy
            slant = -(normal[y, x, 0] * a + normal[y, x, 1] * b + normal[y, x, 2])
            for r in range(3):
                R = T_odom_cam[r]
                p[r] = R[0] * a * z + R[1] * b * z + R[2] * z + R[3]
                m[r] = R[0] * normal[y, x, 0] + R[1] * normal[y, x, 1] + R[2] * normal[y, x, 2]
            out[s, 0] += 1
            if not np.isnan(slant):
                out[s, 1] += z * z / (fx * fy) / max(slant, 0.15)
                for r in range(3):
                    out[s, 2 + r] += m[r]
            k = 8
            for r in range(3):
                out[s, 5 + r] += p[r]
                out[s, 14 + r] = min(out[s, 14 + r], p[r])
                out[s, 17 + r] = max(out[s, 17 + r], p[r])
                for c in range(r, 3):
                    out[s, k] += p[r] * p[c]
                    k += 1


@compiled
def label_pieces(labels: Ints32, parent: Ints32) -> None:
    """Join neighboring pixels of the same label."""
    columns = labels.shape[1]
    label = labels.ravel()
    for p in range(len(label)):
        parent[p] = p
    for p in range(len(label)):
        if p % columns > 0 and label[p] == label[p - 1]:
            join(parent, p, p - 1)
        if p >= columns and label[p] == label[p - columns]:
            join(parent, p, p - columns)


@compiled
def rough_pieces(depth: Floats32, free: Bools, noise: DepthNoise, parent: Ints32) -> None:
    """Join neighboring free pixels without a depth edge between them."""
    rows, columns = depth.shape
    z, usable = depth.ravel(), free.ravel()
    for p in range(rows * columns):
        parent[p] = p
    for p in range(rows * columns):
        if not usable[p]:
            continue
        for back in (1, columns):
            if p < back or (back == 1 and p % columns == 0) or not usable[p - back]:
                continue
            if abs(z[p] - z[p - back]) <= step_limit(z[p], noise):
                join(parent, p, p - back)


@compiled
def _inward(pieces: Ints32, normal: Floats32, p: int, step: int) -> int:
    """Return a pixel of p's piece a little away from the border it shares, where normals are clean."""
    label, n = pieces.ravel(), normal.reshape(-1, 3)
    best = p
    for k in range(1, 4):
        q = p + k * step
        if q < 0 or q >= len(label) or label[q] != label[p] or np.isnan(n[q, 0]):
            break
        best = q
    return best


@compiled
def borders(
    pieces: Ints32,
    depth: Floats32,
    normal: Floats32,
    K: Intrinsics,
    noise: DepthNoise,
    crease: float,
    out: Ints32,
) -> int:
    """List the contacts of different pieces: lower label, higher label, kind, above one another.

    Kind 1 is concave by more than ``crease`` (1 − cos), −1 convex, 0 flat or unknown. There is no contact
    across a depth edge.
    """
    rows, columns = pieces.shape
    label, z, n = pieces.ravel(), depth.ravel(), normal.reshape(-1, 3)
    count = 0
    for p in range(rows * columns):
        for back in (1, columns):
            q = p - back
            if q < 0 or (back == 1 and p % columns == 0):
                continue
            if label[p] == label[q] or label[p] == 0 or label[q] == 0:
                continue
            if not abs(z[p] - z[q]) <= step_limit(z[p], noise):
                continue
            out[count, 0], out[count, 1] = min(label[p], label[q]), max(label[p], label[q])
            a = _inward(pieces, normal, p, back)
            b = _inward(pieces, normal, q, -back)
            out[count, 2] = _bend(z, n, a, b, columns, K, crease)
            out[count, 3] = back > 1
            count += 1
    return count


@compiled
def _bend(
    z: Floats32, n: Floats32, a: int, b: int, columns: int, K: Intrinsics, crease: float
) -> int:
    if np.isnan(n[a, 0]) or np.isnan(n[b, 0]):
        return 0
    bend = 1.0 - (n[a, 0] * n[b, 0] + n[a, 1] * n[b, 1] + n[a, 2] * n[b, 2])
    if bend < crease:
        return 0
    above = _off_plane(z, n, a, b, columns, K) + _off_plane(z, n, b, a, columns, K)
    return 1 if above > 0 else -1


@compiled
def enlarge(
    small: Ints32,
    depth_small: Floats32,
    depth: Floats32,
    factor: int,
    noise: DepthNoise,
    out: Ints32,
) -> None:
    """Write the label image at full size: each pixel takes the label of a small pixel on its surface."""
    rows, columns = out.shape
    h, w = small.shape
    for y in range(rows):
        for x in range(columns):
            z = depth[y, x]
            out[y, x] = 0
            if not np.isfinite(z):
                continue
            v, u = min(y // factor, h - 1), min(x // factor, w - 1)
            if small[v, u] > 0 and abs(depth_small[v, u] - z) <= step_limit(z, noise):
                out[y, x] = small[v, u]
