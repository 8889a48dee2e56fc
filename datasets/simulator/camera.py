"""The renderer: rays into the triangles of a world, then color, classes and a sensor's errors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Bools, Bytes, Floats, Floats32, Ints32
from commonground.datasets.labels import LABELS
from commonground.datasets.settings import SensorSettings
from commonground.datasets.world.model import Soup, World
from commonground.datasets.world.shapes import GRASSY, PLAIN, SLABS, SPECKLED, STONE
from commonground.errors import require
from commonground.frame import Camera
from commonground.rays import Triangles

if TYPE_CHECKING:
    from commonground.datasets.simulator._kernels import Hits

SUN = np.array([0.45, 0.3, 0.84])
LAMPS = np.array([0.3, 0.5, 0.81])
AMBIENT = 0.48
GROUND_LOOKS = {
    "road": ((88, 88, 92), SPECKLED),
    "parking": ((104, 103, 104), SPECKLED),
    "sidewalk": ((172, 169, 162), SLABS),
    "grass": ((86, 122, 58), GRASSY),
    "path": ((176, 158, 124), SPECKLED),
    "ground": ((132, 108, 82), STONE),
    "floor": ((158, 150, 140), SLABS),
}


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What a perfect camera sees."""

    rgb: Bytes
    depth_m: Floats32
    """(h, w) inf where there is nothing."""
    instances: Ints32
    labels: Ints32


class Renderer:
    """Renders one world; costs its triangles once, then about 40 ms of one core an image of 640×480."""

    def __init__(self, world: World) -> None:
        require("open3d", "mapping")
        require("numba", "mapping")
        from commonground.datasets.simulator._kernels import GroundSkin, Skin

        self.world = world
        self._soup = soup = world.soup()
        self._rays: dict[tuple[int, int], Floats32] = {}
        self._skin = Skin(
            faces=soup.faces,
            local=soup.local,
            colors=soup.colors,
            textures=soup.textures,
            instances=soup.instances,
            labels=soup.labels,
            light=_light(_normals(soup.vertices, soup.faces), _is_roofed(world, soup)),
            axes=np.abs(_normals(soup.local, soup.faces)).argmax(axis=1).astype(np.uint8),
        )
        looks = [GROUND_LOOKS.get(LABELS[n], ((128, 128, 128), PLAIN)) for n in sorted(LABELS)]
        ground = world.ground
        self._ground = GroundSkin(
            surface=ground.surface,
            paint=ground.paint,
            origin=ground.origin,
            cell_m=ground.cell_m,
            colors=np.array([color for color, _ in looks], np.uint8),
            textures=np.array([texture for _, texture in looks], np.uint8),
        )

    @cached_property
    def _scene(self) -> Triangles:
        return Triangles(self._soup.vertices, self._soup.faces)

    def view(
        self,
        camera: Camera,
        T_world_cam: Floats,
        *,
        gain: float = 1.0,
        grain: Bytes | None = None,
        color_noise: float = 0.0,
    ) -> View:
        """Return the images seen from a pose, with brightness ``gain`` and the bytes of a noise image."""
        from commonground.datasets.simulator._kernels import Exposure, Images, shade

        size, n = (camera.height, camera.width), camera.width * camera.height
        hits = self._cast(camera, T_world_cam)
        if grain is None:
            grain, color_noise = np.zeros(n, np.uint8), 0.0
        images = Images(np.empty((n, 3), np.uint8), np.empty(n, np.int32), np.empty(n, np.int32))
        exposure = Exposure(float(camera.K[0, 0]), gain, grain, _deviates(color_noise))
        shade(hits, self._skin, self._ground, exposure, images)
        return View(
            images.rgb.reshape(*size, 3),
            hits.depth.reshape(size),
            images.instances.reshape(size),
            images.labels.reshape(size),
        )

    def _cast(self, camera: Camera, T_world_cam: Floats) -> Hits:
        """Return what the rays of all pixels hit; z of a direction is 1, so its parameter is the depth."""
        from commonground.datasets.simulator._kernels import Hits, aim

        size, n = (camera.height, camera.width), camera.width * camera.height
        rays = self._rays.setdefault(size, np.empty((*size, 6), np.float32))
        aim(camera.K, T_world_cam, rays)
        found = self._scene.cast(rays.reshape(n, 6))
        return Hits(
            depth=found["t_hit"].numpy(),
            triangle=found["primitive_ids"].numpy(),
            uv=found["primitive_uvs"].numpy(),
            rays=rays.reshape(n, 6),
        )


def _is_roofed(world: World, soup: Soup) -> Bools:
    """Tell which faces (m,) of a world lie inside a building; the outer side of its walls does not."""
    return world.is_inside(soup.vertices[soup.faces].mean(axis=1, dtype=float), margin_m=0.05)


def _light(normals: Floats, roofed: Bools) -> Floats32:
    """Return the brightness (m,) of faces by their normals: lamps all over a ceiling, or sun and sky."""
    lamps = 0.72 + 0.28 * np.abs(normals @ LAMPS)
    toward = np.clip(normals @ (SUN / np.linalg.norm(SUN)), -0.35, 1)
    return np.asarray(np.where(roofed, lamps, AMBIENT + (1 - AMBIENT) * toward), np.float32)


def measured_depth(depth_m: Floats32, sensor: SensorSettings, rng: np.random.Generator) -> Floats32:
    """Return depth (h, w) as a sensor would give it; NaN where there is none."""
    from commonground.datasets.simulator._kernels import sense

    out = np.empty_like(depth_m)
    sense(
        depth_m,
        rng.standard_normal(depth_m.shape, np.float32),
        rng.random(depth_m.shape, np.float32),
        sensor.depth_noise,
        sensor.edge_dropout,
        sensor.flying_pixels,
        sensor.min_depth_m,
        sensor.max_depth_m,
        out,
    )
    return out


def _deviates(color_noise: float) -> Floats32:
    """Return the normal deviate (256,) that stands for each random byte."""
    from scipy.special import ndtri

    return np.asarray(color_noise * ndtri((np.arange(256) + 0.5) / 256), np.float32)


def _normals(vertices: Floats32, faces: Ints32) -> Floats:
    a, b, c = (vertices[faces[:, k]].astype(float) for k in range(3))
    n = np.cross(b - a, c - a)
    return np.asarray(n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-12))


def blurred(rgb: Bytes, camera: Camera, T_world_open: Floats, T_world_close: Floats) -> Bytes:
    """Return the image (h, w, 3) smeared along its own motion while the shutter was open.

    The turn of the camera moves the whole image alike; what its travel adds is small beside it.
    """
    import cv2

    R = T_world_open[:3, :3].T @ T_world_close[:3, :3]
    ray = R @ np.array([0.0, 0.0, 1.0])
    shift = camera.K[[0, 1], [0, 1]] * ray[:2] / max(float(ray[2]), 0.1)
    length = int(np.ceil(np.linalg.norm(shift)))
    if length < 1:
        return rgb
    size = 2 * length + 1
    kernel = np.zeros((size, size), np.float32)
    for s in np.linspace(-0.5, 0.5, 4 * size):
        x, y = np.rint(length + s * shift).astype(int)
        kernel[y, x] += 1
    return np.asarray(cv2.filter2D(rgb, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE))
