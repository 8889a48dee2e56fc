"""What all operators see: the mission of now, and what was told so far. It changes as a whole."""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from commonground.console.record import MissionRecord
from commonground.errors import RunError

MOST_EVENTS = 500
"""Lines that operators can look back on; the journal has them all."""


class Refused(RunError):
    """The station does not do what an operator wants, because of what is going on."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that operators are told."""

    time_s: float
    """Of the mission; negative where none is under way."""
    text: str
    kind: str = "note"
    """note, change, question, end or error."""


class Board:
    """The record and the events, with the lock under which they change."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.news = threading.Condition(self.lock)
        """Notified with every change."""
        self.record: MissionRecord | None = None
        self.joining: MissionRecord | None = None
        """What somebody wants besides of it, until that is a part of it, or the last that became none."""
        self._numbers = itertools.count(1)
        self.events: deque[Event] = deque(maxlen=MOST_EVENTS)
        self.changes = 0
        self._listeners: list[Callable[[], None]] = []

    def watch(self, listener: Callable[[], None]) -> None:
        """Call a function, from any thread, whenever something changes."""
        self._listeners.append(listener)

    def known(self) -> MissionRecord:
        """Return the mission of now; Refused before the first."""
        if self.record is None:
            raise Refused("there is no mission yet")
        return self.record

    @property
    def draft(self) -> MissionRecord | None:
        """What operators decide about: what is wanted besides, where that is open, or the mission of now."""
        joining = self.joining
        return self.record if joining is None or joining.over else joining

    def shown(self, number: int | None) -> MissionRecord:
        """Return the mission of now; Refused where who does something saw another one."""
        record = self.draft or self.known()
        if number not in (None, record.number):
            raise Refused("another mission is shown by now; look at it first")
        return record

    def next_number(self) -> int:
        """Return the number of the next mission, or of what is wanted besides."""
        return next(self._numbers)

    def open(self, record: MissionRecord, *, besides: bool) -> None:
        """Show the draft of a mission, or of what is wanted besides of the one under way."""
        if besides:
            self.joining = record
        else:
            self.record, self.joining = record, None

    def change(self, record: MissionRecord, kind: str = "") -> None:
        """Show another record; with a kind, its reason is told as well."""
        if self.joining is not None and record.number == self.joining.number:
            self.joining = record
        else:
            self.record = record
        if kind and record.reason:
            self.tell(record.reason, kind)
        self.changed()

    def tell(self, text: str, kind: str = "note", time_s: float = -1.0) -> None:
        self.events.append(Event(time_s, text, kind))
        self.changed()

    def stopped(self, record: MissionRecord, why: str, time_s: float) -> None:
        """Show that a mission was stopped; whoever of its thread and its operators is first tells so."""
        self.change(record.moved("stopped", reason=why, question="", paused=False))
        self.leave_out("the mission is over")
        self.tell(f"{why}; nothing more is sent", "change", time_s)

    def leave_out(self, why: str) -> None:
        """Show that what is wanted besides is no part of the mission, where it is open."""
        joining = self.joining
        if joining is not None and not joining.over:
            approved = joining.state == "approved"
            left = joining.moved("failed" if approved else "discarded", reason=why, question="")
            self.change(left)

    def changed(self) -> None:
        """Let everybody look again."""
        self.changes += 1
        self.news.notify_all()
        for listener in self._listeners:
            listener()
