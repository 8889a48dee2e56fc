"""Goals that exclude each other, proven from the actions as they are written, for bases of any size.

Somebody has to make the last fact of the goal true while the others hold already. What that step needs and
the other facts of the goal then hold together. For an object, weights on the places in which facts name it,
such that no action ever adds more weight than it takes away, bound how much of that can hold at once (found
by linear programming). If they rule out every step that could be the last, there is no plan.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from commonground.grounding.prolog.actions.lifted import Lifted, substituted
from commonground.grounding.prolog.base.relations import fact_of, term_of
from commonground.grounding.prolog.base.terms import (
    Term,
    Var,
    args_of,
    is_ground,
    key_of,
    match,
    may_unify,
    substitute,
    text,
    variables,
)
from commonground.grounding.prolog.search.total_order import HighTask
from commonground.grounding.prolog.search.weights import Change, Places, Weights

MERGES = 64
"""Most cases in which different variables of one step are the same object."""
Spot = tuple[tuple[str, int], int]
"""A predicate and a place among its arguments."""


def contradiction(task: HighTask) -> str:
    """Return why the goals exclude each other; empty: that cannot be seen this way."""
    goals = [g for g in task.goal if is_ground(g)]
    if {fact_of(g) for g in goals} <= set(task.init):
        return ""
    limits = Limits.of(task)
    if limits is None:
        return ""
    apart = [*_never_together(goals, limits)]
    if apart:
        return f"the goals exclude each other: {'; '.join(apart[:2])}"
    if len(goals) < len(task.goal):
        return ""
    why: dict[str, None] = {}
    for goal in goals:
        for step, bound in adding(task.steps, goal):
            reason = clash(step, bound, goal, goals, limits)
            if not reason:
                return ""
            why[reason] = None
    return f"the goals exclude each other: {'; '.join(list(why)[:2])}"


def _never_together(goals: Sequence[Term], limits: Limits) -> Iterator[str]:
    """Yield goals that are too much of one thing at once, two at a time, else all that name the thing."""
    named: dict[Term, dict[Term, None]] = {}
    for goal in goals:
        for thing in args_of(goal):
            named.setdefault(thing, {})[goal] = None
    told = set[frozenset[Term]]()
    for thing, about in named.items():
        whole = [about] if len(about) > 2 else []
        for some in (*itertools.combinations(about, 2), *whole):
            known = any(pair <= frozenset(some) for pair in told)
            if not known and limits.too_much(tuple(some), thing):
                told.add(frozenset(some))
                yield f"{' and '.join(map(text, some))} can never hold together in the end"


def adding(steps: Sequence[Lifted], goal: Term) -> Iterator[tuple[Lifted, dict[str, Term]]]:
    """Yield the steps that may add a goal, with what that binds."""
    for step in steps:
        for fact in step.adds:
            bound: dict[str, Term] = {}
            if key_of(fact) == key_of(goal) and match(fact, goal, bound):
                yield step, bound


def clash(
    step: Lifted, bound: dict[str, Term], goal: Term, goals: Sequence[Term], limits: Limits
) -> str:
    """Return what keeps a step from being the one that makes a goal true last."""
    adds = [substitute(f, bound) for f in step.adds]
    kept = [g for g in goals if not any(may_unify(add, g) for add in adds)]
    for fact in step.deletes:
        gone = substitute(fact, bound)
        if gone in kept:
            return f"what makes {text(goal)} true makes {text(gone)} false"
    together = _apart([*kept, *(substitute(n, bound) for n in step.needs)])
    for thing in dict.fromkeys(args_of(goal)):
        if limits.too_much(together, thing):
            others = [text(g) for g in kept if thing in args_of(g)]
            return f"{text(goal)} cannot become true while {' and '.join(others) or 'the others'} holds"
    return ""


def _apart(facts: Sequence[Term]) -> list[Term]:
    """Return facts without those that may be the same as one before."""
    found: list[Term] = []
    for fact in facts:
        if not any(may_unify(fact, other) for other in found):
            found.append(fact)
    return found


@dataclass(frozen=True, slots=True)
class Limits:
    """How much ever holds of a thing at once, whatever the actions do."""

    weights: Weights
    init: Mapping[Term, Places]
    """Where the facts at the beginning name each thing."""

    @classmethod
    def of(cls, task: HighTask) -> Limits | None:
        """Return the limits of a task; None: there are too many cases."""
        changes: list[Change] = []
        for step in task.steps:
            cases = list(itertools.islice(_cases(step), MERGES + 1))
            if len(cases) > MERGES:
                return None
            for case in cases:
                changes += _changes(case)
        init: dict[Term, Places] = {}
        for thing, place in (named for fact in task.init for named in _named(term_of(fact))):
            init[thing] = (*init.get(thing, ()), place)
        return cls(Weights.of(changes, (p for places in init.values() for p in places)), init)

    def too_much(self, together: Sequence[Term], thing: Term) -> bool:
        """Return whether facts with something in them weigh more than all that ever holds of it."""
        return self.weights.exceeded(_places_of(thing, together), self.init.get(thing, ()))


def _cases(step: Lifted) -> Iterator[Lifted]:
    """Yield a step, and as it is where two facts that it deletes are the same one."""
    yield step
    unequal = [
        g
        for g in (*(t.goal for t in step.tables), *step.residual)
        if key_of(g) == ("\\=", 2) and all(isinstance(arg, Var) for arg in args_of(g))
    ]
    apart = {frozenset(variables(goal)) for goal in unequal}
    for one, other in itertools.combinations(step.deletes, 2):
        if key_of(one) == key_of(other) and may_unify(one, other):
            binding = _merged(one, other)
            pairs = {frozenset((name, *variables(value))) for name, value in binding.items()}
            if binding and pairs.isdisjoint(apart):
                yield from _cases(substituted(step, binding))


def _merged(one: Term, other: Term) -> dict[str, Term]:
    """Return what makes two facts the same."""
    binding: dict[str, Term] = {}
    for pair in zip(args_of(one), args_of(other), strict=True):
        a, b = (substitute(arg, binding) for arg in pair)
        if not isinstance(a, Var):
            a, b = b, a
        if isinstance(a, Var) and a != b:
            binding = {name: substitute(value, {a.name: b}) for name, value in binding.items()}
            binding[a.name] = b
    return binding


def _changes(step: Lifted) -> Iterator[Change]:
    """Yield for each thing in a step where it is named more and less often afterwards, at most."""
    needs, deletes = set(step.needs), set(step.deletes)
    added = [f for f in step.adds if f not in needs or f in deletes]
    taken = [f for f in step.deletes if f in needs]
    for thing in dict.fromkeys(arg for fact in (*added, *taken) for arg in args_of(fact)):
        yield _places_of(thing, added), _places_of(thing, taken)


def _places_of(thing: Term, facts: Iterable[Term]) -> Places:
    return tuple(place for fact in facts for arg, place in _named(fact) if arg == thing)


def _named(fact: Term) -> Iterator[tuple[Term, Spot]]:
    for number, arg in enumerate(args_of(fact)):
        yield arg, (key_of(fact), number)
