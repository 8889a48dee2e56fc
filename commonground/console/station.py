"""The base station: one mission at a time, said, shown, approved, watched and stopped by any operators.

All rules are here, and no page. Methods may be called from any thread; what operators see is a record that
changes as a whole, so that all of them see the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commonground.console.board import Board, Event, Refused
from commonground.console.drafts import Drafts
from commonground.console.drive import Drive, Progress
from commonground.console.launching import WIND_DOWN_S, Launcher
from commonground.console.logged import is_interrupted, listed
from commonground.console.minutes import Minutes
from commonground.console.record import CARRIED, MissionRecord
from commonground.console.saying import saying, stopping
from commonground.console.site import Site
from commonground.console.standing import status_of
from commonground.live.control import answer, asks_progress, control
from commonground.live.heeding import heed, is_ban, quoted, unclear
from commonground.live.real import team_as_heard
from commonground.planning.mission.settings import DEFAULTS, MissionSettings
from commonground.robots import SIMULATED, Team
from commonground.scene import SceneGraph

if TYPE_CHECKING:
    from commonground.grounding.grounder import Grounder


class Station:
    """The console's state, and what may be done to it."""

    def __init__(
        self,
        graph: SceneGraph,
        team: Team | None,
        reader: Callable[[SceneGraph, Team], Grounder],
        missions: Path,
        *,
        backend: str = SIMULATED,
        seed: int = 0,
        pace: float = 1.0,
        limits: MissionSettings = DEFAULTS,
    ) -> None:
        self.missions, self.backend = missions, backend
        self.mapped: Path | None = None
        """Folder of the map, where pictures of its objects lie."""
        self._site = Site(graph, team, reader, None if backend == SIMULATED else self._as_heard)
        self._board = Board()
        self.launcher = Launcher(self._board, self._site, missions, backend, seed, pace, limits)
        self.launcher.call = self.say
        self.minutes = Minutes(self._board, missions, self.now_s)
        self._drafts = Drafts(self._board, self._site, self.launcher, self.minutes)

    # ---- what operators see ----

    @property
    def graph(self) -> SceneGraph:
        """The map as the last mission left it."""
        return self._site.graph

    @property
    def team(self) -> Team | None:
        """The robots where the last mission left them."""
        return self._site.team

    @property
    def heard(self) -> bool:
        """Whether it is known where the robots are: real ones have to tell it first."""
        return self.backend == SIMULATED or self._site.heard_s is not None

    @property
    def record(self) -> MissionRecord | None:
        """The mission of now, or the last one; None before the first."""
        return self._board.record

    @property
    def joining(self) -> MissionRecord | None:
        """What somebody wants besides of the mission under way, or wanted last."""
        return self._board.joining

    @property
    def draft(self) -> MissionRecord | None:
        """What operators decide about: what is wanted besides, where that is open, or the mission."""
        return self._board.draft

    @property
    def interrupted(self) -> str:
        """The line of the log on the newest mission, if that was broken off before the first one here."""
        newest = next(iter(listed(self.missions)), "") if self.record is None else ""
        return newest if is_interrupted(newest) else ""

    @property
    def events(self) -> deque[Event]:
        """What was told so far."""
        return self._board.events

    @property
    def changes(self) -> int:
        """Goes up with everything that operators would see."""
        return self._board.changes

    @property
    def drive(self) -> Drive | None:
        """What carries out the mission that is under way."""
        return self.launcher.drive

    def watch(self, listener: Callable[[], None]) -> None:
        """Call a function, from any thread, whenever something changes."""
        self._board.watch(listener)

    def progress(self) -> dict[str, Progress]:
        """Return how each robot of the mission under way fares; empty where there is none."""
        drive = self.drive
        return {} if drive is None else drive.progress()

    def now_s(self) -> float:
        """Return the time of the mission; negative where none is under way."""
        drive = self.drive
        return -1.0 if drive is None else drive.now_s()

    def status(self) -> dict[str, Any]:
        """Return how things stand, as JSON values for other programs."""
        return status_of(self, self._site.heard_s)

    # ---- what operators do ----

    def say(self, text: str, by: str = "") -> MissionRecord:
        """Take in an instruction and return what came of it: goals and soon a plan, or a question back.

        While a mission is carried out, it is wanted besides of that. What is said to the mission itself,
        such as "stop", is done as the buttons do it; while robots drive, whatever may be meant so is. What
        is refused is told to all and noted, whatever it was.
        """
        try:
            if self._answers(text, by) or self._tells_progress(text):
                return self._board.known()
            if self.heeds(text, by) and not self._keeps_out(text):
                return self._board.known()
            return self._drafts.take(text, (), by)
        except Refused as error:
            if text.strip():
                self.minutes.refused(text, by, str(error))
            raise

    def _answers(self, text: str, by: str) -> bool:
        """Take a plain yes or no as what the buttons say to what is asked; return whether it is one.

        What robots shall do is approved where it is shown, and dropped by nothing but a no.
        """
        with self._board.lock:
            yes, draft, record = answer(text), self._board.draft, self._board.record
            if yes is None or draft is None:
                return False
            if draft.state == "planned" and yes:
                raise Refused("nobody has approved the plan: look at it, and press Approve")
            if draft.state == "planned":
                self.discard(by, number=draft.number)
            elif record is not None and record.asks:
                if draft.state == "draft":
                    raise Refused("two things are asked: press what you answer")
                self.answer(yes, by, question=record.asks)
            elif draft.state == "draft" and draft.answer is not None:
                self._says_so(draft, by, yes=yes)
            else:
                return False
            return True

    def _tells_progress(self, text: str) -> bool:
        """Tell how robots fare where a text only asks that; return whether it does."""
        drive = self.drive
        if drive is None or not asks_progress(text, self._names()) or not (told := drive.faring()):
            return False
        with self._board.lock:
            self._board.tell(told, time_s=self.now_s())
        return True

    def _says_so(self, draft: MissionRecord, by: str, *, yes: bool) -> None:
        """Take a plain yes or no for an answer to a question back, if that shows what may be meant."""
        if draft.answer is None or draft.answer.meant is None:
            raise Refused("that is no question of yes or no: choose one, or say all in other words")
        if yes:
            self.confirm(by, number=draft.number)
        else:
            self.discard(by, number=draft.number)

    def heeds(self, text: str, by: str = "") -> bool:
        """Do what a text says to the mission under way; return whether it says anything to that."""
        record = self._board.record
        going = record is not None and record.state in CARRIED
        meant = heed(self, text, by, self._names(), going=going)
        if meant == "stop" and (record is None or record.over):
            raise Refused("no mission is under way: all robots stand still")
        return bool(meant)

    def _keeps_out(self, text: str) -> bool:
        """Return whether words that paused robots are a ban, which is wanted besides; else ask."""
        record, team = self.record, self.team
        if record is None or team is None or not record.paused or control(text, self._names()):
            return False
        draft = MissionRecord(0, text.strip())
        if is_ban(text, self.graph, lambda _: self.launcher.read(team, draft, besides=True)):
            return True
        with self._board.lock:
            self._board.tell(unclear(text), "question")
        return False

    def _names(self) -> list[str]:
        return [robot.name for robot in self.team or ()]

    def choose(self, symbol: str, by: str = "", *, number: int | None = None) -> MissionRecord:
        """Answer a question back by one of its candidates; the instruction is read again with it."""
        return self._drafts.choose(symbol, by, number=number)

    def confirm(self, by: str = "", *, number: int | None = None) -> MissionRecord:
        """Say yes to the one reading that a question back shows; it is read again, as robots drive on."""
        return self._drafts.confirm(by, number=number)

    def discard(self, by: str = "", reason: str = "", *, number: int | None = None) -> None:
        """Drop a mission that nobody has approved; the reason is shown, if there is one."""
        self._drafts.discard(by, reason, number=number)

    def approve(self, number: int, by: str = "", *, plans: int | None = None) -> MissionRecord:
        """Let a planned mission begin; only the first to approve what is shown has an effect."""
        with self._board.lock:
            record = self._board.shown(number)
            if record.state != "planned":
                raise Refused(f"the mission is {record.state} already")
            if plans is not None and record.plans != plans:
                raise Refused("the plan has changed; look at it first")
            if record.replaced and by not in ("", record.by) and by not in record.warned:
                self._board.change(replace(record, warned=(*record.warned, by)))
                raise Refused(f"{record.replaced}, by “{record.said}”; press again to approve that")
            approved = record.moved("approved", approved_by=by, question="")
            joins = record is self.joining
            self._board.change(approved)
            self.minutes.did(by, f"approves {quoted(record.said)}" if joins else "approves")
            if not joins:
                self.launcher.reply(True)
            return approved

    def answer(self, yes: bool, by: str = "", *, question: str = "") -> None:
        """Answer what a mission under way asks; with a question, only that one."""
        with self._board.lock:
            record = self._board.known()
            if not record.asks:
                raise Refused("nothing is asked now")
            if question not in ("", record.asks):
                raise Refused("something else is asked by now; look at it first")
            self._board.change(replace(record, question=""))
            self.minutes.did(by, "says yes" if yes else "says no")
            self.launcher.reply(yes)

    def stop(self, by: str = "", *, said: str = "") -> None:
        """Stop all robots; always works, and nothing of the mission is sent any more.

        ``said`` are the words that told so, where no button did.
        """
        drive, before = self.drive, self._board.record  # no lock: a stop waits for nobody
        why, did = stopping(by, said)
        if drive is not None:
            drive.stop(why)
        with self._board.lock:
            record = self._board.record
            if record is None or record.over:
                # robots may stand already, by this very Stop
                if before and record and before.state in CARRIED and record.number == before.number:
                    self.minutes.did(by, did, told=True)
                return
            if record.state in CARRIED:
                late = self.drive
                if late is not None and late is not drive:
                    late.stop(why)
                self._board.stopped(record, why, self.now_s())
                self.minutes.did(by, did, told=True)
            else:
                self._drafts.drop(by, f"{by or 'somebody'} discarded it{saying(said)}")
            self.launcher.reply(False)

    def pause(self, by: str = "", *, said: str = "") -> None:
        """Let all robots stand still until somebody goes on."""
        with self._board.lock:
            drive, record = self._under_way()
            if record.paused:
                if said:
                    self.minutes.did(by, f"says {quoted(said)}: all robots stand already")
                return
            drive.pause()
            self._board.change(replace(record, paused=True))
            plain = not said or control(said) == "pause"
            self.minutes.did(by, f"pauses{saying(said)}{'' if plain else ' (“go on” ends it)'}")

    def go_on(self, by: str = "", *, said: str = "") -> None:
        """Go on after a pause."""
        with self._board.lock:
            drive, record = self._under_way()
            if record.paused:
                drive.go_on()
                self._board.change(replace(record, paused=False))
                self.minutes.did(by, f"goes on{saying(said)}")
            elif said:
                self.minutes.did(by, f"says {quoted(said)}: nobody has paused")

    def reopen(self, folder: Path, by: str = "") -> MissionRecord:
        """Take up a mission that was interrupted; approved again, it goes on where its journal ends."""
        with self._board.lock:
            if self.record is not None and self.record.state in CARRIED:
                raise Refused("a mission is under way; stop it, or wait for its end, to take it up")
            self._drafts.make_room(by)
            drive = self.launcher.take_up(folder, by)
            self.minutes.did(by, "takes it up again")
            drive.begin()
            return self._board.known()

    def renew(self, graph: SceneGraph) -> bool:
        """Work on a newer map; False while a mission is open, which stays on the map it was said on."""
        with self._board.lock:
            record = self._board.record
            if self.drive is not None or (record is not None and not record.over):
                return False
            self._site.renew(graph)
            self._board.changed()
            return True

    def close(self) -> None:
        """Stop what is under way and wait until everything stands still; the console ends."""
        self.stop("the console")
        drive = self.drive
        if drive is not None:
            drive.wait(WIND_DOWN_S)

    # ---- inside ----

    def _as_heard(self, team: Team, graph: SceneGraph) -> Team:
        return team_as_heard(team, self.backend, graph, self._told)

    def _told(self, line: str) -> None:
        with self._board.lock:
            self._board.tell(line)

    def _under_way(self) -> tuple[Drive, MissionRecord]:
        record, drive = self._board.known(), self.drive
        if drive is None or record.state not in CARRIED:
            waits = record.state == "planned"
            raise Refused("nobody has approved the plan" if waits else "no mission is under way")
        return drive, record
