"""One question with its retries: a retry shows the model its own answer and exactly what is wrong with it."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TypeVar

from commonground.grounding.model.answer import Answer, AskStatus, Usage
from commonground.grounding.model.dialect import Message
from commonground.grounding.model.faults import shown_wait
from commonground.grounding.model.request import Budget, Reply
from commonground.grounding.model.transport import PATIENCE_S
from commonground.grounding.settings import ModelSettings

logger = logging.getLogger(__name__)
T = TypeVar("T")
_MOST_OWN = 6000
"""Characters of the model's own answer that are shown to it."""
_MOST_WRONG = 1500
"""Characters of what is said to be wrong with it."""
_MOST_FAILURES = 6
"""How often one question is put to a server that is busy, broken or silent."""
_MOST_ABSENCES = 4
"""How often where nobody answers at all."""
FIRST_WAIT_S = 0.5
"""Before a busy or absent server is asked again; twice as long each time after."""
LONGEST_WAIT_S = 20.0
_STATUS: Mapping[str, AskStatus] = {
    "text": AskStatus.INVALID,
    "malformed": AskStatus.INVALID,
    "cut": AskStatus.INVALID,
    "refused": AskStatus.REFUSED,
    "timeout": AskStatus.TIMEOUT,
}


class Conversation:
    """What is sent next. The question itself comes first and never changes, so that servers can cache it."""

    def __init__(
        self, prompt: Sequence[Message], settings: ModelSettings, *, doubted: bool = False
    ) -> None:
        self.prompt = tuple(prompt)
        self.settings = settings
        self.budget = Budget(settings)
        self.usage = Usage()
        self.attempts = self.failures = 0
        """Answers that were not right, and requests that no answer came to."""
        self.max_tokens = settings.max_answer_tokens
        self._most_failures = 1 if doubted else _MOST_FAILURES
        self._problem = ""
        self._status = AskStatus.TIMEOUT
        self._over = False
        self._correction: tuple[Message, ...] = ()

    @property
    def messages(self) -> tuple[Message, ...]:
        """The question, with the last answer and its mistakes if there is one."""
        return (*self.prompt, *self._correction)

    @property
    def goes_on(self) -> bool:
        """Whether it is worth asking once more."""
        within = self.attempts < self.settings.max_attempts and self.failures < self._most_failures
        return within and not self._over and not self.budget.spent

    def was_wrong(self, answer: str, problem: str) -> None:
        """Take down what is wrong with an answer; only the last one is shown again."""
        self.attempts += 1
        self._problem, self._status = problem, AskStatus.INVALID
        self._correct(answer, problem)

    def came_to_nothing(self, reply: Reply) -> None:
        """Take down why there was no answer, and wait where that may help."""
        self._problem, self._status = reply.text, _STATUS.get(reply.outcome, AskStatus.UNAVAILABLE)
        if reply.outcome in ("malformed", "cut"):
            self.attempts += 1
        else:
            self.failures += 1
        self._over = reply.outcome in ("refused", "failed", "rejected")
        if reply.outcome == "cut":
            self._make_room(reply)
        elif reply.outcome == "absent":
            self._most_failures = min(self._most_failures, _MOST_ABSENCES)
        if reply.outcome in ("busy", "absent") and self.goes_on:
            self._wait(reply)

    def _wait(self, reply: Reply) -> None:
        """Wait as long as the server asks, or ever longer; not where that is longer than there is time."""
        if reply.wait_s > self.budget.left_s:
            self._over = True
            self._problem += (
                f"; the server asks to wait {shown_wait(reply.wait_s)}, longer than "
                f"grounding.model.budget_s ({self.settings.budget_s:g}) leaves"
            )
            return
        patience = max(reply.wait_s, FIRST_WAIT_S * 2 ** (self.failures - 1))
        patience = patience if reply.wait_s else min(patience, LONGEST_WAIT_S)
        if patience > PATIENCE_S:
            logger.warning("asking the language model again in %.0f s: %s", patience, reply.text)
        self.budget.wait(patience)

    def right(self, value: T) -> Answer[T]:
        """Return the answer that passed its check."""
        tries = self.attempts + self.failures + 1
        return Answer(AskStatus.OK, value, "", self._used(), tries)

    def given_up(self) -> Answer[T]:
        status = self._status
        if (
            status is AskStatus.INVALID
            and self.attempts < self.settings.max_attempts
            and not self._over
        ):
            status = AskStatus.TIMEOUT if self.budget.meter.left > 0 else AskStatus.INVALID
        tries = self.attempts + self.failures
        return Answer(status, None, self._problem or "no time left", self._used(), tries)

    def _used(self) -> Usage:
        return self.usage + Usage(received=self.budget.meter.came)

    def _make_room(self, reply: Reply) -> None:
        """Ask for the same with more room, as long as there is more."""
        most = self.settings.most_answer_tokens
        if self.max_tokens < most:
            self.max_tokens = min(2 * self.max_tokens, most)
            return
        self._over = True
        self._problem = (
            reply.text
            if reply.own_limit
            else (
                f"the answer was cut off after {most} tokens, which is grounding.model.most_answer_tokens: "
                "raise it, for models that think at length"
            )
        )

    def _correct(self, answer: str, problem: str) -> None:
        told = f"Your answer is not valid: {problem[:_MOST_WRONG]}\nSend the whole answer again, corrected."
        self._correction = (
            {"role": "assistant", "content": answer[:_MOST_OWN]},
            {"role": "user", "content": told},
        )
