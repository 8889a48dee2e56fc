"""A robot that is a point: it drives along lines at a speed, turns, grips, and remembers where it was."""

from __future__ import annotations

import math
import threading

Spot = tuple[float, float]


class Kinematic:
    """A point with a heading; ``step`` moves it along what it was told last."""

    def __init__(self, x: float, y: float, yaw: float = 0.0, speed_mps: float = 4.0) -> None:
        self.x, self.y, self.yaw, self.speed_mps = x, y, yaw, speed_mps
        self.line: list[Spot] = []
        self.turn: float | None = None
        self.held = False
        self.stuck = False
        self.lock = threading.Lock()
        self.track: list[Spot] = [(x, y)]

    def follow(self, line: list[Spot], turn: float | None = None) -> None:
        """Drive along a line, and turn at its end."""
        with self.lock:
            self.line, self.turn = list(line), turn

    def halt(self) -> None:
        """Stand still."""
        with self.lock:
            self.line, self.turn = [], None

    @property
    def moving(self) -> bool:
        return bool(self.line) or self.turn is not None

    def step(self, seconds: float) -> None:
        """Move for a while."""
        with self.lock:
            if self.stuck:
                return
            left_m = self.speed_mps * seconds
            while self.line and left_m > 0.0:
                x, y = self.line[0]
                gap = math.hypot(x - self.x, y - self.y)
                if gap > 1e-6:
                    self.yaw = math.atan2(y - self.y, x - self.x)
                share = 1.0 if gap <= left_m else left_m / gap
                self.x, self.y = self.x + share * (x - self.x), self.y + share * (y - self.y)
                left_m -= gap * share
                if share == 1.0:
                    self.line.pop(0)
                else:
                    break
            if not self.line and self.turn is not None:
                self.yaw, self.turn = self.turn, None
            self.track.append((self.x, self.y))
