"""Functional groups of facts, of which at most one holds: adding a fact retires what it replaces."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact, atom_of
from commonground.grounding.knowledge.index import Draft, View, objects
from commonground.grounding.knowledge.invariants import Invariant, Part, find_invariants
from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.planning.pddl import Atom
from commonground.planning.pddl.formula import OBJECT
from commonground.reasons import reason

Origin = Literal["proven", "observed", "given"]


@dataclass(frozen=True, slots=True)
class Group:
    """Of the facts of these parts with the same parameter, at most one holds."""

    parts: tuple[Part, ...]
    origin: Origin
    """``proven`` from the domain's actions, ``observed``: true of every fact so far, or ``given``."""
    exhaustive: bool
    """One of them always holds, though it may not be known which."""
    keys: frozenset[str] = frozenset()
    """The types of what it is about; nothing for any. What actions never do to others proves nothing of
    these: a robot has one hand, and people are not said to."""

    @property
    def relations(self) -> frozenset[str]:
        """The predicates that are counted together."""
        return frozenset(part.predicate for part in self.parts)


class Groups:
    """The functional groups of a vocabulary, and what they imply for a change."""

    def __init__(
        self,
        groups: Iterable[Group],
        kinds: Mapping[str, str] | None = None,
        vocabulary: Vocabulary | None = None,
    ) -> None:
        """Take the types of things, as far as known, and what predicates take, beside the groups."""
        self.all = tuple(groups)
        self.kinds = {} if kinds is None else kinds
        self.vocabulary = vocabulary
        self._by_relation: dict[str, list[tuple[Group, Part]]] = {}
        for group in self.all:
            for part in group.parts:
                self._by_relation.setdefault(part.predicate, []).append((group, part))

    @classmethod
    def derive(cls, vocabulary: Vocabulary, facts: Iterable[Fact]) -> Groups:
        """Return the invariants of the domain that the facts respect.

        About predicates that no action adds the domain says nothing; there a relation is taken to be
        functional where none of many facts speaks against it (`_observed`).
        """
        known = list(facts)
        proven = [
            Group(tuple(sorted(invariant.parts)), "proven", invariant.conserved)
            for invariant in find_invariants(vocabulary.domain)
            if _storable(invariant, vocabulary) and _respected(invariant, known)
        ]
        kept = [g for g in proven if g.exhaustive or not any(_within(g, o) for o in proven)]
        counted = {relation for group in kept for relation in group.relations}
        kept = [replace(g, keys=_acted_on(vocabulary, g)) for g in kept]
        return cls([*kept, *_observed(vocabulary, known, counted, _zones(vocabulary, kept))])

    @staticmethod
    def broken(vocabulary: Vocabulary, facts: Iterable[Fact]) -> list[tuple[Fact, Fact]]:
        """Return facts that break what all others respect of the domain's invariants, two by two.

        Such an invariant is not kept, so nothing replaces what it was about; mostly one of two is a mistake.
        """
        known, found = list(facts), []
        for invariant in find_invariants(vocabulary.domain):
            if _storable(invariant, vocabulary):
                clashes, counted = _clashes(invariant, known)
                twice = {first for first, _ in clashes}
                if 0 < len(twice) <= max(1, counted * _MISTAKES):
                    found += clashes
        return list(dict.fromkeys(found))

    def of(self, relation: str) -> list[tuple[Group, Part]]:
        """Return the groups a predicate belongs to, each with its part."""
        return self._by_relation.get(relation, [])

    def rivals(self, view: View, fact: Fact) -> list[Fact]:
        """Return the facts that cannot hold beside a fact."""
        found = [fact.opposite] if fact.is_property and fact.opposite in view else []
        if fact.object != FALSE:
            for group, part in self.of(fact.relation):
                key = _key(part, fact)
                if self._is_about(group, key):
                    found += [f for f in _members(view, group, key) if f != fact]
        return list(dict.fromkeys(found))

    def _is_about(self, group: Group, key: str) -> bool:
        return not group.keys or (kind := self.kinds.get(key)) is None or kind in group.keys

    def add(self, draft: Draft, fact: Fact) -> list[Fact]:
        """Add a fact to a draft and retire its rivals, which are returned."""
        rivals = self.rivals(draft, fact)
        for rival in rivals:
            draft.discard(rival)
            if rival.object == TRUE and rival.relation != fact.relation:
                draft.add(rival.opposite)
        draft.add(fact)
        for rival in rivals:
            self._restore(draft, rival)
        return rivals

    def remove(self, draft: Draft, fact: Fact) -> bool:
        """Remove a fact from a draft, with what follows; return whether it was there."""
        if not draft.discard(fact):
            return False
        if fact.is_property:
            self.add(draft, fact.opposite)
        else:
            self._restore(draft, fact)
        return True

    def _restore(self, draft: Draft, gone: Fact) -> None:
        """Where one of a group always holds and its last fact has gone, its property holds again.

        A gripper that lets go is free; a vessel that lost its content is empty. With no property in
        the group, which of its facts holds instead is unknown.
        """
        if gone.object == FALSE:
            return
        for group, part in self.of(gone.relation):
            key = _key(part, gone)
            free = [p for p in group.parts if p.arity == 1 and p.predicate != gone.relation]
            if not (group.exhaustive and self._is_about(group, key) and len(free) == 1):
                continue
            again = Fact(key, free[0].predicate, TRUE)
            if self._can_be(again) and not any(_members(draft, group, key)):
                draft.discard(again.opposite)
                draft.add(again)

    def _can_be(self, fact: Fact) -> bool:
        """Return whether a property takes what a group is about: it may be about things of several types."""
        known = self.vocabulary if fact.subject in self.kinds else None
        return known is None or known.problem(fact, self.kinds) is None

    def to_json(self) -> str:
        """Return the groups as text that `from_json` reads."""
        rows = [
            [
                [[p.predicate, list(p.order), p.arity] for p in g.parts],
                *(g.origin, g.exhaustive, sorted(g.keys)),
            ]
            for g in self.all
        ]
        return json.dumps(rows)

    @classmethod
    def from_json(
        cls, text: str, kinds: Mapping[str, str], vocabulary: Vocabulary | None = None
    ) -> Groups:
        """Read what `to_json` wrote; a file of an older version tells no types."""
        try:
            groups = (
                Group(
                    tuple(Part(n, tuple(o), a) for n, o, a in parts),
                    origin,
                    exhaustive,
                    frozenset(*keys),
                )
                for parts, origin, exhaustive, *keys in json.loads(text)
            )
            return cls(groups, kinds, vocabulary)
        except (ValueError, TypeError, RecursionError) as error:
            raise GroundingError(
                f"the memory is damaged: its groups of facts cannot be read: {reason(error)}; use a backup"
            ) from error


