"""How a server wants to be asked: which parameters it takes, and how it is told the form of an answer."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from commonground.grounding.settings import ModelSettings

logger = logging.getLogger(__name__)

Message = Mapping[str, Any]
"""With the key ``content``: a text, or a list of parts as `images.with_images` makes it."""
How = Literal["schema", "guided", "json", "text"]

_WEAKER: dict[str, How] = {"schema": "guided", "guided": "json", "json": "text"}
"""What is asked for where a server does not know a form."""
_OPTIONAL = ("max_tokens", "temperature", "seed", "stream_options", "stream")


class Dialect:
    """What a server turned out to take; learned from what it rejects, and kept."""

    def __init__(self, settings: ModelSettings) -> None:
        self.settings = settings
        auto = settings.structured == "auto"
        self.how: How = "schema" if settings.structured == "auto" else settings.structured
        self.may_change = auto
        self.in_words = False
        """Whether the schema goes into the prompt as well, because the server does not enforce it."""
        self._dropped: set[str] = set()
        self._lock = threading.Lock()

    def body(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None,
        max_tokens: int,
        attempt: int,
    ) -> dict[str, Any]:
        """Return a request; a further attempt is drawn differently, or it would be the same again."""
        asked = [dict(m) for m in messages]
        seed = self.settings.seed
        body: dict[str, Any] = {
            "model": self.settings.name,
            "messages": asked,
            "temperature": 0 if attempt == 0 else min(0.9, 0.3 * attempt),
            "max_tokens": max_tokens,
            "seed": None if seed is None else seed + attempt,
        }
        if self.settings.stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        if "max_tokens" in self._dropped:
            body["max_completion_tokens"] = max_tokens
        if schema is not None:
            self._ask_form(body, schema)
        return {k: v for k, v in body.items() if v is not None and k not in self._dropped}

    def _ask_form(self, body: dict[str, Any], schema: Mapping[str, Any]) -> None:
        if self.how == "schema":
            form = {"name": "answer", "strict": False, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        elif self.how == "guided":
            body["guided_json"] = schema
        elif self.how == "json":
            body["response_format"] = {"type": "json_object"}
        if self.how in ("guided", "json", "text") or self.in_words:
            text = json.dumps(schema, separators=(",", ":"))
            ask = f"\nAnswer with one JSON object of this schema and nothing else:\n{text}"
            _append(body["messages"][0], ask)

    def concede(self, said: str, body: Mapping[str, Any]) -> bool:
        """Leave out what a server rejects of a request; tell whether there is another way to ask.

        Of several requests under way at once, all that were rejected for one thing cost that thing only.
        """
        named = said.lower()
        with self._lock:
            for name in _OPTIONAL:
                if name in named and name in body:
                    self._dropped.add(name)
                    return True
            if (asked := _how(body)) is not None and asked != self.how:
                return True  # another request was rejected for it meanwhile
            if self.may_change and self.how in _WEAKER:
                self.how = _WEAKER[self.how]
                logger.info(
                    "the server rejects the form asked for (%s); trying %s", named, self.how
                )
                return True
            return False


def _how(body: Mapping[str, Any]) -> How | None:
    """Return the form that a request asks for; None where its parameters do not tell one."""
    if "response_format" in body:
        return "schema" if body["response_format"]["type"] == "json_schema" else "json"
    return "guided" if "guided_json" in body else None


def _append(message: dict[str, Any], text: str) -> None:
    """Say more in a message; the one that was passed in stays as it is."""
    if isinstance(message["content"], str):
        message["content"] += text
    else:
        message["content"] = [*message["content"], {"type": "text", "text": text.strip()}]
