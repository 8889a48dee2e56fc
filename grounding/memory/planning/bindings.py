"""Bindings of actions that bring a literal about: by facts, else by what suits best of each type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.knowledge.index import Graph
from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.planning.pddl import Atom
from commonground.planning.pddl.formula import is_variable

_MAX_BINDINGS = 400
"""Bindings of one action that are looked at for one literal."""
_MAX_RANKED = 100
"""Objects of one type that are compared as to how well they suit."""
_MAX_JOINED = 20
"""Of more things that facts join to one the few that suit best are taken: a hall has a thousand shelves."""

Literal = tuple[Atom, bool]
Binding = dict[str, str]


@dataclass(frozen=True, slots=True)
class Schema:
    """An action as literals."""

    kinds: Mapping[str, tuple[str, ...]]
    needs: tuple[Literal, ...]
    brings: tuple[Literal, ...]


class Bindings:
    """The bindings of one domain's actions as things are."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        achievers: Mapping[tuple[str, bool], Sequence[tuple[Schema, Atom]]],
        view: Graph,
        kinds: Mapping[str, str],
        helpers: int,
    ) -> None:
        self.vocabulary, self.achievers = vocabulary, achievers
        self.view, self.kinds, self.helpers = view, kinds, helpers
        self._by_kind: dict[str, list[str]] = {}
        for name, kind in kinds.items():
            self._by_kind.setdefault(kind, []).append(name)
        self._members: dict[tuple[str, ...], list[str]] = {}
        self._joins: dict[tuple[Atom, tuple[str, ...]], list[str]] = {}
        self.found: set[str] = set()
        """What matters so far: it suits better than another."""

    def holds(self, literal: Literal) -> bool:
        atom, positive = literal
        if atom.predicate == "=":
            return (len(set(atom.args)) == 1) == positive
        subject = atom.args[0] if atom.args else ""
        value = atom.args[1] if len(atom.args) > 1 else TRUE
        return (Fact(subject, atom.predicate, value) in self.view) == positive

    def of_types(self, types: tuple[str, ...]) -> list[str]:
        """Return the objects of one of some types, sorted."""
        if types not in self._members:
            is_a = self.vocabulary.is_a
            fitting = (names for kind, names in self._by_kind.items() if is_a(kind, *types))
            self._members[types] = sorted(chain.from_iterable(fitting))
        return self._members[types]

    def _is_a(self, name: str, types: tuple[str, ...]) -> bool:
        return self.vocabulary.is_a(self.kinds[name], *types)

    def best(self, names: Sequence[str], cost: Callable[[str], float]) -> list[str]:
        """Return the few that cost least, of equal ones those that matter already."""
        ranked = sorted(names, key=lambda name: (cost(name), name not in self.found, name))
        return ranked[: self.helpers]

    def unified(self, schema: Schema, effect: Atom, atom: Atom) -> Binding | None:
        """Return how an action is bound where its effect is an atom; None where it cannot be."""
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

    def of(self, schema: Schema, effect: Atom, atom: Atom) -> Iterable[Binding]:
        """Return how the action can be bound so that its effect is the atom."""
        first = self.unified(schema, effect, atom)
        if first is None:
            return []
        changing = self.vocabulary.changing
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

    def _is_circular(self, schema: Schema, binding: Binding, wanted: Atom) -> bool:
        """Return whether the action needs what can only be brought about from what it is to bring about.

        Taking the mug off a table it does not stand on needs the mug put there, from the hand. What holds
        at first may well be used up and restored.
        """
        if self.holds((wanted, True)):
            return False
        for needed, sign in schema.needs:
            ground = grounded(needed, binding)
            if not sign or self.holds((ground, True)) or any(map(is_variable, ground.args)):
                continue
            ways = [
                (other, partial)
                for other, effect in self.achievers.get((ground.predicate, True), ())
                if (partial := self.unified(other, effect, ground)) is not None
            ]
            if ways and all(self._needs(other, partial, wanted) for other, partial in ways):
                return True
        return False

    def _needs(self, schema: Schema, binding: Binding, wanted: Atom) -> bool:
        """Return whether an action surely needs an atom; open terms are settled by types of one object."""
        for needed, sign in schema.needs:
            ground = grounded(needed, binding)
            if sign and ground.predicate == wanted.predicate:
                pairs = zip(ground.args, wanted.args, strict=True)
                if all(
                    a == b or (is_variable(a) and self.of_types(schema.kinds[a]) == [b])
                    for a, b in pairs
                ):
                    return True
        return False

    def _joined(self, needed: Atom, binding: Binding, schema: Schema) -> list[Binding]:
        """Bind the open terms of a precondition by the facts that satisfy it, where there are any."""
        ground = grounded(needed, binding)
        open_terms = [term for term in ground.args if is_variable(term)]
        static = needed.predicate not in self.vocabulary.changing
        if not open_terms:
            return [binding] if not static or self.holds((ground, True)) else []
        if len(open_terms) == len(ground.args) or len(ground.args) != 2:
            return [binding]
        term = open_terms[0]
        fitting = self._fitting(ground, schema.kinds[term])
        if len(fitting) > _MAX_JOINED:
            known = (name for name in fitting if name in self.found)
            few = [*islice(dict.fromkeys(chain(known, fitting)), _MAX_RANKED)]
            fitting = self.best(few, lambda name: self._lacking(schema, {**binding, term: name}))
        found = [{**binding, term: match} for match in fitting]
        # a fluent may also be brought about elsewhere
        return found if static else [*found, binding]

    def _fitting(self, ground: Atom, types: tuple[str, ...]) -> list[str]:
        """Return the things of some types that facts join to the bound argument of an atom, sorted."""
        key = ground, types
        if key not in self._joins:
            self._joins[key] = sorted(m for m in self._partners(ground) if self._is_a(m, types))
        return self._joins[key]

    def _partners(self, ground: Atom) -> Iterator[str]:
        """Yield the things that a fact joins to the bound one of an atom's two arguments."""
        subject, value = ground.args
        if is_variable(value):
            facts = (f for f in self.view.about(subject) if f.relation == ground.predicate)
            yield from (f.object for f in facts if f.object != FALSE)
        else:
            yield from (s for s in self.view.subjects(ground.predicate, value) if s != FALSE)

    def _completed(self, schema: Schema, binding: Binding) -> list[Binding]:
        """Give the parameters that no fact binds to the most suitable objects of their types.

        The types with the fewest objects come first: a basin settles the room, not the room the basin.
        """
        done = [binding]
        for term in sorted(schema.kinds, key=lambda t: len(self.of_types(schema.kinds[t]))):
            done = [full for partial in done for full in self._chosen(schema, partial, term)]
        return done[:_MAX_BINDINGS]

    def _chosen(self, schema: Schema, binding: Binding, term: str) -> list[Binding]:
        """Bind one parameter to each of the best objects for it."""
        if term in binding:
            return [binding]
        names = self.of_types(schema.kinds[term])
        likely = self._likely(names, binding, schema.kinds[term])
        best = self.best(likely, lambda name: self._unmet(schema, {**binding, term: name}))
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

    def _rejoined(self, schema: Schema, binding: Binding) -> list[Binding]:
        """After a choice, let static facts bind what they can (the room of the chosen basin)."""
        found = [binding]
        for needed, sign in schema.needs:
            if (
                sign
                and needed.predicate not in self.vocabulary.changing
                and needed.predicate != "="
            ):
                found = [b for partial in found for b in self._joined(needed, partial, schema)]
        return found

    def _unmet(self, schema: Schema, binding: Binding) -> float:
        """Return how many preconditions of a partly bound action do not hold."""
        unmet = self._lacking(schema, binding)
        for joined in self._rejoined(schema, binding)[:1]:
            if joined != binding:
                unmet += 0.5 * self._unmet(schema, joined)
                break
        return unmet

    def _lacking(self, schema: Schema, binding: Binding) -> float:
        """Return how many preconditions without open terms do not hold."""
        unmet = 0.0
        for needed, sign in schema.needs:
            ground = grounded(needed, binding)
            if not any(map(is_variable, ground.args)):
                static = needed.predicate not in self.vocabulary.changing
                unmet += 0 if self.holds((ground, sign)) else 10 if static else 1
        return unmet


def grounded(atom: Atom, binding: Mapping[str, str]) -> Atom:
    """Return an atom with what its terms are bound to."""
    return Atom(atom.predicate, tuple(binding.get(term, term) for term in atom.args))
