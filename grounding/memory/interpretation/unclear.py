"""What cannot be understood with certainty, as the question to ask back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Candidates:
    """What a phrase of a text may mean."""

    phrase: str
    things: tuple[str, ...]
    such_as: str
    """What one of them is called."""


class Unclear(Exception):
    """A report or wish cannot be read with certainty; the message is what to ask back."""

    def __init__(
        self,
        message: str,
        kind: Literal["unknown", "ambiguous", "unclear"] = "unclear",
        candidates: Candidates | None = None,
    ) -> None:
        """Ask a question back; with the candidates, one of which may be named in answer."""
        self.kind, self.candidates = kind, candidates
        super().__init__(message)


class Excluding(Unclear):
    """A report tells of one instant what excludes each other: no other way to read it is better."""


CERTAIN = "is that certain?"
NOTHING = "nothing in that was understood to be a change"
WHAT = "what does that mean?"
WHAT_TO_DO = "what should be done?"
MOST_NAMED = 4
