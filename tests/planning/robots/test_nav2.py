"""Robots behind rosbridge: whole missions, and everything that goes wrong with links, goals and messages."""

from __future__ import annotations

import itertools
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from commonground.adapters import Nav2Settings
from commonground.cli.main import run
from commonground.planning.robots import live, whereabouts
from commonground.planning.robots.live import LiveRobot
from commonground.planning.robots.protocol import RobotError
from commonground.planning.robots.rosbridge import battery, client, goals, nav2
from commonground.planning.robots.rosbridge.nav2 import Nav2Machine
from commonground.planning.robots.rosbridge.wire import Decoder, Garbage
from commonground.scene import save_scene
from tests.planning.mission.scenes import grid, place
from tests.planning.robots.bridge import BridgeServer
from tests.planning.robots.driving import MOST_S, WAY, ended, soon, taken, until
from tests.planning.robots.kinematic import Kinematic
from tests.ports import free_port


@contextmanager
def driven(server: BridgeServer, **more: Any) -> Iterator[LiveRobot]:
    """Return the robot behind a server, taken by a mission."""
    settings = Nav2Settings(address=server.address, ros=server.ros, **more)
    with taken(Nav2Machine("husky", settings, 4.0), "husky", 4.0) as robot:
        yield robot


# ---- whole missions, by the command ----


@pytest.mark.parametrize(
    ("ros", "fragment", "adapter"),
    [
        (2, 0, ""),
        (2, 90, "drive: navigate_to_pose"),
        (1, 0, "ros: 1, compression: png"),
        (2, 0, "compression: cbor, pose_topic: /odom"),
    ],
)
def test_a_mission_is_carried_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ros: int, fragment: int, adapter: str
) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(grid(), Path("map.json"))
    robot = Kinematic(0.1, 0.05)
    topic = "/odom" if "/odom" in adapter else ""
    with BridgeServer(robot, ros=ros, fragment=fragment, topic=topic) as server:
        more = f", {adapter}" if adapter else ""
        Path("robots.yaml").write_text(
            "robots:\n  husky: {pose: [6, 6, 0, 0], capabilities: [goto, inspect], speed_mps: 4.0,"
            f" adapter: {{address: '{server.address}'{more}}}}}\n"
        )
        goal = f"husky=(and (visited-place {place(3, 0)}) (safe O1))"
        words = ["map.json", "--robots", "robots.yaml", "--goal", goal, "--backend", "nav2"]
        assert run(["mission", *words, "--yes", "--id", "one"]) == 0
        assert not robot.moving
        if ros == 2:
            assert server.limits == [4.0]
    assert abs(robot.x - 6.0) < 1.0 and abs(robot.y) < 1.0
    end = json.loads(Path("runs/missions/one/events.jsonl").read_text().splitlines()[-1])
    assert end["decided"][-1]["status"] == "done"
    assert run(["mission", "--replay", "one"]) == 0


def test_what_cannot_be_reached_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(grid(), Path("map.json"))
    cases = {
        f"address: 'ws://127.0.0.1:{free_port()}'": "cannot be reached",
        "address: 'nonsense'": "robots.yaml:2: 'address': write ws://HOST:9090",
        "adress: 'ws://127.0.0.1:1'": "robots.yaml:2: unknown setting 'adress'",
    }
    for adapter, words in cases.items():
        Path("robots.yaml").write_text(
            f"robots:\n  husky: {{pose: [0, 0, 0, 0], adapter: {{{adapter}}}}}\n"
        )
        words_ = ["map.json", "--robots", "robots.yaml", "--goal", "husky=(visited-place P1)"]
        assert run(["mission", *words_, "--backend", "nav2", "--yes", "--id", str(len(words))]) == 1
        said = capsys.readouterr().err
        assert words in said and said.count("\n") == 1, said


# ---- links ----


