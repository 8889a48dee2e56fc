"""Check that predicates are used alike in a problem's domain, streams, initial facts and goal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.errors import did_you_mean
from commonground.planning.pddl.domain import Domain
from commonground.planning.pddl.formula import EQUALS, Atom, Effect, Formula, Not, Update
from commonground.planning.pddl.logic import atoms, free_variables
from commonground.planning.pddl.source import PddlError, Source
from commonground.planning.pddl.strata import negative_cycle
from commonground.planning.streams.normal_form import require_no_numbers
from commonground.planning.streams.stream_syntax import Spec, StreamSpec

Fact = tuple[str, tuple[int, ...]]


def check_vocabulary(
    domain: Domain, specs: Sequence[Spec], initial: Sequence[Fact], goal: Formula, source: Source
) -> None:
    """Raise for unknown predicates, numbers of arguments that differ, and unbound variables.

    A predicate is known if it is declared, certified by a stream, given initially, derived or an effect.
    """
    known = {p.name: len(p.parameters) for p in domain.predicates}
    for name, count in _defined(domain, specs, initial):
        if known.setdefault(name, count) != count:
            raise PddlError(
                f"predicate '{name}' is used with {known[name]} and with {count} arguments"
            )
    for atom, where in _used(domain, specs, goal):
        if atom.predicate not in known:
            hint = did_you_mean(atom.predicate, known)
            source.blame(atom, f"unknown predicate '{atom.predicate}' in {atom} of {where}.{hint}")
        if known[atom.predicate] != len(atom.args):
            wanted = known[atom.predicate]
            source.blame(
                atom, f"{atom} of {where} has {len(atom.args)} arguments, elsewhere it has {wanted}"
            )
    _check_variables(domain, source)
    cyclic = negative_cycle(domain.axioms)
    if cyclic is not None:
        raise PddlError(f"derived predicate '{cyclic}' depends on its own negation")


def _defined(
    domain: Domain, specs: Sequence[Spec], initial: Sequence[Fact]
) -> Iterator[tuple[str, int]]:
    for axiom in domain.axioms:
        yield axiom.head.name, len(axiom.head.parameters)
    for action in domain.actions:
        for atom in _effect_atoms(action.effects):
            yield atom.predicate, len(atom.args)
    for spec in specs:
        if isinstance(spec, StreamSpec):
            for atom in spec.certified:
                yield atom.predicate, len(atom.args)
        elif spec.boolean:
            yield spec.name, len(spec.inputs)
    for predicate, args in initial:
        yield predicate, len(args)


def unheard_of(
    domain: Domain, specs: Sequence[Spec], initial: Sequence[Fact], goal: Formula
) -> Iterator[str]:
    """Yield which initial facts nothing else knows of: a plan may lack what they were meant to be."""
    known = {p.name for p in domain.predicates} | {n for n, _ in _defined(domain, specs, ())}
    known |= {atom.predicate for atom, _ in _used(domain, specs, goal)}
    for predicate in dict.fromkeys(predicate for predicate, _ in initial):
        if predicate not in known and not predicate.startswith("("):  # compiled ones begin so
            yield (
                f"no action, stream or goal names '{predicate}' of the initial facts."
                f"{did_you_mean(predicate, known)}"
            )


def _effect_atoms(effects: Sequence[Effect]) -> Iterator[Atom]:
    for effect in effects:
        atom = effect.change.body if isinstance(effect.change, Not) else effect.change
        if isinstance(atom, Atom):
            yield atom


def _conditions(domain: Domain) -> Iterator[tuple[Formula, frozenset[str], str]]:
    """Yield every condition with the variables bound where it stands."""
    for axiom in domain.axioms:
        names = frozenset(typed.name for typed in axiom.head.parameters)
        yield axiom.body, names, f"the axiom of '{axiom.head.name}'"
    for action in domain.actions:
        names = frozenset(typed.name for typed in action.parameters)
        yield action.precondition, names, f"'{action.name}'"
        for effect in action.effects:
            inner = names | {typed.name for typed in effect.parameters}
            yield effect.condition, inner, f"'{action.name}'"
            if not isinstance(effect.change, Update):
                yield effect.change, inner, f"'{action.name}'"


def _used(domain: Domain, specs: Sequence[Spec], goal: Formula) -> Iterator[tuple[Atom, str]]:
    for formula, _, where in (*_conditions(domain), (goal, frozenset[str](), "the goal")):
        require_no_numbers(formula, where)
        for atom in atoms(formula):
            if atom.predicate != EQUALS:
                yield atom, where
    for spec in specs:
        for atom in spec.domain:
            yield atom, f"stream '{spec.name}'"


def _check_variables(domain: Domain, source: Source) -> None:
    for formula, bound, where in _conditions(domain):
        for name in sorted(free_variables(formula) - bound):
            source.blame(
                formula, f"variable '{name}' of {where} is not bound.{did_you_mean(name, bound)}"
            )
