"""An honest no: which robot, skill, strength, appliance or place is missing for a goal."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grounding.problem_writer.goals import EMPTY, is_reached, meant_by
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.problem import capacity_of, mass_of
from commonground.planning.pddl import And, Atom, Formula, Or
from commonground.planning.pddl.strata import literals

_STATE_SKILLS = {
    "SLICED": ("SliceObject",), "ON": ("SwitchOn",), "OFF": ("SwitchOff",), "OPENED": ("OpenObject",),
    "CLOSED": ("CloseObject",), "BROKEN": ("BreakObject", "ThrowObject"),
    "MOVED": ("PushObject", "PullObject"),
    "TOASTED": ("SliceObject",),
}  # fmt: skip
"""Skills of which a state needs one, unless it holds already."""
_SOURCES = {
    "CLEAN": ("running water", ("Faucet",)),
    "FILLED": ("running water or a coffee machine", ("Faucet", "CoffeeMachine")),
    "HOT": ("something that heats", ("Microwave", "StoveKnob", "CoffeeMachine", "Toaster")),
    "COOKED": ("something that cooks", ("Microwave", "StoveKnob", "Toaster")),
    "TOASTED": ("a toaster", ("Toaster",)),
    "COLD": ("a fridge", ("Fridge",)),
}
"""What a state comes from."""
_CARRY = ("PickupObject", "PutObject")
NO_PLAN = "no plan of these robots reaches the goal"


def reason_without_plan(goal: Formula, graph: HouseGraph, kinds: Kinds) -> str:
    """Say which robot, skill or thing is missing, as far as that can be told without a search."""
    skills = {skill for robot in graph.robots() for skill in graph.values(robot, "skill")}
    for atom, wanted in literals(goal):
        for problem in _lacking(atom, graph, kinds, skills) if wanted else ():
            if problem:
                return problem
    for robot in graph.robots():
        if "GoToObject" not in graph.values(robot, "skill"):
            return f"{robot} cannot go anywhere, and the others cannot do it without it"
    return NO_PLAN


def missing_skill(goal: Formula, graph: HouseGraph) -> str:
    """Say which skill no robot has although a goal needs it; nothing where there are alternatives."""
    if any(isinstance(part, Or) for part in _parts(goal)):
        return ""
    skills = {skill for robot in graph.robots() for skill in graph.values(robot, "skill")}
    for atom, wanted in literals(goal):
        if wanted and atom.predicate == "state" and (problem := _of_state(atom, graph, skills)):
            return problem
    return ""


def is_final(reason: str, goal: Formula, graph: HouseGraph, kinds: Kinds) -> bool:
    """Return whether a reason cannot be helped by supposing that things are as they usually are."""
    if reason == NO_PLAN or any(isinstance(part, Or) for part in _parts(goal)):
        return False
    types = graph.types()
    words = (
        atom.args if atom.predicate == "contains" else atom.args[:1] for atom, _ in literals(goal)
    )
    named = [types.get(word, word) for args in words for word in args]
    return not any(
        "pickupable" in kinds.usual(kind) and not graph.can(name, "pickupable")
        for name, kind in types.items()
        if kind in named
    )


def _parts(goal: Formula) -> Iterator[Formula]:
    yield goal
    for part in goal.parts if isinstance(goal, And | Or) else ():
        yield from _parts(part)


def _lacking(atom: Atom, graph: HouseGraph, kinds: Kinds, skills: set[str]) -> Iterator[str]:
    """Yield what is missing for a condition, the plainest reason first."""
    types = graph.types()
    if atom.predicate == "state":
        yield _of_state(atom, graph, skills)
        yield _of_source(atom, graph, skills)
        things = [i for x in meant_by(atom.args[0], types) for i in graph.contents(x)]
        if atom.args[1] == EMPTY and (problem := _cannot_carry(things, graph, skills)):
            yield problem
        return
    things = meant_by(atom.args[1], types)
    if things and (problem := _cannot_carry(things, graph, skills)):
        yield problem
    places = [graph.value(p, "stands-for") or p for p in meant_by(atom.args[0], types)]
    yield from _unfit(places, things, graph, kinds)
    yield from _shut(places, things, graph, skills)


def _of_state(atom: Atom, graph: HouseGraph, skills: set[str]) -> str:
    needed = _STATE_SKILLS.get(atom.args[1], ())
    if needed and not skills & set(needed) and not is_reached(atom, graph):
        return f"no robot has the skill {' or '.join(needed)}, which {atom} needs"
    return ""


def _of_source(atom: Atom, graph: HouseGraph, skills: set[str]) -> str:
    what, sources = _SOURCES.get(atom.args[1], ("", ()))
    if not sources or is_reached(atom, graph):
        return ""
    there = [name for name, kind in graph.types().items() if kind in sources]
    if not there:
        return f"{atom} needs {what}, and there is none here"
    running = atom.args[1] == "COLD" or any(graph.is_true(name, "on") for name in there)
    if not running and "SwitchOn" not in skills:
        return f"no robot has the skill SwitchOn, which {atom} needs for {there[0]}"
    return ""


def _cannot_carry(things: list[str], graph: HouseGraph, skills: set[str]) -> str:
    for skill in _CARRY:
        if things and skill not in skills:
            return f"no robot has the skill {skill}, which moving {things[0]} needs"
    fixed = [thing for thing in things if not graph.can(thing, "pickupable")]
    if things and len(fixed) == len(things):
        return f"{fixed[0]} cannot be picked up"
    carriers = [r for r in graph.robots() if "PickupObject" in graph.values(r, "skill")]
    most = max((capacity_of(graph, robot) for robot in carriers), default=0.0)
    lightest = min(things, key=lambda thing: mass_of(graph, thing), default=None)
    if lightest is not None and mass_of(graph, lightest) > most:
        return (
            f"{lightest} weighs {mass_of(graph, lightest):g} kg; "
            f"the strongest robot that can pick things up lifts {most:g} kg"
        )
    return ""


def _unfit(places: list[str], things: list[str], graph: HouseGraph, kinds: Kinds) -> Iterator[str]:
    """Yield that a place is no receptacle, or does not take such things."""
    taking = [p for p in places if graph.can(p, "receptacle")]
    if places and not taking:
        yield f"nothing can be put in or on {places[0]}"
    pairs = [(p, t) for p in taking for t in things if p != t]
    if pairs and not any(kinds.takes(graph.type_of(p), graph.type_of(t)) for p, t in pairs):
        yield f"{pairs[0][0]} does not take {pairs[0][1]}"


def _shut(
    places: list[str], things: list[str], graph: HouseGraph, skills: set[str]
) -> Iterator[str]:
    """Yield that something is shut and nobody can open it."""
    if "OpenObject" in skills:
        return
    for group in (places, things):
        doors = [_closed_around(name, graph) for name in group]
        if doors and all(doors):
            yield f"{doors[0]} is closed, and no robot has the skill OpenObject"


def _closed_around(name: str, graph: HouseGraph) -> str | None:
    """Return the first closed thing around and including one."""
    for each in (name, *graph.around(name)):
        shut = graph.can(each, "openable") and not graph.is_true(each, "open")
        if shut and (each != name or graph.can(name, "receptacle")):
            return each
    return None
