"""A robot's calibration, known before its bag is streamed: lenses, mounts, unit of depth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Floats
from commonground.datasets.images import MILLIMETERS_PER_METER, depth_unit
from commonground.datasets.readers import messages as ros
from commonground.datasets.readers.bagfiles import connections_of, decoded, messages, opened
from commonground.datasets.readers.layout import BagLayout, CameraTopics, Intrinsics, RobotTopics
from commonground.datasets.readers.mounts import RIG_M, checked_mount
from commonground.datasets.readers.registration import Lens, Registration
from commonground.datasets.readers.staticframes import StaticFrames
from commonground.errors import DataError
from commonground.frame import Camera

TRIED = 5
"""Depth images looked at to tell their unit."""


@dataclass(frozen=True, slots=True, eq=False)
class Eye:
    """One camera of a bag, ready to read."""

    name: str
    topics: CameraTopics
    lens: Lens
    registration: Registration
    T_robot_cam: Floats
    unit: float
    """Depth units per meter."""


@dataclass(frozen=True, slots=True, eq=False)
class BagRobot:
    """One robot of a bag, ready to read."""

    bags: list[Path]
    eyes: tuple[Eye, ...]
    frames: int
    first_ns: int
    """Stamp of the first color image."""
    clock_ns: int
    """How much later than stamped that message was received; bags are indexed by reception."""
    duration_s: float
    notes: tuple[str, ...]


def load_robot(name: str, topics: RobotTopics, bags: list[Path], layout: BagLayout) -> BagRobot:
    """Return a robot ready to be streamed; reads the first messages of its cameras."""
    where = ", ".join(p.name for p in bags[:2])
    with opened(bags) as reader:
        colors = [camera.color for camera in topics.cameras.values()]
        wanted = [*colors, *(camera.depth for camera in topics.cameras.values())]
        connections_of(reader, wanted, where)
        frames = StaticFrames.of(reader)
        eyes, notes = [], []
        for camera, about in topics.cameras.items():
            eye, note = _eye(reader, camera, about, frames, topics.base_frame, layout)
            eyes.append(eye)
            notes.append(f"{name}/{camera}: {note}")
        received, stamp = _first(reader, colors)
        count = sum(c.msgcount for c in connections_of(reader, colors, where))
        duration = (reader.end_time - received) / 1e9
    return BagRobot(bags, tuple(eyes), count, stamp, received - stamp, duration, tuple(notes))


def _first(reader: Any, topics: list[str]) -> tuple[int, int]:
    """Return when the first message of topics was received and how it is stamped."""
    for _, received, raw in messages(reader, connections_of(reader, topics, "the bag")):
        return received, ros.header_stamp_ns(raw, reader.is2) or received
    raise DataError(f"there is no message on {', '.join(topics)}")


def _some(reader: Any, topic: str) -> Iterator[Any]:
    """Yield messages of a topic, without the damaged ones."""
    for connection, _, raw in messages(reader, connections_of(reader, [topic], "the bag")):
        try:
            yield decoded(reader, raw, connection.msgtype)
        except DataError:
            continue


def _eye(
    reader: Any, name: str, topics: CameraTopics, frames: StaticFrames, base: str, layout: BagLayout
) -> tuple[Eye, str]:
    lens, color_frame = _lens(reader, name, topics.color_info, topics.color_intrinsics)
    if topics.depth_info is None and topics.depth_intrinsics is None:
        depth, depth_frame = lens.camera, color_frame
    else:
        found, depth_frame = _lens(reader, name, topics.depth_info, topics.depth_intrinsics)
        depth = found.camera
    if topics.T_color_depth is not None:
        T_color_depth = topics.T_color_depth.T
    else:
        T_color_depth = frames.between(color_frame, depth_frame, default=np.eye(4))
    if topics.T_robot_color is not None:
        T_robot_cam = topics.T_robot_color.T
    else:
        T_robot_cam = frames.on_robot(color_frame, base, f"camera '{name}'")
    checked_mount(T_color_depth, f"camera '{name}': depth from color", RIG_M)
    checked_mount(T_robot_cam, f"camera '{name}': its place on the robot")
    unit, note = _unit(reader, topics.depth, layout)
    return Eye(
        name, topics, lens, Registration(depth, lens.camera, T_color_depth), T_robot_cam, unit
    ), note


def _lens(reader: Any, name: str, topic: str | None, given: Intrinsics | None) -> tuple[Lens, str]:
    """Return the lens from the YAML or from camera_info, and the frame id camera_info names."""
    if given is not None:
        fx, fy, cx, cy = given.K
        K = np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1]])
        camera = Camera(name, K, given.width, given.height)
        return Lens(camera, given.distortion_model, tuple(given.distortion)), ""
    if topic is None:
        raise DataError(
            f"camera '{name}' has neither color_info nor color_intrinsics; add one of them"
        )
    message = next(_some(reader, topic), None)
    if message is None:
        raise DataError(
            f"topic '{topic}' has no message that can be read; give color_intrinsics instead"
        )
    return ros.lens_of(message, name), str(message.header.frame_id).lstrip("/")


def _unit(reader: Any, topic: str, layout: BagLayout) -> tuple[float, str]:
    """Return depth units per meter and a sentence on it."""
    if isinstance(layout.depth_unit, float):
        return layout.depth_unit, f"depth is in 1/{layout.depth_unit:g} m, as the YAML says"
    values = []
    for message in islice(_some(reader, topic), TRIED):
        try:
            image = ros.depth_image(message)
        except ros.UnsupportedError as error:
            raise DataError(f"topic '{topic}': {error}") from error
        except DataError:
            continue
        values.append(image.ravel()[::16])
    if not values:
        return MILLIMETERS_PER_METER, "none of the first depth images can be read"
    return depth_unit(np.concatenate(values))
