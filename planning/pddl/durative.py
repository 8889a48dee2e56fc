"""Execution of timed plans: durative actions by the semantics of PDDL 2.1.

Starts and ends are happenings. Conditions at a happening look at the state just before it; all its
effects are simultaneous, so none may change what another reads or changes (Fox and Long 2003, section 8);
invariants hold after every happening from the start of their action up to just before its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from commonground.planning.pddl.domain import Action, Task
from commonground.planning.pddl.executor import Failure, goal_failure
from commonground.planning.pddl.explain import first_false, why_false
from commonground.planning.pddl.facts import Facts
from commonground.planning.pddl.formula import (
    DURATION,
    TRUE,
    And,
    Atom,
    Compare,
    Effect,
    Fluent,
    Formula,
    Instant,
    Not,
    TimedEffect,
)
from commonground.planning.pddl.interference import clash
from commonground.planning.pddl.logic import conjunction
from commonground.planning.pddl.plan import TimedStep
from commonground.planning.pddl.printer import number_text, to_pddl
from commonground.planning.pddl.substitution import substitute, substitute_effect
from commonground.planning.pddl.world import Changes, StepError, World

SAME_TIME_S = 1e-7


@dataclass(frozen=True, slots=True)
class TimedExecution:
    """What came of executing a timed plan."""

    valid: bool
    makespan: float
    """Time at which the last action ends."""
    cost: float
    """The problem's metric at the end, or the makespan where there is none."""
    failure: Failure | None
    atoms: frozenset[Atom]
    """The ground atoms at the end, or where the plan failed."""


@dataclass(slots=True)
class _Running:
    """One step of the plan with its ground parts."""

    index: int
    timed: TimedStep
    duration: Formula
    conditions: dict[Instant, Formula]
    effects: tuple[TimedEffect, ...]
    remembered: list[Effect] = field(default_factory=list)
    """Effects at the end whose condition at the start held."""


@dataclass(slots=True)
class _Event:
    """One end of a step, or an event of the problem, at one instant."""

    time: float
    when: Instant
    running: _Running | None
    literal: Atom | Not | None = None
    changes: Changes = field(default_factory=Changes)

    @property
    def condition(self) -> Formula:
        return self.running.conditions.get(self.when, TRUE) if self.running else TRUE

    @property
    def formulas(self) -> list[Formula]:
        """What the happening looks at."""
        timed = [e for e in self.running.effects if e.when == self.when] if self.running else []
        return [self.condition, *(e.effect.condition for e in timed if not e.effect.parameters)]

    @property
    def name(self) -> str:
        return str(self.running.timed.step) if self.running else "the timed initial literal"


class _Fault(Exception):
    """Stops an execution at a step."""

    def __init__(self, running: _Running, reason: str, formula: Formula | None = None) -> None:
        super().__init__(reason)
        self.failure = Failure(running.index, running.timed.step, reason, formula)


def execute_timed(
    task: Task, plan: Sequence[TimedStep], *, tolerance_s: float = 1e-3
) -> TimedExecution:
    """Execute a timed plan; durations may be off by ``tolerance_s``, as printed plans are rounded."""
    world = World(task)
    makespan = max((timed.start + timed.duration for timed in plan), default=0.0)
    try:
        events = _events(world, plan)
        active: list[_Running] = []
        while events:
            now = [event for event in events if event.time - events[0].time <= SAME_TIME_S]
            events = events[len(now) :]
            _happen(world, now, tolerance_s)
            active = _active(active, now)
            _check_invariants(world, active, now[0].time)
        failure = goal_failure(world, len(plan))
    except _Fault as fault:
        failure = fault.failure
    except StepError as error:
        failure = Failure(0, None, str(error))
    extra = {Fluent("total-time"): makespan}
    cost = makespan if task.problem.metric is None else world.metric(len(plan), extra)
    return TimedExecution(failure is None, makespan, cost, failure, world.atoms())


def _active(active: list[_Running], now: Sequence[_Event]) -> list[_Running]:
    """Return the steps that go on after what happens now."""
    ended = [e.running for e in now if e.when == "end"]
    begun = [e.running for e in now if e.when == "start" and e.running is not None]
    going = [r for r in active if not any(r is other for other in ended)]
    return [*going, *(r for r in begun if r.timed.duration > 0)]


def _events(world: World, plan: Sequence[TimedStep]) -> list[_Event]:
    found = [_Event(t.time, "start", None, t.literal) for t in world.task.problem.timed]
    for index, timed in enumerate(plan):
        running = _ground(world, index, timed)
        found.append(_Event(timed.start, "start", running))
        if timed.duration > 0:
            found.append(_Event(timed.start + timed.duration, "end", running))
    return sorted(found, key=lambda event: event.time)


