"""What things are like, in words: states that a house knows of, as adjectives and as wishes."""

from __future__ import annotations

import re
from typing import NamedTuple

from commonground.grounding.knowledge.facts import FALSE, TRUE
from commonground.grounding.orders.manners import is_harmless
from commonground.grounding.words.nouns import words_of


class Likeness(NamedTuple):
    """A state by its relation and value, and the state of a goal that brings it about."""

    relation: str
    value: str
    goal: str = ""


_WORDS: dict[Likeness, str] = {
    Likeness("clean", TRUE, "CLEAN"): "clean washed rinsed spotless wiped scrubbed",
    Likeness("clean", FALSE): "dirty unwashed used soiled filthy grimy muddy stained mucky grubby",
    Likeness("broken", TRUE, "BROKEN"): "broken smashed shattered cracked destroyed unusable ruined",
    Likeness("broken", FALSE): "intact unbroken",
    Likeness("open", TRUE, "OPENED"): "open opened ajar",
    Likeness("open", FALSE, "CLOSED"): "closed shut",
    Likeness("on", TRUE, "ON"): "on running lit switched-on turned-on going",
    Likeness("on", FALSE, "OFF"): "off unlit switched-off turned-off dark out",
    Likeness("sliced", TRUE, "SLICED"): "sliced chopped cut diced quartered halved minced cut-up",
    Likeness("sliced", FALSE): "whole uncut unsliced",
    Likeness("cooked", TRUE, "COOKED"): "cooked baked fried boiled roasted grilled done",
    Likeness("cooked", FALSE): "raw uncooked",
    Likeness("toasted", TRUE, "TOASTED"): "toasted",
    Likeness("filled", TRUE, "FILLED"): "full filled",
    Likeness("temperature", "HOT", "HOT"): "hot warm heated warmed",
    Likeness("temperature", "COLD", "COLD"): "cold chilled cool cooled",
    Likeness("empty", TRUE, "EMPTY"): "empty emptied cleared vacant",
}  # fmt: skip
_BY_WORD = {word: likeness for likeness, words in _WORDS.items() for word in words_of(words)}


def states_said() -> dict[str, str]:
    """Return the goal states that single words are adjectives for."""
    return {word: likeness.goal for word, likeness in _BY_WORD.items() if likeness.goal}


def said_so(relation: str, value: str) -> str:
    """Return the word for a state."""
    found = (words for known, words in _WORDS.items() if known[:2] == (relation, value))
    return words_of(next(found, "lukewarm"))[0]


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
