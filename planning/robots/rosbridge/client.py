"""A connection to rosbridge that comes back by itself: it subscribes and advertises anew each time.

All that waits for the network happens in a thread of its own; ``send`` only puts a message into line.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from commonground.errors import MALFORMED, require
from commonground.planning.robots.protocol import RobotError
from commonground.planning.robots.rosbridge.wire import MOST_BYTES, Decoder, Garbage, encoded
from commonground.reasons import reason

OPEN_S = 5.0
PING_S = 1.0
"""A server that does not answer a ping for twice as long is not there any more."""
AGAIN_S = (0.1, 2.0)
"""The shortest and longest wait before it tries to connect again."""
LAST_S = 1.0
"""What is in line when it is closed has so long to be said."""
MOST_WAITING = 256
"""Messages in line; while there are more, the connection is not used."""

Taker = Callable[[dict[str, Any]], None]


class Bridge:
    """One rosbridge server."""

    def __init__(self, address: str, certificate: Path | None = None) -> None:
        """Prepare the connection; ``certificate`` is the authority that signed the server's, for wss."""
        for module in ("websockets", "cbor2", "PIL"):
            require(module, "nav2")
        self.address, self._certificate = address, certificate
        self.down = "it was not connected yet"
        """Why there is no connection; empty while there is one."""
        self.garbage = ""
        """What was wrong with the last message that was none."""
        self.garbage_s = float("-inf")
        self._takers: dict[str, Taker] = {}
        self._standing: list[dict[str, Any]] = []
        self._greet: Callable[[], None] = lambda: None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[None] | None = None
        self._tried = threading.Event()
        self._thread: threading.Thread | None = None

    # ---- before it is open ----

    def subscribe(
        self, topic: str, kind: str, taker: Taker, compression: str = "none", throttle_ms: int = 0
    ) -> None:
        """Hand each message of a topic to a function, on the connection's thread."""
        self.on(f"publish {topic}", lambda message: taker(message["msg"]))
        wish = {"op": "subscribe", "id": f"subscribe:{topic}", "topic": topic, "type": kind}
        self._standing.append({**wish, "compression": compression, "throttle_rate": throttle_ms})

    def advertise(self, topic: str, kind: str) -> None:
        """Say that messages of a kind will be published."""
        self._standing.append(
            {"op": "advertise", "id": f"advertise:{topic}", "topic": topic, "type": kind}
        )

    def on(self, operation: str, taker: Taker) -> None:
        """Hand each message of an operation to a function, on the connection's thread."""
        self._takers[operation] = taker

    def greet(self, call: Callable[[], None]) -> None:
        """Call a function each time when there is a connection."""
        self._greet = call

    # ---- while it is open ----

    def open(self) -> None:
        """Connect; RobotError says why that cannot be."""
        context = self._context()
        self._tried.clear()
        self._thread = threading.Thread(
            target=self._run, args=(context,), name="rosbridge", daemon=True
        )
        self._thread.start()
        self._tried.wait(OPEN_S + 1.0)
        if self.down:
            why = self.down
            self.close()
            raise RobotError(f"{self.address}: {why}; is rosbridge_server running there?")

    def close(self) -> None:
        """Disconnect; what is in line is said first, for a moment."""
        loop, thread = self._loop, self._thread
        if thread is None or loop is None:
            return
        with contextlib.suppress(RuntimeError):  # it ended by itself meanwhile
            loop.call_soon_threadsafe(self._end)  # behind all that was put into line before
        thread.join(LAST_S + 3.0)
        self._thread = None

    def send(self, message: dict[str, Any]) -> bool:
        """Put a message into line; False where there is no connection that takes it."""
        loop = self._loop
        if self.down or loop is None or self._waiting.qsize() > MOST_WAITING:
            return False
        try:
            loop.call_soon_threadsafe(self._waiting.put_nowait, encoded(message))
        except RuntimeError:  # it ended by itself meanwhile
            return False
        return True

    # ---- the connection's thread ----

    def _context(self) -> ssl.SSLContext | None:
        if not self.address.startswith("wss:"):
            return None
        try:
            return ssl.create_default_context(cafile=self._certificate)
        except (OSError, ssl.SSLError) as error:
            raise RobotError(f"{self._certificate}: is no certificate: {reason(error)}") from error

    def _run(self, context: ssl.SSLContext | None) -> None:
        try:
            asyncio.run(self._stay(context))
        finally:
            self.down = self.down or "its connection ended"
            self._loop = None
            self._tried.set()

    async def _stay(self, context: ssl.SSLContext | None) -> None:
        """Connect again and again until it is closed."""
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        wait_s = AGAIN_S[0]
        try:
            while True:
                began_s = time.monotonic()
                self.down = await self._connected(context)
                self._tried.set()
                if time.monotonic() - began_s > AGAIN_S[1]:
                    wait_s = AGAIN_S[0]
                await asyncio.sleep(wait_s)
                wait_s = min(2.0 * wait_s, AGAIN_S[1])
        except asyncio.CancelledError:
            self.down = "it was closed"

    def _end(self) -> None:
        self._ending = asyncio.create_task(self._say_the_rest())

    async def _say_the_rest(self) -> None:
        """Say what is in line, a stop before all, then disconnect."""
        if not self.down:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._waiting.join(), LAST_S)
        if self._task is not None:
            self._task.cancel()

    async def _connected(self, context: ssl.SSLContext | None) -> str:
        """Connect and stay so; return why that ended."""
        from websockets.asyncio.client import connect
        from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

        try:
            async with connect(
                self.address,
                ssl=context,
                open_timeout=OPEN_S,
                close_timeout=0.5,
                ping_interval=PING_S,
                ping_timeout=2.0 * PING_S,
                max_size=MOST_BYTES,
                proxy=None,
            ) as socket:
                self._waiting = asyncio.Queue()
                for standing in self._standing:
                    await socket.send(encoded(standing))
                self.down = ""
                self._greet()
                self._tried.set()
                talk = asyncio.create_task(self._talk(socket))
                try:
                    await self._listen(socket)
                finally:
                    talk.cancel()
        except InvalidURI as error:
            return f"this is no address of a rosbridge ({error})"
        except ssl.SSLCertVerificationError as error:
            return f"its certificate is not trusted ({error.verify_message})"
        except ConnectionClosed:
            return "the connection was lost"
        except InvalidHandshake as error:
            return f"what answers there is no rosbridge ({error})"
        except TimeoutError:
            return f"nothing answered within {OPEN_S:.0f} s"
        except OSError as error:
            return f"it cannot be reached ({error.strerror or error})"
        return "the connection was closed"

    async def _talk(self, socket: Any) -> None:
        from websockets.exceptions import ConnectionClosed

        waiting = self._waiting
        try:
            while True:
                await socket.send(await waiting.get())
                waiting.task_done()
        except ConnectionClosed:
            return

    async def _listen(self, socket: Any) -> None:
        decoder = Decoder()
        async for data in socket:
            try:
                message = decoder.message(data)
                if message is not None:
                    self._take(message)
            except (Garbage, *MALFORMED) as error:
                self.garbage, self.garbage_s = reason(error), time.monotonic()

    def _take(self, message: dict[str, Any]) -> None:
        operation = message["op"]
        if operation == "publish":
            operation = f"publish {message['topic']}"
        taker = self._takers.get(operation)
        if taker is not None:
            taker(message)
