"""The base of readers of image files: a list of shots, and the one loop that turns them into frames."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Floats, Floats32, Ints, Ints32
from commonground.datasets.health import Health
from commonground.datasets.images import DEPTH_KINDS, read_image, to_meters
from commonground.datasets.readers.registration import Lens
from commonground.datasets.trajectory import Trajectory, chosen_cameras, chosen_instants
from commonground.digest import digest
from commonground.errors import DataError, did_you_mean
from commonground.frame import Camera, Frame, unseen

if TYPE_CHECKING:
    from commonground.scene import SceneGraph


@dataclass(frozen=True, slots=True)
class Shot:
    """The files of one camera at one instant."""

    stamp_ns: int
    camera: str
    color: Path
    depth: Path
    instances: Path | None = None
    labels: Path | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """One robot of a file dataset: cameras with their places on the robot, poses, shots in time order."""

    cameras: Mapping[str, Camera]
    mounts: Mapping[str, Floats]
    """Camera → T_robot_cam (4, 4)."""
    trajectory: Trajectory
    shots: Sequence[Shot]
    depth_unit: float = 1000.0
    """Units of the depth images per meter."""
    pose_gap_s: float = 0.5
    """Between poses further apart than this, a frame has none; 0 asks for one at the very stamp."""
    lenses: Mapping[str, Lens] = field(default_factory=dict)
    """Camera → its lens, if that distorts images."""


class FileReader:
    """A dataset of image files. A format's module finds the recordings; the rest is here."""

    def __init__(
        self,
        path: Path,
        format: str,
        recordings: Mapping[str, Recording],
        *,
        labels: Mapping[int, str] | None = None,
        truth: Path | None = None,
        health: Health | None = None,
        notes: Sequence[str] = (),
        unread: Mapping[str, str] | None = None,
    ) -> None:
        self.path, self.format = path, format
        self.notes: Sequence[str] = tuple(notes)
        self._unread = dict(unread or {})
        """Robot → why nothing can be read of it; the others are there all the same."""
        self.health = health or Health()
        self._recordings, self._labels, self._truth = dict(recordings), dict(labels or {}), truth

    def robots(self) -> tuple[str, ...]:
        return (*self._recordings, *self._unread)

    def labels(self) -> Mapping[int, str]:
        return self._labels

    def fingerprint(self, robot: str) -> str:
        """Return what tells a robot's recording from any other: what was read of it, and its image files."""
        return digest(self._of(robot), self._labels)

    def cameras(self, robot: str) -> tuple[Camera, ...]:
        return tuple(self._of(robot).cameras.values())

    def T_robot_cam(self, robot: str, camera: str) -> Floats:
        return self._of(robot).mounts[camera]

    def trajectory(self, robot: str) -> Trajectory:
        return self._of(robot).trajectory

    def stamps_ns(self, robot: str) -> Ints:
        return np.unique(np.array([s.stamp_ns for s in self._of(robot).shots], np.int64))

    def first_ns(self, robot: str) -> int:
        stamps = self.stamps_ns(robot)
        return int(stamps[0]) if len(stamps) else 0

    def duration_s(self, robot: str) -> float:
        stamps = self.stamps_ns(robot)
        return float(stamps[-1] - stamps[0]) / 1e9 if len(stamps) else 0.0

    def length(self, robot: str) -> int:
        return len(self._of(robot).shots)

    def truth(self) -> SceneGraph | None:
        if self._truth is None:
            return None
        from commonground.scene import load_scene

        return load_scene(self._truth)

    def frames(
        self,
        robot: str,
        *,
        start_s: float = 0.0,
        stop_s: float | None = None,
        stride: int = 1,
        cameras: Sequence[str] | None = None,
        images: Callable[[], bool] | None = None,
    ) -> Iterator[Frame]:
        recording = self._of(robot)
        names = chosen_cameras(robot, list(recording.cameras), cameras)
        wanted = set(chosen_instants(self.stamps_ns(robot), start_s, stop_s, stride).tolist())
        for shot in recording.shots:
            if shot.stamp_ns in wanted and shot.camera in names:
                frame = self._frame(robot, recording, shot, read=images is None or images())
                if frame is not None:
                    yield frame
        self.health.finished()

    def _frame(self, robot: str, recording: Recording, shot: Shot, *, read: bool) -> Frame | None:
        try:
            frame = _loaded(robot, recording, shot, read=read)
        except DataError as error:
            self.health.skip(str(shot.color), str(error))
            return None
        self.health.passed()
        return frame

    def _of(self, robot: str) -> Recording:
        if robot in self._unread:
            raise DataError(self._unread[robot])
        if robot not in self._recordings:
            hint = did_you_mean(robot, self._recordings)
            raise DataError(
                f"{self.path}: there is no robot '{robot}'; there are {', '.join(self._recordings)}.{hint}"
            )
        return self._recordings[robot]


