"""Things that can stand in for each other take turns.

A plan made one action after the other has no reason to use a second fixture while the first one is free
again each time. Where another thing of which the same is said, now and in general, has rested for longer,
it takes over all that the plan does with the first one from there on, and the other way round: the plan
stays one, and its actions have less to wait for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from commonground.grounding.prolog.actions.instances import Forbidden, Op
from commonground.grounding.prolog.actions.symmetry import alike_things, renamed, state_of
from commonground.grounding.prolog.base.knowledge_base import stem_of
from commonground.grounding.prolog.base.relations import Fact
from commonground.grounding.prolog.base.terms import Term, constants, key_of, replaced
from commonground.grounding.prolog.execution.blocks import span_of
from commonground.grounding.prolog.search.total_order import HighTask


def in_turns(task: HighTask, ops: Sequence[Op]) -> list[Op]:
    """Return the actions of a plan with things alike used in turn."""
    turns = _Turns(task)
    return [turns.taken(op) for op in ops] if turns.groups else list(ops)


def with_names(op: Op, names: Mapping[Term, Term]) -> Op:
    """Return an action on other things."""
    forbids = tuple(
        Forbidden(replaced(f.pattern, names), frozenset(renamed(fact, names) for fact in f.but))
        for f in op.forbids
    )
    heads = tuple(renamed(head, names) for head in op.heads)
    facts = (frozenset(renamed(f, names) for f in fs) for fs in (op.needs, op.adds, op.deletes))
    needs, adds, deletes = facts
    return Op(heads, needs, forbids, adds, deletes)


class _Turns:
    """What holds after the actions so far, since when, and who stands in for whom."""

    def __init__(self, task: HighTask) -> None:
        self.base = task.base
        self.groups = alike_things(task.base)
        self._composed = {key_of(mapping.head)[0] for mapping in self.base.mappings}
        self._names: dict[Term, Term] = {}
        self._since: dict[Fact, float] = {}
        self._agents = set(self.base.agents)
        self._about: dict[Term, set[Fact]] = {thing: set() for thing in self.groups}
        self._change(task.init, (), 0.0)

    def taken(self, op: Op) -> Op:
        """Let an action follow, with those things that have rested for longest."""
        for thing in dict.fromkeys(
            c for head in op.heads for arg in head[1:] for c in constants(arg)
        ):
            if thing in self.groups:
                self._exchange(thing)
        op = with_names(op, self._names)
        self._follow(op)
        return op

    def _exchange(self, thing: Term) -> None:
        now = self._names.get(thing, thing)
        state = state_of(now, self._about[now])
        best = min(
            (o for o in self.groups[thing] if state_of(o, self._about[o]) == state),
            key=lambda other: (self._rests(other), other != now),
        )
        if best != now:
            other = next((a for a, b in self._names.items() if b == best), best)
            self._names |= {thing: best, other: now}

    def _rests(self, thing: Term) -> float:
        """Return since when nothing has changed about a thing."""
        return max((self._since.get(fact, 0.0) for fact in self._about[thing]), default=0.0)

    def _follow(self, op: Op) -> None:
        begins = max((self._since.get(need, 0.0) for need in op.needs), default=0.0)
        name = str(op.heads[0][0])
        ends = begins + span_of(self.base, stem_of(name), name in self._composed)[0]
        self._change(op.adds, op.deletes, ends)

    def _change(self, adds: Iterable[Fact], deletes: Iterable[Fact], now: float) -> None:
        for fact in deletes:
            for thing in self._things(fact):
                self._about[thing].discard(fact)
        for fact in adds:
            if self._agents.isdisjoint(fact[1:]):
                self._since[fact] = now
            for thing in self._things(fact):
                self._about[thing].add(fact)

    def _things(self, fact: Fact) -> list[Term]:
        return [c for arg in fact[1:] for c in constants(arg) if c in self._about]
