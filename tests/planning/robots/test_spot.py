"""A Spot by its real API: whole missions, and lost leases, links, batteries, stops and sign-ins."""

from __future__ import annotations

import io
import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from bosdyn.client.exceptions import InvalidRequestError, UnableToConnectToRobotError

from commonground.adapters import SpotSettings
from commonground.cli.main import run
from commonground.live.real import commander_of
from commonground.planning.robots.lateness import Promptness
from commonground.planning.robots.live import LiveRobot
from commonground.planning.robots.protocol import RobotError
from commonground.planning.robots.spot import session
from commonground.planning.robots.spot.machine import SpotMachine
from commonground.scene import save_scene
from tests.planning.mission.scenes import grid, place
from tests.planning.robots.bridge import BridgeServer
from tests.planning.robots.driving import WAY, ended, soon, taken, until
from tests.planning.robots.fake_spot import JPEG, SECRET, USER, FakeSpot
from tests.planning.robots.kinematic import Kinematic


@pytest.fixture(autouse=True)
def signed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOSDYN_CLIENT_USERNAME", USER)
    monkeypatch.setenv("BOSDYN_CLIENT_PASSWORD", SECRET)


@contextmanager
def driven(spot: FakeSpot, folder: Path, **more: Any) -> Iterator[LiveRobot]:
    """Return a Spot taken by a mission."""
    settings = SpotSettings(
        address="127.0.0.1", port=spot.port, certificate=spot.certificate, **more
    )
    speed_mps = spot.robot.speed_mps
    with taken(SpotMachine("spot", settings, speed_mps, folder), "spot", speed_mps) as robot:
        yield robot


def test_a_mission_is_carried_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(grid(), Path("map.json"))
    robot = Kinematic(0.1, 0.05)
    with FakeSpot(robot, tmp_path) as spot:
        Path("robots.yaml").write_text(
            "robots:\n  spot: {pose: [0, 0, 0, 0], capabilities: [goto, inspect, pick, place],"
            f" speed_mps: 4.0, adapter: {{address: 127.0.0.1, port: {spot.port},"
            f" certificate: '{spot.certificate}', T_map_frame: [0, 0, 0, 0]}}}}\n"
        )
        goal = f"spot=(and (safe O3) (object-in-place O1 {place(5, 1)}))"
        words = ["map.json", "--robots", "robots.yaml", "--goal", goal, "--backend", "spot"]
        assert run(["mission", *words, "--yes", "--id", "one"]) == 0
        assert spot.commands.count("grasp") == 1 and "gripper" in spot.commands
        assert spot.limits and max(spot.limits) <= 4.0
        assert not spot.powered and spot.owner == "", "it sat down, and the lease is given back"
    capsys.readouterr()
    assert run(["mission", "--explain", "one"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"^\d\d:\d\d:\d\d +\d+\.\d s  spot is told: inspect O3$", said, re.M), said
    assert re.search(r"^\d\d:\d\d:\d\d +\d+\.\d s  spot has finished: inspect O3$", said, re.M), (
        said
    )
    folder = tmp_path / "runs/missions/one"
    end = json.loads((folder / "events.jsonl").read_text().splitlines()[-1])
    assert end["decided"][-1]["status"] == "done"
    (picture,) = folder.rglob("*.jpg")
    assert picture.read_bytes() == JPEG and "O3" in picture.name
    assert not any(SECRET.encode() in f.read_bytes() for f in folder.rglob("*") if f.is_file())


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"secret": "wrong-horse"}, "user name or password is wrong"),
        ({"secret": ""}, "set the environment variables"),
        ({"major": 3}, "software 3.0"),
        ({"certificate": True}, "certificate is not trusted"),
        ({"owner": "tablet"}, "held by tablet"),
        ({"powered": True}, "under another emergency stop"),
        ({"port": 1}, "nothing that is a Spot"),
    ],
)
def test_what_is_wrong_at_the_beginning_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any], words: str
) -> None:
    if "secret" in wrong:
        monkeypatch.setenv("BOSDYN_CLIENT_PASSWORD", wrong["secret"])
    with FakeSpot(Kinematic(0.0, 0.0), tmp_path, major=wrong.get("major", 5)) as spot:
        spot.owner, spot.powered = wrong.get("owner", ""), wrong.get("powered", False)
        settings = SpotSettings(
            address="127.0.0.1",
            port=wrong.get("port", spot.port),
            certificate=None if "certificate" in wrong else spot.certificate,
        )
        machine = SpotMachine("spot", settings, 1.0, tmp_path)
        with pytest.raises(RobotError, match=words) as raised:
            machine.open("test")
            machine.check()
        said = str(raised.value)
        assert "\n" not in said and SECRET not in said and "wrong-horse" not in said
        machine.close()
        assert "trajectory" not in spot.commands


