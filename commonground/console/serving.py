"""A viser server behind the console's door: every request is checked, and no upload or tunnel is taken."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import http
import io
import json
import logging
import secrets
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from commonground.console.door import SAFE_HEADERS, Door, browser_of, new_browser
from commonground.errors import MALFORMED, RunError, require
from commonground.reasons import reason

if TYPE_CHECKING:
    from viser import ViserServer

logger = logging.getLogger(__name__)

NOT_ALLOWED = b"HTTP/1.1 405 Method Not Allowed\r\nAllow: GET\r\nContent-Length: 0\r\n\r\n"
_OPENING = threading.Lock()
"""viser's module is changed while a server opens, so one opens at a time."""


def serve(
    door: Door, port: int, status: Callable[[], Mapping[str, Any]] = dict[str, Any]
) -> ViserServer:
    """Open the server on an address; RunError where it is taken. ``status`` is what /status.json tells."""
    require("viser", "console")
    _check_host(door.host)
    import viser
    from viser import _messages as messages

    with _guarded(door, status), contextlib.redirect_stdout(io.StringIO()):
        server = viser.ViserServer(host=door.host, port=port, label="Commonground", verbose=False)
    if port and server.get_port() != port:
        stop(server)
        raise RunError(f"{door.host}:{port} is in use; choose another with --port")
    closed = (
        messages.FileTransferStartUpload,
        messages.FileTransferPart,
        messages.ShareUrlRequest,
        messages.ShareUrlDisconnect,
    )

    def narrow(interface: Any) -> None:
        _deaf(interface, closed)
        _take_values_only(interface, messages.GuiUpdateMessage)

    narrow(server._websock_server)
    # before viser's own callback, each connection gets handlers of its own; they are taken out after it
    server._websock_server.on_client_connect(narrow)
    return server


def stop(server: ViserServer) -> None:
    """Close a server, silently."""
    with contextlib.redirect_stdout(io.StringIO()):
        server.stop()


def _deaf(interface: Any, kinds: tuple[type, ...]) -> None:
    """Let messages of some kinds be ignored."""
    for kind in kinds:
        interface._incoming_handlers.pop(kind, None)


