"""The vertical of a recording is found from the planes in its frames, with an honest uncertainty."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from commonground.arrays import Floats
from commonground.datasets.readers.files import Shot
from commonground.datasets.readers.upright import UNSURE_DEG, Upright, upright
from commonground.frame import Camera
from commonground.geometry import exp_so3, transform

CAMERA = Camera("rgb", np.array([[290.0, 0, 160], [0, 290.0, 120], [0, 0, 1]]), 320, 240)
UP = exp_so3(np.array([0.45, 0.0, 0.1])) @ np.array([0.0, -1.0, 0.0])
"""Up in the frame of the cameras, which look down and lean."""
WALL = np.cross(np.cross(UP, [0.0, 0.0, 1.0]), UP)


def found(folder: Path, planes: list[tuple[Floats, float]]) -> Upright:
    """Return the vertical of a dozen noisy frames of planes (normal to the camera, distance)."""
    rng, shots = np.random.default_rng(3), []
    for k in range(12):
        faces = [CAMERA.rays() @ normal for normal, _ in planes]
        seen = [
            np.where(face < -0.02, -far / np.minimum(face, -0.02), np.inf)
            for face, (_, far) in zip(faces, planes, strict=True)
        ]
        depth = np.min(seen, axis=0)
        depth = np.where(depth < 5.0, depth + 0.002 * rng.normal(size=depth.shape) * depth**2, 0.0)
        file = folder / f"{k}.png"
        Image.fromarray((1000 * depth).astype(np.uint16)).save(file)
        shots.append(Shot(k, "rgb", file, file))
    return upright(np.tile(transform(np.eye(3), np.zeros(3)), (12, 1, 1)), CAMERA, shots, 1e-3)


def lean_deg(answer: Upright) -> float:
    """Return how far from the vertical the answer's z is."""
    return float(np.degrees(np.arccos(np.clip((answer.R_up_world @ UP)[2], -1.0, 1.0))))


def test_floor_and_wall_tell_up_and_how_sure_it_is(tmp_path: Path) -> None:
    wall = -WALL / np.linalg.norm(WALL)
    answer = found(tmp_path, [(UP, 1.2), (wall, 3.0)])
    assert lean_deg(answer) < 0.3
    assert lean_deg(answer) < 3.0 * answer.sigma_deg < 3.0


def test_a_board_that_leans_does_not_tilt_the_floor(tmp_path: Path) -> None:
    leaning = -exp_so3(np.radians([4.0, 0.0, 0.0])) @ WALL
    answer = found(tmp_path, [(UP, 1.2), (leaning / np.linalg.norm(leaning), 2.5)])
    assert lean_deg(answer) < 0.5


def test_where_nothing_is_seen_nothing_is_claimed(tmp_path: Path) -> None:
    assert found(tmp_path, [(np.array([0.0, 0.0, -1.0]), 9.0)]).sigma_deg == UNSURE_DEG


def test_a_camera_held_upside_down_is_noticed_and_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A floor at the top of the image, and a wall below it."""
    turned = np.diag([-1.0, -1.0, 1.0])
    wall = -WALL / np.linalg.norm(WALL)
    answer = found(tmp_path, [(turned @ UP, 1.2), (turned @ wall, 3.0)])
    assert (answer.R_up_world @ turned @ UP)[2] > np.cos(np.radians(0.5))
    assert "upside down" in caplog.text
