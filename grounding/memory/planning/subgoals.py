"""Goals of many parts, reached some parts at a time: every some begins where the steps so far end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from commonground.grounding.knowledge.facts import Fact, fact_of
from commonground.grounding.knowledge.index import Draft, FactIndex, changed
from commonground.planning.pddl import Atom, Formula, Not
from commonground.planning.pddl.logic import conjuncts, nnf

_TOGETHER = 30
"""A goal of no more parts is reached as a whole: some steps may serve several of them."""
_SOME = 75
"""So many parts are reached at a time."""


class Ahead(Draft):
    """What will be so when some steps are done."""

    def __init__(self, base: FactIndex) -> None:
        super().__init__(base)
        self._base = base

    def __iter__(self) -> Iterator[Fact]:
        yield from (fact for fact in self._base if fact not in self.removed)
        yield from self.added

    def one_hop(self, thing: str) -> list[Fact]:
        added, removed = self.added.one_hop(thing), self.removed.one_hop(thing)
        return [*changed(self._base.one_hop(thing), added, removed)]

    def become(self, before: Iterable[Atom], after: Iterable[Atom]) -> None:
        """Take in what steps turn some atoms into."""
        was, now = {*before}, {*after}
        for atom in was - now:
            if len(atom.args) <= 2:
                self.discard(fact_of(atom))
        for atom in now - was:
            if len(atom.args) <= 2:
                self.add(fact_of(atom))

    def lacks(self, part: Formula) -> bool:
        """Return whether an atom, or its contrary, is not so."""
        if isinstance(part, Not) and isinstance(part.body, Atom):
            return fact_of(part.body) in self
        return isinstance(part, Atom) and fact_of(part) not in self


def parts_of(goal: Formula, facts: FactIndex) -> list[Formula]:
    """Return the parts of a goal of many, those beside each other that are near; else none."""
    parts = conjuncts(nnf(goal))
    atoms = [part.body if isinstance(part, Not) else part for part in parts]
    if len(parts) <= _TOGETHER or not all(
        isinstance(a, Atom) and 0 < len(a.args) <= 2 for a in atoms
    ):
        return []

    def near(part: Formula) -> tuple[list[str], str]:
        atom = part.body if isinstance(part, Not) else part
        args = atom.args if isinstance(atom, Atom) else ()
        of = sorted(f.object for a in args[:1] for f in facts.about(a) if not f.is_property)
        return [*args[1:], *of], " ".join(args)

    return sorted(parts, key=near)


def some_of(parts: Sequence[Formula], ahead: Ahead) -> Iterator[list[Formula]]:
    """Yield some parts after the other that are not so yet, as long as there are any; in few rounds."""
    for _ in range(_ROUNDS):
        lacking = [part for part in parts if ahead.lacks(part)]
        for at in range(0, len(lacking), _SOME):
            yield lacking[at : at + _SOME]


_ROUNDS = 3
"""So often is what later parts undid brought about again."""
