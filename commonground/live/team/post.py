"""Maps of robots that are mapped on other machines, sent to the base station over a socket.

Who connects has to know the token, which never travels (HMAC of a challenge). A robot out of reach keeps what
it has to say: as each map it hands over is whole, the newest is all that the base has to catch up with.
"""

from __future__ import annotations

import io
import json
import os
import tarfile
import threading
import time
import zlib
from collections.abc import Collection
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any

from commonground.atomic import write_bytes
from commonground.errors import MALFORMED, ConfigError
from commonground.live.team.folder import LiveFolder
from commonground.names import within
from commonground.reading import BoundError, parse_json, unpacked

TOKEN = "COMMONGROUND_LIVE_TOKEN"  # noqa: S105 - the name of a variable
MOST_BYTES = 1 << 30
FILES = frozenset(
    ("scene.json", "objects.npz", "posegraph.g2o", "metrics.json", "mesh.ply",
     "trajectory.tum", "odometry.tum", "ground_truth.tum")
)  # fmt: skip
AGAIN_S = 1.0
LOST = (OSError, EOFError)
ENDED = ("done", "failed")


def token() -> bytes:
    """Return what both sides know; ConfigError if nobody said it."""
    value = os.environ.get(TOKEN, "")
    if len(value) < 16:
        raise ConfigError(
            f"set the environment variable {TOKEN} to 16 letters or more, on both sides"
        )
    return value.encode()


def address(text: str) -> tuple[str, int]:
    """Return host and port; ConfigError if it is neither."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise ConfigError(f"{text}: write it as host:port")
    return host, int(port)


class Receiver:
    """The base station's side: takes states and maps of some robots into a live folder."""

    def __init__(self, folder: LiveFolder, robots: Collection[str], listen: str) -> None:
        self.folder, self.robots = folder, frozenset(robots)
        try:
            self._listener = Listener(address(listen), authkey=token())
        except OSError as error:
            raise ConfigError(f"{listen}: cannot be listened at: {error.strerror}") from error
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._listener.address[1])

    def close(self) -> None:
        """Listen no more."""
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection = self._listener.accept()
            except AuthenticationError:
                continue  # whoever that was does not know the token
            except LOST:
                if getattr(self._listener, "_listener", None) is None:
                    return
                continue
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: Connection) -> None:
        try:
            with connection:
                while True:
                    header = parse_json(connection.recv_bytes(1 << 20), "a header")
                    packed = connection.recv_bytes(MOST_BYTES)
                    connection.send_bytes(self._taken(header, packed))
        except (*LOST, tarfile.TarError, zlib.error, BoundError, *MALFORMED):
            return  # it connects again

    def _taken(self, header: dict[str, Any], packed: bytes) -> bytes:
        """Write what came and return what is acknowledged: it is not lost any more."""
        robot = str(header["robot"])
        if robot not in self.robots:
            return b"nobody of that name is in this team"
        if header["kind"] == "state":
            try:
                self.folder.tell(robot, {**header["state"], "robot": robot})
            except ConfigError as error:
                return str(error).encode()
        else:
            files = dict(_unpacked(packed))
            if header["kind"] == "map":
                self.folder.take_over(robot, int(header["number"]), files)
            else:
                for name, data in files.items():
                    write_bytes(within(self.folder.run, "robots", robot, name), data)
        return b"ok"


class Courier:
    """The robot's side: brings to the base station what its robot says, until it has said all."""

    def __init__(self, folder: LiveFolder, robot: str, base: str) -> None:
        self.folder, self.robot, self.base, self._token = folder, robot, address(base), token()
        self.sent = 0
        """Number of the last map that was acknowledged."""

    def run(self) -> None:
        """Go to and fro until the end is acknowledged; the base may come and go meanwhile."""
        while True:
            try:
                with Client(self.base, authkey=self._token) as connection:
                    while not self.once(connection):
                        time.sleep(AGAIN_S)
                return
            except AuthenticationError as error:
                raise ConfigError(f"the base has another {TOKEN}") from error
            except LOST:
                time.sleep(AGAIN_S)

    def once(self, connection: Connection) -> bool:
        """Bring what is new; return whether that was the last."""
        state = self.folder.told(self.robot)
        newest = self.folder.newest(self.robot)
        if state.get("state") == "done":
            self._bring(connection, {"kind": "end"}, within(self.folder.run, "robots", self.robot))
        elif newest is not None and newest[0] > self.sent:
            number, place = newest
            self._bring(connection, {"kind": "map", "number": number}, place)
            self.sent = number
        self._bring(connection, {"kind": "state", "state": state}, None)
        return state.get("state") in ENDED

    def _bring(self, connection: Connection, header: dict[str, Any], place: Path | None) -> None:
        connection.send_bytes(json.dumps({**header, "robot": self.robot}).encode())
        connection.send_bytes(b"" if place is None else _packed(place))
        answer = connection.recv_bytes(1000)
        if answer != b"ok":
            raise ConfigError(f"the base says of {self.robot}: {answer.decode(errors='replace')}")


def _packed(place: Path) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz", compresslevel=6) as tar:
        for file in sorted(place.iterdir()):
            if file.name in FILES:
                tar.add(file, file.name)
    return data.getvalue()


def _unpacked(packed: bytes) -> list[tuple[str, bytes]]:
    """Return the files of a map; nothing else that may be in there."""
    files = io.BytesIO(unpacked(packed, "a map", MOST_BYTES))
    with tarfile.open(fileobj=files, mode="r:") as tar:
        opened = [(m.name, tar.extractfile(m)) for m in tar if m.isfile() and m.name in FILES]
        return [(name, file.read()) for name, file in opened if file is not None]
