"""Agents for the actions of an executed plan: the least makespan whose execution in Prolog works."""

from __future__ import annotations

import logging
from collections.abc import Set
from dataclasses import dataclass, replace
from itertools import pairwise, permutations

from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.knowledge_base import Schema, stem_of
from commonground.grounding.prolog.base.load import Loaded
from commonground.grounding.prolog.base.relations import fact_of, term_of
from commonground.grounding.prolog.base.terms import (
    Term,
    args_of,
    key_of,
    match,
    replaced,
    substitute,
    text,
    variables,
)
from commonground.grounding.prolog.execution.blocks import Block
from commonground.grounding.prolog.execution.partial_order import Timed
from commonground.grounding.prolog.execution.refinement import PlanStep, Run, mapped, run
from commonground.planning.result import Status
from commonground.planning.temporal import PartialOrder, PlanSchedule, schedule_plan
from commonground.planning.temporal.ordering import Ordering, Why
from commonground.planning.temporal.plan_model import OPEN, Assignment
from commonground.planning.temporal.plan_schedule import Setup

SCHEDULE_LIMIT_S = 4.0
"""Work for one schedule to be improved and proven, in the solver's units: about seconds of a core."""

logger = logging.getLogger(__name__)

ASSIGNMENTS = 60
"""How many assignments of agents may turn out not to work before the agents of the plan are kept."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """A schedule with its agents that was executed, or why there is none."""

    status: Status
    reason: str = ""
    schedule: PlanSchedule | None = None
    made: tuple[tuple[int, Term], ...] = ()
    """(step, action) in an order in which Prolog executed them, with the agents that were assigned."""


class Chooser:
    """Schedules, executes what was assigned, and refuses assignments that do not work."""

    def __init__(
        self,
        engine: Engine,
        loaded: Loaded,
        timed: Timed,
        order: PartialOrder,
        seed: int,
        least_s: float = 0.0,
    ) -> None:
        self.engine, self.loaded, self.timed, self.order, self.seed = (
            engine, loaded, timed, order, seed,
        )  # fmt: skip
        self.least_s = 0.0 if timed.pinned else least_s  # it takes agents to do one thing at a time
        self.pool = {
            text(a): tuple(map(text, pool)) for pool in loaded.base.pools.values() for a in pool
        }

    def choose(self) -> Assigned:
        """Return the shortest schedule whose execution works."""
        refused = [*self._unable(), *self._kept(self.timed.pinned)]
        fault = "no assignment of agents works"
        for number in range(ASSIGNMENTS):
            # each further attempt gets less, so that all together stay within twice the work of one
            schedule = schedule_plan(
                self.order,
                setup_s=self._setups(),
                refused=refused,
                together=self.timed.together,
                least_s=self.least_s,
                work=SCHEDULE_LIMIT_S / (1 + number),
                seed=self.seed,
            )
            if schedule.status is not Status.SOLVED:
                fault = schedule.reason
                break
            done = self._execute(schedule)
            if done.valid:
                if number:  # what was refused may work at other times
                    schedule = replace(schedule, optimal=False, lower_bound_s=self.least_s)
                return _solved(schedule, done)
            refused.append(self._conflict(schedule, done))
            fault = str(done.fault) if done.fault else "the goal is missed"
            logger.info("an assignment of agents is refused: %s", fault)
        return self._as_planned(fault)

    def _as_planned(self, fault: str) -> Assigned:
        """Return the schedule with the agents of the plan, each with its actions in the order of the plan."""
        kept = self._kept(frozenset(range(len(self.timed.blocks))))
        for order in (self.order, self._each_in_order()):
            schedule = schedule_plan(
                order, setup_s=self._setups(), refused=kept, work=5.0, seed=self.seed
            )
            if schedule.status is Status.SOLVED:
                done = self._execute(schedule)
                if done.valid:
                    schedule = replace(schedule, optimal=False, lower_bound_s=self.least_s)
                    return _solved(schedule, done)
        return Assigned(Status.NOT_FOUND, f"the plan has no schedule: {fault}")

    def _each_in_order(self) -> PartialOrder:
        """Return the order in which every agent does what it does in the order of the plan."""
        chains = (
            [b for b in self.timed.blocks if agent in b.agents] for agent in sorted(self.pool)
        )
        links = (Ordering(a.end, b.start, Why.NESTS) for c in chains for a, b in pairwise(c))
        return PartialOrder(self.order.plan, (*self.order.orderings, *links))

    # ---- who may do what ----

    def _kept(self, blocks: frozenset[int]) -> list[Assignment]:
        """Return the assignments that blocks must not get if they are to keep their agents."""
        return [
            {number: _only(self.timed.plan.activities[number].resources, place, other)}
            for number in sorted(blocks)
            for place, agent in enumerate(self.timed.plan.activities[number].resources)
            for other in self.pool[agent]
            if other != agent
        ]

    def _unable(self) -> list[Assignment]:
        """Return assignments to agents for which the grounding goals of an action do not hold."""
        asked: list[tuple[int, int, str, str]] = []
        for number, block in enumerate(self.timed.blocks):
            resources = self.timed.plan.activities[number].resources
            for place, agent in enumerate(resources):
                for other in self.pool[agent]:
                    if other != agent:
                        asked.append((number, place, other, self._able(block, agent, other)))
        questions = list(dict.fromkeys(question for *_, question in asked if question))
        if not questions:
            return []
        answers = self.engine.tables(self.loaded.module, questions)
        # what hit a limit is not answered: executing the schedule tells, and then it proves no bound
        able = dict(zip(questions, (bool(a.get("rows", True)) for a in answers), strict=True))
        return [
            {number: _only(self.timed.plan.activities[number].resources, place, other)}
            for number, place, other, question in asked
            if question and not able[question]
        ]

    def _able(self, block: Block, agent: str, other: str) -> str:
        """Return the question whether an agent could do a block; empty where nothing has to be asked."""
        names = {a: b for a in self.loaded.base.agents for b in self.loaded.base.agents
                 if text(a) == agent and text(b) == other}  # fmt: skip
        head = replaced(block.head, names)
        for schema in self.loaded.base.by_name.get(key_of(head), []):
            binding: dict[str, Term] = {}
            if schema.goals and match(schema.head, head, binding):
                asked = self._askable(schema, binding.keys())
                goals = ", ".join(f"({text(substitute(g, binding))})" for g in asked)
                return f"[once(({goals}))]-[]" if asked else ""
        return ""

    def _askable(self, schema: Schema, known: Set[str]) -> list[Term]:
        """Return the grounding goals that mean the same whatever holds when the action begins."""
        modes, asked = self.loaded.base.modes, list[Term]()
        unknown = {v for need in schema.needs for v in variables(need.term)} - known
        for goal in modes.goals(schema):
            needed, bound = modes.of(goal)
            if needed & unknown:
                unknown |= bound - known
            else:
                unknown -= bound
                asked.append(goal)
        return asked

    def _setups(self) -> Setup:
        """Return the setup times of the base for pairs of blocks on one agent."""
        stems = [stem_of(key_of(b.head)[0]) for b in self.timed.blocks]
        pairs = [
            (a, b, seconds)
            for a, b in permutations(range(len(stems)), 2)
            if (seconds := self.loaded.base.setup_s(stems[a], stems[b])) > 0
        ]
        return {(name, a, b): s for a, b, s in pairs for name in self.pool}

    # ---- executing a schedule ----

    def _execute(self, schedule: PlanSchedule) -> Run:
        """Execute a schedule with its agents in Prolog, in the order of its times."""
        actions = self._actions(schedule)
        before: dict[int, list[int]] = {}
        for a, b in schedule.links():
            before.setdefault(b, []).append(a)
        instants = {
            t: i for i, t in enumerate(sorted({round(float(t), 6) for t in schedule.time_s}))
        }
        steps = [
            PlanStep(
                s,
                actions[s],
                tuple(before.get(s, ())),
                instants[round(float(schedule.time_s[s]), 6)],
            )
            for s in schedule.sequence()
        ]
        return run(self.engine, self.loaded, steps)

    def _actions(self, schedule: PlanSchedule) -> dict[int, Term]:
        """Return every step with the agents that were assigned; what was bound late is open again."""
        actions: dict[int, Term] = {}
        for number, block in enumerate(self.timed.blocks):
            named = schedule.names(number)
            names: dict[Term, Term] = {
                a: b
                for a in self.loaded.base.agents
                for b in self.loaded.base.agents
                if named.get(text(a)) == text(b)
            }
            head = replaced(block.head, names)
            name = stem_of(key_of(head)[0])
            actions[block.start] = head
            actions[block.end] = term_of((f"{name}_end", *args_of(head)))
            lows = mapped(self.loaded.base, fact_of(head), block.start)
            inner = sorted(step for pair in block.lows for step in pair)
            actions |= zip(inner, lows, strict=True)
        return actions

    def _conflict(self, schedule: PlanSchedule, done: Run) -> Assignment:
        """Return the assignment that made an execution fail: the block, and whom its fact speaks of."""
        if done.fault is None:
            return {b: schedule.resources[b] for b in self.timed.plan.blocks()}
        step = done.fault.id
        block = next(n for n, b in enumerate(self.timed.blocks) if step in b.steps)
        assignment: dict[int, tuple[str, ...]] = {block: schedule.resources[block]}
        about = {text(a) for a in (done.fault.fact or ())[1:]}
        agents = about & set(self.pool) or set(schedule.resources[block])
        for agent in sorted(agents):
            chain = schedule.chains().get(agent, [])
            start = schedule.span(block)[0]
            earlier = [b for b in chain if b != block and schedule.span(b)[0] <= start]
            if earlier:
                assignment[earlier[-1]] = schedule.resources[earlier[-1]]
        return assignment


def _only(resources: tuple[str, ...], place: int, name: str) -> tuple[str, ...]:
    """Return an assignment that speaks of one place."""
    return tuple(name if i == place else OPEN for i in range(len(resources)))


def _solved(schedule: PlanSchedule, done: Run) -> Assigned:
    return Assigned(
        Status.SOLVED, "", schedule, tuple((step.id, step.action) for step in done.made)
    )
