"""Reader of TUM RGB-D folders: ``rgb.txt``, ``depth.txt``, ``groundtruth.txt``, images beside them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.datasets.depth_units import depth_unit_of
from commonground.datasets.health import Health
from commonground.datasets.readers.files import (
    FileReader,
    Recording,
    Shot,
    image_size,
    intrinsics_of,
)
from commonground.datasets.readers.folder import UNIT, CamerasFile, read_cameras
from commonground.datasets.readers.upright import leveled
from commonground.datasets.simulator.robots import R_BODY_OPTICAL
from commonground.datasets.trajectory import Trajectory, poses_at
from commonground.errors import DataError
from commonground.frame import Camera
from commonground.geometry import inverse, transform
from commonground.names import NameProblem, below, within
from commonground.reading import read_text
from commonground.tum import check_unit, read_tum, stamp_ns

TOLERANCE_NS = 20_000_000
"""Color and depth further apart than this are not of one instant."""
DEPTH_UNIT = 5000.0
INTRINSICS = {
    "freiburg1": (517.3, 516.5, 318.6, 255.3),
    "freiburg2": (520.9, 521.0, 325.1, 249.7),
    "freiburg3": (535.4, 539.2, 320.1, 247.6),
}
"""Published color intrinsics of the three sensors, for 640×480 pixels."""
ROS_DEFAULT = (525.0, 525.0, 319.5, 239.5)
CAMERA = "rgb"
ROBOT = "kinect"


def recognizes(path: Path) -> bool:
    """Return whether a path is such a folder."""
    return (path / "rgb.txt").is_file() and (path / "depth.txt").is_file()


def open_tum(path: Path, health: Health | None = None) -> FileReader:
    """Return the reader of a TUM RGB-D sequence."""
    colors, depths = _list(path, "rgb.txt"), _list(path, "depth.txt")
    shots = _paired(colors, depths)
    if not shots:
        raise DataError(
            f"{path}: no color image has a depth image within {TOLERANCE_NS / 1e6:g} ms; "
            "are rgb.txt and depth.txt of one recording?"
        )
    given, note = _camera(path, shots)
    mount, unit = given.mounts[CAMERA], given.depth_unit
    notes = [note]
    trajectory = _trajectory(path, mount, notes)
    if unit is None:
        poses = trajectory.odom_at([shot.stamp_ns for shot in shots]) @ mount
        unit, found = depth_unit_of(given.lens(CAMERA), poses, shots, DEPTH_UNIT)
        notes.append(f"{found}; {UNIT} in cameras.yaml states another")
    else:
        notes.append(f"depth is in units of 1/{unit:g} m, as cameras.yaml states")
    trajectory, turned = leveled(trajectory, mount, given.cameras[CAMERA], shots, unit)
    notes.extend(filter(None, [turned]))
    recording = Recording(given.cameras, given.mounts, trajectory, shots, unit, lenses=given.lenses)
    if len(shots) < len(colors[0]):
        notes.append(f"{len(colors[0]) - len(shots)} color images have no depth in time")
    return FileReader(path, "tum-rgbd", {ROBOT: recording}, health=health, notes=notes)


def _list(path: Path, name: str) -> tuple[Ints, list[Path]]:
    """Return stamps (n,) and files of a list, in time order."""
    rows: list[tuple[int, Path]] = []
    file = within(path, name)
    for number, line in enumerate(read_text(file, errors="replace").splitlines(), start=1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            rows.append((stamp_ns(words[0]), below(path, words[1])))
        except NameProblem as error:
            raise DataError(f"{file}:{number}: {error}") from error
        except (ValueError, IndexError) as error:
            check_unit(file, number, words[0])
            raise DataError(f"{file}:{number}: a line is 'stamp file'") from error
    rows = sorted({*rows})  # a line that is there twice says nothing new
    return np.array([stamp for stamp, _ in rows], np.int64), [file for _, file in rows]


def _paired(colors: tuple[Ints, list[Path]], depths: tuple[Ints, list[Path]]) -> list[Shot]:
    """Return the shots: each color image with the nearest depth image, none used twice."""
    shots, used = [], -1
    for stamp, file in zip(colors[0].tolist(), colors[1], strict=True):
        k = _nearest(depths[0], stamp)
        if k > used and abs(int(depths[0][k]) - stamp) <= TOLERANCE_NS:
            shots.append(Shot(stamp, CAMERA, file, depths[1][k]))
            used = k
    return shots


def _nearest(stamps: Ints, wanted: int) -> int:
    if len(stamps) == 0:
        return -1
    k = int(np.clip(np.searchsorted(stamps, wanted), 1, max(1, len(stamps) - 1)))
    if len(stamps) == 1:
        return 0
    return k if stamps[k] - wanted < wanted - stamps[k - 1] else k - 1


def _camera(path: Path, shots: list[Shot]) -> tuple[CamerasFile, str]:
    """Return the camera, and where its intrinsics come from."""
    own = path / "cameras.yaml"
    if own.is_file():
        given = read_cameras(own)
        name, c = next(iter(given.cameras.items()))
        camera = Camera(CAMERA, c.K, c.width, c.height)
        lens = given.lenses.get(name)
        lenses = {} if lens is None else {CAMERA: replace(lens, camera=camera)}
        note = f"camera from {own.name}"
        return CamerasFile(
            {CAMERA: camera}, {CAMERA: given.mounts[name]}, lenses, given.depth_unit
        ), note
    height, width = image_size(shots)
    sensor = re.search(r"freiburg[123]|fr[123](?=[_/])", path.resolve().as_posix())
    name = sensor[0].replace("fr", "freiburg") if sensor and len(sensor[0]) == 3 else ""
    name = name or (sensor[0] if sensor else "")
    K = intrinsics_of(INTRINSICS.get(name, ROS_DEFAULT), width, height)
    note = (
        f"published intrinsics of {name}"
        if name
        else f"intrinsics guessed ({K[0, 0]:g} px for {width}×{height}); cameras.yaml states them"
    )
    mount = transform(R_BODY_OPTICAL, np.zeros(3))
    return CamerasFile({CAMERA: Camera(CAMERA, K, width, height)}, {CAMERA: mount}, {}, None), note


def _trajectory(path: Path, mount: Floats, notes: list[str]) -> Trajectory:
    """Return robot poses; ``odometry.txt`` beside the ground truth is taken as odometry."""
    truth, odometry = path / "groundtruth.txt", path / "odometry.txt"
    if not truth.is_file() and not odometry.is_file():
        raise DataError(f"{path}: no groundtruth.txt or odometry.txt; poses are needed")
    own = odometry if odometry.is_file() else truth
    stamps, T_cam = read_tum(own, told=notes.append)
    T = T_cam @ inverse(mount)
    if not truth.is_file():
        return Trajectory(stamps, T)
    same = own == truth
    true_stamps, T_true = (stamps, T_cam) if same else read_tum(truth, told=notes.append)
    return Trajectory(stamps, T, poses_at(true_stamps, T_true @ inverse(mount), stamps))
