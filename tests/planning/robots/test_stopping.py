"""A stop wins: what is said to a robot at the very moment of a stop or a pause does not move it after."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.adapters import Nav2Settings, SpotSettings
from commonground.arrays import Floats
from commonground.live.pausing import Gate, HeldLink
from commonground.planning.robots.machine import RUNNING, Outcome, Pose, Reading
from commonground.planning.robots.protocol import Point, Status
from commonground.planning.robots.rosbridge.nav2 import Nav2Machine
from commonground.planning.robots.spot.machine import SpotMachine
from tests.planning.robots.bridge import BridgeServer
from tests.planning.robots.driving import MOST_S, WAY, soon, taken
from tests.planning.robots.kinematic import Kinematic


class Racing:
    """A machine that is told to drive on between a stop and whoever carries the order out."""

    def __init__(self) -> None:
        self.moving = False
        self.behind: Callable[[], None] | None = None

    def open(self, commander: str) -> None: ...

    def command(self) -> None: ...

    def close(self) -> None:
        self.moving = False

    def reading(self) -> Reading:
        return Reading(Pose(0.0, 0.0, 0.0, time.monotonic()))

    def drive(self, job: str, line: Floats) -> None:
        self.moving = True

    def look(self, job: str, thing: str, point: Floats) -> None: ...

    def pick(self, job: str, point: Floats) -> None: ...

    def place(self, job: str, point: Floats) -> None: ...

    def outcome(self, job: str) -> Outcome:
        return RUNNING

    def halt(self) -> None:
        self.moving = False
        behind, self.behind = self.behind, None
        if behind is not None:
            behind()


def test_a_robot_that_is_told_to_drive_on_behind_a_stop_stands() -> None:
    machine = Racing()
    with taken(machine, "husky", 1.0) as robot:
        robot.follow("one", WAY, 2.0)
        assert machine.moving
        machine.behind = lambda: robot.follow("one", WAY, 4.0)
        robot.stop()
        assert not machine.moving
        assert robot.status().state == "idle"


class SlowLink:
    """A link that takes a moment to pass an order on."""

    name = "husky"

    def __init__(self) -> None:
        self.moving = False
        self.begun = threading.Event()

    def take(self, commander: str) -> None: ...

    def release(self) -> None: ...

    def follow(self, key: str, path_map: tuple[Point, ...], upto_m: float) -> None:
        self.begun.set()
        time.sleep(0.1)
        self.moving = True

    def act(self, key: str, skill: str, things: tuple[str, ...], point: Point) -> None: ...

    def stop(self) -> None:
        self.moving = False

    def status(self) -> Status:
        return Status(None)


def test_an_order_that_is_being_said_is_said_before_a_pause_begins() -> None:
    gate, link = Gate(), SlowLink()
    held = HeldLink(link, gate)
    saying = threading.Thread(target=held.follow, args=("one", WAY, 2.0))
    saying.start()
    assert link.begun.wait(5.0)
    gate.pause()
    link.stop()
    saying.join(5.0)
    assert not link.moving
    gate.stop()
    held.follow("two", WAY, 2.0)
    assert not link.moving, "nothing is said after a stop"


def test_a_pause_halts_robots_before_a_slow_order_to_another_one_ends_and_behind_it() -> None:
    gate, slow, other = Gate(), SlowLink(), SlowLink()
    other.moving = True
    halted: list[tuple[bool, bool]] = []

    def halt() -> None:
        halted.append((other.moving, slow.moving))
        other.stop()
        slow.stop()

    saying = threading.Thread(target=HeldLink(slow, gate).follow, args=("one", WAY, 2.0))
    saying.start()
    assert slow.begun.wait(5.0)
    gate.pause(halt)
    saying.join(5.0)
    assert halted == [(True, False), (False, True)]
    assert not slow.moving and not other.moving


def test_who_pauses_at_the_moment_of_a_stop_holds_nobody_up() -> None:
    gate = Gate()
    gate.stop()
    gate.pause()
    assert not gate.paused and not gate.passes()


def test_a_spot_whose_command_goes_out_behind_a_stop_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("bosdyn.client")
    sent: list[str] = []
    machine = SpotMachine("spot", SpotSettings(address="127.0.0.1"), 1.0, tmp_path)

    class Client:
        def robot_command(self, command: Any, **_: Any) -> int:
            machine.halt()  # an operator, while this call is on its way
            sent.append("trajectory")
            return 1

        def robot_command_async(self, command: Any, **_: Any) -> None:
            sent.append("stop" if command.full_body_command.HasField("stop_request") else "?")

    class Session:
        robot, taken, commands = True, "", True

        def stand(self) -> None: ...

        def check_lease(self) -> None: ...

        def close(self) -> None: ...

        def client(self, kind: Any) -> Client:
            return Client()

    monkeypatch.setattr(machine, "_session", Session())
    machine.drive("one", np.array([[0.0, 0.0], [3.0, 0.0]]))
    machine._work.shutdown(wait=True)
    assert sent == ["stop", "trajectory", "stop"]


def test_a_goal_does_not_go_out_behind_the_end_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Nav2Machine("husky", Nav2Settings(address="ws://nowhere"), 1.0)
    machine._commands = True
    sent: list[str] = []
    link = threading.Thread(target=machine.halt)  # as each new connection does first

    def send(message: dict[str, Any]) -> bool:
        if message["op"] == "send_action_goal":
            link.start()
            link.join(0.2)
        sent.append(message["op"])
        return True

    monkeypatch.setattr(machine._bridge, "send", send)
    machine.drive("one", np.array([[0.0, 0.0], [3.0, 0.0]]))
    link.join(MOST_S)
    assert sent[0] == "send_action_goal" and "cancel_action_goal" in sent


def test_what_is_in_line_is_said_before_a_link_ends() -> None:
    with BridgeServer(Kinematic(0.0, 0.0)) as server:
        machine = Nav2Machine("husky", Nav2Settings(address=server.address), 1.0)
        machine.open("test")
        machine.command()
        soon(lambda: server.cancels == 2)
        for speed_mps in range(100):
            machine._publish("speed_limit", {"speed_limit": speed_mps})
        machine.close()
        soon(lambda: server.cancels == 4)
        assert server.limits == [1.0, *range(100)]


def test_a_spot_that_is_out_of_reach_gives_its_job_up_and_has_not_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exceptions = pytest.importorskip("bosdyn.client.exceptions")
    machine = SpotMachine("spot", SpotSettings(address="127.0.0.1"), 1.0, tmp_path)

    class Gone:
        robot, taken = None, ""

        def stand(self) -> None:
            raise exceptions.UnableToConnectToRobotError(None, "the link is lost")

    monkeypatch.setattr(machine, "_session", Gone())
    machine.drive("one", np.array([[0.0, 0.0], [3.0, 0.0]]))
    machine._work.shutdown(wait=True)
    assert machine.outcome("one").state == "idle"
