"""What lies beyond the reach of depth holds the heading."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from commonground.frame import Intrinsics
from commonground.geometry import exp_so3, from_xyz_yaw, relative, yaw_of
from commonground.mapping.checkpoint import KINDS
from commonground.mapping.packing import kept_of, packed, restore, unpacked
from commonground.mapping.settings import OdometrySettings
from commonground.mapping.tracking._distant import UNKNOWN, slopes
from commonground.mapping.tracking.distant import MISSES
from commonground.mapping.tracking.settings import TrackingSettings
from commonground.mapping.tracking.tracker import Tracker

SECOND = 1_000_000_000
BODY = np.array([[0.0, -1, 0], [0, 0, -1], [1, 0, 0]])
REACH_M = 6.0


def new_tracker(**settings: Any) -> Tracker:
    return Tracker(TrackingSettings(**settings), OdometrySettings())


def tracked(frames: Sequence[Any], tracker: Tracker) -> list[Any]:
    out = []
    for frame in frames:
        out.append(tracker.track(frame))
        tracker.keep(out[-1])
    return out


def heading_errors_deg(frames: Sequence[Any]) -> Any:
    T, true = (
        np.array([getattr(f, name) for f in frames]) for name in ("T_odom_cam", "T_world_cam")
    )
    T[:, :3, :3], true[:, :3, :3] = T[:, :3, :3] @ BODY, true[:, :3, :3] @ BODY
    return np.rad2deg(yaw_of(relative(true[0], true)) - yaw_of(relative(T[0], T)))


def turning(frames: Sequence[Any], turn: float) -> list[Any]:
    """The frames with odometry that turns by radians a meter driven along x."""
    out, at = [], frames[0].T_world_cam.copy()
    for k, frame in enumerate(frames):
        true = frame.T_world_cam
        driven = true[0, 3] - frames[0].T_world_cam[0, 3]
        R = from_xyz_yaw([0.0, 0.0, 0.0, turn * driven])[:3, :3]
        if k:
            at[:3, 3] += R @ (true[:3, 3] - frames[k - 1].T_world_cam[:3, 3])
        at[:3, :3] = R @ true[:3, :3]
        out.append(replace(frame, T_odom_cam=at.copy()))
    return out


@pytest.fixture(scope="module")
def avenue(make_stage: Any, block: Any, looking: Any) -> list[Any]:
    """A drive over a bare floor towards houses and poles that are all out of the reach of depth."""
    stage, rng = make_stage(noise=0.001), np.random.default_rng(7)
    things = [
        block(
            0,
            (x, side * rng.uniform(7, 12), 2.0),
            (rng.uniform(0.5, 2.0), rng.uniform(0.5, 3.0), rng.uniform(4.0, 9.0)),
            color=tuple(int(c) for c in rng.integers(20, 250, 3)),
        )
        for x in np.arange(18.0, 70.0, 2.5)
        for side in (-1, 1)
    ]
    poses = [looking((x, 0, 0.9), (x + 3, 0, 0.7)) for x in np.arange(0, 12, 0.3)]
    return [
        stage.frame(things, T, (k + 1) * SECOND // 4, far_m=REACH_M) for k, T in enumerate(poses)
    ]


def test_what_is_far_away_holds_the_heading(avenue: list[Any]) -> None:
    frames = turning(avenue, 0.001)
    without = abs(heading_errors_deg(tracked(frames, new_tracker(distant_marks=0)))[-1])
    tracker = new_tracker()
    with_marks = abs(heading_errors_deg(tracked(frames, tracker))[-1])
    assert without > 0.5
    assert with_marks < 0.6 * without
    assert len(tracker.distant.poses) > 10


def test_images_that_leave_the_window_take_their_marks_along(avenue: list[Any]) -> None:
    """No mark is seen before its host, however the window moved since."""
    tracker = new_tracker(distant_images=6)
    tracked(avenue, tracker)
    distant = tracker.distant
    before = np.arange(6) <= distant.hosts[:, None]
    assert not distant.seen[before].any()
    assert (distant.seen[:, -1, 2] > 0).sum() > 10


def test_a_true_heading_stays_true(avenue: list[Any]) -> None:
    assert np.abs(heading_errors_deg(tracked(avenue, new_tracker()))).max() < 0.1


def test_the_exposure_may_change(avenue: list[Any]) -> None:
    darker = [
        replace(f, rgb=(f.rgb * (0.75 + 0.1 * np.sin(k))).astype(np.uint8))
        for k, f in enumerate(turning(avenue, 0.001))
    ]
    assert np.abs(heading_errors_deg(tracked(darker, new_tracker()))).max() < 0.4


def test_marks_keep_off_what_has_depth(yard_frames: list[Any]) -> None:
    """Nor is what moves a mark, though its depth is taken away before the image is kept."""
    tracker = new_tracker()
    for frame in yard_frames:
        out = tracker.track(frame)
        tracker.keep(replace(out, depth_m=np.full_like(out.depth_m, np.nan)))
    assert len(tracker.distant.hosts) == 0


@pytest.fixture(scope="module")
def yard_frames(make_stage: Any, block: Any, looking: Any) -> list[Any]:
    """A room: everything has depth."""
    stage = make_stage()
    walls = [
        block(0, (9.0, 0.0, 4.0), (0.2, 16.0, 8.0), color=(200, 190, 180)),
        *(
            block(1, (4.0 + k, y, 1.0), (0.4, 0.4, 2.0), color=(40 * k, 90, 200 - 30 * k))
            for k, y in enumerate((-1.5, 1.5, -2.0, 2.0))
        ),
    ]
    poses = [looking((x, 0, 0.9), (x + 3, 0, 0.2)) for x in np.arange(0, 2.0, 0.25)]
    return [stage.frame(walls, T, (k + 1) * SECOND // 4, far_m=30.0) for k, T in enumerate(poses)]


def test_what_is_kept_of_marks_is_bounded(avenue: list[Any]) -> None:
    tracker = new_tracker(distant_marks=20, distant_images=5, max_range_m=5.0)
    tracked(avenue, tracker)
    distant = tracker.distant
    assert len(distant.poses) == 5
    assert distant.seen.shape[1:] == (5, 5)
    assert 0 < len(distant.hosts) <= 5 * 20
    assert (distant.misses < MISSES).sum() <= 20


def test_it_goes_on_from_its_state(avenue: list[Any]) -> None:
    frames = turning(avenue, 0.001)
    whole, first, second = new_tracker(), new_tracker(), new_tracker()
    expected = tracked(frames, whole)
    tracked(frames[:23], first)
    arrays, values = packed(kept_of(first))
    restore(second, unpacked(arrays, json.loads(json.dumps(values)), KINDS))
    for one, two in zip(expected[23:], tracked(frames[23:], second), strict=True):
        np.testing.assert_array_equal(one.T_odom_cam, two.T_odom_cam)


def test_after_a_jump_nothing_is_kept(avenue: list[Any]) -> None:
    tracker = new_tracker()
    tracked(avenue[:20], tracker)
    tracker.cut()
    assert len(tracker.distant.poses) == len(tracker.distant.hosts) == 0


def rolling(frames: Sequence[Any], degrees: float, every_m: float) -> list[Any]:
    """The frames with odometry that rolls to and fro about the way ahead."""
    out = []
    for frame in frames:
        T = frame.T_world_cam.copy()
        roll = np.deg2rad(degrees) * np.sin(2 * np.pi * T[0, 3] / every_m)
        T[:3, :3] = exp_so3(np.array([roll, 0.0, 0.0])) @ T[:3, :3]
        out.append(replace(frame, T_odom_cam=T))
    return out


def test_a_roll_that_grows_is_found(avenue: list[Any]) -> None:
    """A roll that all images have in common shows in none of them."""
    tracker = new_tracker()
    tracked(rolling(avenue, 0.15, 48.0), tracker)
    distant = tracker.distant
    at = distant.poses[:, 0, 3]
    true = [avenue[int(np.abs([f.T_world_cam[0, 3] - x for f in avenue]).argmin())] for x in at]
    up = np.array([f.T_world_cam[2, :3] for f in true])
    off, left = distant.poses[:, 2, :3] - up, distant._tilted()[:, 2, :3] - up
    assert left[:, 0].std() < 0.7 * off[:, 0].std()


@pytest.mark.parametrize("column", range(2 * UNKNOWN + 1))
def test_slopes_are_those_of_where_a_mark_is_seen(column: int) -> None:
    """Of the host, of the image that sees the mark, and of the inverse depth."""
    H = from_xyz_yaw([1.0, 2.0, 0.5, 0.3]) @ looking_along(BODY)
    T = from_xyz_yaw([3.0, 2.2, 0.6, 0.35]) @ looking_along(BODY)
    ray, intrinsics = np.array([0.2, -0.1, 1.0]), Intrinsics(200.0, 210.0, 160.0, 120.0)
    J, spot = np.zeros((2, 2 * UNKNOWN + 1)), np.empty(2)
    assert slopes(H, T, ray, 0.05, intrinsics, J, spot)
    ends = []
    for step in (1e-6, -1e-6):
        x = np.zeros(2 * UNKNOWN + 1)
        x[column] = step
        moved = np.empty(2)
        slopes(
            nudged(H, x[:UNKNOWN]),
            nudged(T, x[UNKNOWN:-1]),
            ray,
            0.05 + x[-1],
            intrinsics,
            J.copy(),
            moved,
        )
        ends.append(moved)
    np.testing.assert_allclose(J[:, column], (ends[0] - ends[1]) / 2e-6, rtol=1e-4, atol=1e-4)


def looking_along(body: Any) -> Any:
    T = np.eye(4)
    T[:3, :3] = body.T
    return T


def nudged(T: Any, x: Any) -> Any:
    """A pose moved by x and y, turned, and tilted about x and y."""
    out = T.copy()
    out[:2, 3] += x[:2]
    out[:3, :3] = exp_so3(np.array([x[3], x[4], x[2]])) @ T[:3, :3]
    return out


def test_afterwards_the_way_is_smoother(avenue: list[Any]) -> None:
    """From image to image the settled path jumps less than the poses of the time."""
    tracker = new_tracker()
    frames = tracked(turning(avenue, 0.001), tracker)
    body = np.eye(4)
    body[:3, :3] = BODY
    stamps = np.array([f.stamp_ns for f in frames])
    settled = tracker.hindsight.corrected(stamps, np.array([f.T_odom_cam @ body for f in frames]))
    after = [replace(f, T_odom_cam=T @ body.T) for f, T in zip(frames, settled, strict=True)]
    assert (
        np.diff(heading_errors_deg(after)).std() < 0.8 * np.diff(heading_errors_deg(frames)).std()
    )
