"""What carries missions out: a folder for each, the drive begun in it, and the way to answer that."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from commonground.console.board import Board, Refused
from commonground.console.conduct import Conduct
from commonground.console.drive import Drive
from commonground.console.logged import INTERRUPTED, outcome
from commonground.console.plan_shown import after_step
from commonground.console.record import MissionRecord
from commonground.console.saying import says
from commonground.console.site import Site, keep_world
from commonground.errors import CommongroundError
from commonground.grounding.answers import Grounding
from commonground.live.acts import note_down
from commonground.live.folders import header, read_begun
from commonground.names import within
from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import Join
from commonground.planning.mission.journal import read_header, read_steps
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.settings import MissionSettings
from commonground.planning.scene.wording import in_words
from commonground.robots import Team

WIND_DOWN_S = 5.0
UNBEGUN = "it could not be begun, by an error of this program; the log has it"
UNREAD = Grounding(
    "failed", None, "it could not be read, by an error of this program; the log has it"
)
"""What is answered where reading fails, with whatever error."""


def agreed(answer: Grounding, meant: Grounding | None) -> Grounding:
    """Return an answer, or the reading that it asks about where somebody said yes to just that."""
    if meant is None or answer.meant is None or answer.meant.goals != meant.goals:
        return answer
    return answer.meant


class Launcher:
    """Begins one mission at a time."""

    def __init__(
        self,
        board: Board,
        site: Site,
        missions: Path,
        backend: str,
        seed: int,
        pace: float,
        limits: MissionSettings,
    ) -> None:
        self._board, self._site, self._missions = board, site, missions
        self._backend, self._seed, self._limits = backend, seed, limits
        self.pace = pace
        """Seconds of a simulated world that pass in one of the operators'; holds for missions to come."""
        self._conduct: Conduct | None = None
        self.call: Callable[[str, str], object] = lambda text, by: None
        """Told what other programs say to robots that drive, and by whom."""

    @property
    def drive(self) -> Drive | None:
        """What carries out the mission that is under way."""
        return None if self._conduct is None else self._conduct.drive

    def launch(self, team: Team) -> None:
        """Let the mission of now be planned, in a thread that goes on once it is approved."""
        board = self._board
        record, name = board.known(), self._fresh_name()
        folder = within(self._missions, name)
        why = UNBEGUN
        try:
            keep_world(folder, self._site.graph, team)
            told = record.goals or {}, record.order, record.said
            first = header(name, *told, self._backend, self._seed, (), record.leeway, self._limits)
            drive = self.driven(record.number, folder, first)
            board.change(replace(record, name=name))
            note_down(folder, record.by or "somebody", says(record.said, record.answer))
            drive.begin()
            why = ""
        except CommongroundError as error:
            why = str(error)
        finally:
            if why:
                board.change(board.known().moved("failed", reason=why), "error")

    def read(self, team: Team, record: MissionRecord, *, besides: bool) -> Grounding:
        """Return what an instruction means, or what it wants besides of the mission under way."""
        drive = self.drive  # it may end meanwhile
        mission = None if drive is None else drive.mission
        if not besides or drive is None or mission is None:
            return self._site.read(team, record.text, record.chosen)
        first = str(read_header(drive.folder).get("instruction", ""))
        return self._site.read_besides(mission, first, record.text, record.chosen)

    def join(self) -> None:
        """Let what is wanted besides be planned with the mission under way."""
        draft, drive = self._board.draft, self.drive
        if draft is not None and drive is not None:
            goals, order = draft.goals or {}, tuple(draft.order)
            drive.join(Join(draft.said, draft.by, goals, order, draft.leeway))

    def take_up(self, folder: Path, by: str) -> Drive:
        """Show a mission that was interrupted, and return what carries it on."""
        begun, steps = read_begun(folder), list(read_steps(folder))
        how = outcome(steps)
        if how != INTERRUPTED:
            raise Refused(f"mission {folder.name} is {how}; only one that was interrupted goes on")
        mission = Mission(
            SceneBelief.of(begun.graph, begun.team, begun.goals, begun.order, begun.leeway),
            begun.limits,
        )
        said = str(read_header(folder).get("instruction", "")) or "; ".join(
            f"{name}: {in_words(goal, begun.graph)}" for name, goal in begun.goals.items()
        )
        record = MissionRecord(self._board.next_number(), said, by=by, name=folder.name)
        record = record.moved("grounded", goals=dict(begun.goals))
        for step in steps:
            mission.step(step.time_s, step.told)
            record = after_step(record, mission, step)
        drive = self.driven(record.number, folder, None)
        if record.plans:  # else it is planned first: nobody approves what was never shown
            record = record.moved("planned", again=True)
        self._board.open(record, besides=False)
        self._board.change(record)
        return drive

    def driven(self, number: int, folder: Path, first: dict[str, Any] | None) -> Drive:
        """Return what carries out a mission, and let it be heard."""
        conduct = Conduct(self._board, self._site, number)
        drive = Drive(folder, first, conduct, self.call, backend=self._backend, pace=self.pace)
        conduct.drive, self._conduct = drive, conduct
        return drive

    def reply(self, yes: bool) -> None:
        """Answer what the mission asks, if there is one."""
        if self._conduct is not None:
            self._conduct.reply(yes)

    def ends(self) -> bool:
        """Return whether the last mission has ended, or does so soon."""
        return self._conduct is None or self._conduct.ends_within(WIND_DOWN_S)

    def _fresh_name(self) -> str:
        name, k = time.strftime("%Y%m%d-%H%M%S"), 1
        while within(self._missions, name).exists():
            k += 1
            name = time.strftime("%Y%m%d-%H%M%S") + f"-{k}"
        return name
