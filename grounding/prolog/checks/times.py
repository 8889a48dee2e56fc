"""Findings about durations and setup times: of what they are, how often they are stated, what they leave."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.errors import did_you_mean
from commonground.grounding.prolog.base.findings import Finding, Weight
from commonground.grounding.prolog.base.knowledge_base import DURATION, Base, Located, stem_of
from commonground.grounding.prolog.base.terms import Term, Var, args_of, key_of, text
from commonground.grounding.prolog.execution.blocks import least_of, span_of


def time_findings(base: Base) -> Iterator[Finding]:
    """Yield times of actions that are not there, times stated twice, and such as nothing can keep to."""
    seen: set[tuple[Term, ...]] = set()
    for stated in base.times:
        yield from _names(base, stated)
        lasts = key_of(stated.term) == DURATION
        key = (key_of(stated.term)[0], *_plain(args_of(stated.term)[: 1 if lasts else 2]))
        if key in seen and lasts:
            yield _fault(stated, "this action has a duration already; keep one of them", "format")
        elif key in seen:
            message = "these actions have a setup time already, and the longest holds"
            yield _fault(stated, message, "superfluous", Weight.NOTE)
        seen.add(key)
    yield from _too_short(base)


def _plain(args: tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple("_" if isinstance(a, Var) else a for a in args)


def _names(base: Base, stated: Located) -> Iterator[Finding]:
    """Yield a finding for every action that is named and not there."""
    high = {s.stem for s in base.high}
    stems = {s.stem for s in base.schemas} if key_of(stated.term) == DURATION else high
    names = args_of(stated.term)[: 1 if key_of(stated.term) == DURATION else 2]
    for name in dict.fromkeys(str(n) for n in names if not isinstance(n, Var)):
        if name in stems:
            continue
        what = "action" if stems is not high else "high-level action"
        if name in {s.stem for s in base.low}:
            hint = " It is a call, and calls follow each other as they are mapped."
        else:
            hint = did_you_mean(name, stems)
        yield _fault(stated, f"there is no {what} {name}.{hint}", "undefined")


def _too_short(base: Base) -> Iterator[Finding]:
    """Yield longest durations in which what an action is mapped to cannot be done."""
    longest = {args_of(t.term)[0]: t for t in base.times if key_of(t.term) == DURATION}
    for mapping in base.mappings:
        stem = stem_of(key_of(mapping.head)[0])
        least = least_of(base, [low.term for low in mapping.lows])
        if stem in longest and least > span_of(base, stem, True)[1] + 1e-9:
            message = f"what {stem} is mapped to takes at least {least:g} s; state as much"
            yield _fault(longest[stem], message, "duration")


def _fault(stated: Located, message: str, kind: str, weight: Weight = Weight.ERROR) -> Finding:
    return Finding(*stated.place, kind, f"{text(stated.term)}: {message}", weight)
