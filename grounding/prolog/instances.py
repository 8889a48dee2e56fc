"""Ground actions: what an action with values for its variables needs, forbids, adds and deletes."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.grounding.prolog.lifted import Lifted, Stage
from commonground.grounding.prolog.relations import Bound, Fact, fact_of, is_of
from commonground.grounding.prolog.terms import Struct, Term, is_ground, substitute, substituted


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


def instance(lifted: Lifted, binding: Bound) -> Op | None:
    """Return the instance under a binding, None where its stages contradict each other."""
    merger = _Merger(binding)
    if not all(merger.follow(stage) for stage in lifted.stages):
        return None
    return merger.op()


class _Merger:
    """The stages of an action made one, one after the other."""

    def __init__(self, binding: Bound) -> None:
        self._binding = binding
        self._heads: list[Fact] = []
        self._needs: set[Fact] = set()
        self._forbids: list[Forbidden] = []
        self._truth: dict[Fact, bool] = {}
        """What the stages so far have made true or false."""

    def follow(self, stage: Stage) -> bool:
        """Let a stage follow those before; return whether it can."""
        if not self._ask(stage) or not self._bar(stage):
            return False
        for added, pattern in stage.effects:
            self._truth[self._fact(pattern)] = added
        self._heads.append(self._fact(stage.head))
        return True

    def op(self) -> Op | None:
        """Return the stages as one action, None where it forbids what it needs or leaves something open."""
        if not all(all(map(is_ground, fact)) for fact in (*self._truth, *self._heads)):
            return None
        if any(is_of(n, f.pattern) and n not in f.but for n in self._needs for f in self._forbids):
            return None
        adds, deletes = self._made(True), self._made(False)
        return Op(tuple(self._heads), frozenset(self._needs), tuple(self._forbids), adds, deletes)

    def _ask(self, stage: Stage) -> bool:
        facts = [self._fact(need) for need in stage.needs]
        self._needs.update(fact for fact in facts if fact not in self._truth)
        return all(self._truth.get(fact, True) for fact in facts)

    def _bar(self, stage: Stage) -> bool:
        if not stage.forbids:
            return True
        made, removed = self._made(True), self._made(False)
        patterns = [substitute(pattern, self._binding) for pattern in stage.forbids]
        self._forbids += [Forbidden(pattern, removed) for pattern in patterns]
        return not any(is_of(fact, pattern) for pattern in patterns for fact in made)

    def _made(self, holds: bool) -> frozenset[Fact]:
        return frozenset(fact for fact, now in self._truth.items() if now is holds)

    def _fact(self, pattern: Term) -> Fact:
        if isinstance(pattern, Struct):  # a term made only to be taken apart costs most of this
            return (pattern.functor, *substituted(pattern.args, self._binding))
        return fact_of(substitute(pattern, self._binding))
