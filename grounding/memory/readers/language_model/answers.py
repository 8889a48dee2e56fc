"""What a model may answer, and the checks it has to pass."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Annotated

from pydantic import Field

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.files import triple
from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.grounding.memory.retrieval.query import Edge, QueryGraph
from commonground.settings import Settings

_MOST_FACTS = 60
_MOST_PROBLEMS = 4
Words = Annotated[str, Field(min_length=1, max_length=200)]
Triple = tuple[Words, Words, Words | bool]


class UpdateAnswer(Settings):
    """The facts a report adds and removes, or a question."""

    add: Annotated[list[Triple], Field(max_length=_MOST_FACTS)] = Field(default_factory=list)
    remove: Annotated[list[Triple], Field(max_length=_MOST_FACTS)] = Field(default_factory=list)
    question: Annotated[str, Field(max_length=500)] = ""


class GoalAnswer(Settings):
    """A goal in PDDL, or a question."""

    goal: Annotated[str, Field(max_length=20_000)] = ""
    question: Annotated[str, Field(max_length=500)] = ""


class EntitiesAnswer(Settings):
    """The things one has to know about."""

    things: Annotated[list[Words], Field(max_length=60)] = Field(default_factory=list)


class QueryAnswer(Settings):
    """A query graph."""

    nodes: Annotated[list[Words], Field(max_length=20)] = Field(default_factory=list)
    edges: Annotated[list[tuple[int, str, int]], Field(max_length=40)] = Field(default_factory=list)

    def graph(self) -> QueryGraph:
        """Return the graph; edges to nodes that are not there are left out."""
        known = range(len(self.nodes))
        edges = [Edge(a, w, b) for a, w, b in self.edges if a in known and b in known and a != b]
        return QueryGraph(list(self.nodes), edges)


class Verifier:
    """Checks a proposed update against the domain, the graph, and what the model was shown."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        kinds: Mapping[str, str],
        known: Collection[Fact],
        mentioned: Collection[str] | None = None,
        fixed: Collection[str] = (),
        follows: Collection[str] = (),
    ) -> None:
        self.vocabulary, self.kinds, self.known = vocabulary, kinds, known
        self.mentioned = mentioned
        """What the report speaks of; None: whatever was shown."""
        self.follows = follows
        """What is implied by that: the rooms and places of what is spoken of."""
        self.fixed = fixed
        """Relations that no report changes, such as who owns what."""

    def check(
        self, answer: UpdateAnswer, shown: frozenset[str] | None, hold: Callable[..., None]
    ) -> UpdateAnswer:
        """Return an answer that is well-formed, well-typed and free of contradictions; else say why not."""
        added, removed = facts_of(answer.add), facts_of(answer.remove)
        problems = [p for fact in (*added, *removed) if (p := self._problem(fact, shown))]
        changed = [f for f in added if f not in self.known] + removed
        problems += [p for fact in changed if (p := self._unasked(fact))]
        problems += [
            f"{f} is removed but is not a known fact" for f in removed if f not in self.known
        ]
        problems += [f"{f} is both added and removed" for f in added if f in removed]
        if not problems:
            try:
                hold(added)
            except GroundingError as error:
                problems.append(str(error))
        if problems:
            raise GroundingError("; ".join(problems[:_MOST_PROBLEMS]))
        return answer

    def _problem(self, fact: Fact, shown: frozenset[str] | None) -> str | None:
        wrong = self.vocabulary.problem(fact, self.kinds)
        if wrong is not None:
            return f"{fact}: {wrong}"
        if shown is not None and fact.subject not in shown:
            return f"{fact}: nothing was said to be known about {fact.subject}"
        return None

    def _unasked(self, fact: Fact) -> str | None:
        """Return why a report cannot have changed a fact: it is fixed, or of nothing that was spoken of."""
        if fact.relation in self.fixed:
            return f"{fact}: {fact.relation} is fixed and no report changes it"
        if self.mentioned is None:
            return None
        ends = [fact.subject] if fact.is_property else [fact.subject, fact.object]
        strange = [end for end in ends if end not in self.mentioned]
        if len(strange) == len(ends):
            return f"{fact}: the report speaks neither of {fact.subject} nor of {fact.object}"
        for end in strange:
            meant = None if end in self.follows else self._instead(fact, end)
            if meant is not None:
                return f"{fact}: the report does not speak of {end}; {meant} would fit there"
        return None

    def _instead(self, fact: Fact, end: str) -> str | None:
        """Return what the report speaks of and could stand for an end of a fact that it does not speak of.

        Where there is nothing of the kind, the words of the report are beyond what is known here, and the
        model may know better.
        """
        for name in self.mentioned or ():
            if name in (fact.subject, fact.object):
                continue
            other = fact._replace(**{"subject" if end == fact.subject else "object": name})
            if self.vocabulary.problem(other, self.kinds) is None:
                return name
        return None

    def usable(self, facts: list[Fact]) -> list[Fact]:
        """Return the facts that the graph can take at all."""
        return [f for f in facts if self.vocabulary.problem(f, self.kinds) is None]


def facts_of(triples: list[Triple]) -> list[Fact]:
    """Return triples as facts."""
    return [triple(*entry) for entry in triples]
