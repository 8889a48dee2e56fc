"""A stage for mapping tests: a few boxes on a floor, seen by a depth camera, rendered in milliseconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from commonground.frame import Camera, Frame
from commonground.geometry import transform

FLOOR, FIRST_THING = 1, 2
LABELS = {0: "unknown", 1: "floor", 2: "box", 3: "barrel", 4: "person", 5: "wall"}


@dataclass(frozen=True)
class Block:
    """An upright box on the stage."""

    number: int
    """Its instance number; 0 for what is no object."""
    center: tuple[float, float, float]
    size: tuple[float, float, float]
    label: int = 2
    color: tuple[int, int, int] = (180, 60, 40)


def look_from(eye: Sequence[float], at: Sequence[float], *, upside_down: bool = False) -> Any:
    """Return the pose of an upright optical camera at ``eye`` that looks at a point."""
    z = np.asarray(at, float) - np.asarray(eye, float)
    z /= np.linalg.norm(z)
    x = np.cross(z, [0.0, 0.0, 1.0])
    x /= np.linalg.norm(x)
    if upside_down:
        x = -x
    return transform(np.stack([x, np.cross(z, x), z], axis=1), np.asarray(eye, float))


class Stage:
    """Renders blocks over a floor at z = 0; depth noise grows with z²."""

    def __init__(self, width: int = 160, height: int = 120, noise: float = 0.0) -> None:
        f = 0.7 * width
        K = np.array([[f, 0, (width - 1) / 2], [0, f, (height - 1) / 2], [0, 0, 1]])
        self.camera = Camera("cam", K, width, height)
        self.noise = noise
        self.labels = LABELS

    def frame(
        self,
        blocks: Sequence[Block],
        T_world_cam: Any,
        stamp_ns: int,
        *,
        camera: str = "cam",
        T_odom_world: Any = None,
        far_m: float = 10.0,
    ) -> Frame:
        """Return what a camera at a pose sees of the blocks."""
        import open3d as o3d

        scene = o3d.t.geometry.RaycastingScene()
        floor = o3d.t.geometry.TriangleMesh.create_box(60, 60, 0.02).translate([-30, -30, -0.02])
        scene.add_triangles(floor)
        for b in blocks:
            corner = np.asarray(b.center) - 0.5 * np.asarray(b.size)
            scene.add_triangles(o3d.t.geometry.TriangleMesh.create_box(*b.size).translate(corner))
        rays = self.camera.rays().reshape(-1, 3) @ T_world_cam[:3, :3].T
        origin = np.broadcast_to(T_world_cam[:3, 3], rays.shape)
        hits = scene.cast_rays(o3d.core.Tensor(np.c_[origin, rays].astype(np.float32)))
        size = (self.camera.height, self.camera.width)
        depth = hits["t_hit"].numpy().reshape(size)
        geometry = hits["geometry_ids"].numpy().reshape(size).astype(np.int64)
        depth = np.where(np.isfinite(depth) & (depth <= far_m), depth, np.nan)
        if self.noise:
            rng = np.random.default_rng([stamp_ns & 0xFFFFFFFF, len(camera)])
            depth = depth + self.noise * depth**2 * rng.standard_normal(size)
        pick: Callable[[Any], Any] = lambda table: np.where(  # noqa: E731
            geometry <= len(blocks), np.asarray(table)[np.minimum(geometry, len(blocks))], 0
        )
        colors = np.array([(120, 120, 110), *(b.color for b in blocks)], np.uint8)
        rgb = np.full((*size, 3), (150, 190, 230), np.uint8)
        on = geometry <= len(blocks)
        rgb[on] = colors[geometry[on]]
        T = np.eye(4) if T_odom_world is None else T_odom_world
        return Frame(
            stamp_ns=stamp_ns,
            robot="r",
            camera=Camera(camera, self.camera.K, self.camera.width, self.camera.height),
            rgb=rgb,
            depth_m=depth.astype(np.float32),
            T_odom_cam=T @ T_world_cam,
            T_world_cam=T_world_cam,
            instances=pick([0, *(b.number for b in blocks)]).astype(np.int32),
            labels=pick([FLOOR, *(b.label for b in blocks)]).astype(np.int32),
        )


@pytest.fixture(scope="session")
def stage() -> Stage:
    """A small clean stage."""
    return Stage()


@pytest.fixture(scope="session")
def make_stage() -> type[Stage]:
    """The stage's class, for other sizes and noise."""
    return Stage


@pytest.fixture(scope="session")
def block() -> type[Block]:
    """The class of things on the stage."""
    return Block


@pytest.fixture(scope="session")
def looking() -> Callable[..., Any]:
    """Makes camera poses."""
    return look_from
