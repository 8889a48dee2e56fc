"""Repairs: which is due, at what rung, whose plan may change, and how often plans were made."""

from __future__ import annotations

from typing import NamedTuple

from commonground.planning.mission.believing import Belief
from commonground.planning.mission.crew import Member
from commonground.planning.mission.events import Ask, End, Planned, Rung
from commonground.planning.mission.settings import MissionSettings
from commonground.planning.mission.task import Task
from commonground.planning.robots.protocol import Status

LADDER: tuple[Rung, ...] = ("reroute", "replan", "reallocate", "less")
"""Repairs in the order in which they are tried, the cheapest first; before them a robot tries again."""


class Repair(NamedTuple):
    """What has to be planned anew once those whose plan may change stand still."""

    rung: Rung
    because: str
    robots: tuple[str, ...] = ()
    """Empty for all."""

    def after(self, first: Repair | None) -> Repair:
        """Return the one repair for this and what was due before; the higher rung wins."""
        if first is None:
            return self
        rung = max(first.rung, self.rung, key=LADDER.index)
        told = self.because in first.because
        because = first.because if told else f"{first.because}; {self.because}"
        if rung != "reroute":
            return Repair(rung, because)
        if self.robots and self.robots == first.robots:
            return Repair(rung, because, self.robots)
        return Repair("replan", because)


def above(rung: Rung) -> Rung | None:
    """Return what is tried where a rung has no plan; None at the top."""
    if rung == "own":
        return None
    if rung not in LADDER:  # there was no plan before
        return LADDER[2]
    rest = LADDER[LADDER.index(rung) + 1 :]
    return rest[0] if rest else None


class Repairs:
    """The repair that is due, the plan that was asked for, and how many were asked for so far."""

    def __init__(self, settings: MissionSettings) -> None:
        self._settings = settings
        self.due: Repair | None = None
        """What is asked for once all stand still."""
        self.asked: Ask | None = None
        """The plan that was asked for and has not come."""
        self.count = 0
        self._left = settings.max_plans
        self._reroutes = 0

    def need(self, repair: Repair) -> None:
        """Let a repair be due; a higher rung wins over a lower one that is due already."""
        if repair.rung == "reroute" and self._reroutes >= self._settings.max_reroutes:
            repair = Repair("replan", repair.because)
        self.due = repair.after(self.due)

    def ask(self, repair: Repair) -> Ask | None:
        """Ask for a plan; None where enough of them were made since somebody wanted something new."""
        if repair.rung != "join":
            if self._left == 0:
                return None
            self._left -= 1
        self.count += 1
        self._reroutes += repair.rung == "reroute"
        self.asked = Ask(self.count, *repair)
        return self.asked

    def answered(self, plan: Planned) -> Ask | None:
        """Return what a plan was asked for, None for one that nobody waits for."""
        asked = self.asked
        if asked is None or plan.request != asked.request:
            return None
        self.asked = None
        return asked

    def adopted(self, asked: Ask) -> None:
        """Note that a plan was taken over."""
        if asked.rung == "join":
            self._left = self._settings.max_plans
        if asked.rung != "reroute":
            self._reroutes = 0


# ---- what is done about a task that failed ----

IN_VAIN = ("grasp", "missing", "refused")
"""Failures of a robot with one thing; with others it goes on."""


class Mending(NamedTuple):
    """A repair, or that a robot takes no part any more, or tries again if neither is said."""

    because: str
    rung: Rung | None = None
    retires: str = ""
    """Why the robot takes no part any more."""
    lost: bool = False
    """Whether the robot does not know where it is."""
    told: bool = False
    """Whether the failure is worth a note of its own."""


def mending(member: Member, task: Task, status: Status, settings: MissionSettings) -> Mending:
    """Return what is done about a failure: again, another way, other tasks, another robot."""
    failure, detail = status.failure, f", {status.detail}" if status.detail else ""
    because = f"{member.name} failed to {task}: {failure}{detail}"
    if failure == "blocked":
        if member.ends_here() <= settings.max_dead_ends:
            return Mending(because, "reroute")
        return Mending(because, retires=f"does not get past what stands in its way to {task.thing}")
    if failure == "battery":
        return Mending(because, retires="has a low battery")
    if failure == "fault":
        return Mending(because, retires=f"is broken ({status.detail})")
    if failure == "taken":
        return Mending(because, retires=f"cannot be commanded ({status.detail})")
    if failure == "lost":
        return Mending(because, lost=True)
    count, deed = member.fails(task), (task.kind, task.thing)
    if count <= settings.max_retries:
        rung: Rung | None = "replan" if failure in ("missing", "refused") else None
        return Mending(because, rung, told=failure != "refused")
    if failure in IN_VAIN and task.kind not in ("goto", "place") and deed not in member.barred:
        member.barred |= {deed}
        return Mending(f"{because}, {count} times", "reallocate")
    return Mending(because, retires=f"failed {count} times to {task} ({failure})")


# ---- when all tasks are done ----


class Ending:
    """Decides it; a goal that is missed twice without anything done between is given up."""

    def __init__(self) -> None:
        self._missed_after = -1
        """So many tasks were done when all were done and a goal was missed."""

    def of(self, belief: Belief, done: int, now_s: float) -> End | str:
        """Return how the mission ends after so many tasks, or why a new plan is needed."""
        if belief.searching:
            looked = ", ".join(f"{t} is not in {r}" for t, r in belief.searching.items())
            belief.searched_in_vain()
            return looked
        missed = belief.unreached()
        if missed:
            because = f"all tasks are done, but not the goal of {', '.join(missed)}"
            if self._missed_after == done:
                return End("failed", f"{because}, and a new plan has nothing more to do")
            self._missed_after = done
            return because
        lost = "; ".join(
            f"{'' if one.free else f'{one.said_to}, '}{one.goal}: {one.why}"
            for one in belief.accounts(now_s)
            if not one.done
        )
        if not lost:
            return End("done", "")
        return End("partly" if done else "failed", lost)
