"""Ground actions: what an action with values for its variables needs, forbids, adds and deletes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from commonground.grounding.prolog.actions.lifted import Lifted, Stage
from commonground.grounding.prolog.base.relations import Bound, Fact, Key, Row, is_of
from commonground.grounding.prolog.base.terms import (
    Term,
    Var,
    args_of,
    is_ground,
    key_of,
    substitute,
    substituted,
    variables,
)


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

    def after(self, state: frozenset[Fact]) -> frozenset[Fact] | None:
        """Return what holds after it; None: it cannot be done in a state."""
        blocked = (f for p in self.forbids for f in state - p.but if is_of(f, p.pattern))
        possible = self.needs <= state and next(blocked, None) is None
        return state - self.deletes | self.adds if possible else None


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern of facts, prepared to be filled in often."""

    term: Term
    key: Key
    names: tuple[str, ...] | None
    """The variables that are its arguments; None: some are something else."""

    @classmethod
    def of(cls, term: Term) -> Pattern:
        """Prepare a pattern."""
        args = args_of(term)
        names = tuple(a.name for a in args if isinstance(a, Var))
        return cls(term, key_of(term), names if len(names) == len(args) else None)

    def fact(self, binding: Bound) -> Fact:
        """Return the fact under a binding; what is not bound stays open."""
        args = args_of(self.term)
        if self.names is not None:
            return (self.key[0], *map(binding.get, self.names, args))
        return (self.key[0], *substituted(args, binding))


def _patterns(terms: Iterable[Term]) -> tuple[Pattern, ...]:
    return tuple(map(Pattern.of, terms))


class _Stage:
    """A start or an end with its patterns prepared."""

    def __init__(self, stage: Stage) -> None:
        self.head = Pattern.of(stage.head)
        self._needs, self._forbids = _patterns(stage.needs), stage.forbids
        self._effects = [(Pattern.of(effect), added) for added, effect in stage.effects]

    def follow(
        self, binding: Bound, truth: dict[Fact, bool], needs: set[Fact], forbids: list[Forbidden]
    ) -> bool:
        """Let it follow what the stages before made true or false; return whether it can."""
        facts = [need.fact(binding) for need in self._needs]
        needs.update(fact for fact in facts if fact not in truth)
        if not all(truth.get(fact, True) for fact in facts):
            return False
        if self._forbids:
            made, removed = _made(truth, True), _made(truth, False)
            patterns = [substitute(pattern, binding) for pattern in self._forbids]
            if any(is_of(fact, pattern) for pattern in patterns for fact in made):
                return False
            forbids += [Forbidden(pattern, removed) for pattern in patterns]
        truth.update((effect.fact(binding), added) for effect, added in self._effects)
        return True


def _made(truth: dict[Fact, bool], holds: bool) -> frozenset[Fact]:
    return frozenset(fact for fact, now in truth.items() if now is holds)


class Template:
    """An action with its patterns prepared."""

    def __init__(self, lifted: Lifted) -> None:
        self.lifted = lifted
        self.needs, self.adds = _patterns(lifted.needs), _patterns(lifted.adds)
        self.deletes = _patterns(lifted.deletes)
        self.forbids = _patterns(t for stage in lifted.stages for t in stage.forbids)
        self._stages = tuple(map(_Stage, lifted.stages))
        terms = [lifted.head, *lifted.needs, *lifted.adds, *lifted.deletes]
        terms += [arg for table in lifted.tables for arg in table.args]
        self.found = lifted.found
        told = (name for term in terms for name in variables(term))
        self.names = tuple(dict.fromkeys((*told, *self.found)))
        fixed = {name for term in lifted.needs for name in variables(term)}
        self._free = tuple(name for name in self.names if name not in fixed)

    def free_choice(self, number: int, binding: Bound) -> Row:
        """Return what an instance chose of its own accord: not by what holds, but by what is listed."""
        return number, *(binding.get(name, "") for name in self._free)

    def instance(self, binding: Bound) -> Op | None:
        """Return the instance under a binding, its stages made one.

        None where they contradict each other, forbid what they need or leave something open.
        """
        truth: dict[Fact, bool] = {}
        needs: set[Fact] = set()
        forbids: list[Forbidden] = []
        if not all(stage.follow(binding, truth, needs, forbids) for stage in self._stages):
            return None
        heads = tuple(stage.head.fact(binding) for stage in self._stages)
        if not all(all(map(is_ground, fact)) for fact in (*truth, *heads)):
            return None
        if any(is_of(n, f.pattern) and n not in f.but for n in needs for f in forbids):
            return None
        adds, deletes = _made(truth, True), _made(truth, False)
        return Op(heads, frozenset(needs), tuple(forbids), adds, deletes)
