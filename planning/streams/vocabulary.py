"""Check that names are used alike in a problem's domain, streams, initial facts and goal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from commonground.errors import did_you_mean
from commonground.planning.pddl.check import Checker, check_domain
from commonground.planning.pddl.domain import Domain, Function, Predicate
from commonground.planning.pddl.formula import (
    EQUALS,
    Atom,
    Effect,
    Exists,
    Forall,
    Formula,
    Not,
    Typed,
)
from commonground.planning.pddl.logic import atoms, free_variables, subformulas
from commonground.planning.pddl.source import NOWHERE, PddlError, Source, blame, plural
from commonground.planning.streams.expressions import NOTHING, Begin, Fact, Reader
from commonground.planning.streams.normal_form import require_no_numbers, type_predicate
from commonground.planning.streams.stream_syntax import Spec, StreamSpec


def check_vocabulary(
    domain: Domain,
    specs: Sequence[Spec],
    begin: Begin,
    goal: Formula,
    reader: Reader,
    sources: Sequence[Source],
) -> None:
    """Raise for unknown names, numbers of arguments that differ, and unbound variables.

    A predicate is known if it is declared, certified by a stream, given initially, derived or an effect; a
    function if it is declared, in a stream file, or has a value. ``sources`` are the texts that domain and
    streams were read from, the domain's first.
    """
    known = signatures(domain, specs, sources, begin)
    functions = _counted(domain.functions, _valued(specs, begin), sources)
    check_domain(_whole(domain, known, functions, reader.constants), sources[0])
    _check_types(domain, begin, goal)
    for formula, where in _conditions(domain, goal):
        require_no_numbers(formula, where)
    for atom, where in _used(specs, goal):
        shown = reader.shown(atom)
        if atom.predicate not in known:
            hint = did_you_mean(atom.predicate, known)
            told = f"unknown predicate '{atom.predicate}' in {shown} of {where}.{hint}"
            blame(sources, atom, told)
        wanted = known[atom.predicate]
        if wanted != len(atom.args):
            had = plural(len(atom.args), "argument")
            blame(sources, atom, f"{shown} of {where} has {had}, elsewhere it has {wanted}")


def signatures(
    domain: Domain, specs: Sequence[Spec], sources: Sequence[Source], begin: Begin = NOTHING
) -> dict[str, int]:
    """Return how many arguments each known predicate takes."""
    known = _counted(domain.predicates, _defined(domain, specs, begin), sources)
    for spec in specs:
        for name in spec.fluents if isinstance(spec, StreamSpec) else ():
            if name not in known:
                told = f"unknown predicate '{name}' in ':fluents' of stream '{spec.name}'."
                blame(sources, spec, told + did_you_mean(name, known))
    return known


def _counted(
    declared: Iterable[Predicate | Function],
    used: Iterable[tuple[str, int, object]],
    sources: Sequence[Source],
) -> dict[str, int]:
    """Return how many arguments everything takes; PddlError where it is used in two ways."""
    known = {each.name: len(each.parameters) for each in declared}
    for name, count, value in used:
        if known.setdefault(name, count) != count:
            both = f"{known[name]} and with {plural(count, 'argument')}"
            blame(sources, value, f"'{name}' is used with {both}")
    return known


def _check_types(domain: Domain, begin: Begin, goal: Formula) -> None:
    """Raise for unknown types of objects and of a goal's variables, and for those that nothing binds."""
    for name in sorted(free_variables(goal)):
        raise PddlError(f"variable '{name}' of the goal is not bound; write (exists ({name}) …)")
    checker = Checker(domain, (), NOWHERE)
    kinds = [type_predicate(name) for name in checker.types.parents]
    for predicate, _ in begin.facts:
        if predicate.startswith("(") and predicate not in kinds:
            raise PddlError(
                f"unknown type {predicate} of an object.{did_you_mean(predicate, kinds)}"
            )
    for part in subformulas(goal):
        if isinstance(part, Exists | Forall):
            checker.parameters(part.parameters)


