"""The stages in which a planning problem is written, each from the ones before and one view of the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.problem import Problem, problem_of
from commonground.planning.pddl import Formula

Facts = Sequence[Fact]


class Writer(Protocol):
    """Writes each stage: a language model with a checked answer, or the offline writer."""

    def wish(self, text: str, graph: HouseGraph) -> Wish:
        """Return the goal of a command with what is asked for on the way."""
        ...

    def relations(self, goal: Formula, text: str, graph: HouseGraph) -> Facts:
        """Return the facts of the relation view that matter for a goal."""
        ...

    def properties(self, goal: Formula, text: str, relations: Facts, graph: HouseGraph) -> Facts:
        """Return the facts of the property view that matter for what has been chosen."""
        ...

    def reach(self, relations: Facts, properties: Facts, graph: HouseGraph) -> Facts:
        """Return the facts of the reachability view about what has been chosen."""
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
    """Write the problem of a goal that is known already."""
    relations = writer.relations(goal, text, graph)
    properties = writer.properties(goal, text, relations, graph)
    reach = writer.reach(relations, properties, graph)
    problem = problem_of(goal, [*relations, *properties, *reach], kinds)
    return Written(goal, tuple(relations), tuple(properties), tuple(reach), problem)
