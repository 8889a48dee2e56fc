"""Footprints and ways that are looked at together come out as each pair by itself."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.planning.scene import footprints
from commonground.planning.scene.footprints import TOUCH_M, Footprints
from commonground.planning.scene.outlines import in_outlines
from commonground.scene import Ragged


@pytest.fixture
def prints() -> Footprints:
    rng = np.random.default_rng(11)
    yaw = rng.uniform(0, np.pi, 40)
    axes = np.stack([np.cos(yaw), -np.sin(yaw), np.sin(yaw), np.cos(yaw)], 1).reshape(-1, 2, 2)
    centers, half = rng.uniform(0, 10, (40, 2)), rng.uniform(0.1, 1, (40, 2))
    return Footprints(np.arange(40), centers, axes, half)


@pytest.fixture
def ways() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(12)
    a = rng.uniform(0, 10, (60, 3))
    return a, a + rng.normal(0, 1, (60, 3))


@pytest.mark.parametrize("at_once", [7, 1 << 17])
def test_all_pairs_that_are_near_are_found(
    prints: Footprints,
    ways: tuple[np.ndarray, np.ndarray],
    at_once: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(footprints, "PAIRS", at_once)
    a, b = ways
    each = np.array([prints.meters(k, a, b) for k in range(len(prints))])
    which, way, meters = prints.near(a, b, 0.5)
    assert sorted(zip(which, way, strict=True)) == sorted(zip(*np.nonzero(each < 0.5), strict=True))
    assert np.allclose(meters, each[which, way])
    assert (meters == 0).any() and (meters > 0).any()


def test_a_robot_may_be_as_near_as_its_ends_have_to_be(
    prints: Footprints, ways: tuple[np.ndarray, np.ndarray]
) -> None:
    a, b = ways
    ends = a[:2]
    allowed = [min(0.4, prints.meters(k, ends, ends).min()) - TOUCH_M for k in range(len(prints))]
    each = np.array([prints.meters(k, a, b) for k in range(len(prints))])
    expected = set(zip(*np.nonzero(each < np.array(allowed)[:, None]), strict=True))
    assert set(zip(*prints.hits(a, b, 0.4, ends), strict=True)) == expected
    none = prints.hits(a[:0], b[:0], 0.4, ends)
    assert [len(part) for part in none] == [0, 0]


@pytest.mark.parametrize("columns", [2, 3])
def test_points_lie_in_polygons_with_and_without_height(columns: int) -> None:
    square = Ragged.of([np.array([[0, 0, 5], [2, 0, 5], [2, 2, 5], [0, 2, 5]], float)])
    points = np.array([[1, 1, 0], [3, 1, 0], [2, 1, 0]], float)[:, :columns]
    inside = in_outlines(square, points, np.zeros((len(points), 1), np.int64))[:, 0]
    assert inside.tolist() == [True, False, True]
