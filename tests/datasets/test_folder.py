"""The dataset folder: written, read back, resumed, and what it says when something is wrong."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml

from commonground.datasets import Health, Reader, Simulation, SimulationSettings, open_dataset
from commonground.datasets.folder import write_folder
from commonground.errors import CommongroundError, DataError
from commonground.tum import read_tum, write_tum


def digest(folder: Path) -> dict[str, str]:
    return {
        str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder, tmp_path / "copy"))


def test_what_is_read_is_what_was_seen(drive: Simulation, folder: Path) -> None:
    reader = open_dataset(folder)
    assert isinstance(reader, Reader)
    assert reader.format == "folder"
    assert reader.robots() == drive.robots()
    for robot in reader.robots():
        pairs = list(zip(drive.frames(robot), reader.frames(robot), strict=True))
        assert len(pairs) == reader.length(robot) == drive.length(robot)
        for a, b in pairs:
            assert (a.stamp_ns, a.camera.name) == (b.stamp_ns, b.camera.name)
            assert np.array_equal(a.camera.K, b.camera.K)
            assert np.array_equal(np.isnan(a.depth_m), np.isnan(b.depth_m))
            assert np.nanmax(np.abs(a.depth_m - b.depth_m)) < 5.1e-4  # half a millimeter
            assert np.array_equal(a.instances, b.instances)
            assert np.array_equal(a.labels, b.labels)
            assert np.abs(a.T_odom_cam - b.T_odom_cam).max() < 1e-7
            assert np.abs(a.T_world_cam - b.T_world_cam).max() < 1e-7
            assert np.abs(a.rgb.astype(int) - b.rgb).mean() < 8  # JPEG
    assert dict(reader.labels()) == dict(drive.labels())
    truth = reader.truth()
    assert truth is not None
    assert len(truth.objects) == len(drive.world.things)


def test_frames_whose_images_are_not_wanted_are_there_with_their_poses(
    drive: Simulation, folder: Path
) -> None:
    for reader in (drive, open_dataset(folder)):
        asked = iter([True, False] * 10_000)
        whole = list(reader.frames("husky", stop_s=1.0))
        given = list(reader.frames("husky", stop_s=1.0, images=lambda asked=asked: next(asked)))
        assert len(given) == len(whole) > 2
        for k, (one, two) in enumerate(zip(given, whole, strict=True)):
            assert (one.stamp_ns, one.camera.name) == (two.stamp_ns, two.camera.name)
            np.testing.assert_array_equal(one.T_odom_cam, two.T_odom_cam)
            assert np.isfinite(one.depth_m).any() == (k % 2 == 0)


def test_ordinary_tools_read_it(folder: Path) -> None:
    depth = cv2.imread(str(next(folder.glob("husky/forward/depth/*.png"))), cv2.IMREAD_UNCHANGED)
    assert depth.dtype == np.uint16
    assert 300 < np.median(depth[depth > 0]) < 10_000
    assert cv2.imread(str(next(folder.glob("spot/left/rgb/*.jpg")))).shape == (120, 160, 3)
    poses = np.loadtxt(folder / "spot" / "odometry.tum")
    assert poses.shape[1] == 8
    assert (
        yaml.safe_load((folder / "husky" / "cameras.yaml").read_text())["forward"]["width"] == 160
    )


def test_writing_again_gives_the_same_bytes(
    drive: Simulation, folder: Path, tmp_path: Path
) -> None:
    assert digest(write_folder(drive, tmp_path / "again")) == digest(folder)


def test_parallel_writing_gives_the_same_bytes(
    small_settings: SimulationSettings, folder: Path, tmp_path: Path
) -> None:
    simulation = Simulation(("husky", "spot"), small_settings)
    assert digest(write_folder(simulation, tmp_path / "parallel", jobs=2)) == digest(folder)


def test_a_stopped_run_goes_on_where_it_was(drive: Simulation, folder: Path, copy: Path) -> None:
    images = sorted(copy.glob("spot/*/rgb/*.jpg"))
    for path in images[::2]:
        path.unlink()
    kept = images[1].stat().st_mtime_ns
    assert "simulate again" in " ".join(open_dataset(copy).notes)
    write_folder(drive, copy)
    assert digest(copy) == digest(folder)
    assert images[1].stat().st_mtime_ns == kept
    assert not open_dataset(copy).notes


def test_other_settings_do_not_mix_into_a_folder(
    drive: Simulation, copy: Path, tmp_path: Path
) -> None:
    other = Simulation(("husky",), drive.settings, world=drive.world)
    with pytest.raises(DataError, match="other settings"):
        write_folder(other, copy)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    with pytest.raises(DataError, match="not empty"):
        write_folder(drive, tmp_path / "full")


@pytest.mark.parametrize(
    ("start", "stop", "stride"), [(0, None, 1), (2.1, 5.0, 1), (1, None, 3), (90, None, 1)]
)
def test_frames_are_found_by_time_and_stride(
    folder: Path, start: float, stop: float | None, stride: int
) -> None:
    reader = open_dataset(folder)
    stamps = reader.stamps_ns("spot")
    seconds = (stamps - stamps[0]) / 1e9
    wanted = stamps[(seconds >= start) & (seconds <= (stop or 1e9))][::stride]
    got = [
        f.stamp_ns
        for f in reader.frames("spot", start_s=start, stop_s=stop, stride=stride, cameras=["front"])
    ]
    assert got == wanted.tolist()


# ---- bad input ----


def test_broken_frames_are_skipped_and_counted(copy: Path) -> None:
    images = sorted(copy.glob("spot/front/rgb/*.jpg"))
    images[1].write_bytes(b"")
    images[3].write_bytes(images[3].read_bytes()[:200])
    sorted(copy.glob("spot/left/depth/*.png"))[2].unlink()
    reader = open_dataset(copy)
    total = reader.length("spot")
    frames = list(reader.frames("spot"))
    assert reader.health.skipped == total - len(frames) >= 2
    assert "zero bytes" in reader.health.first
    assert str(images[1]) in reader.health.first
    assert f"of {total} frames" in reader.health.summary()


def test_too_many_broken_frames_stop_it_with_the_first_file(copy: Path) -> None:
    images = sorted(copy.glob("spot/*/rgb/*.jpg"))
    for path in images:
        path.write_bytes(b"")
    reader = open_dataset(copy, health=Health(max_share=0.3))
    with pytest.raises(
        DataError, match=r"of 20 frames are broken, more than 30%.*zero bytes"
    ) as caught:
        list(reader.frames("spot"))
    assert ".jpg" in str(caught.value)


def test_images_of_another_size_are_told(copy: Path) -> None:
    path = sorted(copy.glob("husky/forward/depth/*.png"))[2]
    cv2.imwrite(str(path), np.ones((60, 80), np.uint16))
    reader = open_dataset(copy)
    list(reader.frames("husky"))
    assert "the image is 80×60, the camera 160×120" in reader.health.first


def test_a_gap_in_the_odometry_leaves_frames_without_pose_out(copy: Path) -> None:
    file = copy / "husky" / "odometry.tum"
    lines = file.read_text().splitlines()
    file.write_text("\n".join(lines[:40] + lines[80:]) + "\n")
    reader = open_dataset(copy, health=Health(max_share=0.9))
    frames = list(reader.frames("husky"))
    assert 0 < len(frames) < reader.length("husky")
    assert "no pose is known" in reader.health.first


def test_bad_poses_in_the_file_are_left_out_or_named(copy: Path) -> None:
    file = copy / "husky" / "odometry.tum"
    lines = file.read_text().splitlines()
    lines[30] = lines[30].split()[0] + " nan nan nan 0 0 0 1"
    lines[31] = lines[31].split()[0] + " 0 0 0 0 0 0 0"
    file.write_text("\n".join(lines))
    assert len(list(open_dataset(copy).frames("husky"))) == open_dataset(copy).length("husky")
    file.write_text("\n".join([*lines[:20], "12.5 one two three"]))
    with pytest.raises(DataError, match=r"odometry.tum:21: a pose is 'stamp x y z qx qy qz qw'"):
        open_dataset(copy).trajectory("husky")
    others = [name for name in open_dataset(copy).robots() if name != "husky"]
    assert others and all(len(open_dataset(copy).trajectory(name)) for name in others)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("dataset.yaml", "schema_version: 9\nrobots: {}\n", "schema 9"),
        ("dataset.yaml", "robots: [", "dataset.yaml"),
        ("dataset.yaml", "schema_version: 1\nrobotz: {}\n", "robotz"),
        ("husky/cameras.yaml", "forward: {width: 160}\n", "height"),
        ("husky/cameras.yaml", "", "cameras.yaml"),
        (
            "husky/cameras.yaml",
            "forward: {width: 1, height: 1, K: [1, 1, 0, 0], T_robot_cam: [[1]]}\n",
            "4×4",
        ),
        (
            "husky/cameras.yaml",
            "forward: {width: 9, height: 9, K: [9, 9, 4, 4], T_robot_cam: "
            "[[0, 0, 1, 200], [-1, 0, 0, 0], [0, -1, 0, 600], [0, 0, 0, 1]]}\n",
            "is 632 m away; is it in meters",
        ),
        ("husky/odometry.tum", "", "no poses"),
    ],
)
def test_damaged_files_are_named(copy: Path, file: str, text: str, message: str) -> None:
    (copy / file).write_text(text)
    with pytest.raises(CommongroundError) as caught:
        list(open_dataset(copy).frames("husky"))
    assert message in str(caught.value)
    assert Path(file).name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_path_that_is_no_dataset_is_told(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(DataError, match="no dataset of a known format"):
        open_dataset(tmp_path)
    with pytest.raises(DataError, match="Did you mean 'folder'"):
        open_dataset(folder.parent / "foldr")


def test_a_unit_of_depth_that_nothing_states_is_judged(copy: Path) -> None:
    file = copy / "dataset.yaml"
    content = yaml.safe_load(file.read_text())
    del content["depth_units_per_meter"]
    file.write_text(yaml.safe_dump(content))
    before = next(open_dataset(copy).frames("husky")).depth_m
    assert any("husky: depth is in millimeters" in note for note in open_dataset(copy).notes)
    cameras = copy / "husky" / "cameras.yaml"
    cameras.write_text(f"depth_units_per_meter: 500\n{cameras.read_text()}")
    stated = next(open_dataset(copy).frames("husky")).depth_m
    np.testing.assert_allclose(stated, 2 * before)
    shutil.rmtree(copy / "husky" / "forward")  # a recording that has not begun
    assert open_dataset(copy).length("husky") == 0
    cameras.write_text(cameras.read_text().partition("\n")[2])
    assert any("husky: no depth was found" in note for note in open_dataset(copy).notes)


def test_a_robot_that_is_not_there_leaves_the_others(copy: Path) -> None:
    file = copy / "dataset.yaml"
    content = yaml.safe_load(file.read_text())
    content["robots"]["ghost"] = 3
    file.write_text(yaml.safe_dump(content))
    reader = open_dataset(copy)
    assert len(list(reader.frames("husky"))) == reader.length("husky") > 0
    with pytest.raises(DataError, match="ghost"):
        reader.length("ghost")


def test_images_that_are_not_named_by_their_stamps_are_told(copy: Path) -> None:
    images = sorted((copy / "husky" / "forward" / "rgb").iterdir())
    images[0].rename(images[0].with_name("1700000000.5.jpg"))
    assert any("1 names are no stamps" in note for note in open_dataset(copy).notes)
    for k, file in enumerate(images[1:]):
        file.rename(file.with_name(f"1700000001.{k:09d}.jpg"))
    with pytest.raises(DataError, match=r"whole nanoseconds, such as '1700000000\.5\.jpg'"):
        open_dataset(copy).length("husky")
    assert open_dataset(copy).length("spot") > 0


def test_poses_of_another_clock_are_told_with_their_times(copy: Path) -> None:
    file = copy / "husky" / "odometry.tum"
    stamps, T = read_tum(file)
    write_tum(file, stamps + 3600 * 10**9, T)
    (copy / "husky" / "groundtruth.tum").unlink()
    reader = open_dataset(copy, health=Health(max_share=1.0))
    assert not list(reader.frames("husky"))
    assert f"poses are from {stamps[0] / 1e9 + 3600:.3f} to" in reader.health.summary()


def test_two_poses_at_one_stamp_are_counted_where_they_differ(copy: Path) -> None:
    file = copy / "husky" / "odometry.tum"
    _, T = read_tum(file)
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines, *lines]))
    notes = open_dataset(copy).notes
    assert not any("differ" in note for note in notes)
    x = [line.split() for line in lines[1:4]]
    moved = [" ".join([w[0], str(float(w[1]) + 2), *w[2:]]) for w in x]
    file.write_text("\n".join([*lines, *moved]))
    reader = open_dataset(copy)
    assert any("odometry.tum: 3 stamps have poses that differ" in note for note in reader.notes)
    assert np.allclose(reader.trajectory("husky").T_odom_robot, T)


def test_tables_of_poses_of_another_form_are_not_taken_for_them(tmp_path: Path) -> None:
    file = tmp_path / "poses.tum"
    file.write_text("1 0 0 5 0 1 0 0 0 0 1 0\n")
    with pytest.raises(DataError, match="of 12 columns"):
        read_tum(file)
    file.write_text("1700000000000.0 0 0 5 0 0 0 1\n")
    with pytest.raises(DataError, match="milliseconds, that is 1700000000.000"):
        read_tum(file)
