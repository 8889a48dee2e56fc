"""How the log and the journal tell what operators did by words rather than by a button."""

from __future__ import annotations

from commonground.reasons import line

MOST_SAID = 200
"""Letters of words that are told again."""


def stopping(by: str, said: str) -> tuple[str, str]:
    """Return why robots were stopped, and what who did so does."""
    who = by or "an operator"
    if said:
        return f"{who} said {quoted(said)}", f"stops all robots{saying(said)}"
    return f"{who} pressed Stop", "presses Stop"


def saying(said: str) -> str:
    """Return words behind what they did; '' where a button did it."""
    return f", saying {quoted(said)}" if said else ""


def quoted(said: str) -> str:
    """Return words as a line of a length that can be read."""
    return f"“{line(said, MOST_SAID)}”"
