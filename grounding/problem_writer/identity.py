"""One thing for all a goal says of a type: the plate that is washed is the plate that goes on the table."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.problem_writer.goals import EMPTY
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.planning.pddl import And, Atom, Formula
from commonground.planning.pddl.logic import conjunction, disjunction

_EXCLUDING = (frozenset(["ON", "OFF"]), frozenset(["OPENED", "CLOSED"]), frozenset(["HOT", "COLD"]))
MOST_CHOICES = 8
"""Of more things than that, a goal leaves open whether it means the same one."""


def of_one_thing(goal: Formula, graph: HouseGraph) -> Formula:
    """Return a goal in which a type stands for one thing where it has a state, or is in and holds things.

    Two places of a type, or two states that exclude each other, are those of several things, and so
    may be what is also said in alternatives or denials; that is left as it is.
    """
    if not isinstance(goal, And):
        return goal
    types = graph.types()
    atoms = [part for part in goal.parts if isinstance(part, Atom)]
    if len(atoms) < len(goal.parts):
        return goal
    left = list(atoms)
    found: list[Formula] = []
    for word in dict.fromkeys(arg for atom in atoms for arg in _words(atom)):
        said = [atom for atom in left if word in _words(atom)]
        things = [name for name, kind in types.items() if kind == word]
        if 1 < len(things) <= MOST_CHOICES and _is_one(word, said, graph, things):
            found.append(
                disjunction([conjunction([_of(a, word, t) for a in said]) for t in things])
            )
            left = [atom for atom in left if atom not in said]
    return conjunction([*left, *found]) if found else goal


def _words(atom: Atom) -> tuple[str, ...]:
    args: tuple[str, ...] = atom.args
    return args if atom.predicate == "contains" else args[:1]


def _of(atom: Atom, word: str, thing: str) -> Atom:
    return Atom(atom.predicate, tuple(thing if arg == word else arg for arg in atom.args))


def _is_one(word: str, said: Sequence[Atom], graph: HouseGraph, things: Sequence[str]) -> bool:
    """Return whether what is said of a type can only sensibly be meant of one thing."""
    states = {atom.args[1] for atom in said if atom.predicate == "state"}
    places = [
        atom.args[0] for atom in said if atom.predicate == "contains" and atom.args[1] == word
    ]
    cut = any(graph.can(thing, "sliceable") for thing in things)  # slices are things of their own
    return (
        len(said) > 1
        and bool(states or (places and any(atom.args[0] == word for atom in said)))
        and len(places) < 2
        and not states & {EMPTY, "BROKEN"}
        and not cut
        and not any(pair <= states for pair in _EXCLUDING)
    )