def test_the_grant_is_where_it_stops_and_a_larger_one_lets_it_drive_on() -> None:
    robot = Kinematic(0.0, 0.0)
    with BridgeServer(robot) as server, driven(server) as husky:
        husky.follow("a", WAY, 2.0)
        until(husky, lambda s: s.gone_m == 2.0)
        time.sleep(0.3)
        assert robot.x == pytest.approx(2.0, abs=0.05) and husky.status().state == "running"
        husky.follow("a", WAY, 12.0)
        assert until(husky, ended).state == "done"
        assert robot.x == pytest.approx(12.0, abs=0.1)
        goals = len(server.goals)
        husky.follow("a", WAY, 12.0)
        assert husky.status().state == "done" and len(server.goals) == goals, "no order twice"


def test_a_cut_link_stops_it_and_it_comes_back() -> None:
    robot = Kinematic(0.0, 0.0, speed_mps=2.0)
    with BridgeServer(robot) as server, driven(server) as husky:
        husky.follow("a", WAY, 12.0)
        until(husky, lambda s: s.gone_m > 1.0)
        before = server.cancels
        server.drop()
        # the link may be back before anyone asks, so what is waited for is what stays: it stands
        until(husky, lambda s: s.linked and s.state == "idle" and server.connections == 2)
        until(husky, lambda s: server.cancels > before)
        stood = robot.x
        time.sleep(0.4)
        assert robot.x == stood < 11.0
        husky.follow("b", WAY, 12.0)
        status = until(husky, ended)
        assert status.state == "done" and status.gone_m == 12.0


def test_a_link_that_was_cut_and_back_between_two_looks_leaves_no_order_running() -> None:
    robot = Kinematic(0.0, 0.0, speed_mps=1.0)
    with BridgeServer(robot) as server:
        machine = Nav2Machine("husky", Nav2Settings(address=server.address), 1.0)
        with taken(machine, "husky", 1.0) as husky:
            husky.follow("a", WAY, 12.0)
            until(husky, lambda s: robot.moving)
            machine.halt()  # as each new connection does first, and nobody saw that the old one was lost
            assert until(husky, lambda s: s.state != "running").state == "idle"


def test_a_server_that_falls_silent_is_no_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nav2, "SILENT_S", 2.0)
    robot = Kinematic(0.0, 0.0)
    with BridgeServer(robot) as server, driven(server) as husky:
        server.silent = True
        status = until(husky, lambda s: not s.linked)
        assert "nothing was heard" in status.detail
        server.silent = False
        until(husky, lambda s: s.linked)


@pytest.mark.parametrize("topic", ["", "/odom"], ids=["by TF", "by a topic"])
def test_what_comes_late_is_no_pose_though_it_comes_all_the_time(topic: str) -> None:
    robot = Kinematic(0.0, 0.0)
    with BridgeServer(robot, topic=topic) as server, driven(server, pose_topic=topic) as husky:
        husky.follow("a", WAY, 12.0)
        until(husky, lambda s: robot.moving)
        server.late_s = 80.0
        status = until(husky, lambda s: not s.localized)
        assert status.failure == "lost" and "its pose is 80 s old" in status.detail
        soon(lambda: not robot.moving)
        server.late_s = 0.0
        until(husky, lambda s: s.localized)


def test_one_that_takes_connections_and_says_nothing_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(client, "OPEN_S", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        settings = Nav2Settings(address=f"ws://127.0.0.1:{mute.getsockname()[1]}")
        with pytest.raises(RobotError, match="nothing answered within"):
            Nav2Machine("husky", settings, 1.0).open("test")


def test_an_http_server_is_no_rosbridge() -> None:
    def answer(server: socket.socket) -> None:
        client, _ = server.accept()
        client.recv(4096)
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        client.close()

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=answer, args=(server,))
        thread.start()
        settings = Nav2Settings(address=f"ws://127.0.0.1:{server.getsockname()[1]}")
        with pytest.raises(RobotError, match="no rosbridge"):
            Nav2Machine("husky", settings, 1.0).open("test")
        thread.join(MOST_S)


