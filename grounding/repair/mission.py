"""A command carried out: goal, problem, plan, acting, looking, and repair until it is done or hopeless."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.records import Source
from commonground.grounding.problem_writer.domain import skill_call
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.keeping import HouseStore
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.stages import Writer, write_for_goal
from commonground.grounding.repair.acting import Call, Part, Sight, Surroundings, Trace
from commonground.grounding.repair.assumptions import (
    assume_usual,
    goal_rests_on,
    guesses,
    look_calls,
    rested_on,
    sure_part,
    surprising,
)
from commonground.grounding.repair.diagnosis import missing_kinds
from commonground.grounding.repair.failures import Failure
from commonground.grounding.repair.hypotheses import Trial, choose, no_better
from commonground.grounding.repair.lacking import (
    NO_PLAN,
    is_final,
    missing_skill,
    reason_without_plan,
)
from commonground.grounding.repair.report import HousePlanner, Proposer, Report
from commonground.grounding.repair.searching import search_round, where_it_may_be
from commonground.grounding.repair.settings import RepairSettings
from commonground.grounding.repair.steps import Wait, passage
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import And, Formula, Task

MAX_ROUNDS = 60
"""Rounds of planning, acting and repairing before giving up."""
MAX_HYPOTHESES = 5
"""Hypotheses tried for one failure."""

logger = logging.getLogger(__name__)

T = TypeVar("T")
Acting = Generator[Part, Trace, T]
"""Hands out parts of plans, and is told what came of each."""
_THOROUGH = 1
"""After how many failures any plan will do."""
_MOST_TAKEN_BACK = 3
"""How often what was supposed after failures is taken back before a command counts as impossible."""


@dataclass(slots=True)
class HouseholdMission:
    """Carries out commands in surroundings that may not be as believed."""

    graph: HouseGraph
    surroundings: Surroundings
    writers: Sequence[Writer]
    """Tried in turn: the first writes the smallest problems, the last leaves least out."""
    planner: HousePlanner
    proposer: Proposer
    kinds: Kinds
    settings: RepairSettings = field(default_factory=RepairSettings)
    repairs: bool = True
    memory: HouseStore | None = None
    """Where what is believed is written down, with history."""
    searched: set[str] = field(default_factory=set)
    _failed: Counter[Call] = field(default_factory=Counter)
    _before: list[Formula] = field(default_factory=list)
    """What has to hold before the goal, and has not held yet."""
    _taken_back: int = 0
    _ready: tuple[Call, ...] | None = None
    """The plan of the hypothesis that is acted on next."""
    _spared: tuple[Fact, ...] = ()
    _barred: tuple[Fact, ...] = ()
    """What robots leave to others, as long as there is a plan for that."""
    _planner_s: float = 0.0
    """Processor time that the planner has taken."""
    _open: bool = False
    """Whether a search of this round was cut short, so that finding no plan proves nothing."""
    _unread: dict[str, None] = field(default_factory=dict)
    """Places whose pictures nobody could read, so that what is not known may be there."""
    _deadline_s: float = 0.0
    """When planning has to end, by the clock of `_clock_s`."""

    def course(self, text: str) -> Acting[Report]:
        """Plan a command, hand out what to do, and repair what is believed until it is done or hopeless."""
        report = Report("gave_up")
        try:
            wish = self._timed(report, lambda: self.writers[0].wish(text, self.graph))
        except Unclear as unclear:
            return Report("ask", str(unclear), planning_s=report.planning_s)
        report.goal, self._before, self._spared = wish.goal, list(wish.before), wish.spared
        self._barred = wish.barred
        assume_usual(self.graph)
        self._keep(Source("file", words="what is known at first"))
        for _ in range(MAX_ROUNDS if self.repairs else 1):
            if report.planning_s > self.settings.budget_s:
                report.message = f"no time left after {self.settings.budget_s:g} s of planning"
                return report
            failure = yield from self._round(text, report)
            if failure is None:
                report.status, report.message = "done", ""
                return report
            report.failures.append(failure)
            report.message = failure.reason
            if failure.kind not in ("precondition", "surprise") and not failure.missing:
                self._end_without(failure, report)
                return report
        return report

    def _end_without(self, failure: Failure, report: Report) -> None:
        """Say that a command is impossible; only that no plan was found where the search was cut short."""
        report.status = "impossible"
        if report.planning_s >= self.settings.budget_s:
            report.status = "gave_up"
            report.message = f"no time left after {self.settings.budget_s:g} s of planning"
        elif self._unread:
            report.status = "gave_up"
            places = ", ".join(self._unread)
            report.message = f"{failure.reason}, but pictures of {places} could not be read"
        elif self._open and failure.reason == NO_PLAN:
            report.status = "gave_up"
            report.message = "no plan was found within the planner's limits, which proves nothing"

    def _round(self, text: str, report: Report) -> Acting[Failure | None]:
        """Plan and act once; return what went wrong, or None when the goal is reached."""
        goal = report.goal or And()
        self._open = False
        missing = missing_kinds(goal, self.graph, self.kinds)
        if missing and (lacking := missing_skill(goal, self.graph)):
            return Failure("no_plan", lacking)
        if missing:
            return (yield from self._search(missing, report))
        plan, self._ready = self._ready, None
        if plan is None:
            quick = len(report.failures) > _THOROUGH  # many failures: better soon than short
            plan = self._timed(
                report, lambda: self._plan_steps(goal, text, self.graph, quick=quick)
            )
        if plan is None:
            failure = Failure("no_plan", reason_without_plan(goal, self.graph, self.kinds))
            if is_final(failure.reason, goal, self.graph, self.kinds):
                return failure
            trial = self._timed(report, lambda: self._repair(failure, goal, text, 0))
            if trial is None and self._believe_again():
                return Failure("surprise", "what had been supposed leads nowhere")
            if trial is None:
                return failure
            self._suppose(trial, report)
            plan = trial.plan
        failed = yield from self._act(plan, goal, text, report)
        if failed is not None:
            return failed
        looks = look_calls(
            goal, self.graph
        )  # at what the goal takes for granted and nobody has seen
        return (yield from self._act(looks, goal, text, report, aim=goal)) if looks else None

    def _believe_again(self) -> bool:
        """Take back what was supposed after failures and leads nowhere; return whether there was anything."""
        doubted, guessed = set(self.graph.doubted), guesses(self.graph)
        for fact in doubted:
            self.graph.tell(fact)
        for fact in guessed:
            self.graph.withdraw(fact)
        self._taken_back += 1
        return bool(doubted or guessed) and self._taken_back <= _MOST_TAKEN_BACK

    # ---- planning ---------------------------------------------------------------------------------

    def _plan_steps(
        self, goal: Formula, text: str, graph: HouseGraph, *, quick: bool
    ) -> tuple[Call, ...] | None:
        """Return a plan that passes through what has to hold before, as far as that is possible."""
        plan = self._plan(goal, text, graph, quick=quick)
        if plan is None or not self._before:
            return plan
        steps = [*self._before, goal]
        if passage(steps, graph, plan, self.surroundings).ordered:
            return plan
        calls: tuple[Call, ...] = ()
        for step in steps:
            part = self._plan(step, text, graph, quick=quick)
            if part is not None:
                calls, graph = (*calls, *part), self.surroundings.predict(graph, part)
            elif step == goal:
                return plan
            else:
                logger.info("cannot be reached before the rest: %s", step)
        return calls

    def _plan(
        self, goal: Formula, text: str, graph: HouseGraph, *, quick: bool = False
    ) -> tuple[Call, ...] | None:
        """Return a plan in which robots leave to others what they were not asked for, if there is one."""
        plan, proven = self._plan_with(self._barred, goal, text, graph, quick=quick)
        if plan is None and self._barred:
            plan, proven = self._plan_with((), goal, text, graph, quick=quick)
            if plan is not None:
                logger.info("the robots that were named cannot do their part alone")
        self._open = self._open or (plan is None and not proven)
        return plan

    def _plan_with(
        self, barred: Sequence[Fact], goal: Formula, text: str, graph: HouseGraph, *, quick: bool
    ) -> tuple[tuple[Call, ...] | None, bool]:
        """Return a plan of the first problem that has one; else whether the last, widest one has none."""
        seen: list[Task] = []
        proven = True
        if self._spared or barred:
            graph = graph.copy()
            for fact in (*self._spared, *barred):
                graph.tell(fact)
        for writer in self.writers:
            problem = write_for_goal(goal, text, graph, writer, self.kinds).problem
            if problem.task in seen:
                continue
            seen.append(problem.task)
            left = self._deadline_s - self._clock_s()
            if left <= 0:
                return None, False
            limit_s = min(self.settings.plan_s, left)
            found = self.planner.plan(problem.task, graph, limit_s, quick=quick)
            self._planner_s += found.cpu_s
            if found.steps is not None:
                return tuple(
                    Call(*skill_call(step.action, step.args)) for step in found.steps
                ), True
            reason = reason_without_plan(goal, graph, self.kinds)
            if is_final(reason, goal, graph, self.kinds):
                return None, True
            proven = found.proven
        return None, proven

    def _repair(
        self, failure: Failure, goal: Formula, text: str, length_before: int
    ) -> Trial | None:
        """Try hypotheses on copies of the graph; return the one with the largest p / Δc^λ."""
        if not self.repairs:
            return None
        before = self._failed[failure.call] if failure.call is not None else 0
        proposed = self.proposer.propose(failure, goal, self.graph, before)
        trials: list[Trial] = []
        for hypothesis in proposed[:MAX_HYPOTHESES]:
            if no_better(trials, hypothesis, self.settings.length_weight):
                break
            if self._clock_s() > self._deadline_s:
                self._open = True
                break
            graph = hypothesis.apply(self.graph)
            plan = self._plan(goal, text, graph, quick=True)
            if plan is not None:
                trials.append(Trial(hypothesis, graph, plan, length_before))
        return choose(trials, self.settings.length_weight)

    def _suppose(self, trial: Trial, report: Report) -> None:
        self.graph = trial.graph
        self._keep(Source("default", "repair", trial.hypothesis.why))
        report.supposed.append(trial.hypothesis.why)
        logger.info("supposing that %s", trial.hypothesis.why)

    # ---- acting -----------------------------------------------------------------------------------

    def _act(
        self,
        plan: Sequence[Call],
        goal: Formula,
        text: str,
        report: Report,
        aim: Formula | None = None,
    ) -> Acting[Failure | None]:
        """Carry out a plan, looking before a part that rests on suppositions; None when all of it worked."""
        left = tuple(plan)
        while left:
            part = left[: sure_part(left, self.graph)]
            left = left[len(part) :]
            supposed = rested_on(left, self.graph) | goal_rests_on(aim, self.graph)
            failure = yield from self._carry(part, goal, text, report)
            if failure is not None:
                return failure
            otherwise = surprising(supposed, self.graph)
            if otherwise:
                report.supposed += [f"{fact} (not so)" for fact in otherwise]
                return Failure("surprise", f"{otherwise[0]} had been supposed, and is not so")
        return None

    def _carry(
        self, plan: Sequence[Call], goal: Formula, text: str, report: Report
    ) -> Acting[Failure | None]:
        """Have part of a plan carried out, take in what was seen; None when all of it worked."""
        waits: Sequence[Wait] = ()
        if self._before:
            waits = passage([*self._before, goal], self.graph, plan, self.surroundings).waits
        trace = yield Part(tuple(plan), tuple(waits))
        report.calls += trace.done
        if self._before:
            passed = passage(self._before, self.graph, trace.done, self.surroundings).marks
            del self._before[: len(passed)]
        self.graph = self.surroundings.predict(self.graph, trace.done)
        self._settle(trace)
        changed = self._see(self.surroundings.look())
        if trace.failed is None:
            return None
        failure = Failure(
            "precondition", f"{trace.failed}: {trace.reason}", call=trace.failed, about=trace.about
        )
        if not changed and self.repairs:
            left = len(plan) - len(trace.done)
            trial = self._timed(report, lambda: self._repair(failure, goal, text, left))
            if trial is not None:
                self._suppose(trial, report)
                self._ready = None if self._before else trial.plan
        self._failed[trace.failed] += 1
        return failure

    def _search(self, missing: Sequence[str], report: Report) -> Acting[Failure]:
        """Look into the likeliest places for things that are not known."""
        kind = missing[0]
        reason = f"there is no {kind} that anybody knows of"
        if not self.repairs:
            return Failure("no_plan", reason)
        places = where_it_may_be(kind, self.graph, self.kinds, frozenset(self.searched))
        trials = search_round(places, self.graph, self.settings.length_weight)
        if not trials:
            return Failure("no_plan", f"{reason}; all {len(self.searched)} places were looked into")
        calls = [call for trial in trials for call in trial.plan]
        trace = yield Part(tuple(calls))
        report.calls += trace.done
        self.graph = self.surroundings.predict(self.graph, trace.done)
        self._see(self.surroundings.look())
        for trial in trials:
            report.supposed.append(trial.hypothesis.why)
            if set(trial.plan) <= set(trace.done):
                self.searched |= {f.object for f in trial.hypothesis.adds if f.relation == "in"}
        return Failure("not_found", reason, missing=tuple(missing))

    def _see(self, sight: Sight) -> bool:
        """Take in what is seen: confirm or withdraw hypotheses; return whether anything was new."""
        self.searched |= sight.complete
        self._unread |= dict.fromkeys(sight.unread)
        changed = self.graph.observe(sight.facts, sight.complete, sight.things)
        for fact in sight.supposed:
            changed = changed or fact not in self.graph.facts
            self.graph.suppose(fact)
        self._keep(Source("sensor", "robots", "seen"))
        return changed

    def _keep(self, source: Source) -> None:
        """Write what is believed to the memory, if there is one."""
        if self.memory is not None:
            self.memory.update(self.graph, source)

    def _settle(self, trace: Trace) -> None:
        """Confirm what was supposed of things that calls worked on; withdraw what a failed call rested on."""
        worked = {name for call in trace.done for name in (call.robot, *call.args)}
        failed = set(trace.failed.args) if trace.failed is not None else set()
        for fact in list(self.graph.supposed):
            if fact.subject in failed:
                self.graph.withdraw(fact)
            elif fact.subject in worked:
                self.graph.confirm(fact)

    def _timed(self, report: Report, work: Callable[[], T]) -> T:
        """Do some planning and count its time."""
        begin = self._clock_s()
        self._deadline_s = begin + self.settings.budget_s - report.planning_s
        try:
            return work()
        finally:
            report.planning_s += self._clock_s() - begin

    def _clock_s(self) -> float:
        """Return the processor time so far: what else runs, or is waited for, is no time of planning."""
        return time.process_time() + self._planner_s
