"""How sure a reading is: how much of what a text may say comes to the same, as the trained reader sees it.

The grammar knows no doubt: it reads every word or nothing. The trained reader weighs all ways to read a text,
and its weights are probabilities; so it judges what either of them made of a text.
"""

from __future__ import annotations

from commonground.grounding.answers import Grounding
from commonground.grounding.english.names import Names
from commonground.grounding.english.reader import MAX_CHARACTERS
from commonground.grounding.frontends.plain_text import readable
from commonground.grounding.frontends.reading import ReadBackend
from commonground.grounding.guard import same_goals
from commonground.planning.pddl import parse_formula


class Judge:
    """Judges answers by what the trained reader makes of the same text."""

    def __init__(self, backend: ReadBackend) -> None:
        self.backend = backend

    def how_sure(self, text: str, answer: Grounding) -> float:
        """Return how probable it is that a text means what an answer says it does.

        What things of the map are called helps to read; it must not hinder, whatever they are called.
        """
        if len(text) > MAX_CHARACTERS:
            return 0.0
        text = readable(text, MAX_CHARACTERS)
        names = (self.backend.names, self.backend.robots)
        return max(self._how_sure(text, answer, known) for known in names)

    def _how_sure(self, text: str, answer: Grounding, names: Names) -> float:
        first = self.backend.reader.read(text, "scene", names)
        readings = [r for r in (first, *first.others) if r.utterance is not None]
        same = (r for r in readings if alike(answer, self.backend.answer(r, text, names)))
        return min(1.0, sum(r.confidence for r in same))


def alike(one: Grounding, other: Grounding) -> bool:
    """Return whether two answers come to the same: the same goals, or both a question about what is there."""
    if not one.goals or not other.goals:
        return not one.goals and not other.goals and one.understood == other.understood
    goals = [{r: parse_formula(g) for r, g in a.goals.items()} for a in (one, other) if a.goals]
    return same_goals(goals[0], goals[1])
