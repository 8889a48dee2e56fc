"""How the log and the journal tell what operators did by words rather than by a button."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from commonground.live.heeding import quoted

if TYPE_CHECKING:
    from commonground.grounding.answers import Grounding


def stopping(by: str, said: str) -> tuple[str, str]:
    """Return why robots were stopped, and what who did so does."""
    who = by or "an operator"
    if said:
        return f"{who} said {quoted(said)}", f"stops all robots{saying(said)}"
    return f"{who} pressed Stop", "presses Stop"


def says(said: str, answer: Grounding | None) -> str:
    """Return what was said to robots, with what of it is no part of the goals, or was read otherwise."""
    told = answer.message if answer is not None and answer.goals else ""
    return f"says: {said}" + (f" (told: {told})" if told else "")


def answering(text: str, chosen: Sequence[str], *, yes: bool) -> str:
    """Return how an instruction, or the answer to a question about it, is told."""
    if yes:
        return "says yes: that is meant"
    return f"means {chosen[-1]}" if chosen else f"says: {text.strip()}"


def saying(said: str) -> str:
    """Return words behind what they did; '' where a button did it."""
    return f", saying {quoted(said)}" if said else ""
