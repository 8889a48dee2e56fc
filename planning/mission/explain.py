"""Why a mission did what it did: its journal in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from commonground.planning.mission.events import (
    Account,
    Answered,
    Heard,
    Join,
    Planned,
    StopPressed,
)
from commonground.planning.mission.journal import Step
from commonground.planning.mission.task import in_a_row

RUNGS = {
    "first": "plans",
    "reroute": "looks for another way for one robot",
    "replan": "plans anew with what is known now",
    "reallocate": "shares out anew who does what",
    "less": "looks for what is still possible",
    "join": "plans for what is left and what is new",
    "own": "leaves to each robot what it was told, as far as that is possible",
}


class Telling:
    """Tells steps of one mission in turn, and says what was said already no second time."""

    def __init__(self, tasks: dict[str, str] | None = None, *, orders: bool = False) -> None:
        """``tasks`` has the words of tasks by their keys; with ``orders``, who is told what is said too."""
        self._names = {} if tasks is None else tasks
        self._orders = orders
        self._ordered: dict[str, str] = {}
        """Robot → what it was told last."""
        self._no_way = ""
        """Why there is no plan."""
        self._said = ""
        self._finished: dict[str, str] = {}
        """Robot → the order that it was said to have finished."""

    def of(self, step: Step) -> Iterator[str]:
        """Yield a line for everything of a step that mattered, with its time."""
        for told in step.told:
            if isinstance(told, Planned):
                self._names.update((task.key, str(task)) for task in told.tasks)
                self._no_way = told.reason or self._no_way
            if not self._is_known(told):
                yield from self._lines(step, [_told(told, self._names)])
        for decided in step.decided:
            accounts = (str(Account(**one)) for one in decided.get("accounts", ()))
            order = self._order(decided) if self._orders else ""
            yield from self._lines(step, [_decided(decided), order, *accounts])

    def _is_known(self, told: object) -> bool:
        """Return whether a robot tells again of an order that it has finished."""
        if not isinstance(told, Heard) or told.status.state != "done":
            return False
        before = self._finished.get(told.robot)
        self._finished[told.robot] = told.status.order
        return before == told.status.order

    def _order(self, decided: Mapping[str, Any]) -> str:
        """Return that a robot begins something; to drive on is nothing new."""
        if decided.get("kind") != "do":
            return ""
        robot, task = decided["robot"], self._names.get(decided["task"], decided["task"])
        before, self._ordered[robot] = self._ordered.get(robot), task
        return "" if before == task else f"{robot} is told: {task}"

    def _lines(self, step: Step, texts: Iterable[str]) -> Iterator[str]:
        return (f"{step.time_s:7.1f} s  {self._short(text)}" for text in texts if text)

    def _short(self, text: str) -> str:
        """Return a line without the reason that was said in one before."""
        if not self._no_way or self._no_way not in text:
            return text
        if self._said == self._no_way:
            return text.replace(self._no_way, "as said before")
        self._said = self._no_way
        return text


def explained(steps: Iterable[Step], tasks: dict[str, str] | None = None) -> Iterator[str]:
    """Yield a line for everything that mattered, with its time.

    ``tasks`` has the words of tasks by their keys; plans add theirs, so that steps can be told one at a time.
    """
    telling = Telling(tasks)
    for step in steps:
        yield from telling.of(step)


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
    if isinstance(told, Join):
        return f"{told}, while robots drive"
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
