"""One POST to a server under a hard limit on its time and bytes, for headers, bodies, errors and redirects.

HTTP libraries bound the wait for each piece, so a server that sends a byte a second is never late. Here the
transfer runs on a loop in the background, and whoever asks waits for it so long and no longer.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
import threading
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from commonground.errors import GroundingError

if TYPE_CHECKING:
    import httpx

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


class ElsewhereError(GroundingError):
    """The server sends its guests to another one, which is not to see prompt or key."""


@dataclass(frozen=True, slots=True)
class Received:
    """What a server sent."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    size: int
    """Bytes received, headers included."""


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the loop that all transfers run on, in a thread of its own."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="model transfers", daemon=True).start()
    return loop


@functools.cache
def _client() -> httpx.AsyncClient:
    """Return the client of all transfers; making one reads certificates, which takes its time."""
    import httpx

    # the time is watched over as a whole, outside
    return httpx.AsyncClient(timeout=None, follow_redirects=False)  # noqa: S113


def get_ready() -> None:
    """Load what transfers need, so that loading is no part of a question's time."""
    _client()
    _loop()


def post(
    url: str, headers: Mapping[str, str], content: bytes, seconds: float, most_bytes: int
) -> Received:
    """Return what a server sends within so many seconds and bytes; GroundingError says why not."""
    return _within(_follow(url, headers, content, most_bytes), seconds)


async def _follow(
    url: str, headers: Mapping[str, str], content: bytes, most_bytes: int
) -> Received:
    """Send, and send again where the same server says it is to be sent to."""
    spent = 0
    for _ in range(_MOST_REDIRECTS + 1):
        got = await _exchange(url, headers, content, most_bytes - spent)
        spent += got.size
        if got.status not in _REDIRECTS or "location" not in got.headers:
            return Received(got.status, got.headers, got.body, spent)
        target = urljoin(url, got.headers["location"])
        if _origin(target) != _origin(url):
            raise ElsewhereError(
                f"the server sends its guests to {urlsplit(target).hostname or 'another one'}, which was "
                "not named: nothing was sent there. If it is right, set grounding.model.base_url to it"
            )
        url = target
    raise ElsewhereError(f"the server redirects more than {_MOST_REDIRECTS} times")


async def _exchange(
    url: str, headers: Mapping[str, str], content: bytes, most_bytes: int
) -> Received:
    import httpx

    try:
        async with _client().stream(
            "POST", url, headers=dict(headers), content=content
        ) as response:
            return await _received(response, most_bytes)
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError) as error:
        raise NoConnectionError(f"no connection: {_reason(error)}") from error


async def _received(response: httpx.Response, most_bytes: int) -> Received:
    """Read a response piece by piece; an error no further than its message can be."""
    size = sum(len(name) + len(value) + 4 for name, value in response.headers.raw)
    failed = response.status_code >= 300
    most = min(most_bytes, size + _MOST_ERROR_BYTES) if failed else most_bytes
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece
        if size + len(body) > most:
            if failed:
                break
            raise TooLongError(f"the reply is longer than {most_bytes} bytes")
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Received(response.status_code, headers, bytes(body), size + len(body))


def _within(work: Coroutine[Any, Any, Received], seconds: float) -> Received:
    """Wait for a transfer so long and no longer; what is left of it is dropped in the background."""
    future = asyncio.run_coroutine_threadsafe(work, _loop())
    try:
        return future.result(max(0.0, seconds))
    except (concurrent.futures.TimeoutError, TimeoutError):
        raise TooLateError(f"no whole answer within {seconds:.3g} s") from None
    finally:
        future.cancel()


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
