"""Assembly plans in the engine of all missions: each step is held against the facts as they are by then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from commonground.grounding.prolog.plans.plan_file import PlanFile
from commonground.planning.mission.events import Ask, End, GivenUp, Planned
from commonground.planning.mission.journal import FILE, Journal, read_header, read_steps
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.runner import Operator, Runner
from commonground.planning.mission.settings import MissionSettings
from commonground.planning.mission.task import Task
from commonground.planning.mission.views import View
from commonground.planning.mission.work import NOWHERE, WorkBelief, in_order
from commonground.planning.robots.workers import Skill, WorkWorld
from commonground.planning.temporal.steps import Fact, Step, apply, matches, missing, text

GOAL = "assembly"
SETTINGS = MissionSettings(
    max_plans=1000, max_retries=1000, action_timeout_s=1e6, deadlock_after_s=1e6
)
"""What a plan lets take long is not stuck, and how often a step is tried is counted elsewhere."""
TRIES = 3
"""So often a step is tried before the rest is given up."""


class Workshop:
    """The facts of an assembly, changed by the steps of its plan and by nothing else."""

    def __init__(self, plan: PlanFile, fails: Callable[[int], bool] = lambda step: False) -> None:
        self._plan, self._fails = plan, fails
        self.facts = set(plan.schedule.order.plan.init)
        self.made: list[tuple[int, float]] = []
        """Steps that were made, and when."""

    def take_effect(self, skill: Skill) -> str:
        """Make a step; return why it cannot be made, else ''."""
        number = int(skill.things[0])
        step = made_by(self._plan, number)
        fault = missing(step, self.facts)
        if not fault and self._fails(number):
            fault = "failed"
        if not fault:
            apply(step, self.facts)
            self.made.append((number, skill.end_s))
        return fault

    def lacking(self) -> list[str]:
        """Return what of the goal is not so."""
        goal = self._plan.schedule.order.plan.goal
        return [text(g) for g in goal if not any(matches(g, known) for known in self.facts)]


class AssemblyPlanner:
    """Hands out what is left of a plan, as long as that may still work."""

    def __init__(self, plan: PlanFile, shop: Workshop) -> None:
        self._plan, self._shop = plan, shop
        self._asked: dict[int, int] = {}

    def plan(self, belief: WorkBelief, ask: Ask, views: Mapping[str, View]) -> Planned:
        """Return the steps that were not made yet, or why there is no use in going on."""
        made = frozenset(number for number, _ in self._shop.made)
        self._asked[len(made)] = self._asked.get(len(made), 0) + 1
        if self._asked[len(made)] > TRIES:
            if ask.rung != "less":
                return Planned(ask.request, reason=ask.because)
            return Planned(ask.request, assigned={}, given_up=(GivenUp(GOAL, ask.because),))
        tasks = tasks_of(self._plan, made, ask.request)
        if tasks:
            return Planned(ask.request, tasks)
        lacking = self._shop.lacking()
        if not lacking:
            return Planned(ask.request, assigned={})
        return Planned(
            ask.request, assigned={}, given_up=(GivenUp(GOAL, f"{lacking[0]} is not so"),)
        )


def made_by(plan: PlanFile, number: int) -> Step:
    """Return a step with the agents that it was assigned."""
    whole = plan.schedule.order.plan
    step, root = whole.steps[number], whole.roots_of_steps()[number]
    names = {} if root is None else plan.schedule.names(root)

    def named(facts: Iterable[Fact]) -> tuple[Fact, ...]:
        return tuple(tuple(names.get(word, word) for word in fact) for fact in facts)

    return replace(
        step,
        needs=named(step.needs),
        forbids=named(step.forbids),
        adds=named(step.adds),
        deletes=named(step.deletes),
    )


def waits(plan: PlanFile) -> dict[int, set[int]]:
    """Return step → the steps it waits for; each agent makes its own one after the other."""
    schedule, robots = plan.schedule, makers(plan)
    before: dict[int, set[int]] = {step: set() for step in schedule.sequence()}
    spans = [(a.start, a.end) for a in schedule.order.plan.activities]
    for first, second in [*schedule.links(), *spans]:
        before[second].add(first)
    last: dict[str, int] = {}
    for step, waited in before.items():
        if robots[step] in last:
            waited.add(last[robots[step]])
        last[robots[step]] = step
    return before


def tasks_of(plan: PlanFile, made: frozenset[int], request: int) -> tuple[Task, ...]:
    """Return the steps that are left as tasks, in an order in which they can be made."""
    robots, before = makers(plan), waits(plan)
    left = [step for step in before if step not in made]
    place = {step: k for k, step in enumerate(left)}
    tasks = [
        Task(
            f"{robots[step]}/{request}.{k}",
            robots[step],
            plan.actions[step],
            plan.actions[step],
            (NOWHERE,),
            start_s=float(k),
            end_s=float(k),
            args=(str(step),),
        )
        for step, k in place.items()
    ]
    return in_order(tasks, [(place[a], place[b]) for b in left for a in before[b] if a in place])


def carry_out(
    plan: PlanFile,
    *,
    operator: Operator = lambda question: True,
    journal: Journal | None = None,
    fails: Callable[[int], bool] = lambda step: False,
) -> tuple[End, Workshop]:
    """Carry a plan out by the engine of all missions; each step lasts from what it waits for to its time."""
    shop, time_s = Workshop(plan, fails), plan.schedule.time_s
    lasts_s = {
        step: float(time_s[step]) - max((float(time_s[b]) for b in before), default=0.0)
        for step, before in waits(plan).items()
    }
    robots = tuple(sorted(set(makers(plan))))
    world = WorkWorld(robots, shop.take_effect, lambda _, __, things: lasts_s[int(things[0])])
    mission = Mission(WorkBelief(robots, {GOAL: "the goal of its plan"}), SETTINGS)
    planner = AssemblyPlanner(plan, shop)
    end = Runner(mission, planner, world.robots, world, operator, journal).run()
    return end, shop


def simulate_plan(
    plan: PlanFile, folder: str | Path | None, failure_rate: float, seed: int
) -> tuple[End, Workshop]:
    """Carry a plan out with steps that fail by chance; the folder gets the journal.

    Where one was cut off in that folder it is carried out anew: it is a simulation, which comes out the same.
    """
    rng = np.random.default_rng(seed)
    journal = None if folder is None else _journal(Path(folder), plan)
    try:
        return carry_out(plan, journal=journal, fails=lambda _: bool(rng.random() < failure_rate))
    finally:
        if journal is not None:
            journal.close()


def _journal(folder: Path, plan: PlanFile) -> Journal:
    header = {"mission": folder.name, "plan": plan.source}
    file = folder / FILE
    if file.is_file():
        kept = Journal(folder)  # nobody else writes it
        try:
            ended = [d for step in read_steps(folder) for d in step.decided if d["kind"] == "end"]
            begun = file.stat().st_size > 0
            if not begun or (not ended and read_header(folder) == header):
                file.write_bytes(b"")
        finally:
            kept.close()
    return Journal(folder, header)


def makers(plan: PlanFile) -> list[str]:
    """Return who makes each step; what no agent is needed for is made by the first of all."""
    schedule = plan.schedule
    every = sorted({name for used in schedule.resources for name in used}) or ["agent"]
    roots = schedule.order.plan.roots_of_steps()
    return [
        next(iter(schedule.resources[root]), every[0]) if root is not None else every[0]
        for root in roots
    ]
