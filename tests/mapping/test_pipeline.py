"""From frames to files: what a drive gives, and what bad input does to it."""

from __future__ import annotations

import functools
import json
import resource
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from commonground.crops import LARGEST, Crops
from commonground.errors import CommongroundError, MappingError
from commonground.frame import Camera
from commonground.geometry import from_xyz_yaw
from commonground.mapping import Mapper, MappingSettings, Verdict, map_robot, read_mesh
from commonground.mapping.checkpoint import Progress
from commonground.mapping.perception import GroundTruthPerception
from commonground.objects import load_objects
from commonground.scene import load_scene

SECOND = 1_000_000_000
FILES = (
    "scene.json",
    "objects.npz",
    "crops.zip",
    "trajectory.tum",
    "odometry.tum",
    "posegraph.g2o",
    "mesh.ply",
)
LENGTH_M = 6.0


@pytest.fixture(scope="module")
def see(stage: Any) -> GroundTruthPerception:
    return GroundTruthPerception(stage.labels, ("floor", "wall"))


@pytest.fixture(scope="module")
def things(block: Any) -> list[Any]:
    wall = {"label": 5, "color": (160, 160, 160)}
    return [
        block(1, (3.0, 1.5, 0.3), (0.5, 0.4, 0.6)),
        block(2, (5.0, -1.4, 0.5), (0.6, 0.6, 1.0), label=3, color=(40, 80, 190)),
        block(0, (5.0, 3.5, 1.0), (14.0, 0.2, 2.0), **wall),
        block(0, (5.0, -3.5, 1.0), (14.0, 0.2, 2.0), **wall),
    ]


