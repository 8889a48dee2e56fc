"""Offline diagnosis: which missing fact, affordance or state would explain a failure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.problem_writer.goals import meant_by, words_of
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.problem import capacity_of
from commonground.grounding.problem_writer.relevance import relevant_things
from commonground.grounding.repair.failures import Failure
from commonground.grounding.repair.hypotheses import Hypothesis
from commonground.planning.pddl import Formula
from commonground.planning.pddl.strata import literals

_CHANCE = 0.6
"""How likely it is that what failed once fails by chance rather than for a reason."""
_TOOL_OF = {"SLICED": "Knife", "TOASTED": "Knife"}
_EPSILON_KG = 1e-3


def missing_kinds(goal: Formula, graph: HouseGraph, kinds: Kinds) -> list[str]:
    """Return the types a goal needs and nothing known is of."""
    types = graph.types()
    named = [word for word in words_of(goal) if not _located(word, graph, types)]
    tools = []
    for atom, wanted in literals(goal):
        tool = _TOOL_OF.get(atom.args[-1]) if atom.predicate == "state" and wanted else None
        if tool is not None and not _located(tool, graph, types):
            tools.append(tool)
    return [kind for kind in dict.fromkeys((*named, *tools)) if kind in kinds.types]


def _located(word: str, graph: HouseGraph, types: Mapping[str, str]) -> bool:
    """Return whether it is known where a thing that a word of the goal may mean is."""
    return any(
        not graph.can(name, "pickupable")
        or graph.value(name, "in") is not None
        or graph.value(name, "reached-at") is not None
        or graph.subjects("holds", name)
        for name in meant_by(word.removesuffix("Sliced"), types)
    )


@dataclass(frozen=True, slots=True)
class OfflineProposer:
    """Proposes what might explain a failure, without network or model."""

    kinds: Kinds

    def propose(
        self, failure: Failure, goal: Formula, graph: HouseGraph, failed_before: int
    ) -> list[Hypothesis]:
        if failure.kind == "precondition":
            found = list(_of_call(failure, graph, failed_before))
        else:
            found = [*_of_affordances(goal, graph, self.kinds), *_of_states(graph)]
        return sorted(found, key=lambda h: -h.likelihood)


def _of_call(failure: Failure, graph: HouseGraph, failed_before: int) -> Iterator[Hypothesis]:
    """A call failed although what is believed allows it: by chance, or the thing is not as believed."""
    call = failure.call
    if call is None:
        return
    yield Hypothesis(f"{call} failed by chance", _CHANCE ** (1 + failed_before))
    thing = call.args[0] if call.args else ""
    most = capacity_of(graph, call.robot)
    if call.skill == "PickupObject" and most < float("inf"):
        heavier = Fact(thing, "mass-kg", repr(most + _EPSILON_KG))
        yield Hypothesis(f"{thing} is heavier than {call.robot} can lift", 0.3, (heavier,))
    needed = {
        "OpenObject": ("openable", "open"),
        "SwitchOn": ("toggleable", "on"),
        "CloseObject": ("openable", "open"),
        "SwitchOff": ("toggleable", "on"),
    }.get(call.skill)
    if needed is not None:
        affordance, state = needed
        value = TRUE if call.skill in ("OpenObject", "SwitchOn") else FALSE
        yield Hypothesis(f"{thing} is so already", 0.2, (Fact(thing, state, value),))
        doubted = Fact(thing, "can", affordance)
        yield Hypothesis(f"{thing} is not {affordance}", 0.1, drops=(doubted,))
    skill = Fact(call.robot, "skill", call.skill)
    yield Hypothesis(f"{call.robot} cannot {call.skill}", 0.05, drops=(skill,))


def _of_affordances(goal: Formula, graph: HouseGraph, kinds: Kinds) -> Iterator[Hypothesis]:
    """A thing may afford what things of its type usually do."""
    things = relevant_things(goal, graph, kinds)
    named = {name for word in words_of(goal) for name in meant_by(word, graph.types())}
    for thing in things:
        lacking = kinds.usual(graph.type_of(thing)) - set(graph.values(thing, "can"))
        for affordance in sorted(lacking & {"pickupable", "openable", "toggleable", "sliceable", "receptacle",
                                            "breakable", "fillable", "cookable"}):  # fmt: skip
            likelihood = 0.5 if thing in named else 0.2
            fact = Fact(thing, "can", affordance)
            yield Hypothesis(f"{thing} may be {affordance}", likelihood, (fact,))


def _of_states(graph: HouseGraph) -> Iterator[Hypothesis]:
    """A state may not be as believed: a broken thing may be whole, a full place may have room."""
    for thing in graph.types():
        if graph.is_true(thing, "broken"):
            yield Hypothesis(f"{thing} may be whole", 0.1, (Fact(thing, "broken", FALSE),))
        slots = graph.value(thing, "slots")
        if slots is not None and len(graph.contents(thing)) >= int(slots):
            more = Fact(thing, "slots", str(int(slots) + 1))
            yield Hypothesis(f"{thing} may have room", 0.1, (more,))
