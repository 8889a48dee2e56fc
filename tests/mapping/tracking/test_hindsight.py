"""Where the robot was, once later images have had their say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.testing import assert_allclose

from commonground.geometry import from_xyz_yaw, transform, yaw_of
from commonground.mapping.keyframes import R_OPTICAL_BODY
from commonground.mapping.packing import kept_of, packed, restore, unpacked
from commonground.mapping.tracking.hindsight import Hindsight

CAMERA = transform(R_OPTICAL_BODY, np.zeros(3)).T
"""Turns a body's axes into a camera's."""


def camera(x: float, y: float = 0.0, yaw: float = 0.0) -> Any:
    return from_xyz_yaw([x, y, 0.0, yaw]) @ CAMERA


def believed(*at: Sequence[float]) -> Any:
    return np.array([camera(*a) for a in at])


def path_of_three() -> Hindsight:
    """Images at 0, 1 and 2 m that each move those before them to the left and turn them."""
    path = Hindsight()
    path.add(0, camera(0.0), believed((0.0,)))
    path.add(100, camera(1.0), believed((0.0,), (1.0, 0.1, 0.01)))
    path.add(200, camera(2.0, 0.11), believed((0.0, 0.02), (1.0, 0.2, 0.02), (2.0, 0.3, 0.0)))
    return path


def corrected(path: Hindsight, stamp: int, x: float, y: float = 0.0, yaw: float = 0.0) -> Any:
    body = from_xyz_yaw([x, y, 0.0, yaw])
    T = path.corrected(np.array([stamp]), body[None])[0]
    return [*T[:2, 3], float(yaw_of(T))]


def test_an_image_that_was_kept_is_where_it_is_believed_last() -> None:
    path = path_of_three()
    assert_allclose(corrected(path, 100, 1.0), [1.0, 0.2, 0.02], atol=1e-12)
    assert_allclose(corrected(path, 200, 2.0, 0.11), [2.0, 0.3, 0.0], atol=1e-12)


def test_after_an_image_the_way_goes_on_from_what_was_believed_then() -> None:
    """Right after it, poses follow from (1.0, 0.1): the correction is what came later."""
    at = corrected(path_of_three(), 101, 1.01, 0.1, 0.01)
    assert_allclose(at, [1.01, 0.2, 0.02], atol=5e-3)


def test_between_two_images_the_correction_goes_over_from_one_to_the_other() -> None:
    path = path_of_three()
    assert_allclose(corrected(path, 150, 1.5, 0.1), [1.5, 0.1 + (0.1 + 0.19) / 2, 0.005], atol=1e-9)


def test_before_the_first_image_and_after_the_last() -> None:
    path = path_of_three()
    assert_allclose(corrected(path, -5, -0.1), [-0.1, 0.02, 0.0], atol=1e-12)
    assert_allclose(corrected(path, 300, 3.0, 0.3), [3.0, 0.3, 0.0], atol=1e-12)


def test_headings_go_round() -> None:
    path = Hindsight()
    path.add(0, camera(0.0, 0.0, np.pi - 0.01), believed((0.0, 0.0, -np.pi + 0.01)))
    x, y, yaw = corrected(path, 0, 0.0, 0.0, np.pi - 0.01)
    assert (x, y) == (0.0, 0.0)
    assert abs(abs(yaw) - (np.pi - 0.01)) < 1e-9
    assert yaw < 0


def test_without_images_poses_stay() -> None:
    poses = believed((1.0, 2.0, 0.3), (2.0, 2.0, 0.3))
    assert_allclose(Hindsight().corrected(np.array([1, 2]), poses), poses)


def test_it_goes_on_from_its_state() -> None:
    path, again = path_of_three(), Hindsight()
    restore(again, unpacked(*packed(kept_of(path)), ()))
    more = believed((1.0, 0.25, 0.03), (2.0, 0.4, 0.01), (3.0, 0.5, 0.01))
    for one in (path, again):
        one.add(300, camera(3.0, 0.3), more)
    stamps, poses = np.array([50, 100, 170, 260]), believed((0.5,), (1.0,), (1.7, 0.1), (2.6, 0.3))
    assert_allclose(again.corrected(stamps, poses), path.corrected(stamps, poses), atol=0)
    assert_allclose(corrected(again, 100, 1.0), [1.0, 0.25, 0.03], atol=1e-12)
