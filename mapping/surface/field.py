"""The truncated signed distance field, and the fusion of a depth image into it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Bools, Bytes, Floats, Floats32, Ints32
from commonground.compiled import compiled
from commonground.frame import Frame, Intrinsics
from commonground.geometry import inverse
from commonground.geometry.kernels import transformed
from commonground.mapping.surface.blocks import LIVE, NO_EVIDENCE, SIDE, VOXELS, BlockGrid, Blocks
from commonground.mapping.surface.depth import DepthView, depth_view
from commonground.mapping.surface.settings import SurfaceSettings

TRUNCATION_VOXELS = 3.0
"""Distances are kept up to this many voxels from a surface."""

CORNER = 1.4
"""Depth is measured along the optical axis; a point in the image's corner is farther by up to this factor."""


class DistanceField:
    """A truncated signed distance field with color and class votes, in the odometry frame.

    Distances are taken along the normal of the plane each pixel sees, not along the ray: at grazing angles,
    which is how a robot sees the ground, a distance along the ray is many times too long.
    """

    def __init__(self, settings: SurfaceSettings) -> None:
        self.settings = settings
        margin = SIDE * settings.voxel_m
        self.frames = 0
        """Frames fused."""
        self.blocks = Blocks(CORNER * settings.max_range_m + margin, settings.voxel_m)

    def integrate(self, frame: Frame, labels: Ints32 | None = None) -> int:
        """Fuse one frame, with the class (h, w) of each pixel or −1; return the number of blocks seen."""
        self.frames += 1
        s, blocks = self.settings, self.blocks
        truncation_m = TRUNCATION_VOXELS * s.voxel_m
        view = depth_view(frame, labels, s.voxel_m, s.min_range_m, s.max_range_m)
        T_cam_odom = inverse(frame.T_odom_cam)
        center = frame.T_odom_cam[:3, 3]
        keys = visible_blocks(center, T_cam_odom, view, blocks.block_m, s.max_range_m)
        new = np.flatnonzero(blocks.slots_of(keys) < 0)
        hit = touched(keys[new], T_cam_odom, view, s.voxel_m, truncation_m, s.max_range_m)
        slots = blocks.claim(np.delete(keys, new[~hit], axis=0), frame.stamp_ns)
        slots = slots[blocks.state[slots] == LIVE]
        seen = fuse(slots, blocks.grid, T_cam_odom, view, truncation_m, s.max_range_m, s.max_weight)
        slots = slots[seen]
        blocks.last_seen_ns[slots] = frame.stamp_ns
        blocks.ground_due[slots] = blocks.space_due[slots] = True
        return len(slots)

    def release(self) -> None:
        """Give the memory back: nothing more will be seen, and all there was has been read out."""
        self.blocks = Blocks(0.0, self.settings.voxel_m, slots=1)


@compiled
def visible_blocks(
    center: Floats, T_cam_odom: Floats, view: DepthView, block_m: float, reach_m: float
) -> Ints32:
    """Return the coordinates (n, 3) of blocks in the view that are not hidden behind what it sees."""
    h, w = view.inverse_m.shape
    farthest = farthest_of_tiles(view.inverse_m)
    planes = side_planes(view.intrinsics, h, w)
    radius = block_m * 0.8660254037844386
    r = math.ceil(reach_m / block_m) + 1
    base = np.floor(center / block_m).astype(np.int32)
    p = np.empty(3)
    out = np.empty(((2 * r + 1) ** 3, 3), np.int32)
    n = 0
    for dx in range(-r, r + 1):
        for dy in range(-r, r + 1):
            for dz in range(-r, r + 1):
                kx, ky, kz = base[0] + dx, base[1] + dy, base[2] + dz
                x, y, z = (kx + 0.5) * block_m, (ky + 0.5) * block_m, (kz + 0.5) * block_m
                p[0], p[1], p[2] = transformed(T_cam_odom, x, y, z)
                if p[2] < -radius or p[2] > reach_m + radius:
                    continue
                inside = True
                for a in range(4):
                    if planes[a, 0] * p[0] + planes[a, 1] * p[1] + planes[a, 2] * p[2] < -radius:
                        inside = False
                        break
                if inside and p[2] - radius < depth_limit(farthest, view.intrinsics, p, radius):
                    out[n, 0], out[n, 1], out[n, 2] = kx, ky, kz
                    n += 1
    return out[:n]


