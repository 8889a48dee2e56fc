"""A time that every plan needs, for bases of any size: what the goal asks for, looked at back from it.

Two things bound every plan. A fact of the goal that does not hold needs an action that adds it, which needs
what it needs, and so on. And what every plan has to do is shared by those who can do it (`landmarks.py`).
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from commonground.grounding.prolog.actions.lifted import Lifted, Stage
from commonground.grounding.prolog.base.knowledge_base import Base, stem_of
from commonground.grounding.prolog.base.relations import Atom, Fact, Facts, fact_of, join, term_of
from commonground.grounding.prolog.base.terms import (
    Term,
    Var,
    args_of,
    is_ground,
    key_of,
    match,
    substitute,
    variables,
)
from commonground.grounding.prolog.bounds.landmarks import work_bound_s
from commonground.grounding.prolog.execution.blocks import least_of, span_of
from commonground.grounding.prolog.execution.refinement import mapped
from commonground.grounding.prolog.search.total_order import HighTask

MOST_WAYS = 4_000
"""How many ways to facts are looked at; what they need beyond that counts as being there."""
MOST_CHOICES = 64
"""Most objects that one way may be about before they are left open."""
OPEN = Var("_")
"""Stands for anything in the facts that ways need."""
ROUNDS = 200
"""How often all times are raised; before the last time they only are lower than they could be."""


@dataclass(frozen=True, slots=True)
class Adder:
    """An effect of an action, and how long the action takes at least until then."""

    action: Lifted
    fact: Term
    seconds: float
    needs: tuple[tuple[Term, float], ...]
    """What has to hold for it, and how long before it: what only the end needs may come while it runs."""


_Way: TypeAlias = "tuple[float, tuple[tuple[Fact, float], ...]]"
"""Seconds that an action takes, and what it needs with how long before."""


@dataclass(slots=True)
class Regression:
    """Ways back from a goal, and how soon facts may hold."""

    task: HighTask
    start: Facts
    adders: dict[tuple[str, int], list[Adder]]
    soonest: dict[Fact, float] = field(default_factory=dict)
    """Seconds before which a fact cannot hold; never, where nothing adds it."""

    def settle(self, goals: Sequence[Fact]) -> None:
        """Find how soon facts may hold: raised from nothing, so that circles never hold themselves up."""
        found = self._back_from(goals)
        self.soonest = dict.fromkeys(found, 0.0)
        for _ in range(ROUNDS):
            raised = False
            for fact, ways in found.items():
                best = math.inf
                for seconds, needs in ways:
                    best = min(best, max([seconds, *(self.known(n) + s for n, s in needs)]))
                if best > self.soonest[fact]:
                    self.soonest[fact], raised = best, True
            if not raised:
                break

    def needs(
        self, adder: Adder, bound: Mapping[str, Term]
    ) -> Iterator[tuple[tuple[Fact, float], ...]]:
        """Yield for each choice of what an effect speaks of the facts that it needs, with how long before."""
        for chosen in _choices(adder.action, bound):
            terms = ((substitute(need, chosen), s) for need, s in adder.needs)
            facts = ((_opened(fact_of(term)), s) for term, s in terms)
            yield tuple((fact, s) for fact, s in facts if fact is not None)

    def known(self, fact: Fact) -> float:
        """Return seconds before which a fact cannot hold."""
        return self.soonest.get(fact, 0.0)

    def _back_from(self, goals: Sequence[Fact]) -> dict[Fact, list[_Way]]:
        """Return the ways to facts: to those of the goal, to what these ways need, and so on."""
        found: dict[Fact, list[_Way]] = {}
        queue = deque(goals)
        left = MOST_WAYS
        while queue and left > 0:
            fact = queue.popleft()
            if fact in found or self.holds(fact):
                continue
            own: dict[_Way, None] = {}
            for adder, bound in self.ways(fact):
                own |= {(adder.seconds, needs): None for needs in self.needs(adder, bound)}
            left -= len(own)
            found[fact] = list(own)
            queue.extend(need for _, needs in own for need, _ in needs)
        return found

    def holds(self, fact: Fact) -> bool:
        """Return whether a fact, or one of a pattern, holds at the beginning."""
        args = (Var(f"_{n}") if arg is OPEN else arg for n, arg in enumerate(fact[1:]))
        return next(self.start.matching(term_of((fact[0], *args))), None) is not None

    def ways(self, fact: Fact) -> Iterator[tuple[Adder, dict[str, Term]]]:
        """Yield the effects that may be a fact, with what that binds; grounding goals have to allow it."""
        for adder in self.adders.get((str(fact[0]), len(fact) - 1), ()):
            bound: dict[str, Term] = {}
            if not _fits(adder.fact, fact, bound):
                continue
            tables = [Atom(t.relation, t.args) for t in adder.action.tables]
            if all(next(join([table], bound), None) is not None for table in tables):
                yield adder, bound


def _choices(action: Lifted, bound: Mapping[str, Term]) -> list[dict[str, Term]]:
    """Return bindings that also choose what several conditions speak of; the one given, if too many."""
    counts = Counter(v for need in action.needs for v in set(variables(need)) if v not in bound)
    names = {name for name, count in counts.items() if count > 1}
    tables = [Atom(t.relation, t.args) for t in action.tables if names & _names(t.args)]
    chosen: dict[tuple[tuple[str, Term], ...], None] = {}
    for binding in join(tables, dict(bound)):
        chosen[tuple(sorted((n, binding[n]) for n in names if n in binding))] = None
        if len(chosen) > MOST_CHOICES:
            return [dict(bound)]
    return [{**bound, **dict(entry)} for entry in chosen]


def _names(terms: Iterable[Term]) -> set[str]:
    return {name for term in terms for name in variables(term)}


def _opened(fact: Fact) -> Fact | None:
    """Return a fact with what is open in it called the same everywhere; None: part of an argument is."""
    args = [OPEN if isinstance(arg, Var) else arg for arg in fact[1:]]
    return (fact[0], *args) if all(arg is OPEN or is_ground(arg) for arg in args) else None


def _fits(pattern: Term, fact: Fact, bound: dict[str, Term]) -> bool:
    """Bind the variables of a pattern so that it becomes a fact; tell whether that works."""
    pairs = zip(args_of(pattern), fact[1:], strict=True)
    return all(value is OPEN or match(arg, value, bound) for arg, value in pairs)


def bound_s(task: HighTask) -> float:
    """Return a makespan below which no plan of the high level, and so none at all, can be."""
    start = Facts()
    for fact in task.init:
        start.add(fact)
    regression = Regression(task, start, _adders(task))
    goals = [fact_of(g) for g in task.goal if is_ground(g)]
    missing = [g for g in goals if g not in start]
    regression.settle(missing)
    ahead = (s for s in map(regression.known, missing) if math.isfinite(s))
    return max(work_bound_s(regression, missing), *ahead, 0.0)


def _adders(task: HighTask) -> dict[tuple[str, int], list[Adder]]:
    adders: dict[tuple[str, int], list[Adder]] = {}
    whole = task.whole
    heads = {key_of(stage.head) for action in whole for stage in action.stages}
    alone = [step for step in task.steps if key_of(step.head) not in heads]
    for action in (*whole, *alone):
        seconds = _least(task.base, action)
        for number, stage in enumerate(action.stages):
            for added, fact in stage.effects:
                if added:
                    lasts = seconds if number > 0 else 0.0
                    needs = tuple(_needs(action.stages[: number + 1], lasts))
                    adders.setdefault(key_of(fact), []).append(Adder(action, fact, lasts, needs))
    return adders


def _needs(stages: Sequence[Stage], seconds: float) -> Iterator[tuple[Term, float]]:
    """Yield what stages need that none before has added: the first one so long before the last."""
    made: set[Term] = set()
    for number, stage in enumerate(stages):
        yield from ((need, 0.0 if number else seconds) for need in stage.needs if need not in made)
        made |= {fact for added, fact in stage.effects if added}


def _least(base: Base, action: Lifted) -> float:
    """Return how long an action takes at least."""
    if len(action.stages) < 2:
        return 0.0
    lows = mapped(base, fact_of(action.head), 0)
    least, _ = span_of(base, stem_of(key_of(action.head)[0]), bool(lows))
    return max(least, least_of(base, lows))
