"""Parser of formulas, numeric expressions and effects from nested lists of words."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TypeVar, get_args

from commonground.errors import did_you_mean
from commonground.planning.pddl.formula import (
    TRUE,
    And,
    Arithmetic,
    Atom,
    Comparator,
    Compare,
    Effect,
    Exists,
    Expression,
    Fluent,
    Forall,
    Formula,
    Imply,
    Not,
    Number,
    Operation,
    Operator,
    Or,
    Typed,
    Update,
    is_variable,
)
from commonground.planning.pddl.logic import conjuncts
from commonground.planning.pddl.source import Group, Node, Source, Word, shown

T = TypeVar("T")

COMPARATORS: dict[str, Comparator] = {name: name for name in get_args(Comparator)}
OPERATIONS: dict[str, Operation] = {name: name for name in get_args(Operation)}
ARITHMETIC: dict[str, Operator] = {name: name for name in get_args(Operator)}
_CONNECTIVES = ("and", "or", "not", "imply", "exists", "forall")
_UNSUPPORTED = {
    "preference", "always", "sometime", "within", "at-most-once", "sometime-after", "sometime-before",
    "always-within", "hold-during", "hold-after", "oneof", "probabilistic",
}  # fmt: skip


def as_number(word: str) -> float | None:
    """Return the value of a numeric word; ``nan`` and ``inf`` are names, not numbers."""
    if not (word[0].isdigit() or (word[0] in "+-." and word[1:2] and word[1] in "0123456789.")):
        return None
    try:
        return float(word)
    except ValueError:
        return None


class FormulaSyntax:
    """Reads the inner half of PDDL from one source; every value read is noted with its place."""

    def __init__(self, source: Source) -> None:
        self.source = source

    # ---- lists and words ----------------------------------------------------------------------

    def group(self, node: Node | None, what: str, after: int) -> Group:
        """Return the node as a parenthesised list or fail saying that ``what`` was expected."""
        if not isinstance(node, Group):
            self.source.fail(f"expected {what}, found {shown(node)}", node.at if node else after)
        return node

    def word(self, node: Node | None, what: str, after: int) -> str:
        """Return the node's word or fail saying that ``what`` was expected."""
        if not isinstance(node, Word):
            self.source.fail(f"expected {what}, found {shown(node)}", node.at if node else after)
        return node.text

    def name(self, node: Node | None, what: str, after: int) -> str:
        """Return a word that can name something: neither variable, number nor keyword."""
        text = self.word(node, what, after)
        if node is not None and (
            is_variable(text) or text.startswith(":") or as_number(text) is not None
        ):
            self.source.fail(f"expected {what}, found '{text}'", node.at)
        return text

    def head(self, group: Group, what: str) -> str:
        """Return the first word of a list."""
        return self.word(group.items[0] if group.items else None, what, group.end)

    def exactly(self, group: Group, count: int, form: str) -> tuple[Node, ...]:
        """Return what follows the head of a list or fail unless it is ``count`` things."""
        rest = group.items[1:]
        if len(rest) != count:
            at = rest[count].at if len(rest) > count else group.end
            self.source.fail(f"expected {form}, found {len(rest)} part{'s' * (len(rest) != 1)}", at)
        return rest

    def noted(self, value: T, at: int) -> T:
        """Remember where a value was read."""
        self.source.note(value, at)
        return value

    # ---- typed lists --------------------------------------------------------------------------

    def typed_list(
        self, items: Iterable[Node], *, variables: bool, after: int
    ) -> tuple[Typed, ...]:
        """Read ``a b - t c - (either t u) d``; what has no type is an object."""
        done: list[Typed] = []
        waiting: list[Word] = []
        nodes = iter(items)
        for node in nodes:
            if isinstance(node, Word) and node.text == "-":
                if not waiting:
                    self.source.fail("expected a name before '-'", node.at)
                types = self.types(next(nodes, None), after)
                done += [self.noted(Typed(w.text, types), w.at) for w in waiting]
                waiting = []
                continue
            what = "a variable such as '?x'" if variables else "a name"
            text = self.word(node, what, after) if variables else self.name(node, what, after)
            if variables and (not is_variable(text) or text == "?"):
                self.source.fail(f"expected {what}, found '{text}'", node.at)
            waiting.append(Word(text, node.at))
        return (*done, *(self.noted(Typed(w.text), w.at) for w in waiting))

    def types(self, node: Node | None, after: int) -> tuple[str, ...]:
        """Read what follows the dash of a typed list."""
        if isinstance(node, Group) and self.head(node, "'either'").lower() == "either":
            if len(node.items) == 1:
                self.source.fail("expected a type after 'either'", node.end)
            return tuple(self.name(item, "a type", node.end) for item in node.items[1:])
        return (self.name(node, "a type", after),)

    def variables(self, node: Node | None, after: int) -> tuple[Typed, ...]:
        """Read a parenthesised list of typed variables that are all different."""
        group = self.group(node, "a list of variables such as '(?x - type)'", after)
        found = self.typed_list(group.items, variables=True, after=group.end)
        seen: set[str] = set()
        for typed in found:
            if typed.name in seen:
                self.source.blame(typed, f"variable '{typed.name}' is listed twice")
            seen.add(typed.name)
        return found

    # ---- formulas -----------------------------------------------------------------------------

    def formula(self, node: Node | None, after: int) -> Formula:
        """Read a formula; ``()`` is true."""
        group = self.group(node, "a formula in parentheses", after)
        if not group.items:
            return self.noted(And(), group.at)
        return self.noted(self._formula(group), group.at)

    def _formula(self, group: Group) -> Formula:
        head = self.head(group, "a predicate, 'and', 'or', 'not', 'imply', 'exists' or 'forall'")
        key = head.lower()
        if key in ("and", "or"):
            parts = tuple(self.formula(item, group.end) for item in group.items[1:])
            return And(parts) if key == "and" else Or(parts)
        if key == "not":
            (body,) = self.exactly(group, 1, "'(not formula)'")
            return Not(self.formula(body, group.end))
        if key == "imply":
            left, right = self.exactly(group, 2, "'(imply formula formula)'")
            return Imply(self.formula(left, group.end), self.formula(right, group.end))
        if key in ("exists", "forall"):
            variables, body = self.exactly(group, 2, f"'({key} (?x - type) formula)'")
            kind = Exists if key == "exists" else Forall
            return kind(self.variables(variables, group.end), self.formula(body, group.end))
        if key in COMPARATORS and not self._equates_terms(key, group):
            left, right = self.exactly(group, 2, f"'({key} expression expression)'")
            return Compare(
                COMPARATORS[key],
                self.expression(left, group.end),
                self.expression(right, group.end),
            )
        return self.atom(group)

    @staticmethod
    def _equates_terms(key: str, group: Group) -> bool:
        """Tell ``(= ?a b)`` between terms from ``(= (f) 3)`` between numbers."""
        words = [item.text for item in group.items[1:] if isinstance(item, Word)]
        numeric = any(as_number(w) is not None for w in words)
        return key == "=" and len(words) == len(group.items) - 1 and not numeric

    def atom(self, group: Group) -> Atom:
        """Read a predicate with its terms."""
        name = self.head(group, "a predicate")
        self.name(group.items[0], "a predicate", group.end)
        if any(isinstance(item, Group) for item in group.items):
            inner = next(item for item in group.items if isinstance(item, Group))
            if name.lower() in _UNSUPPORTED:
                self.source.fail(
                    f"'{name}' is not supported: expected a predicate or connective", group.at
                )
            if name.lower() in (*_CONNECTIVES, "when"):
                self.source.fail(
                    f"expected an atom such as '(on a b)', found '({name} …)'", group.at
                )
            hint = did_you_mean(name.lower(), _CONNECTIVES)
            self.source.fail(
                f"expected a variable or object in '({name} …)', found a list.{hint}", inner.at
            )
        return self.noted(Atom(name, self.terms(group)), group.at)

    def terms(self, group: Group) -> tuple[str, ...]:
        """Read the terms after the head of a list."""
        terms = tuple(
            self.word(item, "a variable or object", group.end) for item in group.items[1:]
        )
        for node, term in zip(group.items[1:], terms, strict=True):
            if term in ("?", "-") or term.startswith(":"):
                self.source.fail(f"expected a variable or object, found '{term}'", node.at)
        return terms

    def literal(self, node: Node | None, after: int) -> Atom | Not:
        group = self.group(node, "a literal such as '(clear a)'", after)
        if self.head(group, "a predicate or 'not'").lower() != "not":
            return self.atom(group)
        (body,) = self.exactly(group, 1, "'(not (predicate …))'")
        return self.noted(Not(self.atom(self.group(body, "an atom", group.end))), group.at)

    # ---- numbers ------------------------------------------------------------------------------

    def expression(self, node: Node | None, after: int) -> Expression:
        if isinstance(node, Word):
            value = as_number(node.text)
            if value is None:
                if is_variable(node.text) or node.text == "#t":
                    self.source.fail(
                        f"expected a number or '(function …)', found '{node.text}'", node.at
                    )
                return self.noted(Fluent(node.text), node.at)
            if not math.isfinite(value):
                self.source.fail(f"'{node.text}' is not a finite number", node.at)
            return self.noted(Number(value), node.at)
        group = self.group(node, "a number or '(function …)'", after)
        head = self.head(group, "a function or one of + - * /")
        if head in ARITHMETIC:
            return self._arithmetic(group, ARITHMETIC[head])
        return self.fluent(group)

    def _arithmetic(self, group: Group, operator: Operator) -> Arithmetic:
        parts = tuple(self.expression(item, group.end) for item in group.items[1:])
        least = 1 if operator == "-" else 2
        most = len(parts) if operator in "+*" else 2
        if not least <= len(parts) <= most:
            self.source.fail(f"'{operator}' cannot take {len(parts)} numbers", group.end)
        return self.noted(Arithmetic(operator, parts), group.at)

    def fluent(self, group: Group) -> Fluent:
        """Read a numeric function with its terms."""
        name = self.name(group.items[0] if group.items else None, "a function", group.end)
        return self.noted(Fluent(name, self.terms(group)), group.at)

    # ---- effects ------------------------------------------------------------------------------

    def effects(self, node: Node | None, after: int) -> tuple[Effect, ...]:
        """Read an effect into a flat tuple of changes."""
        return tuple(self._effects(node, (), TRUE, after))

    def _effects(
        self, node: Node | None, bound: tuple[Typed, ...], when: Formula, after: int
    ) -> list[Effect]:
        group = self.group(node, "an effect in parentheses", after)
        if not group.items:
            return []
        head = self.head(
            group, "a predicate, 'and', 'not', 'when', 'forall', 'increase' or 'assign'"
        ).lower()
        if head == "and":
            return [
                e for item in group.items[1:] for e in self._effects(item, bound, when, group.end)
            ]
        if head == "forall":
            variables, body = self.exactly(group, 2, "'(forall (?x - type) effect)'")
            return self._effects(
                body, self._nested(bound, self.variables(variables, group.end)), when, group.end
            )
        if head == "when":
            condition, body = self.exactly(group, 2, "'(when formula effect)'")
            both = joined(when, self.formula(condition, group.end))
            return self._effects(body, bound, both, group.end)
        change = (
            self._update(group, OPERATIONS[head])
            if head in OPERATIONS
            else self.literal(group, after)
        )
        return [self.noted(Effect(change, bound, when), group.at)]

    def _nested(self, outer: tuple[Typed, ...], inner: tuple[Typed, ...]) -> tuple[Typed, ...]:
        for typed in inner:
            if any(typed.name == other.name for other in outer):
                self.source.blame(
                    typed, f"variable '{typed.name}' is already bound by an outer 'forall'"
                )
        return (*outer, *inner)

    def _update(self, group: Group, operation: Operation) -> Update:
        target, value = self.exactly(group, 2, f"'({operation} (function …) number)'")
        fluent = self.expression(target, group.end)
        if not isinstance(fluent, Fluent):
            self.source.fail("expected a function to change", target.at)
        return self.noted(Update(operation, fluent, self.expression(value, group.end)), group.at)


def joined(outer: Formula, inner: Formula) -> Formula:
    """Return the conjunction, without a needless nesting where one side is true."""
    if outer == TRUE:
        return inner
    return And((*conjuncts(outer), *conjuncts(inner)))
