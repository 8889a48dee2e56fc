"""Propositional reasoning over formulas: satisfiable, implied, equivalent, in conflict.

Different names are different objects, so equalities are decided; every other ground atom and comparison
is a free proposition. Formulas become clauses by the encoding of Plaisted and Greenbaum (1986).
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from commonground.planning.pddl.formula import (
    EQUALS,
    And,
    Atom,
    Formula,
    Not,
    Or,
    is_variable,
    operands,
)
from commonground.planning.pddl.logic import (
    conjunction,
    expand,
    free_variables,
    has_quantifier,
    nnf,
)
from commonground.planning.pddl.source import PddlError

Members: TypeAlias = Mapping[str, Sequence[str]]
"""The objects of each type, over which quantifiers range."""
Clause: TypeAlias = "tuple[int, ...]"
"""Literals of which one must hold: a proposition is a positive number, its negation the negative."""


def satisfying(formula: Formula, members: Members | None = None) -> frozenset[Atom] | None:
    """Return atoms whose truth (all others false) satisfies a closed formula, or None if nothing does."""
    encoding = _Encoding()
    encoding.require(_ground(formula, members))
    values = model(encoding.clauses)
    if values is None:
        return None
    return frozenset(
        f for f, name in encoding.names.items() if isinstance(f, Atom) and values.get(name)
    )


def satisfiable(formula: Formula, members: Members | None = None) -> bool:
    """Return whether some state satisfies a closed formula."""
    return satisfying(formula, members) is not None


def implies(left: Formula, right: Formula, members: Members | None = None) -> bool:
    """Return whether every state that satisfies ``left`` satisfies ``right``."""
    return not satisfiable(And((left, Not(right))), members)


def equivalent(left: Formula, right: Formula, members: Members | None = None) -> bool:
    """Return whether two closed formulas hold in exactly the same states."""
    return implies(left, right, members) and implies(right, left, members)


def conflict(
    parts: Sequence[Formula], given: Sequence[Formula] = (), members: Members | None = None
) -> tuple[Formula, ...]:
    """Return a smallest-by-removal set of parts that cannot hold together under ``given``.

    Empty where all of them can. No part of the result can be left out without the conflict going.
    """
    encoding = _Encoding()
    for formula in given:
        encoding.require(_ground(formula, members))
    names = [encoding.literal(nnf(_ground(part, members))) for part in parts]

    def hold(kept: Sequence[int]) -> bool:
        return model([*encoding.clauses, *((names[i],) for i in kept)]) is not None

    needed: list[int] = []
    rest = range(len(parts))
    if hold(rest):
        return ()
    while rest and hold(needed):
        # as many as can go at once; the one behind them is needed
        gone = bisect_left(rest, True, key=lambda i: hold([*needed, *range(i + 1, len(parts))]))
        needed += rest[gone : gone + 1]
        rest = rest[gone + 1 :]
    return tuple(parts[i] for i in needed)


def at_most_one(atoms: Sequence[Atom], name: str) -> list[Formula]:
    """Return that no two of the atoms are true, by the sequential counter of Sinz (2005).

    It takes three formulas an atom, where pairs take a quadratic number; ``name`` sets its counters apart.
    """
    different = list(dict.fromkeys(atoms))
    counters = [Atom(f"one of {name} so far", (str(i),)) for i in range(len(different) - 1)]
    out: list[Formula] = [Or((Not(x), s)) for x, s in zip(different, counters, strict=False)]
    out += [Or((Not(s), later)) for s, later in itertools.pairwise(counters)]
    out += [Or((Not(x), Not(s))) for x, s in zip(different[1:], counters, strict=True)]
    return out


def _ground(formula: Formula, members: Members | None) -> Formula:
    if _is_ground(formula):
        return formula
    free = free_variables(formula)
    if free:
        raise PddlError(f"the formula has free variables {' '.join(sorted(free))}; bind them first")
    if members is not None:
        return expand(formula, members)
    if has_quantifier(formula):
        raise PddlError(
            "the formula has quantifiers; give the objects of each type they range over"
        )
    return formula


def _is_ground(formula: Formula) -> bool:
    """Return whether a formula has neither variables nor quantifiers nor numbers."""
    todo = [formula]
    while todo:
        one = todo.pop()
        if isinstance(one, Atom):
            if any(map(is_variable, one.args)):
                return False
        elif isinstance(one, (And, Or, Not)):
            todo += operands(one)
        else:
            return False
    return True


class _Encoding:
    """Clauses of formulas in negation normal form; each subformula has a name that implies it."""

    def __init__(self) -> None:
        self.names: dict[Formula, int] = {}
        """Names of what may be true or false."""
        self.last = 0
        self.clauses: list[Clause] = []

    def require(self, formula: Formula) -> None:
        """Make a ground formula true."""
        self.clauses.append((self.literal(nnf(conjunction([formula]))),))

    def literal(self, formula: Formula) -> int:
        if isinstance(formula, Not):
            return -self.literal(formula.body)
        known = None if isinstance(formula, (And, Or)) else self.names.get(formula)
        if known is not None:
            return known
        name = self.last = self.last + 1
        if isinstance(formula, And):
            self.clauses += [(-name, self.literal(part)) for part in formula.parts]
        elif isinstance(formula, Or):
            self.clauses.append((-name, *(self.literal(part) for part in formula.parts)))
        else:
            self.names[formula] = name
            if isinstance(formula, Atom) and formula.predicate == EQUALS:
                self.clauses.append((name if len(set(formula.args)) == 1 else -name,))
        return name


# ---- clauses: search that learns from conflicts, with two watched literals each, for the size of goals ----


def model(clauses: Iterable[Clause]) -> dict[int, bool] | None:
    """Return values of the propositions that satisfy all clauses, or None where none do.

    Of all such values those with the first propositions false come out.
    """
    return _Search(list(dict.fromkeys(tuple(dict.fromkeys(clause)) for clause in clauses))).run()


class _Search:
    """The state of one search: values, the order they were set in, what forced them, and who watches what.

    A conflict becomes a clause that forbids what led to it, and all goes that was decided since the
    second latest part of that (Marques-Silva and Sakallah 1999). Flipping the last decision instead
    would try every choice of parts of a goal that have nothing to do with the conflict.
    """

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.value: dict[int, bool] = {}
        self.level: dict[int, int] = {}
        """How many decisions there were when a proposition was set."""
        self.forced_by: dict[int, Sequence[int]] = {}
        """The clause that a proposition follows from; nothing for what was decided."""
        self.trail: list[int] = []
        self.followed = 0
        """Of so much of the trail everything is set that follows."""
        self.decisions: list[tuple[int, int]] = []
        """For each decision how long the trail was, and which name it is about."""
        self.units = [clause for clause in clauses if len(clause) == 1]
        self.impossible = any(not clause for clause in clauses)
        self.watching: dict[int, list[list[int]]] = {}
        for clause in clauses:
            if len(clause) > 1:
                self.watch([*clause])
        self.names = sorted({abs(literal) for clause in clauses for literal in clause})

    def run(self) -> dict[int, bool] | None:
        """Decide one proposition after the other, false first, and learn from each conflict."""
        if self.impossible or not all(self.set(clause[0], clause) for clause in self.units):
            return None
        at = 0
        while True:
            clash = self.follow()
            if clash is None:
                while at < len(self.names) and self.names[at] in self.value:
                    at += 1
                if at == len(self.names):
                    return self.value
                self.decisions.append((len(self.trail), at))
                self.set(-self.names[at], ())
            elif self.decisions:
                at = self.learn(clash)
            else:
                return None

    def holds(self, literal: int) -> bool | None:
        """Return the truth of a literal, None while it is open."""
        known = self.value.get(abs(literal))
        return None if known is None else known == (literal > 0)

    def set(self, literal: int, because: Sequence[int]) -> bool:
        """Make a literal true because of a clause; False where it is false already."""
        known = self.holds(literal)
        if known is None:
            name = abs(literal)
            self.value[name], self.level[name] = literal > 0, len(self.decisions)
            self.forced_by[name] = because
            self.trail.append(literal)
        return known is not False

    def watch(self, clause: list[int]) -> None:
        """Look at a clause again when one of its first two literals becomes false."""
        for literal in clause[:2]:
            self.watching.setdefault(literal, []).append(clause)

    def follow(self) -> Sequence[int] | None:
        """Set all that follows from what is set; return a clause that is false then, if there is one."""
        while self.followed < len(self.trail):
            clash = self.implied(-self.trail[self.followed])
            self.followed += 1
            if clash is not None:
                return clash
        return None

    def implied(self, false: int) -> Sequence[int] | None:
        """Set what clauses now force, after those that watch a false literal looked for another."""
        staying: list[list[int]] = []
        clash: list[int] | None = None
        for clause in self.watching.get(false, ()):
            if clause[0] == false:
                clause[0], clause[1] = clause[1], clause[0]
            other = None
            if clash is None and self.holds(clause[0]) is not True:
                # propositions are set in rising order: one that is open is rather at the end
                later = range(len(clause) - 1, 1, -1)
                other = next((i for i in later if self.holds(clause[i]) is not False), None)
                if other is None and not self.set(clause[0], clause):
                    clash = clause
            if other is None:
                staying.append(clause)
            else:
                clause[1], clause[other] = clause[other], clause[1]
                self.watching.setdefault(clause[1], []).append(clause)
        self.watching[false] = staying
        return clash

    def learn(self, clash: Sequence[int]) -> int:
        """Forbid what led to a conflict, take back what it does not rest on, and set what then follows.

        Returns the name that is to be decided next. Of the last decision the clause holds one literal
        only, the one that all ways from the decision to the conflict go through.
        """
        level, at, seen = len(self.decisions), len(self.trail), set[int]()
        earlier: list[int] = []
        because, still_open = clash, 0
        while True:
            for literal in because:
                name = abs(literal)
                if name not in seen and self.level[name] > 0:
                    seen.add(name)
                    still_open += self.level[name] == level
                    earlier += [literal] if self.level[name] < level else []
            at = next(i for i in range(at - 1, -1, -1) if abs(self.trail[i]) in seen)
            still_open -= 1
            if not still_open:
                break
            because = self.forced_by[abs(self.trail[at])]
        earlier.sort(key=lambda literal: -self.level[abs(literal)])
        learned = [-self.trail[at], *earlier]
        decided = self.back_to(self.level[abs(earlier[0])] if earlier else 0)
        if earlier:
            self.watch(learned)
        self.set(learned[0], learned)
        return decided

    def back_to(self, level: int) -> int:
        """Take back all decisions but the first ones; return the name that the next one was about."""
        length, name = self.decisions[level]
        for literal in self.trail[length:]:
            del self.value[abs(literal)]
        del self.trail[length:], self.decisions[level:]
        self.followed = length
        return name
