"""Derived predicates: the least fixpoint of the axioms, layer by layer, by semi-naive evaluation."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from commonground.planning.pddl.domain import Axiom, Predicate
from commonground.planning.pddl.facts import Facts
from commonground.planning.pddl.formula import And, Atom, Exists, Formula, Or, Typed, is_variable
from commonground.planning.pddl.logic import nnf
from commonground.planning.pddl.strata import depends, literals, strata
from commonground.planning.pddl.substitution import substitute

_MAX_ALTERNATIVES = 200  # beyond, an axiom's body is evaluated as a whole in every round


@dataclass(frozen=True, slots=True)
class _Rule:
    """The head holds for all bindings of the variables under which every part does."""

    head: Predicate
    variables: tuple[Typed, ...]
    parts: tuple[Formula, ...]

    def atom_args(self, binding: dict[str, str]) -> tuple[str, ...]:
        return tuple(binding[typed.name] for typed in self.head.parameters)


class Deriver:
    """Keeps the derived atoms of a fact set up to date."""

    def __init__(self, axioms: Sequence[Axiom]) -> None:
        self.layers = strata(axioms)
        self.rules = [[rule for axiom in layer for rule in _rules(axiom)] for layer in self.layers]
        self.inputs = {name: frozenset({name, *others}) for name, others in depends(axioms).items()}

    def derive(self, facts: Facts, changed: Collection[str] | None = None) -> None:
        """Recompute what depends on the changed predicates (None: everything)."""
        for rules in self.rules:
            stale = {
                rule.head.name
                for rule in rules
                if changed is None or not self.inputs[rule.head.name].isdisjoint(changed)
            }
            for name in stale:
                facts.clear(name)
            _fixpoint([rule for rule in rules if rule.head.name in stale], facts)


def _rules(axiom: Axiom) -> list[_Rule]:
    rows = _rows(nnf(axiom.body), [0])
    if len(rows) > _MAX_ALTERNATIVES:
        rows = [((), (axiom.body,))]
    return [_Rule(axiom.head, (*axiom.head.parameters, *extra), parts) for extra, parts in rows]


def _rows(
    formula: Formula, count: list[int]
) -> list[tuple[tuple[Typed, ...], tuple[Formula, ...]]]:
    """Return the alternatives of a body, with the existential variables each needs (renamed apart)."""
    if isinstance(formula, Or):
        return [row for part in formula.parts for row in _rows(part, count)]
    if isinstance(formula, Exists):
        count[0] += 1
        fresh = {typed.name: f"{typed.name}~{count[0]}" for typed in formula.parameters}
        extra = tuple(Typed(fresh[typed.name], typed.types) for typed in formula.parameters)
        inner = _rows(substitute(formula.body, fresh), count)
        return [((*extra, *variables), parts) for variables, parts in inner]
    if not isinstance(formula, And):
        return [((), (formula,))]
    rows: list[tuple[tuple[Typed, ...], tuple[Formula, ...]]] = [((), ())]
    for part in formula.parts:
        found = _rows(part, count)
        if len(rows) * len(found) > _MAX_ALTERNATIVES:
            found = [((), (part,))]
        rows = [((*v, *w), (*p, *q)) for v, p in rows for w, q in found]
    return rows


def _fixpoint(rules: list[_Rule], facts: Facts) -> None:
    heads = {rule.head.name for rule in rules}
    news: list[tuple[str, tuple[str, ...]]] = []
    for rule in rules:
        found = [rule.atom_args(b) for b in facts.answers(And(rule.parts), rule.variables)]
        news += [(rule.head.name, args) for args in found if facts.add(rule.head.name, args)]
    recursive = [rule for rule in rules if _mentions(rule.parts, heads)]
    while news and recursive:
        old, news = news, []
        for rule in recursive:
            found = list(_consequences(rule, heads, old, facts))
            news += [(rule.head.name, args) for args in found if facts.add(rule.head.name, args)]


def _mentions(parts: Sequence[Formula], heads: set[str]) -> bool:
    """Return whether some formulas speak of one of the predicates."""
    return any(atom.predicate in heads for part in parts for atom, _ in literals(part))


def _consequences(
    rule: _Rule, heads: set[str], news: list[tuple[str, tuple[str, ...]]], facts: Facts
) -> Iterator[tuple[str, ...]]:
    """Yield what a rule derives with at least one new atom."""
    inner = [part for part in rule.parts if not isinstance(part, Atom)]
    if _mentions(inner, heads):  # the recursion is inside a quantifier: evaluate the rule anew
        yield from (rule.atom_args(b) for b in facts.answers(And(rule.parts), rule.variables))
        return
    types = {typed.name: typed for typed in rule.variables}
    for index, part in enumerate(rule.parts):
        if not isinstance(part, Atom) or part.predicate not in heads:
            continue
        rest = And((*rule.parts[:index], *rule.parts[index + 1 :]))
        for predicate, args in news:
            binding = _unified(part, args, types, facts) if predicate == part.predicate else None
            if binding is not None:
                yield from (rule.atom_args(b) for b in facts.answers(rest, rule.variables, binding))


def _unified(
    pattern: Atom, args: tuple[str, ...], types: dict[str, Typed], facts: Facts
) -> dict[str, str] | None:
    binding: dict[str, str] = {}
    for term, name in zip(pattern.args, args, strict=True):
        if is_variable(term):
            if binding.setdefault(term, name) != name or not facts.is_a(name, types[term]):
                return None
        elif term != name:
            return None
    return binding
