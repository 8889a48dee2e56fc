"""Findings about conditions that can never or always hold, and effects that nobody reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from commonground.errors import did_you_mean
from commonground.grounding.prolog.base.findings import Finding, Weight
from commonground.grounding.prolog.base.knowledge_base import Base, Located, Schema
from commonground.grounding.prolog.base.terms import (
    Term,
    args_of,
    constants,
    key_of,
    may_unify,
    text,
)

Key = tuple[str, int]


class _Patterns:
    """Patterns by predicate."""

    def __init__(self, terms: Iterable[Term]) -> None:
        self._by_key: dict[Key, list[Term]] = {}
        for term in terms:
            self._by_key.setdefault(key_of(term), []).append(term)

    def has(self, term: Term) -> bool:
        """Return whether some pattern may be the same as another."""
        return any(may_unify(term, known) for known in self._by_key.get(key_of(term), ()))

    def names(self) -> set[str]:
        """Return the names of the predicates."""
        return {name for name, _ in self._by_key}

    def arities(self, name: str) -> list[int]:
        """Return with how many arguments a predicate occurs."""
        return sorted(arity for known, arity in self._by_key if known == name)


def condition_findings(base: Base) -> Iterator[Finding]:
    """Yield conditions that never hold or never matter, and effects that do nothing."""
    init = [f.term for f in base.init]
    adds = [fact.term for s in base.schemas for added, fact in s.effects if added]
    possible = _Patterns([*init, *adds])
    conditions = [c.term for s in base.schemas for c in (*s.needs, *s.forbids)]
    read = _Patterns([*conditions, *(g.term for g in base.goal)])
    for schema in base.schemas:
        yield from _needs(schema, possible)
        yield from _forbids(schema, possible)
        yield from _effects(schema, possible, read)
    for goal in base.goal:
        if not possible.has(goal.term):
            message = f"the goal {text(goal.term)} can never hold: {_never(goal.term, possible)}"
            yield Finding(*goal.place, "unreachable-goal", message)
    yield from _undeclared(base)


def _needs(schema: Schema, possible: _Patterns) -> Iterator[Finding]:
    for need in schema.needs:
        if not possible.has(need.term):
            message = (
                f"{schema.name}: the positive precondition {text(need.term)} is never satisfied: "
                f"{_never(need.term, possible)}"
            )
            yield Finding(*need.place, "never-satisfied", message)
        if any(need.term == other.term for other in schema.forbids):
            message = (
                f"{schema.name}: {text(need.term)} is needed and forbidden; remove one of the two"
            )
            yield Finding(*need.place, "never-satisfied", message)
    yield from _repeated(schema, schema.needs)


def _never(term: Term, possible: _Patterns) -> str:
    name, arity = key_of(term)
    others = [a for a in possible.arities(name) if a != arity]
    if others and arity not in possible.arities(name):
        known = " or ".join(map(str, others))
        return f"{name} has {known} arguments elsewhere, here {arity}"
    if not others and name not in possible.names():
        near = did_you_mean(name, possible.names())
        return f"no fact of the initial state and no effect add(…) is of {name}/{arity}.{near}"
    return f"no fact of the initial state and no effect add(…) is like {text(term)}"


def _forbids(schema: Schema, possible: _Patterns) -> Iterator[Finding]:
    for forbidden in schema.forbids:
        if not possible.has(forbidden.term):
            message = (
                f"{schema.name}: the negative precondition {text(forbidden.term)} is superfluous: "
                f"{_never(forbidden.term, possible)}"
            )
            yield Finding(*forbidden.place, "superfluous", message, Weight.NOTE)
    yield from _repeated(schema, schema.forbids)


def _repeated(schema: Schema, conditions: Iterable[Located]) -> Iterator[Finding]:
    seen: set[Term] = set()
    for condition in conditions:
        if condition.term in seen:
            message = f"{schema.name}: {text(condition.term)} is stated twice; remove one"
            yield Finding(*condition.place, "superfluous", message, Weight.NOTE)
        seen.add(condition.term)


def _effects(schema: Schema, possible: _Patterns, read: _Patterns) -> Iterator[Finding]:
    for added, fact in schema.effects:
        if added and not read.has(fact.term):
            near = did_you_mean(key_of(fact.term)[0], read.names())
            message = (
                f"{schema.name}: nothing ever asks for {text(fact.term)}, which it adds; remove the effect "
                f"or use it in a precondition or the goal.{near}"
            )
            yield Finding(*fact.place, "unread-effect", message, Weight.WARNING)
        if not added and not possible.has(fact.term):
            message = (
                f"{schema.name}: it deletes {text(fact.term)}, which never holds: "
                f"{_never(fact.term, possible)}"
            )
            yield Finding(*fact.place, "unread-effect", message, Weight.WARNING)


def _undeclared(base: Base) -> Iterator[Finding]:
    """Yield names in the states that no general fact and no action knows."""
    known = {name for term in _declarations(base) for name in _names(term)}
    for where, facts in (("initial state", base.init), ("goal", base.goal)):
        for located in facts:
            names = (name for arg in args_of(located.term) for name in _names(arg))
            for name in dict.fromkeys(n for n in names if n not in known):
                near = did_you_mean(name, known)
                message = (
                    f"{name} in {text(located.term)} of the {where} is not declared: add a general fact "
                    f"about it or correct the name.{near}"
                )
                yield Finding(*located.place, "undeclared", message, Weight.WARNING)


def _declarations(base: Base) -> Iterator[Term]:
    """Yield the terms whose names count as declared: general facts, and what actions speak of."""
    yield from (clause.head for clause in base.general)
    for schema in base.schemas:
        yield from (c.term for c in (*schema.needs, *schema.forbids, *schema.goals))
        yield from (fact.term for _, fact in schema.effects)


def _names(term: Term) -> Iterator[str]:
    return (c for c in constants(term) if isinstance(c, str))
