"""Recordings whose images do not agree about where surfaces are must be told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from commonground.datasets import Simulation, SimulationSettings
from commonground.geometry import exp_so3, transform
from commonground.mapping.packing import kept_of, packed, restore, unpacked
from commonground.mapping.watch import ASKED, Watch


@pytest.fixture
def views(stage: Any, looking: Any, block: Any) -> Any:
    things = [
        block(1, (0.2, 0.5, 0.4), (0.5, 0.3, 0.8)),
        block(2, (-0.8, 1.0, 0.3), (0.6, 0.6, 0.6)),
    ]

    def taken(poses: list[Any]) -> list[Any]:
        return [stage.frame(things, looking(*pose), k) for k, pose in enumerate(poses)]

    return taken


@pytest.fixture
def frames(views: Any) -> list[Any]:
    """A camera that looks around."""
    ways = 1.5 * np.sin(np.linspace(0, 6 * np.pi, 48))
    return list(views([((0.2 * x, -1.8, 1.2), (x, 0.6, 0.3 + 0.2 * x)) for x in ways]))


@pytest.fixture
def ahead(views: Any) -> list[Any]:
    """A camera that comes nearer to things, a step at a time."""
    return list(views([((0.0, -8.0 + 0.2 * k, 1.2), (0.0, 0.6, 0.5)) for k in range(32)]))


def told(frames: list[Any]) -> str:
    watch = Watch()
    return next(filter(None, [*map(watch.add, frames), watch.judged()]), "")


def test_images_that_agree_are_not_doubted(frames: list[Any], ahead: list[Any]) -> None:
    assert told(frames) == ""
    assert told(ahead) == ""


def test_intrinsics_of_another_camera_show(frames: list[Any]) -> None:
    K = frames[0].camera.K.copy()
    K[0, 0], K[1, 1] = 1.5 * K[0, 0], 1.5 * K[1, 1]
    narrow = [replace(f, camera=replace(f.camera, K=K)) for f in frames]
    assert "intrinsics" in told(narrow)


def test_a_lens_that_nobody_told_of_shows(frames: list[Any]) -> None:
    camera = frames[0].camera
    v, u = np.mgrid[: camera.height, : camera.width]
    fx, fy, cx, cy = camera.intrinsics
    x, y = (u - cx) / fx, (v - cy) / fy
    bent = 1.0 - 0.6 * (x**2 + y**2)
    rows = np.clip(np.round(y * bent * fy + cy), 0, camera.height - 1).astype(int)
    columns = np.clip(np.round(x * bent * fx + cx), 0, camera.width - 1).astype(int)
    assert "distortion" in told([replace(f, depth_m=f.depth_m[rows, columns]) for f in frames])


@pytest.mark.parametrize("share", [0.2, 0.8, 1.25, 5.0])
def test_depth_in_other_units_shows_and_by_how_much(ahead: list[Any], share: float) -> None:
    line = told([replace(f, depth_m=np.float32(share) * f.depth_m) for f in ahead])
    assert f"moved {share:g} times as far" in line


def test_depth_so_small_that_all_seems_passed_by_shows(views: Any) -> None:
    strides = list(views([((0.0, -11.0 + 0.9 * k, 1.2), (0.0, 0.6, 0.5)) for k in range(12)]))
    assert told(strides) == ""
    line = told([replace(f, depth_m=np.float32(0.1) * f.depth_m) for f in strides])
    assert "moved 0.1 times as far" in line and ASKED in line


def test_images_that_show_different_places_are_not_doubted(views: Any) -> None:
    # to one side, a long way between two images
    aside = list(views([((4.0 * k, -1.8, 1.2), (4.0 * k, 0.6, 0.3)) for k in range(30)]))
    assert told(aside) == ""


def test_odometry_with_another_scale_shows(ahead: list[Any]) -> None:
    stretched = [replace(f, T_odom_cam=f.T_odom_cam.copy()) for f in ahead]
    for frame in stretched:
        frame.T_odom_cam[:3, 3] *= 1.25
    assert "moved 0.8 times as far" in told(stretched)


def test_it_is_said_once_and_comes_through_a_checkpoint(ahead: list[Any]) -> None:
    wrong = [replace(f, depth_m=np.float32(0.5) * f.depth_m) for f in ahead]
    watch = Watch()
    lines = [*map(watch.add, wrong[:20])]
    arrays, tree = packed(kept_of(watch))
    later = Watch()
    restore(later, unpacked(arrays, tree, ()))
    lines += [*map(later.add, wrong[20:]), later.judged(), later.judged()]
    assert len([line for line in lines if line]) == 1


@pytest.mark.parametrize("share", [0.8, 1.25])
def test_another_focal_length_shows_on_a_drive_ahead(share: float, views: Any) -> None:
    # hardly turning, over open ground that lies on itself
    x = np.arange(0.0, 6.0, 0.25)
    drive = views(
        [((0.3 * np.sin(k), -8.0 + k, 0.8), (0.3 * np.sin(k + 2), 2.0 + k, 0.3)) for k in x]
    )
    assert told(drive) == ""
    K = drive[0].camera.K.copy()
    K[0, 0], K[1, 1] = share * K[0, 0], share * K[1, 1]
    wrong = [replace(f, camera=replace(f.camera, K=K)) for f in drive]
    assert f"{1 / share:g} times the focal length" in told(wrong)


@pytest.mark.parametrize(
    ("robot", "seed", "meters"), [("spot", 2, 20), ("spot", 4, 20), ("husky", 2, 12)]
)
def test_a_sound_drive_with_few_images_is_not_doubted(robot: str, seed: int, meters: float) -> None:
    """Between images a meter and a half apart most of what is near is hidden, or comes out of hiding."""
    team = ("husky", "spot") if meters == 20 else (robot,)
    settings = {
        "seed": seed,
        "world": {"size_m": 60, "objects": 200 if meters == 20 else 80, "seed": seed},
        "sensor": {"width": 160, "height": 120},
        "driving": {"length_m": meters, "frame_rate_hz": 1, "speed_mps": 2.0},
    }
    if meters == 20:
        settings["driving"] |= {"overlap": 1.0}  # type: ignore[operator]
    drive = Simulation(team, SimulationSettings.model_validate(settings))
    assert told(list(drive.frames(robot))) == ""


def test_too_few_images_tell_nothing(frames: list[Any]) -> None:
    assert told([replace(f, depth_m=0.2 * f.depth_m) for f in frames[:3]]) == ""
    assert told([replace(f, depth_m=0 * f.depth_m) for f in frames]) == ""


def test_an_odometry_that_errs_is_not_blamed_on_the_camera(frames: list[Any]) -> None:
    """A heading that is off makes surfaces fit better some other way, but best where they were tracked."""
    off = [exp_so3((0.0, 0.0, 0.2 * f.T_odom_cam[0, 2])) for f in frames]
    erring = [
        replace(f, T_odom_cam=transform(R @ f.T_odom_cam[:3, :3], f.T_odom_cam[:3, 3]))
        for R, f in zip(off, frames, strict=True)
    ]
    assert told(erring) != ""
    watch = Watch()
    lines = [watch.add(e, f.T_odom_cam) for e, f in zip(erring, frames, strict=True)]
    assert not any([*lines, watch.judged()])
