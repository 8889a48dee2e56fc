"""Findings about mappings from high-level to low-level actions, as far as their text shows them."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.errors import did_you_mean
from commonground.grounding.prolog.base.findings import Finding, Weight
from commonground.grounding.prolog.base.knowledge_base import END, START, Base, Refinement
from commonground.grounding.prolog.base.terms import (
    Term,
    args_of,
    key_of,
    may_unify,
    text,
    variables,
)


def mapping_findings(base: Base) -> Iterator[Finding]:
    """Yield what is wrong with mappings, actions without one, and low-level actions that none uses."""
    for mapping in base.mappings:
        yield from _head(base, mapping)
        yield from _lows(base, mapping)
    if base.low or base.mappings:
        for start in base.starts("high"):
            if not any(key_of(m.head) == key_of(start.head) and m.lows for m in base.mappings):
                message = (
                    f"{start.name} is mapped to nothing, so no arm moves for it; add "
                    f"'mapping({text(start.head)}, [...]).'"
                )
                yield Finding(*start.place, "no-mapping", message)
        used = {key_of(low.term) for m in base.mappings for low in m.lows}
        for schema in base.low:
            if key_of(schema.head) not in used:
                message = f"no mapping uses {schema.name}"
                yield Finding(*schema.place, "superfluous", message, Weight.NOTE)
    yield from _touching(base)


def _touching(base: Base) -> Iterator[Finding]:
    """Yield calls that change what the high level speaks of."""
    touched = base.state_keys("high")
    for schema in base.low:
        for _, fact in schema.effects:
            if key_of(fact.term) in touched:
                message = (
                    f"{schema.name} changes {text(fact.term)}, which high-level actions speak of: the levels "
                    "have to be independent; let the high-level action change it"
                )
                yield Finding(*fact.place, "abstraction", message)


def _head(base: Base, mapping: Refinement) -> Iterator[Finding]:
    name, arity = key_of(mapping.head)
    starts = {key_of(s.head) for s in base.starts("high")}
    if (name, arity) in starts:
        doubles = [m for m in base.mappings if may_unify(m.head, mapping.head)]
        if doubles[0] is not mapping:
            message = f"{name} is mapped twice, and only the first mapping is used; remove one"
            yield Finding(*mapping.place, "mapping", message, Weight.WARNING)
        return
    if name.endswith(END) and (name.removesuffix(END) + START, arity) in starts:
        message = (
            f"a mapping belongs to the start of an action: call it {name.removesuffix(END)}{START}"
        )
    elif any(n == name for n, _ in starts):
        known = next(a for n, a in starts if n == name)
        message = (
            f"the mapping of {name} has {arity} arguments, the action {known}; give it as many"
        )
    else:
        near = did_you_mean(name, {n for n, _ in starts})
        message = f"the mapping of {name} belongs to no high-level action.{near}"
    yield Finding(*mapping.place, "mapping", message)


def _lows(base: Base, mapping: Refinement) -> Iterator[Finding]:
    known = {key_of(s.head) for s in base.low}
    names = {n for n, _ in known}
    head = key_of(mapping.head)[0]
    own = set(variables(mapping.head))
    running: list[tuple[str, tuple[Term, ...]]] = []
    yield from _open(base, mapping)
    for low in mapping.lows:
        name, arity = key_of(low.term)
        if (name, arity) not in known:
            arity_known = dict(known).get(name)
            near = did_you_mean(name, names)
            hint = near if arity_known is None else f" It has {arity_known} arguments."
            message = f"{head} is mapped to {name}/{arity}, which is no low-level action.{hint}"
            yield Finding(*low.place, "mapping", message)
        elif name.endswith(START):
            running.append((name.removesuffix(START), args_of(low.term)))
        elif name.endswith(END):
            begun = next((r for r in running if _may_end(low.term, r, own)), None)
            if begun is not None:
                running.remove(begun)
            else:
                message = (
                    f"{head}: {text(low.term)} has no start with the same arguments before it; put "
                    f"{name.removesuffix(END)}{START} first"
                )
                yield Finding(*low.place, "mapping", message)
    for stem, _ in running:
        message = f"{head}: {stem}{START} is never ended; add {stem}{END} to the mapping"
        yield Finding(*mapping.place, "mapping", message)


def _may_end(low: Term, begun: tuple[str, tuple[Term, ...]], own: set[str]) -> bool:
    """Return whether a call ends one that was begun: arguments of the action are the same in both."""
    stem, given = begun
    if key_of(low) != (stem + END, len(given)):
        return False
    pairs = zip(args_of(low), given, strict=True)
    return all(
        a == b
        or (not own.issuperset(variables(a)) and may_unify(a, b))
        or (not own.issuperset(variables(b)) and may_unify(a, b))
        for a, b in pairs
    )


def _open(base: Base, mapping: Refinement) -> Iterator[Finding]:
    """Yield variables of calls that neither the action nor a condition of the call binds."""
    known = set(variables(mapping.head))
    for low in mapping.lows:
        own = set(variables(low.term))
        for schema in (s for s in base.low if key_of(s.head) == key_of(low.term)):
            bound = base.modes.bound_by(schema)
            pairs = zip(args_of(low.term), args_of(schema.head), strict=True)
            used = {v for _, fact in schema.effects for v in variables(fact.term)}
            for given, taken in pairs:
                needed = used.intersection(variables(taken)) - bound
                for name in sorted(set(variables(given)) - known if needed else ()):
                    shown = "an argument that is left open" if name.startswith("_") else name
                    message = (
                        f"{key_of(mapping.head)[0]}: nothing says what {shown} of {text(low.term)} may be; "
                        "take it from the action"
                    )
                    yield Finding(*low.place, "open-variable", message)
        known |= own
