"""Ground actions for planning: first those that the goal seems to need, then more, in the end all.

Grounding everything is what makes large bases slow: four moves of 20 blocks over 24 positions have some
fourteen million instances, of which a plan needs a handful. So we work back from the goal: a fact that
is wanted asks for actions that add it, a condition of such an action that does not hold is wanted next, and
a fact in the way is wanted gone. Where many instances would do, only the most promising are kept; each
further round keeps more, and the last one keeps all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from commonground.grounding.prolog.lifted import Lifted
from commonground.grounding.prolog.relations import (
    Atom,
    Bound,
    Fact,
    Relation,
    fact_of,
    join,
    matched,
    term_of,
)
from commonground.grounding.prolog.terms import (
    Term,
    args_of,
    is_ground,
    key_of,
    substitute,
)

Key = tuple[str, int]
Residual = Callable[[Sequence[tuple[tuple[Term, ...], Bound]]], list[list[Bound]]]
"""Evaluates grounding goals under bindings in Prolog: the bindings that solve each."""


@dataclass(frozen=True, slots=True)
class Forbidden:
    """No fact of a pattern may hold, apart from some that an earlier stage of the action removes."""

    pattern: Term
    but: frozenset[Fact] = frozenset()


@dataclass(frozen=True, slots=True)
class Op:
    """A ground action or step: what it needs, what must not hold, what holds and does not hold afterwards."""

    heads: tuple[Fact, ...]
    """The steps it consists of."""
    needs: frozenset[Fact]
    forbids: tuple[Forbidden, ...]
    adds: frozenset[Fact]
    deletes: frozenset[Fact]


@dataclass(frozen=True, slots=True)
class Breadth:
    """How many instances are looked at."""

    choices: float
    """Most instances of one action for one wanted fact."""
    again: bool
    """Whether what holds at the beginning and is lost on the way is wanted again."""
    most: int
    """Most instances altogether."""
    all: bool = False
    """Whether every instance of possible facts is kept."""


class TooMany(Exception):
    """There are more instances than a breadth allows."""


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
        """Add a fact; tell whether it is new."""
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

    def size(self, keys: frozenset[Key]) -> int:
        """Return how many facts there are of some predicates."""
        return sum(len(self.relation(key)) for key in keys)


class Grounder:
    """Finds the instances of actions for a goal."""

    def __init__(
        self,
        lifted: Sequence[Lifted],
        init: Sequence[Fact],
        goal: Sequence[Term],
        residual: Residual,
        barred: frozenset[Fact] = frozenset(),
    ) -> None:
        self._lifted = lifted
        self._init = frozenset(init)
        self._goal = tuple(goal)
        self._residual = residual
        self._barred = barred
        """Heads of actions that turned out not to work."""

    def ops(self, breadth: Breadth) -> list[Op]:
        """Return the instances of one breadth; TooMany where they are more than it allows."""
        search = _Search(self, breadth)
        return search.everything() if breadth.all else search.wanted()


class _Search:
    def __init__(self, grounder: Grounder, breadth: Breadth) -> None:
        self.g, self.breadth = grounder, breadth
        self.facts = Facts()
        for fact in grounder._init:
            self.facts.add(fact)
        self.start = Facts()
        for fact in grounder._init:
            self.start.add(fact)
        self.found: dict[tuple[Fact, ...], Op] = {}
        self.lost: set[Fact] = set()
        self.keys = [frozenset(map(key_of, lifted.needs)) for lifted in grounder._lifted]
        self._seen: dict[tuple[Term, bool, int], int] = {}
        self._goal_facts = frozenset(fact_of(g) for g in grounder._goal if is_ground(g))

    # ---- everything ----

    def everything(self) -> list[Op]:
        """Return all instances whose conditions are possible, until nothing new becomes possible."""
        grown = -1
        while grown != len(self.found):
            grown = len(self.found)
            for lifted in self.g._lifted:
                for op in self._instances(lifted, {}):
                    self._keep(op)
        return list(self.found.values())

    # ---- what is wanted ----

    def wanted(self) -> list[Op]:
        """Return the instances that wanted facts ask for, until nothing more is wanted."""
        grown = -1
        while grown != len(self.found):
            grown = len(self.found)
            for pattern, holds in self._wishes():
                for number, lifted in enumerate(self.g._lifted):
                    self._fulfil(pattern, holds, number, lifted)
        return list(self.found.values())

    def _wishes(self) -> list[tuple[Term, bool]]:
        """Return what is wanted now: (pattern, whether it shall hold)."""
        wishes = {(goal, True): None for goal in self.g._goal if self._is_open(goal)}
        for op in self.found.values():
            for need in op.needs:
                if need not in self.g._init or (self.breadth.again and need in self.lost):
                    wishes[term_of(need), True] = None
            for forbidden in op.forbids:
                for fact in self._in_the_way(forbidden):
                    wishes[term_of(fact), False] = None
        return list(wishes)

    def _is_open(self, goal: Term) -> bool:
        """Tell whether a goal does not hold at the beginning, or may be lost on the way."""
        known = list(self.start.matching(goal))
        return not known or (self.breadth.again and not self.lost.isdisjoint(known))

    def _in_the_way(self, forbidden: Forbidden) -> Iterator[Fact]:
        for fact in self.facts.matching(forbidden.pattern):
            if fact not in forbidden.but and (self.breadth.again or fact in self.g._init):
                yield fact

    def _fulfil(self, pattern: Term, holds: bool, number: int, lifted: Lifted) -> None:
        """Keep the most promising instances of an action that make a wish true."""
        size = self.facts.size(self.keys[number])
        if self._seen.get((pattern, holds, number)) == size:
            return
        self._seen[pattern, holds, number] = size
        ranked: list[tuple[float, int, Op]] = []
        for effect in lifted.adds if holds else lifted.deletes:
            bound = _bound_to(effect, pattern)
            if bound is None:
                continue
            for op in self._instances(lifted, bound):
                ranked.append((self._cost(op), len(ranked), op))
        ranked.sort(key=lambda entry: entry[:2])
        kept = (
            ranked if self.breadth.choices >= len(ranked) else ranked[: int(self.breadth.choices)]
        )
        for _, _, op in kept:
            self._keep(op)

    def _cost(self, op: Op) -> float:
        """Return how far an instance is from being possible now, less what it does for the goal."""
        missing = len(op.needs - self.g._init)
        blocked = sum(
            1
            for forbidden in op.forbids
            for fact in self.start.matching(forbidden.pattern)
            if fact not in forbidden.but
        )
        helped = len((op.adds & self._goal_facts) - self.g._init)
        harmed = len(op.deletes & self._goal_facts & self.g._init)
        return missing + blocked + harmed - 2 * helped

    # ---- instances ----

    def _keep(self, op: Op) -> None:
        if op.heads in self.found or op.heads[0] in self.g._barred:
            return
        self.found[op.heads] = op
        self.lost |= op.deletes
        for fact in op.adds:
            self.facts.add(fact)
        if len(self.found) > self.breadth.most:
            raise TooMany

    def _instances(self, lifted: Lifted, bound: Bound) -> Iterator[Op]:
        """Yield the instances of an action whose conditions are possible facts."""
        atoms = [self.facts.atom(need) for need in lifted.needs]
        atoms += [Atom(table.relation, table.args) for table in lifted.tables]
        if not lifted.residual:
            for binding in join(atoms, bound):
                yield from _op(lifted, binding)
            return
        bindings = list(join(atoms, bound))
        asked = [
            (tuple(substitute(goal, binding) for goal in lifted.residual), binding)
            for binding in bindings
        ]
        for solutions in self.g._residual(asked):
            for binding in solutions:
                yield from _op(lifted, binding)


def _bound_to(effect: Term, pattern: Term) -> Bound | None:
    """Return the bindings under which an effect is of a pattern."""
    if key_of(effect) != key_of(pattern):
        return None
    bound: Bound = {}
    for arg, value in zip(args_of(effect), args_of(pattern), strict=True):
        if not is_ground(value):
            continue
        more = matched((arg,), (value,), bound)
        if more is None:
            return None
        bound = more
    return bound


def _op(lifted: Lifted, binding: Bound) -> Iterator[Op]:
    """Yield the instance under a binding, unless its stages contradict each other."""
    needs: set[Fact] = set()
    forbids: list[Forbidden] = []
    truth: dict[Fact, bool] = {}
    heads: list[Fact] = []
    for stage in lifted.stages:
        for need in stage.needs:
            fact = fact_of(substitute(need, binding))
            known = truth.get(fact)
            if known is False:
                return
            if known is None:
                needs.add(fact)
        removed = frozenset(fact for fact, holds in truth.items() if not holds)
        for pattern in stage.forbids:
            given = substitute(pattern, binding)
            made = (fact for fact, holds in truth.items() if holds)
            if any(_is_of(fact, given) for fact in made):
                return
            forbids.append(Forbidden(given, removed))
        for added, pattern in stage.effects:
            truth[fact_of(substitute(pattern, binding))] = added
        heads.append(fact_of(substitute(stage.head, binding)))
    if any(not is_ground(term_of(fact)) for fact in (*truth, *heads)):
        return
    if any(_is_of(n, f.pattern) and n not in f.but for n in needs for f in forbids):
        return
    adds = frozenset(fact for fact, holds in truth.items() if holds)
    yield Op(tuple(heads), frozenset(needs), tuple(forbids), adds, frozenset(truth) - adds)


def _is_of(fact: Fact, pattern: Term) -> bool:
    args = args_of(pattern)
    if fact[0] != key_of(pattern)[0] or len(fact) - 1 != len(args):
        return False
    return matched(args, fact[1:], {}) is not None
