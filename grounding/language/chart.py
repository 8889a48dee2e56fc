"""A small chart parser: every reading of a token span under a grammar, with costs, cheapest first.

Top-down with memoized results (each nonterminal is matched once at each position), so the time is
polynomial; alternatives that can not begin with the tokens at hand are skipped by their FIRST sets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias, TypeVar

from commonground.errors import GroundingError

KEPT = 6
"""Readings kept for one nonterminal over one span."""
DISTINCT = frozenset(["ref", "one_ref", "vp", "step", "sentence"])
"""Nonterminals whose equal readings are merged, so that they do not crowd out others."""
TOO_DEAR = 4.0
"""Readings that cost this much more than the best of the same span are dropped."""
MOST_BEGINNINGS = 2000
"""Sets of terminals that a grammar remembers."""

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


@dataclass(frozen=True, slots=True)
class Item:
    """One element of an alternative."""

    name: str
    terminal: bool
    label: str = ""
    optional: bool = False
    repeated: bool = False


@dataclass(slots=True)
class Alternative:
    """One right-hand side of a rule."""

    items: tuple[Item, ...]
    action: str = ""
    constants: Mapping[str, str] | None = None
    cost: float = 0.0
    value_at: int = -1
    """Which item's value is the alternative's own, where there is no action; −1 for none."""
    first: frozenset[str] | None = None
    """Terminals it can begin with; None where it may be empty."""
    labels: tuple[tuple[str, int], ...] = field(init=False)
    """The items that its action is told, each with where it stands."""
    only: str = field(init=False)
    """The nonterminal whose readings are its own, where it is nothing but that."""

    def __post_init__(self) -> None:
        """Look once at what would be looked at for each sentence."""
        self.labels = tuple((item.label, i) for i, item in enumerate(self.items) if item.label)
        plain = len(self.items) == 1 and not self.action and not self.cost
        item = self.items[0] if plain else None
        single = item is not None and not (item.terminal or item.optional or item.repeated)
        self.only = item.name if item is not None and single else ""


class Beginnings(dict[str, Sequence[Alternative]]):
    """The alternatives of each nonterminal that can begin with some terminals, found when asked for."""

    def __init__(self, grammar: Grammar, here: frozenset[str]) -> None:
        super().__init__()
        self.grammar, self.here = grammar, here

    def __missing__(self, name: str) -> Sequence[Alternative]:
        self[name] = found = [
            a for a in self.grammar[name] if a.first is None or not a.first.isdisjoint(self.here)
        ]
        return found


class Grammar(dict[str, list[Alternative]]):
    """The alternatives of each nonterminal."""

    def __init__(self) -> None:
        super().__init__()
        self.terminals: frozenset[str] = frozenset()
        """All that any alternative has."""
        self._beginnings: dict[frozenset[str], Beginnings] = {}

    def beginnings(self, here: Iterable[str]) -> Beginnings:
        """Return what can begin where these terminals are; the same ones are met again and again."""
        known = self.terminals.intersection(here)
        found = self._beginnings.get(known)
        if found is None:
            if len(self._beginnings) >= MOST_BEGINNINGS:
                self._beginnings.clear()
            found = self._beginnings[known] = Beginnings(self, known)
        return found


_TOKEN = re.compile(r'\s*(?:(->)|(~[\d.]+)|([a-z_]+:)?(?:("[^"]+"|[A-Za-z_]+)|([()|?*+]))|(\S))')


def read_grammar(text: str) -> Grammar:
    """Return the rules of a grammar text.

    ``name = item item -> action(key=word) ~0.5`` and further lines ``| …``. Items: ``"word"``,
    ``CATEGORY``, ``rule``, ``( … | … )``, each with ``label:`` before and ``?``, ``*`` or ``+`` behind.
    ``name += …`` adds alternatives to a rule.
    """
    grammar = Grammar()
    for name, adds, body in _rules(text):
        if not adds and name in grammar:
            raise GroundingError(f"grammar: rule '{name}' is defined twice")
        reader = _Reader(name, body, grammar)
        grammar.setdefault(name, []).extend(reader.alternatives())
        reader.finish()
    _check(grammar)
    _set_first(grammar)
    items = (i for alternatives in grammar.values() for a in alternatives for i in a.items)
    grammar.terminals = frozenset(item.name for item in items if item.terminal)
    return grammar


def _rules(text: str) -> list[tuple[str, bool, str]]:
    rules: list[tuple[str, bool, str]] = []
    for raw in text.splitlines():
        line = raw.partition("#")[0].rstrip()
        head = re.match(r"([A-Za-z_]+)\s*(\+?)=\s*(.*)", line)
        if head:
            rules.append((head[1], bool(head[2]), head[3]))
        elif line.strip():
            if not rules:
                raise GroundingError(f"grammar: a line before the first rule: {line.strip()}")
            name, adds, body = rules[-1]
            rules[-1] = (name, adds, f"{body} {line.strip()}")
    return rules


class _Reader:
    """Reads the body of one rule; groups become rules of their own."""

    def __init__(self, name: str, body: str, grammar: Grammar) -> None:
        self.name, self.body, self.grammar, self.at = name, body, grammar, 0
        self.groups = 0

    def alternatives(self) -> list[Alternative]:
        out = [self._alternative()]
        while self._take("|"):
            out.append(self._alternative())
        return out

    def finish(self) -> None:
        if self._peek() is not None:
            raise GroundingError(
                f"grammar: rule '{self.name}': cannot read '{self.body[self.at :]}'"
            )

    def _peek(self) -> re.Match[str] | None:
        return _TOKEN.match(self.body, self.at)

    def _take(self, mark: str) -> bool:
        match = self._peek()
        if match is None or match[5] != mark:
            return False
        self.at = match.end()
        return True

    def _alternative(self) -> Alternative:
        items: list[Item] = []
        action, cost = "", 0.0
        constants: dict[str, str] = {}
        while (match := self._peek()) is not None and match[5] not in ("|", ")"):
            self.at = match.end()
            if match[1]:
                action, constants = self._action()
            elif match[2]:
                cost = float(match[2][1:])
            else:
                items += self._item(match)
        value_at = _own_value(items)
        return Alternative(tuple(items), action, constants, cost, -1 if action else value_at)

    def _action(self) -> tuple[str, dict[str, str]]:
        match = re.compile(r"\s*(\w+)(?:\(([^)]*)\))?").match(self.body, self.at)
        if match is None:
            raise GroundingError(f"grammar: rule '{self.name}': an action is missing after '->'")
        self.at = match.end()
        pairs = [p.partition("=") for p in (match[2] or "").replace(" ", "").split(",") if p]
        return match[1], {key: value for key, _, value in pairs}

    def _item(self, match: re.Match[str]) -> list[Item]:
        label = (match[3] or "").rstrip(":")
        if match[5] == "(":
            name = self._group()
        elif match[4]:
            name = match[4]
        else:
            raise GroundingError(f"grammar: rule '{self.name}': unexpected '{match[0].strip()}'")
        terminal = name.startswith('"') or name.isupper()
        name = f"={name[1:-1]}" if name.startswith('"') else name
        optional, repeated = self._take("?"), False
        if not optional and self._take("*"):
            optional = repeated = True
        elif not optional and self._take("+"):
            repeated = True
        return [Item(name, terminal, label, optional, repeated)]

    def _group(self) -> str:
        self.groups += 1
        name = f"{self.name}.{self.groups}.{len(self.grammar.get(self.name, []))}"
        inner = _Reader(name, self.body, self.grammar)
        inner.at = self.at
        self.grammar[name] = inner.alternatives()
        self.at = inner.at
        if not self._take(")"):
            raise GroundingError(f"grammar: rule '{self.name}': a bracket is not closed")
        return name


def _own_value(items: Sequence[Item]) -> int:
    labelled = [i for i, item in enumerate(items) if item.label]
    if len(labelled) == 1:
        return labelled[0]
    rules = [i for i, item in enumerate(items) if not item.name.startswith("=")]
    if len(rules) == 1:
        return rules[0]
    return 0 if len(items) == 1 else -1


def _check(grammar: Grammar) -> None:
    for name, alternatives in grammar.items():
        for item in (item for alternative in alternatives for item in alternative.items):
            if not item.terminal and item.name not in grammar:
                raise GroundingError(
                    f"grammar: rule '{name}' uses '{item.name}', which is not defined"
                )


def _set_first(grammar: Grammar) -> None:
    """Find which terminals each alternative can begin with, and which alternatives may be empty."""
    first: dict[str, set[str]] = {name: set() for name in grammar}
    empty: set[str] = set()

    def of(alternative: Alternative) -> tuple[set[str], bool]:
        out: set[str] = set()
        for item in alternative.items:
            out |= {item.name} if item.terminal else first[item.name]
            if not (item.optional or (not item.terminal and item.name in empty)):
                return out, False
        return out, True

    changed = True
    while changed:
        changed = False
        for name, alternatives in grammar.items():
            for alternative in alternatives:
                found, nullable = of(alternative)
                if not found <= first[name] or (nullable and name not in empty):
                    first[name] |= found
                    empty |= {name} if nullable else set()
                    changed = True
    for alternatives in grammar.values():
        for alternative in alternatives:
            found, nullable = of(alternative)
            alternative.first = None if nullable else frozenset(found)


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