def test_nothing_moves_before_the_first_order_and_it_stops_in_time(tmp_path: Path) -> None:
    robot = Kinematic(0.0, 0.0, speed_mps=1.0)
    with FakeSpot(robot, tmp_path) as spot, driven(spot, tmp_path) as mine:
        time.sleep(0.3)
        assert not spot.powered and not spot.commands
        mine.follow("a", WAY, 12.0)
        until(mine, lambda s: s.gone_m > 0.3)
        mine.stop()
        until(mine, lambda s: "stop" in spot.commands and not robot.moving)
        assert robot.x < 3.0 and mine.status().state == "idle"


def test_who_only_hears_it_takes_and_stops_nothing(tmp_path: Path) -> None:
    robot = Kinematic(0.0, 0.0, speed_mps=0.5)
    with FakeSpot(robot, tmp_path) as spot, driven(spot, tmp_path) as mine:
        mine.follow("a", WAY, 12.0)
        until(mine, lambda s: s.gone_m > 0.1)
        owner, before = spot.owner, len(spot.commands)
        settings = SpotSettings(
            address="127.0.0.1", port=spot.port, certificate=spot.certificate, take_lease=True
        )
        listener = SpotMachine("spot", settings, 1.0, tmp_path)
        with taken(listener, "spot", 1.0) as heard:
            until(heard, lambda s: s.position is not None)
        assert (spot.owner, len(spot.commands)) == (owner, before)
        assert spot.powered and robot.moving


RUNS = f"{session.PROGRAM}:dawn#0123:base:mission-17"
"""Holds the lease: another mission that is under way."""


def test_a_mission_that_is_refused_takes_the_robot_from_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(grid(), Path("map.json"))
    with FakeSpot(Kinematic(0.0, 0.0), tmp_path) as spot:
        spot.owner, spot.powered = RUNS, True
        Path("robots.yaml").write_text(
            "robots:\n  rex: {pose: [0, 0, 0, 0], adapter: {address: 127.0.0.1,"
            f" port: {spot.port}, certificate: '{spot.certificate}', take_lease: true,"
            " T_map_frame: [0, 0, 0, 0]}}\n"
        )
        goal = ["--goal", f"rex=(visited-place {place(4, 0)})"]
        words = ["map.json", "--robots", "robots.yaml", "--backend", "spot", *goal]
        assert run(["mission", *words, "--yes"]) == 1
        assert "commonground's mission dawn on base drives it" in capsys.readouterr().err
        assert spot.owner == RUNS
        spot.powered = False
        monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
        assert run(["mission", *words]) == 3
        asked = capsys.readouterr().err
        assert "rex is taken away from commonground's mission dawn on base\n" in asked
        assert spot.owner == RUNS, "nobody approved it"


