"""One thing for all a goal says of a type: the plate that is washed is the plate that goes on the table."""

from __future__ import annotations

import itertools
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
    if not isinstance(goal, And) or not all(isinstance(part, Atom) for part in goal.parts):
        return goal
    left = [part for part in goal.parts if isinstance(part, Atom)]
    found: list[Formula] = []
    for word in dict.fromkeys(itertools.chain.from_iterable(map(_words, left))):
        about = _about(word, left)
        things = [name for name, kind in graph.types().items() if kind == word]
        if _is_one(word, about, graph, things):
            found.append(_one_of(things, word, about))
            left = [atom for atom in left if atom not in about]
    return conjunction([*left, *found]) if found else goal


def _about(word: str, atoms: Sequence[Atom]) -> list[Atom]:
    """Return the atoms that say something of a type."""
    return [atom for atom in atoms if word in _words(atom)]


def _one_of(things: Sequence[str], word: str, about: Sequence[Atom]) -> Formula:
    """Return that all atoms about a type hold of one and the same thing."""
    return disjunction([conjunction([_of(atom, word, t) for atom in about]) for t in things])


def _words(atom: Atom) -> tuple[str, ...]:
    args: tuple[str, ...] = atom.args
    return args if atom.predicate == "contains" else args[:1]


def _of(atom: Atom, word: str, thing: str) -> Atom:
    return Atom(atom.predicate, tuple(thing if arg == word else arg for arg in atom.args))


def _is_one(word: str, about: Sequence[Atom], graph: HouseGraph, things: Sequence[str]) -> bool:
    """Return whether all that a goal says of a type can only sensibly hold of one thing."""
    if len(about) < 2 or not 1 < len(things) <= MOST_CHOICES:
        return False
    if any(graph.can(thing, "sliceable") for thing in things):
        return False  # slices are things of their own
    states = {atom.args[1] for atom in about if atom.predicate == "state"}
    places = sum(atom.predicate == "contains" and atom.args[1] == word for atom in about)
    if places > 1 or _of_several(states):
        return False
    return bool(states) or (places == 1 and any(atom.args[0] == word for atom in about))


def _of_several(states: set[str]) -> bool:
    """Return whether one thing cannot, or need not, have all of these states."""
    return not states.isdisjoint({EMPTY, "BROKEN"}) or any(p <= states for p in _EXCLUDING)
