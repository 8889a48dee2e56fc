"""The page's log of missions: opened, replayed at any of their moments, and taken up again."""

from __future__ import annotations

import bisect
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from commonground.console import words
from commonground.console.drive import Progress
from commonground.console.logged import is_interrupted, listed
from commonground.live.acts import happened
from commonground.names import within
from commonground.planning.mission.events import Heard
from commonground.planning.mission.journal import Step, read_header, read_steps
from commonground.planning.robots.protocol import Status

if TYPE_CHECKING:
    from pathlib import Path

    from commonground.console.record import MissionRecord
    from commonground.console.station import Station
    from commonground.console.team_drawing import TeamDrawing

NONE = "none yet"
LOOK_EVERY_S = 5.0
"""Missions of other programs may come and end meanwhile."""

AddButton = Callable[[str, Callable[[str], Any]], Any]
"""Adds a button that does something for the operator who presses it."""


class LogTab:
    """Missions of before, the newest first."""

    def __init__(
        self, gui: Any, station: Station, team: TeamDrawing, add_button: AddButton
    ) -> None:
        self._station, self._team = station, team
        self._missions = gui.add_dropdown("Mission", [NONE])
        self._names: dict[str, str] = {}
        """Names of missions, by the line that is shown of each."""
        self._listed: tuple[int, str] = (-1, "")
        self._looked = 0.0
        add_button("Open", self._open)
        self._again = add_button("Take up again", self._take_up)
        self._again.disabled = True
        self._missions.on_update(lambda event: self._look_at())
        self._at = gui.add_slider("Replay at (s)", 0.0, 1.0, 0.2, 0.0, disabled=True)
        self._past = gui.add_html("")
        self._replay: Replay | None = None
        self._at.on_update(self._show_moment)

    def refresh(self, record: MissionRecord | None) -> None:
        """List the missions anew with each step of the one that is open, and as others come beside it."""
        now = (0, "") if record is None else (record.number, record.state)
        if now == self._listed and time.monotonic() - self._looked < LOOK_EVERY_S:
            return
        self._listed, self._looked = now, time.monotonic()
        newest, chosen = next(iter(self._names.values()), ""), self._chosen()
        names = listed(self._station.missions)
        if names == self._names:
            return
        self._names = names
        lines = list(self._names) or [NONE]
        self._missions.options = lines
        # who looks at an older one goes on with it, unless another mission has come
        same = newest == next(iter(self._names.values()), "")
        self._missions.value = next(
            (line for line, name in self._names.items() if same and name == chosen), lines[0]
        )

        self._look_at()

    def _look_at(self) -> None:
        """Offer to take up again what may be."""
        self._again.disabled = not is_interrupted(str(self._missions.value))

    def _chosen(self) -> str:
        return self._names.get(str(self._missions.value), "")

    def _folder(self) -> Path | None:
        name = self._chosen()
        return within(self._station.missions, name) if name else None

    def _open(self, who: str) -> None:
        """Show what happened in the mission that is chosen, and let it be replayed."""
        folder = self._folder()
        if folder is None:
            return
        steps = list(read_steps(folder))
        said = str(read_header(folder).get("instruction", ""))
        self._past.content = words.lines([f"“{said}”", *happened(folder)])
        self._replay = Replay(steps)
        self._at.max, self._at.disabled = max(self._replay.end_s, 1.0), False
        self._team.forget()

    def _take_up(self, who: str) -> None:
        folder = self._folder()
        if folder is not None:
            self._station.reopen(folder, who)

    def _show_moment(self, event: Any) -> None:
        if self._replay is not None:
            self._team.place(self._replay.at(float(self._at.value)))


class Replay:
    """What robots told in a mission, by time."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._told: dict[str, tuple[list[float], list[Status]]] = {}
        self.end_s = steps[-1].time_s if steps else 0.0
        for step in steps:
            for told in step.told:
                if isinstance(told, Heard):
                    times, statuses = self._told.setdefault(told.robot, ([], []))
                    times.append(step.time_s)
                    statuses.append(told.status)

    def at(self, time_s: float) -> dict[str, Progress]:
        """Return what was known of each robot at a time."""
        found = {}
        for name, (times, statuses) in self._told.items():
            k = bisect.bisect_right(times, time_s) - 1
            if k >= 0:
                found[name] = Progress(statuses[k], statuses[k].order, 0, 0)
        return found
