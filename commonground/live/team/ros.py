"""Frames of a robot that speaks ROS, over rosbridge: color and aligned depth, joined with its odometry.

Compressed color, depth in its frame, camera info, odometry, and TF from the robot's body to the camera;
ROS 1 and 2. Stamps are brought to the clock of this machine where the robot's differs.
"""

from __future__ import annotations

import base64
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import numpy as np
from pydantic import Field

from commonground.arrays import Bytes, Floats, Floats32
from commonground.errors import CommongroundError, DataError
from commonground.frame import Camera, Frame
from commonground.geometry import from_quat_xyzw, interpolate, transform
from commonground.live.team.waiting import Waiting
from commonground.mapping.checkpoint import Progress
from commonground.reading_pictures import picture
from commonground.settings import Settings

if TYPE_CHECKING:
    from commonground.planning.robots.rosbridge.client import Bridge

Say: TypeAlias = Callable[[str], None]
"""Takes a line about what a stream waits for; an empty one when it goes on."""
TOGETHER_NS = 20_000_000
"""Color and depth are of one instant if their stamps differ by less."""
WAITING = 30
"""Images that wait for their other half, or for odometry."""
ODOMETRY = 2000
SKEW_S = 0.2
"""Clocks that differ by less are left alone: that is the way of the messages."""
SKEW_OF = 15
"""Messages from which the difference of clocks is taken, the quickest of them."""
SET_BACK_S = 1.0
"""Odometry that much older than the last says that the clock was set back."""
LONGEST_CHAIN = 50
LOOK_S = 0.5
SILENT_S = 5.0
"""After so long without a frame it is said why there is none."""
ODD = 30
"""So many images in a row whose sizes do not go together are no change of size any more."""
KINDS = {
    "color": ("sensor_msgs", "CompressedImage"),
    "depth": ("sensor_msgs", "Image"),
    "info": ("sensor_msgs", "CameraInfo"),
    "odometry": ("nav_msgs", "Odometry"),
}


class RosSource(Settings):
    """A robot behind rosbridge."""

    address: str
    """As ``ws://10.0.0.5:9090``."""
    ros: Annotated[int, Field(ge=1, le=2)] = 2
    color: str = "/camera/color/image_raw/compressed"
    depth: str = "/camera/aligned_depth_to_color/image_raw"
    info: str = "/camera/color/camera_info"
    odometry: str = "/odom"
    ends_after_s: Annotated[float, Field(gt=0)] = 600.0
    """The stream has ended when nothing came for so long; it may come and go before that."""
    most_skew_s: Annotated[float, Field(gt=0)] = 60.0
    """A robot whose clock differs more is refused."""


