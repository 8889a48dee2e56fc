"""Who acts in a domain, and where, by what its actions need and move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product

from commonground.grounding.memory.ontology.action_effects import Effects
from commonground.grounding.memory.ontology.deeds import Deed, Seat
from commonground.grounding.memory.ontology.predicate_names import names_somebody
from commonground.planning.pddl import Atom


class Acting(Effects):
    """Reads a domain for who acts, and where."""

    # ---- types ----------------------------------------------------------------------------------

    def fits(self, kind: str, relation: str, at: int) -> bool:
        """Return whether things of a type may stand at an argument of a predicate."""
        return self.vocabulary.is_a(kind, *self.signatures[relation].arguments[at])

    def fits_some(self, seat: Seat, kinds: Iterable[str]) -> bool:
        """Return whether things of one of some types may stand at an argument of a predicate."""
        return any(self.fits(kind, seat.relation, seat.at) for kind in kinds)

    def takes_anything(self, seat: Seat) -> bool:
        """Return whether things of all types may stand at an argument, so that its types tell nothing."""
        names = {t.name for t in self.vocabulary.domain.types} - {"object"}
        taken = self.signatures[seat.relation].arguments[seat.at]
        return "object" in taken or all(self.is_a(name, taken) for name in names)

    def _kinds_at(self, seat: Seat) -> Sequence[str]:
        """Return the types of what stands at an argument of a relation."""
        return self.signatures[seat.relation].arguments[seat.at]

    def _all(self, relation: str, at: int, kinds: Iterable[str]) -> bool:
        wanted = tuple(kinds)
        return all(self.is_a(t, wanted) for t in self.signatures[relation].arguments[at])

    # ---- who acts, and where --------------------------------------------------------------------

    @cached_property
    def going(self) -> Seat | None:
        """Who is moved by an action and needed by most, in the relation that says where he is."""
        moved: Counter[Seat] = Counter()
        for deed in self.deeds:
            for gone, come in product(deed.deletes, deed.adds):
                if gone.predicate == come.predicate and len(gone.args) == len(come.args) == 2:
                    same = [at for at in (0, 1) if gone.args[at] == come.args[at]]
                    if len(same) == 1:
                        moved[Seat(come.predicate, same[0])] += 1
        acting = self._in_all
        goes = [s for s in moved if self._acts(s, acting) and not self._is_passing(s)]
        people = [s for s in goes if any(map(self._is_called_somebody, self._kinds_at(s)))]
        return max(people or goes, key=self._needed, default=None)

    def _is_passing(self, seat: Seat) -> bool:
        """Return whether a relation moves things from one person to another, and nobody anywhere."""
        kinds = self.signatures[seat.relation].arguments[seat.other]
        return all(map(self._is_called_somebody, kinds))

    @cached_property
    def _in_all(self) -> frozenset[str]:
        """The types of people or robots of which every action needs somebody."""
        needed = [{k for kinds in deed.kinds.values() for k in kinds} for deed in self.deeds]
        common = set.intersection(*needed) if needed else set[str]()
        return frozenset(k for k in common if self._is_called_somebody(k))

    def _acts(self, seat: Seat, acting: Iterable[str]) -> bool:
        """Return whether those move by themselves who are moved in a relation: no cars that are driven."""
        kinds, wanted = self.signatures[seat.relation].arguments[seat.at], tuple(acting)
        if wanted:
            return self._meets(kinds, wanted)
        called = any(map(self._is_called_somebody, kinds))
        if called or self.nameless:
            return called
        return 2 * self._needed(seat) >= len(self.deeds)

    @cached_property
    def nameless(self) -> frozenset[str]:
        """The states of where who acts is that has no name: all that an action does is to move them."""
        return frozenset(
            come.predicate
            for deed in self.deeds
            for gone, come in product(deed.deletes, deed.adds)
            if gone.predicate == come.predicate and gone.args != come.args
            if len(gone.args) == len(deed.adds) == len(deed.deletes) == 1
        )

    def _needed(self, seat: Seat) -> int:
        kinds = self.signatures[seat.relation].arguments[seat.at]
        return sum(any(self._meets(k, kinds) for k in deed.kinds.values()) for deed in self.deeds)

    def _meets(self, some: Iterable[str], others: Iterable[str]) -> bool:
        return any(self.is_a(t, others) for t in some) or any(self.is_a(t, some) for t in others)

    @cached_property
    def robots(self) -> frozenset[str]:
        """Types of who acts: of whom some action moves alone, and not what is moved by them."""
        going = self.going
        if going is None or self.takes_anything(going):
            return self._in_all  # a rack that is pushed somewhere acts no more than others do
        alone = [moved[0] for moved in map(self._moved, self.deeds) if len(moved) == 1]
        kinds = {kind for kinds in alone for kind in kinds}
        kinds = self._covered(kinds or {*self.signatures[going.relation].arguments[going.at]})
        # where who acts has no name, boats and animals that he moves do not act
        acting = frozenset(k for k in kinds if self._is_called_somebody(k) or self._is_in_all(k))
        if acting or any(self._is_called_somebody(t.name) for t in self.vocabulary.domain.types):
            return acting  # people drive what only some actions need
        return frozenset(filter(self._attends, kinds))

    def _is_in_all(self, kind: str) -> bool:
        """Return whether every action is done by one of a type, or to one."""
        parts = ((k for kinds in deed.kinds.values() for k in kinds) for deed in self.deeds)
        return all(any(self._meets((kind,), (k,)) for k in of) for of in parts)

    def _attends(self, kind: str) -> bool:
        """Return whether some action needs one of a type to be where it happens, and does not move it."""
        going = self.going
        return going is not None and any(
            atom.predicate == going.relation
            and atom not in deed.deletes
            and self._meets((kind,), deed.kinds.get(atom.args[going.at], ()))
            for deed in self.deeds
            for atom in deed.needs
        )

    def _moved(self, deed: Deed) -> list[tuple[str, ...]]:
        """Return the types of what an action moves from one place to another."""
        going = self.going
        gone = {
            atom.args[going.at]
            for atom in (deed.deletes if going is not None else ())
            if going is not None and atom.predicate == going.relation
        }
        come = {
            atom.args[going.at]
            for atom in (deed.adds if going is not None else ())
            if going is not None and atom.predicate == going.relation
        }
        return [deed.kinds[name] for name in sorted(gone & come) if name in deed.kinds]

    def _covered(self, kinds: set[str]) -> set[str]:
        """Return types with those above them that have no other types below."""
        names = {t.name for t in self.vocabulary.domain.types}
        known = {name for name in names if self.is_a(name, kinds)} | kinds
        return (known | {name for name in names if self._leaves(name) <= known}) - {"object"}

    def _leaves(self, kind: str) -> set[str]:
        """Return the types below one that have none below them; itself, where it is one of these."""
        names = {t.name for t in self.vocabulary.domain.types}
        above = {name: self.vocabulary.types.ancestors(name) - {name} for name in names}
        inner = {name for found in above.values() for name in found}
        return {name for name in names - inner if kind == name or kind in above[name]}

    @cached_property
    def zones(self) -> frozenset[str]:
        """Types of where who acts can go."""
        going = self.going
        if going is None:
            return frozenset()
        kinds = self.signatures[going.relation].arguments[going.other]
        if self.takes_anything(Seat(going.relation, going.other)):
            # everything is in something, so the actions tell where somebody can go
            ways = [
                deed.kinds[to.args[going.other]] for deed in self.deeds for to in self._gone(deed)
            ]
            kinds = tuple(k for way in ways for k in way) or kinds
        return frozenset(kinds)

    def _gone(self, deed: Deed) -> Iterator[Atom]:
        """Yield where an action takes somebody."""
        going = self.going
        for come in deed.adds if going is not None else ():
            if going is not None and come.predicate == going.relation:
                mover = deed.kinds[come.args[going.at]]
                if all(map(self._is_called_somebody, mover)):
                    yield come

    def _is_called_somebody(self, kind: str) -> bool:
        return names_somebody({kind, *self.vocabulary.types.ancestors(kind)})

    def takes_doer(self, relation: str) -> bool:
        """Return whether whoever brings a thing to a zone goes there too: a van is driven there."""
        going = self.going
        begun = [(d, a) for d in self.deeds for a in d.adds if a.predicate == relation]
        return bool(begun and going) and all(
            any(
                going is not None
                and come.predicate == going.relation
                and come.args[going.other] in atom.args
                and come.args[going.at] not in atom.args
                for come in deed.adds
            )
            for deed, atom in begun
        )
