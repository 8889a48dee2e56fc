"""A mission under way between its thread and the operators: what it asks, tells, and how it ended."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from commonground.console.board import Board
from commonground.console.drive import Drive
from commonground.console.plan_shown import SAME_M, after_step
from commonground.console.record import CARRIED, MissionRecord, State
from commonground.console.site import Site
from commonground.planning.mission.events import Account, End, Heard, Join, Planned
from commonground.planning.mission.explain import Telling
from commonground.planning.mission.journal import Step
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.task import Task
from commonground.planning.robots.lines import length, nearest

ENDS: Mapping[str, State] = {"done": "done", "partly": "partly", "stopped": "stopped"}
"""What a mission is after an end; whatever is missing failed."""
OVER = "is stopped: the mission is over"
"""All robots stand still at the end of a mission; that it is over says as much."""
KNOWN = (
    "asked: ",
    "stop: ",
    "over: stopped",
    "the operator says ",
    "the mission plans, because the mission begins",
)
"""What the journal tells and the station has told already."""


class Conduct:
    """Hears of one mission from its thread, and answers it."""

    def __init__(self, board: Board, site: Site, number: int) -> None:
        self._board, self._site, self._number = board, site, number
        self._answer: bool | None = None
        self._names: dict[str, str] = {}
        self._telling = Telling(self._names)
        self.drive: Drive | None = None
        """What carries it out; None before it is there, and once it has ended."""

    def reply(self, yes: bool) -> None:
        """Answer what the mission asks."""
        self._answer = yes
        self._board.news.notify_all()

    def ends_within(self, seconds: float) -> bool:
        """Return whether the mission's thread ends so soon; it may need the lock for that."""
        self._board.news.wait_for(lambda: self.drive is None, seconds)
        return self.drive is None

    # ---- what the mission's thread tells ----

    def asked(self, question: str) -> bool:
        """Show a question, wait for an answer, and return it."""
        board = self._board
        with board.lock:
            record = self._record()
            if record is None:
                return False
            self._answer = None
            if record.state == "running" and (drive := self.drive) is not None:
                mission = drive.mission
                if mission is not None and mission.joining is not None and mission.offered:
                    return self._asked_besides(question, drive, mission.joining, mission.offered)
            proposed = self._mission is not None and self._mission.phase == "proposed"
            if record.state == "grounded" and proposed:
                board.change(record.moved("planned", question=question))
                board.tell("a plan is ready; nothing is sent before it is approved", "question")
            elif record.state in ("grounded", "running"):
                board.change(replace(record, question=question))
                board.tell(question, "question")
            elif record.again:  # it is known by now where its robots are, and what is left
                board.changed()
            board.news.wait_for(self._is_answered)
            return self._taken()

    def hear(self, letter: Callable[[], Join | None]) -> Join | None:
        """Take what another program wants besides, and show it, unless operators are about other words.

        From then on it is in nobody's way and nobody in its: until it is answered others wait.
        """
        with self._board.lock:
            joining = self._board.joining
            more = letter() if joining is None or joining.over else None
            if more is not None:
                self._show(more)
            return more

    def _show(self, more: Join) -> MissionRecord:
        """Show that a plan is made with what somebody wants besides."""
        number = self._board.next_number()
        shown = MissionRecord(number, more.text, "grounded", more.by, goals=dict(more.goals))
        self._board.open(shown, besides=True)
        self._board.changed()
        return shown

    def stepped(self, step: Step) -> None:
        with self._board.lock:
            record = self._board.record
            if record is None or record.number != self._number:
                return
            self._names.update((task.key, str(task)) for task in record.tasks)
            for text in _news(step, self._telling):
                self._board.tell(text, _kind(text), step.time_s)
            if (mission := self._mission) is not None:
                plans = [
                    x for x in step.told if isinstance(x, Planned) and x is not mission.offered
                ]
                for lost in itertools.chain.from_iterable(plan.given_up for plan in plans):
                    self._board.tell(f"given up: {lost.part} ({lost.why})", "change", step.time_s)
                after = after_step(record, mission, step)
                if after is not record:
                    self._replanned(record, after, step)
            self._left_out(step)
            if any(isinstance(told, Heard) for told in step.told):
                self._board.changed()

    def ended(self, end: End) -> None:
        """Take in how it ended, and keep the world as it left it."""
        with self._board.lock:
            drive, self.drive = self.drive, None
            if drive is not None and drive.mission is not None and drive.acted():
                self._site.take_over(drive.mission)
            record, now_s = self._record(), 0.0 if drive is None else drive.now_s()
            if record is None:
                self._account(end, now_s)
                return self._board.changed()
            state: State = ENDS.get(end.status, "failed")
            if state in ("done", "partly") and record.state != "running":
                state = "failed"
            if state == "stopped" and record.state in CARRIED:
                self._board.stopped(record, end.reason, now_s)
                return self._account(end, now_s)
            if state == "stopped":
                state = "discarded"
            self._board.leave_out("the mission is over; say it again")
            ended = record.moved(state, reason=end.reason, question="", paused=False)
            self._board.change(ended, kind="end")
            self._account(end, now_s)

    # ---- inside ----

    def _account(self, end: End, now_s: float) -> None:
        """Tell what came of each part of what was said; of a draft that was dropped nothing did."""
        record = self._board.record
        if record is None or record.number != self._number or record.state == "discarded":
            return
        for one in end.accounts:
            self._board.tell(str(one), "end" if one.done else "change", now_s)

    def _record(self) -> MissionRecord | None:
        """Return the mission's record while it is shown and not over."""
        record = self._board.record
        if record is None or record.number != self._number or record.over:
            return None
        return record

    def _is_answered(self) -> bool:
        record = self._record()
        return self._answer is not None or record is None or record.state == "approved"

    def _taken(self) -> bool:
        """Return the operators' answer; a mission that was approved is running from here on."""
        record = self._record()
        if record is None:
            return False
        if record.state == "approved":
            self._board.change(record.moved("running"))
            return True
        return bool(self._answer)

    # ---- more than was wanted before ----

    @property
    def _mission(self) -> Mission | None:
        return None if self.drive is None else self.drive.mission

    def _asked_besides(self, question: str, drive: Drive, more: Join, plan: Planned) -> bool:
        """Show a plan with what is wanted besides, and return whether somebody approves that.

        What an operator dropped meanwhile is answered with no. What was said before an interruption is shown
        again, unless operators are about other words by now.
        """
        board = self._board
        draft = board.joining
        if more is not drive.said and (draft is None or draft.over):
            draft = self._show(more)
        elif more is not drive.said or draft is None:
            return False
        if draft.state != "grounded" or draft.said != more.text:
            return False
        told = "; ".join(filter(None, [draft.reason, *map(str, plan.moved), *plan.remarks]))
        draft = draft.moved("planned", question=question, reason=told, tasks=plan.tasks, plans=1)
        board.change(draft)
        board.tell(
            f"a plan with “{more.text}” is ready; all robots stand until it is approved or discarded",
            "question",
        )

        def found() -> MissionRecord | None:
            now = board.joining
            shown = now is not None and now.number == draft.number and self._record() is not None
            return now if shown else None

        board.news.wait_for(lambda: (now := found()) is None or now.state != "planned")
        return (now := found()) is not None and now.state == "approved"

    def _with_reasons(self, after: MissionRecord) -> MissionRecord:
        """Return the record with what the words that are a part of the mission now were taken to mean."""
        draft = self._board.joining
        if draft is None or draft.state != "approved":
            return after
        self._board.joining = None
        if after.answer is None:
            return after
        reasons = draft.answer.reasons if draft.answer is not None else ()
        answer = replace(after.answer, goals=after.goals, reasons=(*after.answer.reasons, *reasons))
        return replace(after, answer=answer)

    def _left_out(self, step: Step) -> None:
        """Show that there is no plan with what is wanted besides."""
        draft, drive = self._board.joining, self.drive
        if draft is None or drive is None or drive.joining or draft.state != "grounded":
            return
        told = [str(d["text"]) for d in step.decided if d["kind"] == "note"]
        why = next((text for text in told if draft.said in text), "it is no part of the mission")
        self._board.change(draft.moved("failed", reason=why))

    def _replanned(self, record: MissionRecord, after: MissionRecord, step: Step) -> None:
        """Show the plan that holds now, and what is otherwise than in the one before."""
        if len(after.joined) > len(record.joined):
            after = self._with_reasons(after)
        done = [] if self._mission is None else [task.key for task in self._mission.done]
        if record.plans:
            before, now = ([t for t in r.tasks if t.key not in done] for r in (record, after))
            for line in changes_of(before, now):
                self._board.tell(line, "change", step.time_s)
        self._board.change(after)


