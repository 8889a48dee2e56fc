"""Portraits: pictures of the things of a world from all sides, with masks as a segmenter would give them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Bytes, Floats, Ints
from commonground.datasets.simulator.camera import Renderer
from commonground.datasets.world.model import Thing
from commonground.frame import Camera

SIDE_PX = 96
FOCAL_PX = 100.0
FAR_FOCAL_PX, FAR_PX = 450.0, 60.0
"""From afar: the focal length of a robot's camera, and how large a thing appears at most."""
FAR_M = (3.0, 14.0)
NEAREST_M = 0.5
EYE_HEIGHT_M = (0.3, 1.1)
"""How high above the ground robots carry their cameras."""
LEAST_PX = 60
"""Things of which fewer pixels are seen are left out."""


def _camera(focal_px: float) -> Camera:
    middle = SIDE_PX / 2
    K = np.array([[focal_px, 0, middle], [0, focal_px, middle], [0, 0, 1.0]])
    return Camera("eye", K, SIDE_PX, SIDE_PX)


CAMERA = _camera(FOCAL_PX)


@dataclass(frozen=True, slots=True, eq=False)
class Portrait:
    """A picture of one thing."""

    rgb: Bytes
    mask: Bools

    @property
    def box(self) -> Ints:
        """The first pixel and the one behind the last, as x, y, x, y."""
        rows, columns = (np.flatnonzero(self.mask.any(axis=axis)) for axis in (1, 0))
        return np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1])


def portraits(
    renderer: Renderer, thing: Thing, count: int, rng: np.random.Generator, far: float = 0.0
) -> Iterator[Portrait]:
    """Yield at most ``count`` portraits of a thing, at a robot's angle and of uneven quality.

    A share ``far`` of them is taken from afar, past what stands in between.
    """
    reach = float(np.linalg.norm(thing.box_size))
    for _ in range(count):
        distance, camera = reach * rng.uniform(1.2, 2.6), CAMERA
        if far and rng.random() < far:
            distance = max(distance, float(np.exp(rng.uniform(*np.log(FAR_M)))))
            camera = _camera(min(FAR_FOCAL_PX, FAR_PX * distance / reach))
        pose = _looking_at(thing, distance, rng)
        grain = rng.integers(0, 256, SIDE_PX * SIDE_PX).astype(np.uint8)
        view = renderer.view(
            camera, pose, gain=float(rng.uniform(0.75, 1.25)), grain=grain, color_noise=4.0
        )
        mask = _degraded(view.instances == thing.index, rng)
        if mask.sum() >= LEAST_PX:
            yield Portrait(view.rgb, mask)


def _looking_at(thing: Thing, distance: float, rng: np.random.Generator) -> Floats:
    """Return a pose T_world_cam from some side, not quite aimed at the middle; at times far beside it.

    Half of them are as high as robots carry cameras, the others above the thing.
    """
    around, down = rng.uniform(-np.pi, np.pi), np.radians(rng.uniform(3, 40))
    distance = max(distance, NEAREST_M)
    if rng.random() < 0.5:
        rise = rng.uniform(*EYE_HEIGHT_M) - (thing.box_center[2] - thing.box_size[2] / 2)
        down = np.arcsin(np.clip((rise - thing.box_size[2] / 2) / distance, -0.5, 0.7))
    away = np.array([np.cos(around) * np.cos(down), np.sin(around) * np.cos(down), np.sin(down)])
    off = 0.25 if rng.random() < 0.2 else 0.06
    target = thing.box_center + rng.normal(0, off, 3) * thing.box_size
    x = np.cross(-away, [0, 0, 1.0])
    x /= np.linalg.norm(x)
    pose = np.eye(4)
    pose[:3, :3] = np.stack([x, np.cross(-away, x), -away], axis=1)
    pose[:3, 3] = target + distance * away
    return pose


def _degraded(mask: Bools, rng: np.random.Generator) -> Bools:
    """Return a mask too small, too large, or with a side of it lost."""
    from scipy.ndimage import binary_dilation, binary_erosion

    choice, times = rng.random(), int(rng.integers(1, 3))
    if choice < 0.25:
        mask = binary_dilation(mask, iterations=times)
    elif choice < 0.5 and mask.sum() > 400:
        mask = binary_erosion(mask, iterations=times)
    if rng.random() < 0.2 and mask.any():
        mask = mask.copy()
        seen = np.flatnonzero(mask.any(axis=0))
        lost = seen[: int(len(seen) * rng.uniform(0.1, 0.5))]
        mask[:, lost if rng.random() < 0.5 else seen[len(seen) - len(lost) :]] = False
    return mask
