"""A mission that hears what is said at its own terminal while robots drive, as the console does."""

from __future__ import annotations

import queue
import threading
from collections import deque
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from commonground.errors import CommongroundError
from commonground.live.acts import Desk, note_down
from commonground.live.bodies import Bodies
from commonground.live.control import answer, asks_progress, control
from commonground.live.faring import faring
from commonground.live.folders import Begun
from commonground.live.heeding import calls_heard, heed, is_ban, quoted, unclear
from commonground.live.joining import read_besides, taken
from commonground.live.pausing import Gate
from commonground.planning.mission.events import Join
from commonground.planning.mission.journal import read_header
from commonground.planning.mission.runner import Runner

if TYPE_CHECKING:
    from commonground.grounding.answers import Grounding


class _Said(NamedTuple):
    text: str
    by: str
    held: bool
    """Whether robots stand because of it."""


class Listening:
    """Holds robots up by words, and lets others join what they do."""

    def __init__(self, folder: Path, begun: Begun, desk: Desk, gate: Gate, bodies: Bodies) -> None:
        self._folder, self._begun, self._desk = folder, begun, desk
        self._gate, self._bodies = gate, bodies
        self._first = str(read_header(folder).get("instruction", ""))
        self._runner: Runner | None = None
        self._joining = deque[Join]()
        self._to_read = queue.SimpleQueue[_Said | None]()
        self._meant: Grounding | None = None
        """What somebody is asked whether it is meant, for the words behind it."""
        self._asked = _Said("", "", held=False)
        self._open = ExitStack()

    def __enter__(self) -> Listening:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def begin(self, runner: Runner) -> None:
        """Hear what is said from now on: a plan is approved, and robots drive."""
        if self._runner is not None:
            return
        self._runner = runner
        threading.Thread(target=self._reads, name="reading", daemon=True).start()
        self._open.callback(self._to_read.put, None)
        self._open.enter_context(calls_heard(self._folder, self.hear))
        if self._desk.terminal is not None:
            self._open.enter_context(
                self._desk.terminal.opened(lambda text: self.hear(text, self._desk.by), self._left)
            )

    def next_words(self) -> Join | None:
        """Return what is wanted besides, said here or left by another program."""
        return self._joining.popleft() if self._joining else taken(self._folder)

    def hear(self, text: str, by: str) -> None:
        """Do at once what words say to all robots; what they want besides is read in its own thread."""
        if not text.strip():
            return
        yes = answer(text)
        if yes is not None and self._meant is not None:
            found, self._meant = self._meant, None
            return self._take(found, self._asked) if yes else self._desk.tell("it is left out")
        names = [robot.name for robot in self._begun.team]
        if self._runner is not None and asks_progress(text, names):
            return self._desk.tell(faring(self._runner.mission, self._runner.heard))
        meant = heed(self, text, by, names, going=True)
        if not meant or (meant == "pause" and not control(text, names)):
            self._to_read.put(_Said(text, by, bool(meant)))

    # ---- the reins ----

    def stop(self, by: str = "", *, said: str = "") -> None:
        """Stop all robots; the mission ends."""
        self._gate.stop()
        if self._runner is not None:
            self._runner.stop(f"{by} said {quoted(said)}")
        self._did(by, f"stops all robots, saying {quoted(said)}")

    def pause(self, by: str = "", *, said: str = "") -> None:
        """Let all robots stand until somebody goes on."""
        stood = self._gate.paused
        self._gate.pause(self._bodies.halt)
        ends = "" if control(said) == "pause" else " (“go on” ends it)"
        does = "says {}: all robots stand already" if stood else "pauses, saying {}" + ends
        self._did(by, does.format(quoted(said)))

    def go_on(self, by: str = "", *, said: str = "") -> None:
        """Go on after a pause."""
        stood = self._gate.paused
        self._gate.go_on()
        does = "goes on, saying {}" if stood else "says {}: nobody has paused"
        self._did(by, does.format(quoted(said)))

    # ---- inside ----

    def _reads(self) -> None:
        """Read one text after another, until there are no more."""
        while (said := self._to_read.get()) is not None:
            try:
                if said.held and not is_ban(said.text, self._begun.graph, self._read):
                    self._ask(unclear(said.text))
                else:
                    self._take(self._read(said.text), said)
            except CommongroundError as error:
                self._ask(f"{quoted(said.text)} is not taken in: {error}")

    def _read(self, text: str) -> Grounding:
        if self._desk.terminal is None or self._runner is None:
            raise CommongroundError("nobody reads instructions here")
        graph, team, mission = self._begun.graph, self._begun.team, self._runner.mission
        return read_besides(self._desk.terminal.reader, graph, team, mission, self._first, text)

    def _take(self, found: Grounding, said: _Said) -> None:
        """Let words join the mission, or ask back."""
        if found.status == "ok" and found.goals:
            told = f" (told: {found.message})" if found.message else ""
            self._did(said.by, f"says: {said.text}{told}")
            more = Join(said.text, said.by, found.goals, tuple(found.order), found.leeway)
            return self._joining.append(more)
        self._meant, self._asked = found.meant, said
        yes_no = " [y/N]" if found.meant is not None else ""
        self._ask(f"{quoted(said.text)} is not taken in yet: {found.message}{yes_no}")

    def _left(self) -> None:
        """Tell how to go on where nobody types any more."""
        if self._gate.paused:
            self._ask(
                "nothing more is typed here, and all robots stand: commonground mission --join "
                f"{self._begun.name} “go on” ends that, and Ctrl-C here ends the mission"
            )

    def _ask(self, question: str) -> None:
        if self._desk.terminal is not None:
            self._desk.terminal.warn(question)
        note_down(self._folder, "the mission", f"asks: {question}")

    def _did(self, by: str, what: str) -> None:
        note_down(self._folder, by, what)
        self._desk.tell(f"{by} {what}")
