"""Satisfiability of clauses: DPLL with two watched literals a clause, for the size of goals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

Clause: TypeAlias = "tuple[int, ...]"
"""Literals of which one must hold: a proposition is a positive number, its negation the negative."""


def model(clauses: Iterable[Clause]) -> dict[int, bool] | None:
    """Return values of the propositions that satisfy all clauses, or None where none do."""
    return _Search(list(dict.fromkeys(tuple(dict.fromkeys(clause)) for clause in clauses))).run()


class _Search:
    """The state of one search: values, the order they were set in, and who watches what."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.value: dict[int, bool] = {}
        self.trail: list[int] = []
        self.clauses = [list(clause) for clause in clauses if len(clause) > 1]
        self.units = [clause[0] for clause in clauses if len(clause) == 1]
        self.impossible = any(not clause for clause in clauses)
        self.watching: dict[int, list[list[int]]] = {}
        for clause in self.clauses:
            for literal in clause[:2]:
                self.watching.setdefault(literal, []).append(clause)
        self.names = sorted({abs(literal) for clause in self.clauses for literal in clause})

    def run(self) -> dict[int, bool] | None:
        """Decide one proposition after the other, false first; on a conflict flip the last decision."""
        if self.impossible or not self.assume(self.units):
            return None
        flips: list[tuple[int, int]] = []  # the other choice, and how much was set before the first
        while True:
            free = next((name for name in self.names if name not in self.value), None)
            if free is None:
                return self.value
            flips.append((free, len(self.trail)))
            consistent = self.assume([-free])
            while not consistent:
                if not flips:
                    return None
                literal, length = flips.pop()
                while len(self.trail) > length:
                    del self.value[abs(self.trail.pop())]
                consistent = self.assume([literal])

    def holds(self, literal: int) -> bool | None:
        """Return the truth of a literal, None while it is open."""
        known = self.value.get(abs(literal))
        return None if known is None else known == (literal > 0)

    def assume(self, literals: Sequence[int]) -> bool:
        """Set literals and all that follows; False on a conflict."""
        todo = list(literals)
        while todo:
            literal = todo.pop()
            state = self.holds(literal)
            if state is None:
                self.value[abs(literal)] = literal > 0
                self.trail.append(literal)
                todo += self.implied(-literal)
            elif not state:
                return False
        return True

    def implied(self, false: int) -> list[int]:
        """Return what clauses now force, after those that watch a false literal looked for another."""
        staying: list[list[int]] = []
        forced: list[int] = []
        for clause in self.watching.get(false, []):
            if clause[0] == false:
                clause[0], clause[1] = clause[1], clause[0]
            other = None
            if self.holds(clause[0]) is not True:
                # propositions are set in rising order: one that is open is rather at the end
                later = range(len(clause) - 1, 1, -1)
                other = next((i for i in later if self.holds(clause[i]) is not False), None)
                if other is None:
                    forced.append(clause[0])
            if other is None:
                staying.append(clause)
            else:
                clause[1], clause[other] = clause[other], clause[1]
                self.watching.setdefault(clause[1], []).append(clause)
        self.watching[false] = staying
        return forced
