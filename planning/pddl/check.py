"""Check of names, types and numbers of arguments in domains, problems and formulas."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from commonground.errors import did_you_mean
from commonground.planning.pddl.domain import (
    Action,
    Axiom,
    Domain,
    Function,
    Predicate,
    Problem,
    TypeTree,
)
from commonground.planning.pddl.formula import (
    EQUALS,
    TOTAL_COST,
    Arithmetic,
    Atom,
    Compare,
    Effect,
    Exists,
    Expression,
    Fluent,
    Forall,
    Formula,
    Not,
    Number,
    Typed,
    Update,
    is_variable,
    operands,
)
from commonground.planning.pddl.printer import number_text, to_pddl, typed_text
from commonground.planning.pddl.source import NOWHERE, Source, plural
from commonground.planning.pddl.strata import negative_cycle

Scope = Mapping[str, tuple[str, ...]]
"""The types of the variables in reach."""


def check_domain(domain: Domain, source: Source = NOWHERE) -> None:
    """Raise PddlError at the first thing in a domain that makes no sense."""
    checker = Checker(domain, (), source)
    checker.declarations()
    for axiom in domain.axioms:
        checker.axiom(axiom)
    cyclic = negative_cycle(domain.axioms)
    if cyclic is not None:
        axiom = next(a for a in domain.axioms if a.head.name == cyclic)
        source.blame(axiom, f"derived predicate '{cyclic}' depends on its own negation")
    for action in domain.actions:
        checker.action(action)


def check_problem(domain: Domain, problem: Problem, source: Source = NOWHERE) -> None:
    """Raise PddlError at the first thing in a problem that does not fit its domain."""
    if problem.domain.lower() != domain.name.lower():
        named = f"a domain called '{problem.domain}', this one is called '{domain.name}'"
        source.blame(problem.domain, f"the problem is for {named}")
    checker = Checker(domain, problem.objects, source)
    checker.objects_declared(problem.objects, domain.constants)
    for fact in (*problem.init, *problem.denied):
        checker.initial(fact)
    check_agreement(problem, source)
    spent = cost_functions(domain)
    for fluent, value in problem.values:
        checker.fluent(fluent, {})
        if not math.isfinite(value) or (value < 0 and fluent.function in spent):
            source.blame(fluent, f"the cost {fluent} = {value:g} must be a number of at least 0")
    checker.formula(problem.goal, {})
    if problem.metric is not None:
        checker.expression(problem.metric.expression, {}, ("total-time",))


def check_agreement(problem: Problem, source: Source = NOWHERE) -> None:
    """Raise PddlError for an initial state that contradicts itself."""
    given = frozenset(problem.init)
    for fact in problem.init:
        if fact.predicate == EQUALS and len(set(fact.args)) > 1:
            source.blame(fact, f"{fact} cannot hold: two names are two objects")
    for fact in problem.denied:
        if fact in given or (fact.predicate == EQUALS and len(set(fact.args)) == 1):
            source.blame(fact, f"(not {fact}) contradicts {fact}, which holds initially")
    known: dict[Fluent, float] = {}
    for fluent, value in problem.values:
        if known.setdefault(fluent, value) != value:
            told = f"{number_text(known[fluent])} and {number_text(value)}"
            source.blame(fluent, f"{fluent} is given twice: {told}")


def check_formula(
    domain: Domain, formula: Formula, objects: Sequence[Typed], source: Source = NOWHERE
) -> None:
    """Raise PddlError unless a closed formula fits a domain and objects."""
    Checker(domain, objects, source).formula(formula, {})


def cost_functions(domain: Domain) -> frozenset[str]:
    """Return the functions that some action adds to ``total-cost``."""
    changes = (e.change for a in domain.actions for e in a.effects)
    return frozenset(
        name
        for change in changes
        if isinstance(change, Update)
        and change.fluent == TOTAL_COST
        and change.operation == "increase"
        for name in _functions_of(change.value)
    )


def _functions_of(expression: Expression) -> set[str]:
    if isinstance(expression, Arithmetic):
        return {name for part in expression.parts for name in _functions_of(part)}
    return {expression.function} if isinstance(expression, Fluent) else set()


class Checker:
    """Checks against one domain and one set of objects; places in messages come from ``source``."""

    def __init__(self, domain: Domain, objects: Sequence[Typed], source: Source) -> None:
        self.domain, self.source = domain, source
        self.types = TypeTree(domain.types)
        self.predicates = {p.name: p for p in domain.predicates}
        self.functions = {f.name: f for f in domain.functions}
        self.functions.setdefault(TOTAL_COST.function, Function(TOTAL_COST.function))
        self.objects = {o.name: o.types for o in (*domain.constants, *objects)}
        self.derived = domain.derived

    # ---- declarations -------------------------------------------------------------------------

    def declarations(self) -> None:
        """Check types, constants, predicates and functions, and that no name stands twice."""
        cycle = self.types.cycle()
        if cycle is not None:
            typed = next((t for t in self.domain.types if t.name == cycle), None)
            self.source.blame(typed, f"type '{cycle}' is its own supertype")
        self._alike(self.domain.predicates, "predicate")
        self._alike(self.domain.functions, "function")
        self._once(self.domain.actions, "action")
        self.objects_declared(self.domain.constants)
        for predicate in self.domain.predicates:
            self.parameters(predicate.parameters)
        for function in self.domain.functions:
            self.parameters(function.parameters)

    def _alike(self, declared: Iterable[Predicate | Function], what: str) -> None:
        """Let a name be declared again with the same types, as Fast Downward's translator does."""
        seen: dict[str, list[tuple[str, ...]]] = {}
        for value in declared:
            types = [parameter.types for parameter in value.parameters]
            if seen.setdefault(value.name, types) != types:
                self.source.blame(value, f"{what} '{value.name}' is declared twice")

    def _once(self, declared: Iterable[Action], what: str) -> None:
        seen: set[str] = set()
        for value in declared:
            if value.name in seen:
                self.source.blame(value, f"{what} '{value.name}' is declared twice")
            seen.add(value.name)

    def objects_declared(self, objects: Sequence[Typed], before: Sequence[Typed] = ()) -> None:
        """Check that the types of objects exist and that no object is declared twice."""
        seen = {typed.name for typed in before}
        self.parameters(objects)
        for typed in objects:
            if typed.name in seen:
                self.source.blame(typed, f"object '{typed.name}' is declared twice")
            seen.add(typed.name)

    def parameters(self, parameters: Sequence[Typed]) -> dict[str, tuple[str, ...]]:
        """Check the types of variables or objects and return them by name."""
        for typed in parameters:
            for name in typed.types:
                if name not in self.types:
                    hint = did_you_mean(name, self.types.parents)
                    self.source.blame(typed, f"unknown type '{name}' of '{typed.name}'.{hint}")
        return {typed.name: typed.types for typed in parameters}

    # ---- actions and axioms -------------------------------------------------------------------

    def axiom(self, axiom: Axiom) -> None:
        """Check one derived predicate; untyped variables take the types of its declaration."""
        scope = self.parameters(axiom.head.parameters)
        self.formula(Atom(axiom.head.name, tuple(scope)), scope, at=axiom.head)
        self.formula(axiom.body, scope)

    def action(self, action: Action) -> None:
        scope = self.parameters(action.parameters)
        self.formula(action.precondition, scope)
        for effect in action.effects:
            self.effect(effect, scope)

    def effect(self, effect: Effect, outer: Scope) -> None:
        """Check one change of an action."""
        scope = {**outer, **self.parameters(effect.parameters)}
        self.formula(effect.condition, scope)
        change = effect.change
        if isinstance(change, Update):
            self._update(change, scope)
            return
        atom = change.body if isinstance(change, Not) else change
        if not isinstance(atom, Atom) or atom.predicate == EQUALS:
            self.source.blame(change, f"{to_pddl(change)} cannot be an effect")
        if atom.predicate in self.derived:
            self.source.blame(atom, f"'{atom.predicate}' is derived, so no action can change it")
        self.formula(atom, scope)

    def _update(self, change: Update, scope: Scope) -> None:
        self.fluent(change.fluent, scope)
        self.expression(change.value, scope)
        if change.fluent == TOTAL_COST and isinstance(change.value, Number):
            sign = -1 if change.operation == "decrease" else 1
            if sign * change.value.value < 0:
                self.source.blame(change.value, "an action cannot have a negative cost")

    # ---- formulas -----------------------------------------------------------------------------

    def formula(self, formula: Formula, scope: Scope, at: object = None) -> None:
        """Check a formula whose free variables have the given types."""
        if isinstance(formula, Atom):
            self.atom(formula, scope, formula if at is None else at)
        elif isinstance(formula, Compare):
            self.expression(formula.left, scope)
            self.expression(formula.right, scope)
        else:
            if isinstance(formula, Exists | Forall):
                scope = {**scope, **self.parameters(formula.parameters)}
            for part in operands(formula):
                self.formula(part, scope)

    def atom(self, atom: Atom, scope: Scope, at: object) -> None:
        """Check one atom: predicate, number of arguments, and their types."""
        if atom.predicate == EQUALS:
            if len(atom.args) != 2:
                self.source.blame(at, f"'=' compares 2 things, found {len(atom.args)}")
            for term in atom.args:
                self.term(term, scope, atom, at)
            return
        declared = self.predicates.get(atom.predicate)
        if declared is None:
            hint = did_you_mean(atom.predicate, self.predicates)
            self.source.blame(at, f"unknown predicate '{atom.predicate}' in {atom}.{hint}")
        self.arguments(atom, declared, scope, at)

    def arguments(
        self, applied: Atom | Fluent, declared: Predicate | Function, scope: Scope, at: object
    ) -> None:
        """Check the arguments of an atom or numeric function against its declaration."""
        count, wanted = len(applied.args), len(declared.parameters)
        if count != wanted:
            form = f"({' '.join(filter(None, (declared.name, typed_text(declared.parameters))))})"
            had = f"{applied} has {plural(count, 'argument')}"
            self.source.blame(at, f"{had}, but '{declared.name}' takes {wanted}: {form}")
        for index, (term, parameter) in enumerate(
            zip(applied.args, declared.parameters, strict=True)
        ):
            types = self.term(term, scope, applied, at)
            fits = self.types.overlap if is_variable(term) else self.types.fits
            if not fits(types, parameter.types):
                have, want = " or ".join(types), " or ".join(parameter.types)
                fitting = [
                    n for n, t in self.objects.items() if self.types.fits(t, parameter.types)
                ]
                self.source.blame(
                    at,
                    f"argument {index + 1} of {applied} must be a {want}, but '{term}' is a {have}."
                    f"{did_you_mean(term, fitting)}",
                )

    def term(self, term: str, scope: Scope, inside: Atom | Fluent, at: object) -> tuple[str, ...]:
        """Return the types of a variable or object, which must exist."""
        if is_variable(term):
            if term not in scope:
                hint = did_you_mean(term, scope) or (
                    f" Bound here: {' '.join(scope)}." if scope else ""
                )
                self.source.blame(at, f"variable '{term}' in {inside} is not bound.{hint}")
            return scope[term]
        if term not in self.objects:
            self.source.blame(
                at, f"unknown object '{term}' in {inside}.{did_you_mean(term, self.objects)}"
            )
        return self.objects[term]

    def initial(self, fact: Atom) -> None:
        self.given(fact)
        self.formula(fact, {})

    def given(self, fact: Atom) -> None:
        """Check that a fact of the initial state is one of this state alone."""
        if fact.predicate in self.derived:
            self.source.blame(fact, f"'{fact.predicate}' is derived, so it cannot be given")
        if any(is_variable(term) for term in fact.args):
            self.source.blame(fact, f"the initial fact {fact} has a variable")

    # ---- numbers ------------------------------------------------------------------------------

    def expression(self, expression: Expression, scope: Scope, also: tuple[str, ...] = ()) -> None:
        """Check a numeric expression; ``also`` names functions that exist besides the declared."""
        if isinstance(expression, Arithmetic):
            for part in expression.parts:
                self.expression(part, scope, also)
        elif isinstance(expression, Fluent) and expression.function not in also:
            self.fluent(expression, scope)

    def fluent(self, fluent: Fluent, scope: Scope) -> None:
        """Check one numeric function."""
        declared = self.functions.get(fluent.function)
        if declared is None:
            hint = did_you_mean(fluent.function, self.functions)
            self.source.blame(fluent, f"unknown function '{fluent.function}' in {fluent}.{hint}")
        self.arguments(fluent, declared, scope, fluent)
