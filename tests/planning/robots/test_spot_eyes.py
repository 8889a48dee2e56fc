"""A Spot that is looked through while somebody else may drive it."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from commonground.adapters import SpotSettings
from commonground.errors import DataError
from commonground.live.team.spot import SpotFrames, SpotSource
from tests.planning.robots.fake_spot import SECRET, USER, FakeSpot
from tests.planning.robots.kinematic import Kinematic


@pytest.fixture(autouse=True)
def signed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOSDYN_CLIENT_USERNAME", USER)
    monkeypatch.setenv("BOSDYN_CLIENT_PASSWORD", SECRET)


def source(spot: FakeSpot) -> SpotSource:
    settings = SpotSettings(address="127.0.0.1", port=spot.port, certificate=spot.certificate)
    return SpotSource(robot=settings, cameras=("frontleft",), rate_hz=15)


def test_its_pictures_become_frames_with_depth_where_it_stands(tmp_path: Path) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (8, 6), (90, 90, 90)).save(picture, "JPEG")
    with FakeSpot(Kinematic(0.1, 0.05), tmp_path) as spot:
        spot.picture, spot.owner = picture.getvalue(), "tablet"  # somebody else drives it
        spot.robot.x = 3.0
        frames = SpotFrames(source(spot), "spot", lambda _: None)(None)
        one, two = next(frames), next(frames)
        frames.close()  # type: ignore[attr-defined]
        assert spot.owner == "tablet"
    assert two.stamp_ns > one.stamp_ns
    assert np.isnan(one.depth_m[0, 0]) and one.depth_m[1, 1] == 2.0
    np.testing.assert_allclose(one.T_odom_cam[:3, 3], [3.4, 0.0, 0.0], atol=1e-6)
    assert one.camera.K[0, 0] == 7.0 and one.rgb.shape == (6, 8, 3)


def test_one_that_cannot_be_signed_in_to_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOSDYN_CLIENT_PASSWORD", "wrong")
    with (
        FakeSpot(Kinematic(0.1, 0.05), tmp_path) as spot,
        pytest.raises(DataError, match="password is wrong"),
    ):
        next(SpotFrames(source(spot), "spot", lambda _: None)(None))
