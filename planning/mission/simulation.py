"""A mission carried out by simulated robots in simulated time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import End
from commonground.planning.mission.journal import Journal, Step
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.runner import STEP_S, Operator, Planner, Runner
from commonground.planning.mission.scene_planner import ScenePlanner
from commonground.planning.mission.settings import DEFAULTS, MissionSettings
from commonground.planning.robots.faults import Fault
from commonground.planning.robots.simulated import SimWorld
from commonground.planning.scene.precedence import Before
from commonground.robots import Team
from commonground.scene import SceneGraph

LIMIT_S = 3600.0
"""Simulated missions are over after an hour."""


class SimClock:
    """Time that passes in a simulated world when somebody waits, as fast as it goes.

    While a plan is made the world stands still.
    """

    def __init__(self, world: SimWorld) -> None:
        self._world = world

    def now_s(self) -> float:
        """Return the world's time."""
        return self._world.now_s

    def wait(self, seconds: float) -> None:
        """Let the world go on."""
        self._world.advance(seconds)


class Simulated(NamedTuple):
    """How a simulated mission went: its end, the loop's state, and the world's own record."""

    end: End
    mission: Mission
    world: SimWorld


def simulate_mission(
    graph: SceneGraph,
    team: Team,
    goals: Mapping[str, str],
    faults: Sequence[Fault] = (),
    *,
    order: Sequence[Before] = (),
    leeway: Mapping[str, str] | None = None,
    planner: Planner | None = None,
    journal: Journal | None = None,
    operator: Operator = lambda question: True,
    settings: MissionSettings = DEFAULTS,
    limit_s: float = LIMIT_S,
) -> Simulated:
    """Carry goals out with simulated robots; the operator says yes to everything unless one is given."""
    world = SimWorld(graph, team, faults)
    mission = Mission(SceneBelief.of(graph, team, goals, order, leeway), settings)
    runner = Runner(
        mission, planner or ScenePlanner(), world.robots, SimClock(world), operator, journal
    )
    return Simulated(runner.run(limit_s), mission, world)


def reenacted(runner: Runner, world: SimWorld, steps: Sequence[Step]) -> None:
    """Bring a simulated world, and the mission in it, to where a journal ends: all happens again."""
    for step in steps:
        while world.now_s < step.time_s - STEP_S / 2:
            world.advance(STEP_S)
        for robot in world.robots.values():
            robot.status()
        runner.again(step)
