"""What is asked back about a command that was not read for sure."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.english.saying import said_back
from commonground.grounding.english.utterance import Utterance
from commonground.grounding.english.weighing import Weighed
from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.wishes.senses import Way
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import to_pddl


class Unsure(Unclear):
    """The reader is not sure what was said."""


def first_asked(asked: Sequence[Way]) -> Unclear:
    """Return what to ask where nothing that a command may ask for is likely."""
    heard = [way.found for way in asked if isinstance(way.found, Unclear)]
    return heard[0] if heard else Unsure("What should be done?")


def which_is_meant(likely: Sequence[Weighed[Way]]) -> Unsure:
    """Return the question which of two goals is meant, or whether the only one is."""
    found = [(sense.ways[0].found, sense.ways[0].left_out) for sense in likely]
    goals = [" ".join(to_pddl(w.goal).split()) for w, _ in found if isinstance(w, Wish)]
    if len(goals) > 1:
        return Unsure(f"I can read that in two ways: {' or '.join(goals[:2])}. Which is meant?")
    words = "', '".join((*found[0][1], *likely[0].ways[0].made_up))
    about = f"What about '{words}'? " if words else ""
    return Unsure(f"{about}Is this what should be done: {goals[0]}?")


def what_about(left: Sequence[str], utterance: Utterance) -> Unsure:
    words = "', '".join(left)
    return Unsure(f"What about '{words}'? I understand: {said_back(utterance)}.")