def _whole(
    domain: Domain, known: dict[str, int], functions: dict[str, int], names: Iterable[str]
) -> Domain:
    """Return a domain that declares all that is known; objects of streams may be of several types."""
    own = {typed.name for typed in domain.constants}
    return replace(
        domain,
        constants=(*domain.constants, *(Typed(name) for name in names if name not in own)),
        predicates=tuple(Predicate(name, _untyped(count)) for name, count in known.items()),
        functions=tuple(Function(name, _untyped(count)) for name, count in functions.items()),
    )


def _untyped(count: int) -> tuple[Typed, ...]:
    return tuple(Typed(f"?{k}") for k in range(1, count + 1))


def _defined(
    domain: Domain, specs: Sequence[Spec], begin: Begin = NOTHING
) -> Iterator[tuple[str, int, object]]:
    """Yield the predicates that something brings about, each with what was read there."""
    for axiom in domain.axioms:
        yield axiom.head.name, len(axiom.head.parameters), axiom.head
    for action in domain.actions:
        for atom in _effect_atoms(action.effects):
            yield atom.predicate, len(atom.args), atom
    for spec in specs:
        if isinstance(spec, StreamSpec):
            for atom in spec.certified:
                yield atom.predicate, len(atom.args), atom
        elif spec.boolean:
            yield spec.name, len(spec.inputs), spec
    for predicate, args in (*begin.facts, *begin.denied):
        yield predicate, len(args), None


def _valued(specs: Sequence[Spec], begin: Begin) -> Iterator[tuple[str, int, object]]:
    """Yield the functions that have values, each with what was read there."""
    for spec in specs:
        if not isinstance(spec, StreamSpec) and not spec.boolean:
            yield spec.name, len(spec.inputs), spec
    for name, args in begin.values:
        yield name, len(args), None


def unheard_of(
    domain: Domain, specs: Sequence[Spec], initial: Sequence[Fact], goal: Formula
) -> Iterator[str]:
    """Yield which facts nothing else knows of: a plan may lack what they were meant to be."""
    known = _heard_of(domain, specs, goal)
    streams = [spec for spec in specs if isinstance(spec, StreamSpec)]
    certified = {atom.predicate: spec.name for spec in streams for atom in spec.certified}
    told = {name: f"that stream '{spec}' yields" for name, spec in certified.items()}
    told |= {name: "of the initial facts" for name, _ in initial if name not in certified}
    for name, where in told.items():
        if name not in known and not name.startswith("("):  # compiled ones begin so
            hint = did_you_mean(name, known)
            yield f"no action, stream or goal names '{name}' {where}.{hint}"


def _heard_of(domain: Domain, specs: Sequence[Spec], goal: Formula) -> set[str]:
    """Return the predicates that are declared, or that actions, streams or the goal name."""
    known = {p.name for p in domain.predicates} | {n for n, _, _ in _defined(domain, ())}
    known |= {atom.predicate for formula, _ in _conditions(domain, goal) for atom in atoms(formula)}
    return known | {atom.predicate for atom, _ in _used(specs, goal)}


def _effect_atoms(effects: Sequence[Effect]) -> Iterator[Atom]:
    for effect in effects:
        atom = effect.change.body if isinstance(effect.change, Not) else effect.change
        if isinstance(atom, Atom):
            yield atom


def _conditions(domain: Domain, goal: Formula) -> Iterator[tuple[Formula, str]]:
    """Yield every condition, and whose it is."""
    for axiom in domain.axioms:
        yield axiom.body, f"the axiom of '{axiom.head.name}'"
    for action in domain.actions:
        yield action.precondition, f"'{action.name}'"
        for effect in action.effects:
            yield effect.condition, f"'{action.name}'"
    yield goal, "the goal"


def _used(specs: Sequence[Spec], goal: Formula) -> Iterator[tuple[Atom, str]]:
    """Yield the atoms that streams and the goal ask for."""
    for atom in atoms(goal):
        if atom.predicate != EQUALS:
            yield atom, "the goal"
    for spec in specs:
        for atom in spec.domain:
            yield atom, f"stream '{spec.name}'"
