"""Text from people as a reader can take it: bounded, without control characters, back in one line."""

from __future__ import annotations

import unicodedata

MAX_SHOWN = 400
"""Most letters of what was understood that a question repeats."""


def readable(text: str, limit: int) -> str:
    """Return the first letters of a text with spaces for control and format characters, each as long."""
    shown = text[: limit + 1]
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs") else c for c in shown)


def one_line(text: str, limit: int = MAX_SHOWN) -> str:
    """Return a text on one line, and no longer than a person reads."""
    plain = " ".join(readable(text, 4 * limit).split())
    return plain if len(plain) <= limit else f"{plain[: limit - 2]} …"
