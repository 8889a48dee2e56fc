"""Sets of rows with an index on every column, and joins of them: what grounding is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from commonground.grounding.prolog.base.terms import Struct, Term, Var, args_of, key_of, match
from commonground.planning.pddl.relation import Relation as Indexed

Key = tuple[str, int]
"""A predicate: its name and how many arguments it has."""
Row = tuple[Term, ...]
Bound = dict[str, Term]
Fact = tuple[Term, ...]
"""A ground fact as (name, argument, …); hashed and compared a lot, so no class of its own."""


def fact_of(term: Term) -> Fact:
    """Return a term as a fact."""
    return (key_of(term)[0], *args_of(term))


def term_of(fact: Fact) -> Term:
    """Return a fact as a term."""
    name = str(fact[0])
    return Struct(name, fact[1:]) if len(fact) > 1 else name


class Relation(Indexed[Term]):
    """Rows of one length, in the order in which they came."""

    __slots__ = ("_order",)

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        super().__init__()
        self._order: list[Row] = []
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> bool:
        """Add a row; return whether it is new."""
        new = super().add(row)
        if new:
            self._order.append(row)
        return new

    def since(self, count: int) -> Sequence[Row]:
        """Return the rows that came after the first ones."""
        return self._order[count:]


@dataclass(frozen=True, slots=True)
class Atom:
    """A condition: some row of a relation matches the arguments."""

    relation: Relation
    args: tuple[Term, ...]

    def candidates(self, bound: Bound) -> tuple[int, Iterable[Row]]:
        """Return how many rows may match at most, and these rows."""
        best: Sequence[Row] | None = None
        values: list[Term] = []
        for column, arg in enumerate(self.args):
            value = bound.get(arg.name) if type(arg) is Var else arg
            if value is None or type(value) is Struct:
                continue
            values.append(value)
            rows = self.relation.find((column,), (value,))
            if best is None or len(rows) < len(best):
                best = rows
        if len(values) == len(self.args):
            row = tuple(values)
            return (1, (row,)) if row in self.relation.rows else (0, ())
        if best is None:
            return len(self.relation), self.relation.since(0)
        return len(best), best


def matched(args: tuple[Term, ...], row: Row, bound: Bound) -> Bound | None:
    """Return the bindings with those that make the arguments equal to a row, None where none do."""
    more = bound
    for arg, value in zip(args, row, strict=True):
        if type(arg) is Var:
            known = more.get(arg.name)
            if known is None:
                if more is bound:
                    more = dict(bound)
                more[arg.name] = value
            elif known != value:
                return None
        elif type(arg) is Struct:
            more = dict(more)
            if not match(arg, value, more):
                return None
        elif arg != value:
            return None
    return more


def join(atoms: Sequence[Atom], bound: Bound) -> Iterator[Bound]:
    """Yield all bindings under which all conditions hold; the condition with fewest rows comes next."""
    if not atoms:
        yield bound
        return
    best, rows, fewest = 0, None, None
    for i, atom in enumerate(atoms):
        count, candidates = atom.candidates(bound)
        if count == 0:
            return
        if fewest is None or count < fewest:
            best, rows, fewest = i, candidates, count
            if count == 1:
                break
    rest = [*atoms[:best], *atoms[best + 1 :]]
    for row in rows or ():
        more = matched(atoms[best].args, row, bound)
        if more is None:
            continue
        if rest:
            yield from join(rest, more)
        else:
            yield more


def is_of(fact: Fact, pattern: Term) -> bool:
    """Return whether a fact is of a pattern."""
    if key_of(pattern) != (fact[0], len(fact) - 1):
        return False
    return matched(args_of(pattern), fact[1:], {}) is not None


class Facts:
    """Facts by predicate, each with indexes."""

    def __init__(self) -> None:
        self._relations: dict[Key, Relation] = {}

    def relation(self, key: Key) -> Relation:
        """Return the facts of a predicate without its name."""
        if key not in self._relations:
            self._relations[key] = Relation()
        return self._relations[key]

    def add(self, fact: Fact) -> bool:
        """Add a fact; return whether it is new."""
        return self.relation((str(fact[0]), len(fact) - 1)).add(fact[1:])

    def __contains__(self, fact: Fact) -> bool:
        return fact[1:] in self.relation((str(fact[0]), len(fact) - 1)).rows

    def matching(self, pattern: Term) -> Iterator[Fact]:
        """Yield the facts of a pattern; a variable stands for anything, and is the same everywhere."""
        name, arity = key_of(pattern)
        args = args_of(pattern)
        for row in Atom(self.relation((name, arity)), args).candidates({})[1]:
            if matched(args, row, {}) is not None:
                yield (name, *row)

    def atom(self, pattern: Term) -> Atom:
        """Return the condition that some fact is of a pattern."""
        return Atom(self.relation(key_of(pattern)), args_of(pattern))

    def size(self, key: Key) -> int:
        """Return how many facts there are of a predicate."""
        return len(self.relation(key))