class RosFrames:
    """Frames of one robot as they come over rosbridge."""

    def __init__(
        self, settings: RosSource, robot: str, say: Say, remark: Say = lambda line: None
    ) -> None:
        self.settings, self.robot, self._say, self._remark = settings, robot, say, remark

    def __call__(self, done: Progress | None) -> Iterator[Frame]:
        """Yield frames until nothing came for long; what was taken before does not come again."""
        line = Waiting(WAITING)
        joining = Joining(self.robot, self.settings.most_skew_s)
        bridge = self._reached(joining, line)
        try:
            yield from self._until_silent(line, joining, bridge)
        finally:
            bridge.close()

    def _reached(self, joining: Joining, line: Waiting) -> Bridge:
        """Return the connection; a server that is not there yet is waited for."""
        from commonground.planning.robots.protocol import RobotError

        until_s = time.monotonic() + self.settings.ends_after_s
        while True:
            bridge = self._bridge(joining, line)
            try:
                bridge.open()
            except RobotError as error:
                if time.monotonic() > until_s:
                    raise DataError(str(error)) from error
                self._say(str(error))
                time.sleep(LOOK_S)
            else:
                return bridge

    def _bridge(self, joining: Joining, line: Waiting) -> Bridge:
        """Return a connection that hands on what is asked for."""
        from commonground.planning.robots.rosbridge.client import Bridge

        s = self.settings
        bridge = Bridge(s.address)
        for name, (package, kind) in KINDS.items():
            full = f"{package}/msg/{kind}" if s.ros == 2 else f"{package}/{kind}"
            bridge.subscribe(getattr(s, name), full, _Taker(joining, name, line), "cbor")
        tf = "tf2_msgs/msg/TFMessage" if s.ros == 2 else "tf2_msgs/TFMessage"
        for topic in ("/tf_static", "/tf"):
            bridge.subscribe(topic, tf, _Taker(joining, "tf", line))
        return bridge

    def _until_silent(self, line: Waiting, joining: Joining, bridge: Bridge) -> Iterator[Frame]:
        """Yield what comes; what keeps it from coming is said after a while, and in the end raised."""
        came, heard_s = False, time.monotonic()
        while True:
            arrival = line.take(LOOK_S)
            for remark in joining.remarks():
                self._remark(remark)
            if joining.refused:
                raise DataError(f"{self.settings.address}: {joining.refused}")
            if arrival is not None:
                came, heard_s = True, time.monotonic()
                self._say("")
                yield arrival.frame
                continue
            silent_s = time.monotonic() - heard_s
            silent = came or not any(joining.counts.values())
            down = bridge.down if silent else ""  # one that comes and goes lacks something else
            why = f"{self.settings.address}: {down or joining.missing(bridge.garbage)}"
            if silent_s > self.settings.ends_after_s:
                if came:
                    return
                raise DataError(why)
            if silent_s > SILENT_S:
                self._say(why)


class _Taker:
    """Hands the messages of a topic to a ``Joining``, and the frames that come of them into a line."""

    def __init__(self, joining: Joining, name: str, line: Waiting) -> None:
        self.joining, self.name, self.line = joining, name, line

    def __call__(self, message: Mapping[str, Any]) -> None:
        for frame in self.joining.take(self.name, message):
            self.line.put(frame, time.monotonic())


