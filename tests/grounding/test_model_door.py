"""The door to a model under attack: time, bytes, redirects, keys, and what small models send."""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from commonground.errors import GroundingError
from commonground.grounding.model import AskStatus, ChatModel, Form, conversation
from commonground.grounding.model.reading import json_value
from commonground.grounding.model.server import Server
from commonground.grounding.settings import ModelSettings
from tests.grounding.model_server import completion, failing, model_server, reply, sending

QUESTION = [{"role": "user", "content": "2 and 2?"}]
FORM = Form({"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]})
SLOW = 20.0
"""Seconds a bad server would take; a bound that does not hold is seen by far."""


def _sum(value: Any) -> int:
    if not isinstance(value, dict) or not isinstance(value.get("sum"), int):
        raise GroundingError("there is no integer 'sum'")
    return int(value["sum"])


def _model(address: str, **changes: Any) -> ChatModel:
    values = {"base_url": address, "timeout_s": 20.0, "budget_s": 60.0, **changes}
    return ChatModel(ModelSettings(**values))


@contextmanager
def raw_server(head: bytes, piece: bytes, pause_s: float) -> Iterator[tuple[str, list[int]]]:
    """Run a server that sends a head, then the same piece for ever; yield its address and bytes sent."""
    listener = socket.create_server(("127.0.0.1", 0))
    sent: list[int] = []
    stop = threading.Event()

    def serve(connection: socket.socket) -> None:
        count = 0
        try:
            connection.recv(65536)
            connection.sendall(head)
            while not stop.is_set():
                connection.sendall(piece)
                count += len(piece)
                stop.wait(pause_s)
        except OSError:
            pass
        finally:
            sent.append(count)
            connection.close()

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1", sent
    finally:
        stop.set()
        listener.close()


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        (b"HTTP/1.1 200 OK\r\n", b"x-more: 1\r\n"),
        (b"HTTP/1.1 500 Oh\r\ncontent-length: 9000\r\n\r\n", b"x"),
        (b"HTTP/1.1 401 No\r\ntransfer-encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n", b" "),
    ],
    ids=["headers", "error", "chunked error", "body"],
)
def test_the_time_bound_holds_whatever_trickles(head: bytes, piece: bytes) -> None:
    with raw_server(head, piece, 0.05) as (address, _):
        model = _model(address, timeout_s=SLOW, budget_s=1.0)
        began = time.monotonic()
        answer = model.ask_checked(QUESTION, FORM, _sum)
        took = time.monotonic() - began
    assert answer.status in (AskStatus.TIMEOUT, AskStatus.UNAVAILABLE)
    assert took < SLOW / 2
    assert answer.usage.seconds == pytest.approx(took, abs=SLOW / 4)


@pytest.mark.parametrize("status", [200, 500, 404])
def test_the_byte_bound_holds_for_answers_and_errors(status: int) -> None:
    head = f"HTTP/1.1 {status} X\r\ncontent-length: 900000000\r\n\r\n".encode()
    with raw_server(head, b"x" * 65536, 0.0) as (address, sent):
        model = _model(address, max_bytes=300_000, max_attempts=1, budget_s=3.0)
        answer = model.ask_checked(QUESTION, FORM, _sum)
        assert answer.status is not AskStatus.OK
        time.sleep(0.2)
    assert sum(sent) < 60_000_000  # what socket buffers take, not 900 MB


