"""The part of the graph that a text is about, in any of four ways, within a limit of tokens."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from commonground.arrays import Floats
from commonground.grounding.knowledge.facts import BOOLEANS, Fact
from commonground.grounding.knowledge.index import FactIndex, objects
from commonground.grounding.memory.interpretation.discourse import Discourse
from commonground.grounding.memory.interpretation.events import spoken_of
from commonground.grounding.memory.ontology.linking import Calling
from commonground.grounding.memory.retrieval.matching import Matching, candidates
from commonground.grounding.memory.retrieval.query import QueryGraph, named_in, query_of
from commonground.grounding.model.tokens import estimate_tokens
from commonground.grounding.words.concepts import household

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


_SIZE = 1 << 14
_PIECE = 3
_PIECE_WEIGHT = 0.35
"""Of a three-letter piece beside that of a word: pieces forgive endings and misspellings."""


class NameVectors:
    """Unit vectors of names: hashed words and their pieces, rare ones weighing more (tf-idf)."""

    def __init__(self, names: Mapping[str, Iterable[str]]) -> None:
        self.things = tuple(names)
        counts = [self._features(" ".join(names[thing])) for thing in self.things]
        seen = Counter(feature for features in counts for feature in features)
        total = max(1, len(self.things))
        self._rarity = {f: math.log((1 + total) / (1 + n)) + 1 for f, n in seen.items()}
        self._unseen = math.log(1 + total) + 1
        self._counts = counts

    @cached_property
    def matrix(self) -> csr_matrix:
        """One row a thing, each of length one."""
        from scipy.sparse import csr_matrix

        rows, columns, values = [], [], []
        for row, features in enumerate(self._counts):
            weights = self._weighted(features)
            rows += [row] * len(weights)
            columns += list(weights)
            values += list(weights.values())
        return csr_matrix((values, (rows, columns)), shape=(len(self.things), _SIZE))

    def similarities(self, phrase: str) -> Floats:
        """Return the cosine between a phrase and every thing's names, one value a thing."""
        weights = self._weighted(self._features(phrase))
        vector = np.zeros(_SIZE)
        vector[list(weights)] = list(weights.values())
        found: Floats = self.matrix @ vector
        return found

    def _weighted(self, features: Mapping[int, float]) -> dict[int, float]:
        weights = {f: n * self._rarity.get(f, self._unseen) for f, n in features.items()}
        norm = math.sqrt(sum(w * w for w in weights.values())) or 1.0
        return {f: w / norm for f, w in weights.items()}

    @staticmethod
    def _features(text: str) -> dict[int, float]:
        features: Counter[int] = Counter()
        weights: dict[int, float] = {}
        for word in text.lower().replace("_", " ").replace("'s", " ").split():
            weights[_slot(word)] = weights.get(_slot(word), 0.0) + 1.0
            padded = f"^{word}$"
            for at in range(len(padded) - _PIECE + 1):
                features[_slot(padded[at : at + _PIECE])] += 1
        for slot, count in features.items():
            weights[slot] = weights.get(slot, 0.0) + _PIECE_WEIGHT * math.sqrt(count)
        return weights


def _slot(text: str) -> int:
    return zlib.crc32(text.encode()) % _SIZE


