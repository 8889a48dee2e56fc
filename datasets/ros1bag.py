"""Writer of ROS 1 bags in the topic layout of the Kimera-Multi dataset, one bag a robot, truth beside it."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from concurrent.futures import as_completed
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from commonground.arrays import Floats
from commonground.atomic import write_error, write_text
from commonground.datasets.folder import about, claim, simulation_of, write_truth
from commonground.datasets.images import encode, to_millimeters
from commonground.datasets.readers.kimera_multi import TRUTH
from commonground.datasets.simulator.simulation import Simulation
from commonground.errors import require
from commonground.frame import Camera, Frame
from commonground.geometry import quat_wxyz, quat_xyzw
from commonground.names import within
from commonground.workers import worker_pool

ODOMETRY = "jackal_velocity_controller/odom"
MARKER = "simulation.yaml"
DEPTH_FORMAT = "16UC1; compressedDepth png"
DEPTH_HEADER = bytes(12)
"""Quantization of 32-bit depth, of which 16-bit depth has none."""

TF_DEFINITION = "geometry_msgs/TransformStamped[] transforms"

Item = tuple[int, str, str, Any]
"""Stamp, topic, message type, message."""


def writing(simulation: Simulation, out: str | Path, *, jobs: int = 1) -> Iterator[int]:
    """Write a bag for each robot; yields once for every frame. Bags that are there already are kept.

    With several jobs the robots are rendered in parallel processes.
    """
    require("rosbags", "mapping")
    folder = Path(out)
    claim(folder / MARKER, about(simulation))
    write_truth(simulation, folder)
    write_text(folder / "labels.yaml", yaml.safe_dump(dict(simulation.labels()), sort_keys=False))
    for robot in simulation.robots():
        _write_ground_truth(simulation, robot, folder)
    if jobs < 2 or not simulation.from_settings:
        for robot in simulation.robots():
            yield from write_bag(simulation, robot, folder)
        return
    recipe = (simulation.settings.model_dump_json(), simulation.robots())
    with worker_pool(jobs, __name__) as pool:
        tasks = [
            pool.submit(_bag_elsewhere, *recipe, folder, robot) for robot in simulation.robots()
        ]
        for task in as_completed(tasks):
            yield from range(task.result())


def _bag_elsewhere(settings_json: str, robots: tuple[str, ...], folder: Path, robot: str) -> int:
    return sum(1 for _ in write_bag(simulation_of(settings_json, robots), robot, folder))


def write_bag(simulation: Simulation, robot: str, folder: Path) -> Iterator[int]:
    """Write the bag of one robot under a temporary name, then rename it; yields once a frame."""
    from rosbags.rosbag1 import Writer, WriterError
    from rosbags.typesys import Stores, get_types_from_msg, get_typestore

    target = within(folder, f"{robot}.bag")
    if target.is_file():
        yield from range(simulation.length(robot))
        return
    temporary = within(folder, f".{robot}.bag.part")
    temporary.unlink(missing_ok=True)
    store, connections = get_typestore(Stores.ROS1_NOETIC), {}
    store.register(get_types_from_msg(TF_DEFINITION, "tf2_msgs/msg/TFMessage"))
    types = _Types(store)
    try:
        with Writer(temporary) as writer:
            for stamp, topic, kind, message in _items(simulation, robot, types):
                if topic not in connections:
                    connections[topic] = writer.add_connection(topic, kind, typestore=store)
                writer.write(connections[topic], stamp, store.serialize_ros1(message, kind))
                if topic.endswith("/color/image_raw/compressed"):
                    yield stamp
        temporary.replace(target)
    except (OSError, WriterError) as error:
        failure = error if isinstance(error, OSError) else OSError(str(error))
        raise write_error(target, failure) from error
    finally:
        temporary.unlink(missing_ok=True)


def _items(simulation: Simulation, robot: str, types: _Types) -> Iterator[Item]:
    """Yield every message of a robot's bag in the order of time."""
    start = int(simulation.trajectory(robot).stamps_ns[0])
    yield start, "/tf_static", "tf2_msgs/msg/TFMessage", types.mounts(simulation, robot, start)
    streams = (_odometry(simulation, robot, types), _images(simulation, robot, types))
    yield from heapq.merge(*streams, key=lambda item: item[0])


def _odometry(simulation: Simulation, robot: str, types: _Types) -> Iterator[Item]:
    trajectory = simulation.trajectory(robot)
    for k, (stamp, T) in enumerate(
        zip(trajectory.stamps_ns.tolist(), trajectory.T_odom_robot, strict=True)
    ):
        message = types.odometry(robot, k, stamp, T)
        yield stamp, f"/{robot}/{ODOMETRY}", "nav_msgs/msg/Odometry", message


