"""What can be said of all plans of a base: that there is none, how short they can be, and a shortest one.

Small bases are searched completely, first on the high level alone, whose shortest execution bounds every
plan, then, where the low level cannot follow, on both together. In others the goal is looked at backwards.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from commonground.grounding.prolog.actions.pddl_task import linked
from commonground.grounding.prolog.actions.reachability import unreachable
from commonground.grounding.prolog.base.knowledge_base import START, Base
from commonground.grounding.prolog.base.relations import term_of
from commonground.grounding.prolog.base.terms import Term, key_of, text
from commonground.grounding.prolog.bounds.epochs import Execution, shortest
from commonground.grounding.prolog.bounds.lower_bound import bound_s
from commonground.grounding.prolog.bounds.process import Processes
from commonground.grounding.prolog.bounds.process_grounding import (
    MOST_STEPS,
    Ground,
    ground,
    processes_of,
    roughly,
)
from commonground.grounding.prolog.bounds.rounds import in_rounds
from commonground.grounding.prolog.execution.refinement import mapped
from commonground.grounding.prolog.search.contradiction import contradiction
from commonground.grounding.prolog.search.total_order import HighTask
from commonground.planning.result import Status

logger = logging.getLogger(__name__)

FEW = 1_500
"""Ground steps, roughly, up to which all plans are searched before any other is looked for."""
ROUND_WORK = 800
"""Choices within a round that take about as long as one state of the other search."""
NOT_SEARCHED = (
    "all plans were not searched: there are too many actions, or low-level ones change what the high level "
    "speaks of"
)
STOPPED = "the search over all plans stopped after {} states (assembly.exact_states)"
EXHAUSTED = "every state that can be reached was examined"
TOO_LONG = f"nothing that reaches the goal keeps to the longest durations ({EXHAUSTED})"


@dataclass(slots=True)
class Outlook:
    """What is known of all plans of a base so far."""

    task: HighTask
    bound_s: float = 0.0
    """No plan is shorter, if an agent does one high-level action at a time."""
    impossible: str = ""
    """Why there is no plan: proven; empty: there may be one."""
    steps: Ground | None = None
    execution: Execution | None = None
    """The shortest on the level or levels searched last."""
    states: list[int] = field(default_factory=list)
    """How many states each search looked at."""
    cut: str = ""
    """Which limit kept the last search from looking at all plans."""

    def look_back_from_goal(self) -> None:
        """Look back from the goal, without a search."""
        self.impossible = _at_once(self.task)
        if not self.impossible:
            self.bound_s = bound_s(self.task)

    def hopeless(self) -> str:
        """Return why there is no plan, where that is seen without a search or in a small one."""
        self.look_back_from_goal()
        if not self.impossible and self.small:
            self.search_high_level()
        return self.impossible

    def search_high_level(self, *, limits: bool = False) -> None:
        """Search the high level; with limits, nothing takes longer than it may, if a search without ended."""
        if self.task.engine.settings.exact_states > 0 and not (limits and self.cut):
            self.steps = self.steps or ground(self.task)
            self._search(joint=False, limits=limits)

    def search_both_levels(self, *, limits: bool = False) -> None:
        """Search both levels together."""
        if self.task.base.mappings and not (limits and self.cut):
            self._search(joint=True, limits=limits)

    @property
    def small(self) -> bool:
        """Whether a search over all plans costs less than looking for any plan first."""
        return self.task.engine.settings.exact_states > 0 and roughly(self.task) <= FEW

    def _search(self, *, joint: bool, limits: bool) -> None:
        self.execution, self.cut = None, NOT_SEARCHED
        if self.steps is None:
            return
        most = self.task.engine.settings.exact_states
        for exclusive in (True, False):
            processes = processes_of(self.task, self.steps, joint=joint, exclusive=exclusive)
            if limits and not processes.limited:
                self.cut = ""
                return
            found = None if limits else self._rounds(processes, ROUND_WORK * most)
            if found is None:
                if len(processes.moments) > MOST_STEPS:
                    return
                found = shortest(processes, most, limits=limits)
            self.states.append(found.states)
            logger.info(
                "%s: %s after %d states", "both levels" if joint else "high level",
                found.status.value, found.states,
            )  # fmt: skip
            if found.status is not Status.UNSOLVABLE:
                self.bound_s = max(self.bound_s, found.bound_s if exclusive else 0.0)
                self.execution = found if found.status is Status.SOLVED else None
                self.cut = "" if self.execution else STOPPED.format(most)
                return
        self.cut = ""
        self.impossible = self._blamed(processes, most, joint=joint, limits=limits)

    def _rounds(self, processes: Processes, most: int) -> Execution | None:
        """Return what rounds say; they know no setup times, with which their makespan only is a bound."""
        found = in_rounds(processes, most)
        if found is None or not processes.setups or found.status is Status.UNSOLVABLE:
            return found
        self.bound_s = max(self.bound_s, found.bound_s)
        return None

    def _blamed(self, processes: Processes, most: int, *, joint: bool, limits: bool) -> str:
        """Return which goals never hold, or which two exclude each other; so many states are looked at."""
        held = [g.term for g in self.task.base.goal] if joint else self.task.goal
        groups, guilty, told = linked(held), set[int](), list[str]()
        one, two = (itertools.combinations(range(len(groups)), size) for size in (1, 2))
        for some in (*one, *two):
            # agents that are alike for the whole goal may not be for a part of it
            wanted = tuple(processes.goal[k] for k in some)
            search = shortest(replace(processes, goal=wanted, alike=()), most, limits=limits)
            most -= search.states
            if search.status is Status.UNSOLVABLE and guilty.isdisjoint(some):
                guilty |= {*some[: 2 - len(some)]}
                names = " and ".join(text(goal) for k in some for goal in groups[k])
                told.append(f"{names} can never hold{' together' * (len(some) - 1)} in the end")
        if not told:
            return TOO_LONG if limits else EXHAUSTED
        soon = ", keeping to the longest durations" if limits else ""
        return f"{'; '.join(told)}{soon} ({EXHAUSTED})"


def _at_once(task: HighTask) -> str:
    """Return why the goal cannot be reached, as far as that can be seen without a search."""
    hopeless = [f"{text(g)}: {why}" for g, _, why in unreachable(task.base, task.reach())]
    if hopeless:
        return f"the goal cannot be reached: {'; '.join(hopeless[:3])}"
    return contradiction(task)


def steps_of(base: Base, execution: Execution) -> tuple[list[Term], list[int | None]]:
    """Return the steps of an execution in their order, and for each the step it refines.

    What an execution of the high level does not say is put right after each start.
    """
    steps: list[Term] = []
    owners: list[int | None] = []
    starts: dict[int, int] = {}
    lows: dict[int, list[Term]] = {}
    below = {key_of(s.head) for s in base.low}
    joint = any(key_of(term_of(head)) in below for _, head, _ in execution.events)
    for _, head, process in execution.events:
        term = term_of(head)
        if key_of(term) in below and process in lows:
            steps.append(lows[process].pop(0))
            owners.append(starts[process])
            continue
        steps.append(term)
        owners.append(None)
        if key_of(term)[0].endswith(START):
            starts[process] = len(steps) - 1
            lows[process] = mapped(base, head, len(steps) - 1)
            if not joint:
                _put(steps, owners, lows[process], starts[process])
    return steps, owners


def _put(steps: list[Term], owners: list[int | None], lows: Sequence[Term], owner: int) -> None:
    steps += lows
    owners += [owner] * len(lows)
