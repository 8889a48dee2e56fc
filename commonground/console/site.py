"""What the console works on: the map and the team as they are now, and how words about them are read."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from commonground.errors import CommongroundError, RunError
from commonground.grounding.answers import Grounding
from commonground.live.folders import ROBOTS
from commonground.live.joining import graph_after, read_besides, team_after
from commonground.planning.mission.mission import Mission
from commonground.robots import Team, save_team
from commonground.run_folder import SCENE
from commonground.scene import SceneGraph, save_scene

if TYPE_CHECKING:
    from commonground.grounding.grounder import Grounder


def keep_world(folder: Path, graph: SceneGraph, team: Team) -> None:
    """Write the map (without its mesh) and the team where a mission looks for them."""
    folder.mkdir(parents=True, exist_ok=True)
    save_scene(replace(graph, mesh=None), folder / SCENE)
    save_team(team, folder / ROBOTS)


class Site:
    """Map and team after all that was done so far."""

    def __init__(
        self,
        graph: SceneGraph,
        team: Team | None,
        make_reader: Callable[[SceneGraph, Team], Grounder],
        hear: Callable[[Team, SceneGraph], Team] | None = None,
    ) -> None:
        """``hear`` returns a team where its robots tell that they stand, where they are real ones."""
        self.graph, self.team = graph, team
        self.heard_s: float | None = None
        """When real robots told where they are, on the monotonic clock; None before."""
        self._hear, self._hearing = hear, threading.Lock()
        self._make_reader = make_reader
        self._reader: Grounder | None = None

    def read(self, team: Team, text: str, answers: Sequence[str]) -> Grounding:
        """Return what an instruction means, with what was chosen where it was asked back about."""
        try:
            if self._hear is not None:
                with self._hearing:  # a robot is reached by one at a time
                    team = self.team = self._hear(team, self.graph)
                    self.heard_s, self._reader = time.monotonic(), None
            reader = self._reader  # another thread may begin with a new map meanwhile
            if reader is None:
                reader = self._reader = self._make_reader(self.graph, team)
            return (reader.answering(answers) if answers else reader).ground(text)
        except CommongroundError as error:
            return Grounding("failed", None, str(error), understood=False)

    def read_besides(
        self, mission: Mission, first: str, text: str, answers: Sequence[str]
    ) -> Grounding:
        """Return what an instruction wants besides of a mission under way, as that has map and robots now."""
        try:
            if self.team is None:
                raise RunError("no team is known")
            return read_besides(
                self._make_reader, self.graph, self.team, mission, first, text, answers
            )
        except CommongroundError as error:
            return Grounding("failed", None, str(error), understood=False)

    def renew(self, graph: SceneGraph) -> None:
        """Work on a newer map."""
        self.graph, self._reader = graph, None

    def take_over(self, mission: Mission) -> None:
        """Let things and robots be where a mission left them."""
        if self.team is not None:
            self.graph = graph_after(self.graph, mission)
            self.team = team_after(self.team, mission)
            self.heard_s = None if self._hear is None else time.monotonic()
            self._reader = None
