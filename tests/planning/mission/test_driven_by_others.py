"""A robot that only stands by, and that somebody else drives: others keep away from it while it moves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import End
from commonground.planning.mission.journal import Journal, Step, read_steps
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.runner import Runner, replayed
from commonground.planning.mission.scene_planner import ScenePlanner
from commonground.planning.mission.simulation import SimClock
from commonground.planning.robots.simulated import SimWorld
from tests.planning.mission.scenes import grid, place, team

GOALS = {"anna": f"(visited-place {place(6, 0)})"}


class Driven(SimWorld):
    """A world in which bert is driven straight to a point by somebody whom the mission does not know."""

    def __init__(self, to: tuple[float, float]) -> None:
        super().__init__(grid(), team(anna=(0, 0), bert=(3, 3)))
        self.to = np.array([*to, 0.0])
        self.nearest_m = np.inf
        """Between the two while bert moves."""

    def advance(self, seconds: float) -> None:
        """Let the world go on."""
        super().advance(seconds)
        anna, bert = self.robots["anna"], self.robots["bert"]
        left = self.to - bert.position
        left_m = float(np.linalg.norm(left))
        if left_m > 0.0:
            bert.position = bert.position + left * min(1.0, seconds / left_m)
            gap_m = float(np.linalg.norm(anna.position - bert.position))
            self.nearest_m = min(self.nearest_m, gap_m)


def carried_out(folder: Path, world: Driven) -> tuple[End, list[str], list[Step]]:
    """Return how the mission ended, what was noticed, and its steps."""
    mission = Mission(SceneBelief.of(grid(), team(anna=(0, 0), bert=(3, 3)), GOALS))
    journal = Journal(folder, {"mission": "test"})
    links, clock = world.robots, SimClock(world)
    end = Runner(mission, ScenePlanner(), links, clock, lambda question: True, journal).run(300.0)
    journal.close()
    steps = list(read_steps(folder))
    return end, [d["text"] for s in steps for d in s.decided if d["kind"] == "note"], steps


@pytest.mark.parametrize(
    "to", [(6.0, -4.0), (2.0, 2.0), (12.0, 2.0)], ids=["by", "beside", "there"]
)
def test_others_keep_away_while_it_moves_and_pass_it_where_it_was_left(
    tmp_path: Path, to: tuple[float, float]
) -> None:
    world = Driven(to)
    end, noted, steps = carried_out(tmp_path, world)
    assert end.status == "done", end
    assert world.nearest_m > 1.9, "one of them at least stood"
    assert "bert was left where it is by whoever drove it" in noted
    again = Mission(SceneBelief.of(grid(), team(anna=(0, 0), bert=(3, 3)), GOALS))
    assert replayed(again, steps) == -1
