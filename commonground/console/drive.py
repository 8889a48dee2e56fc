"""A mission under way: carried out in a thread of its own, which the operators pause, resume and stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from commonground.errors import CommongroundError, RunError
from commonground.live.folders import read_begun
from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import Decision, End, Input, to_json
from commonground.planning.mission.journal import Journal, Step, read_steps
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.runner import Clock, Runner
from commonground.planning.mission.scene_planner import ScenePlanner
from commonground.planning.mission.simulation import LIMIT_S, reenacted
from commonground.planning.mission.task import Task
from commonground.planning.robots.protocol import Status
from commonground.planning.robots.simulated import SimWorld

SIMULATED = "sim"
"""The one backend that the console drives so far."""
AGAIN = "It was interrupted. Go on where it ended?"


class Listener(Protocol):
    """Hears of a mission from its thread."""

    def asked(self, question: str) -> bool:
        """Return the operators' answer; waits for it."""
        ...

    def stepped(self, step: Step) -> None:
        """Take in a step that is in the journal now."""
        ...

    def ended(self, end: End) -> None:
        """Take in how the mission ended."""
        ...


class PacedClock:
    """Time of a simulated world beside that of the operators; it stands still while paused."""

    def __init__(self, world: SimWorld, pace: float) -> None:
        self._world, self._pace = world, pace
        self._going = threading.Event()
        self._going.set()
        self._stopped = threading.Event()

    def now_s(self) -> float:
        """Return the time of the world."""
        return self._world.now_s

    def wait(self, seconds: float) -> None:
        """Let as much time pass for operators and world, once nobody has it paused."""
        self._stopped.wait(seconds / self._pace)
        self._going.wait()
        if not self._stopped.is_set():
            self._world.advance(seconds)

    def pause(self) -> None:
        """Let the world stand still."""
        self._going.clear()

    def go_on(self) -> None:
        """Let time pass again."""
        self._going.set()

    def stop(self) -> None:
        """Wait for nothing any more."""
        self._stopped.set()
        self._going.set()


class _Heard(Journal):
    """A journal that tells of each step once it is on the disk."""

    def __init__(
        self, folder: Path, header: Mapping[str, Any] | None, tell: Callable[[Step], None]
    ) -> None:
        super().__init__(folder, header)
        self._tell = tell

    def write(self, time_s: float, told: Sequence[Input], decided: Sequence[Decision]) -> None:
        """Write a step, then tell of it."""
        super().write(time_s, told, decided)
        self._tell(Step(time_s, tuple(told), tuple(to_json(d) for d in decided)))


@dataclass(frozen=True, slots=True)
class Progress:
    """How one robot fares."""

    status: Status
    task: str
    """What it does now; empty for nothing."""
    done: int
    """Tasks that it has finished."""
    left: int


class Drive:
    """One mission, begun or gone on with; it ends standing still, whatever happens."""

    def __init__(
        self,
        folder: Path,
        header: Mapping[str, Any] | None,
        listener: Listener,
        *,
        pace: float = 1.0,
    ) -> None:
        """Open the journal: a new one with a header, or the one that is there."""
        self.folder = folder
        self._listener = listener
        self._journal = _Heard(folder, header, listener.stepped)
        try:
            begun = read_begun(folder)
            if begun.backend != SIMULATED:
                raise RunError(
                    f"{folder.name} was begun on {begun.backend}; use 'commonground mission --resume'"
                )
            self.world = SimWorld(begun.graph, begun.team, begun.faults)
            self.mission = Mission(SceneBelief.of(begun.graph, begun.team, begun.goals))
            self._clock = PacedClock(self.world, pace)
            clock: Clock = self._clock
            self._runner = Runner(
                self.mission,
                ScenePlanner(begun.seed),
                self.world.robots,
                clock,
                listener.asked,
                self._journal,
                begun.name,
            )
        except CommongroundError:
            self._journal.close()
            raise
        self._thread = threading.Thread(target=self._carry_out, name=f"mission {folder.name}")

    def begin(self) -> None:
        """Let the mission's thread run; returns at once."""
        self._thread.start()

    def pause(self) -> None:
        """Let everything stand still until somebody goes on."""
        self._clock.pause()

    def go_on(self) -> None:
        """Go on after a pause."""
        self._clock.go_on()

    def stop(self, why: str) -> None:
        """Stop all robots now; no order is said after this returns."""
        self._runner.stop(why)
        self._clock.stop()

    def wait(self, seconds: float) -> bool:
        """Return whether the thread ended within so many seconds."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return not self._thread.is_alive()

    def progress(self) -> dict[str, Progress]:
        """Return how each robot fares."""
        done = [task.robot for task in self.mission.done]
        heard = self._runner.heard
        return {
            name: Progress(
                heard.get(name, member.status),
                str(member.task) if member.task is not None else "",
                done.count(name),
                len(member.queue),
            )
            for name, member in self.mission.crew.items()
        }

    def queued(self) -> list[Task]:
        """Return the tasks that are left, robot after robot."""
        return [task for member in self.mission.crew.values() for task in member.queue]

    def acted(self) -> bool:
        """Return whether a robot did or drove anything."""
        return bool(self.mission.done) or any(
            float(np.linalg.norm(self.mission.belief.team[name].position - member.position)) > 0.0
            for name, member in self.mission.crew.items()
        )

    def _carry_out(self) -> None:
        end = End("failed", "it ended unforeseen; the log has the error")
        try:
            steps = list(read_steps(self.folder))
            reenacted(self._runner, self.world, steps)
            if not steps:
                end = self._runner.run(LIMIT_S)
            elif self.mission.phase == "proposed" or self._listener.asked(AGAIN):
                end = self._runner.resume(LIMIT_S)
            else:
                end = End("stopped", "nobody let it go on")
        except CommongroundError as error:
            end = End("failed", str(error))
        finally:
            self._journal.close()
            self._listener.ended(end)
