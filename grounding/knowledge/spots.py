"""Predicates of more than two arguments that actions change: what comes after the first names one spot.

``(stowed-at ?bag ?rack ?level)`` has no fact of a subject and an object. Rack and level together are a
thing of their own, a spot, so that it becomes ``(stowed-at ?bag ?spot)``; a predicate about rack and level
alone (``vacant``) tells the state of the spot. Actions name the spot too, and facts tie it to its parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeAlias

from commonground.errors import GroundingError
from commonground.planning.pddl import (
    Action,
    Atom,
    Domain,
    Effect,
    Formula,
    Not,
    Typed,
    atoms,
    conjunction,
)
from commonground.planning.pddl.domain import Predicate
from commonground.planning.pddl.formula import TRUE, And, negated_atom, rebuilt

MOST = 100_000
"""More spots than this make no world that anybody keeps by hand."""
PART = "spot-part-"
"""What the predicates that tie spots to their parts begin with."""
Kinds: TypeAlias = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Spots:
    """The spots of a domain."""

    placed: Mapping[str, Kinds]
    """Predicate of things at spots → the types of what makes up the spot."""
    states: Mapping[str, Kinds]
    """Predicate of what makes up a spot alone → the same."""

    @classmethod
    def of(cls, domain: Domain) -> Spots | None:
        """Return the spots of a domain, or None where it has none or does not speak of them plainly."""
        changing = {atom.predicate for action in domain.actions for atom in _changed(action)}
        kinds = {p.name: tuple(t.types for t in p.parameters) for p in domain.predicates}
        placed = {name: k[1:] for name, k in kinds.items() if len(k) > 2 and name in changing}
        if not placed or domain.axioms or not all(map(_is_plain, domain.actions)):
            return None
        states = {n: k for n, k in kinds.items() if n in changing and k in placed.values()}
        return cls(placed, states)

    @property
    def kinds(self) -> tuple[Kinds, ...]:
        """The types of what makes up spots, each combination once."""
        return tuple(dict.fromkeys(self.placed.values()))

    def domain(self, domain: Domain) -> Domain:
        """Return a domain that speaks of spots."""
        made = (
            Predicate(p.name, (p.parameters[0], Typed("?spot", (kind_of(self.placed[p.name]),))))
            if p.name in self.placed
            else Predicate(p.name, (Typed("?spot", (kind_of(self.states[p.name]),)),))
            if p.name in self.states
            else p
            for p in domain.predicates
        )
        ties = (
            Predicate(_tie(kinds, n), (Typed("?spot", (kind_of(kinds),)), Typed("?part", types)))
            for kinds in self.kinds
            for n, types in enumerate(kinds)
        )
        return replace(
            domain,
            types=(*domain.types, *(Typed(kind_of(kinds), ("object",)) for kinds in self.kinds)),
            predicates=(*made, *ties),
            actions=tuple(self._action(a) for a in domain.actions if isinstance(a, Action)),
        )

    def atom(self, atom: Atom) -> Atom:
        """Return an atom with the spot in place of its parts."""
        if atom.predicate in self.placed and len(atom.args) > 2:
            return Atom(atom.predicate, (atom.args[0], spot(atom.args[1:])))
        if atom.predicate in self.states and len(atom.args) > 1:
            return Atom(atom.predicate, (spot(atom.args),))
        return atom

    def parts(self, things: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the type and the parts of every spot, given the things that fit each type."""
        for kinds in self.kinds:
            fitting = [
                dict.fromkeys(t for k in types for t in things.get(k, ())) for types in kinds
            ]
            count = 1
            for found in fitting:
                count *= len(found)
            if count > MOST:
                raise GroundingError(f"{count} spots of {kind_of(kinds)} are more than {MOST}")
            yield from ((kind_of(kinds), parts) for parts in product(*fitting))

    def ties(self, kind: str, parts: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Yield the facts that tie a spot to its parts."""
        kinds = next(k for k in self.kinds if kind_of(k) == kind)
        yield from ((spot(parts), _tie(kinds, n), part) for n, part in enumerate(parts))

    def _action(self, action: Action) -> Action:
        """Return an action that names the spots it speaks of."""
        named: dict[str, tuple[Kinds, tuple[str, ...]]] = {}
        for atom in (*atoms(action.precondition), *_changed(action)):
            if self.atom(atom) != atom:
                kinds = self.placed.get(atom.predicate) or self.states[atom.predicate]
                parts = atom.args[1:] if atom.predicate in self.placed else atom.args
                named[spot(parts)] = kinds, parts
        ties = [
            Atom(_tie(kinds, n), (name, part))
            for name, (kinds, parts) in named.items()
            for n, part in enumerate(parts)
        ]
        effects = tuple(
            Effect(Not(self.atom(gone)) if (gone := negated_atom(e.change)) else self._come(e))
            for e in action.effects
        )
        extra = (Typed(name, (kind_of(kinds),)) for name, (kinds, _) in named.items())
        return Action(
            action.name,
            (*action.parameters, *extra),
            conjunction([self._formula(action.precondition), *ties]),
            effects,
        )

    def _come(self, effect: Effect) -> Atom:
        change = effect.change
        if not isinstance(change, Atom):
            raise GroundingError(f"{change} is no plain effect")
        return self.atom(change)

    def _formula(self, formula: Formula) -> Formula:
        return self.atom(formula) if isinstance(formula, Atom) else rebuilt(formula, self._formula)


def spot(parts: Sequence[str]) -> str:
    """Return the name of a spot, or the variable for it."""
    names = (part.removeprefix("?") for part in parts)
    return ("?" if parts[0].startswith("?") else "") + "__".join(names)


def kind_of(kinds: Kinds) -> str:
    """Return the type of spots: ``rack-level``."""
    return "-".join(types[0] for types in kinds)


def _tie(kinds: Kinds, part: int) -> str:
    return f"{PART}{part + 1}-{kind_of(kinds)}"


def _changed(action: object) -> Iterator[Atom]:
    for effect in action.effects if isinstance(action, Action) else ():
        change = negated_atom(effect.change) or effect.change
        if isinstance(change, Atom):
            yield change


def _is_plain(action: object) -> bool:
    """Return whether an action has plain conditions and plain effects only."""
    return isinstance(action, Action) and (
        _is_literals(action.precondition)
        and all(not e.parameters and e.condition == TRUE for e in action.effects)
        and len([*_changed(action)]) == len(action.effects)
    )


def _is_literals(formula: Formula) -> bool:
    parts = formula.parts if isinstance(formula, And) else (formula,)
    return all(isinstance(p.body if isinstance(p, Not) else p, Atom) for p in parts)
