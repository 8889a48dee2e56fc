"""Why a mission did what it did: its journal in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from commonground.planning.mission.events import Account, Answered, Heard, Planned, StopPressed
from commonground.planning.mission.journal import Step
from commonground.planning.mission.task import in_a_row

RUNGS = {
    "first": "plans",
    "reroute": "looks for another way for one robot",
    "replan": "plans anew with what is known now",
    "reallocate": "shares out anew who does what",
    "less": "looks for what is still possible",
    "own": "leaves to each robot what it was told, as far as that is possible",
}


def explained(steps: Iterable[Step], tasks: dict[str, str] | None = None) -> Iterator[str]:
    """Yield a line for everything that mattered, with its time.

    ``tasks`` has the words of tasks by their keys; plans add theirs, so that steps can be told one at a time.
    """
    names = {} if tasks is None else tasks
    for step in steps:
        for told in step.told:
            if isinstance(told, Planned):
                names.update((task.key, str(task)) for task in told.tasks)
            text = _told(told, names)
            if text:
                yield f"{step.time_s:7.1f} s  {text}"
        for decided in step.decided:
            text = _decided(decided)
            if text:
                yield f"{step.time_s:7.1f} s  {text}"
            for one in decided.get("accounts", ()):
                yield f"{step.time_s:7.1f} s  {Account(**one)}"


def _told(told: object, names: Mapping[str, str]) -> str:
    if isinstance(told, Planned) and not told.reason:
        listed = (
            "; ".join(in_a_row(f"{t.robot} {t}" for t in told.tasks)) or "nothing is left to do"
        )
        given_up = "".join(f"; given up: {one.part} ({one.why})" for one in told.given_up)
        moved = "".join(f"; {one}" for one in told.moved)
        return f"the plan: {listed}{moved}{given_up}"
    if isinstance(told, Answered):
        return f"the operator says {'yes' if told.yes else 'no'}"
    if isinstance(told, StopPressed):
        return f"stop: {told.why}"
    if isinstance(told, Heard) and told.status.state == "done":
        order = told.status.order
        return f"{told.robot} has finished: {names.get(order.rpartition('#')[0], order)}"
    return ""


def _decided(decided: Mapping[str, Any]) -> str:
    kind = decided.get("kind")
    if kind == "ask":
        return f"the mission {RUNGS.get(decided['rung'], decided['rung'])}, because {decided['because']}"
    if kind == "note":
        return str(decided["text"])
    if kind == "consult":
        return f"asked: {decided['question']}"
    if kind == "halt":
        return f"{decided['robot']} is stopped: {decided['because']}"
    if kind == "end":
        return f"over: {decided['status']}" + (
            f", {decided['reason']}" if decided["reason"] else ""
        )
    return ""
