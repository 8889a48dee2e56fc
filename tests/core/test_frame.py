"""Frames made by hand: what is no image is told, and 0 is no depth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from commonground.errors import DataError
from commonground.frame import Camera, Frame


def frame(**images: Any) -> Frame:
    """A frame of 4 × 3 pixels."""
    camera = Camera("front", np.array([[3.0, 0, 1.5], [0, 3.0, 1], [0, 0, 1]]), 4, 3)
    given = {"rgb": np.zeros((3, 4, 3), np.uint8), "depth_m": np.ones((3, 4), np.float32), **images}
    return Frame(1, "ann", camera, T_odom_cam=np.eye(4), **given)


@pytest.mark.parametrize(
    ("name", "image"),
    [
        ("rgb", np.zeros((3, 4, 3))),
        ("rgb", np.zeros((3, 4), np.uint8)),
        ("rgb", np.zeros((3, 4, 4), np.uint8)),
        ("depth_m", np.full((3, 4), 1500, np.uint16)),
        ("depth_m", np.ones((3, 4, 1), np.float32)),
    ],
)
def test_images_of_another_kind_are_refused_by_name(name: str, image: Any) -> None:
    with pytest.raises(DataError, match=f"{name} is .* it has to be"):
        frame(**{name: image})


def test_zero_is_no_depth() -> None:
    depth = np.array([[0, 1, 2, np.nan]] * 3, np.float32)
    made = frame(depth_m=depth)
    np.testing.assert_array_equal(np.isnan(made.depth_m), [[True, False, False, True]] * 3)
    assert made.depth_m.dtype == np.float32 and depth[0, 0] == 0
