"""What the relations, states and types of a domain are called, and what that tells of them."""

from __future__ import annotations

from collections.abc import Collection

from commonground.grounding.memory.ontology.deeds import words_of
from commonground.grounding.memory.ontology.words import (
    classes_of,
    is_going_on,
    is_participle,
    lemmas,
)
from commonground.grounding.words.concepts import artifacts, word_list
from commonground.grounding.words.nouns import word_set

SOMEBODY = word_set(
    "person human people agent actor robot worker staff man woman child adult employee helper guest "
    "visitor pupil student teacher colleague volunteer member crew"
)
"""What types of people are called."""
ANIMALS = word_set("animal pet creature dog cat horse bird boat ship vessel yacht")
"""What types of animals are called, and of what else is ``she``."""
HUMAN = SOMEBODY - {"agent", "actor", "robot", "worker"}
"""What types are called of whom only people are."""
HAVING = word_set(
    "hold held holding holds carry carries carried carrying hand hands has have had "
    "possess taken grip gripped gripper grasp grasped with"
)
"""The words of relations in which somebody has something."""
OWNING = frozenset(["belongs", "belong", "own", "owns", "owned", "owner"])
"""The words of relations by which somebody owns something: mostly he alone."""
USUAL = frozenset(["live", "work", "dress", "sleep", "teach", "reside"])
"""The verbs of relations between people and where they mostly are."""
PRESENT = word_set(
    "present here around attending shift duty house site premises inside indoors building"
)
"""The words of states of people who are where the others of a world are."""
STANDING = (
    frozenset(["works", "work", "working", "lives", "live", "living", "resides", "usual", "home"])
    | frozenset(
        ["belongs", "belong", "belonging", "owns", "owned", "for", "of", "reserved", "booked"]
    )
    | frozenset(
        ["assigned", "employed", "registered", "enrolled", "responsible", "manages", "heads"]
    )
)
"""The words of relations that tell what is for whom or where somebody has a place, not where he is."""
_IN = frozenset(["in", "inside", "into", "within"])
_ON = frozenset(["on", "onto", "upon", "atop"])
_WHERE = _IN | _ON | {"at", "is", "located", "location", "loc", "position"}
"""The words of relations that tell nothing but where things are."""


def names_somebody(kinds: Collection[str], called: frozenset[str] = SOMEBODY) -> bool:
    """Return whether a type, given with all above it, is called as people are: a guard, no etcher below tool.

    ``called``: the nouns that tell so whatever is above.
    """
    if any(not called.isdisjoint(words_of(kind)) for kind in kinds):
        return True
    nouns = {words[-1] for kind in kinds if (words := words_of(kind))}
    people = nouns & (word_list("people.txt") - SOMEBODY)
    return bool(people) and not any(map(artifacts().senses, nouns - people))


def tells_moving(state: str) -> bool:
    """Return whether a state is called as that of what is taken along: ``holding``, ``leading``."""
    words = [w for w in words_of(state) if is_going_on(w) or is_participle(w)]
    return any(classes_of(w, frozenset()) & {"hold", "take", "transport"} for w in words)


def tells_having(relation: str) -> bool:
    """Return whether a relation is called as one of having something; ``has been`` is not."""
    words = words_of(relation)
    return any(w in HAVING and words[n + 1 : n + 2] != ["been"] for n, w in enumerate(words))


def is_standing(relation: str) -> bool:
    """Return whether a relation is called as one that lasts wherever somebody is: ``works_in``."""
    return not STANDING.isdisjoint(words_of(relation))


def is_usual(relation: str) -> bool:
    """Return whether a relation is called as one between people and where they mostly are."""
    return any(lemmas(word) & USUAL for word in words_of(relation))


def tells_presence(state: str) -> bool:
    """Return whether a state is called as that of who is where the others are."""
    return not PRESENT.isdisjoint(words_of(state))


def tells_where(relation: str) -> bool:
    """Return whether a relation is called as one of where things are, and nothing else."""
    return {*words_of(relation)} <= _WHERE


def prepositions_of(relation: str) -> tuple[str, ...]:
    """Return the prepositions that suit a place, as far as its relation's name has one."""
    words = {*words_of(relation)}
    if words & _IN:
        return ("in", "into", "inside", "within", "to", "at")
    if words & _ON:
        return ("on", "onto", "upon", "atop", "to", "at")
    return ("on", "onto", "upon", "in", "into", "inside", "at", "to")
