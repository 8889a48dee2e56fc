"""The one door to a language model: an answer is read, checked, and asked for again until it is right."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from commonground.errors import CommongroundError, require
from commonground.grounding.model.answer import Answer, AskStatus, Usage
from commonground.grounding.model.cache import AnswerCache, content_key
from commonground.grounding.model.conversation import Conversation
from commonground.grounding.model.dialect import Dialect, Message
from commonground.grounding.model.form import Form
from commonground.grounding.model.reading import json_value, without_reasoning
from commonground.grounding.model.request import send
from commonground.grounding.model.server import Server, is_set_up, server_of
from commonground.grounding.model.transport import get_ready
from commonground.grounding.settings import ModelSettings

T = TypeVar("T")
Check = Callable[[Any], T]
"""Turns what an answer holds into a value; raises a CommongroundError that says what is wrong. It is given
the JSON value where there is a form, else the text."""


class ChatModel:
    """A language model behind an OpenAI-compatible server; safe to ask from several threads.

    One question is bounded in attempts, in time, in bytes and in the length of its answers. Answers that
    passed their check are cached by content. What the server turns out not to support is left out from
    then on, and a server that did not answer is tried only once for the next question.
    """

    def __init__(self, settings: ModelSettings, cache: AnswerCache | None = None) -> None:
        self.settings = settings
        self.cache = cache if cache is not None else AnswerCache(settings.cache)
        self.usage = Usage()
        """Of all questions so far."""
        self.dialect = Dialect(settings)
        self._server: Server | None = None
        self._down = False
        self._lock = threading.Lock()

    @property
    def configured(self) -> bool:
        """Whether a server or a key is set at all."""
        return is_set_up(self.settings)

    def ask_checked(
        self, prompt: Sequence[Message], form: Form | None, check: Check[T]
    ) -> Answer[T]:
        """Return a checked answer to a conversation, or why there is none.

        Nothing that a server does is raised; GroundingError is for a client that is not set up.
        """
        began = time.monotonic()
        server = self._connected()
        key = self._key(server, prompt, form)
        answer = self._kept(key, form, check) or self._asked(server, prompt, form, check, key)
        # all of it is waiting for the model: loading what transfers need and the checks as well
        usage = replace(answer.usage, seconds=time.monotonic() - began)
        with self._lock:
            self.usage = self.usage + usage
        return replace(answer, usage=usage)

    def _asked(
        self,
        server: Server,
        prompt: Sequence[Message],
        form: Form | None,
        check: Check[T],
        key: str,
    ) -> Answer[T]:
        """Ask, check, show what was wrong and ask again, until it is right or attempts or time run out."""
        talk = Conversation(prompt, self.settings, doubted=self._down)
        while talk.goes_on:
            schema = None if form is None else form.schema
            body = self.dialect.body(talk.messages, schema, talk.max_tokens, talk.attempts)
            reply = send(server, body, talk.budget)
            talk.usage = talk.usage + reply.usage
            if reply.outcome == "text":
                self._down = False
                try:
                    value = self._checked(reply.text, form, check)
                except CommongroundError as error:
                    talk.was_wrong(reply.text, " ".join(str(error).split()))
                    continue
                self.cache.put(key, reply.text)
                return talk.right(value)
            if reply.outcome == "rejected" and self.dialect.concede(reply.text, body):
                continue
            talk.came_to_nothing(reply)
        answer: Answer[T] = talk.given_up()
        self._down = answer.status in (AskStatus.UNAVAILABLE, AskStatus.TIMEOUT)
        return answer

    def _checked(self, text: str, form: Form | None, check: Check[T]) -> T:
        """Return the value of an answer; an answer without JSON shows that the form is not enforced."""
        if form is None:
            return check(without_reasoning(text))
        try:
            found = form.fitted(json_value(text))
        except CommongroundError:
            self.dialect.in_words = True
            raise
        return check(found)

    def _kept(self, key: str, form: Form | None, check: Check[T]) -> Answer[T] | None:
        """Return the answer in the cache, if it passes the check of today."""
        kept = self.cache.get(key)
        if kept is None:
            return None
        try:
            value = self._checked(kept, form, check)
        except CommongroundError:
            return None
        return Answer(AskStatus.OK, value, usage=Usage(cached=1))

    def _key(self, server: Server, prompt: Sequence[Message], form: Form | None) -> str:
        schema = None if form is None else dict(form.schema)
        asked = [dict(m) for m in prompt]
        return content_key([server.url, self.settings.name, asked, schema, self.settings.seed])

    def _connected(self) -> Server:
        if self._server is None:
            require("httpx", "language")
            self._server = server_of(self.settings)
            get_ready(self._server.url)
        return self._server
