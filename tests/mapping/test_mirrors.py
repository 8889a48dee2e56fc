"""What lies behind a wall: a mirror's image of the room is said, a room of its own is not."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.arrays import Floats
from commonground.mapping.mirrors import reflections

CELL = 0.05
Surfaces = list[tuple[Floats, Floats]]


def face(corner: list[float], u: list[float], v: list[float], normal: list[float]) -> Surfaces:
    """Points of a rectangle, one a cell, and their normals."""
    a, b = np.array(u, float), np.array(v, float)
    n, m = (int(np.linalg.norm(w) / CELL) for w in (a, b))
    s, t = np.meshgrid((np.arange(n) + 0.5) / n, (np.arange(m) + 0.5) / m)
    points = np.array(corner, float) + s.reshape(-1, 1) * a + t.reshape(-1, 1) * b
    return [(points, np.tile(np.array(normal, float), (len(points), 1)))]


def box(low: list[float], size: list[float]) -> Surfaces:
    """The four upright sides and the top of a box."""
    (x, y, z), (a, b, c) = low, size
    return [
        *face([x, y, z], [a, 0, 0], [0, 0, c], [0, -1, 0]),
        *face([x, y + b, z], [a, 0, 0], [0, 0, c], [0, 1, 0]),
        *face([x, y, z], [0, b, 0], [0, 0, c], [-1, 0, 0]),
        *face([x + a, y, z], [0, b, 0], [0, 0, c], [1, 0, 0]),
        *face([x, y, z + c], [a, 0, 0], [0, b, 0], [0, 0, 1]),
    ]


@pytest.fixture
def room() -> Surfaces:
    """A room of 4 by 3 m, its wall at x = 0 with a hole, and furniture."""
    return [
        *face([0, 0, 0], [4, 0, 0], [0, 3, 0], [0, 0, 1]),
        *face([0, 0, 0], [0, 1, 0], [0, 0, 2.4], [1, 0, 0]),
        *face([0, 2, 0], [0, 1, 0], [0, 0, 2.4], [1, 0, 0]),
        *face([4, 0, 0], [0, 3, 0], [0, 0, 2.4], [-1, 0, 0]),
        *face([0, 0, 0], [4, 0, 0], [0, 0, 2.4], [0, 1, 0]),
        *face([0, 3, 0], [4, 0, 0], [0, 0, 2.4], [0, -1, 0]),
        *box([1.0, 0.4, 0.0], [0.8, 0.5, 0.9]),
        *box([2.4, 1.7, 0.0], [0.6, 0.9, 0.7]),
    ]


def said(surfaces: Surfaces, seed: int = 0) -> list[str]:
    points, normals = (np.concatenate(column) for column in zip(*surfaces, strict=True))
    noise = np.random.default_rng(seed).normal(0, 0.008, points.shape)
    return [str(r) for r in reflections(points + noise, normals, CELL)]


def through_the_hole(surfaces: Surfaces) -> Surfaces:
    """What is seen through the hole from about the middle of the room."""
    out = []
    for points, normals in surfaces:
        eye = np.array([1.9, 1.5, 1.3])
        t = eye[0] / (eye[0] - points[:, 0])
        y = eye[1] + t * (points[:, 1] - eye[1])
        seen = (y > 1.0) & (y < 2.0)
        out.append((points[seen], normals[seen]))
    return out


def test_the_image_of_the_room_in_a_mirror_is_said(room: Surfaces) -> None:
    over = np.array([-1.0, 1.0, 1.0])
    phantom = through_the_hole([(p * over, n * over) for p, n in room])
    lines = said([*room, *phantom])
    assert len(lines) == 1 and "mirror" in lines[0]


@pytest.mark.parametrize("shift", [0.0, 0.7])
def test_another_room_behind_an_opening_is_none(room: Surfaces, shift: float) -> None:
    other = [
        *face([-3, 0, 0], [3, 0, 0], [0, 3, 0], [0, 0, 1]),
        *face([-3, 0, 0], [0, 3, 0], [0, 0, 2.4], [1, 0, 0]),
        *box([-1.6 - shift, 1.3, 0.0], [0.5, 1.2, 1.1]),
    ]
    assert said([*room, *through_the_hole(other)]) == []
    assert said(room) == []
