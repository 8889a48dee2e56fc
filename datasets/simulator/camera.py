"""The renderer: rays into the triangles of a world, then colour, classes and a sensor's errors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from commonground.arrays import Bytes, Floats, Floats32, Ints32
from commonground.datasets.labels import LABELS
from commonground.datasets.settings import SensorSettings
from commonground.datasets.world.model import World
from commonground.datasets.world.shapes import GRASSY, PLAIN, SLABS, SPECKLED, STONE
from commonground.errors import require
from commonground.frame import Camera

SUN = np.array([0.45, 0.3, 0.84])
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
        self.world = world
        self._soup = world.soup()
        self._rays: dict[tuple[int, int], Floats32] = {}
        normal = _normals(self._soup.vertices, self._soup.faces)
        toward = np.clip(normal @ (SUN / np.linalg.norm(SUN)), -0.35, 1)
        self._light = (AMBIENT + (1 - AMBIENT) * toward).astype(np.float32)
        if world.indoors:
            self._light = (0.72 + 0.28 * np.abs(normal @ np.array([0.3, 0.5, 0.81]))).astype(
                np.float32
            )
        local = _normals(self._soup.local, self._soup.faces)
        self._axes = np.abs(local).argmax(axis=1).astype(np.uint8)
        looks = [GROUND_LOOKS.get(LABELS[n], ((128, 128, 128), PLAIN)) for n in sorted(LABELS)]
        self._ground_colors = np.array([c for c, _ in looks], np.uint8)
        self._ground_textures = np.array([t for _, t in looks], np.uint8)

    @cached_property
    def _scene(self) -> Any:
        import open3d as o3d

        scene = o3d.t.geometry.RaycastingScene()
        scene.add_triangles(
            o3d.core.Tensor.from_numpy(self._soup.vertices),
            o3d.core.Tensor.from_numpy(self._soup.faces.astype(np.uint32)),
        )
        return scene

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
        from commonground.datasets.simulator._kernels import shade

        size = (camera.height, camera.width)
        n = camera.width * camera.height
        rays, hits = self._cast(camera, T_world_cam)
        rgb = np.empty((n, 3), np.uint8)
        instances, labels = np.empty(n, np.int32), np.empty(n, np.int32)
        ground, soup = self.world.ground, self._soup
        if grain is None:
            grain, color_noise = np.zeros(n, np.uint8), 0.0
        shade(
            hits["t_hit"].ravel(),
            hits["primitive_ids"].ravel(),
            hits["primitive_uvs"].reshape(n, 2),
            rays.reshape(n, 6),
            float(camera.K[0, 0]),
            soup.faces,
            soup.local,
            soup.colors,
            soup.textures,
            soup.instances,
            soup.labels,
            self._light,
            self._axes,
            ground.surface,
            ground.paint,
            ground.origin.astype(np.float32),
            ground.cell_m,
            self._ground_colors,
            self._ground_textures,
            gain,
            grain,
            _grain_table(color_noise),
            rgb,
            instances,
            labels,
        )
        return View(
            rgb.reshape(*size, 3), hits["t_hit"], instances.reshape(size), labels.reshape(size)
        )

    def _cast(self, camera: Camera, T_world_cam: Floats) -> tuple[Floats32, dict[str, Any]]:
        """Return rays (h, w, 6) and what they hit; z of the direction is 1, so ``t_hit`` is the depth."""
        import open3d as o3d

        from commonground.datasets.simulator._kernels import aim

        size = (camera.height, camera.width)
        rays = self._rays.setdefault(size, np.empty((*size, 6), np.float32))
        aim(camera.K, T_world_cam, rays)
        hits = self._scene.cast_rays(o3d.core.Tensor.from_numpy(rays))
        wanted = ("t_hit", "primitive_ids", "primitive_uvs")
        return rays, {name: hits[name].numpy() for name in wanted}


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


def _grain_table(color_noise: float) -> Floats32:
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
