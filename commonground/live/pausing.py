"""Time and orders that operators hold up: a pause, its end, and a stop, from any thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from commonground.planning.robots.protocol import Point, RobotLink, Status
from commonground.planning.robots.simulated import SimWorld


class Gate:
    """Open unless operators have paused; open for good, and for nothing, once they stopped."""

    def __init__(self) -> None:
        self._going = threading.Event()
        self._going.set()
        self._saying = threading.Lock()
        """Held while an order is said or simulated time passes: neither is under way when a pause begins."""
        self.stopped = threading.Event()

    @property
    def paused(self) -> bool:
        """Whether somebody paused, and nobody went on."""
        return not self._going.is_set()

    def pause(self, halt: Callable[[], None] = lambda: None) -> None:
        """Let nothing through until somebody goes on; what is just being said or simulated ends before.

        What moves is halted at once, as a robot that does not answer an order is waited for, and once more
        behind that order.
        """
        self._going.clear()
        if self.stopped.is_set():  # at this very moment: who waits is let go
            self._going.set()
        halt()
        with self._saying:
            pass
        halt()

    def go_on(self) -> None:
        """Let everything through again."""
        self._going.set()

    def stop(self) -> None:
        """Hold up nobody any more, and let nothing through."""
        self.stopped.set()
        self._going.set()

    def passes(self) -> bool:
        """Wait until a pause ends; return whether anything may still be done."""
        self._going.wait()
        return not self.stopped.is_set()

    def say(self, order: Callable[[], None]) -> None:
        """Say an order once nobody has it paused; nothing is said after a stop."""
        while self.passes():
            with self._saying:
                if not self.paused:
                    return None if self.stopped.is_set() else order()


class PacedClock:
    """Time of a simulated world beside that of the operators; it stands still while paused.

    ``pace`` is how many seconds of the world pass in a real one; 0 is as fast as it goes.
    """

    def __init__(self, world: SimWorld, pace: float, gate: Gate) -> None:
        self._world, self._pace, self._gate = world, pace, gate

    def now_s(self) -> float:
        """Return the time of the world."""
        return self._world.now_s

    def wait(self, seconds: float) -> None:
        """Let as much time pass for operators and world, once nobody has it paused."""
        if self._pace > 0.0:
            self._gate.stopped.wait(seconds / self._pace)
        self._gate.say(lambda: self._world.advance(seconds))


class RealClock:
    """Real time since a mission began; its pauses do not count."""

    def __init__(self, begin_s: float, gate: Gate) -> None:
        self._zero_s, self._gate = time.monotonic() - begin_s, gate

    def now_s(self) -> float:
        return round(time.monotonic() - self._zero_s, 3)

    def wait(self, seconds: float) -> None:
        """Let time pass, and after it a pause if there is one."""
        self._gate.stopped.wait(seconds)
        begin_s = time.monotonic()
        self._gate.passes()
        self._zero_s += time.monotonic() - begin_s


class HeldLink:
    """A real robot that hears no order while operators have paused, and none at all after a stop."""

    def __init__(self, link: RobotLink, gate: Gate) -> None:
        self._link, self._gate = link, gate

    @property
    def name(self) -> str:
        return self._link.name

    def take(self, commander: str) -> None:
        self._link.take(commander)

    def release(self) -> None:
        self._link.release()

    def follow(self, key: str, path_map: tuple[Point, ...], upto_m: float) -> None:
        """Drive along a path as far as allowed."""
        self._gate.say(lambda: self._link.follow(key, path_map, upto_m))

    def act(self, key: str, skill: str, things: tuple[str, ...], point: Point) -> None:
        self._gate.say(lambda: self._link.act(key, skill, things, point))

    def stop(self) -> None:
        """Stand still and give up the order."""
        self._link.stop()

    def status(self) -> Status:
        """Return what the robot tells of itself now."""
        return self._link.status()
