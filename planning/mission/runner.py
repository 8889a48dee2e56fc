"""A mission carried out: it hears the robots, asks the planner and the operator, and says what to do.

Whatever a step decides is in the journal before the first word of it is said. Orders have keys, and robots
do nothing twice under one key, so after a kill everything that may not have been said is said again.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Generic, Protocol

import numpy as np

from commonground.errors import RunError
from commonground.planning.mission.believing import B
from commonground.planning.mission.events import (
    Answered,
    Ask,
    Consult,
    Decision,
    Do,
    End,
    Halt,
    Heard,
    Input,
    Join,
    Note,
    Planned,
    StopPressed,
    to_json,
)
from commonground.planning.mission.journal import Journal, Step
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.task import Task
from commonground.planning.mission.views import View
from commonground.planning.robots.hearing import UNREACHED, heard
from commonground.planning.robots.lines import along, meters_of
from commonground.planning.robots.protocol import BATTERY_LOW, Point, RobotLink, Status, Unreached
from commonground.reasons import reason

STEP_S = 0.2
"""Robots are heard this often."""
NEWS_M = 0.2
"""A robot that got on by less is no news."""
STANDING_S = 3.0
"""A robot that was told to stand does so within this."""
STOOD_M = 0.02
"""Who got farther meanwhile does not stand yet."""
TOLD = "all robots were told to stand still"
MOVES = "was told to stand still, and still moves"

Operator = Callable[[str], bool | StopPressed]
"""Answers a question with yes or no, or ends all with a stop."""


class Planner(Protocol):
    """Makes the plans that a mission asks for; each knows one kind of belief."""

    def plan(self, belief: Any, ask: Ask, views: Mapping[str, View]) -> Planned:
        """Return a plan, or why there is none."""
        ...


class Clock(Protocol):
    """Simulated or real time."""

    def now_s(self) -> float:
        """Return the time of the mission."""
        ...

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        ...


class Runner(Generic[B]):
    """Carries out one mission."""

    def __init__(
        self,
        mission: Mission[B],
        planner: Planner,
        links: Mapping[str, RobotLink],
        clock: Clock,
        operator: Operator,
        journal: Journal | None = None,
        name: str = "mission",
        more: Callable[[], Join | None] = lambda: None,
    ) -> None:
        """``more`` returns what somebody wants besides, once."""
        self.mission = mission
        self._planner, self._links, self._clock = planner, links, clock
        self._operator, self._journal, self._name = operator, journal, name
        self._more = more
        self._known: dict[str, Status] = {}
        """What the mission was told last of each robot."""
        self._heard: dict[str, Status] = {}
        self._next: list[Input] = []
        self._mouth = threading.Lock()
        self._stopped = threading.Event()
        self._why = ""
        """Why somebody said stop."""
        self.left = ""
        """How robots were left, where an interruption or an error ended it."""

    @property
    def heard(self) -> Mapping[str, Status]:
        """What each robot told last; from any thread."""
        return dict(self._heard)

    def run(self, limit_s: float = float("inf")) -> End:
        """Carry the mission out to its end; the robots stand still then, whatever happens."""
        return self._taken(lambda: self._loop(limit_s))

    def resume(self, limit_s: float = float("inf")) -> End:
        """Go on, as ``run`` does, with a mission whose steps were read from its journal."""
        if self.mission.end is not None:
            return self.mission.end
        return self._taken(lambda: self._gone_on(limit_s))

    def _taken(self, drive: Callable[[], End]) -> End:
        """Take all robots, drive, and leave them standing and free."""
        taken = []
        try:
            for name, link in self._links.items():
                _take(name, link, self._name)
                taken.append(link)
            return drive()
        except (Exception, KeyboardInterrupt):
            stop_all(taken)
            if any(member.orders for member in self.mission.crew.values()):
                self.left = TOLD  # all that is known where somebody interrupts once more
                self.left = how_left({link.name: link for link in taken})
            raise
        finally:
            stop_all(taken)
            for link in taken:
                with contextlib.suppress(*UNREACHED):  # it is let go as well as can be
                    link.release()

    def _gone_on(self, limit_s: float) -> End:
        """Ask and tell again what was open where the journal ends, and go on."""
        if self.mission.asked is not None:
            self._carry_out([self.mission.asked])
        elif self.mission.phase in ("proposed", "asking"):
            self._carry_out([Consult(self.mission.question)])
        for order, task in self.mission.orders():
            self._tell(order, task)
        return self._loop(limit_s)

    def again(self, step: Step) -> None:
        """Do a step of the journal again: the same decisions, and nothing asked of planner or operator."""
        decided = self.mission.step(step.time_s, step.told)
        if not _as_before(decided, step):
            raise RunError(
                f"the step at {step.time_s:.1f} s is decided otherwise now; the journal is of another version"
            )
        for told in step.told:
            if isinstance(told, Heard):
                self._known[told.robot] = self._heard[told.robot] = told.status
        self._carry_out([d for d in decided if isinstance(d, Do | Halt)])

    def stop(self, why: str = "the operator said stop") -> None:
        """Stop all robots now, from any thread; the mission ends at its next step."""
        with self._mouth:
            self._why = self._why or why
            self._stopped.set()
        stop_all(list(self._links.values()))

    def _loop(self, limit_s: float) -> End:
        while self.mission.end is None:
            if self._clock.now_s() > limit_s:
                self._next.append(StopPressed(f"the mission took longer than {limit_s:.0f} s"))
            told, self._next = self._next, []
            if self._stopped.is_set():
                told.insert(0, StopPressed(self._why))
            told += self._hear()
            if self.mission.joining is None and (more := self._more()) is not None:
                told.append(more)
            self._step(told)
            if self.mission.end is None and not self._next:
                self._clock.wait(STEP_S)
        return self.mission.end

    def _step(self, told: Sequence[Input]) -> None:
        now = self._clock.now_s()
        decided = self.mission.step(now, told)
        if self._journal is not None and (told or decided):
            self._journal.write(now, told, decided)
        self._carry_out(decided)

    def _hear(self) -> list[Input]:
        """Return what robots tell that is news."""
        news: list[Input] = []
        for name, link in self._links.items():
            status = heard(link)
            known, before = self._known.get(name), self._heard.get(name)
            self._heard[name] = status
            stands = status == before != known
            if known is None or stands or is_news(known, status):
                self._known[name] = status
                news.append(Heard(name, status))
        return news

    def _carry_out(self, decided: Sequence[Decision]) -> None:
        for decision in decided:
            if isinstance(decision, Ask):
                views = self.mission.views()
                self._next.append(self._planner.plan(self.mission.plans_on(), decision, views))
            elif isinstance(decision, Consult):
                said = self._operator(decision.question)
                self._next.append(said if isinstance(said, StopPressed) else Answered(said))
            elif isinstance(decision, Halt):
                self._say(decision.robot, self._links[decision.robot].stop)
            elif isinstance(decision, Do):
                task = self.mission.crew[decision.robot].task
                if task is not None and task.key == decision.task:
                    self._tell(decision, task)

    def _tell(self, order: Do, task: Task) -> None:
        """Say an order, unless everything was stopped."""
        link = self._links[order.robot]
        with self._mouth:
            if self._stopped.is_set():
                return
            if task.moves:
                way = rest_of(task.path, order.from_m)
                self._say(order.robot, link.follow, order.order, way, order.upto_m)
            else:
                what = task.kind, task.things, task.path[-1]
                self._say(order.robot, link.act, order.order, *what)

    def _say(self, robot: str, call: Callable[..., None], *order: Any) -> None:
        """Tell a robot something; one that cannot be reached for it is known to be so at the next step."""
        try:
            call(*order)
        except UNREACHED as error:
            status = Status(None, linked=False, detail=reason(error))
            self._known[robot] = self._heard[robot] = status
            self._next.append(Heard(robot, status))


def replayed(mission: Mission[B], steps: Sequence[Step]) -> int:
    """Bring a mission to where its journal ends; return the number of the first step that differs, or -1."""
    for number, step in enumerate(steps):
        decided = mission.step(step.time_s, step.told)
        if not _as_before(decided, step):
            return number
    return -1


def _as_before(decided: Sequence[Decision], step: Step) -> bool:
    """Return whether a step is decided as it was; another version may only say other things about it."""
    now = [to_json(d) for d in decided if not isinstance(d, Note)]
    return now == [d for d in step.decided if d["kind"] != "note"]


def is_news(known: Status, status: Status) -> bool:
    """Return whether a status tells something that the last one did not."""
    if status.sightings or (known.position is None) != (status.position is None):
        return True
    if known.position is not None and status.position is not None:
        gap = np.linalg.norm(np.subtract(known.position, status.position))
        if gap > NEWS_M or (gap > 0 and status.gone_m == known.gone_m):
            return True
    if abs(status.gone_m - known.gone_m) > NEWS_M:
        return True
    return any(
        getattr(known, name) != getattr(status, name)
        for name in ("order", "state", "failure", "holding", "linked", "localized", "wrong")
    ) or (known.battery >= BATTERY_LOW, bool(known.doubt)) != (
        status.battery >= BATTERY_LOW,
        bool(status.doubt),
    )


def rest_of(path: tuple[Point, ...], from_m: float) -> tuple[Point, ...]:
    """Return what is left of a path after so many meters."""
    if from_m <= 0.0:
        return path
    line = np.array(path)
    gone = meters_of(line)
    here = along(line, from_m).tolist()
    rest = [path[k] for k in range(len(path)) if gone[k] > from_m + 1e-9]
    return ((here[0], here[1], here[2]), *(rest or [path[-1]]))


def _take(name: str, link: RobotLink, commander: str) -> None:
    """Become who commands a robot; RobotError says why not."""
    try:
        link.take(commander)
    except OSError as error:
        raise Unreached(f"{name} cannot be reached ({reason(error)})") from error


def how_left(links: Mapping[str, RobotLink]) -> str:
    """Return how robots fare that were told to stand still, as soon as they do or after a few seconds."""
    before, until_s = ({n: heard(link) for n, link in links.items()}, time.monotonic() + STANDING_S)
    while True:
        time.sleep(STEP_S)
        now = {n: heard(link) for n, link in links.items()}
        told = {n: _standing(before[n].position, status) for n, status in now.items()}
        if not any(one == MOVES for one in told.values()) or time.monotonic() > until_s:
            return "; ".join(f"{name} {one}" for name, one in told.items())
        before = now


def _standing(before: Point | None, status: Status) -> str:
    if not status.linked:
        return "cannot be reached, and may still drive"
    if status.wrong:
        return f"was told to stand still, and tells what cannot be ({status.wrong})"
    if status.position is None:
        return "was told to stand still, and does not know where it is"
    if before is None or np.linalg.norm(np.subtract(before, status.position)) > STOOD_M:
        return MOVES
    return f"stands at ({status.position[0]:.1f}, {status.position[1]:.1f})"


def stop_all(links: Sequence[RobotLink]) -> None:
    """Stop robots side by side, so that one that does not answer holds up no other."""
    if not links:
        return
    with ThreadPoolExecutor(len(links)) as pool:
        for stopped in [pool.submit(link.stop) for link in links]:
            stopped.exception()
