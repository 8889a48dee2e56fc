"""From a goal to a plan that works: slice, search, check on everything, widen."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from commonground.grounding.knowledge.facts import Fact, fact_of
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.memory.planning.assumptions import Assumption, Doubts
from commonground.grounding.memory.planning.problem import make_task, speaks_of_all
from commonground.grounding.memory.planning.side_effects import sparing
from commonground.grounding.memory.planning.slicing import Slicer
from commonground.grounding.memory.planning.subgoals import Ahead, parts_of, some_of
from commonground.planning.pddl import Atom, Formula, Not, Step, Task, World, execute, to_pddl
from commonground.planning.pddl.formula import Effect
from commonground.planning.pddl.logic import conjunction, conjuncts, nnf, symbols
from commonground.planning.result import PlanResult, Status

_OF_A_PART = 0.2
"""As much of the time as a try with a part of the graph may take."""

_MOST_ALONE = 8
"""Parts of a goal that are tried one by one, to say which cannot be reached."""
_MOST_KNOWN = 6
"""Facts that are said about what cannot be reached."""

Outcome = Literal["ok", "ask", "none", "stopped", "failed"]
"""``none``: there is none, as far as is known. ``stopped``: a limit was hit before that was known.

``failed``: the planner itself was at fault. Neither is a proof that there is no plan."""
_ENDED: dict[Status, Outcome] = {
    Status.ERROR: "failed", Status.TIMEOUT: "stopped", Status.NOT_FOUND: "stopped",
}  # fmt: skip


class Planner(Protocol):
    """Whatever solves planning tasks, such as `commonground.planning.downward.FastDownward`."""

    def solve(self, task: Task, *, time_limit_s: float | None = None) -> PlanResult:
        """Return a plan that has been executed on the task, or why there is none."""
        ...


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call of the planner."""

    objects: int
    facts: int
    status: Status
    valid: bool
    """The plan works on everything that is believed, not only on the part it was made from."""
    seconds: float


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """A plan for a goal, or the reason there is none."""

    status: Outcome
    goal: Formula | None = None
    steps: tuple[Step, ...] = ()
    reason: str = ""
    tx: int = 0
    """The change up to which the plan knows the graph."""
    rests_on: frozenset[Fact] = frozenset()
    """The facts its steps take from the graph: where one of them changes, the plan is stale."""
    assumes: tuple[Assumption, ...] = ()
    """Those of them that there is reason to doubt, in the order in which steps need them."""
    attempts: tuple[Attempt, ...] = ()
    seconds: float = 0.0


