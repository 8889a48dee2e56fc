"""The embedded writer: goals by parsing the command, the rest by relevance over the graph."""

from __future__ import annotations

from collections.abc import Iterable

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.commands.reader import CommandReader
from commonground.grounding.problem_writer.goals import Wish, WishSource
from commonground.grounding.problem_writer.graph import VIEWS, HouseGraph, ViewName
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.relevance import relevant_things
from commonground.planning.pddl import Formula


class OfflineWriter:
    """Writes all stages without network or model; a ``wider`` one leaves less out."""

    def __init__(
        self, kinds: Kinds, reader: WishSource | None = None, *, wider: bool = False
    ) -> None:
        self.kinds = kinds
        self.reader: WishSource = reader or CommandReader(kinds)
        self.wider = wider

    def wish(self, text: str, graph: HouseGraph) -> Wish:
        """Return the goal of a command with what is asked for on the way."""
        return self.reader.wish(text, graph)

    def relations(self, goal: Formula, text: str, graph: HouseGraph) -> list[Fact]:
        """Return how the things a goal can need relate."""
        things = relevant_things(goal, graph, self.kinds, wider=self.wider)
        chosen = {*things, *graph.robots()}
        return [
            fact
            for fact in _among(graph, "relation", chosen)
            if fact.object in chosen or fact.object not in graph.types()
        ] + [Fact(thing, "is-a", graph.type_of(thing)) for thing in things]

    def properties(
        self, goal: Formula, text: str, relations: Iterable[Fact], graph: HouseGraph
    ) -> list[Fact]:
        """Return what the things chosen are, can and are like, and the team's skills."""
        return _among(graph, "property", {*things_in(relations, graph), *graph.robots()})

    def reach(
        self, relations: Iterable[Fact], properties: Iterable[Fact], graph: HouseGraph
    ) -> list[Fact]:
        """Return where the things chosen are reached, and where the robots are."""
        chosen = {*things_in([*relations, *properties], graph), *graph.robots()}
        return [f for f in _among(graph, "reach", chosen) if f.object in chosen]


def _among(graph: HouseGraph, view: ViewName, chosen: set[str]) -> list[Fact]:
    relations = VIEWS[view]
    return sorted(
        fact for thing in chosen for fact in graph.about(thing) if fact.relation in relations
    )


def things_in(facts: Iterable[Fact], graph: HouseGraph) -> set[str]:
    """Return the things facts are about."""
    types = graph.types()
    return {name for fact in facts for name in (fact.subject, fact.object) if name in types}
