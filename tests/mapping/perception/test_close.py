"""What is looked at closely in small scenes: flat things by color, views through gaps, color beside depth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from commonground.frame import Camera, Frame
from commonground.geometry import transform
from commonground.mapping.color_fit import ColorFit, color_fit
from commonground.mapping.perception.classical import ClassicalPerception
from commonground.mapping.perception.gaps import hidden_share
from commonground.mapping.perception.markings import Sizes, flat_things
from commonground.mapping.scale import Scale, scaled
from commonground.mapping.settings import MappingSettings

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


def street(seed: int) -> Frame:
    """Return a frame of open ground under the sky, whose depth gets holes before it ends at 12 m."""
    rng = np.random.default_rng(seed)
    below = np.arange(240)[:, None] - 120.0
    depth = np.broadcast_to(np.where(below > 0, 300 / np.maximum(below, 1), 0), (240, 320)).copy()
    depth[(depth > 12) | ((depth > 6) & (rng.random(depth.shape) < 0.5))] = 0
    rgb = np.broadcast_to(
        np.where(below[..., None] > 0, [120.0, 110, 90], [160.0, 190, 230]), (240, 320, 3)
    )
    depth[:, :90] = depth[:, 230:] = 0  # a road; what is beside it reflects nothing
    rgb = np.where((abs(np.arange(320) - 160) < 70)[:, None], rgb, rgb * 0.6)
    rgb = rgb + rng.normal(0, 2, (240, 320, 3))
    camera, T = boxes(0).camera, transform(np.eye(3), np.zeros(3))
    return Frame(seed, "a", camera, rgb.astype(np.uint8), depth.astype(np.float32), T)


def test_ground_that_runs_to_the_horizon_has_no_edges() -> None:
    """Where depth ends, far off, it has nothing to do with where colors end."""
    assert color_fit([street(0)] * 6) is None


def room(*fronts: tuple[slice, slice, float], wall_m: float = 3.0) -> Frame:
    """Return what a level camera sees of upright fronts before a wall, each so many meters off."""
    rng = np.random.default_rng(1)
    camera = Camera("rgb", np.array([[300.0, 0, 160], [0, 300.0, 120], [0, 0, 1]]), 320, 240)
    depth = np.full((240, 320), wall_m)
    for rows, columns, meters in fronts:
        depth[rows, columns] = meters
    depth += rng.normal(0, 0.004, depth.shape)
    T = transform(np.array([[0.0, 0, 1], [-1, 0, 0], [0, -1, 0]]), np.array([0, 0, 1.2]))
    rgb = np.full((240, 320, 3), 128, np.uint8)
    return Frame(0, "a", camera, rgb, depth.astype(np.float32), T)


def near(**changes: Any) -> ClassicalPerception:
    """Return the segmenter as it is in small rooms."""
    small = scaled(MappingSettings(), Scale(3.0, 1.5)).perception.classical
    return ClassicalPerception(small.model_copy(update=changes))


def overlap(masks: Any, front: tuple[slice, slice, float]) -> float:
    """Return how well the best segment fits a front."""
    true = np.zeros(masks.shape, bool)
    true[front[:2]] = True
    return max(
        ((masks == k) & true).sum() / ((masks == k) | true).sum() for k in range(1, masks.max() + 1)
    )


def test_books_in_a_row_on_a_ledge_are_a_thing_each() -> None:
    books = [(slice(90, 120), slice(60 + 50 * k, 85 + 50 * k), 2.85) for k in range(4)]
    ledge = (slice(120, 124), slice(40, 260), 2.85)
    masks = near().segment(room(*books, ledge)).masks
    assert masks.max() == len(books)
    assert min(overlap(masks, book) for book in books) > 0.6


def test_a_screen_is_a_thing_and_what_goes_on_to_the_edges_of_the_image_is_the_room() -> None:
    screen = (slice(60, 110), slice(100, 180), 2.7)
    cupboard = (slice(160, 240), slice(0, 320), 2.5)
    out = near().segment(room(screen, cupboard))
    assert out.masks.max() == 1
    assert overlap(out.masks, screen) > 0.8
    assert out.surface_words[out.surfaces[200, 160]] == "wall"
