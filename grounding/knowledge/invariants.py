"""At-most-one groups of a lifted domain, found by counting what actions add and delete.

The monotonicity invariants of M. Helmert, "Concise finite-domain representations for PDDL planning
tasks", Artificial Intelligence 173 (2009), section 5: guess which atoms with the same parameters are
counted together, check that no action can add more of them than it surely takes away, and where one
does, extend the guess by what that action deletes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from commonground.planning.pddl import Action, And, Atom, Domain, Not, TypeTree
from commonground.planning.pddl.formula import Effect, Formula, is_variable, negated_atom

_MAX_CANDIDATES = 2000


@dataclass(frozen=True, slots=True, order=True)
class Part:
    """A predicate of a group: ``order[i]`` is where the group's i-th parameter stands in its arguments.

    At most one position is left over; all values of it are counted together.
    """

    predicate: str
    order: tuple[int, ...]
    arity: int

    @property
    def counted(self) -> int | None:
        """The position that is no parameter of the group."""
        left = set(range(self.arity)) - set(self.order)
        return next(iter(left), None)

    def key(self, args: Sequence[str]) -> tuple[str, ...]:
        """Return the group's parameters for an atom's arguments."""
        return tuple(args[position] for position in self.order)


Candidate = frozenset[Part]
"""Parts that may be counted together."""


@dataclass(frozen=True, slots=True)
class Invariant:
    """For each value of the parameters at most one atom of the parts holds."""

    parts: Candidate
    conserved: bool = False
    """No action lowers the number: where one atom holds, one always will."""

    def part(self, predicate: str) -> Part | None:
        return next((p for p in self.parts if p.predicate == predicate), None)


def find_invariants(domain: Domain) -> tuple[Invariant, ...]:
    """Return the invariants no action of the domain can break, smallest first.

    Predicates that no action adds are left out: about them the domain says nothing.
    """
    actions = [_Schema(a, TypeTree(domain.types)) for a in domain.actions if isinstance(a, Action)]
    found = _unbreakable(_guesses(domain, actions), actions)
    _join(found, actions)
    kept = [
        Invariant(parts, all(schema.conserves(parts) for schema in actions))
        for parts in found
        if len(parts) > 1 or any(p.counted is not None for p in parts)
    ]
    return tuple(sorted(kept, key=lambda i: (len(i.parts), sorted(i.parts))))


def _guesses(domain: Domain, actions: Sequence[_Schema]) -> Iterator[Candidate]:
    """Yield each predicate that some action adds, counted by itself in every way."""
    added = {atom.predicate for schema in actions for atom, _ in schema.adds} - {*domain.derived}
    for predicate in domain.predicates:
        if predicate.name in added:
            for part in _starts(predicate.name, len(predicate.parameters)):
                yield frozenset((part,))


def _unbreakable(guesses: Iterable[Candidate], actions: Sequence[_Schema]) -> list[Candidate]:
    """Return the guesses that no action breaks, and the least extensions of the others that none does."""
    queue = deque(guesses)
    seen, found = set(queue), []
    while queue and len(seen) < _MAX_CANDIDATES:
        parts = queue.popleft()
        broken = next(filter(None, (schema.breaks(parts) for schema in actions)), None)
        if broken is None:
            found.append(parts)
            continue
        new = dict.fromkeys(parts for parts in broken.repairs() if parts not in seen)
        seen.update(new)
        queue.extend(new)
    return found


def _join(found: list[Candidate], actions: Sequence[_Schema]) -> None:
    """Add what two overlapping groups are together, where no action breaks that either.

    The published search only adds what balances an action, so places that nothing is ever taken from end
    up in groups of their own: on the shelf or in the hand, given away or in the hand, but not all three.
    """
    seen = set(found)
    queue = deque(combinations(list(found), 2))
    while queue and len(seen) < _MAX_CANDIDATES:
        one, other = queue.popleft()
        both = one | other
        named = {part.predicate for part in both}
        if not one & other or both in seen or len(named) < len(both):
            continue
        seen.add(both)
        if not any(schema.breaks(both) for schema in actions):
            queue.extend((both, parts) for parts in found)
            found.append(both)


def _starts(predicate: str, arity: int) -> Iterator[Part]:
    """Yield a predicate counted over nothing and over each of its arguments."""
    positions = tuple(range(arity))
    yield Part(predicate, positions, arity)
    for counted in positions:
        yield Part(predicate, tuple(p for p in positions if p != counted), arity)


@dataclass(frozen=True, slots=True)
class _Breach:
    """An action adds ``atom`` to a group and deletes nothing of it for sure."""

    parts: Candidate
    key: tuple[str, ...]
    deletes: tuple[Atom, ...]

    def repairs(self) -> Iterator[Candidate]:
        """Yield the groups that also count one of the atoms the action deletes."""
        known = {part.predicate for part in self.parts}
        for atom in self.deletes:
            if atom.predicate in known or len(atom.args) - len(self.key) not in (0, 1):
                continue
            if any(atom.args.count(term) != 1 for term in self.key):
                continue
            order = tuple(atom.args.index(term) for term in self.key)
            yield self.parts | {Part(atom.predicate, order, len(atom.args))}


class _Schema:
    """What one action asks and changes, as lists of atoms."""

    def __init__(self, action: Action, types: TypeTree) -> None:
        self.types = types
        self.kinds = {typed.name: typed.types for typed in action.parameters}
        self.needs, self.forbids = literals(action.precondition)
        self.adds: list[tuple[Atom, Effect]] = []
        self.deletes: list[tuple[Atom, Effect]] = []
        for effect in action.effects:
            self.kinds |= {typed.name: typed.types for typed in effect.parameters}
            negative = negated_atom(effect.change)
            if negative is not None:
                self.deletes.append((negative, effect))
            elif isinstance(effect.change, Atom):
                self.adds.append((effect.change, effect))

    def breaks(self, parts: Candidate) -> _Breach | None:
        """Return how this action can raise the number of a group above one, or None if it cannot."""
        by_name = {part.predicate: part for part in parts}
        adds = [(a, e, by_name[a.predicate]) for a, e in self.adds if a.predicate in by_name]
        if any(self._add_two(by_name, one, other) for one, other in combinations(adds, 2)):
            return _Breach(parts, (), ())
        for atom, effect, part in adds:
            key = part.key(atom.args)
            sure = self._sure(atom, effect, key)
            if effect.parameters and not all(x.name in key for x in effect.parameters):
                return _Breach(parts, (), ())
            if not any(self._covers(by_name, d, key) for d in sure) and atom not in self._held(
                effect
            ):
                return _Breach(parts, key, tuple(sure))
        return None

    def conserves(self, parts: Candidate) -> bool:
        """Return whether every atom of a group that this action deletes is replaced by one of the group."""
        by_name = {part.predicate: part for part in parts}
        for atom, effect in self.deletes:
            part = by_name.get(atom.predicate)
            if part is None:
                continue
            replaced = any(
                self._covers(by_name, added, part.key(atom.args))
                for added, other in self.adds
                if other.condition in (And(), effect.condition)
            )
            if not replaced:
                return False
        return True

    def _held(self, effect: Effect) -> list[Atom]:
        """Return the atoms that hold whenever an effect happens."""
        return [*self.needs, *literals(effect.condition)[0]]

    def _sure(self, atom: Atom, effect: Effect, key: tuple[str, ...]) -> list[Atom]:
        """Return the atoms that surely become false when an effect makes ``atom`` true."""
        held = self._held(effect)
        return [
            deleted
            for deleted, other in self.deletes
            if deleted in held
            and deleted != atom
            and other.condition in (And(), effect.condition)
            and all(p.name in key for p in other.parameters)
        ]

    @staticmethod
    def _covers(by_name: dict[str, Part], atom: Atom, key: tuple[str, ...]) -> bool:
        part = by_name.get(atom.predicate)
        return part is not None and part.key(atom.args) == key

    def _add_two(
        self,
        by_name: dict[str, Part],
        one: tuple[Atom, Effect, Part],
        other: tuple[Atom, Effect, Part],
    ) -> bool:
        """Return whether this action can add two members of a group, and can happen then.

        Where it would need two members at once, as a hand-over to oneself would, it never happens.
        """
        (a, e, p), (b, f, q) = one, other
        key = p.key(a.args)
        if not self._both(a, e, key, b, f, q.key(b.args)):
            return False
        same = self._unified(key, q.key(b.args)) or {}
        wanted = tuple(same.get(term, term) for term in key)
        held = {_renamed(x, same) for x in (*self._held(e), *self._held(f))}
        needed = [x for x in held if x.predicate in by_name]
        return sum(by_name[x.predicate].key(x.args) == wanted for x in needed) < 2

    def _both(
        self, a: Atom, e: Effect, key_a: Sequence[str], b: Atom, f: Effect, key_b: Sequence[str]
    ) -> bool:
        """Return whether two added atoms can be different members of one group at once."""
        same = self._unified(key_a, key_b)
        if same is None:
            return False
        first, second = _renamed(a, same), _renamed(b, same)
        if first == second:
            return False
        needs = {_renamed(x, same) for x in (*self._held(e), *self._held(f))}
        clash = {
            _renamed(x, same)
            for x in (*self.forbids, *literals(e.condition)[1], *literals(f.condition)[1])
        }
        equal = {x for x in clash if x.predicate == "=" and len(set(x.args)) == 1}
        return not (needs & clash) and not equal

    def _unified(self, left: Sequence[str], right: Sequence[str]) -> dict[str, str] | None:
        """Return the renaming that makes two lists of terms equal, or None where types forbid it."""
        names: dict[str, str] = {}

        def root(term: str) -> str:
            while term in names:
                term = names[term]
            return term

        for a, b in zip(left, right, strict=True):
            x, y = root(a), root(b)
            if x == y:
                continue
            if not is_variable(x) and not is_variable(y):
                return None
            if not self._may_be_same(x, y):
                return None
            source, target = (x, y) if is_variable(x) else (y, x)
            names[source] = target
        return {term: root(term) for term in names}

    def _may_be_same(self, x: str, y: str) -> bool:
        a, b = self.kinds.get(x), self.kinds.get(y)
        return a is None or b is None or self.types.overlap(a, b)


def _renamed(atom: Atom, names: dict[str, str]) -> Atom:
    return Atom(atom.predicate, tuple(names.get(term, term) for term in atom.args))


def literals(formula: Formula) -> tuple[list[Atom], list[Atom]]:
    """Return the atoms a conjunction surely asks for and those it surely forbids."""
    if isinstance(formula, Atom):
        return [formula], []
    if isinstance(formula, Not) and isinstance(formula.body, Atom):
        return [], [formula.body]
    needs: list[Atom] = []
    forbids: list[Atom] = []
    if isinstance(formula, And):
        for part in formula.parts:
            more, less = literals(part)
            needs += more
            forbids += less
    return needs, forbids