def _images(simulation: Simulation, robot: str, types: _Types) -> Iterator[Item]:
    compressed, info = "sensor_msgs/msg/CompressedImage", "sensor_msgs/msg/CameraInfo"
    for k, frame in enumerate(simulation.frames(robot)):
        base, stamp = f"/{robot}/{frame.camera.name}", frame.stamp_ns
        header = types.header(k, stamp, _optical(robot, frame.camera.name))
        lens = types.camera_info(header, frame.camera)
        yield stamp, f"{base}/depth/camera_info", info, lens
        depth = DEPTH_HEADER + encode(to_millimeters(frame.depth_m), "png")
        yield (
            stamp,
            f"{base}/depth/image_rect_raw/compressedDepth",
            compressed,
            types.compressed(header, DEPTH_FORMAT, depth),
        )
        for name, data in _id_images(frame):
            yield (
                stamp,
                f"{base}/{name}/image_raw/compressed",
                compressed,
                types.compressed(header, "png", data),
            )
        yield stamp, f"{base}/color/camera_info", info, lens
        jpeg = types.compressed(header, "rgb8; jpeg compressed bgr8", encode(frame.rgb, "jpg"))
        yield stamp, f"{base}/color/image_raw/compressed", compressed, jpeg


def _id_images(frame: Frame) -> Iterator[tuple[str, bytes]]:
    if frame.instances is not None:
        yield "instances", encode(frame.instances.astype(np.uint16), "png")
    if frame.labels is not None:
        yield "labels", encode(frame.labels.astype(np.uint8), "png")


def _optical(robot: str, camera: str) -> str:
    return f"{robot}/{camera}_color_optical_frame"


def _write_ground_truth(simulation: Simulation, robot: str, folder: Path) -> None:
    trajectory = simulation.trajectory(robot)
    T = trajectory.T_world_robot
    if T is None:
        return
    lines = ["#timestamp_kf,x,y,z,qw,qx,qy,qz"]
    for stamp, p, q in zip(trajectory.stamps_ns.tolist(), T[:, :3, 3], quat_wxyz(T), strict=True):
        lines.append(",".join([str(stamp), *(f"{v:.12g}" for v in (*p, *q))]))
    write_text(folder / "ground_truth" / TRUTH.format(robot=robot), "\n".join(lines) + "\n")


class _Types:
    """Makes ROS 1 messages of one type store."""

    def __init__(self, store: Any) -> None:
        self._of = store.types

    def header(self, k: int, stamp_ns: int, frame: str) -> Any:
        time = self._of["builtin_interfaces/msg/Time"](stamp_ns // 10**9, stamp_ns % 10**9)
        return self._of["std_msgs/msg/Header"](k, time, frame)

    def compressed(self, header: Any, format: str, data: bytes) -> Any:
        return self._of["sensor_msgs/msg/CompressedImage"](
            header, format, np.frombuffer(data, np.uint8)
        )

    def camera_info(self, header: Any, camera: Camera) -> Any:
        roi = self._of["sensor_msgs/msg/RegionOfInterest"](0, 0, 0, 0, False)
        P = np.concatenate([camera.K, np.zeros((3, 1))], axis=1)
        return self._of["sensor_msgs/msg/CameraInfo"](
            header,
            camera.height,
            camera.width,
            "plumb_bob",
            np.zeros(5),
            camera.K.ravel(),
            np.eye(3).ravel(),
            P.ravel(),
            0,
            0,
            roi,
        )

    def odometry(self, robot: str, k: int, stamp_ns: int, T: Floats) -> Any:
        of, zero = self._of, self._of["geometry_msgs/msg/Vector3"](0.0, 0.0, 0.0)
        place = of["geometry_msgs/msg/Point"](*T[:3, 3].tolist())
        pose = of["geometry_msgs/msg/Pose"](
            place, of["geometry_msgs/msg/Quaternion"](*quat_xyzw(T).tolist())
        )
        twist = of["geometry_msgs/msg/Twist"](zero, zero)
        unknown = np.zeros(36)
        return of["nav_msgs/msg/Odometry"](
            self.header(k, stamp_ns, f"{robot}/odom"),
            f"{robot}/base_link",
            of["geometry_msgs/msg/PoseWithCovariance"](pose, unknown),
            of["geometry_msgs/msg/TwistWithCovariance"](twist, unknown),
        )

    def mounts(self, simulation: Simulation, robot: str, stamp_ns: int) -> Any:
        of, transforms = self._of, []
        for camera in simulation.cameras(robot):
            T = simulation.T_robot_cam(robot, camera.name)
            moved = of["geometry_msgs/msg/Vector3"](*T[:3, 3].tolist())
            turned = of["geometry_msgs/msg/Quaternion"](*quat_xyzw(T).tolist())
            transforms.append(
                of["geometry_msgs/msg/TransformStamped"](
                    self.header(0, stamp_ns, f"{robot}/base_link"),
                    _optical(robot, camera.name),
                    of["geometry_msgs/msg/Transform"](moved, turned),
                )
            )
        return of["tf2_msgs/msg/TFMessage"](transforms)