@pytest.fixture(scope="module")
def drive(stage: Any, things: Any, looking: Any) -> Callable[..., list[Any]]:
    """Makes the frames of a robot that drives along x, one every quarter of a second."""

    @functools.cache
    def rendered(upside_down: bool, camera: str, turn: float) -> list[Any]:
        poses = [
            looking(
                (x, 0.0, 0.8),
                (x + 3 * np.cos(turn), 3 * np.sin(turn), 0.5),
                upside_down=upside_down,
            )
            for x in np.arange(0, LENGTH_M, 0.2)
        ]
        return [
            stage.frame(things, T, (i + 1) * SECOND // 4, camera=camera)
            for i, T in enumerate(poses)
        ]

    def frames(*, upside_down: bool = False, camera: str = "cam", turn: float = 0.0) -> list[Any]:
        return list(rendered(upside_down, camera, turn))

    return frames


@pytest.fixture
def settings() -> MappingSettings:
    return MappingSettings(checkpoint_every_s=1.5)


def after(frames: list[Any]) -> Callable[[Progress | None], Iterator[Any]]:
    """The frames as a source that goes on where a stopped run was."""

    def source(done: Progress | None) -> Iterator[Any]:
        seen = 0
        for frame in frames:
            if done is not None and frame.stamp_ns <= done.stamp_ns:
                seen += frame.stamp_ns == done.stamp_ns
                if frame.stamp_ns < done.stamp_ns or seen <= done.at_stamp:
                    continue
            yield frame

    return source


def mapped(frames: list[Any], see: Any, settings: Any = None) -> tuple[Mapper, Any]:
    mapper = Mapper(see, settings, robot="r")
    for frame in frames:
        mapper.integrate(frame)
    return mapper, mapper.finish()


def test_a_drive_becomes_a_scene_graph_and_its_files(
    drive: Any, see: Any, settings: Any, tmp_path: Path, things: Any
) -> None:
    metrics = map_robot(after(drive()), see, tmp_path, settings, robot="r")
    graph, objects = load_scene(tmp_path / "scene.json"), load_objects(tmp_path / "objects.npz")
    mesh = read_mesh(tmp_path / "mesh.ply")
    assert {p.name for p in tmp_path.iterdir()} == {*FILES, "ground_truth.tum", "metrics.json"}
    assert metrics["nodes"]["objects"] == len(objects) == len(graph.objects) == 2
    pictures = Crops(tmp_path)
    for thing in things[:2]:
        away = np.linalg.norm(objects.centroids - np.asarray(thing.center), axis=1)
        assert away.min() < 0.25
        own = pictures.of(graph.objects.symbols[int(away.argmin())])
        assert own and sum(len(crop.jpeg) for crop in own) <= LARGEST
        seen = cv2.imdecode(np.frombuffer(own[0].jpeg, np.uint8), cv2.IMREAD_COLOR)[:, :, ::-1]
        middle = seen[seen.shape[0] // 2, seen.shape[1] // 2].astype(float)
        assert np.abs(middle / middle.max() - np.array(thing.color) / max(thing.color)).max() < 0.3
    ground = graph.layers["surface_places"]
    assert set(ground.names) == {"floor"}
    assert ground.columns["area_m2"].sum() > 0.8 * 7 * LENGTH_M
    driven, slope = ground.columns["traversed"], ground.columns["slope_deg"]
    assert driven.any() and slope[driven].max() < 5
    assert np.average(slope, weights=ground.columns["area_m2"]) < 1
    assert set(graph.layers["regions"].names) == {"room"}
    assert len(graph.layers["places"]) > 5
    for child, parent in (
        ("objects", "surface_places"),
        ("surface_places", "regions"),
        ("places", "regions"),
    ):
        assert len(graph.links[child, parent].rows) > 0, (child, parent)
    on_floor = np.abs(mesh.vertices[:, 2]) < 0.3
    assert on_floor.sum() > 500
    assert np.abs(mesh.vertices[on_floor & (np.abs(mesh.vertices[:, 1]) < 0.8), 2]).mean() < 0.02
    poses = np.loadtxt(tmp_path / "trajectory.tum")
    assert len(poses) == metrics["frames"]
    assert metrics["travel_m"] == pytest.approx(LENGTH_M - 0.2, rel=0.01)
    told = np.loadtxt(tmp_path / "odometry.tum")
    assert np.linalg.norm(told[-1, 1:4] - told[0, 1:4]) == pytest.approx(LENGTH_M - 0.2, abs=1e-6)
    assert json.loads((tmp_path / "metrics.json").read_text())["perception"] == "ground-truth"


def test_a_stopped_run_goes_on_with_the_same_result(
    drive: Any, see: Any, settings: Any, tmp_path: Path
) -> None:
    frames = drive()
    frames[20:] = [shifted(f, 40.0) for f in frames[20:]]  # two segments, one of them over
    map_robot(after(frames), see, tmp_path / "whole", settings, robot="r", fingerprint="x")

    class Killed(Exception):
        pass

    def stops(at: int) -> Callable[[Progress | None], Iterator[Any]]:
        def source(done: Progress | None) -> Iterator[Any]:
            for frame in after(frames)(done):
                if frame.stamp_ns >= frames[at].stamp_ns:
                    raise Killed
                yield frame

        return source

    for at in (11, 24):
        with pytest.raises(Killed):
            map_robot(stops(at), see, tmp_path / "parts", settings, robot="r", fingerprint="x")
    assert not (tmp_path / "parts" / "scene.json").exists()
    seen: list[int] = []
    map_robot(
        after(frames), see, tmp_path / "parts", settings, robot="r", fingerprint="x",
        on_frame=lambda n, _: seen.append(n),
    )  # fmt: skip
    assert seen[0] > 10  # it did not begin anew
    for name in FILES:
        assert (tmp_path / "parts" / name).read_bytes() == (
            tmp_path / "whole" / name
        ).read_bytes(), name


def test_other_settings_or_data_begin_anew(
    drive: Any, see: Any, settings: Any, tmp_path: Path
) -> None:
    frames = drive()

    def source(done: Progress | None) -> Iterator[Any]:
        yield from after(frames[:15])(done)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        map_robot(source, see, tmp_path, settings, robot="r", fingerprint="a")
    seen: list[int] = []
    map_robot(
        after(frames), see, tmp_path, settings, robot="r", fingerprint="b",
        on_frame=lambda n, _: seen.append(n),
    )  # fmt: skip
    assert seen[0] == 1


def test_a_damaged_checkpoint_says_so(drive: Any, see: Any, settings: Any, tmp_path: Path) -> None:
    (tmp_path / "checkpoint").mkdir()
    (tmp_path / "checkpoint" / "checkpoint.npz").write_bytes(b"PK\x03\x04 half a file")
    with pytest.raises(MappingError, match="damaged.*remove it"):
        map_robot(after(drive()), see, tmp_path, settings, robot="r")


def _without_array(arrays: dict[str, Any], _: dict[str, Any]) -> None:
    del arrays["0"]


def _without_tracks(_: dict[str, Any], header: dict[str, Any]) -> None:
    state = header["state"]
    header["state"] = json.loads(json.dumps(state).replace('"tracks"', '"trucks"'))


@pytest.mark.parametrize("harm", [_without_array, _without_tracks])
def test_a_checkpoint_that_lacks_a_part_says_so(
    harm: Any, drive: Any, see: Any, settings: Any, tmp_path: Path
) -> None:
    def source(done: Progress | None) -> Iterator[Any]:
        yield from after(drive()[:15])(done)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        map_robot(source, see, tmp_path, settings, robot="r")
    file = tmp_path / "checkpoint" / "checkpoint.npz"
    with np.load(file, allow_pickle=False) as loaded:
        arrays = dict(loaded)
    header = json.loads(arrays.pop("header").tobytes())
    harm(arrays, header)
    np.savez(file, header=np.frombuffer(json.dumps(header).encode(), np.uint8), **arrays)
    with pytest.raises(MappingError, match="damaged.*remove it"):
        map_robot(after(drive()), see, tmp_path, settings, robot="r")


# ---- bad input ----


def shifted(frame: Any, meters: float) -> Any:
    return replace(frame, T_odom_cam=from_xyz_yaw([0, meters, 0, 0]) @ frame.T_odom_cam)


def blind(frame: Any) -> Any:
    return replace(frame, depth_m=np.full_like(frame.depth_m, np.nan))


def test_frames_without_depth_give_a_path_only(drive: Any, see: Any) -> None:
    frames = drive()
    some = [blind(f) if 5 <= i < 12 else f for i, f in enumerate(frames)]
    mapper, result = mapped(some, see)
    assert result.metrics["counts"][Verdict.POSE_ONLY.value] == 7
    assert len(result.keyframes.poses) == len(frames)
    assert len(result.objects) == 2
    assert mapper.segments[-1].field.frames == len(frames) - 7


def test_no_depth_at_all_is_an_error(drive: Any, see: Any, tmp_path: Path) -> None:
    frames = [blind(f) for f in drive()]
    with pytest.raises(MappingError, match="no frame of robot 'r' has depth"):
        map_robot(after(frames), see, tmp_path, robot="r")
    with pytest.raises(MappingError, match="check the depth images and their units"):
        mapped(frames, see, MappingSettings(give_up_after=20))


def test_a_jump_of_the_odometry_cuts_the_map(drive: Any, see: Any, caplog: Any) -> None:
    frames = [shifted(f, 20.0) if i >= 15 else f for i, f in enumerate(drive())]
    _, result = mapped(frames, see)
    assert result.metrics["segments"] == 2
    assert "jumps by 20" in result.metrics["warnings"][0]
    assert any("jumps" in record.message for record in caplog.records)
    assert result.metrics["travel_m"] == pytest.approx(LENGTH_M - 0.4, rel=0.01)
    for name in ("places", "surface_places"):
        layer = result.graph.layers[name]
        segment = layer.columns["segment"]
        assert set(segment) == {0, 1}
        assert (segment[layer.edges.rows[:, 0]] == segment[layer.edges.rows[:, 1]]).all()
        assert len(set(layer.ids.tolist())) == len(layer)
    rows, _, _ = result.keyframes.edges()
    keys = [result.keyframes.segments[i] for i in result.keyframes.keys]
    assert all(keys[a] == keys[b] for a, b in rows)


def test_of_many_jumps_the_number_is_told_and_odometry_that_only_jumps_is_refused(
    drive: Any, see: Any
) -> None:
    frames = drive()
    often = [shifted(f, 20.0 * (i // 5)) for i, f in enumerate(frames)]
    _, result = mapped(often, see)
    cuts = (len(frames) - 1) // 5
    told = [line for line in result.metrics["warnings"] if "the map is cut" in line]
    assert len(told) == 4 and told[-1].startswith(f"the map is cut {cuts} times in all")
    millimeters = [shifted(f, 200.0 * i) for i, f in enumerate(frames)]
    with pytest.raises(MappingError, match="cut at 19 of its first 20 frames.*in meters"):
        mapped(millimeters, see)


def test_a_jump_to_far_away_goes_on_where_the_robot_began(drive: Any, see: Any) -> None:
    """A map is not as wide as a country, and no reader takes one that is."""
    frames = [shifted(f, 1e6) if i >= 15 else f for i, f in enumerate(drive())]
    _, result = mapped(frames, see)
    assert result.metrics["segments"] == 2
    assert "begins where the robot began" in result.metrics["warnings"][0]
    assert np.ptp(result.graph.layers["places"].positions, axis=0).max() < 100.0
    near = [shifted(f, 1e3) if i >= 15 else f for i, f in enumerate(drive())]
    _, plain = mapped(near, see)
    assert len(plain.graph.layers["places"]) == len(result.graph.layers["places"])


def test_upside_down_cameras_see_the_same(drive: Any, see: Any) -> None:
    _, upright = mapped(drive(), see)
    _, turned = mapped(drive(upside_down=True), see)
    assert len(turned.objects) == len(upright.objects) == 2
    np.testing.assert_allclose(
        np.sort(turned.objects.centroids, axis=0),
        np.sort(upright.objects.centroids, axis=0),
        atol=0.1,
    )
    for name in ("surface_places", "places"):
        a, b = (len(r.graph.layers[name]) for r in (upright, turned))
        assert 0.7 * a <= b <= 1.4 * a, name


def test_classical_segments_do_not_care_which_way_up(drive: Any) -> None:
    from commonground.mapping.perception import ClassicalPerception

    _, upright = mapped(drive(), ClassicalPerception())
    _, turned = mapped(drive(upside_down=True), ClassicalPerception())
    a, b = (r.graph.layers["surface_places"].columns["area_m2"].sum() for r in (upright, turned))
    assert a > 0.7 * 6.8 * LENGTH_M
    assert b == pytest.approx(a, rel=0.1)


def test_time_going_backwards_is_left_out(drive: Any, see: Any) -> None:
    frames = drive()
    again = [*frames[:15], *frames[10:13], *frames[15:]]
    _, result = mapped(again, see)
    assert result.metrics["counts"][Verdict.LATE.value] == 3
    _, straight = mapped(frames, see)
    np.testing.assert_array_equal(result.objects.centroids, straight.objects.centroids)
    backwards = [replace(f, stamp_ns=-f.stamp_ns) for f in frames]
    with pytest.raises(MappingError, match="time went back"):
        mapped(backwards, see, MappingSettings(give_up_after=10))


def test_poses_that_are_none_are_left_out(drive: Any, see: Any) -> None:
    frames = drive()
    broken = np.full((4, 4), np.nan)
    frames[7] = replace(frames[7], T_odom_cam=broken)
    _, result = mapped(frames, see)
    assert result.metrics["counts"][Verdict.BAD_POSE.value] == 1
    assert len(result.objects) == 2


def test_a_camera_that_falls_out_is_missed_not_fatal(drive: Any, see: Any) -> None:
    front, left = drive(camera="front"), drive(camera="left", turn=0.6)
    both = [f for pair in zip(front, left[:8], strict=False) for f in pair] + front[8:]
    _, result = mapped(both, see)
    assert len(result.objects) == 2
    (warning,) = result.metrics["warnings"]
    assert "left" in warning and "no frame" in warning
    _, whole = mapped([f for pair in zip(front, left, strict=True) for f in pair], see)
    assert whole.metrics["warnings"] == []


def test_an_image_size_may_change(drive: Any, see: Any) -> None:
    frames = drive()

    def halved(frame: Any) -> Any:
        K = frame.camera.K.copy()
        K[:2] /= 2
        K[:2, 2] -= 0.25
        camera = Camera(frame.camera.name, K, frame.camera.width // 2, frame.camera.height // 2)
        images = {
            n: np.ascontiguousarray(getattr(frame, n)[::2, ::2])
            for n in ("rgb", "depth_m", "instances", "labels")
        }
        return replace(frame, camera=camera, **images)

    _, result = mapped([halved(f) if i >= 15 else f for i, f in enumerate(frames)], see)
    assert len(result.objects) == 2
    assert "change from 160×120 to 80×60" in result.metrics["warnings"][0]


def test_a_full_disk_is_one_clear_line(drive: Any, see: Any, settings: Any, tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
    try:
        with pytest.raises(CommongroundError, match=r"cannot be written") as caught:
            map_robot(after(drive()), see, tmp_path, settings, robot="r")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "scene.json").exists()
    metrics = map_robot(after(drive()), see, tmp_path, settings, robot="r")
    assert metrics["nodes"]["objects"] == 2


def test_a_map_of_free_space_without_ground_is_told(drive: Any, see: Any) -> None:
    """In the world of a camera, y is down, and what is below is a wall."""
    T_cam_world = np.array([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]], float)
    frames = [replace(f, T_odom_cam=T_cam_world @ f.T_odom_cam) for f in drive()]
    for k, frame in enumerate(frames):
        frame.T_odom_cam[0, 3] += 0.6 * k
    _, result = mapped(frames, see)
    assert result.metrics["nodes"]["places"] > 0 and result.metrics["travel_m"] > 10
    assert any("no ground was found" in line for line in result.metrics["warnings"])


def test_a_map_without_ground_and_space_is_told(drive: Any, see: Any) -> None:
    frames = [
        replace(f, depth_m=np.float32(0.02) * f.depth_m, T_odom_cam=f.T_odom_cam.copy())
        for f in drive()
    ]
    for k, frame in enumerate(frames):
        frame.T_odom_cam[0, 3] += 0.5 * k
    _, result = mapped(frames, see)
    assert result.metrics["nodes"]["places"] == 0
    assert any("no ground and no free space" in line for line in result.metrics["warnings"])
