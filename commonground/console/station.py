"""The base station: one mission at a time, said, shown, approved, watched and stopped by any operators.

All rules are here, and no page. Methods may be called from any thread; what operators see is a record that
changes as a whole, so that all of them see the same.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from commonground.console.changes import changes_of
from commonground.console.drive import Drive, Progress
from commonground.console.record import CARRIED, MissionRecord, State
from commonground.console.world import graph_after, keep_world, team_after
from commonground.errors import CommongroundError, RunError
from commonground.grounding.answers import Grounding
from commonground.grounding.grounder import Grounder
from commonground.grounding.settings import GroundingSettings
from commonground.live.folders import header, read_begun
from commonground.names import within
from commonground.planning.mission.events import End, Heard, Planned
from commonground.planning.mission.explain import explained
from commonground.planning.mission.journal import Step, read_steps
from commonground.planning.mission.task import Task
from commonground.robots import Team
from commonground.scene import SceneGraph

ENDS: Mapping[str, State] = {"done": "done", "stopped": "stopped"}
"""What a mission is after an end; whatever is missing, or done in part only, failed."""
KNOWN = ("asked: ", "the operator says ")
"""What the journal tells and the station has told already."""
MOST_EVENTS = 500
"""Lines that operators can look back on; the journal has them all."""
WIND_DOWN_S = 5.0


class Reader(Protocol):
    """Turns instructions into goals."""

    def ground(self, text: str) -> Grounding:
        """Return goals, or a question back."""
        ...


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


class Station:
    """The console's state, and what may be done to it."""

    def __init__(
        self,
        graph: SceneGraph,
        team: Team | None,
        reader: Callable[[SceneGraph, Team], Reader],
        missions: Path,
        *,
        seed: int = 0,
        pace: float = 1.0,
    ) -> None:
        self.graph, self.team, self.missions = graph, team, missions
        self._make_reader = reader
        self._reader: Reader | None = None
        self._seed, self._pace = seed, pace
        self._lock = threading.RLock()
        self._answered = threading.Condition(self._lock)
        self._answer: bool | None = None
        self._record: MissionRecord | None = None
        self._drive: Drive | None = None
        self._listeners: list[Callable[[], None]] = []
        self.events: deque[Event] = deque(maxlen=MOST_EVENTS)
        self.changes = 0
        """Goes up with everything that operators would see."""

    # ---- what operators see ----

    @property
    def record(self) -> MissionRecord | None:
        """The mission of now, or the last one; None before the first."""
        return self._record

    def watch(self, listener: Callable[[], None]) -> None:
        """Call a function, from any thread, whenever something changes."""
        self._listeners.append(listener)

    def progress(self) -> dict[str, Progress]:
        """Return how each robot of the mission under way fares; empty where there is none."""
        drive = self._drive
        return {} if drive is None else drive.progress()

    def now_s(self) -> float:
        """Return the time of the mission; negative where none is under way."""
        drive = self._drive
        return -1.0 if drive is None else drive.world.now_s

    # ---- what operators do ----

    def say(self, text: str, by: str = "") -> MissionRecord:
        """Take in an instruction and return what came of it: goals and soon a plan, or a question back."""
        return self._take(text, None, by)

    def _take(self, text: str, read: Grounding | None, by: str) -> MissionRecord:
        """Take in an instruction that was read already, or is to be."""
        with self._lock:
            if self.team is None:
                raise Refused("no team is known; start the console with --robots FILE")
            if not text.strip():
                raise Refused("say what is to be done")
            self._free("say something new")
            number = 1 if self._record is None else self._record.number + 1
            self._record = record = MissionRecord(number, text.strip(), by=by)
            self._tell(f"{by or 'somebody'} says: {text.strip()}")
        answer = read or self._ground(record.text)
        with self._lock:
            if self._record != record:  # another operator discarded it meanwhile
                return self._known()
            if answer.status != "ok" or not answer.goals:
                self._change(replace(record, answer=answer, reason=answer.message), "question")
                return self._known()
            self._change(record.moved("grounded", answer=answer, goals=dict(answer.goals)))
            self._launch()
            return self._known()

    def choose(self, symbol: str, by: str = "") -> MissionRecord:
        """Answer a question back by one of its candidates: the instruction is said again, naming it."""
        with self._lock:
            record = self._known()
            offered = record.answer.candidates if record.answer is not None else ()
            if record.state != "draft" or symbol not in offered:
                raise Refused(f"nobody is asked about {symbol}")
        found = self._naming(record.text, symbol)
        if found is None:
            raise Refused(f"say it again, naming {symbol}")
        with self._lock:
            if self._record != record:
                raise Refused("another operator was faster")
            self._discard(by)
        return self._take(*found, by)

    def approve(self, number: int, by: str = "", *, plans: int | None = None) -> MissionRecord:
        """Let a planned mission begin; only the first to approve what is shown has an effect."""
        with self._lock:
            record = self._record
            if record is None or record.number != number:
                raise Refused("another mission is shown by now; look at it first")
            if record.state != "planned":
                raise Refused(f"the mission is {record.state} already")
            if plans is not None and record.plans != plans:
                raise Refused("the plan has changed; look at it first")
            self._change(record.moved("approved", approved_by=by, question=""))
            self._tell(f"{by or 'somebody'} approves")
            self._reply(True)
            return self._known()

    def answer(self, yes: bool, by: str = "") -> None:
        """Answer what a mission under way asks."""
        with self._lock:
            record = self._known()
            if record.state != "running" or not record.question:
                raise Refused("nothing is asked now")
            self._change(replace(record, question=""))
            self._tell(f"{by or 'somebody'} says {'yes' if yes else 'no'}")
            self._reply(yes)

    def discard(self, by: str = "") -> None:
        """Drop a mission that nobody has approved."""
        with self._lock:
            record = self._known()
            if record.state in CARRIED:
                raise Refused("robots carry it out; press Stop")
            if not record.over:
                self._discard(by)

    def stop(self, by: str = "") -> None:
        """Stop all robots; always works, and nothing of the mission is sent any more."""
        drive = self._drive  # no lock: a stop waits for nobody
        why = f"{by or 'an operator'} pressed Stop"
        if drive is not None:
            drive.stop(why)
        with self._lock:
            record = self._record
            if record is None or record.over:
                return
            if record.state in CARRIED:
                if self._drive is not None and self._drive is not drive:
                    self._drive.stop(why)
                self._change(record.moved("stopped", reason=why, question="", paused=False))
                self._tell(f"{why}; nothing more is sent", "end")
            else:
                self._discard(by)
            self._reply(False)

    def pause(self, by: str = "") -> None:
        """Let all robots stand still until somebody goes on."""
        with self._lock:
            drive, record = self._under_way()
            if not record.paused:
                drive.pause()
                self._change(replace(record, paused=True))
                self._tell(f"{by or 'somebody'} pauses")

    def go_on(self, by: str = "") -> None:
        """Go on after a pause."""
        with self._lock:
            drive, record = self._under_way()
            if record.paused:
                drive.go_on()
                self._change(replace(record, paused=False))
                self._tell(f"{by or 'somebody'} goes on")

    def reopen(self, folder: Path, by: str = "") -> MissionRecord:
        """Take up a mission that was interrupted; approved again, it goes on where its journal ends."""
        with self._lock:
            self._free("take up another mission")
            begun = read_begun(folder)
            plans = [t for s in read_steps(folder) for t in s.told if isinstance(t, Planned)]
            number = 1 if self._record is None else self._record.number + 1
            text = begun.name if not plans else f"{begun.name}, taken up again"
            record = MissionRecord(number, text, by=by).moved("grounded", goals=dict(begun.goals))
            self._drive = Drive(folder, None, _Ears(self, number, resumed=True), pace=self._pace)
            tasks = plans[-1].tasks if plans else ()
            self._change(record.moved("planned", name=folder.name, tasks=tasks, plans=len(plans)))
            self._drive.begin()
            return self._known()

    def close(self) -> None:
        """Stop what is under way and wait until everything stands still; the console ends."""
        self.stop("the console")
        drive = self._drive
        if drive is not None:
            drive.wait(WIND_DOWN_S)

    # ---- what the mission's thread tells ----

    def asked(self, number: int, question: str) -> bool:
        """Show a mission's question, wait for an answer, and return it."""
        with self._lock:
            record = self._record
            if record is None or record.number != number or record.over:
                return False
            self._answer = None
            if record.state == "grounded":
                self._change(record.moved("planned", question=question))
                self._tell("a plan is ready; nothing is sent before it is approved", "question")
            elif record.state == "running":
                self._change(replace(record, question=question))
                self._tell(question, "question")
            self._answered.wait_for(lambda: self._answer is not None or self._over(number))
            return self._take_answer(number)

    def stepped(self, number: int, step: Step) -> None:
        """Take in what a step of the mission brought."""
        with self._lock:
            record = self._record
            if record is None or record.number != number:
                return
            for line in explained([step]):
                text = line.partition(" s  ")[2]
                if text.startswith(KNOWN):
                    continue
                self._tell(text, _kind(text), step.time_s)
            for told in step.told:
                if isinstance(told, Planned) and not told.reason:
                    self._planned(told, step.time_s)
            if any(isinstance(told, Heard) for told in step.told):
                self._changed()

    def ended(self, number: int, end: End) -> None:
        """Take in how a mission ended, and keep the world as it left it."""
        with self._lock:
            drive, record = self._drive, self._record
            if drive is not None and self.team is not None and drive.acted():
                self.graph = graph_after(self.graph, drive.mission)
                self.team = team_after(self.team, drive.mission)
                self._reader = None
            self._drive = None
            if record is None or record.number != number or record.over:
                return self._changed()
            state: State = ENDS.get(end.status, "failed")
            if state == "done" and record.state != "running":
                state = "failed"
            if state == "stopped" and record.state not in CARRIED:
                state = "discarded"
            self._change(
                record.moved(state, reason=end.reason, question="", paused=False), kind="end"
            )

    # ---- inside ----

    def _ground(self, text: str) -> Grounding:
        try:
            return self._read(text)
        except CommongroundError as error:
            return Grounding("failed", None, str(error), understood=False)

    def _read(self, text: str) -> Grounding:
        if self._reader is None:
            if self.team is None:
                raise Refused("no team is known; start the console with --robots FILE")
            self._reader = self._make_reader(self.graph, self.team)
        return self._reader.ground(text)

    def _naming(self, text: str, symbol: str) -> tuple[str, Grounding] | None:
        """Return the instruction with a symbol behind the words it answers for; None if that is unclear.

        An answer adds no reference: of all places where the symbol could stand, those count that leave
        the fewest references, and they have to mean the same, to the grammar, which reads all or nothing.
        """
        words = text.split()
        if self.team is None:
            return None
        strict = Grounder(self.graph, self.team, GroundingSettings(reader="grammar"))
        found: list[tuple[int, str, str, Grounding]] = []
        for k, word in enumerate(words):
            end = word.rstrip(".,;:!?")
            said = " ".join([*words[:k], f"{end} {symbol}{word[len(end) :]}", *words[k + 1 :]])
            answer = strict.ground(said)
            if answer.status == "ok" and symbol in str(answer.goals):
                found.append((len(answer.reasons), str(answer.goals), said, answer))
        fewest = min((f[0] for f in found), default=0)
        best = [f for f in found if f[0] == fewest]
        return best[-1][2:] if len({f[1] for f in best}) == 1 else None

    def _launch(self) -> None:
        """Let the mission be planned, in a thread that goes on once it is approved."""
        record = self._known()
        if self.team is None or record.goals is None:
            raise Refused("no team is known; start the console with --robots FILE")
        name = self._fresh_name()
        folder = within(self.missions, name)
        try:
            keep_world(folder, self.graph, self.team)
            first = header(name, record.goals, record.text, "sim", self._seed, ())
            drive = Drive(folder, first, _Ears(self, record.number), pace=self._pace)
        except CommongroundError as error:
            self._change(record.moved("failed", reason=str(error)), "error")
            return
        self._drive = drive
        self._change(replace(record, name=name))
        drive.begin()

    def _fresh_name(self) -> str:
        name, k = time.strftime("%Y%m%d-%H%M%S"), 1
        while within(self.missions, name).exists():
            k += 1
            name = time.strftime("%Y%m%d-%H%M%S") + f"-{k}"
        return name

    def _planned(self, told: Planned, now_s: float) -> None:
        """Show the plan that holds now, and what is otherwise than in the one before."""
        record, drive = self._known(), self._drive
        if drive is None:
            return
        done = [task.key for task in drive.mission.done]
        known = {task.key: task for task in record.tasks}
        left = drive.queued()
        new = [t if t.key in known else _at(t, now_s) for t in left]
        if record.plans:
            before = [t for t in record.tasks if t.key not in done]
            for line in changes_of(before, new):
                self._tell(line, "change", now_s)
        for part, why in told.given_up:
            self._tell(f"given up: {part} ({why})", "change", now_s)
        finished = [known[key] for key in done if key in known]
        self._change(replace(record, tasks=(*finished, *new), plans=record.plans + 1))

    def _take_answer(self, number: int) -> bool:
        """Return the operators' answer; a mission that was approved is running from here on."""
        record = self._record
        if record is None or record.number != number or record.over:
            return False
        if record.state == "approved":
            self._change(record.moved("running"))
            return True
        return bool(self._answer)

    def _over(self, number: int) -> bool:
        record = self._record
        return (
            record is None or record.number != number or record.over or record.state == "approved"
        )

    def _reply(self, yes: bool) -> None:
        self._answer = yes
        self._answered.notify_all()

    def _discard(self, by: str) -> None:
        drive = self._drive
        self._change(self._known().moved("discarded", reason=f"{by or 'somebody'} discarded it"))
        if drive is not None:
            drive.stop("discarded before anybody approved")
        self._reply(False)

    def _free(self, what: str) -> None:
        """Drop a mission that nobody approved; Refused while one is carried out."""
        record, drive = self._record, self._drive
        if record is not None and record.state in CARRIED:
            raise Refused(f"a mission is under way; stop it, or wait for its end, to {what}")
        if record is not None and not record.over:
            self._discard("")
        if drive is not None and not self._ends(drive):
            raise Refused("the last mission is still ending; try again")

    def _ends(self, drive: Drive) -> bool:
        """Return whether a mission's thread ends soon; it may need the lock for that."""
        self._answered.wait_for(lambda: self._drive is not drive, WIND_DOWN_S)
        return self._drive is not drive

    def _under_way(self) -> tuple[Drive, MissionRecord]:
        record = self._known()
        if self._drive is None or record.state not in CARRIED:
            raise Refused("no mission is under way")
        return self._drive, record

    def _known(self) -> MissionRecord:
        if self._record is None:
            raise Refused("there is no mission yet")
        return self._record

    def _change(self, record: MissionRecord, kind: str = "") -> None:
        self._record = record
        if kind and record.reason:
            self._tell(record.reason, kind)
        self._changed()

    def _tell(self, text: str, kind: str = "note", time_s: float = -1.0) -> None:
        self.events.append(Event(time_s, text, kind))
        self._changed()

    def _changed(self) -> None:
        self.changes += 1
        self._answered.notify_all()
        for listener in self._listeners:
            listener()


@dataclass(frozen=True, slots=True)
class _Ears:
    """What a mission's thread tells, with the number of the mission."""

    station: Station
    number: int
    resumed: bool = False

    def asked(self, question: str) -> bool:
        """Return the operators' answer."""
        return self.station.asked(self.number, question)

    def stepped(self, step: Step) -> None:
        """Pass a step on."""
        self.station.stepped(self.number, step)

    def ended(self, end: End) -> None:
        """Pass the end on."""
        self.station.ended(self.number, end)


def _at(task: Task, now_s: float) -> Task:
    """Return a task of a plan that begins now with the mission's times."""
    return replace(task, start_s=task.start_s + now_s, end_s=task.end_s + now_s)


def _kind(text: str) -> str:
    if text.startswith("over:"):
        return "end"
    return "change" if text.startswith("the mission ") else "note"
