"""What a mission at the console moves: simulated robots in their own time, or real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from commonground.console.pausing import Gate, HeldLink, PacedClock, RealClock
from commonground.errors import RunError
from commonground.live.folders import ROBOTS, read_begun
from commonground.live.real import LIMIT_S as REAL_LIMIT_S
from commonground.live.real import reached, stand_where_they_are
from commonground.planning.mission.journal import Step
from commonground.planning.mission.runner import Clock, Runner, replayed
from commonground.planning.mission.simulation import LIMIT_S, reenacted
from commonground.planning.robots.protocol import RobotLink
from commonground.planning.robots.simulated import SimWorld
from commonground.robots import load_team

SIMULATED = "sim"


class Bodies(NamedTuple):
    """Robots that were reached, and their time."""

    links: Mapping[str, RobotLink]
    clock: Clock
    limit_s: float
    world: SimWorld | None
    """Where robots are simulated."""
    relive: Callable[[Runner, Sequence[Step]], None]
    """Brings a mission to where its journal ends."""


@contextmanager
def bodies_of(
    folder: Path, backend: str, steps: Sequence[Step], pace: float, gate: Gate
) -> Iterator[Bodies]:
    """Reach the robots of a mission; they stand still and are free when the block ends."""
    if backend == SIMULATED:
        yield _simulated(folder, pace, gate)
        return
    team = load_team(folder / ROBOTS)
    with reached(team, backend, folder, folder.name) as robots:
        if not steps:
            stand_where_they_are(folder, robots)
        held = {name: HeldLink(robot, gate) for name, robot in robots.items()}
        clock = RealClock(steps[-1].time_s if steps else 0.0, gate)
        yield Bodies(held, clock, REAL_LIMIT_S, None, _remember)


def _simulated(folder: Path, pace: float, gate: Gate) -> Bodies:
    begun = read_begun(folder)
    world = SimWorld(begun.graph, begun.team, begun.faults)

    def relive(runner: Runner, steps: Sequence[Step]) -> None:
        reenacted(runner, world, steps)

    return Bodies(world.robots, PacedClock(world, pace, gate), LIMIT_S, world, relive)


def _remember(runner: Runner, steps: Sequence[Step]) -> None:
    """Take in what was; real robots did it, and do nothing again."""
    if replayed(runner.mission, steps) >= 0:
        raise RunError("the journal is of another version, and cannot be gone on with")
