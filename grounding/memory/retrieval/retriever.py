"""The part of the graph that a text is about, in any of four ways, within a limit of tokens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

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
    from commonground.grounding.memory.retrieval.similarity import NameVectors

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
            from commonground.grounding.memory.retrieval.similarity import NameVectors

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
