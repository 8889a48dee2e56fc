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
from commonground.grounding.model.completion import (
    BrokenStreamError,
    Completion,
    UnreadableError,
    read_completion,
)
from commonground.grounding.model.faults import error_in, message_in, of_page, of_status, wait_asked
from commonground.grounding.model.proxies import ProxyError
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
from commonground.grounding.model.trust import NotTrustedError
from commonground.grounding.settings import ModelSettings
from commonground.reasons import line, reason


class Budget:
    """The time and bytes that are left for a question with all its retries."""

    def __init__(self, settings: ModelSettings) -> None:
        self.deadline = time.monotonic() + settings.budget_s
        self.most_seconds, self.whole_s = settings.timeout_s, settings.budget_s
        self.meter = Meter(settings.max_bytes)

    @property
    def seconds(self) -> float:
        """What the next answer may take."""
        return min(self.most_seconds, self.left_s)

    @property
    def left_s(self) -> float:
        return self.deadline - time.monotonic()

    @property
    def spent(self) -> bool:
        return self.meter.left <= 0 or time.monotonic() >= self.deadline

    def wait(self, seconds: float, cancelled: threading.Event | None = None) -> None:
        """Wait, but not beyond the deadline."""
        left = max(0.0, min(seconds, self.left_s))
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
    own_limit: bool = False
    """Whether the server cut an answer off before the tokens that were asked for."""


def send(server: Server, body: Mapping[str, Any], budget: Budget) -> Reply:
    """Send one request and return what came of it; nothing is raised for what a server may do."""
    content = json.dumps(body, ensure_ascii=True).encode()
    left_s = budget.left_s
    try:
        got = _posted(server, content, budget)
    except TooLateError as error:
        return Reply("timeout", _too_late(f"{error} from {server.shown}", left_s, budget))
    except TooLongError as error:
        return Reply("malformed", str(error))
    except (ElsewhereError, ProxyError, NotTrustedError) as error:
        return Reply("failed", server.without_key(str(error)))
    except BrokenOffError as error:
        return Reply("busy", server.without_key(str(error)))
    except NoConnectionError as error:
        named = f" (named by {server.named_by})" if server.named_by else ""
        return Reply("absent", server.without_key(f"{error}{named}"))
    words = got.body[:4000].decode("utf-8", "replace")
    if got.status != 200:
        return _failed(got.status, words, got, body, server)
    wrong = of_page(got.body, got.headers, server.shown)
    if wrong:
        return Reply("failed", server.without_key(wrong))
    told = error_in(got.body)
    if told is not None:
        return _failed(told[0] or 200, told[1], got, body, server)
    return _read(got, body, server)


def _too_late(text: str, left_s: float, budget: Budget) -> str:
    """Return what was too late for which of the two bounds."""
    if left_s >= budget.most_seconds:
        return f"{text}: see grounding.model.timeout_s and budget_s"
    return (
        f"{text}, which is what was left to the last try: grounding.model.budget_s ({budget.whole_s:g}) "
        f"is for all tries together, timeout_s ({budget.most_seconds:g}) for each"
    )


def _posted(server: Server, content: bytes, budget: Budget) -> Received:
    """Return what comes from a server's address; from where it may be instead, if nothing is served there."""
    got = post(server.url, server.headers, content, budget.seconds, budget.meter)
    if got.status in (404, 405) and server.instead:
        other = post(server.instead, server.headers, content, budget.seconds, budget.meter)
        return other if other.status == 200 else got
    return got


def _failed(
    status: int, words: str, got: Received, body: Mapping[str, Any], server: Server
) -> Reply:
    """Return what an error means, and how long the server asks to be left alone."""
    fault = of_status(status, words, server.shown, str(body.get("model")))
    text = server.without_key(fault.text)
    return Reply(fault.kind, text, wait_s=wait_asked(got.headers))


def _read(got: Received, body: Mapping[str, Any], server: Server) -> Reply:
    """Return the answer in a chat completion; whatever is not one is malformed."""
    try:
        found = read_completion(got.body, got.headers)
    except BrokenStreamError as error:
        return Reply("malformed", server.without_key(reason(error)))
    except UnreadableError as error:
        return Reply("failed", f"{error}, from {server.shown}")
    except GroundingError as error:
        words = got.body[:4000].decode("utf-8", "replace").strip()
        said = line(message_in(words)) if words else "nothing at all"
        return Reply("malformed", server.without_key(f"{error}, from {server.shown}: {said}"))
    usage = _usage(found, body)
    text = server.without_key(found.text)
    if found.refusal or found.finish == "content_filter":
        said = server.without_key(found.refusal) or "the content filter stopped it"
        return Reply("refused", line(said), usage)
    if found.finish == "length":
        return _cut(found, body, usage)
    if not text.strip() and (found.tool or found.finish == "tool_calls"):
        tool = f"the model calls a tool ({line(found.tool, 40)}) instead of answering, and none is offered"
        return Reply(
            "malformed", f"{tool}: switch tools off at the server, or take another model", usage
        )
    if not text.strip():
        return Reply("malformed", "the answer is empty", usage)
    return Reply("text", text, usage)


def _cut(found: Completion, body: Mapping[str, Any], usage: Usage) -> Reply:
    """Return that an answer was cut off, and by whose limit, as far as the server counts."""
    room = int(body.get("max_completion_tokens") or body.get("max_tokens") or 0)
    if found.tokens is None or found.tokens[1] >= room:
        return Reply("cut", "the answer was cut off by the token limit", usage)
    told = (
        f"the server cut the answer off after {found.tokens[1]} of the {room} tokens asked for: that is "
        "a limit of its own (its context, or the most tokens it gives), so raise it there"
    )
    return Reply("cut", told, usage, own_limit=True)


def _usage(found: Completion, body: Mapping[str, Any]) -> Usage:
    """Return the tokens the server counted, or an estimate."""
    if found.tokens is not None:
        return Usage(*found.tokens, requests=1)
    prompt = estimate_messages(body["messages"], body.get("response_format"))
    return Usage(prompt, estimate_tokens(found.text), 1, estimated=True)