def test_a_robot_has_one_commander() -> None:
    with BridgeServer(Kinematic(0.0, 0.0)) as server:
        settings = Nav2Settings(address=server.address)
        other = Nav2Machine("husky", settings, 1.0)
        with driven(server) as husky:
            other.check()
            husky.follow("a", WAY, 12.0)
            with pytest.raises(RobotError, match="another mission"):
                other.check()
            with taken(other, "husky", 1.0) as late:
                late.follow("a", WAY, 12.0)
                status = until(late, ended)
                assert status.failure == "taken" and "another mission" in status.detail
            until(husky, lambda s: s.gone_m > 0.1)
        other.check()


@pytest.mark.parametrize("ros", [1, 2])
def test_who_only_hears_it_takes_and_stops_nothing(ros: int) -> None:
    robot = Kinematic(0.0, 0.0, speed_mps=0.5)
    with BridgeServer(robot, ros=ros) as server, driven(server) as husky:
        husky.follow("a", WAY, 12.0)
        until(husky, lambda s: s.gone_m > 0.1)
        before = server.cancels, len(server.limits)
        settings = Nav2Settings(address=server.address, ros=ros)
        listener = Nav2Machine("husky", settings, 1.0, commands=False)
        with taken(listener, "husky", 1.0) as heard:
            until(heard, lambda s: s.position is not None)
        time.sleep(0.2)
        assert (server.cancels, len(server.limits)) == before and not server.ended
        assert robot.moving


def test_a_silent_commander_and_a_stop_make_it_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = Kinematic(0.0, 0.0, speed_mps=0.5)
    with BridgeServer(robot) as server, driven(server) as husky:
        husky.follow("a", WAY, 12.0)
        until(husky, lambda s: s.gone_m > 0.3)
        husky.stop()
        until(husky, lambda s: not robot.moving and s.state == "idle")
        husky.follow("b", WAY, 12.0)
        until(husky, lambda s: robot.moving)
        monkeypatch.setattr(live, "SILENCE_S", 1.0)
        soon(lambda: not robot.moving)
        assert "commander" in husky.status().detail


# ---- goals ----


@pytest.mark.parametrize(("ros", "status"), [(2, 6), (1, 4)])
def test_a_way_that_is_shut_is_tried_again_and_then_told(ros: int, status: int) -> None:
    robot = Kinematic(0.0, 0.0)
    robot.stuck = True
    with BridgeServer(robot, ros=ros) as server, driven(server) as husky:
        server.verdict = status
        husky.follow("a", WAY, 12.0)
        assert until(husky, ended).failure == "stuck"
        husky.follow("b", WAY, 12.0)
        heard = until(husky, ended)
        assert heard.failure == "blocked"
        (sighting,) = heard.sightings
        assert sighting.position is not None and 0.4 < sighting.position[0] < 1.5


def test_goals_that_are_preempted_or_lost_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = Kinematic(0.0, 0.0, speed_mps=1.0)
    with BridgeServer(robot) as server, driven(server) as husky:
        husky.follow("a", WAY, 12.0)
        until(husky, lambda s: s.gone_m > 0.2)
        server.preempt()
        assert "took the place" in until(husky, ended).detail
        server.deaf = True
        monkeypatch.setattr(nav2, "LOST_GOAL_S", 1.0)
        husky.follow("b", WAY, 12.0)
        status = until(husky, ended)
        assert status.failure == "stuck" and "nothing was heard of its goal" in status.detail


# ---- messages ----


