"""The console with real drivers: approved, paused where the robot stands, gone on with, stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from commonground.console import Station
from commonground.grounding import Grounder
from commonground.planning.robots.commander import Command
from commonground.robots import load_team
from tests.planning.mission.scenes import grid
from tests.planning.robots.bridge import BridgeServer
from tests.planning.robots.driving import MOST_S
from tests.planning.robots.kinematic import Kinematic


def wait(true: Callable[[], object]) -> None:
    end = time.monotonic() + 4 * MOST_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


@contextmanager
def served(backend: str, robot: Kinematic, folder: Path) -> Iterator[str]:
    """Serve a robot as its maker would, and yield how robots.yaml tells where it is."""
    if backend == "nav2":
        with BridgeServer(robot) as server:
            yield f"address: '{server.address}'"
        return
    pytest.importorskip("bosdyn.client")
    from tests.planning.robots.fake_spot import FakeSpot

    with FakeSpot(robot, folder) as spot:
        at = f"address: 127.0.0.1, port: {spot.port}, certificate: '{spot.certificate}'"
        yield f"{at}, T_map_frame: [0, 0, 0, 0]"


@pytest.mark.parametrize("other", ["free", "another mission has it"])
def test_a_real_robot_that_stands_idle_joins(tmp_path: Path, other: str) -> None:
    """Each robot is behind a server of its own; only the first one is told anything at first."""
    first, second = Kinematic(0.1, 0.05, speed_mps=1.0), Kinematic(12.0, 4.0, speed_mps=2.0)
    with BridgeServer(first) as one, BridgeServer(second) as two:
        lines = (
            f"  {name}: {{capabilities: [goto, inspect], speed_mps: {speed}, "
            f"adapter: {{address: '{server.address}'}}}}\n"
            for name, speed, server in (("husky", 1.0, one), ("spot", 2.0, two))
        )
        (tmp_path / "robots.yaml").write_text("robots:\n" + "".join(lines))
        team = load_team(tmp_path / "robots.yaml", "nav2")
        station = Station(grid(), team, Grounder, tmp_path / "missions", backend="nav2")
        theirs = Command(two.address)
        try:
            station.say("Husky, inspect the box nearest to you.")  # O1
            wait(lambda: station.record is not None and station.record.state == "planned")
            assert station.record is not None
            station.approve(station.record.number)
            wait(lambda: first.moving)
            if other != "free":
                theirs.take()
            station.say("Spot, inspect the box nearest to you.")
            wait(
                lambda: (now := station.joining) is not None and now.state in ("planned", "failed")
            )
            joining = station.joining
            assert joining is not None
            if other == "free":
                assert joining.state == "planned" and not first.moving and not second.moving
                time.sleep(0.6)
                assert not first.moving, "all stand until somebody approves"
                station.approve(joining.number)
                wait(lambda: second.moving)
            else:
                assert "commanded by another mission" in joining.reason
            wait(lambda: station.record is not None and station.record.over)
            assert station.record.state == "done", station.record
            assert ((second.x, second.y) != (12.0, 4.0)) == (other == "free")
        finally:
            station.close()
            theirs.give_back()


@pytest.mark.parametrize(
    ("backend", "last"), [("nav2", "done"), ("nav2", "stopped"), ("spot", "stopped")]
)
def test_a_real_robot_is_paused_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str, last: str
) -> None:
    if backend == "spot":
        pytest.importorskip("bosdyn.client")
        from tests.planning.robots.fake_spot import SECRET, USER

        monkeypatch.setenv("BOSDYN_CLIENT_USERNAME", USER)
        monkeypatch.setenv("BOSDYN_CLIENT_PASSWORD", SECRET)
    robot = Kinematic(0.1, 0.05, speed_mps=1.0)
    with served(backend, robot, tmp_path) as adapter:
        (tmp_path / "robots.yaml").write_text(
            "robots:\n  husky: {pose: [6, 6, 0, 0], capabilities: [goto, inspect], speed_mps: 1.0,"
            f" adapter: {{{adapter}}}}}\n"
        )
        team = load_team(tmp_path / "robots.yaml")
        station = Station(grid(), team, Grounder, tmp_path / "missions", backend=backend)

        def state() -> str:
            return "" if station.record is None else station.record.state

        try:
            station.say("Husky, inspect the box nearest to you.")  # O1, and O0 from the file's pose
            wait(lambda: state() in ("planned", "failed"))
            assert state() == "planned", station.record
            assert any(
                e.text.startswith("husky stands at (0.1, 0.1), told ") for e in station.events
            )
            assert station.record.goals is not None and "O1" in station.record.goals["husky"]
            assert not robot.moving, "nothing is sent before it is approved"
            assert station.record is not None
            robot.x += 0.1  # somebody pushes it, and all see that while they decide
            wait(lambda: round((station.progress()["husky"].status.position or [0])[0], 1) == 0.2)
            station.approve(station.record.number)
            wait(lambda: robot.moving)
            station.pause()
            wait(lambda: not robot.moving)  # a call to it is on its way
            time.sleep(0.6)
            assert not robot.moving, "no order is said in a pause"
            station.go_on()
            wait(lambda: robot.moving)
            if last == "stopped":
                station.stop("bob")
                wait(lambda: not robot.moving)
            wait(lambda: state() in ("done", "failed", "stopped"))
            assert state() == last, station.record
        finally:
            station.close()
        assert not robot.moving
