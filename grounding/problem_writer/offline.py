"""The embedded writer: goals by parsing the command, the rest by relevance over the graph."""

from __future__ import annotations

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.goals import Wish, WishSource
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.relevance import relevant_things
from commonground.grounding.problem_writer.stages import view_of
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.planning.pddl import Formula


class OfflineWriter:
    """Writes all stages without network or model; a ``wider`` one leaves less out."""

    def __init__(
        self, kinds: Kinds, reader: WishSource | None = None, *, wider: bool = False
    ) -> None:
        self.kinds = kinds
        self.reader: WishSource = reader or WishReader.load(kinds)
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
            for fact in view_of(chosen, "relation", graph)
            if fact.object in chosen or fact.object not in graph.types()
        ] + [Fact(thing, "is-a", graph.type_of(thing)) for thing in things]
