"""What cannot hold while a process runs, proven by weights that no process ever adds to.

What names an object are facts and running processes, and what happens are their starts and ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from commonground.grounding.prolog.base.relations import Fact
from commonground.grounding.prolog.base.terms import Term
from commonground.grounding.prolog.bounds.process import Processes, bits_of
from commonground.grounding.prolog.search.weights import Change, Places, Weights


class Exclusion:
    """Tells which facts cannot hold while processes run that take and give some facts."""

    def __init__(self, processes: Processes, changes: Sequence[tuple[int, int]]) -> None:
        self.p = processes
        self._of_fact = [_named([fact], "") for fact in processes.facts]
        self._running = [self._while(n, takes | gives) for n, (takes, gives) in enumerate(changes)]
        self._init = self._sum(processes.init)
        rows: list[Change] = []
        for running, (takes, gives) in zip(self._running, changes, strict=True):
            before, after = self._sum(takes), self._sum(gives)
            for thing in {**running, **before, **after}:
                run = running.get(thing, ())
                rows += [(run, before.get(thing, ())), (after.get(thing, ()), run)]
        spots = (p for named in self._of_fact for places in named.values() for p in places)
        self._weights = Weights.of(rows, spots)

    def excludes(self, process: int, bit: int) -> bool:
        """Return whether a fact cannot hold while a process runs."""
        running = self._running[process]
        return any(
            self._weights.exceeded(places + running.get(thing, ()), self._init.get(thing, ()))
            for thing, places in self._of_fact[bit].items()
        )

    def _while(self, number: int, changed: int) -> dict[Term, Places]:
        """Return where a running process names objects: those of its head, and others that it changes."""
        head = self.p.moments[self.p.all[number].start].head
        found = _named([head], "runs")
        for bit in bits_of(changed):
            for thing in self._of_fact[bit]:
                found.setdefault(thing, (("runs", head[0], str(thing)),))
        return found

    def _sum(self, facts: int) -> dict[Term, Places]:
        return _named((self.p.facts[bit] for bit in bits_of(facts)), "")


def _named(facts: Iterable[Fact], kind: str) -> dict[Term, Places]:
    found: dict[Term, Places] = {}
    for fact in facts:
        for number, thing in enumerate(fact[1:]):
            place = kind, fact[0], len(fact), number
            found[thing] = (*found.get(thing, ()), place)
    return found
