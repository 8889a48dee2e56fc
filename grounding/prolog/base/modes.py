"""Which variables of a goal have to be known before it is called, and which it binds.

A goal that lists facts means the same whatever is known when it is called. A negation, a comparison or a
collection of all solutions does not: what nothing binds before stays open in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from commonground.grounding.prolog.base.goals import BUILTINS
from commonground.grounding.prolog.base.terms import (
    Struct,
    Term,
    Var,
    args_of,
    is_ground,
    key_of,
    substitute,
    variables,
)

if TYPE_CHECKING:
    from commonground.grounding.prolog.base.knowledge_base import Clause, Schema

Key = tuple[str, int]


class Mode(NamedTuple):
    """What a goal asks of its variables and does to them."""

    needed: frozenset[str]
    """They have to be known before, if anything else binds them, or the goal means something else."""
    bound: frozenset[str]
    """They are known afterwards."""


class Modes:
    """The modes of goals on the facts and rules of a base."""

    def __init__(self, clauses: Iterable[Clause]) -> None:
        self._needed: set[tuple[Key, int]] = set()
        self._open: set[tuple[Key, int]] = set()
        """Arguments of predicates that have to be known before, and that may be open afterwards."""
        clauses = tuple(clauses)
        self._own = frozenset(key_of(clause.head) for clause in clauses)
        told = [c for c in clauses if c.body is not None or not is_ground(c.head)]
        while sum(self._learn(clause) for clause in told):  # each of them, as long as any is new
            pass

    def _learn(self, clause: Clause) -> bool:
        """Take in what one more clause asks of the arguments of its predicate; tell whether that is new."""
        mode = self.of(clause.body or "true")
        key, before = key_of(clause.head), len(self._needed) + len(self._open)
        for place, arg in enumerate(args_of(clause.head) if clause.body != "fail" else ()):
            names = set(variables(arg))
            if names & mode.needed:
                self._needed.add((key, place))
            if names - mode.bound:
                self._open.add((key, place))
        return len(self._needed) + len(self._open) > before

    def of(self, goal: Term) -> Mode:
        """Return the mode of a goal."""
        key, args = key_of(goal), args_of(goal)
        match key:
            case (",", 2) | ("*->", 2) | ("->", 2) | (";", 2):
                return self._joined(key[0], *args)
            case ("\\+", 1) | ("not", 1) | ("forall", 2):
                return Mode(_names(goal), frozenset())
            case ("once", 1) | ("ignore", 1):
                return Mode(_names(goal), self.of(args[0]).bound)
            case ("findall", _) | ("aggregate_all", _):
                results = 2 if key == ("findall", 4) else 1
                return Mode(_names(*args[:-results]), _names(*args[-results:]))
            case ("setof", 3) | ("bagof", 3):
                return self._collected(*args)
            case ("call", n) if n == 1 or key_of(args[0]) != (">>", 2):
                return self.of(_called(*args))
        return self._stated(key, args)

    def _joined(self, how: str, one: Term, other: Term) -> Mode:
        first, second = self.of(one), self.of(other)
        both = first.bound | second.bound
        if how == ";":
            return Mode(first.needed | second.needed, both)
        asked = _names(one) if how == "->" else first.needed
        return Mode(asked | (second.needed - first.bound), both)

    def _stated(self, key: Key, args: Sequence[Term]) -> Mode:
        """Return the mode of a goal of the base, or of Prolog."""
        modes = None if key in self._own else BUILTINS.get(key)
        if modes is None:
            places = range(len(args))
            return Mode(
                _names(*(args[n] for n in places if (key, n) in self._needed)),
                _names(*(args[n] for n in places if (key, n) not in self._open)),
            )
        taken = list(zip(args, modes, strict=True))
        return Mode(
            _names(*(arg for arg, how in taken if how in "+?")),
            _names(*(arg for arg, how in taken if how in "-?")),
        )

    def _collected(self, template: Term, goal: Term, result: Term) -> Mode:
        """Return the mode of setof/3: what is neither in the template nor before ^ is listed too."""
        within = _names(template)
        while key_of(goal) == ("^", 2):
            some, goal = args_of(goal)
            within |= _names(some)
        inner = self.of(goal)
        return Mode(inner.needed | within, (inner.bound - within) | _names(result))

    def goals(self, schema: Schema) -> list[Term]:
        """Return the grounding goals of a step such that the same name is the same thing in all of them.

        Prolog calls them in order. A variable that a goal leaves open is another one for it than for what
        comes after; and of a variable that is known one solution is as good as all of them.
        """
        known = _names(schema.head, *(need.term for need in schema.needs))
        goals = [goal.term for goal in schema.goals]
        for number, goal in enumerate(goals):
            elsewhere = _names(
                *(g for n, g in enumerate(goals) if n != number),
                *schema.spoken,
            )
            goal = _all_solutions(goal, known | (_names(goal) - elsewhere))
            needed, bound = self.of(goal)
            fresh = (_names(goal) & elsewhere) - known
            own = {n: Var(f"{n} of goal {number + 1}") for n in fresh & (needed | fresh - bound)}
            goals[number] = substitute(goal, own)
            for name in sorted(own.keys() & bound):  # the one solution that it has, and no other
                same = Struct("=", (Var(name), own[name]))
                goals[number] = Struct(",", (goals[number], same))
            known |= bound
        return goals

    def finds(self, goal: Term) -> bool:
        """Return whether a goal is Prolog's and finds some of its arguments by what the others are."""
        modes = "" if key_of(goal) in self._own else BUILTINS.get(key_of(goal), "")
        return "+" in modes and len(set(modes)) > 1

    def ordered(self, goals: Sequence[Term], known: Iterable[str]) -> list[Term]:
        """Return goals such that each comes after those that bind what it needs, else in their order."""
        left, found, told = list(goals), list[Term](), set(known)
        while left:
            later = [self.of(goal).bound - told for goal in left]
            ready = (
                n
                for n, goal in enumerate(left)
                if not any(self.of(goal).needed & b for m, b in enumerate(later) if m != n)
            )
            found.append(left.pop(next(ready, 0)))
            told |= self.of(found[-1]).bound
        return found

    def bound_by(self, schema: Schema) -> frozenset[str]:
        """Return the variables that conditions of a step bind."""
        needs = _names(*(need.term for need in schema.needs))
        return needs | self.listed(schema.head, self.goals(schema))

    def listed(self, head: Term, goals: Sequence[Term]) -> frozenset[str]:
        """Return the variables that goals bind, those of the head only where they need not be known."""
        given = _names(head)
        modes = [self.of(goal) for goal in goals]
        return frozenset(name for m in modes for name in m.bound - (m.needed & given))


def _names(*terms: Term) -> frozenset[str]:
    return frozenset(name for term in terms for name in variables(term))


def _called(closure: Term, *more: Term) -> Term:
    return Struct(key_of(closure)[0], (*args_of(closure), *more)) if more else closure


def _all_solutions(goal: Term, known: frozenset[str]) -> Term:
    """Return a goal that is true if and only if one is whose variables are known or nobody asks for."""
    while key_of(goal) in (("once", 1), ("memberchk", 2)) and known >= _names(goal):
        args = args_of(goal)
        goal = args[0] if len(args) == 1 else Struct("member", args)
    return goal
