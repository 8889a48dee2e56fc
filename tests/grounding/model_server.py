"""A real HTTP server on loopback that speaks chat completions, well or badly, as a test tells it."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Script:
    """What the server does with each request in turn; the last entry is repeated."""

    moves: list[Any]
    """A text to answer with, or a function of the handler and the request that does anything."""
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def next_move(self) -> Any:
        """Return what to do now."""
        return self.moves[min(len(self.requests), len(self.moves)) - 1]


@contextmanager
def model_server(*moves: Any) -> Iterator[tuple[str, Script]]:
    """Run a server; yield its base address and the record of what it was asked."""
    script = Script(list(moves))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # no answer waits for what acknowledges its head

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            script.requests.append(json.loads(body))
            script.headers.append({k.lower(): v for k, v in self.headers.items()})
            move = script.next_move()
            try:
                if callable(move):
                    move(self, script.requests[-1])
                else:
                    reply(self, completion(str(move)))
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client has left

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.block_on_close = True, False
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
    )
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", script
    finally:
        server.shutdown()
        server.server_close()


def completion(text: str | None, **more: Any) -> dict[str, Any]:
    """Return a chat completion."""
    message = {"role": "assistant", "content": text, **more.pop("message", {})}
    choice = {"index": 0, "message": message, "finish_reason": more.pop("finish", "stop")}
    usage = {"prompt_tokens": 900, "completion_tokens": 60, "total_tokens": 960}
    return {
        "id": "x",
        "object": "chat.completion",
        "model": "m",
        "choices": [choice],
        "usage": usage,
        **more,
    }


def reply(handler: BaseHTTPRequestHandler, body: Any, status: int = 200, **headers: str) -> None:
    """Send a response; bytes as they are, anything else as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response(status)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", str(len(content)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(content)


def failing(status: int, message: str = "no", **headers: str) -> Callable[..., None]:
    """Answer with an HTTP error."""

    def move(handler: BaseHTTPRequestHandler, request: Any) -> None:
        reply(handler, {"error": {"message": message, "type": "error"}}, status, **headers)

    return move


def sending(body: Any) -> Callable[..., None]:
    """Answer 200 with any body."""

    def move(handler: BaseHTTPRequestHandler, request: Any) -> None:
        reply(handler, body)

    return move


def sleeping(seconds: float) -> Callable[..., None]:
    """Say nothing for a while."""

    def move(handler: BaseHTTPRequestHandler, request: Any) -> None:
        time.sleep(seconds)
        reply(handler, completion("{}"))

    return move


def trickling(text: str, pause_s: float) -> Callable[..., None]:
    """Send the answer byte by byte, so that no single wait is long."""

    def move(handler: BaseHTTPRequestHandler, request: Any) -> None:
        content = json.dumps(completion(text)).encode()
        handler.send_response(200)
        handler.send_header("content-type", "application/json")
        handler.send_header("content-length", str(len(content)))
        handler.end_headers()
        for byte in content:
            handler.wfile.write(bytes([byte]))
            handler.wfile.flush()
            time.sleep(pause_s)

    return move


def hanging_up(handler: BaseHTTPRequestHandler, request: Any) -> None:
    """Close the connection in the middle of the answer."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"id": "x", "choices": [')
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True
