"""Depth seen by one camera, moved into the image of another; lens distortion taken out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Floats, Floats32
from commonground.errors import DataError
from commonground.frame import Camera

Image = TypeVar("Image", bound=NDArray[Any])
RADIAL = ("plumb_bob", "radtan", "rational_polynomial", "")
FISHEYE = ("equidistant", "fisheye")


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

    def straightened(self, image: Image, *, exact: bool = False) -> Image:
        """Return an image (h, w, …) as a pinhole camera with the same K sees it.

        ``exact`` mixes no neighboring values, as depth and numbers of things must not be.
        """
        if not self.bent:
            return image
        import cv2

        how = cv2.INTER_NEAREST if exact else cv2.INTER_LINEAR
        return np.asarray(cv2.remap(image, *self._maps, how))  # type: ignore[return-value]

    def check(self) -> None:
        """Raise DataError for a lens that cannot be straightened."""
        if self.bent and self.model not in (*RADIAL, *FISHEYE):
            raise DataError(
                f"camera '{self.camera.name}': distortion model '{self.model}' is not supported; known are "
                "plumb_bob (radtan), rational_polynomial and equidistant (fisheye); else take the distortion "
                "out of the images first, of depth as well, with cv2.remap, and give the new K alone"
            )
        if self.bent and self.model in FISHEYE and len(self.coefficients) < 4:
            raise DataError(f"camera '{self.camera.name}': {self.model} has four coefficients")
        if self.bent and self.model in RADIAL and len(self.coefficients) not in (4, 5, 8, 12, 14):
            raise DataError(
                f"camera '{self.camera.name}': distortion has 4, 5, 8, 12 or 14 coefficients, "
                f"not {len(self.coefficients)}"
            )

    @cached_property
    def _maps(self) -> tuple[Floats32, Floats32]:
        import cv2

        self.check()
        K, D = self.camera.K, np.array(self.coefficients)
        size = (self.camera.width, self.camera.height)
        if self.model in FISHEYE:
            maps = cv2.fisheye.initUndistortRectifyMap(K, D[:4], np.eye(3), K, size, cv2.CV_32FC1)
        else:
            maps = cv2.initUndistortRectifyMap(K, D, None, K, size, cv2.CV_32FC1)
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
