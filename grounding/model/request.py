"""One request to a chat completions server, and what came of it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from commonground.errors import GroundingError
from commonground.grounding.model.answer import Usage
from commonground.grounding.model.completion import BrokenStreamError, Completion, read_completion
from commonground.grounding.model.server import Server
from commonground.grounding.model.tokens import estimate_messages, estimate_tokens
from commonground.grounding.model.transport import (
    BrokenOffError,
    ElsewhereError,
    Meter,
    NoConnectionError,
    Received,
    TooLateError,
    TooLongError,
    post,
)
from commonground.grounding.settings import ModelSettings
from commonground.reasons import line, reason


class Budget:
    """The time and bytes that are left for a question with all its retries."""

    def __init__(self, settings: ModelSettings) -> None:
        self.deadline = time.monotonic() + settings.budget_s
        self.most_seconds = settings.timeout_s
        self.meter = Meter(settings.max_bytes)

    @property
    def seconds(self) -> float:
        """What the next answer may take."""
        return min(self.most_seconds, self.deadline - time.monotonic())

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.meter.left <= 0 or time.monotonic() >= self.deadline

    def wait(self, seconds: float, cancelled: threading.Event | None = None) -> None:
        """Wait, but not beyond the deadline."""
        left = max(0.0, min(seconds, self.deadline - time.monotonic()))
        (cancelled or threading.Event()).wait(left)


Outcome = Literal[
    "text", "refused", "cut", "malformed", "timeout", "busy", "absent", "failed", "rejected"
]
"""What a request came to: an answer; the model declined; the answer was cut off by the token limit; no
chat completion; too slow; try later (429, 5xx); nobody there; a failure that stays; the server rejects
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


def send(server: Server, body: Mapping[str, Any], budget: Budget) -> Reply:
    """Send one request and return what came of it; nothing is raised for what a server may do."""
    content = json.dumps(body, ensure_ascii=True).encode()
    try:
        got = post(server.url, server.headers, content, budget.seconds, budget.meter)
    except TooLateError as error:
        return Reply("timeout", str(error))
    except TooLongError as error:
        return Reply("malformed", str(error))
    except ElsewhereError as error:
        return Reply("failed", str(error))
    except BrokenOffError as error:
        return Reply("busy", server.without_key(str(error)))
    except NoConnectionError as error:
        return Reply("absent", server.without_key(str(error)))
    if got.status != 200:
        return _failed_status(got, server)
    return _read(got, body, server)


def _failed_status(got: Received, server: Server) -> Reply:
    """Return what an HTTP error means; what the server says of it is quoted in one line."""
    words = got.body[:4000].decode("utf-8", "replace")
    said = line(_message(words))
    text = server.without_key(f"HTTP {got.status}{f': {said}' if said else ''}")
    if got.status in (408, 409, 425, 429) or got.status >= 500:
        return Reply(_permanent(words) or "busy", text, wait_s=_retry_after(got.headers))
    return Reply("rejected" if got.status in (400, 404, 415, 422, 501) else "failed", text)


def _permanent(words: str) -> Literal["failed"] | None:
    """A spent quota comes with the status of a rate limit, and no waiting helps."""
    return "failed" if "insufficient_quota" in words else None


def _message(words: str) -> str:
    """Return the message in the JSON body of an error, or the body."""
    try:
        error = json.loads(words)
    except (ValueError, RecursionError):
        return words
    while isinstance(error, dict):
        error = next((error[key] for key in ("error", "message", "detail") if key in error), words)
    return error if isinstance(error, str) else words


def _retry_after(headers: Mapping[str, str]) -> float:
    for name, unit in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers.get(name, "")) * unit)
        except ValueError:
            continue
    return 0.0


def _read(got: Received, body: Mapping[str, Any], server: Server) -> Reply:
    """Return the answer in a chat completion; whatever is not one is malformed."""
    try:
        found = read_completion(got.body, got.headers)
    except BrokenStreamError as error:
        return Reply("malformed", server.without_key(reason(error)))
    except GroundingError as error:
        words = got.body[:4000].decode("utf-8", "replace").strip()
        said = line(_message(words)) if words else "nothing at all"
        return Reply("malformed", server.without_key(f"{error}: {said}"))
    usage = _usage(found, body)
    text = server.without_key(found.text)
    if found.refusal or found.finish == "content_filter":
        return Reply("refused", line(found.refusal or "the content filter stopped it"), usage)
    if found.finish == "length":
        return Reply("cut", "the answer was cut off by the token limit", usage)
    if not text.strip():
        return Reply("malformed", "the answer is empty", usage)
    return Reply("text", text, usage)


def _usage(found: Completion, body: Mapping[str, Any]) -> Usage:
    """Return the tokens the server counted, or an estimate."""
    if found.tokens is not None:
        return Usage(*found.tokens, requests=1)
    prompt = estimate_messages(body["messages"], body.get("response_format"))
    return Usage(prompt, estimate_tokens(found.text), 1, estimated=True)
