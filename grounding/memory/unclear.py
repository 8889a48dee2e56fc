"""What cannot be understood with certainty, as the question to ask back."""

from __future__ import annotations

from typing import Literal


class Unclear(Exception):
    """A report or wish cannot be read with certainty; the message is what to ask back."""

    def __init__(
        self, message: str, kind: Literal["unknown", "ambiguous", "unclear"] = "unclear"
    ) -> None:
        self.kind = kind
        super().__init__(message)
