"""Asking a model for a value: the answer is parsed and checked, and asked for again if it is not right."""

from __future__ import annotations

import json
import logging
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from commonground.errors import CommongroundError, GroundingError, require
from commonground.grounding.model.answer import Answer, AskStatus, Usage
from commonground.grounding.model.cache import AnswerCache, content_key
from commonground.grounding.model.request import Reply, send
from commonground.grounding.settings import ModelSettings

if TYPE_CHECKING:
    from openai import OpenAI

logger = logging.getLogger(__name__)

T = TypeVar("T")
Message = Mapping[str, Any]
"""With the key ``content``: a text, or a list of parts as `images.with_images` makes it."""
Check = Callable[[str], T]
"""Turns the text of an answer into a value; raises a CommongroundError that says what is wrong."""

_WEAKER: dict[str, Literal["json", "text"]] = {"schema": "json", "json": "text"}
"""What is asked for where a server does not know a form."""
_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 20.0
_MAX_CONCESSIONS = 5


class ChatModel:
    """A language model behind an OpenAI-compatible server.

    One question is bounded in attempts, in time, and in the length of its answers. Answers that passed
    their check are cached by content. What the server turns out not to support (JSON schema, a seed) is
    left out from then on.
    """

    def __init__(self, settings: ModelSettings, cache: AnswerCache | None = None) -> None:
        self.settings = settings
        self.cache = cache if cache is not None else AnswerCache(settings.cache)
        self.usage = Usage()
        """Of all questions so far."""
        auto = settings.structured == "auto"
        self._form: Literal["auto", "schema", "json", "text"] = (
            "schema" if auto else settings.structured
        )
        self._dropped: set[str] = set()
        self._client: OpenAI | None = None

    @property
    def configured(self) -> bool:
        """Whether a server or a key is set at all."""
        address = self.settings.base_url or os.environ.get("OPENAI_BASE_URL")
        return bool(address or os.environ.get(self.settings.api_key_variable))

    def ask(
        self, messages: Sequence[Message], check: Check[T], schema: Mapping[str, Any] | None = None
    ) -> Answer[T]:
        """Return a checked answer to a conversation, or why there is none.

        An answer that fails the check is told what was wrong and asked for again. Nothing that a server
        does is raised; GroundingError is for a client that is not set up.
        """
        key = content_key(
            [self.settings.name, list(map(dict, messages)), schema, self.settings.seed]
        )
        kept = self.cache.get(key)
        if kept is not None:
            value, problem = _checked(kept, check)
            if problem is None:
                return self._done(Answer(AskStatus.OK, value, usage=Usage(cached=1)))
        answer = self._asked(messages, check, schema, key)
        return self._done(answer)

    def _done(self, answer: Answer[T]) -> Answer[T]:
        self.usage = self.usage + answer.usage
        return answer

    def _asked(
        self,
        messages: Sequence[Message],
        check: Check[T],
        schema: Mapping[str, Any] | None,
        key: str,
    ) -> Answer[T]:
        """Ask, check, quote what was wrong and ask again, until it is right or attempts or time run out."""
        client = self._connected()
        deadline = time.monotonic() + self.settings.budget_s
        usage, problem, status = Usage(), "", AskStatus.UNAVAILABLE
        attempt = concessions = 0
        while attempt < self.settings.max_attempts:
            left = deadline - time.monotonic()
            if left <= 0:
                return Answer(AskStatus.TIMEOUT, None, problem or "no time left", usage, attempt)
            body = self._body(messages, schema, problem if status is AskStatus.INVALID else "")
            reply = send(client, body, min(self.settings.timeout_s, left))
            usage = usage + reply.usage
            if (
                reply.outcome == "rejected"
                and concessions < _MAX_CONCESSIONS
                and self._concede(reply)
            ):
                concessions += 1
                continue
            attempt += 1
            if reply.outcome == "text":
                value, wrong = _checked(reply.text, check)
                if wrong is None:
                    self.cache.put(key, reply.text)
                    return Answer(AskStatus.OK, value, usage=usage, attempts=attempt)
                reply = Reply("malformed", wrong)
            status, problem = _status(reply), reply.text
            logger.debug("attempt %d: %s: %s", attempt, status, problem)
            if reply.outcome in ("refused", "failed", "rejected"):
                break
            if reply.outcome == "busy" and attempt < self.settings.max_attempts:
                self._wait(reply, attempt, deadline)
        return Answer(status, None, problem, usage, attempt)

    # ---- requests -------------------------------------------------------------------------------

    def _connected(self) -> OpenAI:
        if self._client is None:
            require("openai", "language")
            if not self.configured:
                raise GroundingError(
                    "no language model is set up: set OPENAI_BASE_URL (a local server) or "
                    f"{self.settings.api_key_variable}, or use the offline front end"
                )
            import openai

            key = os.environ.get(self.settings.api_key_variable) or "none"
            self._client = openai.OpenAI(
                base_url=self.settings.base_url, api_key=key, max_retries=0
            )
        return self._client

    def _body(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, problem: str
    ) -> dict[str, Any]:
        """Return the request; what was wrong with the last answer is quoted at the end of the question."""
        asked = [dict(m) for m in messages]
        if problem:
            _append(
                asked[-1],
                f"\n\nYour last answer was not valid: {problem[:300]}\nAnswer again, correctly.",
            )
        body: dict[str, Any] = {
            "model": self.settings.name,
            "messages": asked,
            "temperature": 0,
            "max_tokens": self.settings.max_answer_tokens,
            "seed": self.settings.seed,
        }
        if "max_tokens" in self._dropped:
            body["max_completion_tokens"] = body["max_tokens"]
        if schema is not None:
            self._ask_form(body, schema)
        return {k: v for k, v in body.items() if v is not None and k not in self._dropped}

    def _ask_form(self, body: dict[str, Any], schema: Mapping[str, Any]) -> None:
        """Ask for the form of the answer: by schema, by JSON mode, or in words."""
        if self._form == "schema":
            form = {"name": "answer", "strict": False, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
            return
        if self._form == "json":
            body["response_format"] = {"type": "json_object"}
        text = json.dumps(schema, separators=(",", ":"))
        _append(
            body["messages"][0],
            f"\nAnswer with one JSON object of this schema and nothing else:\n{text}",
        )

    def _concede(self, reply: Reply) -> bool:
        """Leave out what a server rejects; tell whether there was something to leave out."""
        named = reply.text.lower()
        for name in ("max_tokens", "temperature", "seed"):
            if name in named and name not in self._dropped:
                self._dropped.add(name)
                return True
        if self.settings.structured == "auto" and self._form in _WEAKER:
            self._form = _WEAKER[self._form]
            logger.info("the server rejects the form asked for (%s); trying %s", named, self._form)
            return True
        return False

    def _wait(self, reply: Reply, attempt: int, deadline: float) -> None:
        """Wait as long as a busy server asks, or longer with each attempt; never beyond the deadline."""
        wait = max(reply.wait_s, _FIRST_WAIT_S * 2 ** (attempt - 1))
        time.sleep(max(0.0, min(wait, _LONGEST_WAIT_S, deadline - time.monotonic())))


def _append(message: dict[str, Any], text: str) -> None:
    """Say more in a message; the one that was passed in stays as it is."""
    if isinstance(message["content"], str):
        message["content"] += text
    else:
        message["content"] = [*message["content"], {"type": "text", "text": text.strip()}]


def _status(reply: Reply) -> AskStatus:
    return {
        "malformed": AskStatus.INVALID,
        "cut": AskStatus.INVALID,
        "refused": AskStatus.REFUSED,
        "timeout": AskStatus.TIMEOUT,
    }.get(reply.outcome, AskStatus.UNAVAILABLE)


def _checked(text: str, check: Check[T]) -> tuple[T | None, str | None]:
    """Return the value of an answer, or what is wrong with it."""
    try:
        return check(text), None
    except CommongroundError as error:
        return None, " ".join(str(error).split())


def json_in(text: str) -> str:
    """Return the JSON object in an answer that may have words or a code fence around it."""
    plain = re.sub(r"^\s*```\w*\s*|\s*```\s*$", "", text.strip())
    start, end = plain.find("{"), plain.rfind("}")
    if start < 0 or end < start:
        raise GroundingError("the answer holds no JSON object")
    return plain[start : end + 1]