@dataclass(slots=True)
class TaskPlanner:
    """Plans with a part of the graph and never trusts it: every plan is executed on all of it."""

    store: KnowledgeStore
    planner: Planner
    helpers: tuple[int, ...] = (3, 10)
    """How many objects per open choice each try takes, before everything is taken."""
    time_limit_s: float = 30.0
    """How long one goal may take, with all tries."""
    slicer: Slicer = field(init=False)
    idle: frozenset[str] = frozenset()
    """The robots that are to take no part."""
    presumed: dict[Fact, Fact] = field(init=False, default_factory=dict)
    """What is believed, in doubt, and taken to be otherwise because it is asked for."""
    ahead: Ahead | None = field(init=False, default=None)
    """What will be so where a plan begins that goes on with another one."""

    def __post_init__(self) -> None:
        self.slicer = Slicer(self.store.vocabulary)

    def plan(
        self,
        goal: Formula,
        *,
        parts: Sequence[set[str] | None] | None = None,
        check: bool = True,
        now_ns: int | None = None,
    ) -> TaskPlan:
        """Return a plan for a goal: on the slice, on wider ones where that fails, on everything at last.

        ``parts`` gives other sets of objects to try (None: everything) instead of the slices. Without
        ``check`` the first plan is taken as it is, as the published system without verifier does.
        What is asked for is hardly so already: a state that an unsettled report may have ended is taken to
        have ended, if there is a plan then.
        """
        self.store.refresh()
        doubts = Doubts(self.store, time.time_ns() if now_ns is None else now_ns)
        self.presumed = self._presumed(goal, doubts)
        until = time.perf_counter() + self.time_limit_s
        if self.presumed:
            halfway = until - 0.5 * self.time_limit_s
            planned = self._planned(goal, parts, doubts, halfway, check=check)
            if planned.status == "ok":
                return planned
            self.presumed = {}
        return self._planned(goal, parts, doubts, until, check=check)

    def plan_in_turn(
        self,
        stages: Sequence[Formula],
        *,
        parts: Sequence[set[str] | None] | None = None,
        check: bool = True,
        now_ns: int | None = None,
    ) -> TaskPlan:
        """Return a plan that reaches one goal after the other, each from where the steps before end."""
        plans: list[TaskPlan] = []
        steps: list[Step] = []
        ahead = Ahead(self.store.facts)
        for goal in stages:
            self.ahead = ahead if steps else None
            try:
                plans.append(self.plan(goal, parts=parts, check=check, now_ns=now_ns))
                steps += plans[-1].steps
                if plans[-1].status != "ok" or len(stages) == 1:
                    return replace(plans[-1], steps=plans[-1].steps if len(stages) == 1 else ())
                task = self._concerned(goal, self.store.kinds, plans[-1].steps)
                ahead.become(task.problem.init, execute(task, plans[-1].steps).atoms)
            finally:
                self.ahead = None
        used = rests_on(self._concerned(stages[-1], self.store.kinds, steps), steps)
        doubts = Doubts(self.store, time.time_ns() if now_ns is None else now_ns)
        return replace(
            plans[-1],
            steps=tuple(steps),
            rests_on=frozenset(used),
            assumes=doubts.of(used),
            attempts=tuple(attempt for plan in plans for attempt in plan.attempts),
            seconds=sum(plan.seconds for plan in plans),
        )

    def _presumed(self, goal: Formula, doubts: Doubts) -> dict[Fact, Fact]:
        """Return what is believed, in doubt, and taken to be otherwise because it is asked for.

        Only where all that is asked for is believed to be so: of several things some may well be.
        """
        wanted = [*map(_as_fact, _literals(goal))]
        if not all(fact.is_property and fact in self.store.facts for fact in wanted):
            return {}
        return {fact: fact.opposite for fact in wanted if doubts.overtaken(fact)}

    def _planned(
        self,
        goal: Formula,
        parts: Sequence[set[str] | None] | None,
        doubts: Doubts,
        until: float,
        *,
        check: bool,
    ) -> TaskPlan:
        begin = time.perf_counter()
        kinds = {**self.store.kinds}
        attempts: list[Attempt] = []
        if parts is None and check and self.ahead is None:
            steps = self._by_parts(goal, kinds, attempts, until)
            if steps is not None:
                used = rests_on(self._concerned(goal, kinds, steps), steps)
                return TaskPlan(
                    "ok", goal, steps, "", self.store.tx, frozenset(used),
                    doubts.of(used), tuple(attempts), time.perf_counter() - begin,
                )  # fmt: skip
        for objects in self._parts(goal, kinds) if parts is None else parts:
            left = max(until - time.perf_counter(), 0.0)
            most = left if objects is None else min(left, _OF_A_PART * self.time_limit_s)
            result, attempt, _ = self._attempt(goal, kinds, objects, most)
            attempts.append(attempt)
            if attempt.valid or (result.solved and not check):
                used = {}
                steps = result.plan
                if attempt.valid:
                    concerned = self._concerned(goal, kinds, steps)
                    steps = sparing(concerned, steps)
                    used = rests_on(concerned, steps)
                return TaskPlan(
                    "ok", goal, steps, "", self.store.tx, frozenset(used),
                    doubts.of(used), tuple(attempts), time.perf_counter() - begin,
                )  # fmt: skip
        reason = self._why_none(result, goal, kinds, until)
        return TaskPlan(
            _ENDED.get(result.status, "none"),
            goal,
            (),
            reason,
            self.store.tx,
            attempts=tuple(attempts),
            seconds=time.perf_counter() - begin,
        )

    def _why_none(
        self, result: PlanResult, goal: Formula, kinds: Mapping[str, str], until: float
    ) -> str:
        """Return why there is no plan, or which limit was hit before one was found."""
        said = result.reason or str(result.status)
        if result.status is Status.UNSOLVABLE:
            return self._unreached(goal, kinds, until) or said
        if result.status is Status.TIMEOUT:
            limit = f"{self.time_limit_s:g} s"
            return f"no plan was found within {limit}, which is no proof that there is none"
        return said

    def _by_parts(
        self, whole: Formula, kinds: Mapping[str, str], attempts: list[Attempt], until: float
    ) -> tuple[Step, ...] | None:
        """Return steps that reach a goal of many parts, some after the others; None if they do not."""
        parts, steps = parts_of(whole, self.store.facts), list[Step]()
        if not parts:
            return None
        self.ahead = Ahead(self.store.facts)
        try:
            for some in some_of(parts, self.ahead):
                goal = conjunction(some)
                for objects in self._parts(goal, kinds):
                    if objects is None:
                        return None
                    left = min(until - time.perf_counter(), _OF_A_PART * self.time_limit_s)
                    result, attempt, so = self._attempt(goal, kinds, objects, max(left, 0.0))
                    attempts.append(attempt)
                    if attempt.valid:
                        break
                self.ahead.become(*so)
                steps += result.plan
        finally:
            self.ahead = None
        works = execute(self._concerned(whole, kinds, steps), steps).valid
        return tuple(steps) if works else None

    def _unreached(self, goal: Formula, kinds: Mapping[str, str], until: float) -> str:
        """Return what of a goal no plan reaches, each part tried alone; '' where all of them are reached."""
        parts = conjuncts(nnf(goal))
        proved = []
        for part in parts if len(parts) <= _MOST_ALONE else ():
            left = until - time.perf_counter()
            if left <= 0:
                return ""
            result, *_ = self._attempt(part, kinds, None, left)
            if result.status is Status.UNSOLVABLE:
                proved.append(part)
        said = "; ".join(to_pddl(self.store.vocabulary.bearers.own(part)) for part in proved)
        if said:
            facts = self.store.facts
            things = sorted({s for part in proved for s in symbols(part)} & kinds.keys())
            known = [" ".join(f) for thing in things for f in facts.about(thing)][:_MOST_KNOWN]
            return f"no plan can bring about {said}, as is believed now: {'; '.join(known)}"
        return "each part of it can be reached, but not all together" if len(parts) > 1 else ""

    def _parts(self, goal: Formula, kinds: Mapping[str, str]) -> Iterator[set[str] | None]:
        """Yield ever larger sets of objects, everything (None) last."""
        before: set[str] = set()
        for number, helpers in enumerate(self.helpers):
            objects = self.slicer.objects(
                goal, self.ahead or self.store.facts, kinds, helpers, restoring=number > 0
            )
            if objects != before:
                yield objects
            before = objects
        yield None

    def _attempt(
        self, goal: Formula, kinds: Mapping[str, str], objects: set[str] | None, most_s: float
    ) -> tuple[PlanResult, Attempt, tuple[Collection[Atom], Collection[Atom]]]:
        """Try to reach a goal among some objects; also tell what a plan names, as it was and then is."""
        begin = time.perf_counter()
        if self.idle:
            objects = (kinds.keys() if objects is None else objects) - self.idle
        task = self._task(goal, kinds, objects)
        result = self.planner.solve(task, time_limit_s=most_s)
        concerned = self._concerned(goal, kinds, result.plan) if result.solved else task
        ended = execute(concerned, result.plan) if result.solved else None
        valid = ended is not None and ended.valid
        seconds = time.perf_counter() - begin
        attempt = Attempt(
            len(task.problem.objects), len(task.problem.init), result.status, valid, seconds
        )
        return result, attempt, (concerned.problem.init, ended.atoms if ended else frozenset())

    def _task(
        self, goal: Formula, kinds: Mapping[str, str], objects: AbstractSet[str] | None
    ) -> Task:
        """Return the task of reaching a goal among some objects, or among all."""
        domain, facts = self.store.vocabulary.domain, self.ahead or self.store.facts
        if objects is None:
            everything = (self.presumed.get(f, f) for f in facts)
            return make_task(domain, kinds, everything, goal, fixed=self.store.fixed)
        about = (self.presumed.get(f, f) for key in objects for f in facts.about(key))
        return make_task(domain, kinds, about, goal, objects, self.store.fixed)

    def _concerned(self, goal: Formula, kinds: Mapping[str, str], plan: Sequence[Step]) -> Task:
        """Return the task among all that decides whether a plan works: what it and the goal name.

        Where the domain or the goal speak of all things of a type, that is everything.
        """
        domain = self.store.vocabulary.domain
        constants = (typed.name for typed in domain.constants)
        named = symbols(goal).union(constants, *(step.args for step in plan))
        everything = speaks_of_all(domain, goal, (step.action for step in plan))
        return self._task(goal, kinds, None if everything else named & kinds.keys())


