"""Reader of the dataset folder that ``commonground simulate`` writes; docs/formats.md describes it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pydantic import AliasChoices, Field

from commonground.arrays import Floats
from commonground.config import load_config, read_yaml, validated
from commonground.datasets.health import Health
from commonground.datasets.readers.files import FileReader, Recording, Shot
from commonground.datasets.trajectory import Trajectory, poses_at
from commonground.errors import DataError
from commonground.frame import Camera
from commonground.geometry import is_rigid
from commonground.names import Name, checked_name, within
from commonground.settings import Settings
from commonground.tum import read_tum, whole_ns

SCHEMA = 1
MARKER = "dataset.yaml"


class CameraFile(Settings):
    """One camera in ``cameras.yaml``."""

    width: int = Field(gt=0, le=65_535)
    height: int = Field(gt=0, le=65_535)
    K: tuple[float, float, float, float]
    """fx, fy, cx, cy in pixels."""
    T_robot_cam: list[list[float]]
    """4×4, the camera's pose on the robot: x forward, y left, z up."""


class DatasetFile(Settings):
    """``dataset.yaml``: what the folder should hold."""

    schema_version: int
    robots: dict[Name, int]
    """Robot → number of frames of all its cameras."""
    labels: dict[int, str] = Field(default_factory=dict)
    depth_units_per_meter: float = Field(
        default=1000.0,
        gt=0,
        validation_alias=AliasChoices("depth_units_per_meter", "depth_units_per_metre"),
    )
    world: str = ""
    seed: int | None = None
    session: int = 0
    simulation: dict[str, object] | None = None
    """The settings that made it, if it was simulated."""


def recognizes(path: Path) -> bool:
    """Return whether a path is such a folder."""
    return (path / MARKER).is_file()


def open_folder(path: Path, health: Health | None = None) -> FileReader:
    """Return the reader of a dataset folder."""
    about = load_config(DatasetFile, path / MARKER)
    if about.schema_version != SCHEMA:
        raise DataError(
            f"{path / MARKER}: schema {about.schema_version} is not {SCHEMA}; "
            "update commonground or simulate again"
        )
    recordings, unread = {}, {}
    for robot in about.robots:
        try:
            recordings[robot] = _recording(within(path, robot), about)
        except DataError as error:
            unread[robot] = str(error)
    if not recordings and unread:
        raise DataError(next(iter(unread.values())))
    truth = path / "scene.json"
    return FileReader(
        path,
        "folder",
        recordings,
        labels=about.labels,
        truth=truth if truth.is_file() else None,
        health=health,
        notes=[
            f"{robot}: {len(recordings[robot].shots)} of {expected} frames are there; "
            "simulate again to finish"
            for robot, expected in about.robots.items()
            if robot in recordings and len(recordings[robot].shots) < expected
        ],
        unread=unread,
    )


def _recording(folder: Path, about: DatasetFile) -> Recording:
    cameras, mounts = read_cameras(folder / "cameras.yaml")
    shots = [shot for name in cameras for shot in _shots(within(folder, name), name)]
    return Recording(
        cameras,
        mounts,
        _trajectory(folder),
        sorted(
            shots, key=lambda s: s.stamp_ns
        ),  # stable: cameras keep their order within an instant
        about.depth_units_per_meter,
    )


def read_cameras(file: Path) -> tuple[dict[str, Camera], dict[str, Floats]]:
    """Return the cameras and their T_robot_cam by name."""
    content, lines = read_yaml(file)
    if not isinstance(content, dict) or not content:
        raise DataError(f"{file}: a mapping from camera names to their intrinsics is needed")
    cameras, mounts = {}, {}
    for name, entry in content.items():
        origin = {path[1:]: f"{file}:{n}" for path, n in lines.items() if path[:1] == (name,)}
        given = validated(CameraFile, entry, origin, f"{file}: {name}")
        fx, fy, cx, cy = given.K
        K = np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1]])
        cameras[str(name)] = Camera(checked_name(str(name)), K, given.width, given.height)
        mounts[str(name)] = _rigid(given.T_robot_cam, f"{file}: {name}.T_robot_cam")
    return cameras, mounts


def _rigid(rows: list[list[float]], where: str) -> Floats:
    T = np.array(rows, float) if len({len(r) for r in rows}) == 1 else np.empty(0)
    if T.shape != (4, 4) or not is_rigid(T):
        raise DataError(f"{where} must be a rigid 4×4 transform")
    return T


def _shots(folder: Path, camera: str) -> list[Shot]:
    out = []
    for color in sorted((folder / "rgb").glob("*.*")):
        try:
            stamp = whole_ns(color.stem)
        except ValueError:
            continue
        png = f"{color.stem}.png"
        out.append(
            Shot(
                stamp,
                camera,
                color,
                folder / "depth" / png,
                folder / "instances" / png,
                folder / "labels" / png,
            )
        )
    return out


def _trajectory(folder: Path) -> Trajectory:
    stamps, T_odom = read_tum(folder / "odometry.tum")
    true_file = folder / "groundtruth.tum"
    if not true_file.is_file():
        return Trajectory(stamps, T_odom)
    true_stamps, T_world = read_tum(true_file)
    return Trajectory(stamps, T_odom, poses_at(true_stamps, T_world, stamps))