def _within(group: Group, other: Group) -> bool:
    """Return whether a group says nothing that another does not say too."""
    return {*group.parts} < {*other.parts}


def _storable(invariant: Invariant, vocabulary: Vocabulary) -> bool:
    """Return whether a group is about one thing and all its predicates have a fact form."""
    return all(len(p.order) == 1 and p.predicate in vocabulary.signatures for p in invariant.parts)


_MISTAKES = 0.1
"""Of so many of the things an invariant is about, facts that break it are taken for mistakes."""


def _respected(invariant: Invariant, facts: Iterable[Fact]) -> bool:
    """Return whether no more than one fact is counted for any value of the parameters."""
    return not _clashes(invariant, facts)[0]


def _clashes(invariant: Invariant, facts: Iterable[Fact]) -> tuple[list[tuple[Fact, Fact]], int]:
    """Return pairs of facts that an invariant counts together, and for how many values it counts any."""
    seen: dict[tuple[str, ...], Fact] = {}
    found = []
    for fact in facts:
        part, atom = invariant.part(fact.relation), atom_of(fact)
        if part is not None and atom is not None:
            key = part.key(atom.args)
            if seen.setdefault(key, fact) != fact:
                found.append((seen[key], fact))
    return found, len(seen)


_ENOUGH = 12
"""So many things must stand in a relation to one other each, and none to two, before it may not be two."""


