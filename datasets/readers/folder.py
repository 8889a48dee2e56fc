"""Reader of the dataset folder that ``commonground simulate`` writes; docs/formats.md describes it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydantic import AliasChoices, Field

from commonground.arrays import Floats
from commonground.config import load_config, read_yaml, validated
from commonground.datasets.depth_units import depth_unit_of
from commonground.datasets.health import Health
from commonground.datasets.images import MILLIMETERS_PER_METER
from commonground.datasets.readers.files import FileReader, Recording, Shot
from commonground.datasets.readers.mounts import checked_mount
from commonground.datasets.readers.registration import Lens
from commonground.datasets.trajectory import Trajectory, poses_at
from commonground.errors import DataError
from commonground.frame import Camera
from commonground.geometry import is_rigid
from commonground.names import Name, checked_name, within
from commonground.settings import Settings
from commonground.tum import read_tum, whole_ns

SCHEMA = 1
MARKER = "dataset.yaml"
UNIT = "depth_units_per_meter"


class CameraFile(Settings):
    """One camera in ``cameras.yaml``."""

    width: int = Field(gt=0, le=65_535)
    height: int = Field(gt=0, le=65_535)
    K: tuple[float, float, float, float]
    """fx, fy, cx, cy in pixels."""
    T_robot_cam: list[list[float]]
    """4×4, the camera's pose on the robot: x forward, y left, z up."""
    distortion_model: str = ""
    """plumb_bob (radtan), rational_polynomial, or equidistant (fisheye)."""
    distortion: list[float] = Field(default_factory=list)
    """Its coefficients as OpenCV orders them; images, depth among them, are straightened."""


class CamerasFile(NamedTuple):
    """``cameras.yaml``: the cameras of a robot by name."""

    cameras: dict[str, Camera]
    mounts: dict[str, Floats]
    """T_robot_cam (4, 4)."""
    lenses: dict[str, Lens]
    depth_unit: float | None
    """Units of depth images per meter, if stated."""

    def lens(self, name: str) -> Lens:
        """Return the lens of a camera, also of one that distorts nothing."""
        return self.lenses.get(name, Lens(self.cameras[name]))


class DatasetFile(Settings):
    """``dataset.yaml``: what the folder should hold."""

    schema_version: int
    robots: dict[Name, int]
    """Robot → number of frames of all its cameras, as {spot: 1234}."""
    labels: dict[int, str] = Field(default_factory=dict)
    depth_units_per_meter: float | None = Field(
        default=None,
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
    about = load_config(DatasetFile, path / MARKER)
    if about.schema_version != SCHEMA:
        raise DataError(
            f"{path / MARKER}: schema {about.schema_version} is not {SCHEMA}; "
            "update commonground or simulate again"
        )
    recordings, unread, notes = {}, {}, list[str]()
    for robot in about.robots:
        try:
            recordings[robot] = _recording(within(path, robot), about, notes)
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
        notes=notes
        + [
            f"{robot}: {len(recordings[robot].shots)} of {expected} frames are there"
            + ("; simulate again to finish" if about.simulation else "")
            for robot, expected in about.robots.items()
            if robot in recordings and len(recordings[robot].shots) < expected
        ],
        unread=unread,
    )


def _recording(folder: Path, about: DatasetFile, notes: list[str]) -> Recording:
    if not (folder / "cameras.yaml").is_file():
        raise DataError(f"{folder / 'cameras.yaml'}: there is no such file")
    given = read_cameras(folder / "cameras.yaml")
    shots = [shot for name in given.cameras for shot in _shots(within(folder, name), name, notes)]
    trajectory = _trajectory(folder, notes)
    unit = given.depth_unit or about.depth_units_per_meter
    if unit is None:
        name = next(iter(given.cameras))
        own = [shot for shot in shots if shot.camera == name]
        poses = trajectory.odom_at([shot.stamp_ns for shot in own]) @ given.mounts[name]
        unit, note = depth_unit_of(
            given.lenses.get(name, Lens(given.cameras[name])), poses, own, MILLIMETERS_PER_METER
        )
        notes.append(f"{folder.name}: {note}; {UNIT} in cameras.yaml states another")
    return Recording(
        given.cameras,
        given.mounts,
        trajectory,
        sorted(
            shots, key=lambda s: s.stamp_ns
        ),  # stable: cameras keep their order within an instant
        unit,
        lenses=given.lenses,
    )


def read_cameras(file: Path) -> CamerasFile:
    """Return what a ``cameras.yaml`` tells."""
    content, lines = read_yaml(file)
    unit = None
    if isinstance(content, dict):
        unit = content.pop(UNIT, None)
    if not isinstance(content, dict) or not content:
        raise DataError(f"{file}: a mapping from camera names to their intrinsics is needed")
    if unit is not None and not (isinstance(unit, int | float) and 0 < unit < np.inf):
        raise DataError(f"{file}: {UNIT} = {unit} is no positive number")
    found = CamerasFile({}, {}, {}, unit)
    for name, entry in content.items():
        origin = {path[1:]: f"{file}:{n}" for path, n in lines.items() if path[:1] == (name,)}
        given = validated(CameraFile, entry, origin, f"{file}: {name}")
        fx, fy, cx, cy = given.K
        K = np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1]])
        camera = Camera(checked_name(str(name)), K, given.width, given.height)
        found.cameras[str(name)] = camera
        found.mounts[str(name)] = _rigid(given.T_robot_cam, f"{file}: {name}.T_robot_cam")
        lens = Lens(camera, given.distortion_model, tuple(given.distortion))
        if lens.bent:
            lens.check()
            found.lenses[str(name)] = lens
    return found


def _rigid(rows: list[list[float]], where: str) -> Floats:
    T = np.array(rows, float) if len({len(r) for r in rows}) == 1 else np.empty(0)
    if T.shape != (4, 4) or not is_rigid(T):
        raise DataError(f"{where} must be a rigid 4×4 transform")
    return checked_mount(T, where)


def _shots(folder: Path, camera: str, notes: list[str]) -> list[Shot]:
    """Return the shots of a camera; of images that are not named by a stamp a note tells."""
    out, others = [], []
    for color in sorted((folder / "rgb").glob("[!.]*.*")):
        try:
            stamp = whole_ns(color.stem)
        except ValueError:
            others.append(color.name)
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
    if others:
        told = f"{len(others)} names are no stamps in whole nanoseconds, such as '{others[0]}'"
        if not out:
            raise DataError(f"{folder / 'rgb'}: {told}")
        notes.append(f"{folder.parent.name}/{camera}: not used, as {told}")
    return out


def _trajectory(folder: Path, notes: list[str]) -> Trajectory:
    odometry, true_file = folder / "odometry.tum", folder / "groundtruth.tum"
    if not odometry.is_file():
        instead = (
            f"; copy {true_file.name} to it to map by the true poses" if true_file.is_file() else ""
        )
        raise DataError(f"{folder}: has no {odometry.name}, and poses are needed{instead}")
    stamps, T_odom = read_tum(odometry, told=notes.append)
    if not true_file.is_file():
        return Trajectory(stamps, T_odom)
    true_stamps, T_world = read_tum(true_file, told=notes.append)
    return Trajectory(stamps, T_odom, poses_at(true_stamps, T_world, stamps))
