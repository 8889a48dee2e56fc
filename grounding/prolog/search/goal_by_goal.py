"""A plan made goal by goal, in the order of an agenda.

Each time, what one action can do now for a goal that is next is done, first what can begin first; only
where no action can, a small search makes room for the goal that lacks least. What is put aside goes where
nothing has to wait for it and no goal is in its way.
"""

from __future__ import annotations

import itertools
import logging
import math
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from commonground.grounding.prolog.actions.grounder import Breadth, Grounder, TooMany
from commonground.grounding.prolog.actions.instances import Op
from commonground.grounding.prolog.actions.pddl_task import compile_task
from commonground.grounding.prolog.actions.symmetry import alike_things, renamed
from commonground.grounding.prolog.base.relations import Fact, Facts
from commonground.grounding.prolog.base.terms import Term
from commonground.grounding.prolog.search.agenda import Agenda, Bundle
from commonground.grounding.prolog.search.contradiction import Limits
from commonground.grounding.prolog.search.total_order import (
    FEW,
    FEWEST,
    MORE,
    TWO,
    HighPlan,
    HighTask,
    find_plan,
)
from commonground.grounding.prolog.search.turns import with_names
from commonground.planning.result import Status


@dataclass(slots=True)
class Clock:
    """When facts came to hold, or ceased to, in actions that begin as soon as they can."""

    hands: int = 1
    changed: dict[Fact, int] = field(default_factory=dict)
    begun: Counter[int] = field(default_factory=Counter)
    """How many actions begin in each round."""
    _known: Facts = field(default_factory=Facts)

    def ready(self, needs: Iterable[Fact], forbids: Iterable[Term]) -> int:
        """Return the round by which facts hold that are needed, and those are gone that must be."""
        here = (self.changed.get(need, 0) for need in needs)
        away = (self.changed[f] for pattern in forbids for f in self._known.matching(pattern))
        return max(itertools.chain(here, away), default=0)

    def begins(self, op: Op) -> int:
        """Return the round in which an action can begin."""
        soon = self.ready(op.needs, (f.pattern for f in op.forbids))
        return next(n for n in itertools.count(soon) if self.begun[n] < self.hands)

    def follow(self, op: Op) -> int:
        """Let an action follow those before; return the round by which it is done."""
        begins = self.begins(op)
        self.begun[begins] += 1
        for fact in (op.adds | op.deletes) - (op.needs & op.adds):  # a hand is given back
            self.changed[fact] = begins + 1
            self._known.add(fact)
        return begins + 1

    def after(self, ops: Iterable[Op]) -> int:
        """Return the round by which further actions would be done."""
        other = deepcopy(self)
        return max((other.follow(op) for op in ops), default=0)


logger = logging.getLogger(__name__)

MANY = 6
"""How many bundles of goals are still looked for together."""
IN_THE_WAY = 100.0
"""Rounds for which it is worth waiting to leave room for a goal."""
STEP_S = 3.0
"""Processor time in which room is made for one goal."""


