"""Offline diagnosis: which missing fact, affordance or state would explain a failure, and who lacks what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.problem_writer.goals import EMPTY, literals, meant_by, words_of
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.problem import capacity_of, mass_of
from commonground.grounding.problem_writer.relevance import relevant_things
from commonground.grounding.repair.failures import Failure
from commonground.grounding.repair.hypotheses import Hypothesis
from commonground.planning.pddl import And, Formula, Or

_CHANCE = 0.6
"""How likely it is that what failed once fails by chance rather than for a reason."""
_STATE_SKILL = {
    "SLICED": "SliceObject", "ON": "SwitchOn", "OFF": "SwitchOff", "OPENED": "OpenObject",
    "CLOSED": "CloseObject",
}  # fmt: skip
_CARRY = ("PickupObject", "PutObject")
_TOOL_OF = {"SLICED": "Knife", "TOASTED": "Knife"}
_EPSILON_KG = 1e-3
NO_PLAN = "no plan of these robots reaches the goal"


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
    """Tell whether it is known where a thing that a word of the goal may mean is."""
    return any(
        not graph.can(name, "pickupable")
        or graph.value(name, "in") is not None
        or graph.value(name, "reached-at") is not None
        or graph.subjects("holds", name)
        for name in meant_by(word.removesuffix("Sliced"), types)
    )


def proposals(
    failure: Failure, goal: Formula, graph: HouseGraph, kinds: Kinds, failed_before: int
) -> list[Hypothesis]:
    """Return what might explain a failure, the likeliest first."""
    if failure.kind == "precondition":
        found = list(_of_call(failure, graph, failed_before))
    else:
        found = [*_of_affordances(goal, graph, kinds), *_of_states(goal, graph)]
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


def _of_states(goal: Formula, graph: HouseGraph) -> Iterator[Hypothesis]:
    """A state may not be as believed: a broken thing may be whole, a full place may have room."""
    for thing in graph.types():
        if graph.is_true(thing, "broken"):
            yield Hypothesis(f"{thing} may be whole", 0.1, (Fact(thing, "broken", FALSE),))
        slots = graph.value(thing, "slots")
        if slots is not None and len(graph.contents(thing)) >= int(slots):
            more = Fact(thing, "slots", str(int(slots) + 1))
            yield Hypothesis(f"{thing} may have room", 0.1, (more,))


# ---- an honest no ------------------------------------------------------------------------------------


def reason_without_plan(goal: Formula, graph: HouseGraph) -> str:
    """Say which robot, skill or thing is missing, as far as that can be told without a search."""
    skills = {skill for robot in graph.robots() for skill in graph.values(robot, "skill")}
    types = graph.types()
    for atom, wanted in literals(goal):
        if atom.predicate == "state" and wanted:
            skill = _STATE_SKILL.get(atom.args[1])
            if skill is not None and skill not in skills:
                return f"no robot has the skill {skill}, which {atom} needs"
        carried = meant_by(atom.args[1], types) if atom.predicate == "contains" else []
        if atom.predicate == "state" and atom.args[1] == EMPTY:
            carried = [i for x in meant_by(atom.args[0], types) for i in graph.contents(x)]
        if carried and (problem := _cannot_carry(carried, graph, skills)):
            return problem
    for robot in graph.robots():
        if "GoToObject" not in graph.values(robot, "skill"):
            return f"{robot} cannot go anywhere, and the others cannot do it without it"
    return NO_PLAN


def is_final(reason: str, goal: Formula, graph: HouseGraph, kinds: Kinds) -> bool:
    """Tell whether a reason cannot be helped by supposing that things are as they usually are."""
    if reason == NO_PLAN or any(isinstance(part, Or) for part in _parts(goal)):
        return False
    types = graph.types()
    named = [kind for word in words_of(goal) for kind in (types.get(word, word),)]
    return not any(
        "pickupable" in kinds.usual(kind) and not graph.can(name, "pickupable")
        for name, kind in types.items()
        if kind in named
    )


def _parts(goal: Formula) -> Iterator[Formula]:
    yield goal
    for part in goal.parts if isinstance(goal, And | Or) else ():
        yield from _parts(part)


def _cannot_carry(things: list[str], graph: HouseGraph, skills: set[str]) -> str:
    for skill in _CARRY:
        if skill not in skills:
            return f"no robot has the skill {skill}, which moving {things[0]} needs"
    fixed = [thing for thing in things if not graph.can(thing, "pickupable")]
    if len(fixed) == len(things):
        return f"{fixed[0]} cannot be picked up"
    carriers = [r for r in graph.robots() if "PickupObject" in graph.values(r, "skill")]
    most = max(capacity_of(graph, robot) for robot in carriers)
    lightest = min(things, key=lambda thing: mass_of(graph, thing))
    if mass_of(graph, lightest) > most:
        return (
            f"{lightest} weighs {mass_of(graph, lightest):g} kg; "
            f"the strongest robot that can pick things up lifts {most:g} kg"
        )
    return ""
