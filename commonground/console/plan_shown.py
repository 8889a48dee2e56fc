"""The plan that operators see of a mission: what was done, ways that were cut off, and what is left.

It follows from the mission's steps alone, so that one that is taken up again shows what it showed before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from commonground.console.record import MissionRecord
from commonground.planning.mission.events import Answered, Planned
from commonground.planning.mission.journal import Step
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.task import Task
from commonground.planning.robots.lines import length, nearest, part

SAME_M = 0.5
"""Ways whose lengths differ by less are told as one."""


def after_step(record: MissionRecord, mission: Mission, step: Step) -> MissionRecord:
    """Return the record of a mission after a step; the same where it shows no other plan.

    A plan that somebody is asked about first is shown with the answer.
    """
    planned = any(isinstance(told, Planned) and not told.reason for told in step.told)
    if not planned and not any(isinstance(told, Answered) for told in step.told):
        return record
    if record.plans and _keys((*mission.done, *queued(mission))) == _keys(record.tasks):
        return record
    for more in mission.joined[len(record.joined) :]:
        goals = dict(record.goals or {})
        for name, goal in more.goals.items():
            goals[name] = f"(and {goals[name]} {goal})" if name in goals else goal
        record = replace(record, joined=(*record.joined, more.text), goals=goals)
    return _replanned(record, mission, step.time_s)


def _replanned(record: MissionRecord, mission: Mission, now_s: float) -> MissionRecord:
    """Return the record with the plan that begins now, and what was driven under the one before."""
    known = {task.key: task for task in record.tasks}
    finished = [known[task.key] for task in mission.done if task.key in known]
    left = queued(mission)
    new = [t if t.key in known else _from(t, now_s) for t in left]
    kept = _keys((*finished, *left))
    cut = _cut_off([t for t in record.tasks if t.key not in kept], mission, now_s)
    driven = (*record.driven, *cut)
    return replace(record, tasks=(*finished, *new), driven=driven, plans=record.plans + 1)


def _keys(tasks: Iterable[Task]) -> set[str]:
    return {task.key for task in tasks}


def queued(mission: Mission) -> list[Task]:
    """Return the tasks that are left, robot after robot."""
    return [task for member in mission.crew.values() for task in member.queue]


def _from(task: Task, now_s: float) -> Task:
    """Return a task of a plan that begins now with the mission's times."""
    return replace(task, start_s=task.start_s + now_s, end_s=task.end_s + now_s)


def _cut_off(dropped: list[Task], mission: Mission, now_s: float) -> Iterator[Task]:
    """Yield as much of the ways that a plan dropped as robots had driven."""
    first: dict[str, Task] = {}
    for task in dropped:
        first.setdefault(task.robot, task)
    for name, task in first.items():
        if not task.moves or len(task.path) < 2:
            continue
        line, at = np.array(task.path), np.array(mission.crew[name].position)
        gone_m, away_m = nearest(line, at[:2], 0.0, length(line))
        if gone_m > 0.0 and away_m < SAME_M:
            way = part(line, 0.0, gone_m, gone_m).tolist()
            path = tuple((x, y, z) for x, y, z in way)
            yield replace(task, path=path, start_s=min(task.start_s, now_s), end_s=now_s)
