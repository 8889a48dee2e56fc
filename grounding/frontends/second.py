"""A second opinion on what a model answers: what is read offline, where that is sure.

The check of words and numbers cannot know who is to do what, in which order, and to which of two things.
Another reader can: two that err seldom, and not alike, seldom agree on what is wrong.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from commonground.grounding.answers import Grounding
from commonground.grounding.frontends.confidence import alike
from commonground.grounding.frontends.hybrid import HowSure, sureness
from commonground.grounding.frontends.plain_text import one_line

if TYPE_CHECKING:
    from commonground.grounding.grounder import Backend


class SecondOpinion:
    """Reads texts offline, and tells what contradicts an answer."""

    def __init__(self, offline: Backend, how_sure: HowSure, doubt_above: float) -> None:
        self._offline, self._how_sure, self._above = offline, how_sure, doubt_above
        self._reading = threading.Lock()  # what reads offline is made for one text at a time

    def on(self, text: str) -> Grounding | None:
        """Return what a text is read as, where that is sure."""
        with self._reading:
            found = self._offline.ground(text)
            # other questions prove nothing: models know words that no list has
            says = bool(found.goals) or found.ruled_out
            if not says or sureness(text, found, self._how_sure) < self._above:
                return None
        return found


def contradiction(second: Grounding | None, answered: Grounding) -> str:
    """Return how an answer differs from a second opinion; empty where it does not."""
    if second is None or alike(second, answered):
        return ""
    here, there = (_in_words(found) for found in (answered, second))
    return f"the answer comes to {here}, and the text by itself to {there}"


def _in_words(found: Grounding) -> str:
    goals: Mapping[str, str] = found.goals or {}
    words = ", ".join(f"{robot} {one_line(goal, 120)}" for robot, goal in goals.items())
    return words or f"the question '{one_line(found.message, 160)}'"
