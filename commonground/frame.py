"""What a robot's camera saw at one instant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bytes, Floats, Floats32, Ints32
from commonground.errors import DataError


class Intrinsics(NamedTuple):
    """Focal lengths and center of a pinhole camera in pixels, as compiled loops take them."""

    fx: float
    fy: float
    cx: float
    cy: float

    @staticmethod
    def of(K: Floats) -> Intrinsics:
        """Return those of a matrix (3, 3)."""
        return Intrinsics(float(K[0, 0]), float(K[1, 1]), float(K[0, 2]), float(K[1, 2]))

    def reduced(self, step: int) -> Intrinsics:
        """Return those of the image of which each pixel covers ``step`` × ``step`` of this one."""
        shift = 0.5 / step - 0.5  # pixel centers are integers
        fx, fy, cx, cy = self
        return Intrinsics(fx / step, fy / step, cx / step + shift, cy / step + shift)


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A pinhole camera without distortion: x right, y down, z forward; pixel centers are integers."""

    name: str
    K: Floats
    """Intrinsics (3, 3) in pixels."""
    width: int
    height: int

    def __post_init__(self) -> None:
        K = np.asarray(self.K, float)
        if K.shape != (3, 3) or not np.isfinite(K).all() or K[0, 0] <= 0 or K[1, 1] <= 0:
            raise DataError(
                f"camera '{self.name}': K must be 3×3, finite, with positive focal lengths"
            )
        if self.width <= 0 or self.height <= 0:
            raise DataError(f"camera '{self.name}': image size {self.width}×{self.height} is empty")
        object.__setattr__(self, "K", K)

    @property
    def intrinsics(self) -> Intrinsics:
        """The same as four numbers."""
        return Intrinsics.of(self.K)

    def rays(self) -> Floats32:
        """Return the direction (h, w, 3) of each pixel with z = 1, so that depth × ray is the point."""
        fx, fy, cx, cy = self.intrinsics
        out = np.ones((self.height, self.width, 3), np.float32)
        out[..., 0] = (np.arange(self.width) - cx)[None, :] / fx
        out[..., 1] = (np.arange(self.height) - cy)[:, None] / fy
        return out

    def project(self, points_cam: Floats) -> Floats:
        """Return the pixels (n, 2) as u, v of points (n, 3); NaN behind the camera."""
        z = np.where(points_cam[:, 2] > 1e-6, points_cam[:, 2], np.nan)
        focal, center = self.K[(0, 1), (0, 1)], self.K[:2, 2]
        return np.asarray(points_cam[:, :2] / z[:, None] * focal + center)

    def scaled(self, factor: float) -> Camera:
        """Return the camera of the image resized by ``factor`` (0.5 halves both sides)."""
        K = self.K.copy()
        K[:2] *= factor
        K[:2, 2] += 0.5 * (factor - 1)  # the center of the first pixel moves with the pixel size
        return Camera(self.name, K, round(self.width * factor), round(self.height * factor))


def unseen(camera: Camera) -> tuple[Bytes, Floats32]:
    """Return color and depth of a frame whose images are not there, without memory of their own."""
    size = (camera.height, camera.width)
    return (np.broadcast_to(np.uint8(0), (*size, 3)), np.broadcast_to(np.float32(np.nan), size))


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One synchronized color and depth image of one camera, with the pose the robot believes."""

    stamp_ns: int
    robot: str
    camera: Camera
    rgb: Bytes
    """(h, w, 3), red first."""
    depth_m: Floats32
    """(h, w) along the optical axis; NaN where there is none, which 0 becomes, too."""
    T_odom_cam: Floats
    """(4, 4); the odometry frame drifts."""
    T_world_cam: Floats | None = None
    """(4, 4) ground truth, where the data has it."""
    instances: Ints32 | None = None
    """(h, w) ground-truth object per pixel: its `O` index in the true graph; 0 is none."""
    labels: Ints32 | None = None
    """(h, w) ground-truth class per pixel, in the dataset's label list."""

    def __post_init__(self) -> None:
        size = (self.camera.height, self.camera.width)
        for name in ("rgb", "depth_m", "instances", "labels"):
            image = getattr(self, name)
            if image is not None and image.shape[:2] != size:
                raise DataError(
                    f"frame {self.stamp_ns} of {self.robot}/{self.camera.name}: {name} is "
                    f"{image.shape[1]}×{image.shape[0]}, the camera {size[1]}×{size[0]}"
                )
        self._check_kinds()
        if (self.depth_m <= 0).any():  # as sensors and files write where they measured nothing
            depth = np.where(self.depth_m > 0, self.depth_m, np.nan).astype(self.depth_m.dtype)
            object.__setattr__(self, "depth_m", depth)

    def _check_kinds(self) -> None:
        rgb, depth = self.rgb, self.depth_m
        where = f"frame {self.stamp_ns} of {self.robot}/{self.camera.name}"
        if rgb.dtype != np.uint8 or rgb.shape[2:] != (3,):
            raise DataError(
                f"{where}: rgb is {rgb.dtype} of shape {rgb.shape}; it has to be uint8, (h, w, 3), red first"
            )
        if depth.ndim != 2 or not np.issubdtype(depth.dtype, np.floating):
            raise DataError(
                f"{where}: depth_m is {depth.dtype} of shape {depth.shape}; it has to be float meters, (h, w)"
            )

    def without_images(self) -> Frame:
        """Return its pose alone; arrays without memory of their own stand in for what was seen."""
        rgb, depth_m = unseen(self.camera)
        return replace(self, rgb=rgb, depth_m=depth_m, instances=None, labels=None)

    def points_cam(self, stride: int = 1) -> Floats32:
        """Return the 3D points (h/stride, w/stride, 3) in the camera frame; NaN where depth is."""
        rays = self.camera.rays()[::stride, ::stride]
        return np.asarray(rays * self.depth_m[::stride, ::stride, None])
