"""A mission under way: carried out in a thread of its own, which the operators pause, resume and stop."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.errors import CommongroundError, RunError
from commonground.live.bodies import Bodies, bodies_of
from commonground.live.faring import faring
from commonground.live.folders import forget, read_begun
from commonground.live.heeding import calls_heard
from commonground.live.joining import taken
from commonground.live.pausing import Gate
from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import End, Join, Planned
from commonground.planning.mission.journal import Journal, Step, read_steps
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.runner import Runner
from commonground.planning.robots.protocol import Status
from commonground.planning.robots.simulated import SimWorld
from commonground.robots import SIMULATED

if TYPE_CHECKING:
    from commonground.console.conduct import Conduct

AGAIN = "It was interrupted. Go on where it ended?"


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
        listener: Conduct,
        call: Callable[[str, str], object] = lambda text, by: None,
        *,
        backend: str = SIMULATED,
        pace: float = 1.0,
    ) -> None:
        """Open the journal: a new one with a header, or the one that is there.

        ``call`` is told what other programs say that holds at once, and by whom.
        """
        self.folder = folder
        self._listener, self._backend, self._pace = listener, backend, pace
        self._call = call
        self._gate = Gate()
        self._why = ""
        """Why it was stopped."""
        self._more: deque[Join] = deque()
        """What operators want besides, and the mission has not heard yet."""
        self.said: Join | None = None
        """What it heard last of that."""
        self._bodies: Bodies | None = None
        self._runner: Runner | None = None
        self._fresh = header is not None
        self._journal = Journal(folder, header, listener.stepped)
        try:
            begun = read_begun(folder)
            self._faults = begun.faults
            if begun.backend != backend:
                raise RunError(
                    f"{folder.name} was begun on {begun.backend}; open the console with "
                    f"--backend {begun.backend}, or use 'commonground mission --resume'"
                )
        except CommongroundError:
            self._journal.close()
            raise
        self._thread = threading.Thread(target=self._carry_out, name=f"mission {folder.name}")

    @property
    def mission(self) -> Mission | None:
        """What is being done; None before the robots are reached."""
        return None if self._runner is None else self._runner.mission

    @property
    def world(self) -> SimWorld | None:
        """Where the robots drive, if they are simulated."""
        return None if self._bodies is None else self._bodies.world

    def now_s(self) -> float:
        return 0.0 if self._bodies is None else self._bodies.clock.now_s()

    def begin(self) -> None:
        """Let the mission's thread run; returns at once."""
        self._thread.start()

    def pause(self) -> None:
        """Let everything stand still until somebody goes on; real robots get their orders anew then."""
        self._gate.pause(self._halt)

    def go_on(self) -> None:
        """Go on after a pause."""
        self._gate.go_on()

    def stop(self, why: str) -> None:
        """Stop all robots now; no order is said after this returns."""
        self._why = self._why or why
        self._gate.stop()
        if self._runner is not None:
            self._runner.stop(why)

    def join(self, more: Join) -> None:
        """Let more be wanted of the mission; it asks about that as soon as there is a plan."""
        self._more.append(more)

    @property
    def joining(self) -> bool:
        """Whether something that is wanted besides waits for its plan or for an answer."""
        return bool(self._more) or (self.mission is not None and self.mission.joining is not None)

    def wait(self, seconds: float) -> bool:
        """Return whether the thread ended within so many seconds."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return not self._thread.is_alive()

    def progress(self) -> dict[str, Progress]:
        """Return how each robot fares."""
        if self._runner is None:
            return {}
        mission, heard = self._runner.mission, dict(self._runner.heard)
        if self._bodies is not None:  # a mission that waits for an answer hears nobody
            heard |= self._bodies.seen()
        done = [task.robot for task in mission.done]
        return {
            name: Progress(
                heard.get(name, member.status),
                str(member.task) if member.task is not None else "",
                done.count(name),
                len(member.queue),
            )
            for name, member in mission.crew.items()
        }

    def faring(self) -> str:
        """Return how each robot fares, in words; nothing before the mission has begun."""
        return "" if self._runner is None else faring(self._runner.mission, self._runner.heard)

    def acted(self) -> bool:
        """Return whether a robot did or drove anything."""
        mission = self.mission
        return mission is not None and (
            bool(mission.done)
            or any(
                float(np.linalg.norm(mission.belief.team[name].position - member.position)) > 0.0
                for name, member in mission.crew.items()
            )
        )

    def _halt(self) -> None:
        if self._bodies is not None:
            self._bodies.halt()

    def _carry_out(self) -> None:
        end = End("failed", "it ended unforeseen; the log has the error")
        try:
            steps = list(read_steps(self.folder))
            with bodies_of(
                self.folder, self._backend, self._faults, steps, self._pace, self._gate
            ) as bodies:
                end = self._run(bodies, steps)
        except CommongroundError as error:
            end = End("failed", str(error))
        finally:
            self._journal.close()
            if self._runner is None and self._fresh:  # its robots were never reached
                forget(self.folder)
            self._listener.ended(end)

    def _run(self, bodies: Bodies, steps: Sequence[Step]) -> End:
        self._bodies = bodies
        self._runner = runner = bodies.runner(
            self.folder,
            self._journal,
            lambda mission, question: self._asked(
                question, bodies, first=mission.phase == "proposed"
            ),
            self._next_words,
        )
        if self._gate.stopped.is_set():  # while the robots were reached
            runner.stop(self._why)
        bodies.relive(runner, steps)
        with calls_heard(self.folder, self._call):
            return self._driven(runner, bodies, steps)

    def _driven(self, runner: Runner[SceneBelief], bodies: Bodies, steps: Sequence[Step]) -> End:
        """Begin, or go on once somebody says so."""
        if not steps:
            return runner.run(bodies.limit_s)
        shown = any(isinstance(told, Planned) for step in steps for told in step.told)
        if (
            not shown
            or runner.mission.phase == "proposed"
            or self._asked(AGAIN, bodies, first=True)
        ):
            return runner.resume(bodies.limit_s)
        return End("stopped", "nobody let it go on")

    def _next_words(self) -> Join | None:
        """Return what is wanted besides, said here or left by another program."""
        more = self._more.popleft() if self._more else self._listener.hear(self._letter)
        self.said = more or self.said
        return more

    def _letter(self) -> Join | None:
        return taken(self.folder)

    def _asked(self, question: str, bodies: Bodies, *, first: bool) -> bool:
        """Return what operators answer; first of all they are told from whom robots are taken away."""
        return self._listener.asked("; ".join([*(bodies.taken if first else ()), question]))
