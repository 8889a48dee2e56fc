"""Ground facts, and rules that fire once for every way their conditions can be met.

Evaluation is semi-naive: a new fact is joined with the facts before it, so that extending a large
database by one fact costs only what is new.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from commonground.planning.pddl.relation import Relation

Objects: TypeAlias = tuple[int, ...]
Fire: TypeAlias = Callable[[Objects], None]
"""Called with the objects of a rule's variables."""


@dataclass(slots=True)
class _Step:
    """One condition of a join: look tuples up by what is bound, bind the rest."""

    predicate: str
    positions: tuple[int, ...]
    key: tuple[int, ...]
    binds: tuple[tuple[int, int], ...]
    repeats: tuple[tuple[int, int], ...]
    distinct: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Rule:
    """Conditions over numbered variables (a term below 0 is the object ``-1 - term``)."""

    variables: int
    conditions: tuple[tuple[str, tuple[int, ...]], ...]
    distinct: tuple[tuple[int, int], ...]
    fire: Fire
    joins: list[tuple[_Step, ...]] = field(default_factory=list)
    fired: set[Objects] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.joins = [self._join(first) for first in range(len(self.conditions))]

    def _join(self, first: int) -> tuple[_Step, ...]:
        """Return the conditions in the order in which they are joined after a fact met the first."""
        bound: set[int] = set()
        left = list(range(len(self.conditions)))
        pending = list(self.distinct)
        steps: list[_Step] = []
        chosen = first
        while True:
            left.remove(chosen)
            predicate, terms = self.conditions[chosen]
            known = tuple(i for i, t in enumerate(terms) if _is_known(t, bound))
            binds, repeats = _binding(terms, bound)
            bound |= {t for _, t in binds}
            ready = tuple(p for p in pending if _is_known(p[0], bound) and _is_known(p[1], bound))
            pending = [pair for pair in pending if pair not in ready]
            key = tuple(terms[i] for i in known)
            steps.append(_Step(predicate, known, key, binds, repeats, ready))
            if not left:
                return tuple(steps)
            chosen = max(left, key=lambda c: (self._known_share(c, bound), -c))

    def _known_share(self, condition: int, bound: set[int]) -> float:
        terms = self.conditions[condition][1]
        return sum(_is_known(t, bound) for t in terms) / len(terms) if terms else 1.0


def _is_known(term: int, bound: set[int]) -> bool:
    """Return whether a term is an object, or a variable that has a value."""
    return term < 0 or term in bound


Places: TypeAlias = tuple[tuple[int, int], ...]
"""(position, variable) pairs."""


def _binding(terms: tuple[int, ...], bound: set[int]) -> tuple[Places, Places]:
    """Return where a fact gives variables their values, and where it has to repeat them."""
    binds: dict[int, int] = {}
    repeats = []
    for i, t in enumerate(terms):
        if _is_known(t, bound):
            continue
        if t in binds:
            repeats.append((i, t))
        else:
            binds[t] = i
    return tuple((i, t) for t, i in binds.items()), tuple(repeats)


class Database:
    """Facts that only grow, and the rules that watch them."""

    def __init__(self) -> None:
        self.relations: dict[str, Relation[int]] = {}
        self.watching: dict[str, list[tuple[Rule, int]]] = {}
        self.queue: deque[tuple[str, Objects]] = deque()
        self.unconditional: list[Rule] = []

    def watch(self, rule: Rule) -> None:
        """Add a rule; rules come before facts."""
        if not rule.conditions:
            self.unconditional.append(rule)
        for index, (predicate, _) in enumerate(rule.conditions):
            self.watching.setdefault(predicate, []).append((rule, index))

    def relation(self, predicate: str) -> Relation[int]:
        found = self.relations.get(predicate)
        if found is None:
            found = self.relations[predicate] = Relation()
        return found

    def add(self, predicate: str, args: Objects) -> None:
        """Queue a fact; `propagate` makes it known."""
        self.queue.append((predicate, args))

    def __contains__(self, fact: tuple[str, Objects]) -> bool:
        return fact[1] in self.relation(fact[0]).rows

    def propagate(self) -> None:
        """Let all rules fire that the queued facts, and those they lead to, complete."""
        for rule in self.unconditional:
            if () not in rule.fired:
                rule.fired.add(())
                rule.fire(())
        while self.queue:
            predicate, args = self.queue.popleft()
            relation = self.relation(predicate)
            if not relation.add(args):
                continue
            for rule, index in self.watching.get(predicate, ()):
                self._start(rule, rule.joins[index], args)

    def _start(self, rule: Rule, steps: tuple[_Step, ...], args: Objects) -> None:
        step = steps[0]
        binding = [-1] * rule.variables
        if all(args[i] == -1 - t for i, t in zip(step.positions, step.key, strict=True)) and _bind(
            step, args, binding
        ):
            self._continue(rule, steps, 1, binding)

    def _continue(
        self, rule: Rule, steps: tuple[_Step, ...], depth: int, binding: list[int]
    ) -> None:
        if depth == len(steps):
            found = tuple(binding)
            if found not in rule.fired:
                rule.fired.add(found)
                rule.fire(found)
            return
        step = steps[depth]
        key = tuple([binding[t] if t >= 0 else -1 - t for t in step.key])
        for args in self.relation(step.predicate).find(step.positions, key):
            if _bind(step, args, binding):
                self._continue(rule, steps, depth + 1, binding)


def _bind(step: _Step, args: Objects, binding: list[int]) -> bool:
    for position, variable in step.binds:
        binding[variable] = args[position]
    for position, variable in step.repeats:
        if args[position] != binding[variable]:
            return False
    for left, right in step.distinct:
        a = binding[left] if left >= 0 else -1 - left
        b = binding[right] if right >= 0 else -1 - right
        if a == b:
            return False
    return True
