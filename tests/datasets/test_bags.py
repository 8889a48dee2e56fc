"""Bags of ROS 1 and ROS 2: read back as seen, synchronized, registered, and told when they are wrong."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.datasets import (
    Health,
    Reader,
    Simulation,
    SimulationSettings,
    World,
    open_dataset,
)
from commonground.datasets.images import encode, to_millimeters
from commonground.datasets.readers.bagfiles import decoded, messages, opened
from commonground.datasets.readers.messages import unpack_rvl
from commonground.datasets.ros1bag import writing
from commonground.errors import CommongroundError, DataError
from commonground.frame import Frame
from commonground.geometry import exp_so3, inverse, transform

from . import bagging
from .bagging import COMPRESSED, IMAGE, INFO, KINDS, Maker, items_of, write

MOUNT = transform(exp_so3([0.1, -0.2, 0.3]), [0.4, 0.0, 0.8])
LAYOUT: dict[str, Any] = {
    "robots": {
        "rover": {
            "cameras": {
                "cam": {
                    "color": "/cam/color",
                    "depth": "/cam/depth",
                    "color_info": "/cam/color/info",
                    "T_robot_color": {"matrix": MOUNT.tolist()},
                }
            },
            "odometry": {"topic": "/odom"},
        }
    }
}


def layout(bag: Path, **changes: Any) -> Path:
    """Write the YAML beside a bag, with keys of the camera or of the layout changed."""
    values = yaml.safe_load(yaml.safe_dump(LAYOUT))
    camera = values["robots"]["rover"]["cameras"]["cam"]
    for key, value in changes.items():
        if key in ("sync_tolerance_s", "depth_unit", "pose_gap_s"):
            values[key] = value
        elif key in ("odometry", "truth"):
            values["robots"]["rover"][key] = value
        elif value is None:
            camera.pop(key)
        else:
            camera[key] = value
    file = (bag if bag.is_dir() else bag.parent) / "bag.yaml"
    file.write_text(yaml.safe_dump(values))
    return file


@pytest.fixture(scope="module")
def seen(drive: Simulation) -> list[Frame]:
    return list(drive.frames("husky"))


@pytest.fixture(scope="module")
def poses(drive: Simulation) -> list[tuple[int, np.ndarray]]:
    path = drive.trajectory("husky")
    return list(zip(path.stamps_ns.tolist(), path.T_odom_robot, strict=True))


def read(path: Path, **options: Any) -> list[Frame]:
    return list(open_dataset(path, health=Health(max_share=1.0)).frames("rover", **options))


def assert_same(read_frames: list[Frame], seen: list[Frame], depth_m: float = 5.1e-4) -> None:
    assert [f.stamp_ns for f in read_frames] == [f.stamp_ns for f in seen]
    for a, b in zip(read_frames, seen, strict=True):
        assert np.array_equal(a.rgb, b.rgb)
        assert np.array_equal(np.isnan(a.depth_m), np.isnan(b.depth_m))
        assert np.nanmax(np.abs(a.depth_m - b.depth_m)) <= depth_m
        assert np.allclose(a.camera.K, b.camera.K)


# ---- the Kimera-Multi layout ----


def test_a_simulated_bag_reads_back_to_the_frames_of_the_folder(kimera: Path, folder: Path) -> None:
    bags, files = open_dataset(kimera), open_dataset(folder)
    assert bags.format == "kimera-multi"
    assert isinstance(bags, Reader)
    assert bags.robots() == files.robots()
    for robot in bags.robots():
        count = 0
        for a, b in zip(bags.frames(robot), files.frames(robot), strict=True):
            assert (a.stamp_ns, a.camera.name) == (b.stamp_ns, b.camera.name)
            for name in ("rgb", "instances", "labels"):
                assert np.array_equal(getattr(a, name), getattr(b, name))
            assert np.array_equal(a.depth_m, b.depth_m, equal_nan=True)
            assert np.abs(a.T_odom_cam - b.T_odom_cam).max() < 1e-8
            assert np.abs(a.T_world_cam - b.T_world_cam).max() < 1e-8
            count += 1
        assert count == bags.length(robot)
        assert np.array_equal(bags.stamps_ns(robot), files.stamps_ns(robot))
    truth = bags.truth()
    assert truth is not None
    assert dict(bags.labels()) == dict(files.labels())


def test_the_topics_are_those_of_kimera_multi(kimera: Path) -> None:
    from rosbags.rosbag1 import Reader as BagReader

    with BagReader(kimera / "husky.bag") as bag:
        topics = {c.topic: c.msgtype for c in bag.connections}
    assert topics["/husky/forward/color/image_raw/compressed"] == COMPRESSED
    assert topics["/husky/forward/color/camera_info"] == INFO
    assert topics["/husky/forward/depth/camera_info"] == INFO
    assert topics["/husky/jackal_velocity_controller/odom"] == "nav_msgs/msg/Odometry"
    assert any(t.startswith("/husky/forward/depth/image_rect_raw") for t in topics)
    header = (kimera / "ground_truth" / "husky_gt_odom.csv").read_text().splitlines()[0]
    assert header == "#timestamp_kf,x,y,z,qw,qx,qy,qz"


def test_one_bag_alone_is_enough(kimera: Path) -> None:
    reader = open_dataset(kimera / "spot.bag")
    assert reader.robots() == ("spot",)
    frame = next(reader.frames("spot"))
    assert frame.T_world_cam is not None


@pytest.mark.parametrize(("start", "stop", "stride"), [(2.1, 5.0, 1), (1, None, 3), (90, None, 1)])
def test_bags_are_read_by_time_and_stride(
    kimera: Path, folder: Path, start: float, stop: float | None, stride: int
) -> None:
    wanted = open_dataset(folder).frames("spot", start_s=start, stop_s=stop, stride=stride)
    got = open_dataset(kimera).frames("spot", start_s=start, stop_s=stop, stride=stride)
    assert [(f.stamp_ns, f.camera.name) for f in got] == [
        (f.stamp_ns, f.camera.name) for f in wanted
    ]


def test_images_that_are_not_wanted_are_not_unpacked(
    kimera: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    poses = [f.T_odom_cam for f in open_dataset(kimera).frames("spot", stop_s=1.0)]
    monkeypatch.setattr("commonground.datasets.readers.messages.color_image", None)
    frames = list(open_dataset(kimera).frames("spot", stop_s=1.0, images=lambda: False))
    np.testing.assert_array_equal([f.T_odom_cam for f in frames], poses)
    assert all(np.isnan(f.depth_m).all() for f in frames)


def test_bags_written_before_are_kept(kimera: Path, drive: Simulation) -> None:
    before = (kimera / "husky.bag").stat().st_mtime_ns
    for _ in writing(drive, kimera):
        pass
    assert (kimera / "husky.bag").stat().st_mtime_ns == before


def test_published_calibration_is_used_where_the_bag_has_none(
    tmp_path: Path, seen: list[Frame], poses: Any
) -> None:
    maker = Maker("ros1")
    base, items = "/thoth/forward", []
    for frame in seen:
        t = frame.stamp_ns
        items.append((t, f"{base}/depth/camera_info", INFO, maker.info(t, frame.camera)))
        items.append((t, f"{base}/depth/image_rect_raw", *bagging.raw_depth(maker, frame)))
        items.append((t, f"{base}/color/camera_info", INFO, maker.info(t, frame.camera)))
        items.append((t, f"{base}/color/image_raw/compressed", *bagging.png_color(maker, frame)))
    items += [
        (t, "/thoth/jackal_velocity_controller/odom", bagging.ODOM, maker.odometry(t, T))
        for t, T in poses
    ]
    bag = write("ros1", tmp_path / "10_14_thoth", sorted(items, key=lambda i: i[0]), maker)
    reader = open_dataset(bag)
    frame = next(reader.frames("thoth"))
    T = reader.T_robot_cam("thoth", "forward")
    assert (
        0.05 < np.linalg.norm(T[:3, 3]) < 0.07
    )  # the D455's color camera sits 59 mm beside its depth
    assert T[:3, 2] @ [1, 0, 0] > 0.99
    assert np.isfinite(frame.depth_m).mean() > 0.3
    assert not np.array_equal(frame.depth_m, seen[0].depth_m, equal_nan=True)  # it was registered


def test_better_odometry_is_taken_from_a_bag_beside(
    kimera: Path, tmp_path: Path, drive: Simulation
) -> None:
    import shutil

    shutil.copy(kimera / "husky.bag", tmp_path)
    maker, path = Maker("ros1"), drive.trajectory("husky")
    assert path.T_world_robot is not None
    items = [
        (t, "/husky/kimera_vio_ros/odometry", bagging.ODOM, maker.odometry(t, T))
        for t, T in zip(path.stamps_ns.tolist(), path.T_world_robot, strict=True)
    ]
    (tmp_path / "vio").mkdir()
    write("ros1", tmp_path / "vio" / "husky", items, maker)
    reader = open_dataset(tmp_path / "husky.bag")
    assert "kimera_vio_ros/odometry" in " ".join(reader.notes)
    assert np.allclose(reader.trajectory("husky").T_odom_robot, path.T_world_robot)


# ---- any bag, with a YAML ----


@pytest.mark.parametrize("kind", KINDS)
def test_any_bag_is_read_through_its_yaml(
    kind: str, tmp_path: Path, seen: list[Frame], poses: Any
) -> None:
    maker = Maker(kind)
    bag = write(kind, tmp_path / "run", items_of(maker, seen, poses), maker)
    layout(bag)
    reader = open_dataset(bag)
    assert reader.format == "bag"
    frames = list(reader.frames("rover"))
    assert_same(frames, seen)
    believed = dict(poses)
    for frame in frames:
        if frame.stamp_ns in believed:
            assert np.allclose(frame.T_odom_cam, believed[frame.stamp_ns] @ MOUNT)
    assert reader.health.skipped == 0
    assert reader.length("rover") == len(seen)


@pytest.mark.parametrize("kind", ["ros1", "mcap"])
def test_the_yaml_itself_can_be_opened(
    kind: str, tmp_path: Path, seen: list[Frame], poses: Any
) -> None:
    maker = Maker(kind)
    bag = write(kind, tmp_path / "run", items_of(maker, seen[:4], poses), maker)
    file = tmp_path / "my_robot.yaml"
    file.write_text(yaml.safe_dump({**LAYOUT, "bags": [bag.name]}))
    assert_same(read(file), seen[:4])


@pytest.mark.parametrize(
    "depth", [bagging.raw_depth, bagging.float_depth, bagging.packed_depth, bagging.rvl_depth]
)
@pytest.mark.parametrize("color", [bagging.raw_color, bagging.png_color])
def test_images_raw_and_compressed_are_the_same(
    tmp_path: Path, seen: list[Frame], poses: Any, color: Any, depth: Any
) -> None:
    maker = Maker("ros1")
    bag = write(
        "ros1", tmp_path / "run", items_of(maker, seen, poses, color=color, depth=depth), maker
    )
    layout(bag)
    assert_same(read(bag), seen)


@pytest.mark.parametrize(
    ("encoding", "image"),
    [
        ("bgr8", lambda rgb: rgb[..., ::-1]),
        ("rgba8", lambda rgb: np.dstack([rgb, np.full(rgb.shape[:2], 255, np.uint8)])),
        ("bgra8", lambda rgb: np.dstack([rgb[..., ::-1], np.full(rgb.shape[:2], 255, np.uint8)])),
    ],
)
def test_color_encodings_come_out_red_first(
    tmp_path: Path, seen: list[Frame], poses: Any, encoding: str, image: Any
) -> None:
    maker = Maker("mcap")
    color = bagging.as_image(lambda f: np.ascontiguousarray(image(f.rgb)), encoding, pad=12)
    bag = write("mcap", tmp_path / "run", items_of(maker, seen[:3], poses, color=color), maker)
    layout(bag)
    assert_same(read(bag), seen[:3])


def test_quantized_float_depth_is_undone(tmp_path: Path, seen: list[Frame], poses: Any) -> None:
    maker = Maker("mcap")
    items = items_of(maker, seen[:4], poses, depth=bagging.packed_float_depth)
    bag = write("mcap", tmp_path / "run", items, maker)
    layout(bag)
    frame = read(bag)[0]
    both = np.isfinite(frame.depth_m) & np.isfinite(seen[0].depth_m)
    assert both.sum() > 0.95 * np.isfinite(seen[0].depth_m).sum()
    assert np.abs(frame.depth_m - seen[0].depth_m)[both].max() < 0.02


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 65535) | st.just(0), min_size=1, max_size=300))
def test_rvl_is_undone(depths: list[int]) -> None:
    words = np.frombuffer(bagging.rvl(depths), np.uint32)
    assert unpack_rvl(words, len(depths)).tolist() == depths
    for cut in (0, len(words) // 2):
        with contextlib.suppress(DataError):
            assert len(unpack_rvl(words[:cut], len(depths))) == len(depths)


def test_gray_bayer_and_big_endian(tmp_path: Path, seen: list[Frame], poses: Any) -> None:
    maker = Maker("ros1")
    for encoding in ("mono8", "bayer_rggb8"):
        color = bagging.as_image(lambda f: f.rgb.mean(axis=2).astype(np.uint8), encoding)
        depth = bagging.as_image(lambda f: to_millimeters(f.depth_m), "16UC1", big=True)
        bag = write(
            "ros1",
            tmp_path / encoding,
            items_of(maker, seen[:3], poses, color=color, depth=depth),
            maker,
        )
        layout(bag)
        frames = read(bag)
        assert len(frames) == 3
        assert np.nanmax(np.abs(frames[0].depth_m - seen[0].depth_m)) < 6e-4
        assert abs(frames[0].rgb.mean() - seen[0].rgb.mean()) < 4
        (tmp_path / "bag.yaml").unlink()


@pytest.mark.parametrize(
    ("values", "encoding", "said"),
    [
        (lambda d: np.nan_to_num(d * 1000).astype(np.float32), "32FC1", "millimeters"),
        (lambda d: d, "32FC1", "meters"),
        (to_millimeters, "16UC1", "millimeters"),
    ],
)
def test_the_unit_of_depth_is_found_and_stated(
    tmp_path: Path, seen: list[Frame], poses: Any, values: Any, encoding: str, said: str
) -> None:
    maker = Maker("ros1")
    depth = bagging.as_image(lambda f: values(f.depth_m), encoding)
    bag = write("ros1", tmp_path / "run", items_of(maker, seen, poses, depth=depth), maker)
    layout(bag)
    reader = open_dataset(bag)
    frames = list(reader.frames("rover"))
    assert f"depth is in {said}" in " ".join(reader.notes)
    assert np.nanmedian(frames[0].depth_m) == pytest.approx(np.nanmedian(seen[0].depth_m), abs=2e-3)


def test_a_unit_of_depth_of_its_own_is_stated(good: Path, seen: list[Frame]) -> None:
    layout(good, depth_unit=500)
    reader = open_dataset(good)
    depth = next(iter(reader.frames("rover"))).depth_m
    assert np.nanmedian(depth) == pytest.approx(2 * np.nanmedian(seen[0].depth_m), abs=5e-3)
    assert "1/500 m, as the YAML says" in " ".join(reader.notes)


def test_color_and_depth_are_paired_within_the_tolerance(
    tmp_path: Path, seen: list[Frame], poses: Any
) -> None:
    maker = Maker("ros1")
    items = items_of(maker, seen, poses)
    shifted = []
    for k, (t, topic, kind, message) in enumerate(items):
        if topic == "/cam/depth":
            off = 15_000_000 if k % 2 else -15_000_000
            message = replace(message, header=maker.header(t + off))
            t += off
        shifted.append((t, topic, kind, message))
    bag = write("ros1", tmp_path / "run", sorted(shifted, key=lambda i: i[0]), maker)
    layout(bag)
    assert_same(read(bag), seen)
    layout(bag, sync_tolerance_s=0.01)
    with pytest.raises(
        DataError, match=f"{len(seen)} of {len(seen)} images.*no depth image within 10 ms"
    ):
        read(bag)


def test_color_may_come_faster_than_depth(tmp_path: Path, seen: list[Frame], poses: Any) -> None:
    maker = Maker("ros1")
    slow = {f.stamp_ns for f in seen[::3]}
    items = [i for i in items_of(maker, seen, poses) if i[1] != "/cam/depth" or i[0] in slow]
    bag = write("ros1", tmp_path / "run", items, maker)
    layout(bag)
    reader = open_dataset(bag)
    assert_same(list(reader.frames("rover")), seen[::3])
    assert reader.health.skipped == 0
    assert f"left out {len(seen) - len(slow)} images" in reader.health.summary()


def test_messages_without_stamps_count_by_when_they_came(
    tmp_path: Path, seen: list[Frame], poses: Any
) -> None:
    maker = Maker("ros1")
    items = [
        (t, topic, kind, replace(m, header=maker.header(0)))
        for t, topic, kind, m in items_of(maker, seen, poses)
    ]
    bag = write("ros1", tmp_path / "run", items, maker)
    layout(bag)
    assert_same(read(bag), seen)


def test_odometry_may_come_from_tf(tmp_path: Path, seen: list[Frame], poses: Any) -> None:
    maker = Maker("mcap")
    items = [i for i in items_of(maker, seen, poses) if i[1] != "/odom"]
    items += [(t, "/tf", "tf2_msgs/msg/TFMessage", maker.tf(t, T, "base")) for t, T in poses]
    bag = write("mcap", tmp_path / "run", sorted(items, key=lambda i: i[0]), maker)
    layout(bag, odometry={"topic": "/tf", "frames": ["odom", "base"]})
    frames = read(bag)
    assert len(frames) == len(seen)
    believed = dict(poses)
    assert np.allclose(frames[0].T_odom_cam, believed[frames[0].stamp_ns] @ MOUNT)
    layout(bag, odometry={"topic": "/tf"})
    with pytest.raises(DataError, match="between odom and base_link"):
        read(bag)


def test_of_a_large_bag_only_the_poses_needed_are_read(
    tmp_path: Path, seen: list[Frame], poses: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from commonground.datasets.describe import describe_data
    from commonground.datasets.readers import bags as module

    maker = Maker("ros1")
    later = [(t + 60 * 10**9, T) for t, T in poses]
    bag = write("ros1", tmp_path / "run", items_of(maker, seen, poses + later), maker)
    layout(bag)
    part = read(bag, start_s=2.0, stop_s=4.0)
    monkeypatch.setattr(module, "LARGE_BYTES", 1000)
    asked: list[Any] = []
    load = module.load_trajectory

    def watched(*args: Any) -> Any:
        asked.append(args[-1])
        return load(*args)

    monkeypatch.setattr(module, "load_trajectory", watched)
    again = read(bag, start_s=2.0, stop_s=4.0)
    assert [f.stamp_ns for f in again] == [f.stamp_ns for f in part]
    assert np.allclose(again[1].T_odom_cam, part[1].T_odom_cam)
    about = describe_data(bag)
    assert about["robots"]["rover"]["odometry"] is None
    assert any("large" in note for note in about["notes"])
    assert len(asked) >= 2
    assert all(window is not None for window in asked)


def test_depth_that_comes_late_still_finds_its_color(
    tmp_path: Path, seen: list[Frame], poses: Any
) -> None:
    maker = Maker("mcap")
    items = items_of(maker, seen, poses)
    late = [
        (t + (400_000_000 if topic == "/cam/depth" else 0), topic, kind, m)
        for t, topic, kind, m in items
    ]
    bag = write("mcap", tmp_path / "run", sorted(late, key=lambda i: i[0]), maker)
    layout(bag)
    assert_same(read(bag), seen)


def test_header_stamps_count_not_when_messages_were_received(
    tmp_path: Path, seen: list[Frame], poses: Any
) -> None:
    maker = Maker("ros1")
    bag = write(
        "ros1", tmp_path / "run", items_of(maker, seen, poses), maker, delay_ns=3600 * 10**9
    )
    layout(bag)
    assert_same(read(bag), seen)
    part = read(bag, start_s=2.0, stop_s=4.0)
    assert [f.stamp_ns for f in part] == [
        f.stamp_ns for f in seen if 2 <= (f.stamp_ns - seen[0].stamp_ns) / 1e9 <= 4
    ]


def test_frames_out_of_order_are_counted(tmp_path: Path, seen: list[Frame], poses: Any) -> None:
    maker = Maker("ros1")
    items = items_of(maker, seen, poses)
    again = [i for i in items if i[1] == "/cam/color"][2]
    position = items.index([i for i in items if i[1] == "/cam/color"][6]) + 1
    bag = write("ros1", tmp_path / "run", [*items[:position], again, *items[position:]], maker)
    layout(bag)
    reader = open_dataset(bag)
    assert_same(list(reader.frames("rover")), seen)
    assert "goes back in time" in reader.health.first


def test_odometry_may_come_from_a_file_or_another_topic(
    tmp_path: Path, seen: list[Frame], poses: Any
) -> None:
    from commonground.tum import write_tum

    maker = Maker("ros1")
    items = [i for i in items_of(maker, seen, poses) if i[1] != "/odom"]
    items += [
        (t, "/pose", "geometry_msgs/msg/PoseStamped", maker.pose_stamped(t, T)) for t, T in poses
    ]
    bag = write("ros1", tmp_path / "run", sorted(items, key=lambda i: i[0]), maker)
    T = np.array([T for _, T in poses])
    write_tum(tmp_path / "vio.tum", np.array([t for t, _ in poses]), T)
    expected = None
    for odometry in ({"topic": "/pose"}, {"file": "vio.tum"}):
        layout(bag, odometry=odometry, truth={"file": "vio.tum"})
        frames = read(bag)
        assert len(frames) == len(seen)
        assert np.allclose(frames[3].T_odom_cam, frames[3].T_world_cam, atol=1e-8)
        assert expected is None or np.allclose(expected, frames[3].T_odom_cam, atol=1e-8)
        expected = frames[3].T_odom_cam


def test_where_the_camera_sits_is_found_in_tf_static(kimera: Path, drive: Simulation) -> None:
    reader = open_dataset(kimera)
    assert "calibration" not in " ".join(reader.notes)
    for camera in ("front", "left", "right"):
        assert np.allclose(
            reader.T_robot_cam("spot", camera), drive.T_robot_cam("spot", camera), atol=1e-9
        )


def test_a_calibration_that_is_assumed_is_told(
    kimera: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("commonground.datasets.readers.kimera_multi.TF_STATIC", "/tf_elsewhere")
    told = [note for note in open_dataset(kimera).notes if "published calibration" in note]
    assert [note.partition(":")[0] for note in told] == ["husky", "spot"]


# ---- registration ----


def test_depth_of_a_camera_beside_is_moved_into_the_color_image(
    campus: World, tmp_path: Path
) -> None:
    quiet = {"width": 160, "height": 120, "depth_noise": 0, "edge_dropout": 0, "flying_pixels": 0}
    values = SimulationSettings.model_validate(
        {"sensor": quiet, "driving": {"length_m": 6, "frame_rate_hz": 2}}
    )
    simulation = Simulation(("husky",), values, world=campus)
    frames, path = list(simulation.frames("husky")), simulation.trajectory("husky")
    color = frames[0].camera
    wide = replace(color, K=color.K * np.array([[0.8, 1, 1], [1, 0.8, 1], [1, 1, 1]]))
    T_color_depth = transform(exp_so3([0.01, -0.02, 0.01]), [-0.06, 0.004, 0.002])
    maker, items = Maker("ros1"), []
    for frame in frames:
        t = frame.stamp_ns
        assert frame.T_world_cam is not None
        beside = simulation._renderer.view(wide, frame.T_world_cam @ T_color_depth).depth_m
        items.append((t, "/cam/color/info", INFO, maker.info(t, color)))
        items.append((t, "/cam/depth/info", INFO, maker.info(t, wide)))
        items.append(
            (
                t,
                "/cam/depth",
                IMAGE,
                maker.image(t, np.where(beside < 12, beside, np.nan).astype(np.float32), "32FC1"),
            )
        )
        items.append((t, "/cam/color", *bagging.raw_color(maker, frame)))
    items += [
        (t, "/odom", bagging.ODOM, maker.odometry(t, T))
        for t, T in zip(path.stamps_ns.tolist(), path.T_odom_robot, strict=True)
    ]
    bag = write("ros1", tmp_path / "run", sorted(items, key=lambda i: i[0]), maker)
    layout(bag, depth_info="/cam/depth/info", T_color_depth={"matrix": T_color_depth.tolist()})
    for got, true in zip(read(bag), frames, strict=True):
        both = np.isfinite(got.depth_m) & np.isfinite(true.depth_m)
        assert both.mean() > 0.85 * np.isfinite(true.depth_m).mean()
        error = np.abs(got.depth_m - true.depth_m)[both] / true.depth_m[both]
        assert np.percentile(error, 90) < 0.03
        unmoved = np.abs(np.nan_to_num(got.depth_m) - np.nan_to_num(true.depth_m))
        assert np.median(error) < 0.006 or np.median(unmoved) < 0.01


def test_a_bent_lens_is_straightened(tmp_path: Path, seen: list[Frame], poses: Any) -> None:
    maker = Maker("ros1")
    items = [i for i in items_of(maker, seen[:3], poses) if i[1] != "/cam/color/info"]
    t = seen[0].stamp_ns
    items.insert(
        0, (t, "/cam/color/info", INFO, maker.info(t, seen[0].camera, D=(-0.3, 0.1, 0, 0, 0)))
    )
    bag = write("ros1", tmp_path / "run", items, maker)
    layout(bag)
    frame = read(bag)[0]
    change = np.abs(frame.rgb.astype(int) - seen[0].rgb).mean(axis=2)
    assert change[50:70, 70:90].mean() < change[:12, :12].mean()


# ---- bad input ----


@pytest.fixture
def good(tmp_path: Path, seen: list[Frame], poses: Any) -> Path:
    maker = Maker("ros1")
    return write("ros1", tmp_path / "run", items_of(maker, seen, poses), maker)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"color": "/cam/colour"},
            r"no topic '/cam/colour'\. Did you mean '/cam/color'.*It has /cam/color",
        ),
        ({"depth": "/nowhere"}, "no topic '/nowhere'.*/cam/depth"),
        ({"color_info": "/cam/color/inf"}, "Did you mean '/cam/color/info'"),
        ({"color_info": None}, "color_intrinsics"),
        ({"T_robot_color": None}, "T_robot_color"),
        ({"odometry": {"topic": "/odometry"}}, "Did you mean '/odom'"),
        ({"odometry": {"file": "none.tum"}}, "no such file"),
        ({"odometry": {}}, "topic or a file"),
        ({"color": "/cam/depth"}, "topic of its own"),
        ({"depth_unit": 0.001}, "how many units of depth are a meter"),
        ({"depth_unit": "cm"}, "auto, mm, m, or"),
        (
            {"T_robot_color": {"quat_wxyz": [1, 0, 0, 0]}},
            "'quat_xyzw', which takes xyzw and not wxyz: the numbers change",
        ),
    ],
)
def test_a_wrong_yaml_is_told_in_one_line(
    good: Path, changes: dict[str, Any], message: str
) -> None:
    layout(good, **changes)
    with pytest.raises(CommongroundError, match=message) as caught:
        list(open_dataset(good).frames("rover"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("robots: {}", "robots"),
        ("robotz: {}", "Did you mean 'robots'"),
        ("robots: {r: {cameras: {}, odometry: {topic: /o}}}", "cameras"),
        ("robots: [1, 2", "not valid YAML"),
        (
            "robots: {r: {odometry: {}, cameras: {c: {color: /a, depth: /b, "
            "T_robot_color: {quat_xyzw: [1, 1, 1, 1]}}}}}",
            "unit length",
        ),
    ],
)
def test_a_yaml_that_is_none_names_its_line(good: Path, text: str, message: str) -> None:
    (good.parent / "bag.yaml").write_text(text)
    with pytest.raises(CommongroundError, match=message) as caught:
        open_dataset(good)
    assert "bag.yaml" in str(caught.value)


def test_a_bag_without_yaml_lists_its_image_topics(good: Path) -> None:
    with pytest.raises(DataError, match=r"run\.yaml beside it.*/cam/color \(Image"):
        open_dataset(good)


def test_poses_that_are_none_are_left_out(tmp_path: Path, seen: list[Frame], poses: Any) -> None:
    maker = Maker("ros1")
    broken = [(t, np.full((4, 4), np.nan) if k % 3 == 0 else T) for k, (t, T) in enumerate(poses)]
    bag = write("ros1", tmp_path / "run", items_of(maker, seen, broken), maker)
    layout(bag)
    reader = open_dataset(bag)
    frames = list(reader.frames("rover"))
    assert len(frames) == len(seen)
    assert all(np.isfinite(f.T_odom_cam).all() for f in frames)
    assert "not finite or not rigid" in " ".join(reader.notes)


def test_a_gap_in_the_odometry_is_counted(tmp_path: Path, seen: list[Frame], poses: Any) -> None:
    maker = Maker("ros1")
    bag = write("ros1", tmp_path / "run", items_of(maker, seen, poses[:30] + poses[100:]), maker)
    layout(bag)
    reader = open_dataset(bag, health=Health(max_share=1.0))
    assert 0 < len(list(reader.frames("rover"))) < len(seen)
    assert "no pose is known" in reader.health.first


def test_one_broken_image_is_skipped(tmp_path: Path, seen: list[Frame], poses: Any) -> None:
    maker = Maker("mcap")

    def color(maker: Maker, frame: Frame) -> tuple[str, Any]:
        data = b"" if frame is seen[2] else encode(frame.rgb, "png")
        return COMPRESSED, maker.compressed(frame.stamp_ns, data, "png")

    bag = write("mcap", tmp_path / "run", items_of(maker, seen, poses, color=color), maker)
    layout(bag)
    reader = open_dataset(bag)
    assert len(list(reader.frames("rover"))) == len(seen) - 1
    assert "zero bytes" in reader.health.first


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.98])
def test_a_truncated_bag_says_so_or_gives_what_it_has(
    kind: str, share: float, tmp_path: Path, seen: list[Frame], poses: Any
) -> None:
    maker = Maker(kind)
    bag = write(kind, tmp_path / "run", items_of(maker, seen, poses), maker)
    layout(bag)
    file = bag if bag.is_file() else next(p for p in bag.iterdir() if p.suffix in (".db3", ".mcap"))
    data = file.read_bytes()
    file.write_bytes(data[: int(share * len(data))])
    reader = open_dataset(bag, health=Health(max_share=1.0))
    try:
        frames = list(reader.frames("rover"))
    except CommongroundError as error:
        assert "\n" not in str(error)
        assert any(
            word in str(error)
            for word in ("index", "cut off", "damaged", "empty", "no message", "bag")
        )
    else:
        assert len(frames) <= len(seen)


@pytest.mark.parametrize("packed", ["", "bz2", "lz4"])
def test_a_bag_whose_recording_was_cut_off_gives_what_is_whole(
    packed: str, tmp_path: Path, seen: list[Frame], poses: Any, caplog: pytest.LogCaptureFixture
) -> None:
    maker = Maker("ros1")
    bag = write("ros1", tmp_path / "run", items_of(maker, seen, poses), maker, packed=packed)
    layout(bag)
    data = bag.read_bytes()
    for name in ("run.bag", "run.bag.active"):
        cut = tmp_path / name
        cut.write_bytes(data[: int(0.8 * len(data))])
        frames = list(open_dataset(cut, health=Health(max_share=1.0)).frames("rover"))
        assert 0 < len(frames) < len(seen)
        assert_same(frames, seen[: len(frames)])
        assert "as far as it goes" in caplog.text
        cut.unlink()


@pytest.mark.parametrize("packed", ["bz2", "lz4"])
def test_compressed_bags_are_read(
    packed: str, tmp_path: Path, seen: list[Frame], poses: Any
) -> None:
    maker = Maker("ros1")
    bag = write("ros1", tmp_path / "run", items_of(maker, seen, poses), maker, packed=packed)
    layout(bag)
    assert_same(read(bag), seen)


@pytest.mark.parametrize(
    ("role", "made", "message"),
    [
        (
            "color",
            bagging.as_image(lambda f: f.rgb[..., :2].copy(), "yuv422"),
            "color encoding 'yuv422'",
        ),
        (
            "depth",
            bagging.as_image(lambda f: f.labels.astype(np.uint8), "8UC1"),
            "depth encoding '8UC1'",
        ),
    ],
)
def test_an_encoding_that_cannot_be_read_stops_at_once(
    role: str, made: Any, message: str, tmp_path: Path, seen: list[Frame], poses: Any
) -> None:
    maker = Maker("ros1")
    bag = write("ros1", tmp_path / "run", items_of(maker, seen, poses, **{role: made}), maker)
    layout(bag)
    with pytest.raises(DataError, match=message) as caught:
        list(open_dataset(bag).frames("rover"))
    assert "known are" in str(caught.value)


def test_something_else_named_bag_is_told(tmp_path: Path) -> None:
    (tmp_path / "notes.bag").write_text("this is my shopping list, not a bag")
    with pytest.raises(DataError, match="no ROS 1 bag"):
        open_dataset(tmp_path / "notes.bag")


def test_mounts_compose(drive: Simulation) -> None:
    T = inverse(drive.T_robot_cam("spot", "left")) @ drive.T_robot_cam("spot", "right")
    assert np.linalg.norm(T[:3, 3]) == pytest.approx(0.28, abs=1e-9)


def test_bags_that_define_one_type_differently_are_not_read_as_one(tmp_path: Path) -> None:
    from rosbags.rosbag1 import Writer
    from rosbags.typesys import Stores, get_types_from_msg, get_typestore

    kind, bags = "own/msg/Thing", [tmp_path / "one.bag", tmp_path / "two.bag"]
    for bag, text in zip(bags, ("uint8 level", "uint16 level"), strict=True):
        store = get_typestore(Stores.EMPTY)
        store.register(get_types_from_msg(text, kind))
        with Writer(bag) as writer:
            connection = writer.add_connection("/thing", kind, typestore=store)
            writer.write(connection, 1, store.serialize_ros1(store.types[kind](7), kind))
    for bag in bags:
        with opened([bag]) as reader:
            _, _, raw = next(messages(reader, reader.connections))
            assert decoded(reader, raw, kind).level == 7
    with pytest.raises(DataError, match="different ways"), opened(bags):
        pass


@pytest.mark.parametrize("kind", KINDS)
def test_a_yaml_beside_a_bag_that_is_about_another_is_told(
    kind: str, tmp_path: Path, seen: list[Frame], poses: Any
) -> None:
    maker = Maker(kind)
    items = items_of(maker, seen[:3], poses)
    one, other = (write(kind, tmp_path / name, items, maker) for name in ("one", "other"))
    (tmp_path / "bag.yaml").write_text(yaml.safe_dump({**LAYOUT, "bags": [one.name]}))
    assert read(one) and read(tmp_path / "bag.yaml") and read(tmp_path)
    with pytest.raises(DataError, match=f"is about {one.name}, and not about this bag"):
        read(other)


def test_beside_a_folder_of_bags_lies_nothing_about_them(tmp_path: Path) -> None:
    from commonground.datasets.readers.layout import layout_file

    many = tmp_path / "many"
    many.mkdir()
    for name in ("one.bag", "two.bag"):
        (many / name).write_text("")
    (tmp_path / "bag.yaml").write_text("")
    (tmp_path / "many.yaml").write_text("")
    assert layout_file(many) is None


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_put_beside_a_recording_does_not_make_it_another(
    kind: str, tmp_path: Path, seen: list[Frame], poses: Any
) -> None:
    maker = Maker(kind)
    bag = write(kind, tmp_path / "run", items_of(maker, seen[:3], poses), maker)
    layout(bag)
    before = open_dataset(bag).fingerprint("rover")
    out = (bag if bag.is_dir() else bag.parent) / "out"
    out.mkdir()
    (out / "scene.json").write_text("{}")
    assert open_dataset(bag).fingerprint("rover") == before
    layout(bag, sync_tolerance_s=0.01)
    assert open_dataset(bag).fingerprint("rover") != before


@pytest.mark.parametrize("place", ["run.yaml", "bag.yaml", "run/run.yaml", "run/bag.yaml"])
@pytest.mark.parametrize("given", [".", "run"])
def test_the_yaml_of_a_bag_that_is_a_folder_is_found(
    place: str, given: str, tmp_path: Path
) -> None:
    from commonground.datasets.readers.layout import layout_file

    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "metadata.yaml").write_text("")
    assert layout_file(tmp_path / given) is None
    (tmp_path / place).write_text("")
    assert layout_file(tmp_path / given) == tmp_path / place
