"""The part of the graph that a text is about, in any of four ways, within a limit of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from commonground.grounding.knowledge.facts import BOOLEANS, Fact
from commonground.grounding.knowledge.index import FactIndex, objects
from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.english.tokens import Token
from commonground.grounding.memory.linking import Context, Linker
from commonground.grounding.memory.report import ReportReader
from commonground.grounding.memory.retrieval.matching import Matching, candidates
from commonground.grounding.memory.retrieval.query import QueryGraph, query_of
from commonground.grounding.memory.retrieval.similarity import NameVectors
from commonground.grounding.model.tokens import estimate_tokens

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

    reader: ReportReader
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
        reached = frontier = {thing: None for thing in named if thing in self.reader.names.things}
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
        people = [speaker] if speaker is not None else []
        talked = [*discourse.recent("themes", "subjects", "people", "places", "things")][:8]
        chosen = dict.fromkeys([*people, *self.mentioned(text, discourse, speaker), *talked])
        moved = [t for t in chosen if self.reader.names.is_item(t) or t in talked][:6]
        previous = [f for t in moved if (f := discourse.previous.get(t)) is not None]
        chosen |= dict.fromkeys([*self.reader.names.robots, *(f.object for f in previous)])
        left = max_tokens - sum(fact_tokens(fact) for fact in previous)
        return replace(self._described(chosen, left), previous=tuple(previous))

    def mentioned(self, text: str, discourse: Discourse, speaker: str | None) -> list[str]:
        """Return the things the phrases of a text may mean, those of clear phrases first."""
        topic = replace(discourse.now, subjects=[*discourse.now.subjects])
        heard = Discourse(topic, discourse.before, discourse.previous)
        linker = Linker(self.reader.names, self.facts, heard, speaker)
        mentions = [m for tokens in self.reader.tokens(text) for m in self._phrases(tokens)]
        for mention in reversed(mentions):
            if mention.kind == "person" and mention.thing is not None:
                topic.note("subjects", mention.thing)
        phrases = [linker.some(m, lambda t: True, Context()) for m in mentions]
        ordered = sorted((found for found in phrases if found), key=len)
        return list(dict.fromkeys(thing for found in ordered for thing in found))

    def _phrases(self, tokens: Sequence[Token]) -> list[Mention]:
        """Return every phrase of a sentence, and the phrases in it."""
        found: list[Mention] = []
        at = 0
        while at < len(tokens):
            mention = self.reader.grammar.parse(tokens, at)
            if mention is None:
                at += 1
                continue
            at = at + 1 if mention.where else max(at + 1, mention.end)
            inner = (mention.owner, mention.holder, mention.content, *(m for _, m in mention.where))
            found += [mention, *(m for m in inner if m is not None)]
        return found

    # ---- facts ----------------------------------------------------------------------------------

    @property
    def vectors(self) -> NameVectors:
        """The vectors of the names of this world, made when first needed."""
        if self._vectors is None:
            names, lexicon = self.reader.names, self.reader.lexicon
            phrases = {
                key: [thing.name, *sorted(lexicon.nouns_like(" ".join(names.names[key].head)))[:2]]
                for key, thing in names.things.items()
            }
            self._vectors = NameVectors(phrases)
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
        names, found = self.reader.names, list[str]()
        above = [r for r in names.meanings.relations if names.meanings.relations[r].means in _ABOVE]
        frontier = [thing]
        while frontier:
            here = frontier.pop()
            for relation in above:
                new = [o for o in objects(self.facts, here, relation) if o not in found]
                found += new
                frontier += new
        return found


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
        robots = retriever.reader.names.robots
        people = [speaker] if speaker is not None else []
        return retriever.entities(
            [*retriever.mentioned(text, discourse, speaker), *people, *robots]
        )
    if way == "search":
        return retriever.search(query_of(text, retriever.reader))
    return retriever.relevant(text, discourse, speaker, max_tokens)
