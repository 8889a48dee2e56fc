"""The high-level plan: a total order of actions, found by an informed search on few instances first."""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from commonground.errors import GroundingError
from commonground.grounding.prolog.actions.both_levels import with_mapped
from commonground.grounding.prolog.actions.grounder import Breadth, Grounder, TooMany
from commonground.grounding.prolog.actions.instances import Op
from commonground.grounding.prolog.actions.lifted import (
    Lifted,
    Table,
    lift,
    question,
    whole_actions,
)
from commonground.grounding.prolog.actions.pddl_task import Compiled, compile_task
from commonground.grounding.prolog.actions.reachability import Reach, reach_of
from commonground.grounding.prolog.actions.symmetry import alike
from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.knowledge_base import Base
from commonground.grounding.prolog.base.load import Loaded
from commonground.grounding.prolog.base.relations import Bound, Fact, Relation, Row, fact_of
from commonground.grounding.prolog.base.terms import (
    Term,
    constants,
    from_json,
    key_of,
    text,
)
from commonground.grounding.prolog.base.unanswered import fault_of, unanswered
from commonground.planning.downward import DownwardSettings, FastDownward
from commonground.planning.downward.configurations import Mode
from commonground.planning.result import PlanResult, Status

logger = logging.getLogger(__name__)

FEWEST, TWO, FEW, MORE, MANY = (
    Breadth(1, False, 3_000),
    Breadth(2, False, 4_000),
    Breadth(3, False, 5_000),
    Breadth(8, True, 6_000),
    Breadth(40, True, 15_000),
)
POLISH_S, POLISH_EACH_S = 0.4, 0.001
"""Processor time for better plans: to begin with, and for each instance."""
PATIENCE = 20.0
"""How many times as long as its processor time a search may take on a busy machine."""
ALL = Breadth(float("inf"), True, 60_000, True)


@dataclass(frozen=True, slots=True)
class HighPlan:
    """A total order of high-level actions, or why there is none."""

    status: Status
    ops: tuple[Op, ...] = ()
    reason: str = ""
    breadth: str = ""
    """How far instances had to be looked at."""
    considered: int = 0
    """Instances that the planner was given."""

    @property
    def heads(self) -> list[Fact]:
        """The steps in order."""
        return heads_of(self.ops)


def heads_of(ops: Iterable[Op]) -> list[Fact]:
    """Return the high-level steps of actions in order."""
    ends = ((op.heads[0], op.heads[-1]) if len(op.heads) > 1 else op.heads for op in ops)
    return [head for heads in ends for head in heads]


@functools.cache
def ground_planner() -> FastDownward:
    """Return the planner for ground tasks that the whole program shares."""
    return FastDownward(DownwardSettings(invariant_limit_s=0))


@dataclass(slots=True)
class HighTask:
    """The high-level task of a base, prepared once for several searches."""

    engine: Engine
    loaded: Loaded
    planner: FastDownward = field(default_factory=ground_planner)
    steps: tuple[Lifted, ...] = ()
    whole: tuple[Lifted, ...] = ()
    """Each start with its end, and with what it is mapped to where both levels are planned together."""
    init: tuple[Fact, ...] = ()
    goal: tuple[Term, ...] = ()
    groups: tuple[tuple[Term, ...], ...] = ()
    """Agents that are alike."""
    solved: dict[str, Any] = field(default_factory=dict)
    """Answers of Prolog to goals that could not be tabled."""
    joint: bool = False
    """Whether what an action is mapped to is planned with it."""
    _began_s: float = field(default_factory=time.process_time)
    _searched_s: float = 0.0

    def __post_init__(self) -> None:
        base = self.loaded.base
        self.steps = lift(self.engine, self.loaded)
        keys = base.state_keys("high")
        low = base.state_keys("low") - keys
        if self.joint:
            keys, low = keys | low, set()
            self.whole = with_mapped(
                base, whole_actions(self.steps), lift(self.engine, self.loaded, base.low)
            )
        else:
            self.whole = whole_actions(self.steps)
        self.init = tuple(fact_of(f.term) for f in base.init if key_of(f.term) in keys)
        self.goal = tuple(g.term for g in base.goal if key_of(g.term) not in low)
        self.groups = () if self.joint else alike(base)

    @property
    def base(self) -> Base:
        """The base."""
        return self.loaded.base

    def used_s(self) -> float:
        """Return the processor time of planning so far, that of the planner's searches included."""
        return time.process_time() - self._began_s + self._searched_s

    def plan(self, compiled: Compiled, mode: Mode, cpu_s: float) -> PlanResult:
        """Have the planner search for so much processor time."""
        cpu_s = max(0.1, cpu_s)
        found: PlanResult = self.planner.solve(
            compiled.task, mode, time_limit_s=PATIENCE * (cpu_s + 1.0), cpu_limit_s=cpu_s
        )
        self._searched_s += found.time_s.get("search_cpu", 0.0)
        return found

    def reach(self) -> Reach:
        """Return the facts that may ever hold."""
        return reach_of(self.base, self.steps)

    def residual(
        self, asked: Sequence[tuple[tuple[Term, ...], Sequence[str], Bound]]
    ) -> list[list[Bound]]:
        """Evaluate grounding goals that only became known now, and return what they bind."""
        questions = [question(goals, names) for goals, names, _ in asked]
        fresh = [q for q in dict.fromkeys(questions) if q not in self.solved]
        if fresh:
            answers = self.engine.tables(self.loaded.module, fresh)
            self.solved |= zip(fresh, answers, strict=True)
        found = []
        for (goals, names, bound), wanted in zip(asked, questions, strict=True):
            answer = self.solved[wanted]
            if unanswered(answer):
                what = f"the grounding goal '{', '.join(map(text, goals))}'"
                limit_s = self.engine.settings.goal_limit_s
                fault = fault_of(answer, what, limit_s, self.base, goals)
                raise GroundingError(f"{self.base.source}: {fault}")
            rows = [tuple(map(from_json, row)) for row in answer["rows"]]
            found.append([{**bound, **dict(zip(names, row, strict=True))} for row in rows])
        return found

    def grounder(self, whole: bool, few_agents: bool, barred: frozenset[Fact]) -> Grounder:
        """Return the grounder for actions as wholes or as steps, of one agent of each sort or of all."""
        away = {agent for group in self.groups for agent in group[1:]} if few_agents else set()
        lifted = self.whole if whole else self.steps
        init = [fact for fact in self.init if away.isdisjoint(fact[1:])]
        goal = [term for term in self.goal if away.isdisjoint(constants(term))]
        return Grounder(_without(lifted, away), init, goal, self.residual, barred)


