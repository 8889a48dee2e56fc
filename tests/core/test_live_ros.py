"""Frames from ROS messages, whatever comes first, and a robot behind rosbridge on loopback."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import threading
import time
from typing import Any

import numpy as np
import pytest
from PIL import Image

from commonground.errors import DataError
from commonground.live.team import ros
from commonground.live.team.ros import SKEW_OF, Joining, RosFrames, RosSource

NONE = {"x": 0.0, "y": 0.0, "z": 0.0}
STILL = {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}


def header(at_s: float, ros: int, frame: str = "optical") -> dict[str, Any]:
    sec, nano = divmod(round(at_s * 1e9), 10**9)
    names = ("sec", "nanosec") if ros == 2 else ("secs", "nsecs")
    return {"stamp": dict(zip(names, (sec, nano), strict=True)), "frame_id": frame}


def messages(at_s: float, ros: int = 2, depth_frame: str = "optical") -> dict[str, Any]:
    """All that a robot says of one instant, at x = its time."""
    picture = io.BytesIO()
    Image.new("RGB", (8, 6), (200, 10, 10)).save(picture, "PNG")
    depth = np.full((6, 8), 1500, "<u2")
    depth[0, 0] = 0
    mount = {"translation": {"x": 0.2, "y": 0.0, "z": 0.5}, "rotation": STILL}
    tree = {"header": {"frame_id": "/base"}, "child_frame_id": "optical", "transform": mount}
    return {
        "info": {
            "header": header(at_s, ros),
            "width": 8,
            "height": 6,
            ("k" if ros == 2 else "K"): [7, 0, 4, 0, 7, 3, 0, 0, 1],
        },
        "tf": {"transforms": [tree]},
        "color": {
            "header": header(at_s, ros),
            "format": "png",
            "data": base64.b64encode(picture.getvalue()).decode(),
        },
        "depth": {
            "header": header(at_s, ros, depth_frame),
            "height": 6,
            "width": 8,
            "encoding": "16UC1",
            "is_bigendian": 0,
            "step": 16,
            "data": base64.b64encode(depth.tobytes()).decode(),
        },
        "odometry": {
            "header": header(at_s, ros, "odom"),
            "child_frame_id": "base",
            "pose": {"pose": {"position": {**NONE, "x": at_s % 1000}, "orientation": STILL}},
        },
    }


@pytest.mark.parametrize("ros", [1, 2])
@pytest.mark.parametrize("order", ["info tf odometry color depth", "depth tf color info odometry"])
def test_what_belongs_together_becomes_a_frame_in_any_order(ros: int, order: str) -> None:
    joining, now, frames = Joining("r", skew_of=1), time.time(), []
    for at in (now - 0.2, now):
        said = messages(at, ros)
        for name in order.split():
            frames += joining.take(name, said[name])
    frame = frames[-1]
    assert len(frames) == 2 or (len(frames) == 1 and order.startswith("depth"))
    assert frame.rgb[0, 0].tolist() == [200, 10, 10]
    assert np.isnan(frame.depth_m[0, 0]) and frame.depth_m[1, 1] == np.float32(1.5)
    np.testing.assert_allclose(frame.T_odom_cam[:3, 3], [now % 1000 + 0.2, 0.0, 0.5], atol=0.3)


def test_an_image_between_two_poses_lies_between_them() -> None:
    joining, now = Joining("r", skew_of=1), time.time()
    first, second = messages(now), messages(now + 0.1)
    for name in ("info", "tf", "odometry"):
        joining.take(name, first[name])
    middle = messages(now + 0.05)
    assert not [*joining.take("color", middle["color"]), *joining.take("depth", middle["depth"])]
    (frame,) = joining.take("odometry", second["odometry"])
    assert frame.T_odom_cam[0, 3] == pytest.approx((now + 0.05) % 1000 + 0.2, abs=1e-3)


def test_depth_that_is_not_aligned_and_a_clock_far_off_are_refused_in_a_line() -> None:
    joining, said = Joining("r", skew_of=1), messages(time.time(), depth_frame="depth_optical")
    for name in said:
        joining.take(name, said[name])
    assert "it is not aligned" in joining.refused
    for behind, refused in ((30.0, False), (300.0, True)):
        joining = Joining("r")
        frames = []
        for k in range(SKEW_OF):
            said = messages(time.time() - behind + 0.01 * k)
            frames += [f for name in said for f in joining.take(name, said[name])]
        assert ("clock of r" in joining.refused) is refused
        # brought to our clock
        assert abs(frames[-1].stamp_ns / 1e9 - time.time()) < 1.0
    assert "no odometry" in Joining("r").missing()


class Robot:
    """A rosbridge server that says the same again and again, and may go away for a while."""

    def __init__(self, without: str = "") -> None:
        self.without, self.port, self.connections = without, 0, 0
        self._ready, self._stop = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    def __enter__(self) -> Robot:
        self._thread.start()
        assert self._ready.wait(20)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(20)

    async def _serve(self) -> None:
        from websockets.asyncio.server import serve

        async with serve(self._client, "127.0.0.1", 0) as server:
            self.port = next(iter(server.sockets)).getsockname()[1]
            self._ready.set()
            while not self._stop.is_set():
                await asyncio.sleep(0.02)

    async def _client(self, client: Any) -> None:
        self.connections += 1
        topics = {}
        while len(topics) < 6:
            wish = json.loads(await client.recv())
            topics[wish["topic"]] = wish["type"]
        assert topics["/odom"] == "nav_msgs/msg/Odometry"
        named = {v: k for k, v in RosSource(address="").model_dump().items() if isinstance(v, str)}
        for _ in range(3):
            for name, message in messages(time.time()).items():
                topic = next((t for t in topics if named.get(t, "tf") == name), None)
                if name != self.without:
                    await client.send(json.dumps({"op": "publish", "topic": topic, "msg": message}))
            await asyncio.sleep(0.05)
        await client.close()  # and comes back


def test_a_robot_behind_rosbridge_gives_frames_and_may_go_away_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("websockets")
    pytest.importorskip("cbor2")
    monkeypatch.setattr(ros, "SILENT_S", 60.0)
    said: list[str] = []
    with Robot() as robot:
        source = RosSource(address=f"ws://127.0.0.1:{robot.port}", ends_after_s=120)
        frames = RosFrames(source, "r", said.append)(None)
        came = [next(frames) for _ in range(7)]
        frames.close()  # type: ignore[attr-defined]
        assert robot.connections >= 2
        assert np.diff([f.stamp_ns for f in came]).min() > 0
    assert not any(said)


def test_a_robot_without_odometry_is_told_and_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("websockets")
    pytest.importorskip("cbor2")
    monkeypatch.setattr(ros, "SILENT_S", 1.5)  # all else has come by then
    said: list[str] = []
    with Robot(without="odometry") as robot:
        source = RosSource(address=f"ws://127.0.0.1:{robot.port}", ends_after_s=2.5)
        with pytest.raises(DataError, match="no odometry came from r"):
            next(RosFrames(source, "r", said.append)(None))
    assert said and all("no odometry came from r; check the topics" in line for line in said)


def test_a_server_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("websockets")
    pytest.importorskip("cbor2")
    monkeypatch.setattr(ros, "SILENT_S", 0.2)
    said: list[str] = []
    with Robot() as robot:
        gone = f"ws://127.0.0.1:{robot.port}"
    with pytest.raises(DataError, match=gone):
        next(RosFrames(RosSource(address=gone, ends_after_s=1), "r", said.append)(None))
    assert said and gone in said[0]


def test_images_that_change_their_size_go_on_when_the_camera_says_so() -> None:
    joining, now, frames = Joining("r", skew_of=1), time.time(), []
    for k in range(6):
        said = messages(now + 0.1 * k)
        if k >= 2:  # half the size; the camera says so later
            for name in ("color", "depth"):
                said[name] = smaller(said[name], name)
        if k == 4:
            joining.take("info", {**said["info"], "width": 4, "height": 3})
        for name in ("tf", "odometry", "color", "depth") if k else said:
            frames += joining.take(name, said[name])
    assert [f.rgb.shape[:2] for f in frames] == [(6, 8), (6, 8), (3, 4), (3, 4)]
    assert not joining.refused


def test_images_that_never_go_together_are_refused() -> None:
    joining, now = Joining("r", skew_of=1), time.time()
    for k in range(ros.ODD + 1):
        said = messages(now + 0.1 * k)
        said["depth"] = smaller(said["depth"], "depth")
        for name in said:
            joining.take(name, said[name])
    assert "do not go together" in joining.refused


def smaller(message: dict[str, Any], name: str) -> dict[str, Any]:
    """An image of half the size."""
    if name == "depth":
        data = base64.b64encode(np.full((3, 4), 1500, "<u2").tobytes()).decode()
        return {**message, "height": 3, "width": 4, "step": 8, "data": data}
    picture = io.BytesIO()
    Image.new("RGB", (4, 3), (200, 10, 10)).save(picture, "PNG")
    return {**message, "data": base64.b64encode(picture.getvalue()).decode()}


def test_a_clock_that_is_set_back_is_told_and_images_go_on_at_once() -> None:
    joining, now = Joining("r", skew_of=1), time.time()
    frames = []
    for at in (now - 0.1, now - 0.05, now, now - 30.0, now - 29.9):
        said = messages(at)
        frames += [f for name in said for f in joining.take(name, said[name])]
    assert [round(frame.stamp_ns / 1e9 - now, 1) for frame in frames[-2:]] == [0.0, -29.9]
    assert list(joining.remarks()) == ["its clock was set back by 30 s"]
    assert not list(joining.remarks())


def test_stamps_that_are_brought_to_our_clock_are_told_of() -> None:
    joining = Joining("r", skew_of=1)
    said = messages(time.time() + 2.0)
    for name in said:
        joining.take(name, said[name])
    (told,) = joining.remarks()
    assert told == "its clock is +2.0 s off ours; its stamps are brought to ours"
