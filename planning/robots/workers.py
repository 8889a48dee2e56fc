"""Simulated robots without ways: each does skill after skill, and the domain tells what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from commonground.planning.robots.protocol import Failure, Point, RobotError, State, Status

EPS_S = 1e-9


class Skill(NamedTuple):
    """A robot does something with things."""

    robot: str
    name: str
    things: tuple[str, ...]
    start_s: float
    end_s: float


Effect = Callable[[Skill], str]
"""What a skill changes in the world once its time is over; returns why it failed, else ''."""
Duration = Callable[[str, str, tuple[str, ...]], float]
"""How long a robot takes for a skill with things, in seconds."""


class Worker:
    """One robot of a ``WorkWorld``."""

    def __init__(self, world: WorkWorld, name: str) -> None:
        self._world, self.name = world, name
        self._commander = ""
        self._key = ""
        self._state: State = "idle"
        self._why = ""
        self.skill: Skill | None = None
        """What it does now."""
        self.ended: dict[str, tuple[State, str]] = {}
        """Orders that are over, and why they failed; a second telling of one changes nothing."""

    def take(self, commander: str) -> None:
        if self._commander not in ("", commander):
            raise RobotError(f"{self.name} is commanded by '{self._commander}'; wait for its end")
        self._commander = commander

    def release(self) -> None:
        self._commander = ""

    def follow(self, key: str, path_map: tuple[Point, ...], upto_m: float) -> None:
        """Refuse: it has no ways."""
        self._key, self._state, self._why = key, "failed", "it does not drive along paths"

    def act(self, key: str, skill: str, things: tuple[str, ...], point: Point) -> None:
        """Begin a skill; what one robot handles is not handled by another one meanwhile."""
        if key in self.ended:
            self._key = key
            self._state, self._why = self.ended[key]
        elif key != self._key or self._state != "running":
            self._key, self._state, self._why = key, "running", ""
            now = self._world.now_s()
            lasts_s = self._world.lasts_s(self.name, skill, things)
            self.skill = Skill(self.name, skill, things, now, now + lasts_s)

    def stop(self) -> None:
        """Give up what it does; nothing has come of it then."""
        if self._state == "running":
            self.skill, self._state = None, "idle"
            self.ended[self._key] = ("idle", "")

    def status(self) -> Status:
        """Return how its order goes."""
        failure: Failure = "refused" if self._state == "failed" else ""
        return Status(None, self._key, self._state, failure=failure, detail=self._why)

    def end(self, why: str) -> None:
        self.skill, self._why = None, why
        self._state = "failed" if why else "done"
        self.ended[self._key] = (self._state, why)


class WorkWorld:
    """Robots that work at the same time, and their clock: waiting leads to the next end of a skill."""

    def __init__(self, names: Iterable[str], effect: Effect, lasts_s: Duration) -> None:
        self._now_s = 0.0
        self.lasts_s = lasts_s
        self._effect = effect
        self.robots = {name: Worker(self, name) for name in names}

    def now_s(self) -> float:
        """Return the world's time."""
        return self._now_s

    def wait(self, seconds: float) -> None:
        """Let time pass until the next skill is at its end, or for so long where nobody does anything."""
        busy = [w.skill for w in self.robots.values() if w.skill is not None]
        self._now_s = min((s.end_s for s in busy), default=self._now_s + seconds)
        for skill in busy:
            if skill.end_s <= self._now_s + EPS_S:
                self.robots[skill.robot].end(self._effect(skill))
