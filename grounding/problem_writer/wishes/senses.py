"""What ways to read a command come to: the same goal in any order, or by names in the place of types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import NamedTuple

from commonground.grounding.problem_writer.goals import Wish, is_reached
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.account import OPPOSITE
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import And, Atom, Formula, Not, to_pddl
from commonground.planning.pddl.logic import conjuncts
from commonground.planning.pddl.strata import literals


class Way(NamedTuple):
    """One way to read a command: what it asks for or what to ask, and what it passes over."""

    found: Wish | Unclear
    left_out: tuple[str, ...] = ()
    probability: float = 0.0
    idle: bool = False
    """Whether a reader takes the whole of it for no order."""
    bound: bool = False
    """Whether a reader hears a condition, a time, or that it is to be as before."""


def sense_of(found: Wish | Unclear, graph: HouseGraph) -> Hashable:
    """Return what a wish comes to, the same for goals in any order; one for all questions.

    The only thing of a type is meant by its name and by its type.
    """
    if isinstance(found, Unclear):
        return None
    if not _is_plain(found.goal):
        return tuple(sorted(map(to_pddl, conjuncts(found.goal))))
    types = graph.types()
    several = Counter(types.values())
    spared = {fact.subject for fact in found.spared}
    asked = [*literals(found.goal)]
    asked += [each for step in found.before for each in literals(step) if each not in asked]
    return frozenset(
        (
            atom.predicate,
            tuple(types[w] if several[types.get(w, "")] == 1 else w for w in atom.args),
            so,
        )
        for atom, so in map(_affirmed, asked)
        if not (so and atom.args[-1] in spared and is_reached(atom, graph))
    )


def plain_literals(goal: Formula) -> list[tuple[Atom, bool]]:
    """Return what a goal says is so or not so; what is not to be on is to be off."""
    return [*map(_affirmed, literals(goal))]


def _affirmed(literal: tuple[Atom, bool]) -> tuple[Atom, bool]:
    """Return what is not to be on as what is to be off."""
    atom, so = literal
    if so or atom.args[-1] not in OPPOSITE:
        return literal
    return Atom(atom.predicate, (*atom.args[:-1], OPPOSITE[atom.args[-1]])), True


def _is_plain(goal: Formula) -> bool:
    parts = goal.parts if isinstance(goal, And) else (goal,)
    return all(isinstance(part, Atom | Not) for part in parts)
