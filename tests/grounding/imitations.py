"""Small imitations on loopback of servers of models: their addresses, refusals, streams and thoughts."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from commonground.grounding.model.tokens import estimate_messages
from tests.grounding.model_server import completion, reply

Mind = Callable[[dict[str, Any]], str]
"""What the model says to a request."""
Move = Callable[[Any, dict[str, Any]], None]


def vllm(mind: Mind, *, name: str = "qwen3", context: int = 8192, thought: str = "Well…") -> Move:
    """Thinks into a field of its own, knows its model by name, and keeps to schemas."""

    def move(handler: Any, request: dict[str, Any]) -> None:
        if urlsplit(handler.path).path != "/v1/chat/completions":
            return reply(handler, {"detail": "Not Found"}, 404)
        if request["model"] != name:
            said = f"The model `{request['model']}` does not exist."
            return _refuse(handler, 404, message=said, type="NotFoundError", code=404)
        taken = estimate_messages(request["messages"])
        if taken + request.get("max_tokens", 0) > context:
            said = (
                f"This model's maximum context length is {context} tokens. However, you requested "
                f"{taken + request['max_tokens']} tokens ({taken} in the messages, "
                f"{request['max_tokens']} in the completion). Please reduce the length of the messages "
                "or completion."
            )
            return _refuse(handler, 400, message=said, type="BadRequestError", code=400)
        return _say(handler, request, mind(request), {"reasoning_content": thought})

    return move


def llama_cpp(mind: Mind, *, context: int = 8192, loading: int = 0) -> Move:
    """Says 503 while it loads, takes any name of a model, and leaves thoughts in the text."""
    left = [loading]

    def move(handler: Any, request: dict[str, Any]) -> None:
        def refuse(code: int, said: str, kind: str) -> None:
            reply(handler, {"error": {"code": code, "message": said, "type": kind}}, code)

        if left[0]:
            left[0] -= 1
            return refuse(503, "Loading model", "unavailable_error")
        if urlsplit(handler.path).path not in ("/v1/chat/completions", "/chat/completions"):
            return refuse(404, "File Not Found", "not_found_error")
        taken = estimate_messages(request["messages"])
        if taken > context:
            said = (
                f"request ({taken} tokens) exceeds the available context size ({context} tokens), "
                "try increasing it"
            )
            return refuse(400, said, "exceed_context_size_error")
        return _say(handler, request, f"<think>\nHm. {{}}?\n</think>\n\n{mind(request)}", {})

    return move


def ollama(mind: Mind, *, name: str = "llama3.2") -> Move:
    """Cuts long prompts without a word, and puts answers without a format into fences."""

    def move(handler: Any, request: dict[str, Any]) -> None:
        if urlsplit(handler.path).path != "/v1/chat/completions":
            return reply(handler, b"404 page not found", 404)
        if request["model"] != name:
            said = f'model "{request["model"]}" not found, try pulling it first'
            return reply(handler, {"error": {"message": said, "type": "api_error"}}, 404)
        text = mind(request)
        if "response_format" not in request:
            text = f"Here is the answer:\n```json\n{text}\n```\nLet me know if you need more."
        return _say(handler, request, text, {"reasoning": "Let me see."})

    return move


def gateway(mind: Mind, *, key: str, deployment: str = "house") -> Move:
    """A company's door to hosted models: a version in the query, a key header of its own, a login page."""

    def move(handler: Any, request: dict[str, Any]) -> None:
        address = urlsplit(handler.path)
        if not address.path.startswith("/openai/"):
            page = b"<!DOCTYPE html><html><head><title>Sign in</title></head><body>..</body></html>"
            return reply(handler, page)
        if handler.headers.get("api-key") != key:
            said = "Access denied due to invalid subscription key or wrong API endpoint."
            return reply(handler, {"error": {"code": "401", "message": said}}, 401)
        if "api-version" not in parse_qs(address.query):
            return reply(handler, {"error": {"code": "404", "message": "Resource not found"}}, 404)
        if address.path != f"/openai/deployments/{deployment}/chat/completions":
            said = "The API deployment for this resource does not exist."
            error = {"code": "DeploymentNotFound", "message": said}
            return reply(handler, {"error": error}, 404)
        if "max_tokens" in request:
            said = "Unsupported parameter: 'max_tokens' is not supported with this model."
            return reply(
                handler, {"error": {"code": "unsupported_parameter", "message": said}}, 400
            )
        return _say(handler, request, mind(request), {})

    return move


def _refuse(handler: Any, status: int, **values: Any) -> None:
    reply(handler, {"object": "error", "param": None, **values}, status)


def _say(handler: Any, request: dict[str, Any], text: str, thought: dict[str, str]) -> None:
    """Send an answer, in pieces where that is asked for."""
    if not request.get("stream"):
        return reply(handler, completion(text, message=thought))
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.send_header("connection", "close")
    handler.end_headers()

    def event(choices: Sequence[Any], **more: Any) -> None:
        data = json.dumps({"object": "chat.completion.chunk", "choices": choices, **more})
        handler.wfile.write(f"data: {data}\n\n".encode())

    event([{"index": 0, "delta": {"role": "assistant", "content": ""}}])
    for field, words in thought.items():
        event([{"index": 0, "delta": {field: words}}])
    for at in range(0, len(text), 7):
        event([{"index": 0, "delta": {"content": text[at : at + 7]}}])
    event([{"index": 0, "delta": {}, "finish_reason": "stop"}])
    if request.get("stream_options", {}).get("include_usage"):
        event([], usage={"prompt_tokens": 900, "completion_tokens": 60, "total_tokens": 960})
    handler.wfile.write(b"data: [DONE]\n\n")
    handler.close_connection = True
    return None