Way = Literal["none", "entities", "search", "slice"]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Some facts of the graph, the most relevant ones first."""

    things: frozenset[str] | None
    """What the facts are about; None: everything."""
    facts: tuple[Fact, ...]
    left_out: int = 0
    """Facts that were relevant and did not fit."""
    named: tuple[str, ...] = ()
    """The things the text names or means, some of which no fact is about."""
    previous: tuple[Fact, ...] = ()
    """Where things were before their last move: what ``back`` means."""


@dataclass(slots=True)
class Retriever:
    """Finds what a text is about in one world."""

    calling: Calling
    facts: FactIndex
    cutoff: float = 0.75
    """A thing is a candidate of a phrase from this share of the best similarity on."""
    most: int = 8
    """Candidates of one phrase."""
    hops: int = 3
    limit: int = 100
    """Facts of an entity list, as published for updates."""
    _vectors: NameVectors | None = field(default=None)

    # ---- the published ways ---------------------------------------------------------------------

    def everything(self) -> Retrieved:
        """No retrieval: the whole graph."""
        return Retrieved(None, tuple(sorted(self.facts)))

    def entities(self, chosen: Iterable[str]) -> Retrieved:
        """All facts on undirected paths of up to three edges from chosen things, nearest first."""
        seen: dict[Fact, None] = {}
        named = tuple(dict.fromkeys(chosen))
        reached = frontier = {thing: None for thing in named if thing in self.calling.names.things}
        for _ in range(self.hops):
            found = [f for thing in frontier for f in sorted(self.facts.one_hop(thing))]
            seen |= dict.fromkeys(found)
            ends = {end for f in found for end in (f.subject, f.object)}
            frontier = dict.fromkeys(sorted(ends - BOOLEANS - reached.keys()))
            reached = reached | frontier
        kept = tuple(seen)[: self.limit]
        return Retrieved(_ends(kept) | {*named}, kept, len(seen) - len(kept), named)

    def search(self, query: QueryGraph) -> Retrieved:
        """The subgraphs most like a query graph, with what is known about their things."""
        vectors = self.vectors
        scores = [list(vectors.similarities(node)) for node in query.nodes]
        found = candidates(vectors.things, scores, self.cutoff, self.most)
        mappings = Matching(query, found, self.facts).run()
        chosen = dict.fromkeys(thing for mapping in mappings for thing in mapping.values())
        return self._described(chosen)

    # ---- our own --------------------------------------------------------------------------------

    def relevant(
        self, text: str, discourse: Discourse, speaker: str | None, max_tokens: int
    ) -> Retrieved:
        """The slice for a text: all a phrase may mean, who and what was spoken of before, and their rooms."""
        talked = self._talked(discourse)
        chosen = dict.fromkeys(self.spoken_of(text, discourse, speaker))
        moved = [t for t in chosen if self.calling.names.is_item(t) or t in talked][:6]
        previous = [f for t in moved if (f := discourse.previous.get(t)) is not None]
        chosen |= dict.fromkeys([*self.calling.names.robots, *(f.object for f in previous)])
        left = max_tokens - sum(fact_tokens(fact) for fact in previous)
        return replace(self._described(chosen, left), previous=tuple(previous))

    def spoken_of(self, text: str, discourse: Discourse, speaker: str | None) -> list[str]:
        """Return who speaks, what a text may mean, and what was spoken of before."""
        people = [speaker] if speaker is not None else []
        return [*people, *named_in(text, self.calling), *self._talked(discourse)]

    def implied_by(self, things: Iterable[str]) -> set[str]:
        """Return the places, holders and rooms of things, and the places that things were at before."""
        return {above for thing in things for above in self._upwards(thing)}

    def _talked(self, discourse: Discourse) -> list[str]:
        talked = [*discourse.recent("themes", "subjects", "people", "places")][:8]
        return talked + [t for event in discourse.now.events for t in spoken_of(event)]

    # ---- facts ----------------------------------------------------------------------------------

    @property
    def vectors(self) -> NameVectors:
        """The vectors of the names of this world, made when first needed."""
        if self._vectors is None:
            from commonground.grounding.memory.retrieval.retriever import NameVectors

            self._vectors = NameVectors(
                {
                    key: [thing.name, *_also(" ".join(self.calling.names.names[key].head))]
                    for key, thing in self.calling.names.things.items()
                }
            )
        return self._vectors

    def _described(self, chosen: Iterable[str], max_tokens: int | None = None) -> Retrieved:
        """Return the facts about things, where these are, and what else is in the same places and rooms."""
        things = list(dict.fromkeys(chosen))
        seen: dict[Fact, None] = {}
        for thing in things:
            seen |= dict.fromkeys(sorted(self.facts.about(thing)))
        for thing in list(things):
            for place in self._upwards(thing):
                seen |= dict.fromkeys(sorted(self.facts.about(place)))
        for thing in things:
            seen |= dict.fromkeys(sorted(self.facts.one_hop(thing)))
        kept: list[Fact] = []
        left = max_tokens if max_tokens is None else max_tokens - 8 * len(things)
        for fact in seen:
            if left is not None:
                left -= fact_tokens(fact)
                if left < 0:
                    break
            kept.append(fact)
        named = tuple(things)
        return Retrieved(_ends(kept) | {*named}, tuple(kept), len(seen) - len(kept), named)

    def _upwards(self, thing: str) -> list[str]:
        """Return what a thing is in or on, with whom, and the room, one above the other."""
        names, found = self.calling.names, list[str]()
        above = [r for r in names.meanings.relations if names.meanings.relations[r].means in _ABOVE]
        frontier = [thing]
        while frontier:
            here = frontier.pop()
            for relation in above:
                new = [o for o in objects(self.facts, here, relation) if o not in found]
                found += new
                frontier += new
        return found


def _also(noun: str) -> list[str]:
    """Return two more words for the same kind of thing."""
    known = household()
    words = (word for sense in known.senses(noun) for word in known.concepts[sense].words)
    return sorted({*words} - {noun})[:2]


_ABOVE = frozenset(["place", "holding", "whereabouts", "inside", "part"])


def fact_line(fact: Fact) -> str:
    """Return a fact as a prompt has it."""
    return " ".join(fact)


def fact_tokens(fact: Fact) -> int:
    """Return about how many tokens a fact takes."""
    return estimate_tokens(fact_line(fact)) + 1


def _ends(facts: Iterable[Fact]) -> frozenset[str]:
    return frozenset(end for f in facts for end in (f.subject, f.object)) - BOOLEANS


def offline(retriever: Retriever, way: Way, text: str, discourse: Discourse, speaker: str | None,
            max_tokens: int) -> Retrieved:  # fmt: skip
    """Retrieve in one of the four ways without asking a model."""
    if way == "none":
        return retriever.everything()
    if way == "entities":
        robots = retriever.calling.names.robots
        people = [speaker] if speaker is not None else []
        return retriever.entities([*named_in(text, retriever.calling), *people, *robots])
    if way == "search":
        return retriever.search(query_of(text, retriever.calling))
    return retriever.relevant(text, discourse, speaker, max_tokens)
