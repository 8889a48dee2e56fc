"""Simulated robots on a scene graph: they drive, look, grip and fail as the true world has it.

The world keeps its own record of everything that happened, which the engine never sees and the audit reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.planning.robots.faults import Fault
from commonground.planning.robots.lines import along, length
from commonground.planning.robots.protocol import (
    BATTERY_LOW,
    REACH_M,
    Failure,
    Point,
    RobotError,
    Sighting,
    State,
    Status,
)
from commonground.planning.scene.durations import ACTION_S
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph
from commonground.scene.gone import without_gone

VIEW_M = 5.0
"""Robots notice things this near."""
OFF_M = 0.5
"""Ways that begin farther away are refused."""
SENSE_M = 0.3
"""A robot stops so far before something it would touch."""
SILENCE_S = 5.0
"""A robot whose link is down for so long stands still."""


class Moment(NamedTuple):
    """What is true of one robot at one time."""

    time_s: float
    robot: str
    position: Point
    holding: str


class Deed(NamedTuple):
    """Something a robot did to the world, as to inspect, pick or place."""

    time_s: float
    robot: str
    kind: str
    thing: str
    position: Point
    """Where the robot stood."""


@dataclass(slots=True)
class Order:
    """What a simulated robot was told to do."""

    key: str
    kind: str
    path: Floats
    upto_m: float
    thing: str = ""
    left_s: float = 0.0


@dataclass(slots=True)
class SimRobot:
    """One robot of the world; all its methods return at once, and ``SimWorld.advance`` makes time pass."""

    world: SimWorld
    body: Robot
    position: Floats
    order: Order | None = None
    state: State = "idle"
    gone_m: float = 0.0
    told: tuple[str, str] = ("", "")
    """Failure and detail of the order."""
    holding: str = ""
    commander: str = ""
    ended: dict[str, tuple[State, float, str, str]] = field(default_factory=dict)
    """Orders that are over, and how they ended; a second telling of one changes nothing."""
    silent_s: float = 0.0
    _seen: dict[str, tuple[float, ...]] = field(default_factory=dict)
    _news: list[Sighting] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.body.name

    def take(self, commander: str) -> None:
        if self.commander not in ("", commander):
            raise RobotError(
                f"{self.name} is commanded by '{self.commander}'; stop that mission, or wait for its end"
            )
        self.commander = commander

    def release(self) -> None:
        self.commander = ""

    def follow(self, key: str, path_map: tuple[Point, ...], upto_m: float) -> None:
        """Drive along a path as far as allowed."""
        if self.order is not None and self.order.key == key and self.state == "running":
            self.order.upto_m = max(self.order.upto_m, upto_m)
        else:
            path = np.array(path_map, float)
            self._begin(Order(key, "follow", path, upto_m))
            off_m = float(np.linalg.norm(path[0] - self.position))
            if self.state == "running" and self.order is not None and off_m > OFF_M:
                self.end("failed", "refused", f"the way begins {off_m:.1f} m away")

    def act(self, key: str, skill: str, things: tuple[str, ...], point: Point) -> None:
        """Inspect a thing, or work on it otherwise; take it, or put down what it holds."""
        at = np.array([point], float)
        self._begin(Order(key, skill, at, 0.0, things[0], ACTION_S[skill]))

    def stop(self) -> None:
        """Stand still and give up the order."""
        if self._unheard():
            return
        if self.order is not None and self.state == "running":
            self.end("idle")

    def status(self) -> Status:
        """Return what the base station hears: nothing new while the link is down."""
        if self._unheard():
            return Status(None, linked=False)
        localized = not self.world.active("lost", self.name)
        news, self._news = tuple(self._news), []
        x, y, z = self.position.tolist()
        return Status(
            position=(x, y, z) if localized else None,
            order=self.order.key if self.order else "",
            state=self.state,
            gone_m=self.gone_m,
            failure=self.told[0],  # type: ignore[arg-type]
            detail=self.told[1],
            holding=self.holding,
            localized=localized,
            battery=0.1 if self.world.active("battery", self.name) else 0.8,
            sightings=news,
        )

    def end(self, state: State, failure: str = "", detail: str = "") -> None:
        self.state, self.told = state, (failure, detail)
        if self.order is not None:
            self.ended[self.order.key] = (state, self.gone_m, failure, detail)

    def see(self) -> None:
        """Notice where things are that are in view, each once for each place where it is."""
        for thing, at in self.world.lies.items():
            near = float(np.hypot(*(at[:2] - self.position[:2]))) < VIEW_M
            if near and self._seen.get(thing) != (seen := tuple(at.tolist())):
                self._seen[thing] = seen
                if self.world.told_wrongly(thing):
                    self._news.append(Sighting(thing, (seen[0], seen[1], seen[2])))

    def notice(self, sighting: Sighting) -> None:
        """Tell of something at the next status."""
        self._news.append(sighting)

    def _begin(self, order: Order) -> None:
        if self._unheard():
            return
        if order.key in self.ended:
            self.order = order
            self.state, self.gone_m, *rest = self.ended[order.key]
            self.told = (rest[0], rest[1])
        elif self.order is None or self.order.key != order.key:
            if self.state == "running":
                self.end("idle")
            self.order, self.state, self.gone_m, self.told = order, "running", 0.0, ("", "")

    def _unheard(self) -> bool:
        return self.world.active("link", self.name)


class SimWorld:
    """The true world in which simulated robots act, and its record."""

    def __init__(self, graph: SceneGraph, team: Team, faults: Sequence[Fault] = ()) -> None:
        self.now_s = 0.0
        self.faults = tuple(faults)
        things = without_gone(graph).objects
        self.lies = dict(zip(things.symbols, things.positions.copy(), strict=True))
        """Thing → where it is; what is held is missing."""
        self._mapped = dict(self.lies)
        self._rises = dict(zip(things.symbols, things.rises_m, strict=True))
        self._grips: dict[int, int] = {k: f.times for k, f in enumerate(self.faults)}
        self._happened: set[int] = set()
        self.robots = {r.name: SimRobot(self, r, r.position.copy()) for r in team}
        self.moments: list[Moment] = []
        self.deeds: list[Deed] = []
        self._change()
        self._write()

    def active(self, kind: str, robot: str) -> bool:
        """Return whether a robot suffers from a kind of fault now."""
        return any(
            f.kind == kind and f.robot == robot and f.active(self.now_s) for f in self.faults
        )

    def grip_fails(self, robot: str) -> bool:
        """Return whether a robot's next grip will fail."""
        return any(
            f.kind == "grasp" and f.robot in ("", robot) and self._grips[k] > 0
            for k, f in enumerate(self.faults)
        )

    def told_wrongly(self, thing: str) -> bool:
        """Return whether a thing is not where the map first had it."""
        return thing not in self._mapped or bool(
            np.linalg.norm(self._mapped[thing] - self.lies[thing]) > 0.5
        )

    def advance(self, seconds: float) -> None:
        """Let time pass for all robots."""
        self.now_s += seconds
        self._change()
        for robot in self.robots.values():
            self._act(robot, seconds)
            robot.see()
        self._write()

    def _change(self) -> None:
        """Let things vanish or move when their time has come; what was carried by a robot stays."""
        for k, fault in enumerate(self.faults):
            if k in self._happened or fault.at_s > self.now_s or fault.thing not in self.lies:
                continue
            if any(d.kind == "place" and d.thing == fault.thing for d in self.deeds):
                continue
            if fault.kind == "missing":
                del self.lies[fault.thing]
                self._happened.add(k)
            elif fault.kind == "moved" and fault.position is not None:
                self.lies[fault.thing] = np.array(fault.position) + self._rises[fault.thing]
                self._happened.add(k)

    def _act(self, robot: SimRobot, seconds: float) -> None:
        robot.silent_s = robot.silent_s + seconds if self.active("link", robot.name) else 0.0
        if robot.order is None or robot.state != "running":
            return
        if robot.silent_s > SILENCE_S:
            robot.end("idle")
        elif self.active("battery", robot.name):
            robot.end("failed", "battery", f"below {BATTERY_LOW:.0%}")
        elif self.active("lost", robot.name):
            robot.end("failed", "lost", "the pose is not known any more")
        elif robot.order.kind == "follow":
            self._drive(robot, robot.order, seconds)
        else:
            self._handle(robot, robot.order, seconds)

    def _drive(self, robot: SimRobot, order: Order, seconds: float) -> None:
        if self.active("stuck", robot.name):
            return
        slow = [
            f.factor
            for f in self.faults
            if f.kind == "slow" and f.robot == robot.name and f.active(self.now_s)
        ]
        step = robot.body.speed_mps * seconds * min([1.0, *slow])
        whole = length(order.path)
        target = min(robot.gone_m + step, order.upto_m, whole)
        obstacle = self._ahead(robot, order.path, robot.gone_m, target)
        if obstacle is not None and obstacle.position is not None:
            robot.notice(Sighting("", obstacle.position, obstacle.size_m))
            robot.end("failed", "blocked", "something stands in the way")
            return
        robot.gone_m = target
        robot.position = along(order.path, target)
        if robot.gone_m >= whole - 1e-9:
            robot.end("done")

    def _ahead(self, robot: SimRobot, path: Floats, begin_m: float, end_m: float) -> Fault | None:
        """Return the obstacle that a robot would come too near to, coming nearer."""
        for fault in self.faults:
            if fault.kind != "blocked" or fault.position is None or not fault.active(self.now_s):
                continue
            needed = robot.body.radius_m + fault.size_m / 2
            at = np.array(fault.position[:2])
            ahead = [
                float(np.hypot(*(along(path, m)[:2] - at)))
                for m in np.linspace(begin_m, end_m + SENSE_M, 5)
            ]
            if min(ahead[1:]) < min(needed, ahead[0]):
                return fault
        return None

    def _handle(self, robot: SimRobot, order: Order, seconds: float) -> None:
        order.left_s -= seconds
        if order.left_s > 0.0:
            return
        robot.gone_m = 0.0
        moves = {"pick": self._pick, "place": self._place}
        failure = moves.get(order.kind, self._lacks)(robot, order)
        if failure:
            robot.end("failed", failure, order.thing)
        else:
            x, y, z = robot.position.tolist()
            self.deeds.append(Deed(self.now_s, robot.name, order.kind, order.thing, (x, y, z)))
            robot.end("done")

    def _lacks(self, robot: SimRobot, order: Order) -> Failure:
        """Return why a thing cannot be worked on: it is not where the order has it, or out of reach."""
        at = self.lies.get(order.thing)
        if at is None or np.hypot(*(at[:2] - order.path[0, :2])) > REACH_M:
            x, y, z = order.path[0].tolist()
            robot.notice(Sighting(order.thing, (x, y, z), absent=True))
            return "missing"
        gap = min(np.hypot(*(p[:2] - robot.position[:2])) for p in (at, order.path[0]))
        return "" if gap <= REACH_M else "missing"

    def _pick(self, robot: SimRobot, order: Order) -> Failure:
        if robot.holding:
            return "refused"
        if lacks := self._lacks(robot, order):
            return lacks
        for k, fault in enumerate(self.faults):
            mine = fault.thing in ("", order.thing) and fault.robot in ("", robot.name)
            if fault.kind == "grasp" and mine and self._grips[k] > 0:
                self._grips[k] -= 1
                return "grasp"
        robot.holding = order.thing
        del self.lies[order.thing]
        return ""

    def _place(self, robot: SimRobot, order: Order) -> Failure:
        if robot.holding != order.thing:
            return "refused"
        self.lies[order.thing] = order.path[0] + self._rises[order.thing]
        self._mapped[order.thing] = self.lies[order.thing]
        robot.holding = ""
        return ""

    def _write(self) -> None:
        for robot in self.robots.values():
            x, y, z = robot.position.tolist()
            self.moments.append(Moment(self.now_s, robot.name, (x, y, z), robot.holding))
