"""The page's log of missions: opened, replayed at any of their moments, and taken up again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from commonground.console import words
from commonground.console.logged import listed
from commonground.console.replay import Replay
from commonground.names import within
from commonground.planning.mission.explain import explained
from commonground.planning.mission.journal import read_header, read_steps

if TYPE_CHECKING:
    from pathlib import Path

    from commonground.console.record import MissionRecord
    from commonground.console.station import Station
    from commonground.console.team_drawing import TeamDrawing

NONE = "none yet"

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
        add_button("Open", self._open)
        add_button("Take up again", self._take_up)
        self._at = gui.add_slider("Replay at (s)", 0.0, 1.0, 0.2, 0.0, disabled=True)
        self._past = gui.add_html("")
        self._replay: Replay | None = None
        self._at.on_update(self._show_moment)

    def refresh(self, record: MissionRecord | None) -> None:
        """List the missions anew with each step of the one that is open."""
        now = (0, "") if record is None else (record.number, record.state)
        if now == self._listed:
            return
        self._listed = now
        going = "" if record is None or record.over else record.name
        newest, chosen = next(iter(self._names.values()), ""), self._chosen()
        self._names = listed(self._station.missions, going)
        lines = list(self._names) or [NONE]
        self._missions.options = lines
        # who looks at an older one goes on with it, unless another mission has come
        same = newest == next(iter(self._names.values()), "")
        self._missions.value = next(
            (line for line, name in self._names.items() if same and name == chosen), lines[0]
        )

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
        self._past.content = words.lines([f"“{said}”", *explained(steps)])
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
