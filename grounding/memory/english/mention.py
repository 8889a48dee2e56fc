"""Noun phrases: what a report says to mean a thing, before it is known which thing that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from commonground.grounding.memory.english.state_words import State

Words = tuple[str, ...]
MentionKind = Literal[
    "thing", "person", "value", "pronoun", "place word", "group", "hand", "unknown", "several"
]


@dataclass(slots=True, eq=False)
class Mention:
    """One noun phrase."""

    kind: MentionKind
    words: str
    start: int
    """First token in its sentence."""
    end: int = 0
    """One past the last token."""
    thing: str | None = None
    """A person or value named outright."""
    pronoun: str | None = None
    head: Words = ()
    determiner: str = ""
    owner: Mention | None = None
    shared: bool = False
    attributes: frozenset[str] = frozenset()
    ordinal: int | None = None
    states: list[State] = field(default_factory=list)
    where: list[tuple[str, Mention]] = field(default_factory=list)
    """Where the thing is said to be, by way of description."""
    holder: Mention | None = None
    """Who is said to have it, by way of description."""
    content: Mention | None = None
    excluding: list[Mention] = field(default_factory=list)
    parts: list[Mention] = field(default_factory=list)
    """Of several phrases joined by ``and``."""
    plural: bool = False
    count: int | None = None
    """How many are meant: ``two mugs``."""
    indefinite: bool = False
    every: bool = False
    """All things of the description are meant."""
    other: bool = False
    """Others than those just mentioned."""
    capital: bool = False
    possessive: bool = False
    """``his`` rather than ``him``."""


def is_none(mention: Mention) -> bool:
    """Return whether a phrase says that there is nothing of the kind: ``no water``."""
    return mention.words.lower().startswith("no ")