def high_plan(task: HighTask, cpu_s: float, barred: frozenset[Fact] = frozenset()) -> HighPlan:
    """Return a total order that reaches the goal: goal by goal where there are many, else all at once."""
    if len(task.goal) > MANY:
        grounder = task.grounder(True, True, barred)
        lifted = [template.lifted for template in grounder.actions]
        agenda = Agenda.of(lifted, grounder.goal, Limits.of(task))
        if agenda is not None and agenda.open(frozenset(grounder.init)) > MANY:
            clock, things = Clock(max(1, len(task.base.agents))), alike_things(task.base)
            start = frozenset(grounder.init)
            ops = InTurn(task, grounder, agenda, start, clock=clock, things=things).plan(cpu_s)
            if ops:
                return HighPlan(Status.SOLVED, tuple(ops), breadth="goals in turn")
            logger.info("the goals cannot be reached one after the other")
    return find_plan(task, cpu_s, barred)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A bundle that stands for all that only differ in things of which the same holds."""

    goals: Bundle
    things: tuple[Term, ...]
    key: object
    """The same for all that it stands for."""


@dataclass(slots=True)
class InTurn:
    """The actions so far, and the state after them."""

    task: HighTask
    grounder: Grounder
    agenda: Agenda
    state: frozenset[Fact]
    ops: list[Op] = field(default_factory=list)
    clock: Clock = field(default_factory=Clock)
    things: Mapping[Term, tuple[Term, ...]] = field(default_factory=dict)
    """Things of which the same is said, each with its group."""
    found: dict[object, tuple[tuple[Term, ...], list[Op]]] = field(default_factory=dict)
    """What was found for a kind of goals, and for which things."""

    def plan(self, cpu_s: float) -> list[Op]:
        """Return the actions that reach all goals; none where none are found this way."""
        self.grounder.taste = self._taste
        while due := self.agenda.due(self.agenda.settled(self.state)):
            if self.task.used_s() > cpu_s:
                return []
            kinds = self._kinds(due)
            due = [kind.goals for kind in kinds]
            op = self._direct(due)
            more = [op] if op is not None else self._again(kinds) or self._by_search(kinds)
            if not more:
                return []
            for each in more:
                self.state = self.state - each.deletes | each.adds
                self.clock.follow(each)
            self.ops += more
        return self.ops

    def _taste(self, needs: Iterable[Fact], forbids: Iterable[Term], adds: Iterable[Fact]) -> float:
        """Prefer what can begin early and leaves room for the goals to come."""
        in_the_way = self.agenda.in_the_way(adds, self.state)
        return self.clock.ready(needs, forbids) + IN_THE_WAY * in_the_way

    def _kinds(self, due: Sequence[Bundle]) -> list[_Kind]:
        """Return one of those bundles each that only differ in things of which the same holds."""
        if not self.things:
            return [_Kind(goals, (), goals) for goals in due]
        held = self._held()
        kinds: dict[object, _Kind] = {}
        for goals in due:
            told = (arg for fact in sorted(goals, key=repr) for arg in fact[1:])
            things = tuple(dict.fromkeys(arg for arg in told if arg in held))
            names: dict[Term, Term] = {thing: f"thing {n}" for n, thing in enumerate(things)}
            about = (*goals, *(fact for thing in things for fact in held[thing]))
            groups = tuple(self.things[thing] for thing in things)
            key = groups, frozenset(renamed(fact, names) for fact in about)
            kinds.setdefault(key, _Kind(goals, things, key))
        return list(kinds.values())

    def _held(self) -> dict[Term, list[Fact]]:
        """Return what holds of each thing that others are like."""
        held: dict[Term, list[Fact]] = {thing: [] for thing in self.things}
        for fact in self.state:
            for thing in held.keys() & set(fact[1:]):
                held[thing].append(fact)
        return held

    def _again(self, kinds: Sequence[_Kind]) -> list[Op]:
        """Return what was found for goals like some of these, if it can be done for these as well."""
        settled = self.agenda.settled(self.state)
        for kind in kinds:
            things, found = self.found.get(kind.key, (kind.things, []))
            ops = [with_names(op, dict(zip(things, kind.things, strict=True))) for op in found]
            state: frozenset[Fact] | None = self.state
            for op in ops:
                state = state and op.after(state)
            if ops and state and settled | {kind.goals} <= self.agenda.settled(state):
                return ops
        return []

    def _direct(self, due: Sequence[Bundle]) -> Op | None:
        """Return the action possible now that settles a bundle, gives none up and can begin first."""
        settled = self.agenda.settled(self.state)
        best, least = None, (math.inf, 0, 0)
        grounder = self.grounder.at(self.state, ())
        missing = (fact for bundle in due for fact in sorted(bundle - self.state, key=repr))
        for fact in dict.fromkeys(missing):
            for op in grounder.now(fact):
                after = self.agenda.settled(self.state - op.deletes | op.adds)
                if not settled < after:
                    continue
                urgent = max(map(self.agenda.waiting, after - settled))
                key = self.clock.begins(op), -urgent, -len(after)
                if key < least:
                    best, least = op, key
        return best

    def _by_search(self, due: Sequence[_Kind]) -> list[Op]:
        """Return the fewest actions found that settle one of the bundles that are due."""
        settled = self.agenda.settled(self.state)
        for breadth in (FEWEST, TWO, FEW, MORE):
            ways = []
            for kind in due:
                ops = self._searched(frozenset().union(*settled, kind.goals), breadth)
                if ops:
                    self.found[kind.key] = kind.things, ops
                    ways.append(ops)
            if ways:
                return min(ways, key=lambda ops: (len(ops), self.clock.after(ops)))
        return []

    def _searched(self, wanted: frozenset[Fact], breadth: Breadth) -> list[Op]:
        goal = sorted(wanted, key=repr)
        grounder = self.grounder.at(self.state, goal)
        try:
            ops = grounder.ops(breadth, time.process_time() + STEP_S)
        except TooMany:
            return []
        compiled = compile_task(ops, self.state, grounder.goal)
        if compiled is None:
            return []
        found = self.task.plan(compiled, "first", STEP_S)
        return list(compiled.plan(found.plan)) if found.status is Status.SOLVED else []
