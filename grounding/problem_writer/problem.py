"""Facts and a goal as a planning problem: masses become what each robot lifts, types what appliances do."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.domain import (
    APPLIANCES,
    SKILLS,
    STATE_PREDICATES,
    household_domain,
)
from commonground.grounding.problem_writer.goals import EMPTY, SLICED, contains, meant_by, words_of
from commonground.grounding.problem_writer.graph import BARRED, GROUND, HouseGraph
from commonground.grounding.problem_writer.identity import of_one_thing
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.planning.pddl import (
    And,
    Atom,
    Fluent,
    Formula,
    Metric,
    Not,
    Or,
    Task,
    Typed,
    disjunction,
)
from commonground.planning.pddl import Problem as PddlProblem
from commonground.planning.pddl.logic import conjunction
from commonground.planning.pddl.strata import literals

UNLIMITED = "any"
"""What a robot without a limit lifts."""
NOWHERE = "nowhere"
_AFFORDANCES = (
    "openable",
    "toggleable",
    "breakable",
    "sliceable",
    "receptacle",
    "cookable",
    "fillable",
)
_SLICES = (1, 2)
_EPSILON_KG = 1e-9


@dataclass(frozen=True, slots=True)
class Problem:
    """A planning task with the goal in its vocabulary."""

    task: Task
    things: tuple[str, ...]
    """What it is about, without robots."""


def problem_of(goal: Formula, facts: Iterable[Fact], kinds: Kinds) -> Problem:
    """Return the planning problem of a goal among some facts."""
    graph = HouseGraph(facts)
    if not graph.robots():
        raise GroundingError("there is no robot; a team needs at least one")
    _add_slices(goal, graph, kinds)
    things = graph.types()
    items = [name for name in things if graph.can(name, "pickupable")]
    pushed = any(atom.args[-1] == "MOVED" for atom, _ in literals(goal))
    init = [
        atom
        for part in (
            _robots(graph, items, pushed=pushed),
            _things(graph, kinds),
            _places(graph, items, kinds),
        )
        for atom in part
    ]
    forbidden = _forbidden(graph) | _whole(goal, graph)
    objects = [Typed(name, ("robot",)) for name in graph.robots()]
    objects += [Typed(name, ("item" if name in items else "fixture",)) for name in things]
    objects += [Typed(f"n{n}", ("number",)) for n in range(_most_slots(graph) + 1)]
    problem = PddlProblem(
        "household",
        household_domain().name,
        tuple(objects),
        tuple(dict.fromkeys(atom for atom in init if atom not in forbidden)),
        values=((Fluent("total-cost", ()), 0.0),),
        goal=ground_goal(of_one_thing(goal, graph), graph, kinds),
        metric=Metric("minimize", Fluent("total-cost", ())),
    )
    return Problem(Task(household_domain(), problem), tuple(things))


_NEEDED_BY = {
    "OpenObject": "closed", "CloseObject": "open", "SwitchOn": "off", "SwitchOff": "on",
    "SliceObject": "sliceable", "BreakObject": "breakable",
}  # fmt: skip
"""What a skill needs of a thing and nothing else does."""


def _forbidden(graph: HouseGraph) -> frozenset[Atom]:
    """Return the conditions without which nobody can do to things what must not be done to them."""
    found: list[Atom] = []
    for fact in graph.facts:
        if fact.relation != "spared":
            continue
        thing, skill = fact.subject, fact.object
        if skill in _NEEDED_BY:
            found.append(Atom(_NEEDED_BY[skill], (thing,)))
        predicate = {"PickupObject": "lifts", "PushObject": "shifts", "PullObject": "shifts"}.get(
            skill
        )
        if predicate is not None:
            found += [Atom(predicate, (robot, thing)) for robot in graph.robots()]
    found += [
        Atom("lifts", (fact.subject, fact.object))
        for fact in graph.facts
        if fact.relation == "barred-carry"
    ]
    return frozenset(found)


def _whole(goal: Formula, graph: HouseGraph) -> frozenset[Atom]:
    """Return the condition for breaking each thing that is not to be broken: it would be off, or empty."""
    asked = {atom.args[0] for atom, _ in literals(goal) if atom.args[-1] == "BROKEN"}
    return frozenset(
        Atom("breakable", (name,))
        for name, kind in graph.types().items()
        if asked.isdisjoint((name, kind))
    )


def _add_slices(goal: Formula, graph: HouseGraph, kinds: Kinds) -> None:
    """Add the slices a goal is about: they appear when the whole is cut."""
    wanted = {word.removesuffix(SLICED) for word in words_of(goal) if word.endswith(SLICED)}
    for atom, _ in literals(goal):
        if atom.predicate == "state" and atom.args[1] == "TOASTED":
            wanted |= {graph.type_of(atom.args[0]), atom.args[0]}
    for name, kind in graph.types().items():
        if kind in wanted and graph.can(name, "sliceable") and not graph.is_true(name, "sliced"):
            for k in _SLICES:
                part = f"{kind}{SLICED}_{name.rsplit('_', 1)[-1]}_{k}"
                graph.tell(Fact(part, "is-a", kind + SLICED))
                graph.tell(Fact(part, "can", "pickupable"))
                graph.tell(Fact(part, "mass-kg", str(mass_of(graph, name) / 10)))
                graph.tell(Fact(part, "slice-of", name))
                if kind in kinds.cookable_slices:
                    graph.tell(Fact(part, "can", "cookable"))


def _robots(graph: HouseGraph, items: list[str], *, pushed: bool) -> Iterator[Atom]:
    """Yield what robots can do, leave to others and lift, where they are and what they hold."""
    types = graph.types()
    for robot in graph.robots():
        for skill in graph.values(robot, "skill"):
            if skill in SKILLS:
                yield Atom(f"has-skill-{SKILLS[skill]}", (robot,))
        for work in sorted(BARRED - {"barred-carry"}):
            yield from (
                Atom(work, (robot, thing)) for thing in graph.values(robot, work) if thing in types
            )
        held = graph.values(robot, "holds")
        yield from (Atom("holding", (robot, item)) for item in held)
        if not held:
            yield Atom("hand-free", (robot,))
        yield Atom("at", (robot, graph.value(robot, "at") or NOWHERE))
        yield from _loads(graph, robot, items)
        yield from _shifts(graph, robot) if pushed else ()


def _shifts(graph: HouseGraph, robot: str) -> Iterator[Atom]:
    """Yield what a robot can push and pull: what can be moved or carried, with what is in it now."""
    most = capacity_of(graph, robot)
    for thing in graph.types():
        movable = graph.can(thing, "moveable") or graph.can(thing, "pickupable")
        if movable and _load(graph, thing) <= most + _EPSILON_KG:
            yield Atom("shifts", (robot, thing))


def _load(graph: HouseGraph, thing: str) -> float:
    return mass_of(graph, thing) + sum(_load(graph, item) for item in graph.contents(thing))


def _loads(graph: HouseGraph, robot: str, items: list[str]) -> Iterator[Atom]:
    """Yield what a robot lifts, and with what in it an item gets too heavy (up to two things)."""
    most = capacity_of(graph, robot)
    masses = {item: mass_of(graph, item) for item in items}
    light = [item for item in items if masses[item] <= most + _EPSILON_KG]
    for item in light:
        yield Atom("lifts", (robot, item))
        if not graph.can(item, "receptacle"):
            continue
        left = most - masses[item] + _EPSILON_KG
        fits = [other for other in items if other != item and masses[other] <= left]
        for other in items:
            if other != item and masses[other] > left:
                yield Atom("too-heavy-with", (robot, item, other))
        for a, b in itertools.combinations(fits, 2):
            if masses[a] + masses[b] > left:
                yield Atom("too-heavy-with-both", (robot, item, a, b))


def _things(graph: HouseGraph, kinds: Kinds) -> Iterator[Atom]:
    """Yield what things are, can and what state they are in."""
    for name, kind in graph.types().items():
        yield from (Atom(a, (name,)) for a in _AFFORDANCES if graph.can(name, a))
        appliance = APPLIANCES.get(kind)
        yield Atom(appliance or "plain", (name,))
        for predicate, holds in (
            ("fixed", not graph.can(name, "pickupable")),
            ("ground", kind == GROUND),
            ("fridge", kind == "Fridge"),
            ("laptop", kind == "Laptop"),
            ("knife", kind == "Knife"),
            ("stoveware", kind in kinds.stoveware),
            ("drinkware", kind in kinds.drinkware),
            ("shatters", kind in kinds.shattering),
        ):
            if holds:
                yield Atom(predicate, (name,))
        for relation in ("serves", "controls", "slice-of"):
            yield from (Atom(relation, (name, other)) for other in graph.values(name, relation))
        yield from _states(graph, name)


def _states(graph: HouseGraph, name: str) -> Iterator[Atom]:
    for state in ("sliced", "broken", "clean", "filled", "cooked", "toasted", "moved"):
        if graph.is_true(name, state):
            yield Atom(state, (name,))
    if graph.can(name, "openable"):
        yield Atom("open" if graph.is_true(name, "open") else "closed", (name,))
    if graph.can(name, "toggleable"):
        yield Atom("on" if graph.is_true(name, "on") else "off", (name,))
    temperature = graph.value(name, "temperature")
    if temperature in ("HOT", "COLD"):
        yield Atom(temperature.lower(), (name,))


def _places(graph: HouseGraph, items: list[str], kinds: Kinds) -> Iterator[Atom]:
    """Yield where items are, what takes them and how much room there is."""
    types = graph.types()
    for item in items:
        inside = _inside(graph, item, types)
        if inside is not None:
            yield Atom("in", (item, inside))
    for name, kind in types.items():
        if not graph.can(name, "receptacle"):
            continue
        takers = [item for item in items if item != name and kinds.takes(kind, types[item])]
        yield from (Atom("takes", (name, item)) for item in takers if kind != GROUND)
        slots = graph.value(name, "slots")
        yield Atom("unlimited" if slots is None else "limited", (name,))
        if slots is not None:
            yield Atom("rooms", (name, f"n{max(0, int(slots) - len(graph.contents(name)))}"))
    for n in range(_most_slots(graph)):
        yield Atom("fewer", (f"n{n}", f"n{n + 1}"))


def _inside(graph: HouseGraph, item: str, types: dict[str, str]) -> str | None:
    """Return what an item is in; if only the place where it is reached is known, that."""
    inside = graph.value(item, "in")
    if inside is None and not graph.values(item, "slice-of") and not _held(graph, item):
        inside = graph.value(item, "reached-at")
        if inside == item:
            inside = next((name for name, kind in types.items() if kind == GROUND), None)
    return inside if inside in types else None


def _held(graph: HouseGraph, item: str) -> bool:
    return bool(graph.subjects("holds", item))


def _most_slots(graph: HouseGraph) -> int:
    return max((int(graph.value(name, "slots") or 0) for name in graph.types()), default=0)


def mass_of(graph: HouseGraph, thing: str) -> float:
    """Return the mass of a thing alone in kilograms; what is not known weighs nothing."""
    return float(graph.value(thing, "mass-kg") or 0.0)


def capacity_of(graph: HouseGraph, robot: str) -> float:
    """Return what a robot lifts in kilograms."""
    most = graph.value(robot, "lifts-kg")
    return float("inf") if most in (None, UNLIMITED) else float(most or 0)


# ---- goals -------------------------------------------------------------------------------------------


def ground_goal(goal: Formula, graph: HouseGraph, kinds: Kinds) -> Formula:
    """Return a goal in the domain's predicates; a type becomes a choice among its things."""
    if isinstance(goal, And):
        return conjunction([ground_goal(part, graph, kinds) for part in goal.parts])
    if isinstance(goal, Or):
        return disjunction([ground_goal(part, graph, kinds) for part in goal.parts])
    if isinstance(goal, Not):
        return Not(ground_goal(goal.body, graph, kinds))
    if not isinstance(goal, Atom):
        raise GroundingError(f"a goal has and, or and not, not {type(goal).__name__.lower()}")
    types = graph.types()
    subjects = meant_by(goal.args[0], types)
    if goal == contains(*goal.args):
        around = [graph.value(s, "stands-for") or s for s in subjects]
        items = meant_by(goal.args[1], types)
        return disjunction(
            [Atom("within", (y, x)) for x in dict.fromkeys(around) for y in items if x != y]
        )
    return disjunction([_in_state(s, goal.args[1], graph, kinds) for s in subjects])


def _in_state(thing: str, state: str, graph: HouseGraph, kinds: Kinds) -> Formula:
    if state != EMPTY:
        return Atom(STATE_PREDICATES[state], (thing,))
    items = [name for name in graph.types() if graph.can(name, "pickupable")]
    moved = [i for i in graph.contents(thing) if i in items]
    away = [Not(Atom("in", (item, thing))) for item in items if item != thing]
    kept = [Not(Atom("holding", (robot, item))) for item in moved for robot in graph.robots()]
    bins = [
        Not(Atom("within", (item, name)))
        for name, kind in graph.types().items()
        if kind in ("GarbageCan", "Toilet")
        for item in moved
    ]
    return conjunction([*away, *kept, *bins])