FLOODS = {
    "head": (b"HTTP/1.1 200 OK\r\n", b"x-more: " + b"1" * 1000 + b"\r\n"),
    "interim": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
    "body": (b"HTTP/1.1 200 OK\r\ncontent-length: 900000000\r\n\r\n", b" " * 5000),
    "chunks": (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", b"1\r\n \r\n" * 999),
    "error": (b"HTTP/1.1 503 X\r\ncontent-length: 900000000\r\n\r\n", b"x" * 5000),
    "redirect": (
        b"HTTP/1.1 307 X\r\nlocation: /v1/chat/completions\r\ncontent-length: 900000000\r\n\r\n",
        b"x" * 5000,
    ),
}


@pytest.mark.parametrize("kind", FLOODS)
@pytest.mark.parametrize("most", [20_000, 500_000])
def test_no_more_bytes_are_read_than_the_settings_say(kind: str, most: int) -> None:
    """Over all attempts and redirects, whatever the bytes are for."""
    with raw_server(*FLOODS[kind], 0.0) as (address, _):
        model = _model(address, max_bytes=most, max_attempts=10, budget_s=20.0)
        answer = model.ask_checked(QUESTION, FORM, _sum)
    assert answer.status is not AskStatus.OK
    assert 0 < answer.usage.received <= 1.1 * most


def test_what_came_before_a_connection_broke_counts() -> None:
    def half(handler: Any, request: Any) -> None:
        handler.send_response(200)
        handler.send_header("content-length", "90000")
        handler.end_headers()
        handler.wfile.write(b" " * 30_000)
        handler.close_connection = True

    with model_server(half) as (address, script):
        model = _model(address, max_bytes=70_000, max_attempts=10, budget_s=20.0)
        answer = model.ask_checked(QUESTION, FORM, _sum)
    assert answer.status is not AskStatus.OK and len(script.requests) == 3
    assert 60_000 < answer.usage.received <= 77_000


def test_what_came_before_the_time_was_up_counts() -> None:
    with raw_server(b"HTTP/1.1 200 OK\r\n\r\n" + b" " * 30_000, b"", 0.05) as (address, _):
        model = _model(address, max_bytes=70_000, timeout_s=1.0, budget_s=60.0)
        answer = model.ask_checked(QUESTION, FORM, _sum)
    assert answer.status is not AskStatus.OK
    assert 60_000 < answer.usage.received <= 77_000


def test_bytes_of_all_attempts_are_counted_together() -> None:
    long = sending(completion("no " * 20_000))
    with model_server(long) as (address, script):
        answer = _model(address, max_bytes=100_000, max_attempts=10).ask_checked(
            QUESTION, FORM, _sum
        )
    assert answer.status is AskStatus.INVALID
    assert len(script.requests) == 2


def _redirecting(target: str, status: int = 307) -> Any:
    def move(handler: Any, request: Any) -> None:
        reply(handler, {}, status, location=target)

    return move


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_prompt_and_key_never_go_to_another_server(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-sesame-open")
    with (
        model_server('{"sum": 4}') as (other, stolen),
        model_server(_redirecting(f"{other}/chat/completions", status)) as (address, script),
    ):
        answer = _model(address).ask_checked(QUESTION, FORM, _sum)
    assert answer.status is AskStatus.UNAVAILABLE
    assert "grounding.model.base_url" in answer.message
    assert not stolen.requests and len(script.requests) == 1


def test_a_redirect_on_the_same_server_is_followed() -> None:
    with model_server(_redirecting("/v2/chat/completions"), '{"sum": 4}') as (address, script):
        assert _model(address).ask_checked(QUESTION, FORM, _sum).value == 4
    assert len(script.requests) == 2


def test_a_circle_of_redirects_ends() -> None:
    with model_server(_redirecting("/v1/chat/completions")) as (address, script):
        answer = _model(address).ask_checked(QUESTION, FORM, _sum)
    assert answer.status is AskStatus.UNAVAILABLE and len(script.requests) == 4


@pytest.mark.parametrize(
    "shown",
    [
        "sk-sesame-open-1234567890",
        "sk-sesame-open-12",
        "open-1234567890",
        "".join(f"\\u{ord(c):04x}" for c in "sk-sesame-open-1234567890"),
        "".join(f"&#{ord(c)};" for c in "sk-sesame-open-1234567890"),
        "".join(f"%{ord(c):02X}" for c in "sk-sesame-open-1234567890"),
    ],
)
def test_no_part_of_a_key_is_shown_however_it_is_written(shown: str) -> None:
    server = Server("http://localhost/v1", "sk-sesame-open-1234567890")
    assert server.without_key(f"wrong key {shown}, caf\u00e9") == "wrong key ***, caf\u00e9"
    assert server.without_key("100% of \\u00e9 &amp; more") == "100% of \\u00e9 &amp; more"


def test_a_key_is_never_shown_logged_or_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    key = "sk-sesame-open"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    caplog.set_level(logging.DEBUG)
    tells = failing(401, f"wrong key {key}")
    chatty = f'Your key is {key}. {{"sum": 4}}'
    with model_server(tells) as (address, _):
        answer = _model(address).ask_checked(QUESTION, FORM, _sum)
    assert "wrong key ***" in answer.message
    with model_server(chatty) as (address, _):
        model = _model(address, cache=str(tmp_path / "kept"))
        assert model.ask_checked(QUESTION, FORM, _sum).value == 4
    kept = list((tmp_path / "kept").iterdir())
    assert len(kept) == 1 and key not in kept[0].read_text()
    assert kept[0].stat().st_mode & 0o077 == 0
    assert (tmp_path / "kept").stat().st_mode & 0o077 == 0
    assert key not in caplog.text and key not in repr(model._server)


def test_a_password_in_the_address_is_refused_unprinted() -> None:
    with pytest.raises(GroundingError) as raised:
        _model("http://me:sesame@127.0.0.1:9/v1").ask_checked(QUESTION, FORM, _sum)
    assert "sesame" not in str(raised.value)


def test_servers_do_not_share_cached_answers(tmp_path: Path) -> None:
    folder = str(tmp_path / "kept")
    with model_server('{"sum": 4}') as (one, _), model_server('{"sum": 5}') as (two, _):
        assert _model(one, cache=folder).ask_checked(QUESTION, FORM, _sum).value == 4
        assert _model(two, cache=folder).ask_checked(QUESTION, FORM, _sum).value == 5


def test_after_a_cut_answer_there_is_twice_the_room() -> None:
    cut = sending(completion('{"sum"', finish="length"))
    with model_server(cut, cut, '{"sum": 4}') as (address, script):
        model = _model(address, max_answer_tokens=100, most_answer_tokens=300)
        assert model.ask_checked(QUESTION, FORM, _sum).value == 4
    assert [r["max_tokens"] for r in script.requests] == [100, 200, 300]


@pytest.mark.parametrize(("first", "limits"), [(100, [100, 200, 300]), (300, [300])])
def test_an_answer_that_is_cut_off_at_the_most_is_not_asked_for_again(
    first: int, limits: list[int]
) -> None:
    counted = {"prompt_tokens": 900, "completion_tokens": 300}
    cut = sending(completion('{"sum"', finish="length", usage=counted))
    with model_server(cut) as (address, script):
        model = _model(address, max_answer_tokens=first, most_answer_tokens=300)
        answer = model.ask_checked(QUESTION, FORM, _sum)
    assert [r["max_tokens"] for r in script.requests] == limits
    assert answer.status is AskStatus.INVALID
    assert "300 tokens" in answer.message and "most_answer_tokens" in answer.message


def test_limits_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="most_answer_tokens"):
        ModelSettings(max_answer_tokens=8192)


def test_a_server_that_was_down_is_tried_once_for_the_next_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(conversation, "FIRST_WAIT_S", 0.01)
    with model_server(failing(503)) as (address, script):
        model = _model(address)
        model.ask_checked(QUESTION, FORM, _sum)
        first = len(script.requests)
        model.ask_checked(QUESTION, FORM, _sum)
    assert first > 1 and len(script.requests) == first + 1


def test_a_server_that_does_not_enforce_the_form_is_told_it_in_words() -> None:
    with model_server("It is four.", '{"sum": 4}') as (address, script):
        model = _model(address)
        assert model.ask_checked(QUESTION, FORM, _sum).value == 4
    assert "of this schema" not in script.requests[0]["messages"][0]["content"]
    assert "of this schema" in script.requests[1]["messages"][0]["content"]


# ---- what small models send ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        '<think>Maybe {"sum": 9}? No.</think>\n{"sum": 4}',
        'It is {"sum": 9}.</think>{"sum": 4}',
        'Sure! Here is {it}:\n```json\n{"sum": 4}\n```\nAnything else?',
        '{"sum": 4}\n{"sum": 4}',
        '{"sum": 4,}',
        '{"sum": 4, "note": null}',
        '{"sum": "4"}',
        '{"sum": 4.0}',
        '{"answer": {"sum": 4}}',
    ],
)
def test_slips_with_one_reading_are_repaired(text: str) -> None:
    with model_server(text) as (address, script):
        answer = _model(address).ask_checked(QUESTION, FORM, _sum)
    assert (answer.value, len(script.requests)) == (4, 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"sum": 4, "sum": 5}', '"sum" is there twice'),
        ('{"sum": 4} or {"sum": 5}', "2 different JSON objects"),
        ("<think>4 or 5", "nothing but reasoning"),
        ('{"sum": NaN}', "NaN"),
        ('{"sum": 4', "after"),
        ("[" * 50_000, "nested too deeply"),
        ('{"a":' * 50_000, "nested too deeply"),
        ('{"sum": "\\ud800"}', "half a character"),
        ("{" * 300_000, "no JSON object"),
    ],
)
def test_what_has_two_readings_or_none_goes_back(text: str, why: str) -> None:
    with pytest.raises(GroundingError) as raised:
        json_value(text)
    assert why in str(raised.value)


