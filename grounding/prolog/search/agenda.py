"""In which order goals are reached so that none has to be given up again.

What can be seen beforehand is that some goals cannot be reached while others hold: a block cannot be put
down with something on top of it. So they come first (reasonable orders: Koehler and Hoffmann 2000, "On
reasonable and forced goal orderings and their use in an agenda-driven planning algorithm").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from commonground.grounding.prolog.actions.lifted import Lifted
from commonground.grounding.prolog.base.relations import Fact, fact_of, is_of, term_of
from commonground.grounding.prolog.base.terms import (
    Term,
    is_ground,
    key_of,
    match,
    substitute,
    text,
    variables,
)
from commonground.grounding.prolog.search.contradiction import Limits, adding, clash

Bundle = frozenset[Fact]
"""Goals that one action reaches together."""
Way = tuple[Lifted, dict[str, Term]]
"""An action that may reach a goal, with what that binds."""


@dataclass(frozen=True, slots=True)
class Agenda:
    """Goals in bundles, and which bundles have to be reached before which."""

    before: dict[Bundle, frozenset[Bundle]]
    """Bundle → those that cannot be reached any more while it holds."""
    room: dict[Bundle, tuple[Term, ...]]
    """Bundle → what must not hold for any way to reach it."""

    @classmethod
    def of(
        cls, actions: Sequence[Lifted], goal: Sequence[Term], limits: Limits | None
    ) -> Agenda | None:
        """Return the agenda of a goal; None: its facts are not all known, or nothing is of their order."""
        if limits is None or not all(map(is_ground, goal)):
            return None
        goals = sorted(map(fact_of, goal), key=lambda fact: text(term_of(fact)))
        known = [
            max(_bundles(fact, adding(actions, term_of(fact)), goals), key=len) for fact in goals
        ]
        bundles = [b for b in dict.fromkeys(known) if not any(b < other for other in known)]
        ways = {bundle: list(_ways(bundle, actions)) for bundle in bundles}
        before = {
            late: frozenset(s for s in bundles if s != late and _bars(late, ways[s], limits))
            for late in bundles
        }
        return cls(before, {bundle: _room(ways[bundle]) for bundle in bundles})

    def waiting(self, bundle: Bundle) -> int:
        """Return how many bundles wait for one."""
        after = [late for late, soon in self.before.items() if bundle in soon]
        return len(after)

    def in_the_way(self, facts: Iterable[Fact], state: frozenset[Fact]) -> int:
        """Return how many bundles still to be reached facts are in the way of."""
        found = list(facts)
        return sum(
            any(is_of(fact, p) and fact not in bundle for p in patterns for fact in found)
            for bundle, patterns in self.room.items()
            if not bundle <= state
        )

    def settled(self, state: frozenset[Fact]) -> frozenset[Bundle]:
        """Return the bundles that hold and need not be given up for those before them."""
        kept = {bundle for bundle in self.before if bundle <= state}
        while lost := {bundle for bundle in kept if not self.before[bundle] <= kept}:
            kept -= lost
        return frozenset(kept)

    def open(self, state: frozenset[Fact]) -> int:
        """Return how many bundles are left to be reached."""
        return len(self.before) - len(self.settled(state))

    def due(self, settled: frozenset[Bundle]) -> list[Bundle]:
        """Return the bundles that are next: what comes before them is settled."""
        left = [bundle for bundle in self.before if bundle not in settled]
        return [bundle for bundle in left if self.before[bundle] <= settled] or left


def _bundles(fact: Fact, ways: Iterator[Way], goals: Sequence[Fact]) -> Iterator[Bundle]:
    """Yield the goals about the same things that actions reach together with one."""
    yield frozenset({fact})
    for action, binding in ways:
        found = {fact}
        for pattern in action.adds:
            if binding.keys().isdisjoint(variables(pattern)):
                continue
            for other in goals:
                more = _matched(pattern, other, binding)
                if more is not None:
                    found.add(other)
                    binding = more
                    break
        yield frozenset(found)


def _ways(bundle: Bundle, actions: Sequence[Lifted]) -> Iterator[Way]:
    """Yield the actions that reach all of a bundle."""
    first, *others = sorted(bundle, key=lambda fact: text(term_of(fact)))
    for action, bound in adding(actions, term_of(first)):
        ways = [bound]
        for fact in others:
            more = (_matched(pattern, fact, way) for way in ways for pattern in action.adds)
            ways = [way for way in more if way is not None]
        for way in ways:
            yield action, way


def _matched(pattern: Term, fact: Fact, bound: dict[str, Term]) -> dict[str, Term] | None:
    """Return what makes a pattern a fact beside what is bound already."""
    more = dict(bound)
    goal = term_of(fact)
    return more if key_of(pattern) == key_of(goal) and match(pattern, goal, more) else None


def _room(ways: Sequence[Way]) -> tuple[Term, ...]:
    """Return what all ways to a bundle forbid before they begin."""
    forbidden = [
        {text(p): p for p in (substitute(p, bound) for p in action.stages[0].forbids)}
        for action, bound in ways
    ]
    first = forbidden[0] if forbidden else {}
    return tuple(p for said, p in first.items() if all(said in other for other in forbidden))


def _bars(late: Bundle, ways: Sequence[Way], limits: Limits) -> bool:
    """Return whether no way is left while a bundle holds."""
    goals = [term_of(fact) for fact in late]
    return bool(ways) and all(
        _forbids(action, bound, late)
        or any(clash(action, bound, goal, [goal], limits) for goal in goals)
        for action, bound in ways
    )


def _forbids(action: Lifted, bound: dict[str, Term], late: Bundle) -> bool:
    """Return whether an action must not begin while a bundle holds."""
    gone = {substitute(fact, bound) for fact in action.deletes}
    return any(
        is_of(fact, substitute(pattern, bound)) and term_of(fact) not in gone
        for pattern in action.stages[0].forbids
        for fact in late
    )
