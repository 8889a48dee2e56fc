"""Utterances as rows of symbols, and what may come next in such a row.

The types of `utterance` are the grammar: a field that is not at its default is written as a symbol, its words
as a pointer to a span, what it holds in between that symbol and a closing one. `Row` follows a row as it is
written and tells which symbols may be next, so that whatever is decoded is an utterance.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from commonground.errors import GroundingError
from commonground.grounding.english.utterance import Span, Utterance

CLOSE = ")"
POINTER = "@"
"""Stands in the table of symbols for any span."""
MAX_DEPTH = 14
MAX_SYMBOLS = 400
Item: TypeAlias = str | Span


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a type of the utterance."""

    name: str
    kind: Literal["word", "flag", "span", "value"]
    words: tuple[str, ...] = ()
    """What a ``word`` may be."""
    classes: tuple[type, ...] = ()
    """What a ``value`` may be."""
    many: bool = False
    required: bool = False
    default: Any = None

    def symbols(self) -> tuple[str, ...]:
        """Return the symbols that may begin the field."""
        if self.kind == "word":
            return tuple(f"{self.name}={w}" for w in self.words if w != self.default)
        if len(self.classes) > 1:
            return tuple(f"{self.name}:{c.__name__}" for c in self.classes)
        return (self.name,)


@cache
def fields_of(cls: type) -> tuple[Field, ...]:
    """Return the fields of a type of the utterance, in order."""
    hints = get_type_hints(cls)
    return tuple(_field(f.name, hints[f.name], f.default) for f in fields(cls))


def _field(name: str, hint: Any, default: Any) -> Field:
    required = default is MISSING
    many = get_origin(hint) is tuple
    inner = get_args(hint)[0] if many else hint
    if get_origin(inner) is Literal:
        return Field(name, "word", tuple(get_args(inner)), required=required, default=default)
    if inner is bool:
        return Field(name, "flag")
    options: tuple[Any, ...] = (inner,)
    if get_origin(inner) in (Union, types.UnionType):
        options = tuple(o for o in get_args(inner) if o is not type(None))
    if options == (Span,):
        return Field(name, "span", many=many, required=required)
    return Field(name, "value", classes=options, many=many, required=required)


@cache
def all_symbols() -> tuple[str, ...]:
    """Return every symbol that a row may hold, always in the same order."""
    found: dict[str, None] = {CLOSE: None, POINTER: None}
    seen: set[type] = set()
    todo: list[type] = [Utterance]
    while todo:
        cls = todo.pop(0)
        if cls in seen:
            continue
        seen.add(cls)
        for field in fields_of(cls):
            found |= dict.fromkeys(field.symbols())
            todo += field.classes
    return tuple(found)


# ---- writing ------------------------------------------------------------------------------------


def written(utterance: Utterance) -> list[Item]:
    """Return the row of an utterance."""
    return [*_written(utterance)]


def _written(value: Any) -> Iterator[Item]:
    for field in fields_of(type(value)):  # type: ignore[arg-type]  # classes can be hashed
        content = getattr(value, field.name)
        if field.kind == "word":
            if content != field.default:
                yield f"{field.name}={content}"
        elif field.kind == "flag":
            if content:
                yield field.name
        else:
            for one in content if field.many else (content,) if content is not None else ():
                if field.kind == "span":
                    yield field.name
                    yield one
                    continue
                wide = len(field.classes) > 1
                yield f"{field.name}:{type(one).__name__}" if wide else field.name
                yield from _written(one)
    yield CLOSE


# ---- reading ------------------------------------------------------------------------------------


class Row:
    """A row of symbols as it is written: what it says so far, and what may come next."""

    def __init__(self) -> None:
        self._open: list[_Open] = [_Open(Utterance)]
        self._awaits_span = False
        self.utterance: Utterance | None = None

    def allowed(self) -> tuple[str, ...]:
        """Return the symbols that may come next; none at the end."""
        if self.utterance is not None:
            return ()
        if self._awaits_span:
            return (POINTER,)
        return _allowed(self._open[-1].cls, self._open[-1].last, len(self._open) >= MAX_DEPTH)

    @property
    def depth(self) -> int:
        """How many values are open."""
        return len(self._open)

    def copy(self) -> Row:
        """Return a row that goes on from here by itself."""
        made = Row.__new__(Row)
        made._open = [one.copy() for one in self._open]
        made._awaits_span = self._awaits_span
        made.utterance = self.utterance
        return made

    @property
    def field(self) -> str:
        """The field that was begun last in the value that is open."""
        top = self._open[-1]
        return fields_of(top.cls)[top.last].name if top.last >= 0 else ""

    def add(self, item: Item) -> None:
        """Take the next symbol, or the span that the symbol before asked for."""
        top = self._open[-1]
        if isinstance(item, Span):
            top.put(fields_of(top.cls)[top.last], item)
            self._awaits_span = False
        elif item == CLOSE:
            self._close()
        else:
            index = _field_of(top.cls)[item]
            field = fields_of(top.cls)[index]
            top.last = index
            if field.kind == "word":
                top.put(field, item.partition("=")[2])
            elif field.kind == "flag":
                top.put(field, True)
            elif field.kind == "span":
                self._awaits_span = True
            else:
                name = item.partition(":")[2]
                cls = next((c for c in field.classes if c.__name__ == name), field.classes[0])
                self._open.append(_Open(cls))

    def _close(self) -> None:
        done = self._open.pop().made()
        if isinstance(done, Utterance):
            self.utterance = done
        else:
            above = self._open[-1]
            above.put(fields_of(above.cls)[above.last], done)


def read(items: Sequence[Item]) -> Utterance:
    """Return the utterance of a row; GroundingError if it is none."""
    row = Row()
    for item in items:
        kind = POINTER if isinstance(item, Span) else item
        if kind not in row.allowed():
            raise GroundingError(f"not an utterance: '{kind}' may not stand here")
        row.add(item)
    if row.utterance is None:
        raise GroundingError("not an utterance: it ends too early")
    return row.utterance


class _Open:
    """A value under construction."""

    __slots__ = ("cls", "last", "values")

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.last = -1
        self.values: dict[str, Any] = {}

    def copy(self) -> _Open:
        made = _Open(self.cls)
        made.last = self.last
        made.values = dict(self.values)
        return made

    def put(self, field: Field, value: Any) -> None:
        if field.many:
            self.values[field.name] = (*self.values.get(field.name, ()), value)
        else:
            self.values[field.name] = value

    def made(self) -> Any:
        return self.cls(**self.values)


@cache
def _field_of(cls: type) -> dict[str, int]:
    return {s: i for i, field in enumerate(fields_of(cls)) for s in field.symbols()}


@cache
def _allowed(cls: type, last: int, deep: bool) -> tuple[str, ...]:
    """Return what may come after the field ``last`` of a type: later fields in order, or its end."""
    here = fields_of(cls)
    found: list[str] = []
    closes = True
    for index, field in enumerate(here):
        if index < last or (index == last and not field.many):
            continue
        if field.kind != "value" or not deep or field.required:
            found += field.symbols()
        if field.required and index > last:
            closes = False
            break
    return (*found, CLOSE) if closes else tuple(found)
