"""What actions begin and end together: inverses, what a fact entails, what it replaces."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple, TypeAlias

from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.grounding.memory.ontology.deeds import Deed, Seat, deed_of
from commonground.planning.pddl import Action, Atom

Kinds: TypeAlias = tuple[tuple[str, ...], ...]
"""The types that an action takes for each argument of a fact."""
Entailed: TypeAlias = tuple[bool, str, tuple[int, ...]]
"""Whether a fact begins, its predicate, and where in another fact its arguments are; -1: the world's."""


class Mover(NamedTuple):
    """What an action moves: where it stands in the relation that tells so, and its types."""

    seat: Seat
    kinds: tuple[str, ...]


class Effects:
    """Reads the actions of a domain for what changes together."""

    def __init__(self, vocabulary: Vocabulary, silent: Collection[str] = ()) -> None:
        """Read a domain; ``silent`` predicates are not spoken of."""
        self.vocabulary = vocabulary
        self.signatures = {r: s for r, s in vocabulary.signatures.items() if r not in silent}
        actions = [a for a in vocabulary.domain.actions if isinstance(a, Action)]
        self.deeds = [deed_of(action, self.signatures) for action in actions]
        self.binary = [r for r, s in self.signatures.items() if not s.is_property]

    def is_a(self, kind: str, kinds: Iterable[str]) -> bool:
        """Return whether a type is one of some types or below one of them."""
        wanted = tuple(kinds)
        return bool(wanted) and self.vocabulary.is_a(kind, *wanted)

    @cached_property
    def together(self) -> frozenset[frozenset[str]]:
        """The pairs of relations that one action brings about for the same thing."""
        return frozenset(
            frozenset((one.predicate, other.predicate))
            for deed in self.deeds
            for one, other in product(deed.adds, deed.adds)
            if one != other and {*one.args} & {*other.args}
        )

    @cached_property
    def inverses(self) -> dict[str, str]:
        """The relations that say the same the other way round: all actions begin and end both at once."""
        found = {}
        for one, other in product(self.binary, self.binary):
            begun = [(_pairs(d.adds, one), _pairs(d.adds, other)) for d in self.deeds]
            ended = [(_pairs(d.deletes, one), _pairs(d.deletes, other)) for d in self.deeds]
            same = all(a == {(y, x) for x, y in b} for a, b in (*begun, *ended))
            if one != other and same and any(a for a, _ in (*begun, *ended)):
                found[one] = other
        return found

    @cached_property
    def changed(self) -> frozenset[Seat]:
        """What stands in a relation to one thing at a time: an action puts another in its place."""
        return frozenset(
            Seat(come.predicate, at)
            for deed in self.deeds
            for gone, come in product(deed.deletes, deed.adds)
            if gone.predicate == come.predicate and len(come.args) == 2 and gone != come
            for at in (0, 1)
            if gone.args[at] == come.args[at] and not self._is_added_to(Seat(come.predicate, at))
        )

    @cached_property
    def moved_along(self) -> tuple[tuple[Mover, Mover], ...]:
        """What one action moves from one place to another together: a driver, and the van."""
        pairs = (
            (one, other)
            for deed in self.deeds
            for (one, thing, way), (other, companion, same) in product(_moves(deed), _moves(deed))
            if thing != companion and way == same
        )
        return tuple(dict.fromkeys(pairs))

    def attended(self, kind: str, seat: Seat, actor: str) -> frozenset[Seat]:
        """Return where an actor must be for a thing of a type to come somewhere, in each action for that."""
        ways = [
            frozenset(
                Seat(need.predicate, at)
                for need in deed.needs
                if len(need.args) == 2
                for at in (0, 1)
                if need.args[1 - at] == come.args[seat.other]
                and need.args[at] != come.args[seat.at]
                and self.is_a(actor, deed.kinds.get(need.args[at], ()))
            )
            for deed in self.deeds
            for come in deed.adds
            if come.predicate == seat.relation
            and len(come.args) == 2
            and self.is_a(kind, deed.kinds.get(come.args[seat.at], ()))
        ]
        return frozenset.intersection(*ways) if ways else frozenset()

    def _is_added_to(self, seat: Seat) -> bool:
        """Return whether an action brings something to what stands there and ends nothing of that.

        Who exchanges what he carries may carry more where others just take up things.
        """
        return any(
            come.predicate == seat.relation
            and len(come.args) == 2
            and not any(come.args[seat.at] in gone.args for gone in deed.deletes)
            for deed in self.deeds
            for come in deed.adds
        )

    def entailed(self, relation: str, kinds: Sequence[str]) -> frozenset[Entailed]:
        """Return what else all actions bring about that make a relation so: what is filled is not clean."""
        return self._in_common(self._begun.get(relation, ()), kinds)

    def left(self, relation: str, kinds: Sequence[str]) -> frozenset[Entailed]:
        """Return what else all actions bring about that end a relation: a berth that is left is free."""
        return self._in_common(self._ended.get(relation, ()), kinds)

    def _in_common(
        self, ways: Sequence[tuple[Kinds, frozenset[Entailed]]], kinds: Sequence[str]
    ) -> frozenset[Entailed]:
        """Return what several actions entail, of those only that may be done with things of some types.

        Who takes a thing has a hand less; who is handed one and has no hands to count has none.
        """
        own = [found for takes, found in ways if all(map(self.is_a, kinds, takes))]
        common = frozenset.intersection(*(own or [found for _, found in ways])) if ways else ()
        return frozenset(e for e in common if self._may_bear(e, kinds))

    def _may_bear(self, entailed: Entailed, kinds: Sequence[str]) -> bool:
        """Return whether things of some types may be in a state that a fact about them entails."""
        _, state, at = entailed
        takes = self.signatures[state].arguments
        return all(a < 0 or self.is_a(kinds[a], t) for a, t in zip(at, takes, strict=False))

    @cached_property
    def _begun(self) -> dict[str, list[tuple[Kinds, frozenset[Entailed]]]]:
        return self._ways((deed, atom) for deed in self.deeds for atom in deed.adds)

    @cached_property
    def _ended(self) -> dict[str, list[tuple[Kinds, frozenset[Entailed]]]]:
        return self._ways((deed, atom) for deed in self.deeds for atom in deed.deletes)

    def _ways(
        self, changed: Iterable[tuple[Deed, Atom]]
    ) -> dict[str, list[tuple[Kinds, frozenset[Entailed]]]]:
        """Return of each relation what the actions that change it bring about else of the same things."""
        bearers = self.vocabulary.bearers
        of_world = bearers.kinds.keys() if bearers is not None else frozenset[str]()
        found: dict[str, list[tuple[Kinds, frozenset[Entailed]]]] = {}
        for deed, atom in changed:
            changes = [*((True, a) for a in deed.adds), *((False, a) for a in deed.deletes)]
            takes = tuple(deed.kinds.get(x, ()) for x in atom.args)
            entailed = frozenset(
                (holds, a.predicate, tuple(_index(atom, x) for x in a.args))
                for holds, a in changes
                if a != atom and ({*a.args} <= {*atom.args} or a.predicate in of_world)
            )
            found.setdefault(atom.predicate, []).append((takes, entailed))
        return found

    def puts(self, kind: str, seat: Seat) -> bool:
        """Return whether some action brings things of a type to stand at an argument of a relation."""
        for deed in self.deeds:
            for come in deed.adds:
                if come.predicate == seat.relation and len(come.args) == 2:
                    kinds = deed.kinds.get(come.args[seat.at], ())
                    if self.is_a(kind, kinds) or any(self.is_a(k, (kind,)) for k in kinds):
                        return True
        return False

    def kept_with(self, relation: str) -> frozenset[str]:
        """Return the relations that all actions need and keep that make one so: what is plugged in hangs."""
        deeds = [d for d in self.deeds if any(a.predicate == relation for a in d.adds)]
        kept = [{a.predicate for a in d.needs} - {a.predicate for a in d.deletes} for d in deeds]
        return frozenset(set.intersection(*kept)) if kept else frozenset()


def _moves(deed: Deed) -> list[tuple[Mover, str, tuple[str, str]]]:
    """Return what an action moves: as what, and from where to where."""
    return [
        (
            Mover(Seat(come.predicate, at), tuple(deed.kinds.get(come.args[at], ()))),
            come.args[at],
            (gone.args[1 - at], come.args[1 - at]),
        )
        for gone, come in product(deed.deletes, deed.adds)
        if gone.predicate == come.predicate and len(come.args) == 2
        for at in (0, 1)
        if gone.args[at] == come.args[at] and gone != come
    ]


def _index(atom: Atom, variable: str) -> int:
    """Return which argument of an atom a variable is; -1 for that of a state of the world itself."""
    return atom.args.index(variable) if variable in atom.args else -1


def _pairs(atoms: Iterable[Atom], relation: str) -> set[tuple[str, ...]]:
    return {atom.args for atom in atoms if atom.predicate == relation}