@pytest.mark.parametrize(
    "odd",
    ["garbage", b"\xff\x00\x13", "[]", '{"op": 3}', '{"op": "publish", "topic": "/tf", "msg": {}}']
    + ['{"op": "png", "data": "AAAA"}', '{"op": "fragment", "id": "a", "num": 7, "total": 2}'],
)
def test_garbage_is_no_pose_and_stops_it(odd: str | bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    robot = Kinematic(0.0, 0.0, speed_mps=0.5)
    with BridgeServer(robot) as server, driven(server) as husky:
        husky.follow("a", WAY, 12.0)
        until(husky, lambda s: s.gone_m > 0.1)
        server.odd = odd
        monkeypatch.setattr(whereabouts, "STALE_S", 2.0)
        status = until(husky, lambda s: not s.linked or not s.localized)
        assert status.detail
        until(husky, lambda s: not robot.moving)
        server.odd = None
        until(husky, lambda s: s.linked and s.localized)


@pytest.mark.parametrize("pose", [(None, 0.0), (1e308 * 10, 0.0), (400.0, -70.0)])
def test_a_pose_that_cannot_be_stops_it(pose: tuple[float | None, float]) -> None:
    robot = Kinematic(0.0, 0.0, speed_mps=0.5)
    with BridgeServer(robot) as server, driven(server) as husky:
        husky.follow("a", WAY, 12.0)
        until(husky, lambda s: s.gone_m > 0.1)
        server.false_pose = pose
        status = until(husky, lambda s: not s.localized)
        assert status.position is None and ("pose" in status.detail)
        until(husky, lambda s: not robot.moving)
        assert husky.status().failure == "lost"


@pytest.mark.parametrize("topic", ["", "/odom"])
def test_one_that_fell_over_is_told_and_stands(topic: str) -> None:
    robot = Kinematic(0.0, 0.0, speed_mps=0.5)
    with BridgeServer(robot, topic=topic) as server, driven(server, pose_topic=topic) as husky:
        husky.follow("a", WAY, 12.0)
        server.roll = 0.5  # a steep ramp
        until(husky, lambda s: s.gone_m > 0.3)
        server.roll = 1.5
        status = until(husky, lambda s: not s.localized)
        assert "86°" in status.detail and "fallen" in status.detail
        until(husky, lambda s: not robot.moving)
        server.roll = 0.0
        until(husky, lambda s: s.localized)


def test_a_low_battery_stops_it() -> None:
    robot = Kinematic(0.0, 0.0, speed_mps=0.5)
    with (
        BridgeServer(robot) as server,
        driven(server, battery_topic="/battery_state") as husky,
    ):
        husky.follow("a", WAY, 12.0)
        until(husky, lambda s: s.gone_m > 0.1)
        server.battery = 0.1
        assert until(husky, ended).failure == "battery"
        until(husky, lambda s: not robot.moving)


def test_how_old_a_battery_may_be_follows_how_often_it_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr(battery.time, "monotonic", lambda: now[0])
    told = battery.Battery("/power", 10.0)
    assert told.share == 1.0 and not told.known
    told.tell("much")
    told.tell(True)
    assert not told.known, "no word of a battery"
    for now[0], share in ((0.0, 80), (30.0, 0.79)):
        told.tell(share)
        assert told.share == pytest.approx(share if share < 1 else share / 100)
    now[0] = 115.0
    assert not told.stale(), "it came every 30 s"
    now[0] = 125.0
    assert told.stale() == "nothing was heard of its battery (/power) for 95 s; it was at 79%"
    told.listen()
    for now[0] in (525.0, 526.0):
        told.tell(0.7)
    now[0] += 91.0
    assert told.stale(), "a lost connection is no gap"
    quick = battery.Battery("/power", 10.0)
    quick.tell(0.5)
    now[0] += 11.0
    assert "for 11 s" in quick.stale()
    assert not battery.Battery("", 10.0).stale() and battery.Battery("", 10.0).known


def test_a_battery_that_falls_silent_is_told_and_the_robot_goes_on() -> None:
    with (
        BridgeServer(Kinematic(0.0, 0.0, speed_mps=0.5)) as server,
        driven(server, battery_topic="/battery_state", battery_s=0.5) as husky,
    ):
        until(husky, lambda s: s.battery == 0.8)
        husky.await_ready()
        server.mute = "battery_state"
        status = until(husky, lambda s: bool(s.doubt))
        assert "/battery_state" in status.doubt and "it was at 80%" in status.doubt
        husky.follow("a", WAY, 12.0)
        until(husky, lambda s: s.gone_m > 0.1)


def test_fragments_come_in_any_order_and_have_bounds() -> None:
    decoder = Decoder()
    text = json.dumps({"op": "status", "level": "none"})
    parts = [
        json.dumps({"op": "fragment", "id": "f", "data": d, "num": k, "total": 2})
        for k, d in enumerate((text[:9], text[9:]))
    ]
    assert decoder.message(parts[1]) is None
    assert decoder.message(parts[0]) == {"op": "status", "level": "none"}
    for k in range(100):
        part = {"op": "fragment", "id": str(k), "data": "x", "num": 0, "total": 2}
        assert decoder.message(json.dumps(part)) is None
    assert len(decoder._open) <= 16
    with pytest.raises(Garbage, match="too long"):
        for k in range(9):
            part = {"op": "fragment", "id": "big", "data": "x" * 1_000_000, "num": k, "total": 10}
            decoder.message(json.dumps(part))


# ---- the base station ----


def started(*words: str) -> subprocess.Popen[bytes]:
    """Start the program as a process of its own."""
    code = "import sys; from commonground.cli.main import run; sys.exit(run(sys.argv[1:]))"
    return subprocess.Popen([sys.executable, "-c", code, "mission", *words])


class Fatal(Kinematic):
    """A robot whose base station is killed at the very moment at which it has come so far."""

    def __init__(self, far_m: float) -> None:
        super().__init__(0.0, 0.0, speed_mps=2.0)
        self._far_m = far_m
        self.base: subprocess.Popen[bytes] | None = None
        self.killed_at = 0.0

    def step(self, seconds: float) -> None:
        super().step(seconds)
        if self.base is not None and self.x >= self._far_m:
            self.base.kill()
            self.base.wait()
            self.base, self.killed_at = None, self.x


def test_a_killed_base_station_goes_on_and_repeats_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(grid(), Path("map.json"))
    robot = Fatal(8.5)
    with BridgeServer(robot) as server:
        Path("robots.yaml").write_text(
            "robots:\n  husky: {pose: [0, 0, 0, 0], capabilities: [goto, inspect], speed_mps: 2.0,"
            f" adapter: {{address: '{server.address}'}}}}\n"
        )
        goal = f"husky=(and (safe O1) (visited-place {place(6, 0)}))"
        words = ["map.json", "--robots", "robots.yaml", "--goal", goal, "--backend", "nav2"]
        robot.base = process = started(*words, "--yes", "--id", "one")
        assert process.wait(120.0) == -signal.SIGKILL
        soon(lambda: robot.killed_at and not robot.moving)
        assert robot.x < robot.killed_at + 3.5, "it stands at the end of what it was granted"
        process = started("--resume", "one", "--yes")
        while not robot.moving and process.poll() is None:
            time.sleep(0.02)
        cancels = server.cancels
        process.send_signal(signal.SIGTERM)
        assert process.wait(60.0) == 130
        # one that is asked to end lets its robots stand
        soon(lambda: server.cancels > cancels and not robot.moving)
        last = Path("runs/missions/one/acts.jsonl").read_text().splitlines()[-1]
        assert f"interrupts it; husky stands at ({robot.x:.1f}, " in last
        assert run(["mission", "--resume", "one", "--yes"]) == 0
        assert robot.x == pytest.approx(12.0, abs=0.7)
    back = [b[0] - a[0] for a, b in itertools.pairwise(robot.track)]
    assert min(back) > -0.5, "it drove nowhere twice"
    done = capsys.readouterr().out
    assert done.count("husky: inspect") == 1


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"error_code": 1, "error_msg": ""}, ": error 1 of Nav2"),
        ({"error_code": 0, "error_msg": "no such controller"}, ": no such controller"),
        ({"error_code": 106, "error_msg": ""}, ": there is no way through"),
        ("goal rejected", ": goal rejected"),
        (None, ""),
    ],
)
def test_why_a_goal_was_not_taken_is_told_in_words(values: Any, words: str) -> None:
    assert goals.why(values) == words
