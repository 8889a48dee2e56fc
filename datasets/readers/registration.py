"""Depth seen by one camera, moved into the image of another; lens distortion taken out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from commonground.arrays import Bytes, Floats, Floats32
from commonground.errors import DataError
from commonground.frame import Camera


@dataclass(frozen=True, eq=False)
class Lens:
    """A camera as ROS describes it: pinhole and distortion."""

    camera: Camera
    model: str = ""
    coefficients: tuple[float, ...] = ()

    @property
    def bent(self) -> bool:
        """Whether straight lines come out curved."""
        return any(abs(c) > 1e-9 for c in self.coefficients)

    def straightened(self, rgb: Bytes) -> Bytes:
        """Return the color image (h, w, 3) as a pinhole camera with the same K sees it."""
        if not self.bent:
            return rgb
        import cv2

        return np.asarray(cv2.remap(rgb, *self._maps, cv2.INTER_LINEAR))

    @cached_property
    def _maps(self) -> tuple[Floats32, Floats32]:
        import cv2

        K, D = self.camera.K, np.array(self.coefficients)
        size = (self.camera.width, self.camera.height)
        if self.model in ("plumb_bob", "rational_polynomial", ""):
            maps = cv2.initUndistortRectifyMap(K, D, None, K, size, cv2.CV_32FC1)
        elif self.model in ("equidistant", "fisheye"):
            maps = cv2.fisheye.initUndistortRectifyMap(K, D[:4], np.eye(3), K, size, cv2.CV_32FC1)
        else:
            raise DataError(
                f"camera '{self.camera.name}': distortion model '{self.model}' is not supported; "
                "known are plumb_bob, rational_polynomial and equidistant; rectify the images first"
            )
        return maps[0], maps[1]


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """How depth of one camera gets into the image of the color camera."""

    depth: Camera
    color: Camera
    T_color_depth: Floats
    """(4, 4)"""

    @property
    def needed(self) -> bool:
        """Whether the two cameras differ at all."""
        same_size = (self.depth.width, self.depth.height) == (self.color.width, self.color.height)
        return not (
            same_size
            and np.allclose(self.depth.K, self.color.K, atol=1e-3)
            and np.allclose(self.T_color_depth, np.eye(4), atol=1e-6)
        )

    def apply(self, depth_m: Floats32) -> Floats32:
        """Return depth (h, w) as the color camera would measure it; NaN where the depth camera saw nothing.

        A point covers the color pixels its depth pixel spans, so a finer color image has no gaps; where
        several fall on one pixel the nearest hides the others.
        """
        if not self.needed:
            return depth_m
        from commonground.datasets.readers._kernels import register

        out = np.full((self.color.height, self.color.width), np.inf, np.float32)
        register(depth_m, self.depth.K, self.color.K, self.T_color_depth, out)
        return np.where(np.isfinite(out), out, np.nan).astype(np.float32)
