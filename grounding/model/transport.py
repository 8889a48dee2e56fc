"""One POST to a server under a hard limit on its time and bytes, for headers, bodies, errors and redirects.

HTTP libraries bound the wait for each piece, so a server that sends a byte a second is never late. Here the
transfer runs on a loop in the background, and whoever asks waits for it so long and no longer. Bytes are
counted where they are read from the connection: heads, interim responses and what came before a break
count as well, and no more is read than may be.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import functools
import logging
import threading
from collections.abc import Coroutine, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from commonground.errors import GroundingError
from commonground.grounding.model.proxies import Proxy, proxy_for
from commonground.grounding.model.trust import NotTrustedError, distrust, speaks_tls, unreadable
from commonground.reasons import reason

if TYPE_CHECKING:
    import asyncio

    import httpx

logger = logging.getLogger(__name__)

PATIENCE_S = 4.0
"""Who waits longer is told what for."""
_MOST_ERROR_BYTES = 64_000
"""Of the body of an error no more is read: it only serves for a message."""
_MOST_REDIRECTS = 3
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class TooLateError(GroundingError):
    """The time is up before the answer is whole."""


class TooLongError(GroundingError):
    """The answer has more bytes than it may have."""


class NoConnectionError(GroundingError):
    """Nobody answers, or the connection breaks."""


class BrokenOffError(GroundingError):
    """There was a connection, and it ended before the answer did."""


class ElsewhereError(GroundingError):
    """The server sends its guests to another one, which is not to see prompt or key."""


@dataclass(frozen=True, slots=True)
class Received:
    """What a server sent."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Meter:
    """How many bytes came, and how many more may."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.came = 0

    @property
    def left(self) -> int:
        """What may still come."""
        return self.most - self.came

    def take(self, count: int) -> None:
        """Count what came; TooLongError where that is more than may come."""
        self.came += count
        if self.came > self.most:
            raise TooLongError(f"the reply is longer than {self.most} bytes")


_METER: ContextVar[Meter] = ContextVar("meter")
"""That of the question on whose behalf a connection is read."""


async def _watch(event: str, info: Mapping[str, Any]) -> None:
    """Have what is read from a new connection counted; connections are kept, questions change."""
    if not event.endswith((".connect_tcp.complete", ".start_tls.complete")):
        return
    stream = info["return_value"]
    read = stream.read

    async def counted(max_bytes: int, timeout: float | None = None) -> bytes:
        meter = _METER.get()
        data: bytes = await read(min(max_bytes, meter.left + 1), timeout)
        meter.take(len(data))
        return data

    stream.read = counted


_MAKING = threading.Lock()


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    """The loop that all transfers run on, in a thread of its own."""
    import asyncio

    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="model transfers", daemon=True).start()
    return loop


@functools.cache
def _client(proxy: Proxy | None) -> httpx.AsyncClient:
    """The client of all transfers through a proxy, or through none: connections are kept."""
    import httpx

    # making one reads certificates, which takes its time; transfers are watched over outside
    try:
        way = httpx.AsyncHTTPTransport(proxy=None if proxy is None else proxy.address)
    except OSError as error:
        raise unreadable(error) from error
    return httpx.AsyncClient(transport=way, timeout=None, follow_redirects=False)  # noqa: S113


def _way(url: str) -> tuple[asyncio.AbstractEventLoop, httpx.AsyncClient]:
    proxy = proxy_for(url)
    with _MAKING:  # a cache by itself lets two threads make one each
        return _loop(), _client(proxy)


def get_ready(url: str) -> None:
    """Load what transfers need, so that loading is no part of a question's time."""
    with contextlib.suppress(GroundingError):  # whoever asks is told
        _way(url)


def post(
    url: str, headers: Mapping[str, str], content: bytes, seconds: float, meter: Meter
) -> Received:
    """Return what a server sends within so many seconds and bytes; GroundingError says why not."""
    loop, client = _way(url)
    return _within(loop, _follow(client, url, headers, content, meter), seconds)


async def _follow(
    client: httpx.AsyncClient, url: str, headers: Mapping[str, str], content: bytes, meter: Meter
) -> Received:
    """Send, and send again where the same server says it is to be sent to."""
    _METER.set(meter)
    for _ in range(_MOST_REDIRECTS + 1):
        got = await _exchange(client, url, headers, content)
        if got.status not in _REDIRECTS or "location" not in got.headers:
            return got
        target = urljoin(url, got.headers["location"])
        if _origin(target) != _origin(url):
            raise ElsewhereError(
                f"the server sends its guests to {_shown(target)}, which was not named: nothing was sent "
                "there. If it is right, set grounding.model.base_url to it"
            )
        url = target
    raise ElsewhereError(f"the server redirects more than {_MOST_REDIRECTS} times")


async def _exchange(
    client: httpx.AsyncClient, url: str, headers: Mapping[str, str], content: bytes
) -> Received:
    import httpx

    meter = _METER.get()
    came = meter.came
    try:
        async with client.stream(
            "POST", url, headers=dict(headers), content=content, extensions={"trace": _watch}
        ) as response:
            return await _received(response)
    except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError) as error:
        unread = meter.came == came or "illegal status line" in reason(error)
        if unread and await speaks_tls(*_origin(url)):
            raise NotTrustedError(
                f"{_shown(url)} speaks TLS: its address begins with https://"
            ) from error
        raise BrokenOffError(f"the connection was broken off: {reason(error)}") from error
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError) as error:
        why = distrust(_shown(url), reason(error))
        if why:
            raise NotTrustedError(why) from error
        proxy = proxy_for(url)
        through = (
            ""
            if proxy is None
            else (f" through the proxy {proxy.shown} (put the server into NO_PROXY to go without)")
        )
        raise NoConnectionError(
            f"no connection to {_shown(url)}{through}: {reason(error)}"
        ) from error


async def _received(response: httpx.Response) -> Received:
    """Read a response piece by piece; an error no further than its message can be."""
    failed = response.status_code >= 300
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece
        if failed and len(body) > _MOST_ERROR_BYTES:
            break
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Received(response.status_code, headers, bytes(body))


def _within(
    loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Received], seconds: float
) -> Received:
    """Wait for a transfer so long and no longer; what is left of it is dropped in the background."""
    import asyncio

    future, whole = asyncio.run_coroutine_threadsafe(work, loop), seconds
    try:
        if seconds > 2 * PATIENCE_S:
            concurrent.futures.wait([future], PATIENCE_S)
            seconds -= PATIENCE_S
            if not future.done():
                logger.warning("waiting for the language model, for %.0f s more at most", seconds)
        return future.result(max(0.0, seconds))
    except (concurrent.futures.TimeoutError, TimeoutError):
        raise TooLateError(f"no whole answer within {whole:.3g} s") from None
    finally:
        future.cancel()


def _origin(url: str) -> tuple[str, str | None, int | None]:
    try:
        parts = urlsplit(url)
        return parts.scheme, parts.hostname, parts.port
    except ValueError:  # no address at all, or a port that cannot be
        return "", None, None


def _shown(url: str) -> str:
    """Return the host and port of an address, without names and keys that may stand before them."""
    _, host, port = _origin(url)
    return f"{host}:{port}" if host and port else host or "another one"
