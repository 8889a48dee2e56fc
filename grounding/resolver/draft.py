"""Goals while choices are still open: formulas over picks, closed into formulas over nodes.

``Go to a box and inspect it`` is one box: where a pick stands in several parts of a conjunction, the
disjunction over its options is put around those parts together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from commonground.grounding.resolver.choice import Choice, Joined, Pick, Rest, Unclear
from commonground.planning.pddl import Atom, Formula, Not, conjunction, disjunction

Option: TypeAlias = tuple[str, ...]
Make: TypeAlias = Callable[[Option], Formula]


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """A formula about whatever a pick turns out to be."""

    of: Pick | Rest
    make: Make


@dataclass(frozen=True, slots=True, eq=False)
class Both:
    """All parts hold."""

    parts: tuple[Draft, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Either:
    """Some part holds."""

    parts: tuple[Draft, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Never:
    """The part does not hold."""

    part: Draft


Draft: TypeAlias = "Leaf | Both | Either | Never | Formula"


def over(choice: Choice, make: Make) -> Draft:
    """Return the draft that says something of a choice."""
    if isinstance(choice, Joined):
        parts = tuple(over(part, make) for part in choice.parts)
        return Both(parts) if choice.join == "all" else Either(parts)
    return Leaf(choice, make)


def each(predicate: str, *tail: str) -> Make:
    """Return the maker of ``(predicate node)`` for every node of an option."""
    return lambda option: conjunction([Atom(predicate, (node, *tail)) for node in option])


def close(draft: Draft, *, limit: int, settled: Mapping[Pick, Option] | None = None) -> Formula:
    """Return the formula of a draft; Unclear if it would have more than ``limit`` alternatives.

    ``settled`` picks have been decided: two robots cannot both choose.
    """
    return _Closer(limit).close(draft, settled or {})


def open_picks(draft: Draft) -> set[Pick]:
    """Return the picks of a draft that have several options."""
    if isinstance(draft, Leaf):
        pick = draft.of.of if isinstance(draft.of, Rest) else draft.of
        return {pick} if pick.open else set()
    if isinstance(draft, Both | Either):
        return set().union(*(open_picks(part) for part in draft.parts))
    return open_picks(draft.part) if isinstance(draft, Never) else set()


class _Closer:
    def __init__(self, limit: int) -> None:
        self.limit, self.made = limit, 0

    def close(self, draft: Draft, bound: Mapping[Pick, Option]) -> Formula:
        if isinstance(draft, Leaf):
            return self._leaf(draft, bound)
        if isinstance(draft, Either):
            return disjunction([self.close(part, bound) for part in draft.parts])
        if isinstance(draft, Never):
            return Not(self.close(draft.part, bound))
        if not isinstance(draft, Both):
            return draft
        shared = self._shared(draft, bound)
        if shared is None:
            return conjunction([self.close(part, bound) for part in draft.parts])
        inside = Both(tuple(p for p in draft.parts if shared in open_picks(p)))
        outside = [p for p in draft.parts if shared not in open_picks(p)]
        together = self._options(
            shared, lambda option: self.close(inside, {**bound, shared: option})
        )
        return conjunction([together, *(self.close(part, bound) for part in outside)])

    @staticmethod
    def _shared(draft: Both, bound: Mapping[Pick, Option]) -> Pick | None:
        """Return a pick that several parts are about."""
        seen: dict[Pick, None] = {}
        for part in draft.parts:
            for pick in sorted(open_picks(part), key=lambda p: p.options):
                if pick in bound:
                    continue
                if pick in seen:
                    return pick
                seen[pick] = None
        return None

    def _leaf(self, leaf: Leaf, bound: Mapping[Pick, Option]) -> Formula:
        pick = leaf.of.of if isinstance(leaf.of, Rest) else leaf.of

        def formula(option: Option) -> Formula:
            if isinstance(leaf.of, Rest):
                option = tuple(s for s in leaf.of.pool if s not in option)
            return leaf.make(option)

        return formula(bound[pick]) if pick in bound else self._options(pick, formula)

    def _options(self, pick: Pick, formula: Callable[[Option], Formula]) -> Formula:
        self.made += len(pick.options)
        if self.made > self.limit:
            raise Unclear(
                f"That leaves more than {self.limit} ways to choose. Which ones are meant?"
            )
        return disjunction([formula(option) for option in pick.options])
