"""Goal-directed grounding of actions: first those that the goal seems to need, then more, in the end all.

Grounding everything is what makes large bases slow: four moves of 20 blocks over 24 positions have some
fourteen million instances, of which a plan needs a handful. So we work back from the goal: a fact that
is wanted asks for actions that add it, a condition of such an action that does not hold is wanted next, and
a fact in the way is wanted gone. Where many instances would do, only the most promising are kept; each
further round keeps more, and the last one keeps all of them.
"""

from __future__ import annotations

import bisect
import itertools
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from copy import copy
from dataclasses import dataclass

from commonground.grounding.prolog.actions.instances import Forbidden, Op, Template
from commonground.grounding.prolog.actions.lifted import Lifted
from commonground.grounding.prolog.actions.pddl_task import sorted_facts
from commonground.grounding.prolog.base.relations import (
    Atom,
    Bound,
    Fact,
    Facts,
    Row,
    fact_of,
    join,
    matched,
    term_of,
)
from commonground.grounding.prolog.base.terms import Term, args_of, is_ground, key_of, substitute

Residual = Callable[[Sequence[tuple[tuple[Term, ...], Sequence[str], Bound]]], list[list[Bound]]]
"""Evaluates grounding goals under bindings in Prolog: the bindings of some variables that solve each."""


Taste = Callable[[Iterable[Fact], Iterable[Term], Iterable[Fact]], float]
"""Weighs an instance by what it needs, what must not hold for it, and what it adds."""


@dataclass(frozen=True, slots=True)
class Breadth:
    """How many instances are looked at."""

    choices: float
    """Most instances of one action for one fact of the goal; half as many for what these need, and so on."""
    again: bool
    """Whether what holds at the beginning and is lost on the way is wanted again, not only for the goal."""
    most: int
    """Most instances altogether."""
    all: bool = False
    """Whether every instance of possible facts is kept."""

    def at(self, depth: int) -> int:
        """Return how many instances are kept for what is wanted at a distance from the goal."""
        return int(min(self.most, max(1, math.ceil(self.choices / (1 + depth)))))


MISSING = 4
"""For how many cases the one condition that is missing is wanted."""


class TooMany(Exception):
    """There are more instances than a breadth allows."""


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
        self.actions = [Template(action) for action in lifted]
        self.init: Set[Fact] = dict.fromkeys(
            init
        ).keys()  # in an order that does not depend on hashing
        self.goal = tuple(goal)
        self.residual = residual
        self.barred = barred
        """Heads of actions that turned out not to work."""
        self.taste: Taste | None = None
        """Which of instances that are equally near is preferred: the one for which this is least."""

    def at(self, state: Iterable[Fact], goal: Iterable[Fact]) -> Grounder:
        """Return the grounder for other facts to begin with and another goal."""
        other = copy(self)
        other.init = dict.fromkeys(sorted_facts(state)).keys()
        other.goal = tuple(map(term_of, goal))
        return other

    def now(self, wanted: Fact) -> Iterator[Op]:
        """Yield the instances that add a fact and are possible as things are."""
        search = _Search(self, Breadth(1, False, 1), math.inf)
        for _, _, _, number, binding in search.candidates((term_of(wanted), True), search.start):
            op = self.actions[number].instance(binding)
            if (
                op is not None
                and op.heads[0] not in self.barred
                and self._possible(op, search.start)
            ):
                yield op

    def _possible(self, op: Op, facts: Facts) -> bool:
        blocked = (f for p in op.forbids for f in facts.matching(p.pattern) if f not in p.but)
        return op.needs <= self.init and next(blocked, None) is None

    def ops(self, breadth: Breadth, deadline: float = math.inf) -> list[Op]:
        """Return the instances of one breadth; TooMany where they, or the time, are more than allowed."""
        search = _Search(self, breadth, deadline)
        return search.everything() if breadth.all else search.wanted()


