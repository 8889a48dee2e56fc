"""Utterances as rows of symbols, and what may come next in such a row.

The types of `utterance` are the grammar: a field that is not at its default is written as a symbol, its words
as a pointer to a span, what it holds in between that symbol and a closing one. `Place` follows a row as it is
written and tells which symbols may be next, so that whatever is decoded is an utterance.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias, Union, get_args, get_origin, get_type_hints

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


class Place(NamedTuple):
    """Where a row stands: which value is open, and which of its fields was begun last."""

    cls: type
    last: int = -1
    above: Place | None = None
    """Where the row goes on once the value is whole."""
    opened: str = ""
    """The symbol that began the value."""
    depth: int = 1
    """How many values are open."""
    awaits_span: bool = False

    def allowed(self) -> tuple[str, ...]:
        """Return the symbols that may come next."""
        if self.awaits_span:
            return (POINTER,)
        return allowed_after(self.cls, self.last, self.deep)

    @property
    def deep(self) -> bool:
        """Whether no value may be opened that need not be."""
        return self.depth >= MAX_DEPTH

    @property
    def field(self) -> str:
        """The field that was begun last; empty where none was."""
        return fields_of(self.cls)[self.last].name if self.last >= 0 else ""

    def after(self, symbol: str) -> Place | None:
        """Return where the row stands after one symbol more; None at the end."""
        if symbol == POINTER:
            return self._replace(awaits_span=False)
        if symbol == CLOSE:
            return self.above
        last, kind, cls = _begun(self.cls)[symbol]
        here = Place(self.cls, last, self.above, self.opened, self.depth, kind == "span")
        return here if cls is None else Place(cls, -1, here, symbol, self.depth + 1)


BEGIN = Place(Utterance)


def read(items: Iterable[Item]) -> Utterance:
    """Return the utterance of a row; GroundingError if it is none."""
    place: Place | None = BEGIN
    open_: list[dict[str, Any]] = [{}]
    whole: Any = None
    for item in items:
        symbol = POINTER if isinstance(item, Span) else item
        if place is None or symbol not in place.allowed():
            raise GroundingError(f"not an utterance: '{symbol}' may not stand here")
        after = place.after(symbol)
        if symbol == CLOSE:
            whole = place.cls(**open_.pop())
            if after is not None:
                _put(open_[-1], after, whole)
        elif symbol == POINTER:
            _put(open_[-1], place, item)
        elif after is not None and after.depth > place.depth:
            open_.append({})
        elif after is not None and not after.awaits_span:
            _, is_word, word = symbol.partition("=")
            _put(open_[-1], after, word if is_word else True)
        place = after
    if place is not None:
        raise GroundingError("not an utterance: it ends too early")
    said: Utterance = whole
    return said


def _put(values: dict[str, Any], place: Place, content: Any) -> None:
    """Put what a field holds, or holds besides, among the values."""
    field = fields_of(place.cls)[place.last]
    values[field.name] = (*values.get(field.name, ()), content) if field.many else content


@cache
def _begun(cls: type) -> dict[str, tuple[int, str, type | None]]:
    """Return which field each symbol begins, of which kind it is, and the value that it opens."""
    found: dict[str, tuple[int, str, type | None]] = {}
    for index, field in enumerate(fields_of(cls)):
        classes = field.classes or (None,) * len(field.symbols())
        for symbol, opened in zip(field.symbols(), classes, strict=True):
            found[symbol] = index, field.kind, opened
    return found


@cache
def allowed_after(cls: type, last: int, deep: bool) -> tuple[str, ...]:
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
