"""Reader of bags: ROS 1 or ROS 2, any topics, streamed once and never held whole."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.datasets.health import Health
from commonground.datasets.images import to_meters
from commonground.datasets.readers import messages as ros
from commonground.datasets.readers.bagfiles import (
    connections_of,
    decoded,
    files_of,
    messages,
    opened,
)
from commonground.datasets.readers.bagrobot import BagRobot, Eye, load_robot
from commonground.datasets.readers.layout import BagLayout
from commonground.datasets.readers.poses import Window, load_trajectory
from commonground.datasets.readers.sync import LONG_AGO, Group, Stamped, Synchronizer
from commonground.datasets.trajectory import Trajectory, chosen_cameras
from commonground.digest import digest
from commonground.errors import DataError, did_you_mean
from commonground.frame import Camera, Frame, unseen
from commonground.names import below

if TYPE_CHECKING:
    from commonground.scene import SceneGraph

MARGIN_NS = 3_000_000_000
"""Messages arrive late and out of order by less than this; reading begins and ends that much apart."""
LARGE_BYTES = 2_000_000_000
"""Poses lie between the images, so reading them all means reading the bag."""
PENDING = 8
"""Groups per camera held back to put several cameras in the order of time."""


class BagReader:
    """A dataset of bags; the layout tells what the topics are, from a YAML or a known format."""

    def __init__(
        self,
        path: Path,
        format: str,
        bags: Mapping[str, list[Path]],
        layout: BagLayout,
        *,
        health: Health | None = None,
        labels: Mapping[int, str] | None = None,
        truth: Path | None = None,
        beside: Path | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        """Bind robots to the bags that hold their topics; nothing is read yet. Pose files lie ``beside``."""
        self.path, self.format, self.layout = path, format, layout
        self.health = health or Health()
        self._bags, self._labels, self._truth = dict(bags), dict(labels or {}), truth
        self._folder = beside or (path if path.is_dir() else path.parent)
        self._notes = tuple(notes)
        self._loaded: dict[str, BagRobot] = {}
        self._trajectories: dict[str, Trajectory] = {}
        self._pose_notes: dict[str, None] = {}

    @property
    def notes(self) -> Sequence[str]:
        """What a user should know before relying on the data; grows as robots are looked at."""
        seen = (note for robot in self._loaded.values() for note in robot.notes)
        return (*self._notes, *seen, *self._pose_notes)

    def robots(self) -> tuple[str, ...]:
        return tuple(self.layout.robots)

    def labels(self) -> Mapping[int, str]:
        return self._labels

    def fingerprint(self, robot: str) -> str:
        """Return what tells a robot's recording from any other: its bags, and what is read of them."""
        self._robot(robot)
        about = self.layout.robots[robot]
        sources = [source for source in (about.odometry, about.truth) if source is not None]
        names = [name for source in sources for name in (source.bag, source.file) if name]
        beside = [below(self._folder, name) for name in names]
        files = [file for bag in (*self._bags[robot], *beside) for file in files_of(bag)]
        return digest(robot, self.layout, files, self._labels)

    def cameras(self, robot: str) -> tuple[Camera, ...]:
        """Return a robot's color cameras, without distortion."""
        return tuple(eye.lens.camera for eye in self._robot(robot).eyes)

    def T_robot_cam(self, robot: str, camera: str) -> Floats:
        mounts = {eye.name: eye.T_robot_cam for eye in self._robot(robot).eyes}
        if camera not in mounts:
            raise DataError(f"{robot} has no camera '{camera}'; it has {', '.join(mounts)}")
        return mounts[camera]

    def trajectory(self, robot: str) -> Trajectory:
        if robot not in self._trajectories:
            self._trajectories[robot] = self._poses(robot, None)
        return self._trajectories[robot]

    @property
    def large(self) -> bool:
        """Whether reading all poses takes long enough to be avoided where a part will do."""
        files = (f for bags in self._bags.values() for bag in bags for f in _files(bag))
        return sum(f.stat().st_size for f in files) > LARGE_BYTES

    def stamps_ns(self, robot: str) -> Ints:
        """Return the sorted stamps (n,) of the color images; this reads through the bags."""
        ready = self._robot(robot)
        topics = [eye.topics.color for eye in ready.eyes]
        with opened(ready.bags) as reader:
            stream = messages(reader, connections_of(reader, topics, str(self.path)))
            found = {
                ros.header_stamp_ns(raw, reader.is2) or received for _, received, raw in stream
            }
        return np.array(sorted(found), np.int64)

    def first_ns(self, robot: str) -> int:
        return self._robot(robot).first_ns

    def duration_s(self, robot: str) -> float:
        """Return the seconds from the first image to the end."""
        return self._robot(robot).duration_s

    def length(self, robot: str) -> int:
        """Return how many color images there are, of all cameras."""
        return self._robot(robot).frames

    def truth(self) -> SceneGraph | None:
        """Return the true scene graph where one lies beside the bags."""
        if self._truth is None or not self._truth.is_file():
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
        if stride < 1:
            raise DataError(f"a stride is 1 or more, not {stride}")
        ready = self._robot(robot)
        names = chosen_cameras(robot, [eye.name for eye in ready.eyes], cameras)
        eyes = [eye for eye in ready.eyes if eye.name in names]
        start = ready.first_ns + round(start_s * 1e9)
        stop = None if stop_s is None else ready.first_ns + round(stop_s * 1e9)
        last, instant = LONG_AGO, -1
        trajectory = self._trajectory_between(robot, ready, start, stop)
        for eye, group in self._groups(ready, eyes, start, stop):
            stamp = group["color"].stamp_ns
            if stamp < start or (stop is not None and stamp > stop):
                continue
            if (
                stamp > last + self.layout.sync_tolerance_s * 1e9
            ):  # cameras of one instant count once
                last, instant = stamp, instant + 1
            if instant % stride == 0:
                read = images is None or images()
                frame = self._frame(robot, trajectory, eye, group, read=read)
                if frame is not None:
                    yield frame
        self.health.finished()

    # ---- one frame ----

    def _frame(
        self, robot: str, trajectory: Trajectory, eye: Eye, group: Group, *, read: bool
    ) -> Frame | None:
        try:
            frame = self._built(robot, trajectory, eye, group, read=read)
        except ros.UnsupportedError as error:
            raise DataError(f"{self.path}: {eye.topics.color}: {error}") from error
        except DataError as error:
            self.health.skip(f"{robot}/{eye.name} at {group['color'].stamp_ns} ns", str(error))
            return None
        self.health.passed()
        return frame

    def _built(
        self, robot: str, trajectory: Trajectory, eye: Eye, group: Group, *, read: bool
    ) -> Frame:
        stamp, camera = group["color"].stamp_ns, eye.lens.camera
        trajectory.check(stamp, self.layout.pose_gap_s)
        if read:
            color = ros.color_image(group["color"].read(), size_of(camera))
            far = ros.depth_image(group["depth"].read(), size_of(eye.registration.depth))
            rgb = eye.lens.straightened(color)
            depth = eye.registration.apply(to_meters(far, eye.unit))
        else:
            rgb, depth = unseen(camera)
        ids = {
            role: ros.id_image(group[role].read(), size_of(camera))
            for role in ("instances", "labels")
            if role in group and read
        }
        T_world = trajectory.world_at(stamp)
        return Frame(
            stamp_ns=stamp,
            robot=robot,
            camera=camera,
            rgb=rgb,
            depth_m=depth,
            T_odom_cam=trajectory.odom_at(stamp)[0] @ eye.T_robot_cam,
            T_world_cam=None if T_world is None else T_world[0] @ eye.T_robot_cam,
            **ids,
        )

    # ---- streaming ----

    def _groups(
        self, ready: BagRobot, eyes: list[Eye], start: int, stop: int | None
    ) -> Iterator[tuple[Eye, Group]]:
        """Yield synchronized messages of all cameras in the order of their color stamps."""
        syncs = [Synchronizer(self.layout.sync_tolerance_s, _partners(eye)) for eye in eyes]
        pending: list[tuple[int, int, Group]] = []
        with opened(ready.bags) as reader:
            for k, role, message in self._stream(reader, ready, eyes, start, stop):
                for group in syncs[k].add(role, message):
                    heapq.heappush(pending, (group["color"].stamp_ns, k, group))
                self._count_missed(eyes[k], syncs[k])
                safe = min(sync.horizon_ns for sync in syncs)
                while pending and (pending[0][0] <= safe or len(pending) > PENDING * len(eyes)):
                    _, which, group = heapq.heappop(pending)
                    yield eyes[which], group
            for k, sync in enumerate(syncs):
                pending += [(group["color"].stamp_ns, k, group) for group in sync.finished()]
                self._count_missed(eyes[k], sync)
            for _, which, group in sorted(pending, key=lambda item: item[:2]):
                yield eyes[which], group

    def _stream(
        self, reader: Any, ready: BagRobot, eyes: list[Eye], start: int, stop: int | None
    ) -> Iterator[tuple[int, str, Stamped]]:
        """Yield (camera, role, message) as received; the rest of a bag that breaks off counts as one loss."""
        roles = {
            topic: (k, role) for k, eye in enumerate(eyes) for role, topic in _roles(eye).items()
        }
        there = {c.topic for c in reader.connections}
        connections = connections_of(reader, [t for t in roles if t in there], str(self.path))
        begin = start + ready.clock_ns - MARGIN_NS if start > ready.first_ns else None
        end = None if stop is None else stop + ready.clock_ns + MARGIN_NS
        try:
            for connection, received, raw in messages(reader, connections, begin, end):
                read = partial(decoded, reader, raw, connection.msgtype)
                stamp = ros.header_stamp_ns(raw, reader.is2) or received
                yield (*roles[connection.topic], Stamped(stamp, read))
        except DataError as error:
            self.health.skip(str(self.path), str(error))

    def _count_missed(self, eye: Eye, sync: Synchronizer) -> None:
        for stamp, reason in sync.missed:
            self.health.skip(f"{eye.topics.color} at {stamp} ns", reason)
        sync.missed.clear()
        for _ in range(sync.unpaired):
            tolerance = f"{1e3 * self.layout.sync_tolerance_s:g} ms"
            self.health.leave_out(f"no depth image within {tolerance} (sync_tolerance_s)")
        sync.unpaired = 0

    def _robot(self, robot: str) -> BagRobot:
        if robot not in self.layout.robots:
            hint = did_you_mean(robot, self.layout.robots)
            there = ", ".join(self.layout.robots)
            raise DataError(f"{self.path}: there is no robot '{robot}'; there are {there}.{hint}")
        if robot not in self._loaded:
            topics = self.layout.robots[robot]
            self._loaded[robot] = load_robot(robot, topics, self._bags[robot], self.layout)
        return self._loaded[robot]

    # ---- poses ----

    def _trajectory_between(
        self, robot: str, ready: BagRobot, start: int, stop: int | None
    ) -> Trajectory:
        """Return the trajectory, of a large bag only the part that is needed."""
        if robot in self._trajectories or stop is None or not self.large:
            return self.trajectory(robot)
        return self._poses(
            robot, (start + ready.clock_ns - MARGIN_NS, stop + ready.clock_ns + MARGIN_NS)
        )

    def _poses(self, robot: str, window: Window) -> Trajectory:
        self._robot(robot)
        about = self.layout.robots[robot]
        trajectory, notes = load_trajectory(
            about.odometry, about.truth, self._bags[robot], self._folder, window
        )
        self._pose_notes |= dict.fromkeys(f"{robot}: {note}" for note in notes)
        return trajectory


def size_of(camera: Camera) -> tuple[int, int]:
    """Return width and height."""
    return camera.width, camera.height


def _files(bag: Path) -> list[Path]:
    return [bag] if bag.is_file() else [p for p in bag.iterdir() if p.is_file()]


def _roles(eye: Eye) -> dict[str, str]:
    topics = eye.topics
    roles = {"color": topics.color, "depth": topics.depth}
    return roles | {role: t for role in _partners(eye) if (t := getattr(topics, role)) is not None}


def _partners(eye: Eye) -> tuple[str, ...]:
    return tuple(role for role in ("instances", "labels") if getattr(eye.topics, role) is not None)
