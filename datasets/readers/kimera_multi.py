"""Reader of Kimera-Multi bags: ROS 1, one robot a name space, topics and calibration as published."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from commonground.arrays import Floats
from commonground.datasets.health import Health
from commonground.datasets.readers.bagfiles import bags_below, opened, topics_of
from commonground.datasets.readers.bags import BagReader
from commonground.datasets.readers.layout import (
    BagLayout,
    CameraTopics,
    Pose,
    PoseSource,
    RobotTopics,
)
from commonground.datasets.readers.staticframes import TOPIC as TF_STATIC
from commonground.datasets.simulator.robots import R_BODY_OPTICAL
from commonground.errors import DataError
from commonground.geometry import inverse, nearest_rotation, transform
from commonground.names import within
from commonground.reading import whole_number

COLOR = re.compile(r"/(?P<robot>[^/]+)/(?P<camera>[^/]+)/color/image_raw(/compressed)?")
DEPTH = (
    "depth/image_rect_raw",
    "depth/image_rect_raw/compressedDepth",
    "depth/image_rect_raw/compressed",
)
ODOMETRY = (
    "kimera_vio_ros/odometry",
    "kimera_vio_ros/odom",
    "jackal_velocity_controller/odom",
    "odom",
)
"""Odometry topics below a robot's name, the better first."""
TRUTH = "{robot}_gt_odom.csv"
# The D455's factory calibration of one robot, used for all: color in the frame of the left infrared camera,
# which is that of depth.
T_DEPTH_COLOR = transform(
    nearest_rotation(
        [
            [0.999997, -0.000735, -0.002531],
            [0.000719, 0.999979, -0.006473],
            [0.002536, 0.006471, 0.999976],
        ]
    ),
    (0.059194, 0.000036, -0.000351),
)
T_ROBOT_DEPTH = transform(R_BODY_OPTICAL, np.zeros(3))
"""The published body frame is the camera's own, x forward."""
ASSUMED = (
    f"no {TF_STATIC} says where cameras sit: the published calibration, at the camera, is assumed"
)


def recognizes(path: Path) -> bool:
    """Return whether a path holds ROS 1 bags with topics of this layout."""
    bags = [p for p in bags_below(path) if p.suffix == ".bag"]
    for bag in bags[:1]:
        try:
            with opened([bag]) as reader:
                return any(COLOR.fullmatch(topic) for topic in topics_of(reader))
        except DataError:
            return False
    return False


def open_kimera_multi(path: Path, health: Health | None = None) -> BagReader:
    """Return the reader of one bag or of a folder of them."""
    folder = path if path.is_dir() else path.parent
    bags: dict[str, list[Path]] = {}
    topics: dict[str, set[str]] = {}
    damaged: list[str] = []
    for bag in bags_below(path):
        try:
            with opened([bag]) as reader:
                there = topics_of(reader)
        except DataError as error:
            damaged.append(str(error))
            continue
        for robot in sorted({m["robot"] for t in there if (m := COLOR.fullmatch(t))}):
            bags.setdefault(robot, []).append(bag)
            topics.setdefault(robot, set()).update(there)
    if not bags:
        raise DataError(
            damaged[0]
            if damaged
            else f"{path}: no bag has a topic like /ROBOT/forward/color/image_raw"
        )
    robots = {robot: _robot(robot, topics[robot], folder, bags) for robot in sorted(bags)}
    notes = [
        *damaged,
        *(f"{robot}: odometry from {about.odometry.topic}" for robot, about in robots.items()),
        *(f"{robot}: {ASSUMED}" for robot in robots if TF_STATIC not in topics[robot]),
    ]
    return BagReader(
        path,
        "kimera-multi",
        bags,
        BagLayout(robots=robots),
        health=health,
        labels=_labels(folder),
        truth=folder / "scene.json",
        notes=notes,
    )


def _robot(robot: str, topics: set[str], folder: Path, bags: dict[str, list[Path]]) -> RobotTopics:
    cameras = {
        m["camera"]: t for t in sorted(topics) if (m := COLOR.fullmatch(t)) and m["robot"] == robot
    }
    calibrated = TF_STATIC in topics
    return RobotTopics(
        cameras={
            name: _camera(f"/{robot}/{name}", color, topics, calibrated)
            for name, color in cameras.items()
        },
        odometry=_odometry(robot, topics, folder, bags),
        truth=_truth(robot, folder),
    )


def _camera(base: str, color: str, topics: set[str], calibrated: bool) -> CameraTopics:
    depth = next((t for t in (f"{base}/{d}" for d in DEPTH) if t in topics), f"{base}/{DEPTH[0]}")
    instances, labels = (
        f"{base}/instances/image_raw/compressed",
        f"{base}/labels/image_raw/compressed",
    )
    T_robot_color = T_ROBOT_DEPTH @ T_DEPTH_COLOR
    return CameraTopics(
        color=color,
        depth=depth,
        color_info=f"{base}/color/camera_info",
        depth_info=f"{base}/depth/camera_info",
        T_robot_color=None if calibrated else _pose(T_robot_color),
        T_color_depth=None if calibrated else _pose(inverse(T_DEPTH_COLOR)),
        instances=instances if instances in topics else None,
        labels=labels if labels in topics else None,
    )


def _pose(T: Floats) -> Pose:
    return Pose(matrix=T.tolist())


def _odometry(
    robot: str, topics: set[str], folder: Path, bags: dict[str, list[Path]]
) -> PoseSource:
    """Return the best odometry: of another bag beside the data, else of the robot's own."""
    for other in _vio_bags(robot, folder, bags[robot]):
        try:
            with opened([other]) as reader:
                found = _best(robot, topics_of(reader))
        except DataError:
            continue
        if found is not None:
            return PoseSource(topic=found, bag=str(other.relative_to(folder)))
    found = _best(robot, topics)
    if found is None:
        wanted = " or ".join(f"/{robot}/{name}" for name in ODOMETRY[:3])
        raise DataError(
            f"{folder}: {robot} has no odometry; {wanted} is needed, in its bag or in vio/{robot}.bag"
        )
    return PoseSource(topic=found)


def _best(robot: str, topics: Iterable[str]) -> str | None:
    there = set(topics)
    return next((t for t in (f"/{robot}/{name}" for name in ODOMETRY) if t in there), None)


def _vio_bags(robot: str, folder: Path, own: list[Path]) -> list[Path]:
    other, same = f"{robot}_vio.bag", f"{robot}.bag"
    places = (within(folder, other), within(folder, "vio", same), within(folder, "vio", other))
    return [p for p in places if p.is_file() and p not in own]


def _truth(robot: str, folder: Path) -> PoseSource | None:
    """Return the true poses, looked for beside the bags, in ``ground_truth`` and one folder below it."""
    name = TRUTH.format(robot=robot)
    places = [
        within(folder, name),
        within(folder, "ground_truth", name),
        *(within(p, name) for p in sorted(folder.glob("ground_truth/*/"))),
    ]
    found = next((p for p in places if p.is_file()), None)
    return None if found is None else PoseSource(file=str(found.relative_to(folder)))


def _labels(folder: Path) -> dict[int, str]:
    from commonground.config import read_yaml

    file = folder / "labels.yaml"
    content = read_yaml(file)[0] if file.is_file() else {}
    words = content if isinstance(content, dict) else {}
    numbers = {key: whole_number(str(key)) for key in words}
    wrong = [key for key, number in numbers.items() if number is None]
    if wrong:
        raise DataError(f"{file}: {wrong[0]!a:.40} is no number of a label")
    return {number: str(words[key]) for key, number in numbers.items() if number is not None}
