"""Derived predicates, universal conditions and disjunctive goals compiled away.

Informed optimal heuristics (LM-cut) refuse axioms, and Fast Downward makes axioms of universal conditions
and disjunctive goals too. What only depends on facts that never change is computed once; what is not
recursive is replaced by its definition; universal conditions are written out over the objects; and each
alternative of a disjunctive goal becomes a free action that reaches the goal.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace

from commonground.planning.pddl.axioms import Deriver
from commonground.planning.pddl.domain import (
    Action,
    Axiom,
    Domain,
    Function,
    Metric,
    Predicate,
    Task,
    TypeTree,
)
from commonground.planning.pddl.facts import Facts
from commonground.planning.pddl.formula import (
    FALSE,
    TOTAL_COST,
    TRUE,
    And,
    Atom,
    Effect,
    Exists,
    Forall,
    Formula,
    Not,
    Number,
    Or,
    Typed,
    Update,
    is_variable,
    negated_atom,
    rebuilt,
)
from commonground.planning.pddl.logic import (
    assignments,
    conjunction,
    conjuncts,
    disjunction,
    dnf,
    expand,
    nnf,
    simplify,
    subformulas,
)
from commonground.planning.pddl.strata import depends
from commonground.planning.pddl.substitution import substitute

GOAL_ACTION = "(reach-goal)"  # names that no domain can have
_GOAL_REACHED = "(goal-reached)"
_MOST_ALTERNATIVES = 64


class TooLarge(Exception):
    """Compiling would make the task too large."""


def evaluate_static_axioms(task: Task) -> Task:
    """Return the task with derived predicates that no action can influence given as initial facts."""
    domain = task.domain
    changing = fluent_predicates(domain)
    over = depends(domain.axioms)
    changing |= {head for head, others in over.items() if not changing.isdisjoint(others)}
    static = tuple(axiom for axiom in domain.axioms if axiom.head.name not in changing)
    if not static:
        return task
    names = {axiom.head.name for axiom in static}
    facts = Facts(task.problem.init, TypeTree(domain.types).members(task.objects))
    Deriver(static).derive(facts)
    derived = tuple(atom for atom in facts.atoms() if atom.predicate in names)
    rest = tuple(axiom for axiom in domain.axioms if axiom.head.name in changing)
    return Task(
        replace(domain, axioms=rest), replace(task.problem, init=(*task.problem.init, *derived))
    )


def unfold_recursive_quantifiers(task: Task) -> Task:
    """Return the task with universal quantifiers around a recursion written out over the objects.

    Fast Downward reads a universal quantifier as a negated existential one, and refuses to recurse
    through a negation even where both cancel.
    """
    axioms = task.domain.axioms
    members = TypeTree(task.domain.types).members(task.objects)
    uses = depends(axioms)
    unfolded = tuple(
        replace(axiom, body=_without_universals(nnf(axiom.body), members))
        if axiom.head.name in uses[axiom.head.name]
        else axiom
        for axiom in axioms
    )
    return Task(replace(task.domain, axioms=unfolded), task.problem)


def _without_universals(formula: Formula, members: Mapping[str, tuple[str, ...]]) -> Formula:
    if isinstance(formula, Forall):
        return _without_universals(nnf(expand(formula, members)), members)
    if isinstance(formula, And | Or | Exists):
        return rebuilt(formula, lambda part: _without_universals(part, members))
    return formula


def fluent_predicates(domain: Domain) -> set[str]:
    """Return the predicates that some action changes."""
    return {
        atom.predicate
        for action in domain.actions
        for effect in action.effects
        for atom in (
            effect.change if isinstance(effect.change, Atom) else negated_atom(effect.change),
        )
        if atom is not None
    }


def without_axioms(task: Task, limit: int) -> Task | None:
    """Return an equivalent task without axioms, or None where it is recursive or would get too large."""
    try:
        return _Compiler(task, limit).task()
    except TooLarge:
        return None


class _Compiler:
    """Rewrites the formulas of one task."""

    def __init__(self, task: Task, limit: int) -> None:
        self.original = task
        self.left = limit
        self.fresh = itertools.count()
        self.members = TypeTree(task.domain.types).members(task.objects)
        self.static = {p.name for p in task.domain.predicates} - fluent_predicates(task.domain)
        self.static -= task.domain.derived
        self.facts = Facts(task.problem.init, self.members)
        self.guards: dict[str, tuple[str, ...]] = {}
        self.axioms: dict[str, list[Axiom]] = {}
        for axiom in task.domain.axioms:
            self.axioms.setdefault(axiom.head.name, []).append(axiom)

    def task(self) -> Task:
        domain, problem = self.original.domain, self.original.problem
        actions = [self.action(action) for action in domain.actions]
        goal = self.condition(problem.goal, {})
        metric = problem.metric
        if not _is_literals(goal):
            rows = dnf(goal, limit=_MOST_ALTERNATIVES)
            if rows is None:
                raise TooLarge
            if metric is None:  # steps are counted, but reaching the goal is none
                actions = [_unit_cost(action) for action in actions]
                metric = Metric("minimize", TOTAL_COST)
                domain = replace(domain, functions=(Function(TOTAL_COST.function),))
            reached = Effect(Atom(_GOAL_REACHED))
            actions += [
                Action(f"{GOAL_ACTION} {i}", (), And(r), (reached,)) for i, r in enumerate(rows)
            ]
            goal = Atom(_GOAL_REACHED)
        typed = (Typed("?x"),)
        extra = (Predicate(_GOAL_REACHED), *(Predicate(name, typed) for name in self.guards))
        init = tuple(
            Atom(name, (member,)) for name, members in self.guards.items() for member in members
        )
        return Task(
            replace(
                domain, axioms=(), actions=tuple(actions), predicates=(*domain.predicates, *extra)
            ),
            replace(problem, goal=goal, metric=metric, init=(*problem.init, *init)),
        )

    def action(self, action: Action) -> Action:
        """Return the action with compiled conditions."""
        scope = {typed.name: typed for typed in action.parameters}
        effects = tuple(
            replace(
                e,
                condition=self.condition(
                    e.condition, {**scope, **{t.name: t for t in e.parameters}}
                ),
            )
            for e in action.effects
        )
        precondition = self.condition(action.precondition, scope)
        return replace(action, precondition=precondition, effects=effects)

    def condition(self, formula: Formula, scope: Mapping[str, Typed]) -> Formula:
        """Return a formula without derived predicates and universal quantifiers."""
        if formula == TRUE:
            return formula
        inlined = nnf(self.inlined(formula, scope, ()))
        return simplify(self.written_out(inlined))

    def spend(self, nodes: int = 1) -> None:
        """Count what is made; stop when it gets too much."""
        self.left -= nodes
        if self.left < 0:
            raise TooLarge

    # ---- definitions --------------------------------------------------------------------------

    def inlined(
        self, formula: Formula, scope: Mapping[str, Typed], inside: tuple[str, ...]
    ) -> Formula:
        """Return the formula with derived atoms replaced by what defines them."""
        self.spend()
        if isinstance(formula, Atom):
            return (
                self.definition(formula, scope, inside)
                if formula.predicate in self.axioms
                else formula
            )
        if isinstance(formula, Exists | Forall):
            names = {typed.name: f"?v{next(self.fresh)}" for typed in formula.parameters}
            renamed = tuple(Typed(names[typed.name], typed.types) for typed in formula.parameters)
            inner = {**scope, **{typed.name: typed for typed in renamed}}
            return type(formula)(
                renamed, self.inlined(substitute(formula.body, names), inner, inside)
            )
        return rebuilt(formula, lambda part: self.inlined(part, scope, inside))

    def definition(
        self, atom: Atom, scope: Mapping[str, Typed], inside: tuple[str, ...]
    ) -> Formula:
        """Return what a derived atom means."""
        if atom.predicate in inside:
            raise TooLarge  # recursive: it has no finite definition
        bodies: list[Formula] = []
        for axiom in self.axioms[atom.predicate]:
            parameters = axiom.head.parameters
            binding = {typed.name: term for typed, term in zip(parameters, atom.args, strict=True)}
            apart = {name: f"?v{next(self.fresh)}" for name in _bound(axiom.body)}
            body = substitute(_renamed(axiom.body, apart), binding)
            guards = [g for t in parameters for g in self.guard(binding[t.name], t, scope)]
            bodies.append(
                conjunction([*guards, self.inlined(body, scope, (*inside, atom.predicate))])
            )
        return disjunction(bodies)

    def guard(self, term: str, wanted: Typed, scope: Mapping[str, Typed]) -> Iterator[Formula]:
        """Yield what a term must be so that an axiom for typed variables applies to it."""
        fitting = {name for kind in wanted.types for name in self.members.get(kind, ())}
        if not is_variable(term):
            if term not in fitting:
                yield FALSE
            return
        have = {name for kind in scope[term].types for name in self.members.get(kind, ())}
        if not have <= fitting:
            name = f"(is {' or '.join(wanted.types)})"
            self.guards[name] = tuple(sorted(fitting))
            yield Atom(name, (term,))

    # ---- universal quantifiers ----------------------------------------------------------------

    def written_out(self, formula: Formula) -> Formula:
        """Return a formula in negation normal form with universal quantifiers written out."""
        if isinstance(formula, Forall):
            parts = []
            for binding in assignments(formula.parameters, self.members):
                self.spend()
                parts.append(self.written_out(substitute(formula.body, binding)))
            return self.limited(conjunction(parts))
        if isinstance(formula, Exists):
            return Exists(formula.parameters, self.written_out(formula.body))
        if isinstance(formula, And | Or):
            join = conjunction if isinstance(formula, And) else disjunction
            return self.limited(join([self.written_out(part) for part in formula.parts]))
        return self.known(formula)

    def limited(self, formula: Formula) -> Formula:
        """Return the simplified formula; stop where it has too many alternatives for an action each."""
        short = simplify(formula)
        self.spend(len(short.parts) if isinstance(short, And | Or) else 1)
        if _alternatives(short) > _MOST_ALTERNATIVES:
            raise TooLarge
        return short

    def known(self, literal: Formula) -> Formula:
        """Return true or false for a ground literal that no action changes."""
        atom = literal.body if isinstance(literal, Not) else literal
        if not isinstance(atom, Atom) or any(is_variable(term) for term in atom.args):
            return literal
        if atom.predicate == "=":
            return TRUE if self.facts.holds(literal) else FALSE
        if atom.predicate not in self.static:
            return literal
        return TRUE if self.facts.holds(literal) else FALSE


def _alternatives(formula: Formula) -> int:
    if isinstance(formula, Or):
        return sum(_alternatives(part) for part in formula.parts)
    if isinstance(formula, And):
        product = 1
        for part in formula.parts:
            product *= max(1, _alternatives(part))
        return product
    return _alternatives(formula.body) if isinstance(formula, Exists) else 1


def _bound(formula: Formula) -> set[str]:
    quantified = (part for part in subformulas(formula) if isinstance(part, Exists | Forall))
    return {typed.name for part in quantified for typed in part.parameters}


def _renamed(formula: Formula, names: Mapping[str, str]) -> Formula:
    """Return the formula with its quantified variables renamed."""
    if isinstance(formula, Exists | Forall):
        parameters = tuple(Typed(names[typed.name], typed.types) for typed in formula.parameters)
        own = {typed.name: names[typed.name] for typed in formula.parameters}
        return type(formula)(parameters, _renamed(substitute(formula.body, own), names))
    return rebuilt(formula, lambda part: _renamed(part, names))


def _is_literals(formula: Formula) -> bool:
    bare = (part.body if isinstance(part, Not) else part for part in conjuncts(formula))
    return all(isinstance(part, Atom) for part in bare)


def _unit_cost(action: Action) -> Action:
    one = Effect(Update("increase", TOTAL_COST, Number(1.0)))
    return replace(action, effects=(*action.effects, one))
