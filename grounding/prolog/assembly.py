"""From a knowledge base to a parallel, timed plan whose every step was executed in Prolog."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise, product
from typing import TYPE_CHECKING

from commonground.errors import GroundingError
from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.knowledge_base import START
from commonground.grounding.prolog.base.load import Loaded
from commonground.grounding.prolog.base.relations import Fact, fact_of, term_of
from commonground.grounding.prolog.base.team import MOST_AGENTS
from commonground.grounding.prolog.base.terms import Term, text
from commonground.grounding.prolog.execution.allocation import Chooser
from commonground.grounding.prolog.execution.blocks import blocks_of
from commonground.grounding.prolog.execution.partial_order import Timed, timed_plan
from commonground.grounding.prolog.execution.refinement import Fault, Run, refined, run_in_turn
from commonground.grounding.prolog.search.goal_by_goal import high_plan
from commonground.grounding.prolog.search.reorder import reordered
from commonground.grounding.prolog.search.total_order import HighPlan, HighTask, heads_of
from commonground.grounding.prolog.search.turns import in_turns
from commonground.planning.result import Status
from commonground.planning.temporal import PlanSchedule, partial_order

if TYPE_CHECKING:
    from commonground.grounding.prolog.bounds.outlook import Outlook

logger = logging.getLogger(__name__)

ORDERS = 12
"""How many total orders are tried."""
TOLERANCE_S = 1e-6


@dataclass(frozen=True, slots=True)
class Assembly:
    """The plan of a base, or why there is none."""

    status: Status
    reason: str = ""
    schedule: PlanSchedule | None = None
    timed: Timed | None = None
    made: tuple[tuple[int, Term], ...] = ()
    """(step, action) in an order in which Prolog executed them, with the agents that were assigned."""
    high: HighPlan | None = None
    total_order: list[str] = field(default_factory=list)
    """High-level steps one after the other, with the agents that were assigned."""
    time_s: dict[str, float] = field(default_factory=dict)
    bound_s: float = 0.0
    """No plan is shorter, whatever its actions are, if an agent does one high-level action at a time."""

    @property
    def optimal(self) -> bool:
        """Whether no plan at all is shorter."""
        return self.schedule is not None and self.schedule.makespan_s <= self.bound_s + TOLERANCE_S

    @property
    def solved(self) -> bool:
        """Whether there is a plan."""
        return self.status is Status.SOLVED


def assemble(engine: Engine, loaded: Loaded, *, seed: int = 0) -> Assembly:
    """Plan: what bounds all plans; an order of actions, refined and executed; a schedule, executed too.

    All plans of a small base are searched first. In others orders of actions are tried until one can be
    executed, and all plans are searched only if a shorter one is not ruled out.
    """
    base = loaded.base
    if len(base.agents) > MOST_AGENTS:
        kinds = ", ".join(text(r.term) for r in base.resources)
        raise GroundingError(
            f"{base.source}: {len(base.agents)} agents are {kinds}, and at most {MOST_AGENTS} are planned "
            "for; state fewer, or give a number of agents"
        )
    return _Assembling(engine, loaded.required(), seed).assembled()


@dataclass(slots=True)
class _Assembling:
    """The ways to a plan of one base, and how long was spent on what."""

    engine: Engine
    loaded: Loaded
    seed: int
    times: dict[str, float] = field(default_factory=dict)
    least_s: float = 0.0
    """No plan is shorter, as far as known when plans are looked for."""

    def assembled(self) -> Assembly:
        """Return the best plan of those ways that are worth trying."""
        from commonground.grounding.prolog.bounds.outlook import Outlook  # loads a compiler

        begin = time.monotonic()
        with self._lap("ground"):
            task = HighTask(self.engine, self.loaded)
        outlook = Outlook(task)
        with self._lap("bound"):
            outlook.look_back_from_goal()
        self.least_s = outlook.bound_s
        best = Assembly(Status.NOT_FOUND)
        shortest = partial(self._shortest, task, outlook)
        first, last = partial(self._on_high_level, task), self._on_both_levels
        for way in (shortest, first, last) if outlook.small else (first, shortest, last):
            if outlook.impossible or best.optimal or best.status is Status.UNSOLVABLE:
                break
            if way is shortest or not best.solved:
                best = replace(_better(best, way()), bound_s=outlook.bound_s)
        self.times["total"] = time.monotonic() - begin
        return replace(_told(best, outlook), bound_s=outlook.bound_s, time_s=self.times)

    @contextmanager
    def _lap(self, name: str) -> Iterator[None]:
        """Add the time that something takes to what was spent on it."""
        since = time.monotonic()
        yield
        self.times[name] = self.times.get(name, 0.0) + time.monotonic() - since

    def _shortest(self, task: HighTask, outlook: Outlook) -> Assembly:
        """Return the best of the shortest executions of the high level and of both, as far as known."""
        from commonground.grounding.prolog.bounds.outlook import steps_of

        best = Assembly(Status.NOT_FOUND)
        levels = outlook.search_high_level, outlook.search_both_levels
        for search, limits in product(levels, (False, True)):
            with self._lap("prove"):
                search(limits=limits)
            if outlook.impossible:
                break
            if outlook.execution is None:
                continue
            given, owners = steps_of(task.base, outlook.execution)
            heads = [fact_of(g) for g, owner in zip(given, owners, strict=True) if owner is None]
            best = _better(best, self._carried_out(heads, given, owners))
            if replace(best, bound_s=outlook.bound_s).optimal:
                break
        return best

    def _on_high_level(self, task: HighTask) -> Assembly:
        """Return a plan of the high level, or that the low level cannot follow the first one."""
        return self._by_orders(task, 1 if task.base.mappings else ORDERS)

    def _on_both_levels(self) -> Assembly:
        """Return a plan of both levels together."""
        if not self.loaded.base.mappings:
            return Assembly(Status.NOT_FOUND)
        with self._lap("ground"):
            joint = HighTask(self.engine, self.loaded, joint=True)
        return self._by_orders(joint, ORDERS)

    def _carried_out(
        self, heads: list[Fact], given: list[Term], owners: list[int | None]
    ) -> Assembly:
        """Return the steps of an execution as a schedule, or why they cannot be executed."""
        with self._lap("execute"):
            done = run_in_turn(self.engine, self.loaded, given)
        if not done.valid:
            reason = _missed(done) if done.fault is None else _said(done.fault, given, owners)
            return Assembly(Status.NOT_FOUND, reason)
        found = self._timed(given, owners, done)
        return replace(found, total_order=self._serial(found, heads))

    def _by_orders(self, task: HighTask, orders: int) -> Assembly:
        """Return the schedule of the first order of actions that can be executed.

        An order that fails is given up for one without the action that failed.
        """
        limit_s = self.engine.settings.plan_limit_s
        barred: frozenset[Fact] = frozenset()
        last = Assembly(Status.NOT_FOUND, "no order of the actions could be executed")
        for _ in range(orders):
            with self._lap("search"):
                high = high_plan(task, limit_s, barred)
            if high.status is not Status.SOLVED:
                if not barred:
                    return Assembly(high.status, high.reason, high=high)
                status = high.status if high.status is Status.TIMEOUT else Status.NOT_FOUND
                reason = f"{last.reason}; and without that action {high.reason}"
                return replace(last, status=status, reason=reason)
            heads, given, owners, done = self._executed(task, high)
            if done.valid:
                found = self._timed(given, owners, done)
                if found.solved:
                    serial = self._serial(found, heads)
                    return replace(found, high=high, total_order=serial)
                last = found
                barred |= {fact_of(given[0])}
            elif done.fault is None:
                reason = f"{_missed(done)}, and the high level does not know of it"
                last = Assembly(Status.NOT_FOUND, reason, high=high)
            else:
                reason = _said(done.fault, given, owners)
                last = Assembly(Status.NOT_FOUND, reason, high=high)
                owner = owners[done.fault.id]
                barred |= {fact_of(given[done.fault.id if owner is None else owner])}
            logger.info("another order is looked for: %s", last.reason)
            if not done.valid and done.fault is None:
                break
        return last

    def _executed(
        self, task: HighTask, high: HighPlan
    ) -> tuple[list[Fact], list[Term], list[int | None], Run]:
        """Execute a plan: with things alike in turn, else as it is, else in another order."""

        def made(heads: list[Fact]) -> tuple[list[Fact], list[Term], list[int | None], Run]:
            given, owners = refined(self.loaded.base, heads)
            return heads, given, owners, run_in_turn(self.engine, self.loaded, given)

        with self._lap("execute"):
            found = made(heads_of(in_turns(task, high.ops)))
            if not found[-1].valid:
                found = made(high.heads)
            if not found[-1].valid and (other := reordered(task, high.heads)) is not None:
                found = made(other)
        return found

    def _serial(self, found: Assembly, planned: Sequence[Fact]) -> list[str]:
        """Return the high-level steps as a sequence: with the agents assigned, if that can be executed."""
        if found.schedule is None or found.timed is None:
            return []
        actions = dict(found.made)
        schedule, blocks = found.schedule, found.timed.blocks
        tops = [step for block in blocks for step in (block.start, block.end)]
        starts = [str(head[0]).endswith(START) for head in planned]
        if any(a == b for a, b in pairwise(starts)):  # actions that overlap
            tops.sort()
        else:
            order = sorted(range(len(blocks)), key=lambda n: (schedule.span(n), n))
            tops = [step for n in order for step in (blocks[n].start, blocks[n].end)]
        heads = [fact_of(actions[step]) for step in tops]
        given, _ = refined(self.loaded.base, heads)
        if not run_in_turn(self.engine, self.loaded, given).valid:
            heads = list(planned)
        return [text(term_of(head)) for head in heads]

    def _timed(self, given: Sequence[Term], owners: Sequence[int | None], done: Run) -> Assembly:
        """Return the plan as a schedule that was executed with the agents it assigns."""
        with self._lap("order"):
            made = sorted(done.made, key=lambda step: step.id)
            blocks = blocks_of(self.loaded.base, made, owners)
            timed = timed_plan(self.loaded.base, made, given, blocks)
            order = partial_order(timed.plan)
        with self._lap("schedule"):
            found = Chooser(
                self.engine, self.loaded, timed, order, self.seed, self.least_s
            ).choose()
        return Assembly(found.status, found.reason, found.schedule, timed, found.made)


def _told(best: Assembly, outlook: Outlook) -> Assembly:
    """Return a plan, or that there is none, with the limit that kept all plans from being searched."""
    if outlook.impossible and not best.solved:
        why = "; ".join(filter(None, (outlook.impossible, best.reason)))
        return Assembly(Status.UNSOLVABLE, why)
    cut = "" if best.optimal or best.status is Status.UNSOLVABLE else outlook.cut
    return replace(best, reason="; ".join(filter(None, (best.reason, cut))))


def _better(one: Assembly, other: Assembly) -> Assembly:
    """Return the shorter of two plans; where there is none, why."""
    if one.schedule is not None and other.schedule is not None:
        return other if other.schedule.makespan_s < one.schedule.makespan_s else one
    if one.solved or other.solved:
        return one if one.solved else other
    reason = "; ".join(dict.fromkeys(r for r in (one.reason, other.reason) if r))
    status = Status.TIMEOUT if Status.TIMEOUT in (one.status, other.status) else other.status
    return replace(other, status=status, reason=reason, high=other.high or one.high)


def _missed(done: Run) -> str:
    """Return which goals are left open."""
    return f"after the plan {', '.join(map(text, done.open))} does not hold"


def _said(fault: Fault, given: Sequence[Term], owners: Sequence[int | None]) -> str:
    owner = owners[fault.id]
    return str(fault) if owner is None else f"in {text(given[owner])}, {fault}"
