"""A grammar with costs and actions, read from its text: the rules that the chart parser goes by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from commonground.errors import GroundingError

MOST_BEGINNINGS = 2000
"""Sets of terminals that a grammar remembers."""


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
