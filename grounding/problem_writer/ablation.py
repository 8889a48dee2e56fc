"""A graph without one of its views, to see what each is worth."""

from __future__ import annotations

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.domain import SKILLS
from commonground.grounding.problem_writer.graph import REACH, RELATIONS, HouseGraph, ViewName
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.problem import UNLIMITED


def without_view(graph: HouseGraph, view: ViewName, kinds: Kinds) -> HouseGraph:
    """Return what is left without a view.

    Without relations, only the place where a thing is reached is known; without reachability, only which
    portable thing it is in. Without properties, things are what their type usually is, and every robot
    can do and lift everything, until experience says otherwise.
    """
    if view == "relation":
        return HouseGraph(fact for fact in graph.facts if fact.relation not in RELATIONS)
    if view == "reach":
        return HouseGraph(fact for fact in graph.facts if not _reaches(fact, graph))
    return _usual(graph, kinds)


def _reaches(fact: Fact, graph: HouseGraph) -> bool:
    return fact.relation in REACH or (
        fact.relation == "in"
        and graph.can(fact.subject, "pickupable")
        and not graph.can(fact.object, "pickupable")
    )


def _usual(graph: HouseGraph, kinds: Kinds) -> HouseGraph:
    kept = HouseGraph(fact for fact in graph.facts if fact.relation in REACH | RELATIONS | {"is-a"})
    for thing, kind in graph.types().items():
        for affordance in sorted(kinds.usual(kind)):
            kept.tell(Fact(thing, "can", affordance))
    for robot in graph.robots():
        kept.tell(Fact(robot, "lifts-kg", UNLIMITED))
        for skill in SKILLS:
            kept.tell(Fact(robot, "skill", skill))
    return kept
