"""Household goals: formulas over ``(contains X Y)`` and ``(state X S)``, X and Y things or types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from commonground.errors import GroundingError, PlanningError, did_you_mean
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.domain import STATE_PREDICATES
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.planning.pddl import And, Atom, Formula, Not, Or, parse_formula
from commonground.planning.pddl.strata import literals

EMPTY = "EMPTY"
STATES = (*STATE_PREDICATES, EMPTY)
SLICED = "Sliced"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a command asks for."""

    goal: Formula
    """What shall hold at the end."""
    before: tuple[Formula, ...] = ()
    """What shall hold before that, one after the other."""
    spared: tuple[Fact, ...] = ()
    """What must not be done on the way: ``(thing, "spared", skill)``."""
    barred: tuple[Fact, ...] = ()
    """What robots leave to others where that is possible: ``(robot, "barred-open", thing)``."""
    vague: bool = False
    """Whether it was worked out from what things are for, and not only from words for it."""


class WishSource(Protocol):
    """Reads commands."""

    def wish(self, text: str, graph: HouseGraph) -> Wish:
        """Return all that a command asks for; raises `Unclear` with a question."""
        ...


def contains(receptacle: str, item: str) -> Atom:
    """Return the goal that some item is in or on some receptacle."""
    return Atom("contains", (receptacle, item))


def in_state(thing: str, state: str) -> Atom:
    """Return the goal that some thing is in a state."""
    return Atom("state", (thing, state))


def words_of(goal: Formula) -> list[str]:
    """Return the things and types a goal names, each once, in order."""
    found: dict[str, None] = {}
    for atom, _ in literals(goal):
        found |= dict.fromkeys(atom.args if atom.predicate == "contains" else atom.args[:1])
    return list(found)


def meant_by(word: str, types: Mapping[str, str]) -> list[str]:
    """Return the things a word of a goal may mean: that one, or those of the type and its slices."""
    if word in types:
        return [word]
    return [name for name, kind in types.items() if kind in (word, word + SLICED)]


def read_household_goal(text: str, known: Iterable[str]) -> Formula:
    """Return the goal in a text from outside, or raise GroundingError for what it should not contain."""
    try:
        goal = parse_formula(text, fold_case=False)
    except PlanningError as error:
        raise GroundingError(f"the goal is not a formula: {error}") from error
    check_goal(goal, known)
    return goal


def check_goal(goal: Formula, known: Iterable[str]) -> None:
    """Raise GroundingError unless a goal is made of the vocabulary and names what is known."""
    if not isinstance(goal, Atom | Not | And | Or):
        raise GroundingError(f"a goal has and, or and not, not {type(goal).__name__.lower()}")
    names = list(known)
    for part in goal.parts if isinstance(goal, And | Or) else ():
        check_goal(part, names)
    if isinstance(goal, Not):
        check_goal(goal.body, names)
    if isinstance(goal, Atom):
        _check_atom(goal, names)


def _check_atom(atom: Atom, names: list[str]) -> None:
    if atom.predicate not in ("contains", "state") or len(atom.args) != 2:
        raise GroundingError(f"goal {atom}: neither (contains X Y) nor (state X S)")
    if atom.predicate == "state" and atom.args[1] not in STATES:
        raise GroundingError(f"goal {atom}: there is no state; known: {', '.join(STATES)}")
    for word in atom.args if atom.predicate == "contains" else atom.args[:1]:
        if word not in names:
            hint = did_you_mean(word, names)
            raise GroundingError(f"goal {atom}: there is no object or type '{word}'.{hint}")


def is_reached(goal: Formula, graph: HouseGraph) -> bool:
    """Return whether a goal holds in what is believed."""
    if isinstance(goal, And):
        return all(is_reached(part, graph) for part in goal.parts)
    if isinstance(goal, Or):
        return any(is_reached(part, graph) for part in goal.parts)
    if isinstance(goal, Not):
        return not is_reached(goal.body, graph)
    if not isinstance(goal, Atom):
        raise GroundingError(f"a goal has and, or and not, not {type(goal).__name__.lower()}")
    types = graph.types()
    subjects = meant_by(goal.args[0], types)
    if goal.predicate == "state":
        return any(_is_in_state(name, goal.args[1], graph) for name in subjects)
    places = {graph.value(name, "stands-for") or name for name in subjects}
    return any(places & set(graph.around(item)) for item in meant_by(goal.args[1], types))


def _is_in_state(name: str, state: str, graph: HouseGraph) -> bool:
    if state in ("HOT", "COLD"):
        return graph.value(name, "temperature") == state
    if state == EMPTY:
        loose = any(graph.can(item, "pickupable") for item in graph.contents(name))
        return graph.can(name, "receptacle") and not loose
    if state in ("OFF", "CLOSED"):
        affordance, positive = ("toggleable", "on") if state == "OFF" else ("openable", "open")
        return graph.can(name, affordance) and not graph.is_true(name, positive)
    return graph.is_true(name, STATE_PREDICATES[state])
