"""The sign that stands for a robot on the map: a pin with its point where the robot is."""

from __future__ import annotations

import numpy as np

from commonground.scene import batches
from commonground.scene.glb import glb_bytes

PROFILE = ((0.0, 0.0), (0.45, 0.9), (0.72, 1.4), (0.75, 1.7), (0.6, 2.05), (0.33, 2.3), (0.0, 2.4))
"""Radius and height, from the point to the top."""
SIDES = 14
HIGH = PROFILE[-1][1]


def pin(color: tuple[int, int, int], size_m: float) -> bytes:
    """Return a pin as binary glTF, its point at the origin."""
    turn = np.linspace(0.0, 2 * np.pi, SIDES, endpoint=False)
    rings = np.array(
        [[(r * np.cos(a), r * np.sin(a), z) for a in turn] for r, z in PROFILE]
    ).reshape(-1, 3)
    k = np.arange(SIDES)
    here = k[None] + SIDES * np.arange(len(PROFILE) - 1)[:, None]
    beside = (k + 1)[None] % SIDES + SIDES * np.arange(len(PROFILE) - 1)[:, None]
    a, b, c, d = (x.ravel() for x in (here, beside, beside + SIDES, here + SIDES))
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    colors = np.tile(np.array(color, np.uint8), (len(rings), 1))
    found = batches.shaded(batches.Surface(size_m * rings, faces, colors))
    return glb_bytes(found.vertices, found.colors, found.faces, turned=False, lit=False)
