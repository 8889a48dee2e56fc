"""Bags made for tests: every version of ROS, any topics, any damage."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from rosbags.rosbag1 import Writer as Writer1
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as Writer2
from rosbags.typesys import Stores, get_typestore

from commonground.datasets.images import encode, to_millimeters
from commonground.frame import Camera, Frame
from commonground.geometry import quat_xyzw

KINDS = ("ros1", "sqlite3", "mcap")
Item = tuple[int, str, str, Any]


class Maker:
    """Makes messages of one ROS version."""

    def __init__(self, kind: str) -> None:
        self.ros1 = kind == "ros1"
        self.store = get_typestore(Stores.ROS1_NOETIC if self.ros1 else Stores.ROS2_HUMBLE)
        self.of = self.store.types

    def header(self, stamp_ns: int, frame: str = "cam") -> Any:
        time = self.of["builtin_interfaces/msg/Time"](stamp_ns // 10**9, stamp_ns % 10**9)
        first = (0,) if self.ros1 else ()
        return self.of["std_msgs/msg/Header"](*first, time, frame)

    def image(
        self, stamp_ns: int, image: np.ndarray, encoding: str, pad: int = 0, big: bool = False
    ) -> Any:
        height, width = image.shape[:2]
        rows = image.astype(image.dtype.newbyteorder(">" if big else "<")).tobytes()
        data = np.frombuffer(rows, np.uint8).reshape(height, -1)
        data = np.pad(data, ((0, 0), (0, pad)))
        return self.of["sensor_msgs/msg/Image"](
            self.header(stamp_ns), height, width, encoding, int(big), data.shape[1], data.ravel()
        )

    def compressed(self, stamp_ns: int, data: bytes, format: str) -> Any:
        return self.of["sensor_msgs/msg/CompressedImage"](
            self.header(stamp_ns), format, np.frombuffer(data, np.uint8)
        )

    def info(
        self, stamp_ns: int, camera: Camera, D: Iterable[float] = (0,) * 5, frame: str = "cam"
    ) -> Any:
        roi = self.of["sensor_msgs/msg/RegionOfInterest"](0, 0, 0, 0, False)
        P = np.c_[camera.K, np.zeros(3)].ravel()
        return self.of["sensor_msgs/msg/CameraInfo"](
            self.header(stamp_ns, frame),
            camera.height,
            camera.width,
            "plumb_bob",
            np.array(list(D), float),
            camera.K.ravel(),
            np.eye(3).ravel(),
            P,
            0,
            0,
            roi,
        )

    def odometry(self, stamp_ns: int, T: np.ndarray) -> Any:
        of, zero = self.of, self.of["geometry_msgs/msg/Vector3"](0.0, 0.0, 0.0)
        twist = of["geometry_msgs/msg/Twist"](zero, zero)
        return of["nav_msgs/msg/Odometry"](
            self.header(stamp_ns, "odom"),
            "base_link",
            of["geometry_msgs/msg/PoseWithCovariance"](self.pose(T), np.zeros(36)),
            of["geometry_msgs/msg/TwistWithCovariance"](twist, np.zeros(36)),
        )

    def pose_stamped(self, stamp_ns: int, T: np.ndarray) -> Any:
        return self.of["geometry_msgs/msg/PoseStamped"](self.header(stamp_ns), self.pose(T))

    def tf(self, stamp_ns: int, T: np.ndarray, child: str) -> Any:
        of, quat = self.of, quat_xyzw(T).tolist()
        moved = of["geometry_msgs/msg/Transform"](
            of["geometry_msgs/msg/Vector3"](*T[:3, 3].tolist()),
            of["geometry_msgs/msg/Quaternion"](*quat),
        )
        one = of["geometry_msgs/msg/TransformStamped"](self.header(stamp_ns, "odom"), child, moved)
        return of["tf2_msgs/msg/TFMessage"]([one])

    def pose(self, T: np.ndarray) -> Any:
        quat = quat_xyzw(T) if np.isfinite(T).all() else np.full(4, np.nan)
        return self.of["geometry_msgs/msg/Pose"](
            self.of["geometry_msgs/msg/Point"](*T[:3, 3].tolist()),
            self.of["geometry_msgs/msg/Quaternion"](*quat.tolist()),
        )


def write(
    kind: str, path: Path, items: Iterable[Item], maker: Maker, delay_ns: int = 0, packed: str = ""
) -> Path:
    """Write (stamp, topic, type, message) in the order given; received ``delay_ns`` after each stamp."""
    if kind == "ros1":
        path = path.with_suffix(".bag")
        writer: Any = Writer1(path)
        if packed:
            writer.set_compression(Writer1.CompressionFormat[packed.upper()])
        serialize: Callable[..., Any] = maker.store.serialize_ros1
    else:
        plugin = StoragePlugin.SQLITE3 if kind == "sqlite3" else StoragePlugin.MCAP
        writer = Writer2(path, version=9, storage_plugin=plugin)
        serialize = maker.store.serialize_cdr
    connections: dict[str, Any] = {}
    with writer:
        for stamp, topic, msgtype, message in items:
            if topic not in connections:
                connections[topic] = writer.add_connection(topic, msgtype, typestore=maker.store)
            writer.write(connections[topic], stamp + delay_ns, serialize(message, msgtype))
    return path


IMAGE, COMPRESSED = "sensor_msgs/msg/Image", "sensor_msgs/msg/CompressedImage"
INFO, ODOM = "sensor_msgs/msg/CameraInfo", "nav_msgs/msg/Odometry"


def items_of(
    maker: Maker, frames: list[Frame], poses: list[tuple[int, np.ndarray]], **how: Any
) -> list[Item]:
    """Return the messages of frames of one camera and of odometry, in the order of time.

    ``color``, ``depth``: functions (maker, frame) → (type, message). ``info``: topics to publish.
    """
    color = how.get("color", raw_color)
    depth = how.get("depth", raw_depth)
    out: list[Item] = []
    for frame in frames:
        t = frame.stamp_ns
        out.append((t, "/cam/color/info", INFO, maker.info(t, frame.camera)))
        out.append((t, "/cam/depth", *depth(maker, frame)))
        out.append((t, "/cam/color", *color(maker, frame)))
    out += [(t, "/odom", ODOM, maker.odometry(t, T)) for t, T in poses]
    return sorted(out, key=lambda item: item[0])


def raw_color(maker: Maker, frame: Frame) -> tuple[str, Any]:
    return IMAGE, maker.image(frame.stamp_ns, frame.rgb, "rgb8")


def raw_depth(maker: Maker, frame: Frame) -> tuple[str, Any]:
    return IMAGE, maker.image(frame.stamp_ns, to_millimeters(frame.depth_m), "16UC1")


def float_depth(maker: Maker, frame: Frame) -> tuple[str, Any]:
    return IMAGE, maker.image(frame.stamp_ns, frame.depth_m, "32FC1")


def png_color(maker: Maker, frame: Frame) -> tuple[str, Any]:
    return COMPRESSED, maker.compressed(
        frame.stamp_ns, encode(frame.rgb, "png"), "rgb8; png compressed bgr8"
    )


def packed_depth(maker: Maker, frame: Frame) -> tuple[str, Any]:
    data = bytes(12) + encode(to_millimeters(frame.depth_m), "png")
    return COMPRESSED, maker.compressed(frame.stamp_ns, data, "16UC1; compressedDepth png")


def packed_float_depth(maker: Maker, frame: Frame) -> tuple[str, Any]:
    """Return 32-bit depth as compressed_depth_image_transport quantizes it."""
    a, b = 100.0 * 101.0, 1.0 - 100.0 * 101.0 / 10.0
    with np.errstate(invalid="ignore"):
        inverse = np.nan_to_num(a / frame.depth_m + b)
    data = struct.pack("<iff", 0, a, b) + encode(inverse.astype(np.uint16), "png")
    return COMPRESSED, maker.compressed(frame.stamp_ns, data, "32FC1; compressedDepth png")


def rvl_depth(maker: Maker, frame: Frame) -> tuple[str, Any]:
    """Return depth packed as RVL, with the 12 bytes and the size before it."""
    height, width = frame.depth_m.shape
    code = rvl(to_millimeters(frame.depth_m).ravel().tolist())
    data = bytes(12) + struct.pack("<II", width, height) + code
    return COMPRESSED, maker.compressed(frame.stamp_ns, data, "16UC1; compressedDepth rvl")


def rvl(depths: list[int]) -> bytes:
    """Return the RVL code of depths."""
    groups: list[int] = []

    def put(number: int) -> None:
        while True:
            low, number = number & 7, number >> 3
            groups.append(low | (8 if number else 0))
            if not number:
                return

    at, previous = 0, 0
    while at < len(depths):
        zeros = at
        while zeros < len(depths) and depths[zeros] == 0:
            zeros += 1
        put(zeros - at)
        end = zeros
        while end < len(depths) and depths[end] != 0:
            end += 1
        put(end - zeros)
        for depth in depths[zeros:end]:
            step = depth - previous
            put((step << 1) ^ (step >> 31))
            previous = depth
        at = end
    groups += [0] * (-len(groups) % 8)
    words = np.array(groups, np.uint32).reshape(-1, 8) << np.arange(28, -1, -4, dtype=np.uint32)
    return words.sum(axis=1).astype("<u4").tobytes()


def as_image(
    pixels: Callable[[Frame], np.ndarray], encoding: str, **how: Any
) -> Callable[..., tuple[str, Any]]:
    """Return the maker of raw images of what a function takes from a frame."""

    def made(maker: Maker, frame: Frame) -> tuple[str, Any]:
        return IMAGE, maker.image(frame.stamp_ns, pixels(frame), encoding, **how)

    return made
