"""The console's door: its own page only, and nobody without the token where others can reach it."""

from __future__ import annotations

import socket
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from commonground.console.door import Door, fresh_token, is_loopback
from commonground.errors import RunError

HERE = {"Host": "localhost:8080", "Origin": "http://localhost:8080"}


@pytest.mark.parametrize(
    ("host", "own"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("127.9.9.9", True),
     ("10.0.0.0", False), ("192.168.1.4", False), ("example.org", False)],
)  # fmt: skip
def test_loopback_is_known(host: str, own: bool) -> None:
    assert is_loopback(host) is own


@pytest.mark.parametrize(
    ("headers", "on_socket", "passes"),
    [
        (HERE, False, True),
        (HERE, True, True),
        ({"Host": "localhost:8080"}, False, True),
        ({"Host": "localhost:8080"}, True, False),
        ({**HERE, "Origin": "http://evil.example"}, True, False),
        ({**HERE, "Origin": "http://localhost:9999"}, True, False),
        ({**HERE, "Origin": "null"}, True, False),
        ({**HERE, "Origin": "http://evil.example"}, False, False),
        # a name of the attacker's that points here
        ({"Host": "evil.example:8080", "Origin": "http://evil.example:8080"}, True, False),
        ({"Host": "evil.example:8080"}, False, False),
        ({"Host": "localhost.evil.example"}, False, False),
        ({"Host": "[::1"}, False, False),
        ({}, False, False),
    ],
)
def test_only_its_own_page_comes_in(headers: dict[str, str], on_socket: bool, passes: bool) -> None:
    found = Door("127.0.0.1").verdict("/", headers, socket=on_socket)
    assert (found.kind == "pass") is passes


def test_the_token_opens_page_and_socket_and_leaves_the_address() -> None:
    token = fresh_token()
    door = Door("base", token)
    there = {"Host": "base:8080", "Origin": "http://base:8080"}
    for path in ("/", "/?token=", f"/?token={token}x", "/?token=ü", "/?other=1"):
        assert door.verdict(path, there, socket=False).kind == "refuse"
    entered = door.verdict(f"/?token={token}", there, socket=False)
    assert entered.kind == "enter" and "HttpOnly" in entered.cookie
    assert "SameSite=Strict" in entered.cookie
    kept = {**there, "Cookie": entered.cookie.split(";")[0]}
    assert door.verdict("/", kept, socket=False).kind == "pass"
    assert door.verdict("/", kept, socket=True).kind == "pass"
    assert door.verdict("/", there, socket=True).kind == "refuse"
    assert door.verdict(f"/?token={token}", there, socket=True).kind == "refuse"
    assert door.verdict("/", {**kept, "Origin": "http://evil"}, socket=True).kind == "refuse"
    assert (
        door.verdict("/", {**there, "Cookie": "commonground_8080=no"}, socket=True).kind == "refuse"
    )


@pytest.fixture
def port() -> Iterator[int]:
    pytest.importorskip("viser")
    from commonground.console.serving import serve, stop

    server = serve(Door("127.0.0.1", "secret"), 0)
    yield server.get_port()
    stop(server)


def get(port: int, path: str, **headers: str) -> tuple[int, str]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:  # noqa: S310
            return reply.status, reply.headers["Content-Security-Policy"]
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_the_server_asks_the_door(port: int) -> None:
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    status, said = get(port, "/")
    assert status == 403 and "token" in said
    cookie = f"commonground_{port}=secret"
    status, policy = get(port, "/", Cookie=cookie)
    assert status == 200 and "frame-ancestors 'none'" in policy
    status, _ = get(port, "/../../etc/passwd", Cookie=cookie)
    assert status == 404
    at = f"127.0.0.1:{port}"
    for headers in ({}, {"Cookie": "commonground=x"}):
        with pytest.raises(InvalidStatus, match="403"):
            connect(f"ws://{at}", origin=f"http://{at}", additional_headers=headers)  # type: ignore[arg-type]
    with pytest.raises(InvalidStatus, match="403"):
        connect(f"ws://{at}", origin="http://evil", additional_headers={"Cookie": cookie})  # type: ignore[arg-type]


def test_a_page_tells_one_console_from_the_next() -> None:
    pytest.importorskip("viser")
    from commonground.console.serving import serve, stop

    told = []
    for _ in range(2):
        server = serve(Door("127.0.0.1"), 0)
        try:
            at = f"http://127.0.0.1:{server.get_port()}"
            with urllib.request.urlopen(f"{at}/") as page:  # noqa: S310
                assert 'id="gone"' in page.read().decode()
            for _ in range(2):
                with urllib.request.urlopen(f"{at}/alive") as answer:  # noqa: S310
                    told.append(answer.read())
        finally:
            stop(server)
    assert told[0] == told[1] != told[2] == told[3]


def test_uploads_and_tunnels_are_not_taken() -> None:
    pytest.importorskip("viser")
    from viser import _messages as messages

    from commonground.console.serving import serve, stop

    server = serve(Door("127.0.0.1"), 0)
    try:
        known = server._websock_server._incoming_handlers
        assert messages.GuiUpdateMessage in known
        for kind in (messages.FileTransferStartUpload, messages.ShareUrlRequest):
            assert kind not in known
    finally:
        stop(server)


def test_a_port_that_is_taken_is_told() -> None:
    pytest.importorskip("viser")
    from commonground.console.serving import serve

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(RunError, match="in use"):
            serve(Door("127.0.0.1"), taken.getsockname()[1])
