"""What an HTTP error, or a reply that is no completion, means: what to change, or that waiting may help."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from commonground.reasons import line

Kind = Literal["busy", "failed", "rejected", "refused"]
"""Try later; a failure that stays; the server may take the same asked otherwise; its filter stops it."""

_BUSY = frozenset({408, 409, 425, 429})
_ABOUT_FORM = frozenset({400, 404, 415, 422, 501})
_MODEL = re.compile(
    r"model_not_found|deploymentnotfound|(?:model|deployment)\b[^.]{0,99}?"
    r"\b(?:not found|not exist|doesn't exist|not available|not loaded)"
    r"|(?:unknown|no such|invalid|could not find|cannot find) (?:model|deployment)",
    re.I,
)
_ASKED = re.compile(r"parameter|response_format|schema|guided|structured", re.I)
_CONTEXT = re.compile(
    r"context[ _](?:length|size|window)|exceed_context|prompt is too long|too many tokens", re.I
)
_ROOM = re.compile(r"max_(?:completion_|output_)?tokens\W[^.]{0,40}too (?:large|high)|at most \d+ "
                   r"(?:completion|output) tokens", re.I)  # fmt: skip
_FILTER = re.compile(r"content_filter|content management policy|ResponsibleAIPolicyViolation")
_FORM = re.compile(r"parameter|response_format|schema|guided|structured|support", re.I)
_PAGE = re.compile(rb"\s*<(?:!doctype html|html|head|body)\b", re.I)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.I | re.S)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and whether anything else may be tried."""

    kind: Kind
    text: str


def of_status(status: int, words: str, asked: str, model: str) -> Fault:
    """Return what an HTTP error means; what the server says of it is quoted in one line."""
    said = line(message_in(words))
    text = f"HTTP {status} from {asked}{f': {said}' if said else ''}"
    if status in _BUSY or (status >= 500 and status not in _ABOUT_FORM):
        # a spent quota comes with the status of a rate limit, and no waiting helps
        return Fault("failed" if "insufficient_quota" in words else "busy", text)
    if _FILTER.search(words):
        return Fault("refused", text)
    remedy = _remedy(status, words, model)
    if remedy:
        return Fault("failed", f"{text}; {remedy}")
    return Fault("rejected" if status in _ABOUT_FORM else "failed", text)


def _remedy(status: int, words: str, model: str) -> str:
    """Return what is to be changed, where that is certain."""
    if status in (401, 403):
        return "the key is in the variable that grounding.model.api_key_variable names"
    if _CONTEXT.search(words):
        return (
            "give the server a longer context, or lower grounding.model.max_answer_tokens or "
            "(for a memory) memory.max_tokens"
        )
    if _ROOM.search(words):
        return "lower grounding.model.max_answer_tokens and most_answer_tokens"
    if _MODEL.search(words) and not _ASKED.search(words):  # else what it cannot do may be left out
        return f"grounding.model.name is {model!r}: set it to a model that is there"
    if status in (404, 405) and not _FORM.search(words):
        return (
            "nothing is served at that address: it usually ends in /v1, or names /chat/completions"
        )
    return ""


def of_page(body: bytes, headers: Mapping[str, str], asked: str) -> str:
    """Return that a page for people came back; empty where it did not."""
    as_page = "text/html" in headers.get("content-type", "")
    # small servers send any text under that name, their answers too
    if not _PAGE.match(body[:200]) and not (as_page and body.lstrip()[:1] == b"<"):
        return ""
    words = body[:4000].decode("utf-8", "replace")
    title = _TITLE.search(words)
    shown = line(title[1] if title else words, 60)
    return f"a web page came from {asked}, no answer of a model (is there a login before it?): {shown!r}"


def error_in(body: bytes) -> tuple[int, str] | None:
    """Return the status and the words of an error that came as if all were well."""
    try:
        values = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict) or not values.get("error") or "choices" in values:
        return None
    error = values["error"]
    code = error.get("code") if isinstance(error, dict) else None
    status = str(code)
    return int(status) if re.fullmatch("[45][0-9]{2}", status) else 0, json.dumps(values)


def message_in(words: str) -> str:
    """Return the message in the JSON body of an error, or the body."""
    try:
        error: Any = json.loads(words)
    except (ValueError, RecursionError):
        return words
    while isinstance(error, dict):
        error = next((error[key] for key in ("error", "message", "detail") if key in error), words)
    return error if isinstance(error, str) else words


def wait_asked(headers: Mapping[str, str], now: float | None = None) -> float:
    """Return for how many seconds a server asks to be left alone; it says so in seconds or by a date."""
    for name, unit in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        said = headers.get(name, "")
        try:
            return max(0.0, float(said) * unit)
        except ValueError:
            pass
        try:
            at = parsedate_to_datetime(said).timestamp()
        except (ValueError, TypeError, OverflowError):
            continue
        return max(0.0, at - (time.time() if now is None else now))
    return 0.0


def shown_wait(seconds: float) -> str:
    """Return a time as people say it."""
    for size, unit in ((86400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds > 0.99 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"
