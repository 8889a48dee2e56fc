"""Domains and problems: the outer half of the PDDL syntax tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from commonground.errors import did_you_mean
from commonground.planning.pddl.formula import (
    OBJECT,
    TRUE,
    Atom,
    Effect,
    Expression,
    Fluent,
    Formula,
    Typed,
)
from commonground.planning.pddl.source import PddlError


@dataclass(frozen=True, slots=True)
class Predicate:
    """The declaration of a predicate."""

    name: str
    parameters: tuple[Typed, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """The declaration of a numeric function."""

    name: str
    parameters: tuple[Typed, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """An action; it takes no time."""

    name: str
    parameters: tuple[Typed, ...] = ()
    precondition: Formula = TRUE
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Axiom:
    """A derived predicate: ``head`` holds exactly where some axiom's ``body`` makes it so."""

    head: Predicate
    body: Formula


@dataclass(frozen=True, slots=True)
class Domain:
    """A planning domain."""

    name: str
    requirements: tuple[str, ...] = ()
    types: tuple[Typed, ...] = ()
    """Each type with its parent."""
    constants: tuple[Typed, ...] = ()
    predicates: tuple[Predicate, ...] = ()
    functions: tuple[Function, ...] = ()
    axioms: tuple[Axiom, ...] = ()
    actions: tuple[Action, ...] = ()

    def action(self, name: str) -> Action:
        """Return the action of a name."""
        for action in self.actions:
            if action.name == name:
                return action
        names = [a.name for a in self.actions]
        raise PddlError(f"domain '{self.name}' has no action '{name}'.{did_you_mean(name, names)}")

    def predicate(self, name: str) -> Predicate:
        """Return the declaration of a predicate."""
        for predicate in self.predicates:
            if predicate.name == name:
                return predicate
        names = [p.name for p in self.predicates]
        raise PddlError(
            f"domain '{self.name}' has no predicate '{name}'.{did_you_mean(name, names)}"
        )

    @property
    def derived(self) -> frozenset[str]:
        """The names of the derived predicates."""
        return frozenset(axiom.head.name for axiom in self.axioms)


@dataclass(frozen=True, slots=True)
class Metric:
    """What a problem asks to minimize or maximize."""

    direction: Literal["minimize", "maximize"]
    expression: Expression


@dataclass(frozen=True, slots=True)
class Problem:
    """A planning problem of a domain."""

    name: str
    domain: str
    objects: tuple[Typed, ...] = ()
    init: tuple[Atom, ...] = ()
    values: tuple[tuple[Fluent, float], ...] = ()
    """Initial values of the numeric fluents."""
    goal: Formula = TRUE
    metric: Metric | None = None
    requirements: tuple[str, ...] = ()
    denied: tuple[Atom, ...] = ()
    """What is said not to hold initially; whatever is not given does not hold anyway."""
    hints: tuple[str, ...] = ()
    """Sections without a meaning, as ``:length`` of the first competitions; nothing is made of them."""


@dataclass(frozen=True, slots=True)
class Task:
    """A domain and a problem of it."""

    domain: Domain
    problem: Problem

    @property
    def objects(self) -> tuple[Typed, ...]:
        """Constants of the domain and objects of the problem, each once."""
        seen = {typed.name: typed for typed in (*self.domain.constants, *self.problem.objects)}
        return tuple(seen.values())


class TypeTree:
    """The type hierarchy of a domain: who is a subtype of whom."""

    def __init__(self, types: tuple[Typed, ...]) -> None:
        self.parents: dict[str, set[str]] = {OBJECT: set()}
        for typed in types:
            if typed.name != OBJECT:
                self.parents.setdefault(typed.name, set()).update(typed.types)
            for parent in typed.types:
                self.parents.setdefault(parent, set() if parent == OBJECT else {OBJECT})
        self._ancestors: dict[str, frozenset[str]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self.parents

    def ancestors(self, name: str) -> frozenset[str]:
        """Return a type with all its supertypes."""
        if name not in self._ancestors:
            found, todo = {name, OBJECT}, [name]
            while todo:
                fresh = self.parents.get(todo.pop(), set()) - found
                found |= fresh
                todo += fresh
            self._ancestors[name] = frozenset(found)
        return self._ancestors[name]

    def cycle(self) -> str | None:
        """Return a type that is its own supertype, or None."""
        for name in self.parents:
            above = {a for parent in self.parents[name] for a in self.ancestors(parent)}
            if name != OBJECT and name in above:
                return name
        return None

    def fits(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Return whether a thing of all of ``types`` surely is of one of ``wanted``."""
        return any(want in self.ancestors(have) for have in types for want in wanted)

    def overlap(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Return whether something could be of both."""
        return any(
            have in self.ancestors(name) and want in self.ancestors(name)
            for name in self.parents
            for have in types
            for want in wanted
        )

    def members(self, objects: tuple[Typed, ...]) -> dict[str, tuple[str, ...]]:
        """Return the names of the objects of each type, in order."""
        found: dict[str, list[str]] = {name: [] for name in self.parents}
        for typed in objects:
            for name in {a for t in typed.types for a in self.ancestors(t)}:
                found.setdefault(name, []).append(typed.name)
        return {name: tuple(names) for name, names in found.items()}
