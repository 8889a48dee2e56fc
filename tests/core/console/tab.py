"""A tab of the console's page as the server sees one: what it was told to show, and what is pressed there."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

LONGEST_S = 60.0


class Tab:
    """One connection; use it in a ``with`` statement."""

    def __init__(self, port: int, cookie: str = "") -> None:
        import viser
        from websockets.sync.client import connect

        self.shown: dict[str, dict[str, Any]] = {}
        at = f"127.0.0.1:{port}"
        self._socket = connect(
            f"ws://{at}/", origin=f"http://{at}", max_size=None,  # type: ignore[arg-type]
            subprotocols=[f"viser-v{viser.__version__}"],  # type: ignore[list-item]
            additional_headers={"Cookie": cookie} if cookie else {},
        )  # fmt: skip
        self._send(
            {
                "type": "ViewerCameraMessage", "wxyz": [1.0, 0.0, 0.0, 0.0],
                "position": [30.0, 20.0, 60.0], "fov": 1.0, "near": 0.1, "far": 1000.0,
                "image_height": 60, "image_width": 80, "look_at": [30.0, 30.0, 0.0],
                "up_direction": [0.0, 1.0, 0.0],
            }
        )  # fmt: skip
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def __enter__(self) -> Tab:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._thread.join(10.0)

    def _read(self) -> None:
        import msgspec
        import zstandard

        for data in self._socket:
            size, packed = (int.from_bytes(data[k : k + 8], "little") for k in (0, 8))
            plain = zstandard.ZstdDecompressor().decompress(data[16 : 16 + packed], size)
            told = msgspec.msgpack.decode(plain)
            for message in told["messages"] if isinstance(told, dict) else told:
                self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        if "props" in message and "uuid" in message:
            self.shown[message["uuid"]] = {**message, **message["props"]}
        elif message.get("type") == "GuiUpdateMessage":
            self.shown.setdefault(message["uuid"], {}).update(message["updates"])
        elif message.get("type") == "GuiRemoveMessage":
            self.shown.pop(message["uuid"], None)

    def find(self, label: str) -> str:
        """Return what is in sight under a label, once it is there."""
        return until(
            lambda: next(
                (
                    uuid
                    for uuid, one in list(self.shown.items())
                    if one.get("label") == label and one.get("visible", True)
                ),
                "",
            )
        )

    def text(self) -> str:
        """Return all that the page says."""
        return "\n".join(str(one.get("content", "")) for one in list(self.shown.values()))

    def set(self, uuid: str, value: object) -> None:
        """Type something, or press a button with ``True``."""
        self._send({"type": "GuiUpdateMessage", "uuid": uuid, "updates": {"value": value}})

    def press(self, label: str, done: Callable[[], object]) -> None:
        """Press a button until that is done: a press before the server listens to a new one has no effect."""
        until(lambda: done() or (self.set(self.find(label), True), time.sleep(1.0), done())[-1])

    def say(self, text: str) -> None:
        """Give an instruction."""
        self.set(self.find("Instruction"), text)
        self.set(self.find("Ask for a plan"), True)

    def _send(self, message: dict[str, Any]) -> None:
        import msgspec

        self._socket.send(msgspec.msgpack.encode(message))


def until(true: Callable[[], Any]) -> Any:
    """Return something once it is true."""
    end = time.monotonic() + LONGEST_S
    while not (found := true()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return found
