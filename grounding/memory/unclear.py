"""What cannot be understood with certainty, as the question to ask back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal


class Unclear(Exception):
    """A report or wish cannot be read with certainty; the message is what to ask back."""

    def __init__(
        self, message: str, kind: Literal["unknown", "ambiguous", "unclear"] = "unclear"
    ) -> None:
        self.kind = kind
        super().__init__(message)


CERTAIN = "is that certain?"
MOST_NAMED = 4


def which_of(phrase: str, names: Sequence[str]) -> str:
    """Return the question which of several things a phrase means."""
    return f"which one is meant by '{phrase}': {', '.join(names[:MOST_NAMED])}?"


_WHICH = re.compile(r"which one is meant by '(.+?)': (.+)\?")


def named_in_question(question: str) -> tuple[str, list[str]]:
    """Return the phrase that a question is about and what it may mean; nothing for other questions."""
    found = _WHICH.fullmatch(question)
    return (found[1], found[2].split(", ")) if found else ("", [])