def _take_values_only(interface: Any, kind: type) -> None:
    """Let a page change the values of what it shows, and nothing else that the server keeps of it.

    viser sets whatever attribute a message names, that which a button does among them.
    """
    handlers = interface._incoming_handlers.get(kind, [])

    def narrowed(handle: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        async def take(client: Any, message: Any) -> None:
            if set(message.updates) != {"value"}:
                return
            try:
                await handle(client, message)
            except MALFORMED as error:
                logger.info("a page sends a value of another kind: %s", reason(error))

        return take

    handlers[:] = [narrowed(handle) for handle in handlers]


def _check_host(host: str) -> None:
    """Raise RunError for what is no address of this machine; the server would wait for ever."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        with socket.socket(found[0][0], socket.SOCK_STREAM) as probe:
            probe.bind((found[0][4][0], 0))
    except (OSError, UnicodeError) as error:
        raise RunError(f"--host {host}: is no address of this machine ({reason(error)})") from error


@contextlib.contextmanager
def _guarded(door: Door, status: Callable[[], Mapping[str, Any]]) -> Iterator[None]:
    """Let the server that opens meanwhile ask the door first; viser has no hook for that."""
    import websockets
    import websockets.asyncio.server
    from viser.infra import _infra

    class GetOnly(websockets.asyncio.server.ServerConnection):
        """Tells whoever asks for anything but to GET that nothing else is done here."""

        begun = False

        def data_received(self, data: bytes) -> None:
            """Take what comes; the first of it tells the method."""
            method, begun, self.begun = data.partition(b" ")[0], self.begun, True
            if begun or b"GET".startswith(method) or not method.isalpha():
                return super().data_received(data)
            self.transport.write(NOT_ALLOWED)
            self.transport.close()

    def guarded(*args: Any, **options: Any) -> Any:
        options["process_request"] = _checked(door, status, options["process_request"])
        options["create_connection"] = GetOnly
        return websockets.asyncio.server.serve(*args, **options)

    there = SimpleNamespace(
        asyncio=SimpleNamespace(server=SimpleNamespace(serve=guarded)),
        datastructures=websockets.datastructures,
        exceptions=websockets.exceptions,
    )
    with _OPENING:
        _infra.websockets = there
        try:
            yield
        finally:
            _infra.websockets = websockets


class _OneReader:
    """Reads how things stand in a thread, as a slow disk must hold up nobody else; one at a time.

    Who asks while it is being read gets the same.
    """

    def __init__(self, status: Callable[[], Mapping[str, Any]]) -> None:
        self._status = status
        self._reading: asyncio.Task[bytes] | None = None

    async def read(self) -> bytes:
        """Return it as JSON."""
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(asyncio.to_thread(self._read))
        return await asyncio.shield(self._reading)  # who asks may go away

    def _read(self) -> bytes:
        return json.dumps(self._status()).encode()


def _checked(
    door: Door, status: Callable[[], Mapping[str, Any]], answer: Callable[[Any, Any], Any]
) -> Callable[[Any, Any], Any]:
    from websockets.datastructures import Headers
    from websockets.http11 import Response

    reader, itself = _OneReader(status), secrets.token_hex(8).encode()

    async def told(headers: Headers) -> Response:
        body = await reader.read()
        headers["Content-Type"], headers["Content-Length"] = "application/json", str(len(body))
        return Response(http.HTTPStatus.OK, "OK", headers, body)

    def process(connection: Any, request: Any) -> Any:
        socket = request.headers.get("Upgrade", "").lower() == "websocket"
        plain = _plain(request.headers)
        verdict = door.verdict(request.path, plain, socket=socket)
        headers = Headers(SAFE_HEADERS)
        if verdict.kind == "refuse":
            headers["Content-Type"] = "text/plain; charset=utf-8"
            body = f"{verdict.why}\n".encode()
            headers["Content-Length"] = str(len(body))
            return Response(http.HTTPStatus.FORBIDDEN, "Forbidden", headers, body)
        if verdict.kind == "enter":
            headers["Location"], headers["Set-Cookie"] = "/", verdict.cookie
            headers["Content-Length"] = "0"
            return Response(http.HTTPStatus.SEE_OTHER, "See Other", headers, b"")
        path = urlsplit(request.path).path
        if path == "/status.json" and not socket:
            return told(headers)
        if path == ALIVE and not socket:
            headers["Content-Length"] = str(len(itself))
            return Response(http.HTTPStatus.OK, "OK", headers, itself)
        response = answer(connection, request)
        if response is not None:
            for name, value in SAFE_HEADERS.items():
                response.headers[name] = value
            if path == "/":
                _as_page(response, plain)
        return response

    return process


def _as_page(response: Any, asked: Mapping[str, str]) -> None:
    """Let the page tell when nobody answers any more, and its browser be known from now on."""
    packed = response.headers.get("Content-Encoding") == "gzip"
    response.body = watching(response.body, packed=packed)
    del response.headers["Content-Length"]
    response.headers["Content-Length"] = str(len(response.body))
    at = asked.get("Host", "")
    if not browser_of(at, asked.get("Cookie", "")):
        response.headers["Set-Cookie"] = new_browser(at)


def _plain(headers: Any) -> dict[str, str]:
    """Return headers by name; one that is given twice counts as none."""
    return {
        name: headers.get_all(name)[0] if len(headers.get_all(name)) == 1 else ""
        for name in ("Host", "Origin", "Cookie")
        if name in headers
    }


ALIVE = "/alive"
"""Is answered while the console is there, with what tells it from others before and after it."""
_END = b"</body>"
_WATCH = b"""<div id="gone" role="alert" hidden style="position:fixed;inset:0 0 auto 0;z-index:9999;
padding:14px 20px;background:#b3262b;color:#fff;font:15px/1.4 sans-serif"></div>
<script>
(() => {
  const told = document.getElementById("gone");
  const say = text => { told.textContent = text; told.hidden = !text; };
  let server = "";
  const look = async () => {
    try {
      const limit = AbortSignal.timeout(4000);  // what hangs is as good as gone
      const answer = await fetch("/alive", {cache: "no-store", signal: limit});
      const other = "The console was started anew, and asks for the address that it printed.";
      say(answer.status === 403 ? other : "");
      const one = answer.ok ? await answer.text() : server;
      if (server && one !== server) location.reload();  // what is seen is of one that has ended
      server = one;
    } catch {
      say("The console does not answer: it has ended, or cannot be reached. Nothing here shows what " +
          "robots do now, and Stop does not reach them. This page begins anew once the console is " +
          "there again; a mission that was broken off can be taken up in the tab Log then.");
    }
    setTimeout(look, 3000);
  };
  setTimeout(look, 3000);
})();
</script>
"""


@lru_cache(maxsize=4)
def watching(page: bytes, *, packed: bool) -> bytes:
    """Return a page that says when nobody answers it any more; ``packed`` where it is by gzip."""
    plain = gzip.decompress(page) if packed else page
    head, end, tail = plain.rpartition(_END)
    found = head + _WATCH + end + tail if end else plain
    return gzip.compress(found) if packed else found
