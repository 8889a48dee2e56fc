"""Parts of a base put together, and the high level of a base by itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar

from commonground.grounding.prolog.base.knowledge_base import Base, Clause, Located
from commonground.grounding.prolog.base.terms import Term, args_of, key_of

T = TypeVar("T")


def merged(parts: Sequence[Base], source: str) -> Base:
    """Return a base of several parts; facts stated twice are kept once, states are joined."""

    def every(field: Callable[[Base], Iterable[T]]) -> Iterable[T]:
        return chain.from_iterable(map(field, parts))

    return Base(
        source,
        _distinct(every(lambda p: p.general), _content),
        _distinct(every(lambda p: p.init), _term),
        _distinct(every(lambda p: p.goal), _term),
        tuple(every(lambda p: p.high)),
        tuple(every(lambda p: p.low)),
        tuple(every(lambda p: p.mappings)),
        _distinct(every(lambda p: p.resources), _term),
        _distinct(every(lambda p: p.times), _term),
        dict(every(lambda p: p.members.items())),
    )


def _term(located: Located) -> Term:
    return located.term


def _content(clause: Clause) -> tuple[Term, Term | None]:
    return clause.head, clause.body


def _distinct(items: Iterable[T], key: Callable[[T], Hashable]) -> tuple[T, ...]:
    seen: dict[Hashable, T] = {}
    for item in items:
        seen.setdefault(key(item), item)
    return tuple(seen.values())


def high_level(base: Base) -> Base:
    """Return a base without its low level: without calls, mappings and what only these speak of."""
    only_low = base.low_only()
    only_called = {s.stem for s in base.low} - {s.stem for s in base.high}
    return replace(
        base,
        general=tuple(c for c in base.general if key_of(c.head) not in only_low),
        init=tuple(f for f in base.init if key_of(f.term) not in only_low),
        goal=tuple(g for g in base.goal if key_of(g.term) not in only_low),
        low=(),
        mappings=(),
        times=tuple(t for t in base.times if args_of(t.term)[0] not in only_called),
    )