def rests_on(task: Task, plan: Iterable[Step]) -> dict[Fact, int]:
    """Return the facts of the initial state that support a step or the goal, with the steps before that.

    These are the causal links from the initial state: a fact that an earlier step brings about, or
    takes away and another restores, rests on the plan and not on the graph.
    """
    world = World(task)
    made: set[Atom] = set()
    found: dict[Fact, int] = {}
    number = 0
    for number, step in enumerate(plan, 1):
        action, binding = world.bind(step)
        condition = getattr(action, "precondition", None)
        if condition is not None:
            for lit in _literals(world.condition(condition, binding)):
                if lit[0] not in made and len(lit[0].args) <= 2:
                    found.setdefault(_as_fact(lit), number - 1)
        effects: tuple[Effect, ...] = getattr(action, "effects", ())
        changes = world.changes(effects, binding)
        made |= changes.adds | changes.deletes
        world.commit(changes)
    for lit in _literals(task.problem.goal):
        if lit[0] not in made and lit[0].args:
            found.setdefault(_as_fact(lit), number)
    return found


def needed_by(task: Task, step: Step) -> list[Fact]:
    """Return the facts that a step needs, as they have to be."""
    world = World(task)
    action, binding = world.bind(step)
    condition = getattr(action, "precondition", None)
    found = () if condition is None else _literals(world.condition(condition, binding))
    return [_as_fact(literal) for literal in found if 1 <= len(literal[0].args) <= 2]


def _literals(formula: Formula) -> Iterator[tuple[Atom, bool]]:
    if isinstance(formula, Atom):
        yield formula, True
    elif isinstance(formula, Not) and isinstance(formula.body, Atom):
        yield formula.body, False
    else:
        for part in getattr(formula, "parts", ()):
            yield from _literals(part)


def _as_fact(literal: tuple[Atom, bool]) -> Fact:
    atom, positive = literal
    fact = fact_of(atom)
    return fact if positive or not fact.is_property else fact.opposite