def _ground(world: World, index: int, timed: TimedStep) -> _Running:
    bare = _Running(index, timed, TRUE, {}, ())
    try:
        action, binding = world.bind(timed.step)
    except StepError as error:
        raise _Fault(bare, str(error)) from error
    if isinstance(action, Action):
        if timed.duration > 0:
            raise _Fault(
                bare, f"'{action.name}' takes no time, the plan gives it {timed.duration:g}"
            )
        effects = tuple(TimedEffect("start", substitute_effect(e, binding)) for e in action.effects)
        return _Running(
            index, timed, TRUE, {"start": substitute(action.precondition, binding)}, effects
        )
    if timed.duration <= 0:
        raise _Fault(bare, f"'{action.name}' takes time, the plan gives it none")
    conditions: dict[Instant, Formula] = {}
    for condition in action.conditions:
        both = (conditions.get(condition.when, TRUE), substitute(condition.formula, binding))
        conditions[condition.when] = conjunction(both)
    effects = tuple(
        TimedEffect(e.when, substitute_effect(e.effect, binding), _start_condition(e, binding))
        for e in action.effects
    )
    return _Running(index, timed, substitute(action.duration, binding), conditions, effects)


def _start_condition(effect: TimedEffect, binding: dict[str, str]) -> Formula:
    bound = {typed.name for typed in effect.effect.parameters}
    return substitute(effect.start_condition, {n: v for n, v in binding.items() if n not in bound})


# ---- one happening ----------------------------------------------------------------------------


def _happen(world: World, now: list[_Event], tolerance_s: float) -> None:
    for event in now:
        _check(world, event, tolerance_s)
        event.changes = _changes(world, event)
    if len(now) > 1:
        _check_interference(world, now)
    for event in now:
        world.commit(event.changes)


def _check(world: World, event: _Event, tolerance_s: float) -> None:
    running = event.running
    if running is None:
        return
    if event.when == "start" and not _lasts(
        running.duration, running.timed.duration, world.facts, tolerance_s
    ):
        given = number_text(running.timed.duration)
        raise _Fault(
            running,
            f"its duration {given} breaks {to_pddl(running.duration)}",
            running.duration,
        )
    if not world.holds(event.condition):
        where = {"start": "at its start", "end": "at its end"}.get(event.when, "")
        reason = f"its condition {where} fails: {why_false(event.condition, world.facts)}"
        raise _Fault(running, reason, first_false(event.condition, world.facts))


def _lasts(constraint: Formula, duration: float, facts: Facts, tolerance_s: float) -> bool:
    if isinstance(constraint, And):
        return all(_lasts(part, duration, facts, tolerance_s) for part in constraint.parts)
    given = Facts((), {}, {**facts.numbers, DURATION: duration})
    if not isinstance(constraint, Compare):
        return given.holds(constraint)
    left, right = given.number(constraint.left), given.number(constraint.right)
    if left is None or right is None:
        return False
    below, above = left <= right + tolerance_s, left >= right - tolerance_s
    return {"=": below and above, "<": below, "<=": below, ">": above, ">=": above}[
        constraint.operator
    ]


def _changes(world: World, event: _Event) -> Changes:
    if event.literal is not None:
        positive = isinstance(event.literal, Atom)
        atom = event.literal if isinstance(event.literal, Atom) else event.literal.body
        only = {atom} if isinstance(atom, Atom) else set()
        return Changes(adds=only if positive else set(), deletes=set() if positive else only)
    running = event.running
    if running is None:
        return Changes()
    effects = [
        e.effect for e in running.effects if e.when == event.when and e.start_condition == TRUE
    ]
    if event.when == "start":
        running.remembered = [e for timed in running.effects for e in _remembered(world, timed)]
    else:
        effects += running.remembered
    before = world.facts.numbers
    world.facts.numbers = {**before, DURATION: running.timed.duration}
    try:
        return world.changes(effects, {})
    except StepError as error:
        raise _Fault(running, str(error)) from error
    finally:
        world.facts.numbers = before


def _remembered(world: World, timed: TimedEffect) -> list[Effect]:
    """Return the instances of an effect at the end whose condition at the start holds now."""
    if timed.when != "end" or timed.start_condition == TRUE:
        return []
    effect = timed.effect
    bare = Effect(effect.change, (), effect.condition)
    return [
        substitute_effect(bare, b)
        for b in world.facts.answers(timed.start_condition, effect.parameters)
    ]


def _check_invariants(world: World, active: Sequence[_Running], time: float) -> None:
    for running in active:
        formula = running.conditions.get("all", TRUE)
        if not world.holds(formula):
            why = why_false(formula, world.facts)
            reason = f"its condition over all fails at {number_text(time)} s: {why}"
            raise _Fault(running, reason, first_false(formula, world.facts))


def _check_interference(world: World, now: Sequence[_Event]) -> None:
    found = clash(
        [event.formulas for event in now], [event.changes for event in now], world.members
    )
    if found is None:
        return
    one, other, what = now[found[0]], now[found[1]], found[2]
    if one.running is None:
        one, other = other, one
    if one.running is not None:
        raise _Fault(one.running, f"{other.name} and it use {what} at the same instant")
