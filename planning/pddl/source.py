"""PDDL text as nested lists of words, each with its place for error messages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias

from commonground.errors import PlanningError

_WORDS = re.compile(r"[()]|\??[^\s();?]+|\?|;[^\n]*")  # a '?' begins a word: (at?x) is (at ?x)
_MAX_DEPTH = 200  # deeper than any real formula; bounds the recursion of everything downstream


class PddlError(PlanningError):
    """PDDL that cannot be read or makes no sense; ``line`` and ``column`` count from 1, 0 is unknown."""

    def __init__(self, message: str, source: str = "", line: int = 0, column: int = 0) -> None:
        self.message, self.source, self.line, self.column = message, source, line, column
        where = f"{source}:{line}:{column}: " if line else f"{source}: " if source else ""
        super().__init__(where + message)


@dataclass(frozen=True, slots=True)
class Word:
    """One symbol, keyword, variable or number; ``at`` is its offset in the text."""

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Group:
    """What stands between two parentheses; ``end`` is the offset of the closing one."""

    items: tuple[Node, ...]
    at: int
    end: int


Node: TypeAlias = "Word | Group"


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A text under its name, and where in it the values read from it came from."""

    name: str
    text: str
    places: dict[int, int] = field(default_factory=dict)
    """Offset by the ``id`` of a value read from this text (valid while the value is alive)."""
    kept: list[object] = field(default_factory=list)
    """Keeps those values alive."""

    def note(self, value: object, at: int) -> None:
        """Remember that ``value`` was read at an offset."""
        self.places[id(value)] = at
        self.kept.append(value)

    def fail(self, message: str, at: int | None) -> NoReturn:
        """Raise PddlError for an offset of this text."""
        if at is None:
            raise PddlError(message, self.name)
        before = self.text[:at]
        line = before.count("\n") + 1
        raise PddlError(message, self.name, line, at - (before.rfind("\n") + 1) + 1)

    def blame(self, value: object, message: str) -> NoReturn:
        """Raise PddlError at the place a value was read from, where that is known."""
        self.fail(message, self.places.get(id(value)))


def blame(sources: Iterable[Source], value: object, message: str) -> NoReturn:
    """Raise PddlError at the place that a value was read from in one of several texts, if it was."""
    for source in sources:
        if id(value) in source.places:
            source.blame(value, message)
    raise PddlError(message)


NOWHERE = Source("", "")
"""For values that were built in Python rather than read."""


def read(source: Source, *, fold_case: bool = True) -> tuple[Node, ...]:
    """Return the words and groups of a text; names become lower case, as PDDL ignores case."""
    stack: list[tuple[int, list[Node]]] = [(0, [])]
    misplaced: int | None = None
    for match in _WORDS.finditer(source.text):
        text, at = match[0], match.start()
        if text == "(":
            if len(stack) > _MAX_DEPTH:
                source.fail(f"more than {_MAX_DEPTH} nested parentheses", at)
            stack.append((at, []))
        elif text == ")":
            opened, items = stack.pop()
            if not stack:
                source.fail("this ')' closes nothing: expected '(' or the end of the text", at)
            stack[-1][1].append(Group(tuple(items), opened, at))
        elif text[0] != ";":
            if misplaced is None and text[0] == ":":
                misplaced = _inner_section(stack)
            stack[-1][1].append(Word(text.lower() if fold_case else text, at))
    if len(stack) > 1:
        _fail_unclosed(source, stack[-1][0], misplaced)
    return tuple(stack[0][1])


def _inner_section(stack: list[tuple[int, list[Node]]]) -> int | None:
    """Return where a section inside a section opens; None where the keyword begins none."""
    return stack[-1][0] if len(stack) > 3 and not stack[-1][1] else None


def _fail_unclosed(source: Source, opened: int, misplaced: int | None) -> NoReturn:
    """Blame the first section inside a section: the one before it was not closed."""
    if misplaced is not None:
        source.fail("expected ')' before this section: the one before it is not closed", misplaced)
    source.fail("expected ')' before the end of the text: this '(' is never closed", opened)


def plural(count: int, what: str) -> str:
    """Return ``1 argument`` or ``2 arguments``."""
    return f"{count} {what}{'s' * (count != 1)}"


def shown(node: Node | None) -> str:
    """Return a node as it is quoted in a message."""
    if node is None:
        return "the end of the list"
    if isinstance(node, Word):
        return f"'{node.text}'"
    head = node.items[0].text if node.items and isinstance(node.items[0], Word) else ""
    return f"'({head} …)'" if head else "'(…)'" if node.items else "'()'"
