"""The console with real drivers: approved, paused where the robot stands, gone on with, stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from commonground.console import Station
from commonground.grounding import Grounder
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