def test_who_only_stands_by_is_taken_from_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(grid(), Path("map.json"))
    robot = Kinematic(0.0, 0.0, speed_mps=4.0)
    with BridgeServer(robot) as mule, FakeSpot(Kinematic(8.0, 8.0), tmp_path) as spot:
        spot.owner = RUNS
        Path("robots.yaml").write_text(
            "robots:\n  rex: {pose: [0, 0, 0, 0], adapter: {backend: spot, address: 127.0.0.1,"
            f" port: {spot.port}, certificate: '{spot.certificate}', take_lease: true,"
            " T_map_frame: [0, 0, 0, 0]}}\n  mule: {pose: [0, 0, 0, 0], speed_mps: 4.0,"
            f" adapter: {{address: '{mule.address}'}}}}\n"
        )
        goal = ["--goal", f"mule=(visited-place {place(2, 0)})"]
        words = ["map.json", "--robots", "robots.yaml", "--backend", "nav2", *goal]
        monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
        assert run(["mission", *words]) == 0
        asked = capsys.readouterr().err
        assert spot.owner == RUNS and mule.goals
        assert "rex only stands by, and may be driven meanwhile: commonground's mission" in asked


def test_a_lease_that_a_killed_run_of_the_same_mission_left_is_taken_up(tmp_path: Path) -> None:
    with FakeSpot(Kinematic(0.0, 0.0), tmp_path) as spot:
        spot.owner = RUNS
        settings = SpotSettings(
            address="127.0.0.1", port=spot.port, certificate=spot.certificate, T_map_frame=(0,) * 4
        )
        machine = SpotMachine("rex", settings, 1.0, tmp_path)
        machine.open("dawn#4567")
        with pytest.raises(RobotError, match="held by commonground's mission dawn on base"):
            machine.check()
        machine.close()
        machine = SpotMachine("rex", settings, 1.0, tmp_path)
        machine.open("dawn#0123")
        assert machine.check() == "" and spot.owner == RUNS
        machine.command()
        assert spot.owner.startswith(f"{session.PROGRAM}:dawn#0123:") and spot.owner != RUNS
        machine.close()
        assert spot.owner == ""


def test_a_killed_mission_goes_on_with_its_own_lease_and_says_which_file_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(grid(), Path("map.json"))
    with FakeSpot(Kinematic(0.0, 0.0, speed_mps=4.0), tmp_path) as spot:
        Path("robots.yaml").write_text(
            "robots:\n  rex: {speed_mps: 4.0, adapter: {address: 127.0.0.1, port: "
            f"{spot.port}, certificate: '{spot.certificate}', T_map_frame: [0, 0, 0, 0]}}}}\n"
        )
        goal = ["--goal", f"rex=(visited-place {place(2, 0)})"]
        words = ["map.json", "--robots", "robots.yaml", "--backend", "spot", *goal]
        assert run(["mission", *words, "--yes", "--id", "one"]) == 0
        journal = Path("runs/missions/one/events.jsonl")
        lines = journal.read_bytes().splitlines(keepends=True)
        journal.write_bytes(b"".join(lines[:-1]))  # as if it was killed before its last step
        spot.owner = "tablet"
        capsys.readouterr()
        assert run(["mission", "--resume", "one", "--yes"]) == 1
        said = capsys.readouterr().err
        assert "its lease is held by tablet" in said
        assert "(a mission that goes on reads runs/missions/one/robots.yaml)" in said
        name = f"{session.PROGRAM}:{commander_of(journal.parent)}:base:mission-17"
        spot.owner = name
        assert run(["mission", "--resume", "one", "--yes"]) == 0
        assert spot.owner == name, "nothing was left to order"


def test_a_stolen_lease_ends_its_part(tmp_path: Path) -> None:
    robot = Kinematic(0.0, 0.0, speed_mps=1.0)
    with FakeSpot(robot, tmp_path) as spot, driven(spot, tmp_path) as mine:
        mine.follow("a", WAY, 12.0)
        until(mine, lambda s: s.gone_m > 0.3)
        spot.steal("tablet")
        status = until(mine, ended)
        assert status.failure == "taken" and "tablet" in status.detail
        before = len(spot.commands)
        mine.follow("b", WAY, 12.0)
        assert until(mine, ended).failure == "taken"
        time.sleep(0.3)
        assert len(spot.commands) == before, "whose it is not, is not told anything"
    assert spot.owner == "tablet"


