"""What things are like, in words: states that a house knows of, as adjectives and as wishes."""

from __future__ import annotations

import re
from typing import NamedTuple

from commonground.grounding.orders.manners import is_harmless
from commonground.grounding.problem_writer.vocabulary import command_words
from commonground.grounding.words.nouns import words_of


class Likeness(NamedTuple):
    """A state by its relation and value, and the state of a goal that brings it about."""

    relation: str
    value: str
    goal: str = ""


_LOOKS = {Likeness(one.relation, one.value, one.goal): one.words for one in command_words().looks}
_BY_WORD = {word: known for known, words in _LOOKS.items() for word in words}


def states_said() -> dict[str, str]:
    """Return the goal states that single words are adjectives for."""
    return {word: likeness.goal for word, likeness in _BY_WORD.items() if likeness.goal}


def said_so(relation: str, value: str) -> str:
    """Return the word for a state."""
    found = (words for known, words in _LOOKS.items() if known[:2] == (relation, value))
    return next(found, ("lukewarm",))[0]


MADE = ("SLICED", "TOASTED", "COOKED")
"""States that a description asks for where nothing has them: ``the sliced tomato``."""
PREPARED = (*MADE, "CLEAN", "HOT", "COLD")
"""States that are wanted where all that is said is ``the mug washed``."""
_TOGETHER = frozenset(
    words_of(
        "parallel parallelly parallely together simultaneously concurrently jointly once same time team side"
    )
)
_BETWEEN = frozenset(words_of("a all as at by do in it the them"))


def likeness(words: str) -> Likeness | None:
    """Return the state that an adjective says, or None if a house does not know of it."""
    said = re.sub(r"^(?:very|really|still|already|nice and|good and) ", "", words.lower().strip())
    return _BY_WORD.get(said.replace(" ", "-"))


def is_of_no_matter(manner: str) -> bool:
    """Return whether a team works in this manner anyway: with care, without delay, side by side."""
    words = re.findall(r"[a-z]+", manner.lower())
    side_by_side = not _TOGETHER.isdisjoint(words) and (_TOGETHER | _BETWEEN).issuperset(words)
    return side_by_side or is_harmless(manner)
