"""Servers on loopback that speak the dialects of llama.cpp, Ollama, vLLM and hosted models."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from commonground.errors import GroundingError
from commonground.grounding.model import AskStatus, ChatModel, Form
from commonground.grounding.settings import ModelSettings
from tests.grounding.model_server import completion, failing, model_server, reply, sending

QUESTION = [{"role": "user", "content": "2 and 2?"}]
SCHEMA = {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}
FORM = Form(SCHEMA)
RIGHT = '{"sum": 4}'
Move = Callable[[Any, dict[str, Any]], None]


def _sum(value: Any) -> int:
    if not isinstance(value.get("sum"), int):
        raise GroundingError("there is no integer 'sum'")
    return int(value["sum"])


def _streamed(handler: Any, text: str, *, usage: bool, done: bool = True, **delta: Any) -> None:
    """Send an answer as server-sent events, some letters at a time."""
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.send_header("connection", "close")
    handler.end_headers()

    def event(choices: list[Any], **more: Any) -> None:
        handler.wfile.write(b"data: " + json.dumps({"choices": choices, **more}).encode() + b"\n\n")

    handler.wfile.write(b": a comment that keeps the line open\n\n")
    event([{"index": 0, "delta": {"role": "assistant", "content": None, **delta}}])
    for at in range(0, len(text), 3):
        event([{"index": 0, "delta": {"content": text[at : at + 3]}}])
    if done:
        event([{"index": 0, "delta": {}, "finish_reason": "stop"}])
    if usage:
        event([], usage={"prompt_tokens": 11, "completion_tokens": 7})
    if done:
        handler.wfile.write(b"data: [DONE]\n\n")
    handler.close_connection = True


def llama_cpp(handler: Any, request: dict[str, Any]) -> None:
    """A build that knows JSON mode; asked for a schema it says what it knows."""
    kind = request.get("response_format", {}).get("type")
    if kind == "json_schema" or "guided_json" in request:
        reply(handler, {"error": {"code": 400, "message": "unsupported", "type": "invalid"}}, 400)
        return
    enforced = kind == "json_object"
    body = completion(RIGHT if enforced else "It is four.")
    body["timings"] = {"prompt_n": 1}
    reply(handler, body)


def ollama(handler: Any, request: dict[str, Any]) -> None:
    """Takes schemas, ignores what it does not know, names what it thinks ``reasoning``."""
    form = request.get("response_format", {})
    assert "Authorization" in handler.headers
    enforced = form.get("type") == "json_schema" and "schema" in form["json_schema"]
    message = {"reasoning": 'Perhaps {"sum": 5}?'}
    reply(handler, completion(RIGHT if enforced else "four", message=message))


def vllm_old(handler: Any, request: dict[str, Any]) -> None:
    """Knows ``guided_json`` but no schemas as response format."""
    if request.get("response_format", {}).get("type") == "json_schema":
        detail = [{"loc": ["body", "response_format", "type"], "msg": "unexpected value"}]
        reply(handler, {"object": "error", "message": str(detail), "code": 400}, 400)
        return
    assert "guided_json" in request
    reply(handler, completion(RIGHT))


def vllm_reasoning(handler: Any, request: dict[str, Any]) -> None:
    """Streams where asked to, thoughts in a field of their own."""
    thought = {"reasoning_content": 'So {"sum": 5}. No.'}
    if request.get("stream"):
        _streamed(handler, RIGHT, usage="stream_options" in request, **thought)
    else:
        reply(handler, completion(RIGHT, message=thought))


def misread_reasoning(handler: Any, request: dict[str, Any]) -> None:
    """Takes the answer for reasoning, as servers with the wrong parser do."""
    reply(handler, completion(None, message={"reasoning_content": RIGHT}))


def hosted(handler: Any, request: dict[str, Any]) -> None:
    """A reasoning model that takes neither a temperature nor ``max_tokens``."""
    for name in ("max_tokens", "temperature"):
        if name in request:
            failing(400, f"Unsupported parameter: '{name}' is not supported.")(handler, request)
            return
    assert request["max_completion_tokens"] > 0
    reply(handler, completion(RIGHT))


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    "server", [llama_cpp, ollama, vllm_old, vllm_reasoning, misread_reasoning, hosted]
)
def test_every_dialect_gives_the_answer(server: Move, stream: bool) -> None:
    with model_server(server) as (address, _):
        model = ChatModel(ModelSettings(base_url=address, timeout_s=20, stream=stream))
        answer = model.ask_checked(QUESTION, FORM, _sum)
    assert (answer.status, answer.value) == (AskStatus.OK, 4)


def test_a_stream_counts_its_tokens() -> None:
    with model_server(vllm_reasoning) as (address, script):
        model = ChatModel(ModelSettings(base_url=address, stream=True))
        usage = model.ask_checked(QUESTION, FORM, _sum).usage
    assert (usage.prompt, usage.completion, usage.estimated) == (11, 7, False)
    assert script.requests[0]["stream_options"] == {"include_usage": True}


def test_a_stream_that_breaks_off_is_no_answer() -> None:
    def broken(handler: Any, request: dict[str, Any]) -> None:
        _streamed(handler, RIGHT, usage=False, done=False)

    with model_server(broken, sending(completion(RIGHT))) as (address, script):
        answer = ChatModel(ModelSettings(base_url=address)).ask_checked(QUESTION, FORM, _sum)
    assert (answer.value, len(script.requests)) == (4, 2)


def test_an_error_in_a_stream_is_no_answer() -> None:
    event = b'data: {"error": {"message": "out of memory"}}\n\ndata: [DONE]\n\n'
    with model_server(sending(event)) as (address, _):
        model = ChatModel(ModelSettings(base_url=address, max_attempts=1))
        answer = model.ask_checked(QUESTION, FORM, _sum)
    assert answer.status is AskStatus.INVALID and "out of memory" in answer.message