def test_a_lost_link_stops_it_and_then_sits_it_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "ESTOP_S", 5.0)
    robot = Kinematic(0.0, 0.0, speed_mps=0.5)
    with FakeSpot(robot, tmp_path) as spot, driven(spot, tmp_path) as mine:
        mine.follow("a", WAY, 1.5)
        until(mine, lambda s: s.gone_m > 0.3)
        spot.mute = True
        status = until(mine, lambda s: not s.linked)
        assert status.detail
        soon(lambda: not spot.powered)
        assert robot.x < 1.6, "nobody was heard, so it sat down"
        spot.mute = False
        status = until(mine, lambda s: s.linked)
        assert status.state == "idle"


def test_slow_answers_are_out_of_reach_once_and_not_by_turns() -> None:
    prompt = Promptness(1.0)
    assert prompt.answered(0.0, 0.9) == "", "it is slow, and was never lost"
    lost = [prompt.failed("it did not answer in time")]
    lost += [prompt.answered(t, t + 0.9) for t in (2.0, 3.0, 4.0)]
    lost += [prompt.answered(t, t + 0.1) for t in (5.0, 6.0)]
    assert all(lost) and lost[1] == "its answers take 0.9 s, and 0.5 s at most is safe"
    assert prompt.answered(7.1, 7.2) == ""


def test_a_link_with_a_delay_is_lost_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commonground.planning.robots.spot.hearing.HEAR_S", 1.0)
    robot = Kinematic(0.0, 0.0, speed_mps=0.5)
    with FakeSpot(robot, tmp_path) as spot, driven(spot, tmp_path) as mine:
        spot.slow_s = 1.2
        until(mine, lambda s: not s.linked)
        spot.slow_s = 0.7
        until(mine, lambda s: "its answers take" in s.detail)
        assert not mine.status().linked
        spot.slow_s = 0.0
        until(mine, lambda s: s.linked)


def test_a_lease_that_is_none_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeSpot(Kinematic(0.0, 0.0), tmp_path) as spot, driven(spot, tmp_path) as mine:

        def spoiled() -> None:
            raise ValueError("invalid lease_proto: ")

        monkeypatch.setattr(mine._machine._session, "check_lease", spoiled)
        mine.follow("a", WAY, 0.3)
        status = until(mine, lambda s: s.state == "failed")
        assert (status.failure, status.detail) == ("stuck", "it answered what cannot be")


def test_one_that_was_reached_once_is_not_out_of_reach_for_its_certificate(tmp_path: Path) -> None:
    with FakeSpot(Kinematic(0.0, 0.0), tmp_path) as spot, driven(spot, tmp_path) as mine:
        cut = UnableToConnectToRobotError(None)
        settings = mine._machine.settings
        assert "certificate" in session.told(cut, settings)
        assert session.told(cut, settings, known=True) == "it does not answer"
        refused = session.told(InvalidRequestError(None), settings)
        assert refused == "it answers with an error (invalid request)"


def test_one_that_is_not_reached_at_its_first_order_is_not_taken_for_somebody_elses(
    tmp_path: Path,
) -> None:
    robot = Kinematic(0.0, 0.0, speed_mps=0.5)
    with FakeSpot(robot, tmp_path) as spot, driven(spot, tmp_path) as mine:
        spot.mute = True
        mine.follow("a", WAY, 1.5)
        until(mine, lambda s: not s.linked)
        spot.mute = False
        status = until(mine, lambda s: s.linked)
        assert (status.state, status.failure) == ("idle", "")
        mine.follow("b", WAY, 1.5)
        until(mine, lambda s: s.gone_m > 0.1)


