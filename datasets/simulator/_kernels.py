"""Compiled loops of the renderer: from ray hits to colors, classes and objects, and the sensor's errors."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from commonground.arrays import Bytes, Floats, Floats32, Ints32
from commonground.compiled import compiled
from commonground.datasets.world.ground import WHITE, YELLOW
from commonground.datasets.world.shapes import BRICK, PLANKS, SLABS, SPECKLED, STRIPES

NO_HIT = 0xFFFFFFFF
HAZE_M = 220.0
PATTERNS = np.array(
    [  # fine strength, fine per meter, coarse strength, coarse per meter
        [0.05, 20.0, 0.00, 1.0],  # plain
        [0.16, 25.0, 0.06, 1.3],  # speckled
        [0.30, 14.0, 0.14, 0.8],  # grassy
        [0.00, 1.00, 0.05, 0.9],  # brick
        [0.07, 20.0, 0.00, 1.0],  # slabs
        [0.06, 25.0, 0.05, 3.0],  # planks
        [0.45, 9.00, 0.18, 2.2],  # leafy
        [0.00, 1.00, 0.30, 0.9],  # glass
        [0.03, 20.0, 0.00, 1.0],  # stripes
        [0.20, 10.0, 0.15, 2.5],  # stone
    ]
)
"""Noise of each texture; those with a regular pattern have that on top."""


@compiled(inline=True)
def _hash(x: int, y: int, z: int) -> float:
    """Return a number in [0, 1) for a lattice point."""
    h = np.uint32(x) * np.uint32(374761393) + np.uint32(y) * np.uint32(668265263)
    h = h + np.uint32(z) * np.uint32(2246822519)
    h = (h ^ (h >> np.uint32(15))) * np.uint32(2246822519)
    h = (h ^ (h >> np.uint32(13))) * np.uint32(3266489917)
    h = h ^ (h >> np.uint32(16))
    return float(h & np.uint32(0xFFFFFF)) * (1.0 / 16777216.0)


@compiled
def _noise(x: float, y: float, z: float) -> float:
    """Return smooth noise in [-1, 1] with features of unit size."""
    fx, fy, fz = np.floor(x), np.floor(y), np.floor(z)
    i, j, k = int(fx), int(fy), int(fz)
    u, v, w = x - fx, y - fy, z - fz
    u, v, w = u * u * (3 - 2 * u), v * v * (3 - 2 * v), w * w * (3 - 2 * w)
    a = _hash(i, j, k) * (1 - u) + _hash(i + 1, j, k) * u
    b = _hash(i, j + 1, k) * (1 - u) + _hash(i + 1, j + 1, k) * u
    c = _hash(i, j, k + 1) * (1 - u) + _hash(i + 1, j, k + 1) * u
    d = _hash(i, j + 1, k + 1) * (1 - u) + _hash(i + 1, j + 1, k + 1) * u
    low = a * (1 - v) + b * v
    high = c * (1 - v) + d * v
    return float(2 * (low * (1 - w) + high * w) - 1)


@compiled(inline=True)
def _fade(size_m: float, pixel_m: float) -> float:
    """Return how much of a pattern of a size survives pixels of a size: no moiré far away."""
    q: float = pixel_m / size_m
    return 1.0 / (1.0 + 4.0 * q * q)


@compiled(inline=True)
def _joint(x: float, size: float, width: float) -> float:
    """Return 1 in the joint between slabs of a size, else 0."""
    r = x / size
    r = (r - np.floor(r)) * size
    return 1.0 if r < width else 0.0


@compiled
def _regular(texture: int, across: float, up: float, pixel_m: float) -> float:
    """Return what bricks, slabs, planks and stripes add to the brightness, on a face seen upright."""
    if texture == BRICK:
        row = np.floor(up / 0.2)
        across += 0.25 if int(row) % 2 else 0.0
        mortar = max(_joint(up, 0.2, 0.025), _joint(across, 0.5, 0.025))
        tone = _hash(int(np.floor(across / 0.5)), int(row), 7) - 0.5
        return _fade(0.2, pixel_m) * (0.35 * tone * (1 - mortar) + 0.28 * mortar)
    if texture == SLABS:
        joint = max(_joint(across, 0.6, 0.02), _joint(up, 0.6, 0.02))
        tone = _hash(int(np.floor(across / 0.6)), int(np.floor(up / 0.6)), 3) - 0.5
        return _fade(0.6, pixel_m) * (0.18 * tone - 0.35 * joint)
    if texture == PLANKS:
        tone = _hash(int(np.floor(up / 0.15)), 1, 1) - 0.5
        return _fade(0.15, pixel_m) * (0.22 * tone - 0.4 * _joint(up, 0.15, 0.012))
    if texture == STRIPES:
        return _fade(0.2, pixel_m) * (0.45 * _joint(up + 0.05, 0.2, 0.1) - 0.15)
    return 0.0


@compiled
def _pattern(texture: int, x: float, y: float, z: float, axis: int, pixel_m: float) -> float:
    """Return the brightness factor of a texture at a point of a thing, on a face across an axis."""
    fine, fine_per_m, coarse, coarse_per_m = PATTERNS[texture]
    out = 1.0
    if fine > 0:
        f = fine_per_m
        out += fine * _fade(1 / f, pixel_m) * _noise(f * x, f * y, f * z)
    if coarse > 0:
        f = coarse_per_m
        out += coarse * _noise(f * x, f * y, f * z)
    if texture in (BRICK, SLABS, PLANKS, STRIPES):
        out += _regular(texture, y if axis == 0 else x, y if axis == 2 else z, pixel_m)
    return out


@compiled
def aim(K: Floats, T_world_cam: Floats, rays: Floats32) -> None:
    """Fill rays (h, w, 6): the eye, and the direction of each pixel with z = 1 in the camera frame."""
    height, width, _ = rays.shape
    R, t = T_world_cam[:3, :3], T_world_cam[:3, 3]
    for i in range(height):
        y = (i - K[1, 2]) / K[1, 1]
        for j in range(width):
            x = (j - K[0, 2]) / K[0, 0]
            for a in range(3):
                rays[i, j, a] = t[a]
                rays[i, j, 3 + a] = R[a, 0] * x + R[a, 1] * y + R[a, 2]


class Hits(NamedTuple):
    """What n rays met."""

    depth: Floats32
    """(n,) z of the hit."""
    triangle: Any
    """(n,) u32, NO_HIT for none."""
    uv: Floats32
    """(n, 2) where on the triangle."""
    rays: Floats32
    """(n, 6) eye and direction in the world."""


class Skin(NamedTuple):
    """How each triangle looks, and what it belongs to."""

    faces: Ints32
    local: Floats32
    """(vertices, 3) in the frame of the thing."""
    colors: Bytes
    textures: Bytes
    instances: Ints32
    labels: Ints32
    """Negative for the ground, whose class the raster tells."""
    light: Floats32
    axes: Bytes
    """Which axis of the thing a face looks along."""


class GroundSkin(NamedTuple):
    """How the ground looks."""

    surface: Bytes
    paint: Bytes
    origin: Floats
    cell_m: float
    colors: Bytes
    """(classes, 3)"""
    textures: Bytes
    """(classes,)"""


class Exposure(NamedTuple):
    """How light becomes numbers."""

    focal_px: float
    gain: float
    grain: Bytes
    """(n,) which deviate of the table each pixel gets."""
    deviates: Floats32
    """(256,)"""


class Images(NamedTuple):
    """What is filled."""

    rgb: Bytes
    """(n, 3)"""
    instances: Ints32
    labels: Ints32


@compiled(fastmath=True)
def _ground_look(ground: GroundSkin, x: float, y: float) -> tuple[int, int, float, float, float]:
    """Return class, texture and color of the ground at a place."""
    i = min(max(int((x - ground.origin[0]) / ground.cell_m), 0), ground.surface.shape[0] - 1)
    j = min(max(int((y - ground.origin[1]) / ground.cell_m), 0), ground.surface.shape[1] - 1)
    label = int(ground.surface[i, j])
    mark = ground.paint[i, j]
    if mark == WHITE:
        return label, SPECKLED, 222.0, 220.0, 215.0
    if mark == YELLOW:
        return label, SPECKLED, 222.0, 175.0, 60.0
    r, g, b = ground.colors[label, 0], ground.colors[label, 1], ground.colors[label, 2]
    return label, int(ground.textures[label]), float(r), float(g), float(b)


@compiled(fastmath=True)
def shade(hits: Hits, skin: Skin, ground: GroundSkin, exposure: Exposure, images: Images) -> None:
    """Fill the images (n, …) from the hits of n rays: sky, or color × pattern × light, behind haze."""
    for k in range(hits.depth.shape[0]):
        tri = hits.triangle[k]
        dx, dy, dz = hits.rays[k, 3], hits.rays[k, 4], hits.rays[k, 5]
        sky = min(1.0, max(0.0, 1.4 * dz / np.sqrt(dx * dx + dy * dy + dz * dz)))
        r, g, b = 205 - 90 * sky, 218 - 65 * sky, 232 - 25 * sky
        label, instance = 0, 0
        if tri != NO_HIT:
            z = hits.depth[k]
            p, q, s = skin.faces[tri, 0], skin.faces[tri, 1], skin.faces[tri, 2]
            u, v = hits.uv[k, 0], hits.uv[k, 1]
            w = 1 - u - v
            x = w * skin.local[p, 0] + u * skin.local[q, 0] + v * skin.local[s, 0]
            y = w * skin.local[p, 1] + u * skin.local[q, 1] + v * skin.local[s, 1]
            h = w * skin.local[p, 2] + u * skin.local[q, 2] + v * skin.local[s, 2]
            label, instance, texture = (
                skin.labels[tri],
                skin.instances[tri],
                int(skin.textures[tri]),
            )
            red, green = float(skin.colors[tri, 0]), float(skin.colors[tri, 1])
            blue = float(skin.colors[tri, 2])
            if label < 0:
                label, texture, red, green, blue = _ground_look(ground, x, y)
            pattern = _pattern(texture, x, y, h, skin.axes[tri], z / exposure.focal_px)
            haze = 1 - np.exp(-z / HAZE_M)
            near = (1 - haze) * skin.light[tri] * pattern
            r, g, b = red * near + r * haze, green * near + g * haze, blue * near + b * haze
        images.labels[k] = label
        images.instances[k] = instance
        noise = exposure.deviates[exposure.grain[k]]
        images.rgb[k, 0] = min(255.0, max(0.0, r * exposure.gain + noise))
        images.rgb[k, 1] = min(255.0, max(0.0, g * exposure.gain + noise))
        images.rgb[k, 2] = min(255.0, max(0.0, b * exposure.gain + noise))


@compiled
def sense(
    depth: Floats32,
    normal: Floats32,
    chance: Floats32,
    noise: float,
    dropout: float,
    flying: float,
    near_m: float,
    far_m: float,
    out: Floats32,
) -> None:
    """Fill the measured depth image (h, w) from the true one: noise ∝ z², edges lost or flying, range cut."""
    height, width = depth.shape
    for i in range(height):
        for j in range(width):
            z = depth[i, j]
            if not (near_m <= z <= far_m):
                out[i, j] = np.nan
                continue
            low, high = z, z
            for di, dj in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                p, q = i + di, j + dj
                if 0 <= p < height and 0 <= q < width:
                    other = depth[p, q]
                    low, high = min(low, other), max(high, other)
            # a slanted plane has equal steps on both sides; an edge has a step much larger than that
            edge = high - low > 0.05 + 0.08 * z
            value = z + noise * z * z * normal[i, j]
            if edge:
                if chance[i, j] < dropout:
                    value = np.nan
                elif chance[i, j] < dropout + flying:
                    value = low + (min(high, far_m) - low) * (chance[i, j] - dropout) / flying
            out[i, j] = value if near_m <= value <= far_m else np.nan
