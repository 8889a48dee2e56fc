"""A time that every plan needs, for bases of any size: what the goal asks for, looked at back from it.

Two things bound every plan. A fact of the goal that does not hold needs an action that adds it, which needs
what it needs, and so on. And facts that no action adds together need an action each, which agents share.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from commonground.grounding.prolog.base import Base, stem_of
from commonground.grounding.prolog.blocks import span_of
from commonground.grounding.prolog.expand import mapped
from commonground.grounding.prolog.lifted import Lifted
from commonground.grounding.prolog.processes import least_of
from commonground.grounding.prolog.relations import Atom, Fact, Facts, fact_of, join
from commonground.grounding.prolog.search import HighTask
from commonground.grounding.prolog.terms import (
    Term,
    Var,
    args_of,
    is_ground,
    key_of,
    match,
    substitute,
    variables,
)

DEEPEST = 60
"""How far back is looked."""


@dataclass(frozen=True, slots=True)
class _Adder:
    """An effect of an action: what the action needs before it, and how long that takes at least."""

    action: Lifted
    fact: Term
    seconds: float


@dataclass(slots=True)
class _Regression:
    task: HighTask
    start: Facts
    adders: dict[tuple[str, int], list[_Adder]]
    known: dict[Fact, float] = field(default_factory=dict)

    def soonest(self, fact: Fact, depth: int = 0) -> float:
        """Return seconds before which a fact cannot hold; never, where nothing adds it."""
        if fact in self.start or depth > DEEPEST:
            return 0.0
        known = self.known.get(fact)
        if known is not None:
            return known
        self.known[fact] = 0.0  # on the way round a circle
        best = math.inf
        for adder, bound in self.ways(fact):
            needed = 0.0
            for need in adder.action.needs:
                term = substitute(need, bound)
                if is_ground(term) and needed + adder.seconds < best:
                    needed = max(needed, self.soonest(fact_of(term), depth + 1))
            best = min(best, adder.seconds + needed)
        self.known[fact] = best
        return best

    def ways(self, fact: Fact) -> Iterator[tuple[_Adder, dict[str, Term]]]:
        """Yield the effects that may be a fact, with what that binds; grounding goals have to allow it."""
        for adder in self.adders.get((str(fact[0]), len(fact) - 1), ()):
            bound: dict[str, Term] = {}
            if not _fits(adder.fact, fact, bound):
                continue
            tables = [Atom(t.relation, t.args) for t in adder.action.tables]
            if all(next(join([table], bound), None) is not None for table in tables):
                yield adder, bound


def _fits(pattern: Term, fact: Fact, bound: dict[str, Term]) -> bool:
    """Bind the variables of a pattern so that it becomes a fact; tell whether that works."""
    pairs = zip(args_of(pattern), fact[1:], strict=True)
    return all(match(arg, value, bound) for arg, value in pairs)


def bound_s(task: HighTask) -> float:
    """Return a makespan below which no plan of the high level, and so none at all, can be."""
    base = task.base
    start = Facts()
    for fact in task.init:
        start.add(fact)
    regression = _Regression(task, start, _adders(task))
    goals = [fact_of(g) for g in task.goal if is_ground(g)]
    missing = [g for g in goals if g not in start]
    ahead = max((regression.soonest(goal) for goal in missing), default=0.0)
    finite = ahead if math.isfinite(ahead) else 0.0
    return max(finite, _shared(regression, missing, len(base.agents)))


def _shared(regression: _Regression, missing: Sequence[Fact], agents: int) -> float:
    """Return how long agents with one action at a time need for facts that no action adds two of."""
    task = regression.task
    if not agents or not all(_agents_of(task.base, action) for action in task.whole):
        return 0.0
    work = 0.0
    taken: list[Fact] = []
    for fact in missing:
        if not any(_together(regression, fact, other) for other in taken):
            taken.append(fact)
            work += min((adder.seconds for adder, _ in regression.ways(fact)), default=0.0)
    return work / agents


def _agents_of(base: Base, action: Lifted) -> set[Term]:
    """Return the variables of the head for which a grounding goal lists nothing but agents."""
    agents = set(base.agents)
    names = set(variables(action.head))
    found: set[Term] = set()
    for table in action.tables:
        for place, arg in enumerate(table.args):
            if isinstance(arg, Var) and arg.name in names:
                values = {row[place] for row in table.relation.rows}
                if values and values <= agents:
                    found.add(arg)
    return found


def _together(regression: _Regression, one: Fact, other: Fact) -> bool:
    """Return whether one action may add both facts."""
    for adder, bound in regression.ways(one):
        for fact in adder.action.adds:
            alike = key_of(fact) == (other[0], len(other) - 1)
            if alike and _fits(fact, other, dict(bound)):
                return True
    return False


def _adders(task: HighTask) -> dict[tuple[str, int], list[_Adder]]:
    adders: dict[tuple[str, int], list[_Adder]] = {}
    whole = task.whole
    heads = {key_of(stage.head) for action in whole for stage in action.stages}
    alone = [step for step in task.steps if key_of(step.head) not in heads]
    for action in (*whole, *alone):
        seconds = _least(task.base, action)
        for number, stage in enumerate(action.stages):
            for added, fact in stage.effects:
                if added:
                    late = number > 0
                    entry = _Adder(action, fact, seconds if late else 0.0)
                    adders.setdefault(key_of(fact), []).append(entry)
    return adders


def _least(base: Base, action: Lifted) -> float:
    """Return how long an action takes at least."""
    if len(action.stages) < 2:
        return 0.0
    lows = mapped(base, fact_of(action.head), 0)
    least, _ = span_of(base, stem_of(key_of(action.head)[0]), bool(lows))
    return max(least, least_of(base, lows, {*base.agents, *_agents_of(base, action)}))
