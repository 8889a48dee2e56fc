"""Names that Fast Downward can read, and back: it folds case, wants ASCII and one type above each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from commonground.planning.pddl.domain import (
    Action,
    Axiom,
    Domain,
    Function,
    Predicate,
    Problem,
    Task,
    TypeTree,
)
from commonground.planning.pddl.formula import (
    EQUALS,
    OBJECT,
    Atom,
    Effect,
    Exists,
    Fluent,
    Forall,
    Formula,
    Imply,
    Not,
    Typed,
    Update,
    is_variable,
    rebuilt,
)
from commonground.planning.pddl.logic import conjunction
from commonground.planning.pddl.plan import Step

_PLAIN = re.compile(r"[a-z][a-z0-9_-]*")
_RESERVED = frozenset([
    "define", "domain", "problem", "and", "or", "not", "imply", "exists", "forall", "when",
    "either", "object", "number", "increase", "assign", "decrease", "minimize", "maximize",
    "total-cost", "total-time",
])  # fmt: skip


class Names:
    """A one-to-one map of names; plain ones stay what they are."""

    def __init__(self) -> None:
        self.to: dict[str, str] = {}
        self.back: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        known = self.to.get(name)
        if known is None:
            plain = name if _PLAIN.fullmatch(name) and name not in _RESERVED else f"n{len(self.to)}"
            while plain in self.back:
                plain = f"n{len(self.to)}-{len(plain)}"
            known = self.to[name] = plain
            self.back[plain] = name
        return known


class Renaming:
    """Rewrites a task into one that Fast Downward reads, and its plans back."""

    def __init__(self, task: Task) -> None:
        self.objects, self.types, self.predicates = Names(), Names(), Names()
        self.functions, self.actions, self.variables = Names(), Names(), Names()
        self.functions.to["total-cost"] = self.functions.back["total-cost"] = "total-cost"
        self.types.to[OBJECT] = self.types.back[OBJECT] = OBJECT
        self.predicates.to[EQUALS] = EQUALS
        self.tree = TypeTree(task.domain.types)
        self.members = self.tree.members(task.objects)
        self.forest = all(len(parents) <= 1 for parents in self.tree.parents.values())
        self.forest &= all(len(typed.types) == 1 for typed in task.objects)
        self.guards: dict[tuple[str, ...], str] = {}
        self.task = self._task(task)

    def step(self, line: str) -> Step:
        """Return the step of a line of Fast Downward's plan."""
        action, *args = line.strip("() \n").split()
        return Step(self.actions.back[action], tuple(self.objects.back[name] for name in args))

    # ---- the task -----------------------------------------------------------------------------

    def _task(self, task: Task) -> Task:
        domain, problem = task.domain, task.problem
        actions = tuple(map(self._action, domain.actions))
        axioms = tuple(self._axiom(axiom) for axiom in domain.axioms)
        goal = self._formula(problem.goal)
        told = dict.fromkeys(atom for atom in problem.init if atom.predicate != EQUALS)
        init = list(map(self._atom, told))  # that an object is itself goes without saying
        predicates = [
            Predicate(self.predicates(p.name), self._plain(p.parameters)) for p in domain.predicates
        ]
        for types, name in self.guards.items():
            predicates.append(Predicate(name, (Typed("?x"),)))
            members = dict.fromkeys(m for kind in types for m in self.members.get(kind, ()))
            init += [Atom(name, (self.objects(member),)) for member in members]
        return Task(
            Domain(
                "d",
                (":adl", ":derived-predicates", ":action-costs"),
                self._types(),
                self._objects(task.objects),  # a compiled action may name any of them
                tuple(predicates),
                tuple(
                    Function(self.functions(f.name), self._plain(f.parameters))
                    for f in domain.functions
                ),
                axioms,
                actions,
            ),
            Problem(
                "p",
                "d",
                (),
                tuple(init),
                tuple((self._fluent(fluent), value) for fluent, value in problem.values),
                goal,
                problem.metric,
            ),
        )

    def _types(self) -> tuple[Typed, ...]:
        if not self.forest:
            return ()
        return tuple(
            Typed(self.types(name), (self.types(next(iter(parents), OBJECT)),))
            for name, parents in self.tree.parents.items()
            if name != OBJECT
        )

    def _objects(self, objects: Iterable[Typed]) -> tuple[Typed, ...]:
        return tuple(
            Typed(
                self.objects(o.name),
                (self.types(o.types[0]),) if self._simple(o.types) else (OBJECT,),
            )
            for o in objects
        )

    def _simple(self, types: tuple[str, ...]) -> bool:
        return self.forest and len(types) == 1

    def _plain(self, parameters: tuple[Typed, ...]) -> tuple[Typed, ...]:
        return tuple(
            Typed(
                self._term(t.name),
                (self.types(t.types[0]),) if self._simple(t.types) else (OBJECT,),
            )
            for t in parameters
        )

    def _guards(self, parameters: tuple[Typed, ...]) -> list[Formula]:
        """Return conditions for the types that cannot be written as types."""
        found: list[Formula] = []
        for typed in parameters:
            if not self._simple(typed.types) and OBJECT not in typed.types:
                name = self.guards.setdefault(
                    typed.types, self.predicates(f"is {' '.join(typed.types)}")
                )
                found.append(Atom(name, (self._term(typed.name),)))
        return found

    # ---- actions and axioms -------------------------------------------------------------------

    def _action(self, action: Action) -> Action:
        condition = [*self._guards(action.parameters), self._formula(action.precondition)]
        return Action(
            self.actions(action.name),
            self._plain(action.parameters),
            conjunction(condition),
            tuple(self._effect(effect) for effect in action.effects),
        )

    def _effect(self, effect: Effect) -> Effect:
        change = effect.change
        new: Atom | Not | Update
        if isinstance(change, Update):
            value = self._fluent(change.value) if isinstance(change.value, Fluent) else change.value
            new = replace(change, fluent=self._fluent(change.fluent), value=value)
        elif isinstance(change, Not) and isinstance(change.body, Atom):
            new = Not(self._atom(change.body))
        else:
            new = self._atom(change) if isinstance(change, Atom) else change
        condition = conjunction([*self._guards(effect.parameters), self._formula(effect.condition)])
        return Effect(new, self._plain(effect.parameters), condition)

    def _axiom(self, axiom: Axiom) -> Axiom:
        head = Predicate(self.predicates(axiom.head.name), self._plain(axiom.head.parameters))
        body = conjunction([*self._guards(axiom.head.parameters), self._formula(axiom.body)])
        return Axiom(head, body)

    # ---- formulas -----------------------------------------------------------------------------

    def _formula(self, formula: Formula) -> Formula:
        if isinstance(formula, Atom):
            return self._atom(formula)
        if isinstance(formula, Exists):
            body = conjunction([*self._guards(formula.parameters), self._formula(formula.body)])
            return Exists(self._plain(formula.parameters), body)
        if isinstance(formula, Forall):
            guards, inner = self._guards(formula.parameters), self._formula(formula.body)
            body = Imply(conjunction(guards), inner) if guards else inner
            return Forall(self._plain(formula.parameters), body)
        return rebuilt(formula, self._formula)

    def _atom(self, atom: Atom) -> Atom:
        return Atom(self.predicates(atom.predicate), tuple(map(self._term, atom.args)))

    def _fluent(self, fluent: Fluent) -> Fluent:
        return Fluent(self.functions(fluent.function), tuple(map(self._term, fluent.args)))

    def _term(self, term: str) -> str:
        return f"?{self.variables(term[1:])}" if is_variable(term) else self.objects(term)