SHAPE = Form(
    {
        "type": "object",
        "properties": {"tasks": {"type": "array", "items": {"$ref": "#/$defs/Task"}}},
        "$defs": {
            "Task": {
                "type": "object",
                "properties": {
                    "what": {"anyOf": [{"$ref": "#/$defs/Thing"}, {"$ref": "#/$defs/Both"}]},
                    "how": {"enum": ["all", "any"]},
                },
                "required": ["what"],
            },
            "Thing": {
                "type": "object",
                "properties": {
                    "noun": {"type": "string"},
                    "ids": {"type": "array", "items": {"type": "string"}},
                },
            },
            "Both": {
                "type": "object",
                "properties": {"things": {"type": "array", "items": {"$ref": "#/$defs/Thing"}}},
                "required": ["things"],
            },
        },
    },
    {"Thing": "noun"},
)


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ([{"what": {"noun": "cot"}}], {"tasks": [{"what": {"noun": "cot"}}]}),
        ({"what": "cot"}, {"tasks": [{"what": {"noun": "cot"}}]}),
        ({"tasks": {"what": "cot"}}, {"tasks": [{"what": {"noun": "cot"}}]}),
        ({"tasks": [{"what": {"ids": 44}}]}, {"tasks": [{"what": {"ids": ["44"]}}]}),
        ({"tasks": [{"what": {"ids": [4, "5"]}}]}, {"tasks": [{"what": {"ids": ["4", "5"]}}]}),
        (
            {"tasks": [{"what": "x", "how": "ALL"}]},
            {"tasks": [{"what": {"noun": "x"}, "how": "all"}]},
        ),
        (
            {"tasks": [{"what": {"things": ["a", {"noun": "b"}]}, "how": None}]},
            {"tasks": [{"what": {"things": [{"noun": "a"}, {"noun": "b"}]}}]},
        ),
    ],
)
def test_answers_are_brought_into_form_without_guessing(sent: Any, meant: Any) -> None:
    assert SHAPE.fitted(sent) == meant


def test_what_would_be_a_guess_stays_as_it_is() -> None:
    two = {"tasks": [{"what": ["a", "b"]}]}  # both of them, or any of them?
    assert SHAPE.fitted(two) == two
    unknown = {"tasks": [{"what": {"noun": "a"}, "how": "some"}]}
    assert SHAPE.fitted(unknown) == unknown


def test_a_nested_bomb_is_refused() -> None:
    bomb: Any = "x"
    for _ in range(200):
        bomb = {"things": [bomb]}
    recursive = Form(
        {
            "$ref": "#/$defs/Both",
            "properties": {},
            "$defs": {
                "Both": {
                    "type": "object",
                    "properties": {"things": {"type": "array", "items": {"$ref": "#/$defs/Both"}}},
                }
            },
        }
    )
    with pytest.raises(GroundingError, match="too deeply"):
        recursive.fitted(json.loads(json.dumps(bomb)))