TILE = 8


@compiled
def farthest_of_tiles(inverse_m: Floats32) -> Floats32:
    """Return the largest depth of each tile of pixels; 0 where none has any."""
    h, w = inverse_m.shape
    out = np.zeros(((h + TILE - 1) // TILE, (w + TILE - 1) // TILE), np.float32)
    for i in range(h):
        for j in range(w):
            if inverse_m[i, j] > 0:
                out[i // TILE, j // TILE] = max(out[i // TILE, j // TILE], 1.0 / inverse_m[i, j])
    return out


@compiled
def side_planes(intrinsics: Intrinsics, h: int, w: int) -> Floats:
    """Return the inward unit normals (4, 3) of the view's sides, in the camera frame."""
    fx, fy, cx, cy = intrinsics
    out = np.zeros((4, 3))
    out[0, 0], out[0, 2] = 1.0, (cx + 0.5) / fx
    out[1, 0], out[1, 2] = -1.0, (w - 0.5 - cx) / fx
    out[2, 1], out[2, 2] = 1.0, (cy + 0.5) / fy
    out[3, 1], out[3, 2] = -1.0, (h - 0.5 - cy) / fy
    for a in range(4):
        out[a] /= math.sqrt(out[a, 0] ** 2 + out[a, 1] ** 2 + out[a, 2] ** 2)
    return out


@compiled
def depth_limit(farthest: Floats32, intrinsics: Intrinsics, p: Floats, radius: float) -> float:
    """Return the largest depth seen where a ball at ``p`` (3,) may appear in the image."""
    fx, fy, cx, cy = intrinsics
    rows, cols = farthest.shape
    a0, a1, b0, b1 = 0, rows - 1, 0, cols - 1
    near = p[2] - radius
    if near > 0.1:
        # the silhouette of a ball lies within that of a square facing the camera through its nearest point
        u0, u1 = (p[0] - radius), (p[0] + radius)
        v0, v1 = (p[1] - radius), (p[1] + radius)
        far = p[2] + radius
        u0, u1 = min(u0 / near, u0 / far), max(u1 / near, u1 / far)
        v0, v1 = min(v0 / near, v0 / far), max(v1 / near, v1 / far)
        b0 = max(0, math.floor((u0 * fx + cx) / TILE))
        b1 = min(cols - 1, math.floor((u1 * fx + cx) / TILE))
        a0 = max(0, math.floor((v0 * fy + cy) / TILE))
        a1 = min(rows - 1, math.floor((v1 * fy + cy) / TILE))
    out = 0.0
    for a in range(a0, a1 + 1):
        for b in range(b0, b1 + 1):
            out = max(out, farthest[a, b])
    return out + radius


@compiled
def touched(
    keys: Ints32, T_cam_odom: Floats, view: DepthView, voxel_m: float, truncation_m: float, reach_m: float
) -> Bools:  # fmt: skip
    """Return which blocks (n,) have a voxel that the image says something of."""
    inverse_m, scale_m, intrinsics = view.inverse_m, view.scale_m, view.intrinsics
    h, w = inverse_m.shape
    out = np.zeros(len(keys), np.bool_)
    for n in range(len(keys)):
        for v in range(VOXELS):
            i, j, pz = pixel_of(keys[n], v, T_cam_odom, intrinsics, voxel_m)
            if pz > NEAR and pz <= reach_m and i >= 0 and j >= 0 and i < h and j < w:
                d_inv = inverse_m[i, j]
                if d_inv > 0 and (1.0 - pz * d_inv) * scale_m[i, j] > -truncation_m:
                    out[n] = True
                    break
    return out


NEAR = 0.05
HINDSIGHT = 0.02
"""Weight of what lies a voxel or more behind a surface: a guess, outweighed by any look through it."""


@compiled
def pixel_of(
    key: Ints32, v: int, T_cam_odom: Floats, intrinsics: Intrinsics, voxel_m: float
) -> tuple[int, int, float]:
    """Return row, column and depth of a voxel's center in the image; depth ≤ NEAR has no pixel."""
    x = (key[0] * SIDE + v // 64 + 0.5) * voxel_m
    y = (key[1] * SIDE + (v // 8) % 8 + 0.5) * voxel_m
    z = (key[2] * SIDE + v % 8 + 0.5) * voxel_m
    px, py, pz = transformed(T_cam_odom, x, y, z)
    if pz <= NEAR:
        return -1, -1, pz
    fx, fy, cx, cy = intrinsics
    j = math.floor(fx * px / pz + cx + 0.5)
    i = math.floor(fy * py / pz + cy + 0.5)
    return i, j, pz


@compiled
def fuse(
    slots: Ints32, grid: BlockGrid, T_cam_odom: Floats, view: DepthView, truncation_m: float,
    reach_m: float, max_weight: float,
) -> Bools:  # fmt: skip
    """Update the voxels of live blocks in place; return which blocks (n,) the image saw."""
    inverse_m, scale_m, image, classes, intrinsics = view
    keys, distance, weight, voxel_m = grid.keys, grid.distance, grid.weight, grid.voxel_m
    rgb, label, votes = grid.rgb, grid.label, grid.votes
    h, w = inverse_m.shape
    seen = np.zeros(len(slots), np.bool_)
    for n in range(len(slots)):
        s = slots[n]
        for v in range(VOXELS):
            i, j, pz = pixel_of(keys[s], v, T_cam_odom, intrinsics, voxel_m)
            if pz <= NEAR or pz > reach_m or i < 0 or j < 0 or i >= h or j >= w:
                continue
            d_inv = inverse_m[i, j]
            if d_inv <= 0:
                continue
            d = (1.0 - pz * d_inv) * scale_m[i, j]
            if d < -truncation_m:
                continue
            weigh = min(1.0, 1.0 / (pz * pz))
            if d < -voxel_m:
                weigh *= HINDSIGHT * (truncation_m + d) / (truncation_m - voxel_m)
            if weigh < 1e-6:
                continue
            old = weight[s, v]
            new = old + weigh
            distance[s, v] = (distance[s, v] * old + min(d, truncation_m) * weigh) / new
            weight[s, v] = min(new, max_weight)
            seen[n] = True
            if abs(d) < 1.8 * voxel_m:
                blend(rgb[s, v], image[i, j], weigh / new)
                vote(label, votes, s, v, classes[i, j], weigh, max_weight)
    return seen


@compiled
def blend(stored: NDArray[np.uint16], color: Bytes, share: float) -> None:
    """Move a stored color (3,), times 256, towards a seen one by a share."""
    for c in range(3):
        stored[c] = int(stored[c] + (color[c] * 256.0 - stored[c]) * share + 0.5)


@compiled
def vote(
    label: NDArray[np.int16], votes: Floats32, s: int, v: int, seen: int, weigh: float, most: float
) -> None:
    """Count a look for or against the class a voxel holds; the majority of all looks stays (Boyer-Moore)."""
    if label[s, v] == seen:
        votes[s, v] = min(votes[s, v] + weigh, most)
    elif label[s, v] == NO_EVIDENCE or votes[s, v] < weigh:
        label[s, v], votes[s, v] = seen, weigh - votes[s, v]
    else:
        votes[s, v] -= weigh
