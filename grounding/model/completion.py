"""What a server's bytes say: a chat completion whole or in pieces, with or without the model's reasoning."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from commonground.errors import MALFORMED, GroundingError
from commonground.reasons import line, reason

_REASONING = ("reasoning_content", "reasoning", "thinking")
"""Fields in which servers put what a model thinks before it answers."""


class BrokenStreamError(GroundingError):
    """An answer in pieces that has no end."""


class UnreadableError(GroundingError):
    """Bytes that are no text: a gateway packs replies, or writes them in letters of its own."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What the model said, and how it ended."""

    text: str
    refusal: str = ""
    finish: str = ""
    tokens: tuple[int, int] | None = None
    """Prompt and answer, as the server counted; None where it did not or makes no sense."""
    tool: str = ""
    """The tool that the model calls, if it does."""


def read_completion(body: bytes, headers: Mapping[str, str]) -> Completion:
    """Return the completion in a response; GroundingError if it is none."""
    streamed = "event-stream" in headers.get("content-type", "") or body.startswith(b"data:")
    text = _decoded(body, headers)
    try:
        return _joined(text) if streamed else _whole(json.loads(text))
    except BrokenStreamError:
        raise
    except (RecursionError, *MALFORMED) as error:
        raise GroundingError("the reply is no chat completion") from error


def _decoded(body: bytes, headers: Mapping[str, str]) -> str:
    """Return the text of a body; UnreadableError if it is none."""
    try:
        return body.decode("utf-8-sig")  # some begin with a byte order mark
    except UnicodeDecodeError as error:
        packed = headers.get("content-encoding", "identity")
        if packed != "identity":
            why = f"the reply is packed ({line(packed, 20)}), which was not asked for"
            raise UnreadableError(why) from error
        raise UnreadableError(f"the reply is no UTF-8 text: {reason(error)}") from error


def _whole(values: Any) -> Completion:
    choice = values["choices"][0]
    message = choice["message"]
    refusal, finish = message.get("refusal"), choice.get("finish_reason")
    text = _spoken(message.get("content"))
    if not text.strip() and finish == "stop":
        # a server that mistakes the answer for reasoning still has it there
        text = next((r for name in _REASONING if isinstance(r := message.get(name), str)), "")
    counted = _counted(values.get("usage"))
    return Completion(text, _text(refusal), _text(finish), counted, _called(message))


def _joined(stream: str) -> Completion:
    """Return the completion that server-sent events add up to; a stream without an end was cut off."""
    text: list[str] = []
    refusal = finish = tool = ""
    tokens = None
    ended = False
    for sent in stream.splitlines():
        data = sent[5:].strip() if sent.startswith("data:") else ""
        if data == "[DONE]":
            ended = True
        if not data or ended:
            continue
        event = json.loads(data)
        if event.get("error"):
            raise BrokenStreamError(f"the server stops with an error: {event['error']}")
        tokens = _counted(event.get("usage")) or tokens
        for choice in event.get("choices", [])[:1]:
            delta = choice.get("delta") or {}
            text.append(_spoken(delta.get("content")))
            refusal += _text(delta.get("refusal"))
            tool = tool or _called(delta)
            finish = _text(choice.get("finish_reason")) or finish
    if not (ended or finish):
        raise BrokenStreamError("the stream breaks off")
    return Completion("".join(text), refusal, finish, tokens, tool)


def _called(message: Mapping[str, Any]) -> str:
    """Return the name of the tool that a message calls, '' where it calls none."""
    calls = message.get("tool_calls") or [message.get("function_call")]
    first = calls[0] if isinstance(calls, list) and calls else None
    if not isinstance(first, Mapping):
        return ""
    function = first.get("function", first)
    return (
        _text(function.get("name")) if isinstance(function, Mapping) else ""
    ) or "one without a name"


def _spoken(content: Any) -> str:
    """Return the words of a message: a text, or a list of parts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type") == "text")
    return content if isinstance(content, str) else ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _counted(usage: Any) -> tuple[int, int] | None:
    if not isinstance(usage, dict):
        return None
    counts = usage.get("prompt_tokens"), usage.get("completion_tokens")
    known = all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 10**9 for n in counts)
    return counts if known else None  # type: ignore[return-value]