class _Search:
    def __init__(self, grounder: Grounder, breadth: Breadth, deadline: float) -> None:
        self.g, self.breadth, self.deadline = grounder, breadth, deadline
        self.facts, self.start = Facts(), Facts()
        for fact in grounder.init:
            self.facts.add(fact)
            self.start.add(fact)
        self.found: dict[tuple[int, Row], Op] = {}
        self.lost: set[Fact] = set()
        self.goal_facts = frozenset(fact_of(g) for g in grounder.goal if is_ground(g))
        self.wishes: dict[tuple[Term, bool], int] = {}
        """What is wanted → how far from the goal."""
        self._depth: dict[tuple[int, Row], int] = {}
        self._used: Counter[Row] = Counter()
        self._settled: set[tuple[Term, bool]] = set()
        """Wishes that an action makes true from the beginning."""
        self._seen: dict[tuple[Term, bool, int], tuple[int, ...]] = {}
        self._best: dict[tuple[tuple[Term, bool], frozenset[object]], list[float]] = {}

    # ---- everything ----

    def everything(self) -> list[Op]:
        """Return all instances whose conditions are possible, until nothing new becomes possible."""
        seen: dict[int, tuple[int, ...]] = {}
        grown = -1
        while grown != len(self.found):
            grown = len(self.found)
            for number, action in enumerate(self.g.actions):
                sizes = self._sizes(action)
                for binding in self._instances(action, {}, seen.get(number), self.facts):
                    self._keep(number, binding)
                seen[number] = sizes
        return list(self.found.values())

    # ---- what is wanted ----

    def wanted(self) -> list[Op]:
        """Return the instances that wanted facts ask for, until nothing more is wanted."""
        grown = (-1, -1)
        while grown != (len(self.found), len(self.wishes)):
            grown = len(self.found), len(self.wishes)
            for goal in self.g.goal:
                if self._is_open(goal):
                    self.wishes[goal, True] = 0
            for (pattern, holds), depth in list(self.wishes.items()):
                self._fulfil(pattern, holds, depth)
            self._wish()
        return list(self.found.values())

    def _wish(self) -> None:
        """Add what the instances found so far want."""
        for key, op in self.found.items():
            depth = self._depth[key] + 1
            again = self.lost if self.breadth.again else frozenset()
            for need in sorted_facts(n for n in op.needs if n not in self.g.init or n in again):
                self._want(need, True, depth)
            for forbidden in op.forbids:
                for fact in self._in_the_way(forbidden):
                    self._want(fact, False, depth)

    def _want(self, fact: Fact, holds: bool, depth: int) -> None:
        wish = term_of(fact), holds
        self.wishes[wish] = min(depth, self.wishes.get(wish, depth))

    def _is_open(self, goal: Term) -> bool:
        """Return whether a goal does not hold at the beginning, or may be lost on the way."""
        known = list(self.start.matching(goal))
        return not known or not self.lost.isdisjoint(known)

    def _in_the_way(self, forbidden: Forbidden) -> Iterator[Fact]:
        for fact in self.facts.matching(forbidden.pattern):
            if fact not in forbidden.but and (self.breadth.again or fact in self.g.init):
                yield fact

    def _fulfil(self, pattern: Term, holds: bool, depth: int) -> None:
        """Keep the most promising instances, of whatever action, that make a wish true."""
        wish = (pattern, holds)
        if wish in self._settled:
            return
        now = bool(depth) and not self.breadth.again
        ranked = self.candidates(wish, self.start) if now else []
        if ranked:  # what is possible from the beginning will do
            self._settled.add(wish)
        else:
            ranked = self.candidates(wish, self.facts)
        if not ranked and not self._best.keys() & {(wish, frozenset())}:
            self._want_missing(pattern, holds, depth + 1)
        ranked.sort(key=lambda entry: entry[:3])
        most = self.breadth.at(depth)
        for cost, _, _, number, binding in ranked:
            basis = frozenset() if depth else self._basis(self.g.actions[number], binding)
            best = self._best.setdefault((wish, basis), [])
            if len(best) >= most and cost >= best[most - 1]:
                continue
            if self._keep(number, binding, depth):
                bisect.insort(best, cost)

    def _want_missing(self, pattern: Term, holds: bool, depth: int) -> None:
        """Want the one condition that keeps actions from making a wish true."""
        for action in self.g.actions:
            atoms = [self.facts.atom(need.term) for need in action.needs]
            tables = [Atom(table.relation, table.args) for table in action.lifted.tables]
            for effect in action.adds if holds else action.deletes:
                bound = _bound_to(effect.term, pattern)
                for number, need in enumerate(action.needs if bound is not None else ()):
                    others = [*atoms[:number], *atoms[number + 1 :], *tables]
                    for binding in itertools.islice(join(others, bound or {}), MISSING):
                        missing = substitute(need.term, binding)
                        self.wishes.setdefault((missing, True), depth)

    def candidates(
        self, wish: tuple[Term, bool], facts: Facts
    ) -> list[tuple[float, float, int, int, Bound]]:
        """Return the instances that make a wish true by some facts, without those looked at before."""
        pattern, holds = wish
        ranked: list[tuple[float, float, int, int, Bound]] = []
        for number, action in enumerate(self.g.actions):
            effects = [
                e for e in (action.adds if holds else action.deletes) if e.key == key_of(pattern)
            ]
            sizes = self._sizes(action)
            before = None if facts is self.start else self._seen.get((*wish, number))
            if not effects or before == sizes:
                continue
            if facts is self.facts:
                self._seen[(*wish, number)] = sizes
            for effect in effects:
                bound = _bound_to(effect.term, pattern)
                if bound is None:
                    continue
                for binding in self._instances(action, bound, before, facts):
                    used = self._preference(number, binding)
                    cost = self._cost(action, binding)
                    ranked.append((cost, used, len(ranked), number, binding))
        return ranked

    def _preference(self, number: int, binding: Bound) -> float:
        """Return what decides between instances that are equally near: the least is taken."""
        action = self.g.actions[number]
        if self.g.taste is None:
            return self._used[action.free_choice(number, binding)]
        return self.g.taste(
            (need.fact(binding) for need in action.needs),
            (substitute(forbidden.term, binding) for forbidden in action.forbids),
            (effect.fact(binding) for effect in action.adds),
        )

    def _basis(self, action: Template, binding: Bound) -> frozenset[object]:
        """Return what an instance that is all for the goal builds on: each such basis is worth its own.

        A block that had to be put aside may reach its place from wherever it was put.
        """
        needs = {need.fact(binding) for need in action.needs}
        adds = {effect.fact(binding) for effect in action.adds} - needs
        adds -= {effect.fact(binding) for effect in action.deletes}
        wanted = adds & self.goal_facts
        if len(wanted) >= 2 or (wanted and wanted == adds):
            return frozenset(needs - self.g.init)
        return frozenset()

    def _cost(self, action: Template, binding: Bound) -> float:
        """Return how far an instance is from being possible now, less what it does for the goal."""
        init = self.g.init
        missing = sum(1 for need in action.needs if need.fact(binding) not in init)
        blocked = sum(
            1
            for forbidden in action.forbids
            if self.start.size(forbidden.key)
            for _ in self.start.matching(substitute(forbidden.term, binding))
        )
        adds = {effect.fact(binding) for effect in action.adds}
        helped = sum(1 for fact in adds if fact in self.goal_facts and fact not in init)
        harmed = 0
        for effect in action.deletes:
            fact = effect.fact(binding)
            harmed += fact in self.goal_facts and fact in init and fact not in adds
        return missing + blocked + harmed - 2 * helped

    # ---- instances ----

    def _keep(self, number: int, binding: Bound, depth: int = 0) -> bool:
        """Keep an instance; tell whether it is possible at all."""
        action = self.g.actions[number]
        key = number, tuple(binding.get(name, "") for name in action.names)
        if key in self.found:
            self._depth[key] = min(depth, self._depth[key])
            return True
        op = action.instance(binding)
        if op is None or op.heads[0] in self.g.barred:
            return False
        self.found[key], self._depth[key] = op, depth
        self._used[action.free_choice(number, binding)] += 1
        self.lost |= op.deletes
        for fact in sorted_facts(op.adds):
            self.facts.add(fact)
        if len(self.found) > self.breadth.most or time.process_time() > self.deadline:
            raise TooMany
        return True

    def _sizes(self, action: Template) -> tuple[int, ...]:
        return tuple(self.facts.size(need.key) for need in action.needs)

    def _instances(
        self, action: Template, bound: Bound, before: tuple[int, ...] | None, facts: Facts
    ) -> Iterator[Bound]:
        """Yield the bindings under which all conditions are possible facts.

        With ``before``, the numbers of facts at an earlier look, only those that use a newer fact.
        """
        bindings = self._joined(action, bound, before, facts)
        if not action.lifted.residual:
            yield from bindings
            return
        asked = [
            (
                tuple(substitute(goal, binding) for goal in action.lifted.residual),
                [name for name in action.found if name not in binding],
                binding,
            )
            for binding in bindings
        ]
        for solutions in self.g.residual(asked):
            yield from solutions

    def _joined(
        self, action: Template, bound: Bound, before: tuple[int, ...] | None, facts: Facts
    ) -> Iterator[Bound]:
        atoms = [facts.atom(need.term) for need in action.needs]
        tables = [Atom(table.relation, table.args) for table in action.lifted.tables]
        if before is None:
            yield from join([*atoms, *tables], bound)
            return
        for number, atom in enumerate(atoms):
            others = [*atoms[:number], *atoms[number + 1 :], *tables]
            for row in atom.relation.since(before[number]):
                more = matched(atom.args, row, bound)
                if more is not None:
                    yield from join(others, more)


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
