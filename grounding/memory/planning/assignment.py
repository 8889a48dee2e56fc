"""Which robots a task is given to: ``Fred, shut the gate``, ``let Fred and Max do it``, ``not by Max``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from commonground.grounding.memory.ontology.names import words_of
from commonground.grounding.memory.retrieval.query import mentions_in
from commonground.grounding.words.nouns import word_set
from commonground.planning.pddl import Formula, symbols

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory

_ASKED = word_set("let have ask get make tell want like need please hey ok okay so by and send")
"""What may stand before whoever is to do something."""
_DOES = word_set("shall should must can could will would may might to has needs ought")
"""What may follow him."""
_NOT = word_set("without not except")


def given_to(text: str, goal: Formula, memory: Memory) -> tuple[frozenset[str], frozenset[str]]:
    """Return the robots to which a task is given by name, and those that take no part for that reason.

    What the goal itself speaks of may take part.
    """
    robots = {*memory.names.robots}
    wanted, unwanted = _named(text, memory, robots)
    doing = wanted - symbols(goal)
    idle = unwanted | (robots - wanted if doing else set())
    return frozenset(doing), frozenset(idle - symbols(goal) if idle < robots else ())


def _named(text: str, memory: Memory, robots: set[str]) -> tuple[set[str], set[str]]:
    """Return the robots that are to do what a text asks for, and those that are not."""
    words = words_of(text)
    wanted: set[str] = set()
    unwanted: set[str] = set()
    for mention in mentions_in(text, memory.retriever.calling):
        named = robots & {*mention.things, *mention.people}
        before = words[mention.start - 1] if mention.start else ""
        after = words[mention.end] if mention.end < len(words) else ""
        if len(named) != 1 or after == "'s":
            continue
        if before in _NOT or _before(words, mention.start) == ("not", "by"):
            unwanted |= named
        elif not before or before in _ASKED or after in _DOES or not after:
            wanted |= named
    return wanted, unwanted


def _before(words: Sequence[str], at: int) -> tuple[str, ...]:
    return tuple(words[max(at - 2, 0) : at])