def _news(step: Step, telling: Telling) -> Iterator[str]:
    """Yield what a step brought that the station has not told already, or tells at the end."""
    later = {str(Account(**one)) for d in step.decided for one in d.get("accounts", ())}
    for line in telling.of(step):
        text = line.partition(" s  ")[2]
        known = text.startswith(KNOWN) or text.endswith(", while robots drive") or OVER in text
        if not known and text not in later:
            yield text


def _kind(text: str) -> str:
    if text.startswith("over:"):
        return "end" if text.startswith("over: done") else "change"
    return "change" if text.startswith("the mission ") else "note"


def changes_of(before: Sequence[Task], after: Sequence[Task]) -> Iterator[str]:
    """Yield a line for each robot whose part is another one than was left of the plan before."""
    for name in dict.fromkeys(task.robot for task in (*before, *after)):
        yield from _change(name, _of(name, before), _of(name, after))


def _change(name: str, was: Sequence[Task], now: Sequence[Task]) -> Iterator[str]:
    """Yield what is otherwise for one robot."""
    deeds_was, deeds_now = _deeds(was), _deeds(now)
    lost = [d for d in deeds_was if d not in deeds_now]
    new = [d for d in deeds_now if d not in deeds_was]
    if lost:
        yield f"{name} no longer has to {', '.join(lost)}"
    if new:
        yield f"{name} now has to {', '.join(new)}"
    farther = _meters(now) - _meters(was) + _gone_m(was, now)
    if not lost and not new and abs(farther) > SAME_M:
        yield f"{name} takes another way, {abs(farther):.0f} m {'longer' if farther > 0 else 'shorter'}"


def _of(name: str, tasks: Sequence[Task]) -> list[Task]:
    return [t for t in tasks if t.robot == name]


def _deeds(tasks: Sequence[Task]) -> list[str]:
    """Return what is done, and where the way ends; ways between do not count."""
    return [str(t) for k, t in enumerate(tasks) if not t.moves or k == len(tasks) - 1]


def _gone_m(was: Sequence[Task], now: Sequence[Task]) -> float:
    """Return how much of a way was driven before another one begins there."""
    first, then = (next((t for t in tasks if t.moves), None) for tasks in (was, now))
    if first is None or then is None:
        return 0.0
    line = np.array(first.path)
    gone_m, away_m = nearest(line, np.array(then.path[0])[:2], 0.0, length(line))
    return gone_m if away_m < SAME_M else 0.0


def _meters(tasks: Sequence[Task]) -> float:
    return sum(t.length_m for t in tasks if t.moves)
