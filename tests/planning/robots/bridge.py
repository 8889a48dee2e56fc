"""A rosbridge server on loopback with a kinematic robot behind it, and whatever may go wrong there.

It follows the protocol, version 2: subscriptions with compression and fragments, topics, a service, actions.
It serves one robot for at most four minutes, and its test stops it.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import io
import json
import math
import threading
import time
from typing import Any

import cbor2
from PIL import Image
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from tests.planning.robots.kinematic import Kinematic

TICK_S = 0.02
LONGEST_S = 240.0


class BridgeServer:
    """A server in a thread; use it in a ``with`` statement."""

    def __init__(
        self, robot: Kinematic, *, ros: int = 2, topic: str = "", fragment: int = 0
    ) -> None:
        self.robot, self.ros, self.topic, self.fragment = robot, ros, topic, fragment
        self.port = 0
        self.silent = False
        """It says nothing any more, and the robot goes on."""
        self.odd: str | bytes | None = None
        """Sent in between, instead of poses."""
        self.late_s = 0.0
        """So old is what it tells of where the robot is, by its own stamps."""
        self.false_pose: tuple[float | None, float] | None = None
        self.roll = 0.0
        self.deaf = False
        """Goals come to nobody."""
        self.verdict: int | None = None
        """How goals end, a moment after they began."""
        self.battery = 0.8
        self.mute = "-"
        """Topics that end so tell nothing any more."""
        self.goals: list[str] = []
        self.ended: list[tuple[str, int]] = []
        self.cancels = 0
        self.connections = 0
        self.limits: list[float] = []
        self._goal: tuple[str, str, float] | None = None
        self._clients: dict[ServerConnection, dict[str, str]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    @property
    def address(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    def __enter__(self) -> BridgeServer:
        self._thread.start()
        assert self._ready.wait(60.0)
        return self

    def __exit__(self, *_: object) -> None:
        if self._loop is not None and self._stop is not None:
            with contextlib.suppress(RuntimeError):  # its time was over
                self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(60.0)
        assert not self._thread.is_alive()

    def drop(self) -> None:
        """Cut all connections."""
        assert self._loop is not None
        for client in list(self._clients):
            self._loop.call_soon_threadsafe(client.transport.abort)

    def preempt(self) -> None:
        """Let another goal take the place of the robot's."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._end, 5 if self.ros == 2 else 2)

    # ---- serving ----

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        async with serve(self._client, "127.0.0.1", 0) as server:
            self.port = next(iter(server.sockets)).getsockname()[1]
            self._ready.set()
            until = time.monotonic() + LONGEST_S
            while not self._stop.is_set() and time.monotonic() < until:
                await asyncio.sleep(TICK_S)
                self.robot.step(TICK_S)
                self._judge()
                if not self.silent:
                    await self._tell()

    async def _client(self, client: ServerConnection) -> None:
        self._clients[client] = {}
        self.connections += 1
        try:
            async for data in client:
                await self._take(client, json.loads(data))
        except ConnectionClosed:
            pass
        finally:
            del self._clients[client]

    async def _take(self, client: ServerConnection, message: dict[str, Any]) -> None:
        op = message["op"]
        if op == "subscribe":
            self._clients[client][message["topic"]] = message["compression"]
        elif op == "send_action_goal":
            self._begin(message["id"], message["action"], message["args"])
        elif op == "cancel_action_goal" or (
            op == "call_service" and message["service"].endswith("cancel_goal")
        ):
            self._cancel()
        elif op == "publish":
            name, value = message["topic"].rsplit("/", 1)[1], message["msg"]
            if name == "goal":
                self._begin(
                    value["goal_id"]["id"], "move_base", {"pose": value["goal"]["target_pose"]}
                )
            elif name == "cancel":
                self._cancel()
            elif name == "speed_limit":
                self.limits.append(value["speed_limit"])

    def _cancel(self) -> None:
        self.cancels += 1
        self._end(5 if self.ros == 2 else 2)

    def _begin(self, name: str, action: str, args: dict[str, Any]) -> None:
        self.goals.append(name)
        if self.deaf:
            return
        self._end(6 if self.ros == 2 else 2)  # what it did before is given up, as Nav2 does
        poses = args["path"]["poses"] if "path" in args else [args["pose"]]
        line = [(p["pose"]["position"]["x"], p["pose"]["position"]["y"]) for p in poses]
        turn = poses[-1]["pose"]["orientation"]
        self.robot.follow(line, 2.0 * math.atan2(turn["z"], turn["w"]))
        self._goal = (name, action, time.monotonic())

    def _judge(self) -> None:
        if self._goal is None:
            return
        if self.verdict is not None and time.monotonic() - self._goal[2] > 0.1:
            self.robot.halt()
            self._end(self.verdict)
        elif not self.robot.moving:
            self._end(4 if self.ros == 2 else 3)

    def _end(self, status: int) -> None:
        if self._goal is None:
            return
        (name, action, _), self._goal = self._goal, None
        self.robot.halt()
        self.ended.append((name, status))
        if self.ros == 2:
            message = {"op": "action_result", "id": name, "action": action, "status": status}
            message |= {"values": {}, "result": True}
        else:
            about = {"goal_id": {"id": name, "stamp": {"secs": 0, "nsecs": 0}}, "status": status}
            message = {"op": "publish", "topic": "/move_base/result", "msg": {"status": about}}
        for client in self._clients:
            asyncio.get_running_loop().create_task(self._send(client, json.dumps(message)))

    # ---- telling ----

    async def _tell(self) -> None:
        for client, topics in list(self._clients.items()):
            if self.odd is not None:
                await self._send(client, self.odd)
            for topic, compression in list(topics.items()):
                values = self._values(topic)
                if values is not None:
                    message = {"op": "publish", "topic": topic, "msg": values}
                    for packed in self._packed(message, compression):
                        await self._send(client, packed)

    async def _send(self, client: ServerConnection, data: str | bytes) -> None:
        with contextlib.suppress(ConnectionClosed):
            await client.send(data)

    def _values(self, topic: str) -> dict[str, Any] | None:
        x, y = self.false_pose or (self.robot.x, self.robot.y)
        if self.odd is not None and topic in ("/tf", self.topic):
            return None
        if topic == "/tf":
            # the localization's part lies over the odometry's, as with AMCL
            return {
                "transforms": [
                    _transform("map", "odom", 1.0, 2.0, 0.0),
                    {
                        **_transform(
                            "odom",
                            "base_footprint",
                            _less(x, 1.0),
                            y - 2.0,
                            self.robot.yaw,
                            self.roll,
                        ),
                        "header": {"frame_id": "odom", "stamp": self._stamp()},
                    },
                ]
            }
        if topic == "/tf_static":
            return {"transforms": [_transform("base_footprint", "base_link", 0.0, 0.0, 0.0)]}
        if topic == self.topic:
            pose = {
                "position": {"x": x, "y": y, "z": 0.0},
                "orientation": _turn(self.robot.yaw, self.roll),
            }
            return {"header": {"stamp": self._stamp()}, "pose": {"pose": pose}}
        if topic.endswith(self.mute):
            return None
        if topic.endswith("battery_state"):
            return {"percentage": self.battery}
        return None

    def _stamp(self) -> dict[str, int]:
        whole, rest = divmod(time.time_ns() - int(self.late_s * 1e9), 10**9)
        return {"secs": whole, "nsecs": rest} if self.ros == 1 else {"sec": whole, "nanosec": rest}

    def _packed(self, message: dict[str, Any], compression: str) -> list[str | bytes]:
        if compression == "cbor":
            return [cbor2.dumps(message)]
        text = json.dumps(message)
        if compression == "png":
            text = json.dumps({"op": "png", "data": _png(text)})
        if not self.fragment:
            return [text]
        parts = [text[k : k + self.fragment] for k in range(0, len(text), self.fragment)]
        return [
            json.dumps(
                {"op": "fragment", "id": message["topic"], "data": p, "num": k, "total": len(parts)}
            )
            for k, p in enumerate(parts)
        ]


def _less(x: float | None, by: float) -> float | None:
    return None if x is None else x - by


def _turn(yaw: float, roll: float = 0.0) -> dict[str, float]:
    (c, s), (d, r) = ((math.cos(a / 2), math.sin(a / 2)) for a in (yaw, roll))
    return {"x": c * r, "y": s * r, "z": s * d, "w": c * d}


def _transform(
    parent: str, child: str, x: float | None, y: float, yaw: float, roll: float = 0.0
) -> dict[str, Any]:
    moved = {"translation": {"x": x, "y": y, "z": 0.0}, "rotation": _turn(yaw, roll)}
    return {"header": {"frame_id": parent}, "child_frame_id": child, "transform": moved}


def _png(text: str) -> str:
    """Return a text as rosbridge packs it: bytes as pixels of a picture that is nearly a square."""
    data = text.encode()
    width = max(1, int(math.sqrt(len(data) / 3)))
    height = math.ceil(len(data) / 3 / width)
    data += b"\n" * (width * height * 3 - len(data))
    buffer = io.BytesIO()
    Image.frombytes("RGB", (width, height), data).save(buffer, "png")
    return base64.b64encode(buffer.getvalue()).decode()