def _observed(
    vocabulary: Vocabulary, facts: Sequence[Fact], counted: Collection[str], zones: frozenset[str]
) -> Iterator[Group]:
    """Yield a group for each relation that no action changes and that no fact speaks against.

    Either very many things stand in it, or it puts something into a zone, where nobody is in two at once.
    Who acts may have several of anything; there no object may have two subjects.
    """
    actors = _actors(vocabulary)
    lasting = (
        n for n in vocabulary.signatures if n not in vocabulary.changing and n not in counted
    )
    for name in lasting:
        signature = vocabulary.signatures[name]
        if signature.is_property:
            continue
        acting = [
            all(_is_below(vocabulary, k, actors) for k in kinds) for kinds in signature.arguments
        ]
        at = int(acting == [True, False])
        used = [(fact.subject, fact.object)[at] for fact in facts if fact.relation == name]
        placed = at == 0 and all(_is_below(vocabulary, k, zones) for k in signature.arguments[1])
        if _has_each_once(used, 1 if placed else _ENOUGH):
            yield Group((Part(name, (at,), 2),), "observed", False)


def _has_each_once(names: Sequence[str], least: int) -> bool:
    return len(names) >= least and len(names) == len(set(names))


def _is_below(vocabulary: Vocabulary, kind: str, others: Collection[str]) -> bool:
    return not {kind, *vocabulary.types.ancestors(kind)}.isdisjoint(others)


def _zones(vocabulary: Vocabulary, proven: Iterable[Group]) -> frozenset[str]:
    """Return the types of where those are who act, of whom it is proven that they are in one place."""
    actors = _actors(vocabulary)
    return frozenset(
        kind
        for group in proven
        for part in group.parts
        if part.order == (0,) and part.arity == 2
        for subjects, kinds in [vocabulary.signatures[part.predicate].arguments]
        if all(any(_is_below(vocabulary, a, [s]) for a in actors) for s in subjects)
        for kind in kinds
        if kind != OBJECT
    )


def _acted_on(vocabulary: Vocabulary, group: Group) -> frozenset[str]:
    """Return the types of those to whom actions bring what only one of may be with them; nothing for all."""
    at = {part.predicate: part.order[0] for part in group.parts}
    if all(part.order == (0,) for part in group.parts):
        return frozenset()  # where a thing is, whoever puts it there
    found: set[str] = set()
    for action in vocabulary.domain.actions:
        kinds = {p.name: p.types for p in action.parameters}
        for effect in action.effects:
            atom = effect.change
            if isinstance(atom, Atom) and atom.predicate in at:
                found.update(kinds.get(atom.args[at[atom.predicate]], (OBJECT,)))
    if not found or OBJECT in found:
        return frozenset()
    return frozenset(k for k in vocabulary.types.parents if _is_below(vocabulary, k, found))


def _actors(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the types that more than half of all actions have first: those of who acts."""
    first = [a.parameters[0].types for a in vocabulary.domain.actions if a.parameters]
    counts = Counter(kind for kinds in first for kind in kinds)
    return frozenset(kind for kind, count in counts.items() if 2 * count > len(first))


def _key(part: Part, fact: Fact) -> str:
    return fact.subject if part.order == (0,) else fact.object


def _members(view: View, group: Group, key: str) -> Iterator[Fact]:
    """Yield the facts of a group that hold for its parameter."""
    for part in group.parts:
        if part.arity == 1:
            if Fact(key, part.predicate, TRUE) in view:
                yield Fact(key, part.predicate, TRUE)
        elif part.order == (0,):
            for value in objects(view, key, part.predicate):
                yield Fact(key, part.predicate, value)
        else:
            for subject in sorted(view.subjects(part.predicate, key)):
                yield Fact(subject, part.predicate, key)
