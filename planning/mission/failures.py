"""What is done about a task that failed: the cheapest repair that may help."""

from __future__ import annotations

from typing import NamedTuple

from commonground.planning.mission.crew import Member
from commonground.planning.mission.events import Rung
from commonground.planning.mission.settings import MissionSettings
from commonground.planning.mission.task import Task
from commonground.planning.robots.protocol import Failure, Status


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
    key = _counted(task, failure)
    member.tries[key] += 1
    again = member.tries[key] <= settings.retries
    if failure == "blocked":
        if member.ends_here() <= settings.blocked:
            return Mending(because, "reroute")
        return Mending(because, retires=f"does not get past what stands in its way to {task.thing}")
    if failure == "battery":
        return Mending(because, retires="has a low battery")
    if failure == "fault":
        return Mending(because, retires=f"is broken ({status.detail})")
    if failure in ("missing", "refused") and again:
        return Mending(because, "replan", told=failure == "missing")
    if failure == "lost" or again:
        return Mending(because, lost=failure == "lost", told=failure != "lost")
    if failure in ("grasp", "missing"):
        member.barred |= {task.thing}
        return Mending(f"{because}, {member.tries[key]} times", "reallocate")
    return Mending(because, retires=f"failed {member.tries[key]} times to {task} ({failure})")


def _counted(task: Task, failure: Failure) -> str:
    """Return under what name failures of a task are counted: a new plan gives the same deed another key."""
    return f"{task.kind} {task.thing}" if failure == "missing" else task.key
