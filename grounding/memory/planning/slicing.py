"""The part of a world a goal needs: objects found by regressing the goal through the actions.

Which literals matter is computed backwards from the goal. A literal that does not hold asks for the
preconditions of every action that can bring it about; parameters the literal leaves open are bound to
what facts of the state say (a thing's room, where it lies now), and where no fact says anything the few
most suitable objects of the type are taken (a basin to wash in). Fast Downward then sees only these
objects. The plan is checked on the whole state, so a slice that is too small costs time, never truth.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from commonground.grounding.knowledge.index import Graph
from commonground.grounding.knowledge.invariants import literals
from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.grounding.memory.planning.bindings import Bindings, Literal, Schema, grounded
from commonground.planning.pddl import (
    Action,
    And,
    Atom,
    Compare,
    Effect,
    Exists,
    Forall,
    Formula,
    Imply,
    Not,
    Or,
)
from commonground.planning.pddl.formula import is_variable, negated_atom
from commonground.planning.pddl.logic import nnf
from commonground.planning.pddl.substitution import substitute


class Slicer:
    """Computes slices of a domain's worlds."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.schemas = [_schema(a) for a in vocabulary.domain.actions if isinstance(a, Action)]
        self.achievers: dict[tuple[str, bool], list[tuple[Schema, Atom]]] = {}
        for schema in self.schemas:
            for atom, positive in schema.brings:
                self.achievers.setdefault((atom.predicate, positive), []).append((schema, atom))

    def objects(
        self,
        goal: Formula,
        view: Graph,
        kinds: Mapping[str, str],
        helpers: int = 3,
        *,
        restoring: bool = False,
    ) -> set[str]:
        """Return the objects that matter for a goal, with so many helpers where any of a type would do.

        ``restoring`` adds what restores a need that a step takes away (a free hand), which it always does
        for goals of several parts.
        """
        return _Slice(self, view, kinds, helpers, restoring).run(goal)


class _Slice:
    """One computation."""

    def __init__(
        self, slicer: Slicer, view: Graph, kinds: Mapping[str, str], helpers: int, restoring: bool
    ) -> None:
        self.restoring, self.achievers = restoring, slicer.achievers
        self.bindings = Bindings(slicer.vocabulary, slicer.achievers, view, kinds, helpers)
        self.found = self.bindings.found
        self.seen: set[Literal] = set()
        self.queue: deque[Literal] = deque()
        self.undone: set[Literal] = set()
        """What steps that matter take away."""

    def run(self, goal: Formula) -> set[str]:
        """Regress the goal until nothing new matters."""
        wanted = [*self._of_goal(nnf(goal))]
        for literal in wanted:
            self._want(literal)
        self.restoring |= sum(not self.bindings.holds(literal) for literal in wanted) > 1
        held: set[Literal] = set()
        while self.queue:
            while self.queue:
                literal = self.queue.popleft()
                self.found.update(literal[0].args)
                if self.bindings.holds(literal):
                    held.add(literal)
                else:
                    self._regress(literal)
            if self.restoring:
                for literal in sorted(held & self.undone, key=str):
                    self._regress(literal)
                held -= self.undone
        return self.found

    def _regress(self, literal: Literal) -> None:
        """Want what every action needs that brings a literal about."""
        atom, positive = literal
        for schema, effect in self.achievers.get((atom.predicate, positive), ()):
            for binding in self.bindings.of(schema, effect, atom):
                self.found.update(binding.values())
                self.undone.update((grounded(a, binding), not sign) for a, sign in schema.brings)
                for needed, sign in schema.needs:
                    ground = grounded(needed, binding)
                    if not any(map(is_variable, ground.args)):
                        self._want((ground, sign))

    def _want(self, literal: Literal) -> None:
        if literal not in self.seen and literal[0].predicate != "=":
            self.seen.add(literal)
            self.queue.append(literal)

    # ---- the goal -----------------------------------------------------------------------------

    def _of_goal(self, goal: Formula) -> Iterator[Literal]:
        """Yield the literals of a goal; of what only one object need satisfy, those of the best few."""
        if isinstance(goal, Atom):
            yield goal, True
        elif isinstance(goal, Not) and isinstance(goal.body, Atom):
            yield goal.body, False
        elif isinstance(goal, And | Or):
            for part in goal.parts:
                yield from self._of_goal(part)
        elif isinstance(goal, Exists | Forall):
            yield from self._of_quantified(goal)
        elif isinstance(goal, Not | Imply):
            yield from self._of_goal(nnf(goal))
        elif isinstance(goal, Compare):
            return

    def _of_quantified(self, goal: Exists | Forall) -> Iterator[Literal]:
        typed, rest = goal.parameters[0], goal.parameters[1:]
        body = type(goal)(rest, goal.body) if rest else goal.body
        members = self.bindings.of_types(typed.types)
        if isinstance(goal, Exists):
            members = self.bindings.best(
                members, lambda name: self._missing(substitute(body, {typed.name: name}))
            )
        for name in members:
            inner = substitute(body, {typed.name: name})
            wanted = (
                [inner] if isinstance(goal, Exists) else [f for f in [inner] if not self._true(f)]
            )
            self.found.add(name)
            for part in wanted:
                yield from self._of_goal(part)

    def _true(self, formula: Formula) -> bool:
        """Return whether a ground formula surely holds (quantifiers inside are not looked into)."""
        if isinstance(formula, Atom):
            return self.bindings.holds((formula, True))
        if isinstance(formula, Not) and isinstance(formula.body, Atom):
            return self.bindings.holds((formula.body, False))
        if isinstance(formula, And):
            return all(map(self._true, formula.parts))
        if isinstance(formula, Or):
            return any(map(self._true, formula.parts))
        return False

    def _missing(self, formula: Formula) -> float:
        """Return how much is missing of a formula: unmet literals, and unmet needs of what brings them."""
        total = 0.0
        for literal in self._of_goal(nnf(formula)):
            if self.bindings.holds(literal):
                continue
            atom, positive = literal
            costs = [
                sum(
                    not self.bindings.holds((ground, sign))
                    for needed, sign in schema.needs
                    if not any(map(is_variable, (ground := grounded(needed, binding)).args))
                )
                for schema, effect in self.achievers.get((atom.predicate, positive), ())
                if (binding := self.bindings.unified(schema, effect, atom)) is not None
            ]
            total += 1 + min(costs, default=5)
        return total


def _schema(action: Action) -> Schema:
    kinds = {typed.name: typed.types for typed in action.parameters}
    needs, forbids = literals(action.precondition)
    brings: list[Literal] = []
    for effect in action.effects:
        kinds |= {typed.name: typed.types for typed in effect.parameters}
        more, less = literals(effect.condition)
        needs, forbids = [*needs, *more], [*forbids, *less]
        brings += _change(effect)
    return Schema(
        kinds, (*((a, True) for a in needs), *((a, False) for a in forbids)), tuple(brings)
    )


def _change(effect: Effect) -> list[Literal]:
    negative = negated_atom(effect.change)
    if negative is not None:
        return [(negative, False)]
    return [(effect.change, True)] if isinstance(effect.change, Atom) else []
