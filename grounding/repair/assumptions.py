"""States nobody has looked at: supposed to be as usual, and looked at before anything rests on them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from commonground.grounding.knowledge.facts import FALSE, Fact
from commonground.grounding.problem_writer.goals import meant_by
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.repair.acting import Call
from commonground.planning.pddl import Formula
from commonground.planning.pddl.strata import literals

_USUAL = {"openable": "open", "toggleable": "on"}
"""What has never been looked at is closed, and off."""
_STATES = frozenset(_USUAL.values())


def assume_usual(graph: HouseGraph) -> None:
    """Suppose of what nobody has looked at that it is closed and off."""
    for thing in graph.types():
        for affordance, state in _USUAL.items():
            if graph.can(thing, affordance) and graph.value(thing, state) is None:
                graph.suppose(Fact(thing, state, FALSE))


def rested_on(calls: Sequence[Call], graph: HouseGraph) -> frozenset[Fact]:
    """Return the supposed states that calls rest on: of what they name, and of what that is in."""
    named = {name for call in calls for arg in call.args for name in (arg, *graph.around(arg))}
    return frozenset(f for f in graph.supposed if f.subject in named and f.relation in _STATES)


def sure_part(calls: Sequence[Call], graph: HouseGraph) -> int:
    """Return how many calls can be made before one rests on a state nobody has looked at.

    Going somewhere is always possible. Where even the first call rests on one, looking did not help: then all
    of them are tried, and failing tells.
    """
    for i, call in enumerate(calls):
        if call.skill != "GoToObject" and rested_on([call], graph):
            return i or len(calls)
    return len(calls)


def surprising(supposed: Collection[Fact], graph: HouseGraph) -> list[Fact]:
    """Return what had been supposed and has turned out otherwise."""
    return sorted(fact for fact in supposed if fact not in graph.facts)


def guesses(graph: HouseGraph) -> list[Fact]:
    """Return what was supposed to explain failures: everything supposed but usual states."""
    return [f for f in graph.supposed if not (f.relation in _STATES and f.object == FALSE)]


def goal_rests_on(goal: Formula | None, graph: HouseGraph) -> frozenset[Fact]:
    """Return the supposed states that a goal is about."""
    if goal is None:
        return frozenset()
    types = graph.types()
    named = {
        name
        for atom, _ in literals(goal)
        if atom.predicate == "state"
        for name in meant_by(atom.args[0], types)
    }
    return frozenset(f for f in graph.supposed if f.subject in named and f.relation in _STATES)


def look_calls(goal: Formula, graph: HouseGraph) -> tuple[Call, ...]:
    """Return the calls with which robots go and look at the states a goal takes for granted."""
    walkers = [r for r in graph.robots() if "GoToObject" in graph.values(r, "skill")]
    things = sorted({fact.subject for fact in goal_rests_on(goal, graph)})
    if not walkers:
        return ()
    return tuple(
        Call(walkers[i % len(walkers)], "GoToObject", (graph.value(thing, "reached-at") or thing,))
        for i, thing in enumerate(things)
    )