class Joining:
    """Puts frames together from messages, in whatever order they come."""

    def __init__(self, robot: str, most_skew_s: float = 60.0, skew_of: int = SKEW_OF) -> None:
        self.robot, self.most_skew_s = robot, most_skew_s
        self.refused = ""
        """Why nothing of this robot can be used."""
        self.counts = dict.fromkeys((*KINDS, "tf"), 0)
        self._placed = False
        self._odd, self._odds = "", 0
        """What was wrong with the last images that do not go together, and how many in a row there were."""
        self._camera: Camera | None = None
        self._color: deque[tuple[int, str, Any]] = deque(maxlen=WAITING)
        self._depth: deque[tuple[int, str, Any]] = deque(maxlen=WAITING)
        self._odometry: deque[tuple[int, Floats]] = deque(maxlen=ODOMETRY)
        self._body = ""
        self._parents: dict[str, tuple[str, Floats]] = {}
        self._clock = Clock(skew_of)
        self._remarks: deque[str] = deque(maxlen=WAITING)
        self._lock = threading.Lock()

    def take(self, name: str, message: Mapping[str, Any]) -> list[Frame]:
        """Take a message; return the frames that are whole now, in their order."""
        with self._lock:
            self.counts[name] += 1
            if name == "tf":
                self._take_tf(message)
            elif name == "info":
                self._take_info(message)
            elif name == "odometry":
                self._take_odometry(message)
            else:
                frame_id = _plain(message["header"]["frame_id"])
                line = self._color if name == "color" else self._depth
                line.append((_stamp(message), frame_id, message))
            if "header" in message:
                self._hear_clock(_stamp(message))
            return self._joined() if self._clock.known and self._camera is not None else []

    def missing(self, garbage: str = "") -> str:
        """Return in a line why there are no frames; ``garbage`` is what was wrong with a message."""
        none = [name for name, count in self.counts.items() if count == 0]
        if none:
            also = f" ({garbage})" if garbage else ""
            return f"no {', no '.join(none)} came from {self.robot}; check the topics{also}"
        if self._odd or garbage:
            return f"images of {self.robot} cannot be used: {self._odd or garbage}"
        if self._placed:
            return f"nothing comes from {self.robot} any more"
        return f"no image of {self.robot} could be placed: TF does not join its camera and '{self._body}'"

    def remarks(self) -> Iterator[str]:
        """Yield what is odd and keeps no images from coming, once."""
        while self._remarks:
            yield self._remarks.popleft()

    def _hear_clock(self, stamp_ns: int) -> None:
        knew = self._clock.known
        self._clock.hear(stamp_ns)
        if self._clock.known and not knew and self._clock.skew_s:
            self._remarks.append(
                f"its clock is {-self._clock.skew_s:+.1f} s off ours; its stamps are brought to ours"
            )

    def _take_odometry(self, message: Mapping[str, Any]) -> None:
        self._body = _plain(message["child_frame_id"])
        stamp_ns = _stamp(message)
        back_s = (self._odometry[-1][0] - stamp_ns) / 1e9 if self._odometry else 0.0
        if back_s > SET_BACK_S:  # what was before belongs to another clock
            self._remarks.append(f"its clock was set back by {back_s:.0f} s")
            self._odometry.clear()
            for line in (self._color, self._depth):
                newer = [each for each in line if each[0] < stamp_ns + SET_BACK_S * 1e9]
                line.clear()
                line.extend(newer)
        self._odometry.append((stamp_ns, _pose(message["pose"]["pose"])))

    def _take_tf(self, message: Mapping[str, Any]) -> None:
        for each in message["transforms"]:
            moved = each["transform"]
            T = _rigid(moved["translation"], moved["rotation"])
            parent = _plain(each["header"]["frame_id"])
            self._parents[_plain(each["child_frame_id"])] = parent, T

    def _take_info(self, message: Mapping[str, Any]) -> None:
        K = np.array(message["k" if "k" in message else "K"], float).reshape(3, 3)
        self._camera = Camera("camera", K, int(message["width"]), int(message["height"]))

    def _joined(self) -> list[Frame]:
        frames, skew_s = [], self._clock.skew_s
        if abs(skew_s) > self.most_skew_s:
            self.refused = (
                f"the clock of {self.robot} is {-skew_s:+.0f} s off ours, more than the "
                f"{self.most_skew_s:.0f} s allowed; set it by NTP"
            )
        while self._color and self._depth:
            color, depth = self._color[0], self._depth[0]
            if abs(color[0] - depth[0]) > TOGETHER_NS:
                (self._color if color[0] < depth[0] else self._depth).popleft()
                continue
            if not self._odometry or self._odometry[-1][0] < color[0]:
                break  # where it was is not known yet
            self._color.popleft()
            self._depth.popleft()
            frame = self._frame(color, depth, round(1e9 * skew_s))
            if frame is not None:
                frames.append(frame)
        return frames

    def _frame(
        self, color: tuple[int, str, Any], depth: tuple[int, str, Any], shift_ns: int
    ) -> Frame | None:
        stamp_ns, frame_id, message = color
        if depth[1] != frame_id:
            self.refused = (
                f"depth of {self.robot} is in frame '{depth[1]}' and color in '{frame_id}': "
                "it is not aligned"
            )
        T_odom_body, T_body_cam = self._at(stamp_ns), self._to(frame_id)
        if T_odom_body is None or T_body_cam is None or self._camera is None:
            return None
        try:
            frame = Frame(
                stamp_ns=stamp_ns + shift_ns,
                robot=self.robot,
                camera=self._camera,
                rgb=_color_of(message),
                depth_m=_depth_of(depth[2]),
                T_odom_cam=T_odom_body @ T_body_cam,
            )
        except (
            CommongroundError
        ) as error:  # of another size than the camera says; that may change too
            self._odd, self._odds = str(error).split(": ", 1)[-1], self._odds + 1
            if self._odds >= ODD:
                self.refused = f"images of {self.robot} do not go together: {self._odd}"
            return None
        self._odd, self._odds, self._placed = "", 0, True
        return frame

    def _at(self, stamp_ns: int) -> Floats | None:
        """Return the pose of the body at an instant, between two of its odometry."""
        after = next((k for k, (at, _) in enumerate(self._odometry) if at >= stamp_ns), None)
        if after is None or (after == 0 and self._odometry[0][0] > stamp_ns):
            return None
        (t1, two), (t0, one) = self._odometry[after], self._odometry[max(0, after - 1)]
        share = (stamp_ns - t0) / (t1 - t0) if t1 > t0 else 0.0
        return interpolate(one, two, share)

    def _to(self, frame: str) -> Floats | None:
        """Return the pose of a frame on the body."""
        T = np.eye(4)
        for _ in range(LONGEST_CHAIN):
            if frame == self._body:
                return T
            if frame not in self._parents:
                return None
            frame, step = self._parents[frame]
            T = step @ T
        return None


