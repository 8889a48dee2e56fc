"""What a mission moves: simulated robots in their own time, or real ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from commonground.errors import RunError
from commonground.live.folders import ROBOTS, forget_letters, read_begun
from commonground.live.pausing import Gate, HeldLink, PacedClock, RealClock
from commonground.live.real import LIMIT_S as REAL_LIMIT_S
from commonground.live.real import await_ready, checked, commander_of, reached, stand_where_they_are
from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import Ask, Join, Planned, StopPressed
from commonground.planning.mission.journal import Journal, Step
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.ready import get_ready_meanwhile
from commonground.planning.mission.runner import Clock, Runner, replayed, stop_all
from commonground.planning.mission.scene_planner import ScenePlanner
from commonground.planning.mission.simulation import LIMIT_S, reenacted
from commonground.planning.mission.views import View
from commonground.planning.robots.faults import Fault
from commonground.planning.robots.live import LiveRobot
from commonground.planning.robots.protocol import RobotError, RobotLink, Status
from commonground.planning.robots.simulated import SimWorld
from commonground.planning.scene.precedence import TEAM
from commonground.robots import SIMULATED
from commonground.signals import ended_by_signal


class Bodies(NamedTuple):
    """Robots that were reached, and their time."""

    links: Mapping[str, RobotLink]
    clock: Clock
    limit_s: float
    world: SimWorld | None
    """Where robots are simulated."""
    relive: Callable[[Runner, Sequence[Step]], None]
    """Brings a mission to where its journal ends."""
    taken: Sequence[str] = ()
    """What is taken away from whom once it is approved."""
    check: Callable[[Collection[str]], Sequence[str]] = lambda wanted: ()
    """Returns what is taken away from whom for what is wanted besides; RobotError where one may not be."""
    seen: Callable[[], Mapping[str, Status]] = dict
    """Returns what real robots tell right now, also where the mission waits and hears nobody."""

    def halt(self) -> None:
        """Let real robots stand; simulated ones do where their time stands still."""
        if self.world is None:
            stop_all(list(self.links.values()))

    def runner(
        self,
        folder: Path,
        journal: Journal,
        operator: Callable[[Mission, str], bool | StopPressed],
        more: Callable[[], Join | None],
    ) -> Runner:
        """Return what carries the mission of a folder out; it plans for no robot that may not be taken."""
        begun = read_begun(folder)  # real robots stand where they stand by now
        told = begun.goals, begun.order, begun.leeway
        mission = Mission(SceneBelief.of(begun.graph, begun.team, *told), begun.limits)
        forget_letters(folder)
        if self.world is None:
            journal.note_clock()
        get_ready_meanwhile()
        planner = _Minding(ScenePlanner(begun.seed), self.check)
        asked = partial(operator, mission)
        return Runner(mission, planner, self.links, self.clock, asked, journal, begun.name, more)


class _Minding(NamedTuple):
    planner: ScenePlanner
    check: Callable[[Collection[str]], Sequence[str]]

    def plan(self, belief: SceneBelief, ask: Ask, views: Mapping[str, View]) -> Planned:
        """Return a plan, or why there is none; with more, it tells from whom robots are taken away."""
        found = self.planner.plan(belief, ask, views)
        if ask.rung != "join" or found.reason:
            return found
        try:
            told = self.check({task.robot for task in found.tasks})
        except RobotError as error:
            return Planned(ask.request, reason=str(error))
        return replace(found, remarks=(*told, *found.remarks))


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
    begun = read_begun(folder)
    if backend == SIMULATED:
        world = SimWorld(begun.graph, begun.team, faults)
        paced = PacedClock(world, pace, gate)
        with ended_by_signal():
            yield Bodies(world.robots, paced, LIMIT_S, world, partial(_reenact, world))
        return
    with ExitStack() as stack:
        try:
            each = reached(begun.team, backend, folder, commander_of(folder), begun.graph)
            robots = stack.enter_context(each)
            taken = checked(robots, robots if TEAM in begun.goals else begun.goals)
            await_ready(robots)
        except RobotError as error:
            where = f" (a mission that goes on reads {folder / ROBOTS})" if steps else ""
            raise RobotError(f"{error}{where}") from error
        if not steps:
            stand_where_they_are(folder, robots)
        held = {name: HeldLink(robot, gate) for name, robot in robots.items()}
        clock = RealClock(steps[-1].time_s if steps else 0.0, gate)
        relive = partial(_remember, folder)
        yield Bodies(
            held,
            clock,
            REAL_LIMIT_S,
            None,
            relive,
            taken,
            partial(_taken_from, robots),
            partial(_seen, robots),
        )


def _seen(robots: Mapping[str, LiveRobot]) -> dict[str, Status]:
    return {name: robot.seen() for name, robot in robots.items()}


def _taken_from(robots: Mapping[str, LiveRobot], wanted: Collection[str]) -> list[str]:
    return checked({name: robots[name] for name in robots if name in wanted}, wanted)


def _reenact(world: SimWorld, runner: Runner, steps: Sequence[Step]) -> None:
    reenacted(runner, world, steps)


def _remember(folder: Path, runner: Runner, steps: Sequence[Step]) -> None:
    """Take in what was; real robots did it, and do nothing again."""
    if replayed(runner.mission, steps) >= 0:
        raise RunError(f"{folder}: its journal is of another version, and cannot be gone on with")
