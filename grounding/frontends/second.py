"""A second opinion on what a model answers: what is read offline, where that is sure.

The check of words and numbers cannot know who is to do what, in which order, and to which of two things.
Another reader can: two that err seldom, and not alike, seldom agree on what is wrong.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from commonground.grounding.answers import Grounding
from commonground.grounding.frontends.plain_text import one_line
from commonground.grounding.guard import same_goals
from commonground.planning.pddl import parse_formula

if TYPE_CHECKING:
    from commonground.grounding.grounder import Backend


class SecondOpinion:
    """Reads texts offline, and tells what contradicts an answer."""

    def __init__(self, offline: Backend, doubt_above: float) -> None:
        self._offline, self._above = offline, doubt_above
        self._reading = threading.Lock()  # what reads offline is made for one text at a time

    def on(self, text: str) -> Grounding | None:
        """Return what a text is read as, where that is sure."""
        with self._reading:
            found = self._offline.ground(text)
            # other questions prove nothing: models know words that no list has
            says = bool(found.goals) or found.ruled_out
            if not says or (found.confidence or 0.0) < self._above:
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


def alike(one: Grounding, other: Grounding) -> bool:
    """Return whether two answers come to the same: the same goals, or both a question about what is there."""
    if not one.goals or not other.goals:
        return not one.goals and not other.goals and one.understood == other.understood
    goals = [{r: parse_formula(g) for r, g in a.goals.items()} for a in (one, other) if a.goals]
    return same_goals(goals[0], goals[1])