def _without(lifted: Sequence[Lifted], away: set[Term]) -> tuple[Lifted, ...]:
    """Return actions whose tables do not mention some agents."""
    if not away:
        return tuple(lifted)
    kept: dict[int, Relation] = {}

    def filtered(table: Table) -> Table:
        known = kept.get(id(table.relation))
        if known is None:
            rows: list[Row] = [row for row in table.relation.rows if away.isdisjoint(row)]
            known = Relation(rows) if len(rows) < len(table.relation) else table.relation
            kept[id(table.relation)] = known
        return Table(table.args, known, table.goal)

    return tuple(
        Lifted(action.stages, tuple(map(filtered, action.tables)), action.residual)
        for action in lifted
    )


def find_plan(task: HighTask, cpu_s: float, barred: frozenset[Fact] = frozenset()) -> HighPlan:
    """Return a total order that reaches the goal; ``barred`` actions are left out.

    ``cpu_s`` limits the processor time since the task was made.
    """
    last = HighPlan(Status.NOT_FOUND, reason="no attempt was made")
    proven = True
    attempts = _attempts_together() if task.joint else _attempts()
    for whole, few_agents, breadth in attempts:
        left = cpu_s - task.used_s()
        if left <= 0:
            reason = (
                f"the {cpu_s:g} s of processor time were used up before a plan was found; "
                "assembly.plan_limit_s is how much there is"
            )
            return HighPlan(Status.TIMEOUT, reason=reason)
        last = _attempt(task, whole, few_agents, breadth, left, barred)
        if last.status is Status.SOLVED:
            return last
        if breadth.all and last.status is not Status.UNSOLVABLE:
            proven = False
        logger.info("%s: %s", last.breadth, last.reason)
    if last.status is Status.UNSOLVABLE and (not proven or barred or task.joint):
        return HighPlan(Status.NOT_FOUND, reason="no plan was found among the actions considered")
    return last


def _attempts() -> Iterator[tuple[bool, bool, Breadth]]:
    """Yield what to try in turn; the last two together prove that there is no plan."""
    for breadth in (FEWEST, TWO, FEW, MORE, MANY):
        yield True, True, breadth
    yield False, False, FEW
    yield False, False, MORE
    yield True, True, ALL
    yield False, False, ALL


def _attempts_together() -> Iterator[tuple[bool, bool, Breadth]]:
    """Yield what to try in turn with both levels; actions that have to overlap are not among it."""
    for breadth in (FEWEST, TWO, FEW, MORE, MANY, ALL):
        yield True, False, breadth


def _attempt(
    task: HighTask,
    whole: bool,
    few_agents: bool,
    breadth: Breadth,
    left: float,
    barred: frozenset[Fact],
) -> HighPlan:
    looked_at = _looked_at(whole, breadth)
    try:
        ops = task.grounder(whole, few_agents, barred).ops(breadth, time.process_time() + left)
    except TooMany:
        reason = (
            f"there are more than {breadth.most} instances of actions, or too many for the time"
        )
        return HighPlan(Status.NOT_FOUND, reason=reason, breadth=looked_at)
    compiled = compile_task(ops, frozenset(task.init), task.goal)
    if compiled is None:
        reason = "no action considered adds what the goal asks for"
        return HighPlan(Status.UNSOLVABLE, reason=reason, breadth=looked_at, considered=len(ops))
    return _solved(task, compiled, left, looked_at, len(ops))


def _solved(
    task: HighTask, compiled: Compiled, left: float, looked_at: str, count: int
) -> HighPlan:
    polish = POLISH_S + count * POLISH_EACH_S
    found = task.plan(compiled, "anytime", min(left, polish))
    if found.status is Status.TIMEOUT and left > polish:
        found = task.plan(compiled, "first", left - polish)
    if found.status is not Status.SOLVED:
        return HighPlan(found.status, (), found.reason, looked_at, count)
    return HighPlan(Status.SOLVED, tuple(compiled.plan(found.plan)), "", looked_at, count)


def _looked_at(whole: bool, breadth: Breadth) -> str:
    what = "actions" if whole else "overlapping actions"
    return (
        f"all {what}"
        if breadth.all
        else f"{what}, at most {breadth.choices:g} for each fact wanted"
    )
