"""The stages in which a planning problem is written, each from the ones before and one view of the graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.graph import VIEWS, HouseGraph, ViewName
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.problem import Problem, problem_of
from commonground.planning.pddl import Formula


class Writer(Protocol):
    """Writes what is a matter of choice: a language model with a checked answer, or the offline writer."""

    def wish(self, text: str, graph: HouseGraph) -> Wish:
        """Return the goal of a command with what is asked for on the way."""
        ...

    def relations(self, goal: Formula, text: str, graph: HouseGraph) -> Sequence[Fact]:
        """Return the facts of the relation view that matter for a goal."""
        ...


@dataclass(frozen=True, slots=True)
class Written:
    """A problem with what it was written from."""

    goal: Formula
    relations: tuple[Fact, ...]
    properties: tuple[Fact, ...]
    reach: tuple[Fact, ...]
    problem: Problem


def write_problem(text: str, graph: HouseGraph, writer: Writer, kinds: Kinds) -> Written:
    """Write the problem of a command: goal → relations → properties → reach → PDDL."""
    return write_for_goal(writer.wish(text, graph).goal, text, graph, writer, kinds)


def write_for_goal(
    goal: Formula, text: str, graph: HouseGraph, writer: Writer, kinds: Kinds
) -> Written:
    """Write the problem of a goal that is known already.

    What the things of the relations are and can, and where they are reached, follows from the graph.
    """
    relations = tuple(writer.relations(goal, text, graph))
    properties = tuple(view_of(things_in(relations, graph), "property", graph))
    things = things_in([*relations, *properties], graph)
    reach = tuple(f for f in view_of(things, "reach", graph) if f.object in things)
    problem = problem_of(goal, [*relations, *properties, *reach], kinds)
    return Written(goal, relations, properties, reach, problem)


def view_of(things: Iterable[str], view: ViewName, graph: HouseGraph) -> list[Fact]:
    """Return the facts of a view about some things, in order."""
    relations = VIEWS[view]
    return sorted(
        fact for thing in things for fact in graph.about(thing) if fact.relation in relations
    )


def things_in(facts: Iterable[Fact], graph: HouseGraph) -> set[str]:
    """Return the things facts are about, and the robots."""
    types = graph.types()
    named = {name for fact in facts for name in (fact.subject, fact.object) if name in types}
    return {*named, *graph.robots()}