class Clock:
    """How far a robot's clock is behind ours, by the quickest of its first messages."""

    def __init__(self, messages: int = SKEW_OF) -> None:
        self._awaited = messages
        self._late_s: list[float] = []

    def hear(self, stamp_ns: int) -> None:
        """Take note of a stamp that just came."""
        if not self.known:
            self._late_s.append(time.time() - stamp_ns / 1e9)

    @property
    def known(self) -> bool:
        """Whether enough was heard; it stays so, for stamps must not jump."""
        return len(self._late_s) >= self._awaited

    @property
    def skew_s(self) -> float:
        """Seconds that its clock is behind; 0 for what may be the way of the messages."""
        least = min(self._late_s, key=abs)
        return least if abs(least) > SKEW_S else 0.0


def _stamp(message: Mapping[str, Any]) -> int:
    stamp = message["header"]["stamp"]
    seconds = stamp["sec"] if "sec" in stamp else stamp["secs"]
    return int(seconds) * 10**9 + int(stamp["nanosec"] if "nanosec" in stamp else stamp["nsecs"])


def _pose(pose: Mapping[str, Any]) -> Floats:
    return _rigid(pose["position"], pose["orientation"])


def _rigid(position: Mapping[str, Any], quat: Mapping[str, Any]) -> Floats:
    q = np.array([float(quat[k]) for k in "xyzw"])
    if not abs(np.linalg.norm(q) - 1.0) < 0.05:
        raise ValueError("a pose whose quaternion is none")
    return transform(from_quat_xyzw(q), [float(position[k]) for k in "xyz"])


def _bytes(data: Any) -> bytes:
    return base64.b64decode(data) if isinstance(data, str) else bytes(data)


def _color_of(message: Mapping[str, Any]) -> Bytes:
    with picture(_bytes(message["data"]), ("JPEG", "PNG")) as image:
        return np.asarray(image.convert("RGB"))


def _depth_of(message: Mapping[str, Any]) -> Floats32:
    """Return depth in meters: 16UC1 holds millimeters, 32FC1 meters."""
    height, width, kind = int(message["height"]), int(message["width"]), message["encoding"]
    order = ">" if message.get("is_bigendian") else "<"
    dtypes = {"16UC1": "u2", "mono16": "u2", "32FC1": "f4"}
    if kind not in dtypes:
        raise ValueError(f"depth images of kind '{kind}'; 16UC1 or 32FC1 is needed")
    dtype = np.dtype(order + dtypes[kind])
    rows = np.frombuffer(_bytes(message["data"]), np.uint8).reshape(height, -1)
    values = np.ascontiguousarray(rows[:, : width * dtype.itemsize]).view(dtype).astype(np.float32)
    depth = values if dtype.kind == "f" else values / np.float32(1000.0)
    return np.where(np.isfinite(depth) & (depth > 0), depth, np.float32(np.nan))


def _plain(text: Any) -> str:
    """Return a frame's name; ROS 1 writes some with a slash in front."""
    return str(text).lstrip("/")
