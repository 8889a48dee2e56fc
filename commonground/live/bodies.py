"""What a mission moves: simulated robots in their own time, or real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from commonground.errors import RunError
from commonground.live.folders import ROBOTS, SCENE
from commonground.live.pausing import Gate, HeldLink, PacedClock, RealClock
from commonground.live.real import LIMIT_S as REAL_LIMIT_S
from commonground.live.real import await_ready, reached, stand_where_they_are
from commonground.planning.mission.journal import Step
from commonground.planning.mission.runner import Clock, Runner, replayed
from commonground.planning.mission.simulation import LIMIT_S, reenacted
from commonground.planning.robots.faults import Fault
from commonground.planning.robots.protocol import RobotLink
from commonground.planning.robots.simulated import SimWorld
from commonground.robots import load_team
from commonground.scene import load_scene

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
    folder: Path,
    backend: str,
    faults: Sequence[Fault],
    steps: Sequence[Step],
    pace: float,
    gate: Gate,
) -> Iterator[Bodies]:
    """Reach the robots of a mission; they stand still and are free when the block ends."""
    team, graph = load_team(folder / ROBOTS), load_scene(folder / SCENE)
    if backend == SIMULATED:
        world = SimWorld(graph, team, faults)
        paced = PacedClock(world, pace, gate)
        yield Bodies(world.robots, paced, LIMIT_S, world, partial(_reenact, world))
        return
    with reached(team, backend, folder, folder.name, graph) as robots:
        await_ready(robots)
        if not steps:
            stand_where_they_are(folder, robots)
        held = {name: HeldLink(robot, gate) for name, robot in robots.items()}
        clock = RealClock(steps[-1].time_s if steps else 0.0, gate)
        yield Bodies(held, clock, REAL_LIMIT_S, None, partial(_remember, folder))


def _reenact(world: SimWorld, runner: Runner, steps: Sequence[Step]) -> None:
    reenacted(runner, world, steps)


def _remember(folder: Path, runner: Runner, steps: Sequence[Step]) -> None:
    """Take in what was; real robots did it, and do nothing again."""
    if replayed(runner.mission, steps) >= 0:
        raise RunError(f"{folder}: its journal is of another version, and cannot be gone on with")
