"""7-Scenes and TUM RGB-D folders: made ones that must come back exactly, and a real part of 7-Scenes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import yaml

from commonground.datasets import Health, Reader, Simulation, open_dataset
from commonground.datasets.images import encode, to_millimeters
from commonground.errors import DataError
from commonground.frame import Frame
from commonground.geometry import exp_so3, inverse, is_rigid, quat_xyzw, transform
from commonground.tum import read_tum, stamp_ns, write_tum


@pytest.fixture(scope="module")
def seen(drive: Simulation) -> list[Frame]:
    return list(drive.frames("husky"))


@pytest.fixture
def scenes(tmp_path: Path, seen: list[Frame]) -> Path:
    """The frames as a 7-Scenes folder whose world is the first camera, leaning."""
    lean = transform(exp_so3([0.12, 0.05, -0.08]), [0.3, -0.2, 0.1])
    T0 = inverse(seen[0].T_world_cam)
    for k, frame in enumerate(seen):
        name = tmp_path / f"frame-{3 * k:06d}"
        Path(f"{name}.color.png").write_bytes(encode(frame.rgb, "png"))
        Path(f"{name}.depth.png").write_bytes(encode(to_millimeters(frame.depth_m), "png"))
        np.savetxt(f"{name}.pose.txt", lean @ T0 @ frame.T_world_cam)
    np.savetxt(tmp_path / "camera-intrinsics.txt", seen[0].camera.K)
    return tmp_path


def test_seven_scenes_come_back_as_they_were(scenes: Path, seen: list[Frame]) -> None:
    reader = open_dataset(scenes)
    assert isinstance(reader, Reader)
    assert reader.format == "7-scenes"
    assert reader.robots() == ("kinect",)
    frames = list(reader.frames("kinect"))
    assert len(frames) == len(seen)
    for a, b in zip(frames, seen, strict=True):
        assert np.array_equal(a.rgb, b.rgb)
        assert np.nanmax(np.abs(a.depth_m - b.depth_m)) < 5.1e-4
        moved = inverse(frames[0].T_odom_cam) @ a.T_odom_cam
        assert np.allclose(moved, inverse(seen[0].T_world_cam) @ b.T_world_cam, atol=1e-6)
    assert frames[1].stamp_ns - frames[0].stamp_ns == pytest.approx(
        1e8, abs=1
    )  # three frames at 30 Hz
    assert np.allclose(frames[0].camera.K, seen[0].camera.K)
    assert "depth is in millimeters" in " ".join(reader.notes)


def test_up_is_found_from_floors_and_walls(scenes: Path, seen: list[Frame]) -> None:
    frames = list(open_dataset(scenes).frames("kinect"))
    up_true = seen[0].T_world_cam[:3, :3].T @ [0, 0, 1]
    up_found = frames[0].T_odom_cam[:3, :3].T @ [0, 0, 1]
    assert np.rad2deg(np.arccos(up_true @ up_found)) < 2.5


def test_sequences_below_a_folder_are_robots(scenes: Path) -> None:
    for name in ("seq-01", "seq-02"):
        (scenes / name).mkdir()
        for file in scenes.glob("frame-*"):
            shutil.copy(file, scenes / name)
    for file in scenes.glob("frame-*"):
        file.unlink()
    reader = open_dataset(scenes)
    assert reader.robots() == ("seq_01", "seq_02")
    assert next(reader.frames("seq_02")).robot == "seq_02"


def test_bad_seven_scenes_frames_are_skipped(scenes: Path, seen: list[Frame]) -> None:
    poses = sorted(scenes.glob("*.pose.txt"))
    poses[1].write_text("nan " * 16)
    poses[3].write_text("2 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1")
    poses[5].unlink()
    depth = sorted(scenes.glob("*.depth.png"))
    cv2.imwrite(str(depth[6]), np.zeros((10, 10, 3), np.uint8))
    reader = open_dataset(scenes, health=Health(max_share=0.5))
    frames = list(reader.frames("kinect"))
    assert len(frames) == len(seen) - 4
    assert reader.health.reasons["no pose is known for this instant"] == 3
    for file in poses[2:]:
        file.unlink(missing_ok=True)
    poses[0].write_text("0")
    with pytest.raises(DataError, match="none of the .* pose files"):
        open_dataset(scenes)


def test_the_kinects_mark_for_nothing_is_not_65_meters(scenes: Path) -> None:
    file = sorted(scenes.glob("*.depth.png"))[0]
    image = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
    image[:40] = 65535
    cv2.imwrite(str(file), image)
    frame = next(open_dataset(scenes).frames("kinect"))
    assert np.isnan(frame.depth_m[:40]).all()


def test_how_the_map_is_turned_against_the_poses_is_told(scenes: Path) -> None:
    notes = open_dataset(scenes).notes
    assert any("frame is that of the poses turned by" in note for note in notes)
    assert not any(note.startswith(scenes.name) for note in notes), (
        "who lists them names the folder"
    )


def test_the_real_part_of_seven_scenes(shared: Path) -> None:
    place = shared / "data" / "seven_scenes_part"
    if not place.is_dir():
        pytest.skip("no real frames beside this checkout")
    reader = open_dataset(place)
    frames = list(reader.frames("kinect", stride=10))
    assert reader.length("kinect") == 150
    assert len(frames) == 15
    assert reader.health.skipped == 0
    heights = []
    for frame in frames:
        assert frame.rgb.shape == (480, 640, 3)
        assert 0.8 < np.nanmedian(frame.depth_m) < 4
        assert is_rigid(frame.T_odom_cam)
        points = frame.points_cam(6).reshape(-1, 3)
        points = points[np.isfinite(points).all(axis=1)] @ frame.T_odom_cam[:3, :3].T
        heights.append(points[:, 2] + frame.T_odom_cam[2, 3])
    # a level floor or desk fills a few thin slices of height
    slices = np.bincount(((np.concatenate(heights) + 5) / 0.05).astype(int))
    assert np.sort(slices)[-3:].sum() > 0.25 * slices.sum()


# ---- TUM RGB-D ----


@pytest.fixture
def tum(tmp_path: Path, seen: list[Frame]) -> Path:
    folder = tmp_path / "rgbd_dataset_freiburg2_made"
    (folder / "rgb").mkdir(parents=True)
    (folder / "depth").mkdir()
    lists: dict[str, list[str]] = {"rgb": ["# color images"], "depth": ["# depth maps"]}
    for frame in seen:
        for kind, later in (("rgb", 0), ("depth", 9_000_000)):
            stamp = frame.stamp_ns + later
            text = f"{stamp // 10**9}.{stamp % 10**9 // 1000:06d}"
            image = (
                frame.rgb
                if kind == "rgb"
                else np.nan_to_num(frame.depth_m * 5000).astype(np.uint16)
            )
            (folder / kind / f"{text}.png").write_bytes(encode(image, "png"))
            lists[kind].append(f"{text} {kind}/{text}.png")
    for kind, lines in lists.items():
        (folder / f"{kind}.txt").write_text("\n".join(lines) + "\n")
    rows = [
        " ".join(
            [
                f"{f.stamp_ns / 1e9:.4f}",
                *(f"{v:.6f}" for v in (*f.T_world_cam[:3, 3], *quat_xyzw(f.T_world_cam))),
            ]
        )
        for f in seen
    ]
    (folder / "groundtruth.txt").write_text("\n".join(["# ground truth", *rows]) + "\n")
    return folder


def test_tum_folders_come_back_as_they_were(tum: Path, seen: list[Frame]) -> None:
    reader = open_dataset(tum)
    assert reader.format == "tum-rgbd"
    frames = list(reader.frames("kinect"))
    assert len(frames) == len(seen)
    for a, b in zip(frames, seen, strict=True):
        assert abs(a.stamp_ns - b.stamp_ns) < 1000
        assert np.array_equal(a.rgb, b.rgb)
        assert np.nanmax(np.abs(a.depth_m - b.depth_m)) < 3e-4
        assert np.allclose(a.T_odom_cam, b.T_world_cam, atol=1e-3)
    share = frames[0].camera.width / 640
    assert frames[0].camera.K[0, 0] == pytest.approx(520.9 * share)
    assert frames[0].camera.K[0, 2] == pytest.approx((325.1 + 0.5) * share - 0.5)
    assert "published intrinsics of freiburg2" in reader.notes


def camera_file(frame: Frame, **more: object) -> dict[str, Any]:
    (fx, _, cx), (_, fy, cy), _ = frame.camera.K.tolist()
    size = {"width": frame.camera.width, "height": frame.camera.height}
    mount = transform(np.array([[0.0, 0, 1], [-1, 0, 0], [0, -1, 0]]), np.zeros(3)).tolist()
    return {**size, "K": [fx, fy, cx, cy], "T_robot_cam": mount, **more}


def in_millimeters(tum: Path) -> None:
    for file in (tum / "depth").glob("*.png"):
        image = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
        cv2.imwrite(str(file), np.rint(image / 5.0).astype(np.uint16))


def test_the_unit_of_depth_shows_in_how_images_fit_the_poses(tum: Path, seen: list[Frame]) -> None:
    (tum / "cameras.yaml").write_text(yaml.safe_dump({"front": camera_file(seen[0])}))
    right = next(open_dataset(tum).frames("kinect")).depth_m
    in_millimeters(tum)
    reader = open_dataset(tum)
    assert np.nanmax(np.abs(next(reader.frames("kinect")).depth_m - right)) < 2e-3
    assert any("depth is in millimeters" in note for note in reader.notes)


def test_intrinsics_of_another_camera_do_not_make_another_unit(
    tum: Path, seen: list[Frame]
) -> None:
    wrong = camera_file(seen[0]) | {"K": [2 * k for k in camera_file(seen[0])["K"]]}
    (tum / "cameras.yaml").write_text(yaml.safe_dump({"front": wrong}))
    assert any("1/5000 m" in note for note in open_dataset(tum).notes)


def test_a_stated_unit_of_depth_is_taken_as_it_is(tum: Path, seen: list[Frame]) -> None:
    right = next(open_dataset(tum).frames("kinect")).depth_m
    stated = {"depth_units_per_meter": 2500, "front": camera_file(seen[0])}
    (tum / "cameras.yaml").write_text(yaml.safe_dump(stated))
    reader = open_dataset(tum)
    assert np.nanmax(np.abs(next(reader.frames("kinect")).depth_m - 2 * right)) < 1e-5
    assert any("1/2500 m, as cameras.yaml states" in note for note in reader.notes)
    stated["depth_units_per_meter"] = -1
    (tum / "cameras.yaml").write_text(yaml.safe_dump(stated))
    with pytest.raises(DataError, match="depth_units_per_meter"):
        open_dataset(tum)


def test_lens_distortion_is_taken_out_of_all_images(tum: Path, seen: list[Frame]) -> None:
    coefficients = [-0.28, 0.07, 0.0, 0.0, 0.0]
    K, size = seen[0].camera.K, (seen[0].camera.width, seen[0].camera.height)
    v, u = np.mgrid[: size[1], : size[0]].astype(np.float64)
    pixels = np.stack([u, v], axis=-1).reshape(-1, 1, 2)
    straight = cv2.undistortPoints(pixels, K, np.array(coefficients), P=K).astype(np.float32)
    maps = straight.reshape(size[1], size[0], 2)
    for folder, how in (("rgb", cv2.INTER_LINEAR), ("depth", cv2.INTER_NEAREST)):
        for file in (tum / folder).glob("*.png"):
            image = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
            cv2.imwrite(str(file), cv2.remap(image, maps[..., 0], maps[..., 1], how))

    def off(**lens: object) -> float:
        entry = {"front": camera_file(seen[0], **lens)}
        (tum / "cameras.yaml").write_text(yaml.safe_dump(entry))
        frame = next(open_dataset(tum).frames("kinect"))
        inner = slice(size[1] // 8, -size[1] // 8), slice(size[0] // 8, -size[0] // 8)
        return float(np.nanmean(np.abs(frame.depth_m - seen[0].depth_m)[inner] > 0.1))

    assert off(distortion=coefficients) < 0.4 * off()
    assert off(distortion=coefficients, distortion_model="radtan") < 0.4 * off()
    with pytest.raises(DataError, match=r"distortion out of the images first|four coefficients"):
        off(distortion=coefficients, distortion_model="omni")
    with pytest.raises(DataError, match="4, 5, 8, 12 or 14"):
        off(distortion=coefficients[:3])


def test_depth_as_large_as_can_be_is_none(tum: Path) -> None:
    file = sorted((tum / "depth").glob("*.png"))[0]
    image = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
    image[:, :6] = 65535
    cv2.imwrite(str(file), image)
    assert np.isnan(next(open_dataset(tum).frames("kinect")).depth_m[:, :6]).all()


def test_a_world_on_its_side_is_turned_and_told(tum: Path) -> None:
    before = [f.T_odom_cam for f in open_dataset(tum).frames("kinect")]
    assert not any("up is not z" in note for note in open_dataset(tum).notes)
    file = tum / "groundtruth.txt"
    rows = [line.split() for line in file.read_text().splitlines()[1:]]
    aside = transform(np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]), np.zeros(3)).T
    poses = [aside @ T for T in before]
    lines = [
        " ".join([row[0], *(f"{v:.6f}" for v in (*T[:3, 3], *quat_xyzw(T)))])
        for row, T in zip(rows, poses, strict=True)
    ]
    file.write_text("\n".join(lines) + "\n")
    reader = open_dataset(tum)
    assert any("up is not z" in note for note in reader.notes)
    for T, frame in zip(before, reader.frames("kinect"), strict=True):
        np.testing.assert_allclose(frame.T_odom_cam[2, :3], T[2, :3], atol=0.05)


def test_tum_images_that_do_not_fit_in_time_are_left_out(tum: Path, seen: list[Frame]) -> None:
    lines = (tum / "depth.txt").read_text().splitlines()
    (tum / "depth.txt").write_text("\n".join(lines[:4] + lines[6:]) + "\n")
    reader = open_dataset(tum)
    assert reader.length("kinect") == len(seen) - 2
    assert "2 color images have no depth in time" in reader.notes
    (tum / "depth.txt").write_text("1.0 depth/none.png\n")
    with pytest.raises(DataError, match="within 20 ms"):
        open_dataset(tum)


def test_tum_lists_and_poses_that_are_damaged_are_named(tum: Path) -> None:
    (tum / "rgb.txt").write_text("12.5 rgb/a.png\nnonsense\n")
    with pytest.raises(DataError, match=r"rgb\.txt:2"):
        open_dataset(tum)
    (tum / "groundtruth.txt").unlink()
    (tum / "rgb.txt").write_text((tum / "depth.txt").read_text())
    with pytest.raises(DataError, match=r"groundtruth\.txt"):
        open_dataset(tum)


# ---- trajectories ----


def test_tum_stamps_keep_every_nanosecond(tmp_path: Path, drive: Simulation) -> None:
    path = drive.trajectory("spot")
    write_tum(tmp_path / "t.tum", path.stamps_ns, path.T_odom_robot)
    stamps, T = read_tum(tmp_path / "t.tum")
    assert np.array_equal(stamps, path.stamps_ns)
    assert np.abs(T - path.T_odom_robot).max() < 1e-8


@pytest.mark.parametrize(
    ("text", "ns"),
    [
        ("1", 10**9),
        ("1.5", 1_500_000_000),
        ("1305031102.175304", 1305031102175304000),
        ("0.000000001", 1),
        ("1e1", 10**10),
        ("-1.5", -1_500_000_000),
    ],
)
def test_stamps_are_exact(text: str, ns: int) -> None:
    assert stamp_ns(text) == ns


def test_poses_between_two_are_on_the_way() -> None:
    from commonground.datasets import Trajectory

    T = np.stack([np.eye(4), transform(exp_so3([0, 0, 1.0]), [2, 0, 0])])
    path = Trajectory(np.array([0, 10**9]), T)
    middle = path.odom_at([5 * 10**8])[0]
    assert np.allclose(middle[:3, 3], [1, 0, 0])
    assert np.allclose(middle[:3, :3], exp_so3([0, 0, 0.5]))
    assert np.allclose(path.odom_at([-5, 2 * 10**9]), T)
    assert path.covers(3 * 10**8, 1.0)
    assert not path.covers(3 * 10**8, 0.5)
    assert not path.covers(3 * 10**9, 0.5)
