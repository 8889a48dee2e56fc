"""A real robot as a mission sees it: orders by key, meters along a path, and a stop whenever in doubt.

A thread looks at the machine ten times a second. The robot stands still when its link or its pose is lost,
when it reports a pose that cannot be, leaves its way, has a fault or little battery, or hears nothing from
the mission; and it is never told to drive beyond what the mission has granted.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from commonground.arrays import Floats
from commonground.planning.robots.kept import Kept
from commonground.planning.robots.lines import along, length, nearest, part
from commonground.planning.robots.machine import Machine, Outcome, Reading
from commonground.planning.robots.orders import Order
from commonground.planning.robots.poses import Poses
from commonground.planning.robots.protocol import (
    BATTERY_LOW,
    REACH_M,
    Failure,
    Point,
    RobotError,
    Sighting,
    State,
    Status,
    Unreached,
)
from commonground.planning.robots.whereabouts import Standing, Whereabouts
from commonground.robots import Robot

TICK_S = 0.1
TOLD_S = 1.0
"""What a machine tells of its gripper may be from so long before a deed ended."""
SILENCE_S = 5.0
"""A robot that is not asked for its status for so long stands still."""
STRAY_M = 1.0
"""A robot farther from its way than this stands still."""
ARRIVED_M = 0.6
AHEAD_M = 0.3
OBSTACLE_M = 0.6
"""What a robot cannot pass and nobody saw is taken to be so wide, and so far ahead of it."""
HANDLING = ("pick", "place")
DEEDS = ("inspect", *HANDLING)
"""What a ``Machine`` can be told to do, besides to drive; a new one is a method of it, called below."""
EPS_M = 1e-3


class LiveRobot:
    """A robot of the mission, on a real machine."""

    def __init__(
        self,
        body: Robot,
        machine: Machine,
        poses: Poses,
        kept: Kept | None = None,
        off_map: Callable[[Floats], str] = lambda _: "",
    ) -> None:
        self.body, self._machine, self._poses = body, machine, poses
        self._kept = kept or Kept()
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._order: Order | None = None
        self._state: State = "idle"
        self._gone_m = 0.0
        self._failure: tuple[Failure, str] = ("", "")
        self._jobs = 0
        self._news: list[Sighting] = []
        self._handled_s = -TOLD_S
        self._heard_s = time.monotonic()
        self._where = Whereabouts(body.position.copy(), body.speed_mps, off_map)
        self._aborts: list[Floats] = []
        self._reading = Reading(None, down="it was not reached yet")

    @property
    def name(self) -> str:
        return self.body.name

    # ---- the protocol of missions ----

    def take(self, commander: str) -> None:
        """Reach the robot and hear it; it is taken from nobody before its first order."""
        if self._thread is not None:
            return
        try:
            self._machine.open(commander)
        except BaseException:
            self._machine.close()  # half of it may be held
            raise
        self._over.clear()
        with self._lock:
            self._heard_s = time.monotonic()
            self._look()
        self._thread = threading.Thread(target=self._watch, name=f"{self.name}-live", daemon=True)
        self._thread.start()

    def release(self) -> None:
        """Let the robot stand, and others command it."""
        if self._thread is None:
            return
        with self._lock:  # who watches it may be about to let it drive on
            self._over.set()
        self._thread.join(2.0)
        self._thread = None
        self._machine.close()

    def check(self) -> str:
        """RobotError says why it could not be commanded; returns from whom it would be taken away."""
        return self._machine.check()

    def await_ready(self) -> None:
        """Wait until it tells all that a mission needs; RobotError says what did not come."""
        self._machine.await_ready()

    def standing(self) -> Standing | None:
        """Return where it stands as it told last; None while it does not know."""
        with self._lock:
            where = self._where
            if self._reading.down or where.lost:
                return None
            x, y, z = np.round(where.position, 3).tolist()
            return Standing((x, y, z), round(where.yaw, 4), time.monotonic() - where.stamp_s)

    def follow(self, key: str, path_map: tuple[Point, ...], upto_m: float) -> None:
        """Drive along a path as far as allowed."""
        with self._lock:
            order = self._order
            if order is not None and order.key == key and self._state == "running":
                order.upto_m = max(order.upto_m, upto_m)
            else:
                self._begin(Order(key, np.array(path_map, float), upto_m=upto_m))
            self._tick()

    def act(self, key: str, skill: str, things: tuple[str, ...], point: Point) -> None:
        """Turn to a thing and take a picture where there is a camera; take it; put it down."""
        with self._lock:
            if self._order is None or self._order.key != key or self._state != "running":
                self._begin(Order(key, np.array([point], float), skill, things[0]))
            self._tick()

    def stop(self) -> None:
        """Stand still and give up the order."""
        self._machine.halt()  # at once, whoever has the lock
        with self._lock:
            if self._order is not None:
                if self._state == "running":
                    self._end("idle")
                self._machine.halt()  # it may have been told to drive on since

    def status(self) -> Status:
        """Return what the robot tells of itself now, and what it saw; with it, it is heard."""
        with self._lock:
            self._heard_s, told = time.monotonic(), self.seen()
            if not told.linked:
                return told
            news, self._news = tuple(self._news), []
            return replace(told, sightings=news)

    def seen(self) -> Status:
        """Return what the robot tells of itself now, to who only looks on."""
        with self._lock:
            if self._reading.down:
                return Status(None, linked=False, detail=self._reading.down)
            x, y, z = np.round(self._where.position, 3).tolist()
            failure, detail = self._failure
            return Status(
                position=None if self._where.lost else (x, y, z),
                order=self._order.key if self._order else "",
                state=self._state,
                gone_m=round(self._gone_m, 3),
                failure=failure,
                detail=self._where.lost or detail,
                holding=self._kept.holding,
                localized=not self._where.lost,
                battery=round(self._reading.battery, 3),
                doubt=self._reading.doubt,
            )

    # ---- orders ----

    def _begin(self, order: Order) -> None:
        """Begin an order, unless it is over already."""
        known = self._kept.ended.get(order.key)
        if known is not None:
            self._order = order
            self._state, self._gone_m = known.state, known.gone_m
            self._failure = (known.failure, known.detail)
            return
        if self._state == "running":
            self._machine.halt()
            self._end("idle")
        self._order, self._state, self._gone_m, self._failure = order, "running", 0.0, ("", "")
        try:
            self._machine.command()
        except RobotError as error:
            if isinstance(error, Unreached):
                self._end("idle", "", str(error))
            else:
                self._end("failed", "taken", str(error))
            return
        self._look()
        if self._stopped_by_itself():
            return
        if order.deed:
            self._begin_deed(order)
        else:
            self._enter(order)

    def _enter(self, order: Order) -> None:
        """Find where on its way the robot is: at its begin, or farther where it was ordered before."""
        here = self._where.position[:2]
        line = order.path
        order.told_m, away_m = nearest(line, here, 0.0, min(0.5, length(line)))
        if away_m > ARRIVED_M:
            order.told_m, away_m = nearest(line, here, 0.0, min(order.upto_m, length(line)))
        if away_m > STRAY_M:
            self._end("failed", "refused", f"the way begins {away_m:.1f} m away")
        elif order.told_m > 0.5:
            self._gone_m = order.told_m

    def _begin_deed(self, order: Order) -> None:
        deed, point = order.deed, order.path[0]
        away_m = float(np.hypot(*(point[:2] - self._where.position[:2])))
        if deed != "inspect" and self._done_before(order):
            return
        if deed not in DEEDS:
            self._end("failed", "refused", f"nothing here tells a machine how to {deed}")
        elif deed == "pick" and self._kept.holding:
            self._end("failed", "refused", f"it holds {self._kept.holding}")
        elif deed == "place" and (
            self._kept.holding != order.thing or self._kept.empty is not None
        ):
            self._end("failed", "refused", f"it does not hold {order.thing}")
        elif away_m > REACH_M:
            self._end("failed", "refused", f"{order.thing} is {away_m:.1f} m away, out of reach")
        else:
            self._kept.begun = order.named
            self._kept.write()
            order.job = self._job()
            there = self._where.in_frame(point)
            if deed == "inspect":
                self._machine.look(order.job, order.thing, there)
            elif deed == "pick":
                self._machine.pick(order.job, there)
            else:
                self._machine.place(order.job, there)

    def _done_before(self, order: Order) -> bool:
        """End a deed that was begun by a base station that is gone, and found done in the gripper."""
        holds = self._reading.holds
        if self._kept.begun != order.named or holds is None or holds != (order.deed == "pick"):
            return False
        self._end("done")
        return True

    def _end(self, state: State, failure: Failure = "", detail: str = "") -> None:
        order = self._order
        self._state, self._failure = state, (failure, detail)
        if order is None:
            return
        if state == "done" and order.deed in HANDLING:
            self._kept.holding = order.thing if order.deed == "pick" else ""
            self._handled_s = time.monotonic()
        if state != "idle":
            self._kept.begun = ""
        if failure == "missing":
            x, y, z = order.path[-1].tolist()
            self._news.append(Sighting(order.thing, (x, y, z), absent=True))
        self._kept.end(order.key, state, self._gone_m, failure, detail)

    def _job(self) -> str:
        self._jobs += 1
        return f"commonground-{self.name}-{time.time_ns()}-{self._jobs}"

    # ---- watching ----

    def _watch(self) -> None:
        while not self._over.wait(TICK_S):
            with self._lock:
                if not self._over.is_set():
                    self._tick()

    def _tick(self) -> None:
        """See how the robot fares, and let it go on or stand still."""
        self._look()
        if self._state != "running" or self._stopped_by_itself():
            return
        order = self._order
        if order is None:
            return
        if not order.deed:
            self._drive(order)
        else:
            self._close(self._machine.outcome(order.job))

    def _look(self) -> None:
        """Take in what the machine and the localization tell."""
        self._reading = self._machine.reading()
        if not self._reading.down:
            self._where.take_in(self._poses.now(), self._reading, self._ground())
            self._mind_grip()

    def _mind_grip(self) -> None:
        """Tell of what fell from its gripper."""
        order = self._order
        if order is not None and order.deed in HANDLING and self._state == "running":
            return
        if time.monotonic() - self._handled_s < TOLD_S:
            return
        x, y, z = self._where.position.tolist()
        if fell := self._kept.fallen(self._reading.holds, (x, y, z)):
            self._news.append(Sighting(*fell))

    def _ground(self) -> float:
        """Return the height of the ground: that of its way, or where it was."""
        order = self._order
        if order is None or order.deed or self._state != "running":
            return float(self._where.position[2])
        return float(along(order.path, self._gone_m)[2])

    def _stopped_by_itself(self) -> bool:
        """End the order where going on is not safe; the machine is told to stand still."""
        silent = time.monotonic() - self._heard_s > SILENCE_S
        if self._reading.down:
            self._end("idle", "", self._reading.down)
        elif self._where.lost:
            self._end("failed", "lost", self._where.lost)
        elif self._reading.taken:
            self._end("failed", "taken", f"its lease was taken by {self._reading.taken}")
        elif self._reading.fault:
            self._end("failed", "fault", self._reading.fault)
        elif self._reading.battery < BATTERY_LOW:
            self._end("failed", "battery", f"at {self._reading.battery:.0%}")
        elif silent:
            self._end("idle", "", "it heard nothing from its commander")
        else:
            return False
        self._machine.halt()
        return True

    def _drive(self, order: Order) -> None:
        """Follow how it gets on along its way, and let it drive on as far as it may."""
        line = order.path
        whole_m = length(line)
        upto_m = min(order.upto_m, whole_m)
        end_m = min(self._gone_m + 3.0, max(order.told_m, self._gone_m))
        at_m, away_m = nearest(line, self._where.position[:2], self._gone_m, end_m)
        if away_m > STRAY_M:
            self._machine.halt()
            self._end("failed", "refused", f"it is {away_m:.1f} m beside its way")
            return
        self._gone_m = max(self._gone_m, at_m)
        if order.job:
            self._arrive(order, line)
        if self._state != "running":
            return
        if self._gone_m >= whole_m - EPS_M and not order.job:
            self._gone_m = whole_m
            self._end("done")
        elif upto_m > order.told_m + EPS_M:
            order.job = self._job()
            order.told_m = upto_m
            self._machine.drive(
                order.job, self._where.line_in_frame(part(line, self._gone_m, upto_m))
            )

    def _arrive(self, order: Order, line: Floats) -> None:
        """Take in that the machine drove as far as it was told, or could not."""
        outcome = self._machine.outcome(order.job)
        if outcome.state == "done":
            left_m = float(np.hypot(*(along(line, order.told_m) - self._where.position)[:2]))
            if left_m > ARRIVED_M:
                self._end("failed", "stuck", f"it says it arrived, and stands {left_m:.1f} m away")
            else:
                self._gone_m, order.job = order.told_m, ""
        elif outcome.failure == "blocked" and not self._blocked_here():
            self._close(Outcome("failed", "stuck", outcome.detail))
        else:
            self._close(outcome)
            if outcome.failure == "blocked":
                far_m = self._gone_m + self.body.radius_m + AHEAD_M + OBSTACLE_M / 2
                x, y, z = along(order.path, far_m).tolist()
                self._news.append(Sighting("", (x, y, z), OBSTACLE_M))

    def _blocked_here(self) -> bool:
        """Return whether it did not get on near here before; the first time it just tries again."""
        here = self._where.position[:2].copy()
        again = any(np.hypot(*(here - there)) < STRAY_M for there in self._aborts)
        self._aborts = [*self._aborts[-9:], here]
        return again

    def _close(self, outcome: Outcome) -> None:
        if outcome.state == "idle":
            # a link that was cut and back before anyone looked: nobody carries the order out any more
            self._end("idle", "", "it gave up its order")
        elif outcome.state in ("done", "failed"):
            self._end(outcome.state, outcome.failure, outcome.detail)
