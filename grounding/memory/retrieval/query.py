"""Query graphs: what a text speaks of, as nodes in its own words and how it relates them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from commonground.grounding.memory.ontology.linking import Calling
from commonground.grounding.memory.ontology.name_words import Words, words_of
from commonground.grounding.memory.ontology.names import Names

_BETWEEN = frozenset(["'s", "the", "a", "an"])
_FAR = 4
"""Phrases with more words between them are not taken to be related."""


_FEW = 24
_TELLING = 5
"""A word that may be more than a fifth of all things, and more than a few, tells nothing."""


@dataclass(frozen=True, slots=True)
class Edge:
    """That a text relates two of its nodes, and in which word."""

    start: int
    word: str
    end: int


@dataclass(slots=True)
class QueryGraph:
    """Phrases and the relations between them, to be found again in the knowledge graph."""

    nodes: list[str] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)

    def node(self, words: str) -> int:
        """Return the number of a phrase, a new one where it has not been said yet."""
        if words not in self.nodes:
            self.nodes.append(words)
        return self.nodes.index(words)


@dataclass(slots=True)
class Mention:
    """Words of a text that name something: ``una 's green phone``."""

    start: int
    end: int
    words: str
    people: set[str] = field(default_factory=set)
    qualities: set[str] = field(default_factory=set)
    things: set[str] = field(default_factory=set)


def mentions_in(text: str, calling: Calling) -> list[Mention]:
    """Return the phrases of a text that name things, people or values of a world."""
    words = words_of(text)
    found: list[Mention] = []
    for mention in _named(words, calling):
        before = found[-1] if found else None
        apart = set(words[before.end : mention.start]) - _BETWEEN if before is not None else {""}
        if before is not None and not before.things and not apart:
            before.end, before.words = mention.end, " ".join(words[before.start : mention.end])
            before.people |= mention.people
            before.qualities |= mention.qualities
            before.things |= mention.things
        else:
            found.append(mention)
    return found


def _named(words: Words, calling: Calling) -> Iterator[Mention]:
    """Yield the longest names in a row of words, one after the other."""
    names, at = calling.names, 0
    while at < len(words):
        for end in range(min(len(words), at + names.longest + 1), at, -1):
            key = words[at:end]
            mention = Mention(at, end, " ".join(key))
            mention.people |= {*filter(None, [names.people.get(key)])}
            mention.qualities |= {*filter(None, [names.attributes.get(key)])}
            values = {*filter(None, [names.values.get(key)])}
            mention.things |= ({*names.called(key)} | values) - mention.qualities
            if mention.people or mention.qualities or mention.things:
                yield mention
                break
        else:
            end = at + 1
        at = end


def named_in(text: str, calling: Calling) -> list[str]:
    """Return the things that a text may mean, those of clear phrases first; ``thing`` alone says nothing."""
    mentions = mentions_in(text, calling)
    people = {who for mention in mentions for who in mention.people}
    qualities = {quality for mention in mentions for quality in mention.qualities}
    sets = [sorted(people)]
    for mention in mentions:
        names = {t: calling.names.names[t] for t in mention.things}
        told = [t for t, n in names.items() if n.owner in people or n.attributes & qualities]
        sets.append(sorted(told or _telling(mention.things, len(calling.names.things))))
    return list(dict.fromkeys(thing for found in sorted(sets, key=len) for thing in found))


def telling(mention: Mention, names: Names) -> set[str]:
    """Return the things that a mention means by whose they are and what they are like: ``Ann's red mug``."""
    known = {thing: names.names[thing] for thing in mention.things}
    fits = {
        thing: (name.owner in mention.people) + len(name.attributes & mention.qualities)
        for thing, name in known.items()
    }
    most = max(fits.values(), default=0)
    return {thing for thing, fit in fits.items() if most > 0 and fit == most}


def meant_in(text: str, calling: Calling) -> list[str]:
    """Return the people and things that a text may mean, each phrase by itself."""
    found = [
        meant
        for mention in mentions_in(text, calling)
        for meant in sorted(telling(mention, calling.names) or mention.things or mention.people)
    ]
    return list(dict.fromkeys(found))


def _telling(things: set[str], known: int) -> set[str]:
    """Return what a word may mean; nothing where it could be almost anything."""
    return things if len(things) <= max(_FEW, known // _TELLING) else set()


def query_of(text: str, calling: Calling) -> QueryGraph:
    """Return the query graph of a text: its phrases, joined where few words stand between them."""
    words, query = words_of(text), QueryGraph()
    mentions = mentions_in(text, calling)
    for mention in mentions:
        query.node(mention.words)
    for one, other in pairwise(mentions):
        between = [word for word in words[one.end : other.start] if word not in _BETWEEN]
        start, end = query.node(one.words), query.node(other.words)
        if between and len(between) < _FAR and start != end:
            query.edges.append(Edge(start, between[-1], end))
    return query
