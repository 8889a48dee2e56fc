"""What cannot hold while a process runs, proven by weights that no process ever adds to.

For an object, weights on the places in which facts and running processes name it are chosen by linear
programming such that no start and no end adds more weight than it takes away; what would then weigh more than
what is said of the object at the beginning never comes about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from commonground.grounding.prolog.contradiction import exceeds
from commonground.grounding.prolog.process import Processes, bits_of
from commonground.grounding.prolog.relations import Fact
from commonground.grounding.prolog.terms import Term

Places = tuple[int, ...]
"""Numbers of the places in which something names an object, sorted."""


class Exclusion:
    """Tells which facts cannot hold while processes run that take and give some facts."""

    def __init__(self, processes: Processes, changes: Sequence[tuple[int, int]]) -> None:
        self.p = processes
        self.numbers: dict[tuple[object, ...], int] = {}
        self.known: dict[tuple[Places, Places, Places], bool] = {}
        self._of_fact = [dict(self._named([fact], "")) for fact in processes.facts]
        self._running = [self._while(n, takes | gives) for n, (takes, gives) in enumerate(changes)]
        self._init = self._sum(processes.init)
        rows = set()
        for number, (takes, gives) in enumerate(changes):
            running = self._running[number]
            before, after = self._sum(takes), self._sum(gives)
            for thing in {**running, **before, **after}:
                run = running.get(thing, ())
                rows.add(_change(run, before.get(thing, ())))
                rows.add(_change(after.get(thing, ()), run))
        self._rows = np.zeros((len(rows), len(self.numbers)))
        for number, row in enumerate(sorted(rows)):
            for place, amount in row:
                self._rows[number, place] = amount

    def excludes(self, process: int, bit: int) -> bool:
        """Return whether a fact cannot hold while a process runs."""
        running = self._running[process]
        return any(
            self._too_much(places, running.get(thing, ()), self._init.get(thing, ()))
            for thing, places in self._of_fact[bit].items()
        )

    def _too_much(self, fact: Places, running: Places, init: Places) -> bool:
        key = fact, running, init
        known = self.known.get(key)
        if known is None:
            gain = np.zeros(len(self.numbers))
            for sign, places in ((1.0, fact), (1.0, running), (-1.0, init)):
                for place in places:
                    gain[place] += sign
            known = self.known[key] = exceeds(self._rows, gain)
        return known

    def _while(self, number: int, changed: int) -> dict[Term, Places]:
        """Return where a running process names objects: those of its head, and others that it changes."""
        head = self.p.moments[self.p.all[number].start].head
        found = dict(self._named([head], "runs"))
        for bit in bits_of(changed):
            for thing in self._of_fact[bit]:
                if thing not in found:
                    found[thing] = (self._place("runs", head[0], str(thing)),)
        return found

    def _sum(self, facts: int) -> dict[Term, Places]:
        return dict(self._named((self.p.facts[bit] for bit in bits_of(facts)), ""))

    def _named(self, facts: Iterable[Fact], kind: str) -> Iterator[tuple[Term, Places]]:
        found: dict[Term, list[int]] = {}
        for fact in facts:
            for number, thing in enumerate(fact[1:]):
                place = self._place(kind, fact[0], len(fact), number)
                found.setdefault(thing, []).append(place)
        for thing, places in found.items():
            yield thing, tuple(sorted(places))

    def _place(self, *name: object) -> int:
        return self.numbers.setdefault(name, len(self.numbers))


def _change(more: Places, less: Places) -> tuple[tuple[int, int], ...]:
    counted = Counter(more)
    counted.subtract(less)
    return tuple(sorted((place, amount) for place, amount in counted.items() if amount))
