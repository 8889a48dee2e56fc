"""What is looked at closely in small scenes: flat things by color, views through gaps, color beside depth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from commonground.frame import Camera, Frame
from commonground.geometry import transform
from commonground.mapping.color_fit import ColorFit, color_fit
from commonground.mapping.perception.gaps import hidden_share
from commonground.mapping.perception.markings import Sizes, flat_things

H, W, PIXEL_M = 120, 160, 0.01
SIZES = Sizes(0.006, 0.25, 0.04, 0.5)


def table(*things: tuple[slice, slice, tuple[int, int, int]]) -> Any:
    """Return the color of a table that light falls on from one side, with things of one color each on it."""
    rng = np.random.default_rng(0)
    rgb = np.array([150.0, 110.0, 70.0]) * np.linspace(0.7, 1.2, W)[None, :, None]
    rgb = np.broadcast_to(rgb, (H, W, 3)).copy()
    for rows, columns, color in things:
        rgb[rows, columns] = color
    return np.clip(rgb + rng.normal(0, 2, rgb.shape), 0, 255).astype(np.uint8)


def found_on(rgb: Any, surfaces: Any) -> Any:
    v, u = np.mgrid[:H, :W]
    points = np.stack([u * PIXEL_M, v * PIXEL_M, np.ones((H, W))], axis=-1).astype(np.float32)
    return flat_things(rgb, surfaces, points, np.full((H, W), PIXEL_M**2), SIZES)


def test_a_magazine_on_a_table_is_a_thing_and_light_and_lines_are_not() -> None:
    magazine, line = (slice(40, 65), slice(50, 85)), (slice(90, 93), slice(10, 150))
    rgb = table((*magazine, (40, 60, 160)), (*line, (60, 40, 20)))
    out = found_on(rgb, np.ones((H, W), np.int32))
    assert out.max() == 1
    true = np.zeros((H, W), bool)
    true[magazine] = True
    assert ((out == 1) & true).sum() > 0.8 * ((out == 1) | true).sum()


def test_what_is_no_surface_holds_no_flat_thing() -> None:
    rgb = table((slice(40, 65), slice(50, 85), (40, 60, 160)))
    assert found_on(rgb, np.zeros((H, W), np.int32)).max() == 0


def test_a_view_through_a_gap_is_told_from_what_stands_before_a_wall() -> None:
    depth = np.full((60, 80), 2.0, np.float32)
    labels = np.zeros((60, 80), np.int32)
    depth[20:40, 10:30] = 3.0  # seen through a frame at 2 m
    labels[20:40, 10:30] = 1
    depth[20:40, 50:70] = 1.5  # before it
    labels[20:40, 50:70] = 2
    share = hidden_share(labels, depth)
    assert share[1] > 0.9
    assert share[2] < 0.1


def boxes(seed: int) -> Frame:
    """Return a frame of boxes before a wall, each of a color of its own."""
    rng = np.random.default_rng(seed)
    camera = Camera("rgb", np.array([[300.0, 0, 160], [0, 300.0, 120], [0, 0, 1]]), 320, 240)
    rgb, depth = np.full((240, 320, 3), 90.0), np.full((240, 320), 3.0, np.float32)
    for _ in range(8):
        v, u = rng.integers(20, 170), rng.integers(20, 250)
        rows, columns = slice(v, v + rng.integers(25, 50)), slice(u, u + rng.integers(25, 50))
        rgb[rows, columns], depth[rows, columns] = rng.integers(0, 255, 3), rng.uniform(1.0, 2.0)
    rgb += rng.normal(0, 2, rgb.shape)
    T = transform(np.eye(3), np.zeros(3))
    return Frame(seed, "a", camera, np.clip(rgb, 0, 255).astype(np.uint8), depth, T)


@pytest.mark.parametrize("off", [ColorFit(), ColorFit(1.1, (7.0, -3.0))])
def test_color_beside_its_depth_is_found_and_moved(off: ColorFit) -> None:
    frames = [boxes(seed) for seed in range(6)]
    # a camera that sees the same color elsewhere: moved back, it is where it was
    back = ColorFit(1 / off.scale, (-off.shift[0] / off.scale, -off.shift[1] / off.scale))
    seen = [back.applied(frame) for frame in frames]
    fit = color_fit(seen)
    if off == ColorFit():
        assert fit is None
        return
    assert fit is not None
    assert fit.scale == pytest.approx(off.scale, abs=0.015)
    assert np.allclose(fit.shift, off.shift, atol=2.0)
    same = np.abs(fit.applied(seen[0]).rgb.astype(float) - frames[0].rgb)[40:200, 40:280]
    assert np.median(same) < 10


def test_frames_whose_color_says_nothing_are_left_alone() -> None:
    gray = [replace(boxes(k), rgb=np.full((240, 320, 3), 90, np.uint8)) for k in range(6)]
    assert color_fit(gray) is None
