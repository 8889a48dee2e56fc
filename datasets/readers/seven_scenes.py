"""Reader of 7-Scenes folders: ``frame-000000.color.*``, ``.depth.png``, ``.pose.txt`` (camera to world)."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from commonground.arrays import Floats
from commonground.datasets.depth_units import depth_unit_of
from commonground.datasets.health import Health
from commonground.datasets.images import MILLIMETERS_PER_METER
from commonground.datasets.readers.files import (
    FileReader,
    Recording,
    Shot,
    image_size,
    intrinsics_of,
)
from commonground.datasets.readers.registration import Lens
from commonground.datasets.readers.upright import Upright, upright
from commonground.datasets.simulator.robots import R_BODY_OPTICAL
from commonground.datasets.trajectory import Trajectory
from commonground.errors import DataError
from commonground.frame import Camera
from commonground.geometry import inverse, is_rigid, nearest_rotation, transform
from commonground.names import within
from commonground.reading import BoundError, read_text

FRAME = re.compile(r"frame-(\d+)\.color\.(png|jpg|jpeg)")
RATE_HZ = 30.0
"""The files carry no stamps; the sensor ran at this rate and frames are numbered."""
KINECT = (585.0, 585.0, 320.0, 240.0)
"""What the dataset states, of 640×480 pixels, where no intrinsics file lies beside the frames."""
CAMERA = "rgb"


def recognizes(path: Path) -> bool:
    """Return whether a folder, or one of its sequences, holds such frames."""
    return path.is_dir() and bool(_sequences(path))


def open_seven_scenes(path: Path, health: Health | None = None) -> FileReader:
    """Return the reader; each sequence folder is a robot, a folder of frames is the robot ``kinect``."""
    health = health or Health()
    notes: list[str] = ["frames have no stamps: 30 Hz assumed, odometry is the dataset's own poses"]
    recordings = {
        robot: _recording(folder, health, notes) for robot, folder in _sequences(path).items()
    }
    return FileReader(path, "7-scenes", recordings, health=health, notes=notes)


def _sequences(path: Path) -> dict[str, Path]:
    if _frames(path):
        return {"kinect": path}
    folders = sorted(p for p in path.iterdir() if p.is_dir())
    return {p.name.replace("-", "_"): p for p in folders if _frames(p)}


def _frames(folder: Path) -> list[Path]:
    return sorted(p for p in folder.glob("frame-*.color.*") if FRAME.fullmatch(p.name))


def _recording(folder: Path, health: Health, notes: list[str]) -> Recording:
    shots, stamps, poses = [], [], []
    for color in _frames(folder):
        number = color.name.split(".")[0]
        stamp = round(int(number.removeprefix("frame-")) / RATE_HZ * 1e9)
        shots.append(Shot(stamp, CAMERA, color, within(folder, f"{number}.depth.png")))
        pose = _pose(within(folder, f"{number}.pose.txt"))
        if pose is not None:
            stamps.append(stamp)
            poses.append(pose)
    if not poses:
        raise DataError(f"{folder}: none of the {len(shots)} pose files holds a rigid 4×4 pose")
    camera = _camera(folder, shots, notes)
    path = Trajectory(np.array(stamps, np.int64), np.array(poses))
    T = path.odom_at([shot.stamp_ns for shot in shots])
    unit, note = depth_unit_of(Lens(camera), T, shots, MILLIMETERS_PER_METER)
    notes.append(note)
    T_odom_robot, mount, up = _upright_poses(np.array(poses), camera, shots, unit)
    notes.append(f"up is known to {up.sigma_deg:.1f}°, by the planes in its frames")
    notes.append(f"the map's frame is that of the poses {up.told()}")
    trajectory = Trajectory(np.array(stamps, np.int64), T_odom_robot, T_odom_robot)
    return Recording({CAMERA: camera}, {CAMERA: mount}, trajectory, shots, unit, pose_gap_s=0.0)


def _pose(file: Path) -> Floats | None:
    """Return the camera's pose, its rotation made exact; None if it is missing, not finite or not rigid."""
    try:
        T = np.array([float(word) for word in read_text(file, errors="replace").split()])
    except (OSError, ValueError, BoundError):
        return None
    if T.size != 16 or not is_rigid(T.reshape(4, 4), tolerance=1e-2):
        return None
    T = T.reshape(4, 4)
    return transform(nearest_rotation(T[:3, :3]), T[:3, 3])


def _camera(folder: Path, shots: list[Shot], notes: list[str]) -> Camera:
    height, width = image_size(shots)
    K = intrinsics_of(KINECT, width, height)
    for file in (folder / "camera-intrinsics.txt", folder.parent / "camera-intrinsics.txt"):
        if file.is_file():
            try:
                K = np.array([float(word) for word in read_text(file).split()]).reshape(3, 3)
            except ValueError as error:
                raise DataError(f"{file}: nine numbers are needed, the rows of K") from error
            break
    else:
        notes.append(
            f"intrinsics guessed ({K[0, 0]:g} px for {width}×{height}); "
            "camera-intrinsics.txt states them"
        )
    return Camera(CAMERA, K, width, height)


def _upright_poses(
    T_world_cam: Floats, camera: Camera, shots: list[Shot], unit: float
) -> tuple[Floats, Floats, Upright]:
    """Return robot poses (n, 4, 4) in a frame whose z is up, the camera's place on the robot, and what
    was found of the vertical.

    The dataset's own world frame is that of its first camera, which nobody held level.
    """
    mount = transform(R_BODY_OPTICAL, np.zeros(3))
    found = upright(T_world_cam, camera, shots, unit)
    T_odom_world = transform(found.R_up_world, np.zeros(3))
    return T_odom_world @ T_world_cam @ inverse(mount), mount, found
