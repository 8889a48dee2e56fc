"""Predicates without arguments: each tells the state of a thing that its name speaks of.

``(iron_in)`` has no fact of a subject. Its bearer, the iron, is a thing of its own, the only one of
its type, so that it becomes ``(iron_in ?the-iron)``. Actions that speak of it name the iron as their
last parameter, so that what is done to it is known as for all other things. Where the name has no
noun the world bears it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace

from commonground.grounding.words.attributes import attribute_of
from commonground.planning.pddl import (
    Action,
    Atom,
    Axiom,
    Domain,
    Effect,
    Formula,
    Not,
    Step,
    Typed,
    atoms,
    conjunction,
)
from commonground.planning.pddl.domain import Predicate
from commonground.planning.pddl.formula import Exists, Update, negated_atom, rebuilt

_WORLD = "world"
_IDLE = frozenset(("is", "are", "it", "the", "has", "have", "been", "there", "now"))
_BEFORE = "the-"
"""What the variable for a bearer begins with, and its type where the domain has one of that name."""


@dataclass(frozen=True, slots=True)
class Bearers:
    """What bears the predicates without arguments of a domain."""

    kinds: Mapping[str, str]
    """Predicate → the type of what bears it."""

    @classmethod
    def of(cls, domain: Domain) -> Bearers:
        """Return the bearers of a domain, none where all its predicates have arguments."""
        taken = {"object", *(t.name for t in (*domain.types, *domain.constants))}
        bare = [p.name for p in domain.predicates if not p.parameters]
        return cls({name: _kind(_noun(name), taken) for name in bare})

    def things(self) -> Iterator[tuple[str, str]]:
        """Yield the type and the name of every bearer."""
        for kind in dict.fromkeys(self.kinds.values()):
            yield kind, kind.removeprefix(_BEFORE).replace("-", " ")

    def is_world(self, kind: str) -> bool:
        """Return whether things of a type are the world itself, which bears what has no noun."""
        return kind in self.kinds.values() and kind.removeprefix(_BEFORE) == _WORLD

    def domain(self, domain: Domain) -> Domain:
        """Return a domain whose predicates all have arguments."""
        made = (
            Predicate(p.name, (_variable(self.kinds[p.name]),)) if p.name in self.kinds else p
            for p in domain.predicates
        )
        kinds = (Typed(kind, ("object",)) for kind in dict.fromkeys(self.kinds.values()))
        return replace(
            domain,
            types=(*domain.types, *kinds),
            predicates=tuple(made),
            axioms=tuple(map(self._axiom, domain.axioms)),
            actions=tuple(map(self._action, domain.actions)),
        )

    def own(self, formula: Formula) -> Formula:
        """Return a formula as the domain itself puts it: without what bears its atoms."""
        if isinstance(formula, Atom):
            return Atom(formula.predicate) if formula.predicate in self.kinds else formula
        return rebuilt(formula, self.own)

    def own_step(self, step: Step, action: Action) -> Step:
        """Return a step as the domain itself puts it, given its action in the domain made here."""
        own = (
            arg
            for arg, typed in zip(step.args, action.parameters, strict=True)
            if not set(typed.types) & set(self.kinds.values())
        )
        return Step(step.action, tuple(own))

    def borne(self, formula: Formula, kinds: Mapping[str, str]) -> Formula:
        """Return a formula that the domain itself puts so, of the things of a world that bear its atoms."""
        if isinstance(formula, Atom):
            kind = None if formula.args else self.kinds.get(formula.predicate)
            bearer = next((thing for thing, k in kinds.items() if k == kind), None)
            return formula if bearer is None else Atom(formula.predicate, (bearer,))
        return rebuilt(formula, lambda part: self.borne(part, kinds))

    def borne_step(self, step: Step, action: Action, kinds: Mapping[str, str]) -> Step:
        """Return a step that the domain itself puts so, with what bears the atoms of its action."""
        more = (typed.types[0] for typed in action.parameters[len(step.args) :])
        bearers = (next(thing for thing, k in kinds.items() if k == kind) for kind in more)
        return Step(step.action, (*step.args, *bearers))

    def _action(self, action: Action) -> Action:
        """Return an action that names what bears the atoms it speaks of."""
        effects = tuple(
            replace(e, change=self._change(e), condition=self._spoken(e.condition))
            for e in action.effects
        )
        changed = (negated_atom(e.change) or e.change for e in action.effects)
        spoken = conjunction(
            [
                action.precondition,
                *(e.condition for e in action.effects),
                *(c for c in changed if isinstance(c, Atom)),
            ]
        )
        more = self._named(spoken)
        precondition = self._spoken(action.precondition)
        return Action(action.name, (*action.parameters, *more), precondition, effects)

    def _change(self, effect: Effect) -> Atom | Not | Update:
        change = effect.change
        gone = negated_atom(change)
        if gone is not None:
            return Not(self._of_variable(gone))
        return self._of_variable(change) if isinstance(change, Atom) else change

    def _axiom(self, axiom: Axiom) -> Axiom:
        """Return an axiom whose head and body are told of what bears them."""
        kind = self.kinds.get(axiom.head.name)
        head = axiom.head if kind is None else replace(axiom.head, parameters=(_variable(kind),))
        named = tuple(t for t in self._named(axiom.body) if t not in head.parameters)
        body = self._spoken(axiom.body)
        return Axiom(head, Exists(named, body) if named else body)

    def _named(self, formula: Formula) -> tuple[Typed, ...]:
        """Return a parameter for everything that bears an atom of a formula."""
        found = (self.kinds[a.predicate] for a in atoms(formula) if a.predicate in self.kinds)
        return tuple(map(_variable, dict.fromkeys(found)))

    def _spoken(self, formula: Formula) -> Formula:
        if isinstance(formula, Atom):
            return self._of_variable(formula)
        return rebuilt(formula, self._spoken)

    def _of_variable(self, atom: Atom) -> Atom:
        kind = self.kinds.get(atom.predicate)
        return atom if kind is None else Atom(atom.predicate, (_variable(kind).name,))


def _variable(kind: str) -> Typed:
    return Typed(f"?{_BEFORE}{kind.removeprefix(_BEFORE)}", (kind,))


def _noun(predicate: str) -> str:
    """Return what the name of a predicate speaks of: ``iron`` of ``iron_in``, ``tide`` of ``full-tide``."""
    words = [
        word for word in predicate.replace("_", " ").replace("-", " ").split() if word not in _IDLE
    ]
    if words and attribute_of(words[0]) == words[0] and not attribute_of(words[-1]):
        words = [*words[1:], words[0]]
    return "-".join(words[:-1]) or _WORLD


def _kind(noun: str, taken: Container[str]) -> str:
    return f"{_BEFORE}{noun}" if noun in taken else noun
