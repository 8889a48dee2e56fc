"""One request to a chat completions server, with a hard limit on its time and size."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from commonground.grounding.model.answer import Usage
from commonground.grounding.model.tokens import estimate_messages, estimate_tokens

if TYPE_CHECKING:
    from openai import OpenAI

MAX_BYTES = 2_000_000
"""A longer reply is cut off and counts as malformed."""

Outcome = Literal["text", "refused", "cut", "malformed", "timeout", "busy", "failed", "rejected"]
"""What a request came to: an answer; the model declined; the answer was cut off by the token limit; no
chat completion; too slow; try later (429, 5xx, no connection); a failure that stays; the server rejects
a parameter."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server sent."""

    outcome: Outcome
    text: str = ""
    """The answer, or what went wrong."""
    usage: Usage = field(default_factory=Usage)
    wait_s: float = 0.0
    """How long a busy server asks to be left alone."""


def send(client: OpenAI, body: dict[str, Any], timeout_s: float) -> Reply:
    """Send one request and return what came of it; nothing is raised for what a server may do.

    A server that trickles bytes would never run into a timeout between bytes, so the deadline is
    checked with every piece.
    """
    import openai

    lost, late = _transport_errors()
    late = (openai.APITimeoutError, *late)
    lost = (openai.APIConnectionError, *lost)
    deadline = time.monotonic() + timeout_s
    try:
        limits = openai.Timeout(timeout_s, connect=min(timeout_s, 10.0))
        completions: Any = client.chat.completions.with_streaming_response
        with completions.create(**body, timeout=limits) as response:
            content = bytearray()
            for piece in response.iter_bytes():
                content += piece
                if time.monotonic() > deadline:
                    return Reply("timeout", f"no complete answer within {timeout_s:g} s")
                if len(content) > MAX_BYTES:
                    return Reply("malformed", f"the reply is longer than {MAX_BYTES} bytes")
    except late:
        return Reply("timeout", f"no answer within {timeout_s:g} s")
    except openai.APIStatusError as error:
        return _failed_status(error)
    except lost as error:
        return Reply("busy", f"no connection: {_one_line(error.__cause__ or error)}")
    except (openai.OpenAIError, UnicodeError, ValueError) as error:
        return Reply("malformed", _one_line(error))
    return _read(bytes(content), body)


def _transport_errors() -> tuple[tuple[type[Exception], ...], tuple[type[Exception], ...]]:
    """Return the error and timeout classes of the HTTP libraries that versions of ``openai`` use."""
    import importlib
    import importlib.util

    names = [name for name in ("httpx", "httpx2") if importlib.util.find_spec(name)]
    found = [importlib.import_module(name) for name in names]
    return tuple(m.HTTPError for m in found), tuple(m.TimeoutException for m in found)


def _failed_status(error: Any) -> Reply:
    code = int(error.status_code)
    text = f"HTTP {code}: {_one_line(error)}"
    if code in (408, 409, 425, 429) or code >= 500:
        return Reply("busy", text, wait_s=_retry_after(error.response.headers))
    return Reply("rejected" if code in (400, 404, 415, 422, 501) else "failed", text)


def _retry_after(headers: Any) -> float:
    try:
        return max(0.0, float(headers.get("retry-after-ms", "")) / 1000)
    except ValueError:
        pass
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return 0.0


def _read(content: bytes, body: dict[str, Any]) -> Reply:
    """Return the answer in a chat completion; whatever is not one is malformed."""
    try:
        completion = json.loads(content)
        choice = completion["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
        finish = choice.get("finish_reason")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        return Reply("malformed", f"the reply is no chat completion: {_one_line(error)}")
    usage = _usage(completion, body, text if isinstance(text, str) else "")
    if refusal or finish == "content_filter":
        return Reply("refused", _one_line(refusal or "the content filter stopped it"), usage)
    if not isinstance(text, str) or not text.strip():
        return Reply("malformed", "the answer is empty", usage)
    if finish == "length":
        return Reply("cut", "the answer was cut off by the token limit", usage)
    return Reply("text", text, usage)


def _usage(completion: dict[str, Any], body: dict[str, Any], text: str) -> Usage:
    """Return the tokens the server counted, or an estimate where it did not or makes no sense."""
    usage = completion.get("usage")
    if isinstance(usage, dict):
        prompt, answer = usage.get("prompt_tokens"), usage.get("completion_tokens")
        if isinstance(prompt, int) and isinstance(answer, int) and min(prompt, answer) >= 0:
            return Usage(prompt, answer, 1)
    form = body.get("response_format")
    return Usage(
        estimate_messages(body["messages"], form), estimate_tokens(text), 1, estimated=True
    )


def _one_line(error: object) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
