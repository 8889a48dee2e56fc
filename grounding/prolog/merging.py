"""Parts of a base put together, and the high level of a base by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from commonground.grounding.prolog.base import Base, Clause, Located
from commonground.grounding.prolog.terms import Term, key_of


def merged(parts: Sequence[Base], source: str) -> Base:
    """Return a base of several parts; facts stated twice are kept once, states are joined."""
    return Base(
        source,
        tuple(_distinct_clauses(c for p in parts for c in p.general)),
        tuple(_distinct(f for p in parts for f in p.init)),
        tuple(_distinct(f for p in parts for f in p.goal)),
        tuple(s for p in parts for s in p.high),
        tuple(s for p in parts for s in p.low),
        tuple(m for p in parts for m in p.mappings),
        tuple(_distinct(r for p in parts for r in p.resources)),
        {stem: span for p in parts for stem, span in p.durations.items()},
        tuple(dict.fromkeys(s for p in parts for s in p.setups)),
    )


def _distinct(terms: Iterable[Located]) -> Iterable[Located]:
    seen: dict[Term, Located] = {}
    for located in terms:
        seen.setdefault(located.term, located)
    return seen.values()


def _distinct_clauses(clauses: Iterable[Clause]) -> Iterable[Clause]:
    seen: dict[tuple[Term, Term | None], Clause] = {}
    for clause in clauses:
        seen.setdefault((clause.head, clause.body), clause)
    return seen.values()


def high_level(base: Base) -> Base:
    """Return a base without its low level: without calls, mappings and what only these speak of."""
    high = base.state_keys("high")
    asked = {key_of(g.term) for s in base.high for g in s.goals}
    low = base.state_keys("low") | {key_of(g.term) for s in base.low for g in s.goals}
    only_low = low - high - asked
    return replace(
        base,
        general=tuple(c for c in base.general if key_of(c.head) not in only_low),
        init=tuple(f for f in base.init if key_of(f.term) not in only_low),
        goal=tuple(g for g in base.goal if key_of(g.term) not in only_low),
        low=(),
        mappings=(),
        durations={k: v for k, v in base.durations.items() if k in {s.stem for s in base.high}},
    )
