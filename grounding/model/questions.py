"""Questions to a language model under fixed rules, with answers of one form that are checked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from commonground.grounding.model.client import ChatModel
from commonground.grounding.model.form import form_of, read_as
from commonground.settings import Settings

logger = logging.getLogger(__name__)
T = TypeVar("T")
Kind = TypeVar("Kind", bound=Settings)


class Questioner:
    """Asks a model, has what it answers checked, and asks again until it is right or given up."""

    def __init__(self, model: ChatModel, rules: str) -> None:
        self.model, self.rules = model, rules
        self.notes: list[str] = []
        """What no valid answer came for, and why."""

    def ask(
        self,
        about: str,
        question: object,
        form: type[Kind],
        check: Callable[[Kind], T],
        otherwise: str,
    ) -> T | None:
        """Return the checked answer; None where no valid one came, and ``otherwise`` says what happens then.

        ``question`` is a text, or a list of parts as `images.with_images` makes it; ``check`` raises
        GroundingError for what cannot be.
        """
        messages: list[Mapping[str, Any]] = [
            {"role": "system", "content": self.rules},
            {"role": "user", "content": question},
        ]
        found = self.model.ask_checked(
            messages, form_of(form), lambda answer: check(read_as(form, answer))
        )
        if found.value is None:
            self.notes.append(f"{about}: {found.status}: {found.message}")
            logger.warning("%s: %s", otherwise, found.message)
        return found.value
