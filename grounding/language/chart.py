"""A small chart parser: every reading of a token span under a grammar, with costs, cheapest first.

Top-down with memoized results (each nonterminal is matched once at each position), so the time is
polynomial; alternatives that can not begin with the tokens at hand are skipped by their FIRST sets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias, TypeVar

from commonground.grounding.language.grammar import Alternative, Grammar, Item

KEPT = 6
"""Readings kept for one nonterminal over one span."""
DISTINCT = frozenset(["ref", "one_ref", "vp", "step", "sentence"])
"""Nonterminals whose equal readings are merged, so that they do not crowd out others."""
TOO_DEAR = 4.0
"""Readings that cost this much more than the best of the same span are dropped."""

Action = Callable[..., Any]
Terminals = Sequence[Mapping[str, Sequence[tuple[int, Any, float]]]]
"""Position → terminal → (end, value, cost) of each match. A literal word is the terminal ``=word``."""


class Reading(NamedTuple):
    """One way to read the tokens from a position up to ``end``."""

    end: int
    value: Any
    cost: float


State: TypeAlias = tuple[int, tuple[Any, ...], float]
"""A reading under way, with the values of the items so far; a plain tuple, for they are many."""
Found: TypeAlias = Sequence[tuple[int, Any, float]]
Read = TypeVar("Read", bound=tuple[int, Any, float])
_cost = itemgetter(2)


class Chart:
    """The memoized readings of one sentence."""

    def __init__(
        self, grammar: Grammar, actions: Mapping[str, Action], terminals: Terminals
    ) -> None:
        self.grammar, self.actions, self.terminals = grammar, actions, terminals
        self.reached = 0
        """The farthest position any terminal was matched up to: where an unreadable sentence breaks."""
        self._beginnings = [grammar.beginnings(here) for here in terminals]
        self._memo: list[dict[str, tuple[list[Reading], int]]] = [{} for _ in terminals]
        """By position and nonterminal, the readings and how far they looked."""

    def parse(self, name: str, at: int) -> list[Reading]:
        """Return the readings of a nonterminal from a position, cheapest first, a few for each end."""
        memo = self._memo[at]
        found = memo.get(name)
        if found is not None:
            if found[1] > self.reached:
                self.reached = found[1]
            return found[0]
        alternatives = self._beginnings[at][name]
        memo[name] = ([], 0)  # left recursion finds nothing
        if not alternatives:
            return []
        before, self.reached = self.reached, 0
        readings: list[Reading] = []
        try:
            for alternative in alternatives:
                only = alternative.only
                readings += self.parse(only, at) if only else self._alternative(alternative, at)
        except BaseException:
            del memo[name]  # nested too deeply: no answer to who asks next
            raise
        if name in DISTINCT:
            readings = _distinct(readings)
        kept = _cheapest(readings)
        memo[name] = (kept, self.reached)
        self.reached = max(before, self.reached)
        return kept

    def _alternative(self, alternative: Alternative, at: int) -> list[Reading]:
        states: list[State] = [(at, (), alternative.cost)]
        for item in alternative.items:
            read = self._item if item.optional or item.repeated else self._once
            longer = [
                (end, (*values, value), cost + more)
                for start, values, cost in states
                for end, value, more in read(item, start)
            ]
            if not longer:
                return []
            states = _cheapest(longer) if len(longer) > 1 else longer
        if not alternative.action:
            i = alternative.value_at
            return [Reading(e, v[i] if i >= 0 else None, c) for e, v, c in states]
        return self._applied(alternative, states)

    def _applied(self, alternative: Alternative, states: Sequence[State]) -> list[Reading]:
        action, labels = self.actions[alternative.action], alternative.labels
        constants = alternative.constants or {}
        out = []
        for end, values, cost in states:
            value = action(**{label: values[i] for label, i in labels}, **constants)
            if value is not None:
                out.append(Reading(end, value, cost))
        return out

    def _item(self, item: Item, at: int) -> Found:
        if not item.repeated:
            return [*self._once(item, at), (at, None, 0.0)]
        rows: list[State] = [(at, (), 0.0)] if item.optional else []
        frontier: list[State] = [(at, (), 0.0)]
        while frontier:
            frontier = _cheapest(
                [
                    (end, (*values, value), cost + more)
                    for start, values, cost in frontier
                    for end, value, more in self._once(item, start)
                    if end > start
                ]
            )
            rows += frontier
        return rows

    def _once(self, item: Item, at: int) -> Found:
        if not item.terminal:
            return self.parse(item.name, at)
        found = self.terminals[at].get(item.name, ())
        for end, _, _ in found:
            if end > self.reached:
                self.reached = end
        return found


def _cheapest(readings: list[Read]) -> list[Read]:
    """Return the few cheapest readings for each end, none that costs much more than the best one."""
    if len(readings) < 2:
        return readings
    if len(readings) == 2:
        one, other = readings
        if other[2] < one[2]:
            one, other = other, one
            readings = [one, other]
        return [one] if one[0] == other[0] and other[2] > one[2] + TOO_DEAR else readings
    readings.sort(key=_cost)
    count: dict[int, int] = {}
    bound: dict[int, float] = {}
    kept = []
    for reading in readings:
        end, _, cost = reading
        n = count.get(end, 0)
        if n == 0:
            bound[end] = cost + TOO_DEAR
        if n < KEPT and cost <= bound[end]:
            count[end] = n + 1
            kept.append(reading)
    return kept


def _distinct(readings: list[Reading]) -> list[Reading]:
    """Return the cheapest of equal readings."""
    found: dict[tuple[int, Any], Reading] = {}
    for reading in sorted(readings, key=_cost):
        found.setdefault((reading.end, reading.value), reading)
    return list(found.values())