def test_a_command_that_times_out_fails(tmp_path: Path) -> None:
    with FakeSpot(Kinematic(0.0, 0.0), tmp_path) as spot, driven(spot, tmp_path) as mine:
        spot.late = True
        mine.follow("a", WAY, 1.0)
        status = until(mine, ended)
        assert status.failure == "stuck" and "timed out" in status.detail


@pytest.mark.parametrize(("what", "failure"), [("battery", "battery"), ("estop", "fault")])
def test_a_low_battery_and_a_pressed_stop_end_it(tmp_path: Path, what: str, failure: str) -> None:
    robot = Kinematic(0.0, 0.0, speed_mps=0.5)
    with FakeSpot(robot, tmp_path) as spot, driven(spot, tmp_path) as mine:
        mine.follow("a", WAY, 12.0)
        until(mine, lambda s: s.gone_m > 0.1)
        if what == "battery":
            spot.battery = 9.0
        else:
            spot.estopped = "hardware button"
        status = until(mine, ended)
        assert status.failure == failure
        assert what == "battery" or "hardware button" in status.detail
        until(mine, lambda s: not robot.moving)


def test_grips_fail_and_succeed_and_a_known_one_is_not_repeated(tmp_path: Path) -> None:
    robot = Kinematic(0.0, 0.0)
    with FakeSpot(robot, tmp_path) as spot, driven(spot, tmp_path) as mine:
        spot.grasp_fails = 1
        mine.act("a", "pick", ("O1",), (0.8, 0.0, 0.0))
        assert until(mine, ended).failure == "grasp"
        mine.act("b", "pick", ("O1",), (0.8, 0.0, 0.0))
        assert until(mine, ended).holding == "O1"
        mine.act("b", "pick", ("O1",), (0.8, 0.0, 0.0))
        assert mine.status().state == "done" and spot.commands.count("grasp") == 2
        mine.act("c", "place", ("O1",), (0.8, 0.3, 0.0))
        status = until(mine, ended)
        assert status.state == "done" and status.holding == "" and not robot.held


def test_what_falls_from_its_gripper_is_told_with_where(tmp_path: Path) -> None:
    robot = Kinematic(0.0, 0.0)
    with FakeSpot(robot, tmp_path) as spot, driven(spot, tmp_path) as mine:
        mine.act("a", "pick", ("O1",), (0.8, 0.0, 0.0))
        assert until(mine, ended).holding == "O1"
        robot.held = False
        fallen = until(mine, lambda status: bool(status.sightings))
        assert fallen.holding == "" and [s.thing for s in fallen.sightings] == ["O1"]
        assert fallen.sightings[0].position[:2] == pytest.approx((0.0, 0.0), abs=0.2)
        mine.act("b", "pick", ("O1",), (0.8, 0.0, 0.0))
        assert until(mine, lambda status: status.order == "b" and ended(status)).holding == "O1"
        robot.held = False
        soon(lambda: mine._kept.empty or not mine._kept.holding)
        mine.act("c", "place", ("O1",), (0.8, 0.3, 0.0))
        assert until(mine, ended).failure == "refused"


def test_what_comes_late_is_no_pose(tmp_path: Path) -> None:
    robot = Kinematic(0.0, 0.0)
    with FakeSpot(robot, tmp_path) as spot, driven(spot, tmp_path) as mine:
        mine.follow("a", WAY, 12.0)
        until(mine, lambda s: robot.moving)
        spot.late_s = 80.0
        status = until(mine, lambda s: not s.localized)
        assert status.failure == "lost" and "its pose is 80 s old" in status.detail
        soon(lambda: not robot.moving)


def test_one_without_an_arm_refuses_to_grip(tmp_path: Path) -> None:
    with FakeSpot(Kinematic(0.0, 0.0), tmp_path, arm=False) as spot, driven(spot, tmp_path) as mine:
        mine.act("a", "pick", ("O1",), (0.8, 0.0, 0.0))
        assert until(mine, ended).failure == "refused"
