"""Boxes of things of which only some sides were seen."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.geometry import from_yaw
from commonground.mapping.objects.cloud import VoxelCloud
from commonground.mapping.objects.seen_box import DIRECTIONS, outline_of, seen_box
from commonground.mapping.objects.shape import UprightBox

EYES = np.array([[x, -3.0, 1.0] for x in np.linspace(-2.0, 1.5, 8)])
"""Along a straight path past a thing at the origin."""
NOWHERE = np.empty((0, 3))


def in_view(points: np.ndarray, normals: np.ndarray, eyes: np.ndarray) -> np.ndarray:
    """Return the points of a convex surface that some eye sees at no grazing angle."""
    toward = eyes[None] - points[:, None]
    toward /= np.linalg.norm(toward, axis=2, keepdims=True)
    return np.asarray(points[(np.einsum("nmi,ni->nm", toward, normals) > 0.1).any(axis=1)])


def drum(radius: float, height: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return points on the side of a standing drum, and their normals."""
    angle = rng.uniform(0, 2 * np.pi, 2000)
    normals = np.c_[np.cos(angle), np.sin(angle), np.zeros(2000)]
    return radius * normals + np.c_[np.zeros((2000, 2)), rng.uniform(0, height, 2000)], normals


def crate(
    size: tuple[float, float, float], rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return points on the four walls of a crate that stands at the origin, and their normals."""
    points, normals = [], []
    for axis in (0, 1):
        for sign in (-1.0, 1.0):
            p = rng.uniform(-0.5, 0.5, (1000, 3)) * size
            p[:, axis] = 0.5 * sign * size[axis]
            points.append(p + [0, 0, 0.5 * size[2]])
            normals.append(np.tile(sign * np.eye(3)[axis], (1000, 1)))
    return np.concatenate(points), np.concatenate(normals)


def turned(points: np.ndarray, yaw: float) -> np.ndarray:
    return np.asarray(points @ from_yaw(yaw).T)


def aside_deg(box: UprightBox, yaw: float) -> float:
    """Return how far the long side of a box lies from a direction."""
    return float(np.degrees(abs((box.yaw - yaw + np.pi / 2) % np.pi - np.pi / 2)))


def test_a_drum_seen_from_one_side_is_as_deep_as_wide() -> None:
    rng = np.random.default_rng(0)
    points, normals = drum(0.35, 1.0, rng)
    seen = in_view(points, normals, EYES) + rng.normal(0, 0.005, (1, 3))
    assert np.ptp(seen[:, 1]) < 0.56, "its far side is hidden"
    box = seen_box(seen, EYES)
    np.testing.assert_allclose(box.size[:2], 0.7, atol=0.06)
    np.testing.assert_allclose(box.center[:2], 0.0, atol=0.03)


def test_a_board_seen_from_one_side_stays_thin() -> None:
    rng = np.random.default_rng(1)
    points, normals = crate((1.2, 0.1, 1.6), rng)
    seen = in_view(turned(points, 0.2), turned(normals, 0.2), EYES)
    box = seen_box(seen, EYES)
    np.testing.assert_allclose(box.size, [1.2, 0.1, 1.6], atol=0.06)
    assert aside_deg(box, 0.2) < 3


def test_a_round_post_under_a_flat_board_is_completed_and_the_board_is_not() -> None:
    rng = np.random.default_rng(2)
    post, post_normals = drum(0.15, 1.5, rng)
    board, board_normals = crate((1.4, 0.04, 0.8), rng)
    board = board + [0.0, -0.13, 1.5]
    points, normals = np.concatenate([post, board]), np.concatenate([post_normals, board_normals])
    seen = in_view(points, normals, EYES)
    box = seen_box(seen, EYES)
    np.testing.assert_allclose(box.size[:2], [1.4, 0.3], atol=0.06)


@pytest.mark.parametrize("yaw", [0.0, 0.5, 1.2])
def test_two_sides_of_a_car_give_its_direction(yaw: float) -> None:
    rng = np.random.default_rng(3)
    points, normals = crate((4.2, 1.8, 1.5), rng)
    points, normals = turned(points, yaw), turned(normals, yaw)
    corner = turned(np.array([[-4.0, -3.0, 1.0], [-5.0, -2.5, 1.0]]), yaw)
    box = seen_box(in_view(points, normals, corner), corner)
    assert aside_deg(box, yaw) < 3
    np.testing.assert_allclose(box.size, [4.2, 1.8, 1.5], rtol=0.13)


def test_ground_before_a_thing_does_not_widen_it() -> None:
    rng = np.random.default_rng(6)
    points, normals = drum(0.35, 1.0, rng)
    ground = np.array([[0.1 * k, -0.4 - 0.05 * k, 0.0] for k in range(8)])
    seen = in_view(points, normals, EYES)
    box = seen_box(np.concatenate([seen, ground]), EYES)
    np.testing.assert_allclose(box.size, [0.7, 0.7, 1.03], atol=0.06)


def lower_edge_cut(yaw: float, top: float) -> tuple[np.ndarray, np.ndarray]:
    """Return what a camera close to a crate's corner sees of it: its foot there is below the image."""
    rng = np.random.default_rng(7)
    points, normals = crate((0.6, 0.6, top), rng)
    lid = np.c_[rng.uniform(-0.3, 0.3, (1000, 2)), np.full(1000, top)]
    points = turned(np.concatenate([points, lid]), yaw)
    normals = turned(np.concatenate([normals, np.tile([0.0, 0.0, 1.0], (1000, 1))]), yaw)
    eye = turned(np.array([[-0.95, -0.95, 1.3]]), yaw)
    ahead = -eye[0, :2] / np.linalg.norm(eye[0, :2])
    low = (eye[0, 2] - points[:, 2]) / ((points - eye[0])[:, :2] @ ahead)
    inside = low < np.tan(np.deg2rad(45.0))
    return in_view(points[inside], normals[inside], eye), eye


@pytest.mark.parametrize("yaw", [0.0, 0.4, 2.0])
@pytest.mark.parametrize("top", [0.5, 0.8])
def test_a_crate_whose_near_corner_is_out_of_the_picture_is_no_drum(yaw: float, top: float) -> None:
    seen, eye = lower_edge_cut(yaw, top)
    assert len(seen[seen[:, 2] < 0.1]) > 0, "something of its foot is in view, its corner not"
    box = seen_box(seen, eye)
    np.testing.assert_allclose(box.size[:2], 0.6, atol=0.05)
    np.testing.assert_allclose(box.center[:2], 0.0, atol=0.03)


def test_who_sees_all_of_a_lid_knows_where_a_thing_ends() -> None:
    rng = np.random.default_rng(8)
    lid = np.c_[rng.uniform(-0.5, 0.5, (2000, 2)) * [1.2, 0.8], np.full(2000, 0.5)]
    front = np.c_[rng.uniform(-0.6, 0.6, 800), np.full(800, -0.4), rng.uniform(0, 0.5, 800)]
    over = seen_box(np.concatenate([lid, front]), np.array([[0.0, -2.0, 1.4]]))
    np.testing.assert_allclose(over.size[:2], [1.2, 0.8], atol=0.03)
    level = seen_box(np.concatenate([lid, front]), np.array([[0.0, -2.0, 0.5]]))
    assert level.size[1] > 0.85, "from its own height the far end is out of sight"


def test_without_viewpoints_nothing_is_completed() -> None:
    rng = np.random.default_rng(4)
    points, normals = drum(0.35, 1.0, rng)
    seen = in_view(points, normals, EYES)
    box = seen_box(seen, NOWHERE)
    assert box.size[:2].min() <= np.ptp(seen[:, 1]) + 0.01


def test_few_points_give_a_box() -> None:
    for count in (1, 2, 3):
        points = np.arange(3.0 * count).reshape(count, 3)
        assert (seen_box(points, EYES).size > 0).all()
        assert (seen_box(points, NOWHERE).size > 0).all()


def test_an_outline_knows_circles_from_rectangles() -> None:
    rng = np.random.default_rng(5)
    circle = outline_of(drum(1.0, 0.1, rng)[0][:, :2], NOWHERE[:, :2], 0.0)
    center, radius, rest = circle.circle()
    np.testing.assert_allclose([*center, radius], [0, 0, 1], atol=0.02)
    assert circle.rectangles().min() > 5 * rest
    square = outline_of(crate((2, 2, 1), rng)[0][:, :2], NOWHERE[:, :2], 0.0)
    assert square.rectangles().min() < 0.2 * square.circle()[2]
    assert len(square.extents) == len(DIRECTIONS)


def test_the_fringe_of_a_surface_is_no_part_of_it_and_an_arm_is() -> None:
    cloud = VoxelCloud(0.05, 4096)
    post = np.array([[0.0, 0.0, z] for z in np.arange(0.0, 3.0, 0.05)])
    arm = np.array([[x, 0.0, 3.0] for x in np.arange(0.8, 1.6, 0.05)])
    fringe = np.array([[0.0, 0.3, z] for z in np.arange(0.0, 3.0, 0.3)])
    # columns: weight, hits, misses, nearest range, open
    for points, weight, range_m in ((post, 40.0, 3.0), (arm, 1.0, 7.0), (fringe, 0.3, 7.0)):
        facts = np.tile(np.float32([weight, 5, 0, range_m, 0]), (len(points), 1))
        cloud.insert(points, facts)
    assert len(cloud.solid()) == cloud.count
    kept = cloud.points[cloud.surface()]
    assert np.ptp(kept[:, 0]) == pytest.approx(1.55), (
        "the arm is faint, and far from what outshines it"
    )
    assert np.abs(kept[:, 1]).max() == 0.0
