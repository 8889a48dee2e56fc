"""Questions to a language model under fixed rules, with answers of one form that are checked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from commonground.errors import GroundingError
from commonground.grounding.model.client import ChatModel, json_in
from commonground.settings import Settings

logger = logging.getLogger(__name__)
T = TypeVar("T")
Form = TypeVar("Form", bound=Settings)


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
        form: type[Form],
        check: Callable[[Form], T],
        schema: Mapping[str, Any],
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
        found = self.model.ask(messages, lambda answer: check(read_form(form, answer)), schema)
        if found.value is None:
            self.notes.append(f"{about}: {found.status}: {found.message}")
            logger.warning("%s: %s", otherwise, found.message)
        return found.value


def read_form(form: type[Form], answer: str) -> Form:
    """Return the JSON object of an answer as a form; GroundingError with the first thing that is wrong."""
    try:
        return form.model_validate_json(json_in(answer))
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, detail["loc"]))
        raise GroundingError(f"not of the schema: {where}: {detail['msg']}") from error
