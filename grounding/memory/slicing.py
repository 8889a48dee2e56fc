"""The part of a world a goal needs: objects found by regressing the goal through the actions.

Which literals matter is computed backwards from the goal. A literal that does not hold asks for the
preconditions of every action that can bring it about; parameters the literal leaves open are bound to
what facts of the state say (a thing's room, where it lies now), and where no fact says anything the few
most suitable objects of the type are taken (a basin to wash in). Fast Downward then sees only these
objects. The plan is checked on the whole state, so a slice that is too small costs time, never truth.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.knowledge.index import FactIndex
from commonground.grounding.knowledge.invariants import literals
from commonground.grounding.knowledge.vocabulary import Vocabulary
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

_MAX_BINDINGS = 400
"""Bindings of one action that are looked at for one literal."""
_MAX_RANKED = 100
"""Objects of one type that are compared as to how well they suit."""

Literal = tuple[Atom, bool]
Binding = dict[str, str]


@dataclass(frozen=True, slots=True)
class _Schema:
    """An action as literals."""

    kinds: Mapping[str, tuple[str, ...]]
    needs: tuple[Literal, ...]
    brings: tuple[Literal, ...]


class Slicer:
    """Computes slices of a domain's worlds."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.schemas = [_schema(a) for a in vocabulary.domain.actions if isinstance(a, Action)]
        self.achievers: dict[tuple[str, bool], list[tuple[_Schema, Atom]]] = {}
        for schema in self.schemas:
            for atom, positive in schema.brings:
                self.achievers.setdefault((atom.predicate, positive), []).append((schema, atom))

    def objects(
        self,
        goal: Formula,
        view: FactIndex,
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
        self,
        slicer: Slicer,
        view: FactIndex,
        kinds: Mapping[str, str],
        helpers: int,
        restoring: bool,
    ) -> None:
        self.restoring = restoring
        self.slicer = slicer
        self.view = view
        self.kinds = kinds
        self.helpers = helpers
        self._by_kind: dict[str, list[str]] = {}
        for name, kind in kinds.items():
            self._by_kind.setdefault(kind, []).append(name)
        self.members: dict[tuple[str, ...], list[str]] = {}
        self.found: set[str] = set()
        self.seen: set[Literal] = set()
        self.queue: deque[Literal] = deque()
        self.undone: set[Literal] = set()
        """What steps that matter take away."""

    def run(self, goal: Formula) -> set[str]:
        """Regress the goal until nothing new matters."""
        wanted = [*self._of_goal(nnf(goal))]
        for literal in wanted:
            self._want(literal)
        self.restoring |= sum(not self._holds(literal) for literal in wanted) > 1
        held: set[Literal] = set()
        while self.queue:
            while self.queue:
                literal = self.queue.popleft()
                self.found.update(literal[0].args)
                if self._holds(literal):
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
        for schema, effect in self.slicer.achievers.get((atom.predicate, positive), ()):
            for binding in self._bindings(schema, effect, atom):
                self.found.update(binding.values())
                self.undone.update((_ground(a, binding), not sign) for a, sign in schema.brings)
                for needed, sign in schema.needs:
                    ground = _ground(needed, binding)
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
        members = self._of_types(typed.types)
        if isinstance(goal, Exists):
            members = self._best(
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
            return self._holds((formula, True))
        if isinstance(formula, Not) and isinstance(formula.body, Atom):
            return self._holds((formula.body, False))
        if isinstance(formula, And):
            return all(map(self._true, formula.parts))
        if isinstance(formula, Or):
            return any(map(self._true, formula.parts))
        return False

    def _missing(self, formula: Formula) -> float:
        """Return how much is missing of a formula: unmet literals, and unmet needs of what brings them."""
        total = 0.0
        for literal in self._of_goal(nnf(formula)):
            if self._holds(literal):
                continue
            atom, positive = literal
            costs = [
                sum(
                    not self._holds((ground, sign))
                    for needed, sign in schema.needs
                    if not any(map(is_variable, (ground := _ground(needed, binding)).args))
                )
                for schema, effect in self.slicer.achievers.get((atom.predicate, positive), ())
                if (binding := self._unified(schema, effect, atom)) is not None
            ]
            total += 1 + min(costs, default=5)
        return total

    # ---- state and types ------------------------------------------------------------------------

    def _holds(self, literal: Literal) -> bool:
        atom, positive = literal
        if atom.predicate == "=":
            return (len(set(atom.args)) == 1) == positive
        subject = atom.args[0] if atom.args else ""
        value = atom.args[1] if len(atom.args) > 1 else TRUE
        return (Fact(subject, atom.predicate, value) in self.view) == positive

    def _of_types(self, types: tuple[str, ...]) -> list[str]:
        if types not in self.members:
            is_a = self.slicer.vocabulary.is_a
            fitting = (names for kind, names in self._by_kind.items() if is_a(kind, *types))
            self.members[types] = sorted(chain.from_iterable(fitting))
        return self.members[types]

    def _is_a(self, name: str, types: tuple[str, ...]) -> bool:
        return self.slicer.vocabulary.is_a(self.kinds[name], *types)

    def _best(self, names: Sequence[str], cost: Callable[[str], float]) -> list[str]:
        ranked = sorted(names, key=lambda name: (cost(name), name not in self.found, name))
        return ranked[: self.helpers]

    # ---- bindings -------------------------------------------------------------------------------

    def _unified(self, schema: _Schema, effect: Atom, atom: Atom) -> Binding | None:
        binding: Binding = {}
        for term, value in zip(effect.args, atom.args, strict=True):
            if not is_variable(term):
                if term != value:
                    return None
            elif binding.setdefault(term, value) != value or not self._is_a(
                value, schema.kinds[term]
            ):
                return None
        return binding

    def _bindings(self, schema: _Schema, effect: Atom, atom: Atom) -> Iterable[Binding]:
        """Return how the action can be bound so that its effect is the atom."""
        first = self._unified(schema, effect, atom)
        if first is None:
            return []
        changing = self.slicer.vocabulary.changing
        positive = [needed for needed, sign in schema.needs if sign and needed.predicate != "="]
        ordered = sorted(positive, key=lambda needed: needed.predicate in changing)
        bindings = [first]
        for needed in [*ordered, *ordered]:
            bindings = [b for binding in bindings for b in self._joined(needed, binding, schema)]
            if len(bindings) > _MAX_BINDINGS:
                bindings = bindings[:_MAX_BINDINGS]
        completed = [full for binding in bindings for full in self._completed(schema, binding)]
        distinct = {tuple(sorted(full.items())): full for full in completed}
        return [full for full in distinct.values() if not self._is_circular(schema, full, atom)]

    def _is_circular(self, schema: _Schema, binding: Binding, wanted: Atom) -> bool:
        """Return whether the action needs what can only be brought about from what it is to bring about.

        Taking the mug off a table it does not stand on needs the mug put there, from the hand. What holds
        at first may well be used up and restored.
        """
        if self._holds((wanted, True)):
            return False
        for needed, sign in schema.needs:
            ground = _ground(needed, binding)
            if not sign or self._holds((ground, True)) or any(map(is_variable, ground.args)):
                continue
            ways = [
                (other, partial)
                for other, effect in self.slicer.achievers.get((ground.predicate, True), ())
                if (partial := self._unified(other, effect, ground)) is not None
            ]
            if ways and all(self._needs(other, partial, wanted) for other, partial in ways):
                return True
        return False

    def _needs(self, schema: _Schema, binding: Binding, wanted: Atom) -> bool:
        """Return whether an action surely needs an atom; open terms are settled by types of one object."""
        for needed, sign in schema.needs:
            ground = _ground(needed, binding)
            if sign and ground.predicate == wanted.predicate:
                pairs = zip(ground.args, wanted.args, strict=True)
                if all(
                    a == b or (is_variable(a) and self._of_types(schema.kinds[a]) == [b])
                    for a, b in pairs
                ):
                    return True
        return False

    def _joined(self, needed: Atom, binding: Binding, schema: _Schema) -> list[Binding]:
        """Bind the open terms of a precondition by the facts that satisfy it, where there are any."""
        ground = _ground(needed, binding)
        open_terms = [term for term in ground.args if is_variable(term)]
        static = needed.predicate not in self.slicer.vocabulary.changing
        if not open_terms:
            return [binding] if not static or self._holds((ground, True)) else []
        if len(open_terms) == len(ground.args) or len(ground.args) != 2:
            return [binding]
        term = open_terms[0]
        fitting = sorted(m for m in self._partners(ground) if self._is_a(m, schema.kinds[term]))
        found = [{**binding, term: match} for match in fitting]
        # a fluent may also be brought about elsewhere
        return found if static else [*found, binding]

    def _partners(self, ground: Atom) -> Iterator[str]:
        """Yield the things that a fact joins to the bound one of an atom's two arguments."""
        subject, value = ground.args
        if is_variable(value):
            facts = (f for f in self.view.about(subject) if f.relation == ground.predicate)
            yield from (f.object for f in facts if f.object != FALSE)
        else:
            yield from (s for s in self.view.subjects(ground.predicate, value) if s != FALSE)

    def _completed(self, schema: _Schema, binding: Binding) -> list[Binding]:
        """Give the parameters that no fact binds to the most suitable objects of their types.

        The types with the fewest objects come first: a basin settles the room, not the room the basin.
        """
        done = [binding]
        for term in sorted(schema.kinds, key=lambda t: len(self._of_types(schema.kinds[t]))):
            done = [full for partial in done for full in self._chosen(schema, partial, term)]
        return done[:_MAX_BINDINGS]

    def _chosen(self, schema: _Schema, binding: Binding, term: str) -> list[Binding]:
        """Bind one parameter to each of the best objects for it."""
        if term in binding:
            return [binding]
        names = self._of_types(schema.kinds[term])
        likely = self._likely(names, binding, schema.kinds[term])
        best = self._best(likely, lambda name: self._unmet(schema, {**binding, term: name}))
        return [b for name in best for b in self._rejoined(schema, {**binding, term: name})]

    def _likely(
        self, names: Sequence[str], binding: Binding, types: tuple[str, ...]
    ) -> Sequence[str]:
        """Return all objects of some types, or of many those that facts bring closest to what is bound."""
        if len(names) <= _MAX_RANKED:
            return names
        close = (name for name in self._around(binding.values()) if self._is_a(name, types))
        return [*islice(dict.fromkeys(chain(close, names)), _MAX_RANKED)]

    def _around(self, things: Iterable[str]) -> list[str]:
        """Return the things that one fact joins to some, then those that two do."""
        around = dict.fromkeys(things)
        for _ in range(2):
            more = [o for t in [*around][:_MAX_RANKED] for f in self.view.one_hop(t)
                     for o in (f.subject, f.object) if o in self.kinds and o != t]  # fmt: skip
            around |= dict.fromkeys(more)
        return [*around]

    def _rejoined(self, schema: _Schema, binding: Binding) -> list[Binding]:
        """After a choice, let static facts bind what they can (the room of the chosen basin)."""
        found = [binding]
        for needed, sign in schema.needs:
            if (
                sign
                and needed.predicate not in self.slicer.vocabulary.changing
                and needed.predicate != "="
            ):
                found = [b for partial in found for b in self._joined(needed, partial, schema)]
        return found

    def _unmet(self, schema: _Schema, binding: Binding) -> float:
        """Return how many preconditions of a partly bound action do not hold."""
        unmet = 0.0
        for needed, sign in schema.needs:
            ground = _ground(needed, binding)
            if not any(map(is_variable, ground.args)):
                static = needed.predicate not in self.slicer.vocabulary.changing
                unmet += 0 if self._holds((ground, sign)) else 10 if static else 1
        for joined in self._rejoined(schema, binding)[:1]:
            if joined != binding:
                unmet += 0.5 * self._unmet(schema, joined)
                break
        return unmet


def _ground(atom: Atom, binding: Mapping[str, str]) -> Atom:
    return Atom(atom.predicate, tuple(binding.get(term, term) for term in atom.args))


def _schema(action: Action) -> _Schema:
    kinds = {typed.name: typed.types for typed in action.parameters}
    needs, forbids = literals(action.precondition)
    brings: list[Literal] = []
    for effect in action.effects:
        kinds |= {typed.name: typed.types for typed in effect.parameters}
        more, less = literals(effect.condition)
        needs, forbids = [*needs, *more], [*forbids, *less]
        brings += _change(effect)
    return _Schema(
        kinds, (*((a, True) for a in needs), *((a, False) for a in forbids)), tuple(brings)
    )


def _change(effect: Effect) -> list[Literal]:
    negative = negated_atom(effect.change)
    if negative is not None:
        return [(negative, False)]
    return [(effect.change, True)] if isinstance(effect.change, Atom) else []
