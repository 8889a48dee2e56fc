"""Odometry is corrected where there is something to see, and left alone where there is not."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from commonground.geometry import angle_between, apply, from_xyz_yaw, inverse, relative
from commonground.mapping.checkpoint import KINDS
from commonground.mapping.keyframes import Keyframes
from commonground.mapping.packing import kept_of, packed, restore, unpacked
from commonground.mapping.settings import OdometrySettings
from commonground.mapping.tracking.settings import TrackingSettings
from commonground.mapping.tracking.tracker import Tracker

SECOND = 1_000_000_000


def new_tracker(**settings: Any) -> Tracker:
    return Tracker(TrackingSettings(**settings), OdometrySettings())


def tracked(frames: Sequence[Any], tracker: Tracker) -> list[Any]:
    out = []
    for frame in frames:
        out.append(tracker.track(frame))
        tracker.keep(out[-1])
    return out


def errors_m(frames: Sequence[Any]) -> Any:
    """How far each frame is from where it really is, seen from the first."""
    T = np.array([f.T_odom_cam for f in frames])
    true = np.array([f.T_world_cam for f in frames])
    return np.linalg.norm((relative(T[0], T) - relative(true[0], true))[:, :3, 3], axis=1)


def drifting(frames: Sequence[Any], scale: float = 1.04, turn: float = 0.0) -> list[Any]:
    """The frames with odometry that goes too far by a factor and turns by radians a meter."""
    T = [frames[0].T_world_cam]
    for before, frame in pairwise(frames):
        step = relative(before.T_world_cam, frame.T_world_cam)
        meters = float(np.linalg.norm(step[:3, 3]))
        step[:3, 3] *= scale
        at = T[-1][:3, 3]
        twist = from_xyz_yaw([0.0, 0.0, 0.0, turn * meters])
        out = T[-1] @ step
        out[:3, :3] = twist[:3, :3] @ out[:3, :3]
        out[:3, 3] = at + twist[:3, :3] @ (out[:3, 3] - at)
        T.append(out)
    return [replace(f, T_odom_cam=t) for f, t in zip(frames, T, strict=True)]


@pytest.fixture(scope="module")
def yard(make_stage: Any, block: Any, looking: Any) -> list[Any]:
    """A drive along x between boxes, 30 cm from frame to frame, with noisy depth."""
    stage, rng = make_stage(noise=0.001), np.random.default_rng(4)
    things = [
        block(k + 1, (x, side * rng.uniform(1.2, 3.0), 0.5), (0.6, rng.uniform(0.4, 0.9), 1.0))
        for k, (x, side) in enumerate((x, s) for x in np.arange(2, 13, 1.7) for s in (-1, 1))
    ]
    poses = [looking((x, 0, 0.9), (x + 3, 0, 0.5)) for x in np.arange(0, 7.5, 0.3)]
    return [stage.frame(things, T, (k + 1) * SECOND // 4) for k, T in enumerate(poses)]


@pytest.fixture(scope="module")
def bare(make_stage: Any, looking: Any) -> list[Any]:
    """The same over a floor of one color."""
    stage = make_stage()
    poses = [looking((x, 0, 0.9), (x + 3, 0, 0.3)) for x in np.arange(0, 6, 0.3)]
    return [stage.frame([], T, (k + 1) * SECOND // 4) for k, T in enumerate(poses)]


@pytest.fixture(scope="module")
def painted(bare: list[Any]) -> Callable[..., list[Any]]:
    """Paints the floor with a pattern, seen with an exposure that changes."""
    rng = np.random.default_rng(0)
    waves = rng.uniform(-9, 9, (24, 2))
    phases = rng.uniform(0, 6.28, 24)

    def frame_of(frame: Any, k: int) -> Any:
        p = apply(frame.T_world_cam, np.nan_to_num(frame.points_cam()).reshape(-1, 3).astype(float))
        tone = np.sin(p[:, :2] @ waves.T + phases).sum(axis=1).reshape(frame.depth_m.shape)
        gray = (110 + 14 * tone) * (1.0 + 0.15 * np.sin(k))
        gray = np.where(np.isfinite(frame.depth_m), np.clip(gray, 0, 255), 200.0)
        return replace(frame, rgb=np.repeat(gray[..., None], 3, axis=2).astype(np.uint8))

    return lambda: [frame_of(f, k) for k, f in enumerate(bare)]


def test_shapes_correct_a_scale_and_a_heading_that_wander(yard: list[Any]) -> None:
    frames = drifting(yard, scale=1.04, turn=0.001)
    out = tracked(frames, new_tracker())
    assert errors_m(frames)[-1] > 0.25
    assert errors_m(out)[-1] < 0.05
    assert errors_m(tracked(frames, new_tracker(enabled=False)))[-1] == errors_m(frames)[-1]


def test_true_odometry_stays_true(yard: list[Any]) -> None:
    assert errors_m(tracked(yard, new_tracker())).max() < 0.03


def test_a_bare_floor_leaves_the_way_to_the_odometry(bare: list[Any]) -> None:
    frames = drifting(bare, scale=1.04, turn=0.001)
    for out, frame in zip(tracked(frames, new_tracker()), frames, strict=True):
        np.testing.assert_allclose(out.T_odom_cam[:2, 3], frame.T_odom_cam[:2, 3], atol=0.01)
        assert angle_between(out.T_odom_cam, frame.T_odom_cam) < 0.002


def test_the_pattern_of_a_floor_corrects_the_way(painted: Any) -> None:
    frames = drifting(painted(), scale=1.04, turn=0.001)
    assert errors_m(frames)[-1] > 0.2
    assert errors_m(tracked(frames, new_tracker()))[-1] < 0.05


def test_colors_that_do_not_lie_on_the_depth_are_left_out(yard: list[Any], painted: Any) -> None:
    rng = np.random.default_rng(1)
    noise = [replace(f, rgb=rng.integers(0, 255, f.rgb.shape, np.uint8)) for f in yard]
    tracker = new_tracker()
    assert errors_m(tracked(drifting(noise), tracker))[-1] < 0.08
    assert tracker.counts["registered"] > 15


def test_what_the_odometry_cannot_have_done_is_not_believed(yard: list[Any]) -> None:
    """The odometry leaps aside: images do not fit, and it is followed and corrected from there on."""
    half = len(yard) // 2
    aside = from_xyz_yaw([0.0, 0.5, 0.0, 0.0])
    frames = [
        replace(f, T_odom_cam=aside @ f.T_odom_cam) if k >= half else f for k, f in enumerate(yard)
    ]
    tracker = new_tracker()
    out = tracked(frames, tracker)
    assert tracker.counts["unlike what was seen before"] >= 1
    assert errors_m(out[:half]).max() < 0.03
    assert errors_m(out[half:]).max() < 0.05
    assert errors_m(out)[-1] == pytest.approx(0.5, abs=0.05)
    assert tracker.doubtful == 0


def test_where_half_of_the_view_is_new_the_rest_still_tells(
    yard: list[Any], make_stage: Any, block: Any
) -> None:
    stage, half = make_stage(), len(yard) // 2
    other = [
        block(0, (8.0, 0.4, 1.0), (0.3, 7.0, 2.0), label=5),
        block(1, (5.5, -1.0, 0.5), (1, 1, 1)),
    ]
    changed = [stage.frame(other, f.T_world_cam, f.stamp_ns) for f in yard[half:]]
    assert errors_m(tracked([*yard[:half], *changed], new_tracker())).max() < 0.05


def test_keyframes_tell_how_sure_the_way_is(yard: list[Any], bare: list[Any]) -> None:
    """A meter that was seen is sure in every direction; over a bare floor it is as the odometry says."""
    sigmas = {}
    for name, frames in (("yard", yard), ("bare", bare)):
        tracker = new_tracker()
        keys = Keyframes(tracker.motion.odometry, tracker.settings)
        for frame in frames:
            out = tracker.track(frame)
            tracker.keep(out)
            if keys.add(out, 0, frame.T_odom_cam):
                keys.growths.append(tracker.take_growth())
        _, motion, C = keys.edges()
        assert (np.linalg.eigvalsh(C) > 0).all()
        along = C[:, 0, 0] / np.linalg.norm(motion[:, :3, 3], axis=1)
        sigmas[name] = float(np.sqrt(np.median(along)))
    odometry = OdometrySettings()
    assert sigmas["bare"] == pytest.approx(odometry.noise_m, rel=0.15)
    assert sigmas["yard"] < 0.4 * odometry.noise_m


def test_all_cameras_of_a_robot_are_corrected_alike(yard: list[Any]) -> None:
    """A second camera, which looks the other way and sees nothing new, moves with the first."""
    T_cam_back = from_xyz_yaw([0.0, 0.0, 0.0, 0.0])
    T_cam_back[:3, :3] = np.diag([-1.0, 1.0, -1.0])
    frames: list[Any] = []
    for frame in drifting(yard):
        blind = np.full_like(frame.depth_m, np.nan)
        back = replace(
            frame,
            camera=replace(frame.camera, name="back"),
            depth_m=blind,
            T_odom_cam=frame.T_odom_cam @ T_cam_back,
            T_world_cam=frame.T_world_cam @ T_cam_back,
        )
        frames += [frame, back]
    out = tracked(frames, new_tracker())
    assert errors_m(out[1::2])[-1] < 0.06
    for front, back in zip(out[::2], out[1::2], strict=True):
        apart = inverse(front.T_odom_cam @ T_cam_back) @ back.T_odom_cam
        assert np.linalg.norm(apart[:3, 3]) < 0.005


def test_a_tracker_goes_on_from_its_state(yard: list[Any]) -> None:
    frames = drifting(yard)
    whole, first, second = new_tracker(), new_tracker(), new_tracker()
    expected = tracked(frames, whole)
    tracked(frames[:9], first)
    arrays, values = packed(kept_of(first))
    restore(second, unpacked(arrays, json.loads(json.dumps(values)), KINDS))
    for one, two in zip(expected[9:], tracked(frames[9:], second), strict=True):
        np.testing.assert_array_equal(one.T_odom_cam, two.T_odom_cam)
    assert whole.counts == second.counts


def test_after_a_jump_the_odometry_is_believed_again(yard: list[Any]) -> None:
    frames, tracker = drifting(yard), new_tracker()
    tracked(frames[:12], tracker)
    tracker.cut()
    out = tracked(frames[12:], tracker)
    np.testing.assert_allclose(out[0].T_odom_cam, frames[12].T_odom_cam, atol=1e-9)
    assert errors_m(out)[-1] < errors_m(frames[12:])[-1]