def image_size(shots: Sequence[Shot]) -> tuple[int, int]:
    """Return height and width of the first color image that can be read; DataError if none can."""
    for shot in shots:
        with contextlib.suppress(DataError):
            return read_image(shot.color, color=True).shape[:2]
    raise DataError(
        f"none of the {len(shots)} color images can be read; the first: {shots[0].color}"
    )


def intrinsics_of(K_vga: Sequence[float], width: int, height: int) -> Floats:
    """Return K (3, 3) of fx, fy, cx, cy of 640×480 pixels for images of another size."""
    share = np.array([width / 640, height / 480])
    fx, fy, cx, cy = K_vga
    (fx, fy), (cx, cy) = share * (fx, fy), share * (cx + 0.5, cy + 0.5) - 0.5
    return np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1]])


def _loaded(robot: str, recording: Recording, shot: Shot, *, read: bool) -> Frame:
    """Return the frame of a shot, of its pose alone if it is not ``read``; DataError says what is wrong."""
    camera = recording.cameras[shot.camera]
    recording.trajectory.check(shot.stamp_ns, recording.pose_gap_s)
    size = (camera.width, camera.height)
    if read:
        rgb = read_image(shot.color, color=True, size=size).astype(np.uint8, copy=False)
        depth = _read_depth(shot, recording, size)
    else:
        rgb, depth = unseen(camera)
    mount, trajectory = recording.mounts[shot.camera], recording.trajectory
    lens = recording.lenses.get(shot.camera)
    T_world = trajectory.world_at(shot.stamp_ns)
    frame = Frame(
        stamp_ns=shot.stamp_ns,
        robot=robot,
        camera=camera,
        rgb=rgb,
        depth_m=depth,
        T_odom_cam=trajectory.odom_at(shot.stamp_ns)[0] @ mount,
        T_world_cam=None if T_world is None else T_world[0] @ mount,
        instances=_ids(shot.instances, size) if read else None,
        labels=_ids(shot.labels, size) if read else None,
    )
    return _straightened(frame, lens) if lens is not None and read else frame


def _straightened(frame: Frame, lens: Lens) -> Frame:
    """Return a frame whose images were taken through a lens as a pinhole camera sees it."""
    exact = {
        name: lens.straightened(image, exact=True)
        for name in ("depth_m", "instances", "labels")
        if (image := getattr(frame, name)) is not None
    }
    return replace(frame, rgb=lens.straightened(frame.rgb), **exact)


def _read_depth(shot: Shot, recording: Recording, size: tuple[int, int]) -> Floats32:
    try:
        image = read_image(shot.depth, color=False, size=size)
    except DataError as error:
        raise DataError(f"its depth {shot.depth.name}: {error}") from error
    if image.dtype not in DEPTH_KINDS:
        raise DataError(f"depth is {image.dtype}; it must be 16-bit or float")
    return to_meters(image, recording.depth_unit)


def _ids(path: Path | None, size: tuple[int, int]) -> Ints32 | None:
    if path is None or not path.is_file():
        return None
    image = read_image(path, color=False, size=size)
    if image.ndim != 2:
        raise DataError(f"{path.name} is a color image; numbers of things or classes are gray")
    return image.astype(np.int32)
