"""Printer of the syntax tree: PDDL text that reads back as the same values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch

from commonground.planning.pddl.domain import (
    Action,
    Axiom,
    Domain,
    Function,
    Metric,
    Predicate,
    Problem,
)
from commonground.planning.pddl.formula import (
    OBJECT,
    TRUE,
    And,
    Arithmetic,
    Atom,
    Compare,
    Effect,
    Exists,
    Fluent,
    Forall,
    Imply,
    Not,
    Number,
    Or,
    Typed,
    Update,
)


@singledispatch
def to_pddl(value: object) -> str:
    """Return the PDDL text of any value of the syntax tree."""
    raise TypeError(f"{type(value).__name__} is no PDDL")


def number_text(value: float) -> str:
    """Return the shortest text that reads back as the same number."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def typed_text(items: Iterable[Typed]) -> str:
    """Return a typed list; types are left out where all are plain objects."""
    items = tuple(items)
    if all(item.types == (OBJECT,) for item in items):
        return " ".join(item.name for item in items)
    words: list[str] = []
    for index, item in enumerate(items):
        words.append(item.name)
        if index + 1 == len(items) or items[index + 1].types != item.types:
            either = f"(either {' '.join(item.types)})"
            words += ["-", item.types[0] if len(item.types) == 1 else either]
    return " ".join(words)


def _list(*words: str) -> str:
    return f"({' '.join(word for word in words if word)})"


@to_pddl.register(Atom)
@to_pddl.register(Fluent)
def _(value: Atom | Fluent) -> str:
    return str(value)


@to_pddl.register
def _(value: Not) -> str:
    return _list("not", to_pddl(value.body))


@to_pddl.register
def _(value: And) -> str:
    return _list("and", *map(to_pddl, value.parts))


@to_pddl.register
def _(value: Or) -> str:
    return _list("or", *map(to_pddl, value.parts))


@to_pddl.register
def _(value: Imply) -> str:
    return _list("imply", to_pddl(value.left), to_pddl(value.right))


@to_pddl.register
def _(value: Exists) -> str:
    return _list("exists", f"({typed_text(value.parameters)})", to_pddl(value.body))


@to_pddl.register
def _(value: Forall) -> str:
    return _list("forall", f"({typed_text(value.parameters)})", to_pddl(value.body))


@to_pddl.register
def _(value: Number) -> str:
    return number_text(value.value)


@to_pddl.register(Arithmetic)
def _(value: Arithmetic) -> str:
    return _list(value.operator, *map(to_pddl, value.parts))


@to_pddl.register(Compare)
def _(value: Compare) -> str:
    return _list(value.operator, to_pddl(value.left), to_pddl(value.right))


@to_pddl.register
def _(value: Update) -> str:
    return _list(value.operation, to_pddl(value.fluent), to_pddl(value.value))


@to_pddl.register
def _(value: Effect) -> str:
    text = to_pddl(value.change)
    if value.condition != TRUE:
        text = _list("when", to_pddl(value.condition), text)
    if value.parameters:
        text = _list("forall", f"({typed_text(value.parameters)})", text)
    return text


@to_pddl.register(Predicate)
@to_pddl.register(Function)
def _(value: Predicate | Function) -> str:
    return _list(value.name, typed_text(value.parameters))


def _block(effects: Sequence[Effect], indent: str) -> str:
    texts = [to_pddl(effect) for effect in effects]
    # Fast Downward's translator takes a cost only in a list
    if len(texts) == 1 and not isinstance(effects[0].change, Update):
        return texts[0]
    return _list("and", *(f"\n{indent}{text}" for text in texts))


@to_pddl.register
def _(value: Action) -> str:
    return (
        f"(:action {value.name}\n    :parameters ({typed_text(value.parameters)})\n"
        f"    :precondition {to_pddl(value.precondition)}\n"
        f"    :effect {_block(value.effects, '      ')})"
    )


@to_pddl.register
def _(value: Axiom) -> str:
    return _list(":derived", to_pddl(value.head), to_pddl(value.body))


@to_pddl.register(Metric)
def _(value: Metric) -> str:
    return _list(":metric", value.direction, to_pddl(value.expression))


def _lines(*sections: str) -> str:
    return "\n  ".join(section for section in sections if section) + ")\n"


def _section(keyword: str, text: str) -> str:
    return f"({keyword} {text})" if text else ""


@to_pddl.register
def _(value: Domain) -> str:
    functions = " ".join(map(to_pddl, value.functions))
    return _lines(
        f"(define (domain {value.name})",
        _section(":requirements", " ".join(value.requirements)),
        _section(":types", typed_text(value.types)),
        _section(":constants", typed_text(value.constants)),
        _section(":predicates", " ".join(map(to_pddl, value.predicates))),
        _section(":functions", f"{functions} - number" if functions else ""),
        *map(to_pddl, value.axioms),
        *map(to_pddl, value.actions),
    )


@to_pddl.register
def _(value: Problem) -> str:
    facts = [to_pddl(fact) for fact in (*value.init, *map(Not, value.denied))]
    facts += [_list("=", str(fluent), number_text(number)) for fluent, number in value.values]
    return _lines(
        f"(define (problem {value.name})",
        f"(:domain {value.domain})",
        _section(":requirements", " ".join(value.requirements)),
        _section(":objects", typed_text(value.objects)),
        f"(:init{''.join(f'{chr(10)}    {fact}' for fact in facts)})",
        f"(:goal {to_pddl(value.goal)})",
        to_pddl(value.metric) if value.metric else "",
    )
