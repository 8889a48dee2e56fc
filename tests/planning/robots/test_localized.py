"""Robots that are localized by estimates while they drive: none goes where nobody knows where it is."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from commonground.arrays import Floats
from commonground.cli.main import run
from commonground.geometry import from_xyz_yaw
from commonground.live import real
from commonground.planning.robots.lateness import Lateness
from commonground.planning.robots.live import LiveRobot
from commonground.planning.robots.machine import DONE, RUNNING, Outcome, Pose, Reading
from commonground.planning.robots.poses import Anchor, EstimateFile, Fixed, anchored
from commonground.planning.robots.whereabouts import Whereabouts
from commonground.robots import Robot
from commonground.scene import save_scene
from tests.planning.mission.scenes import grid, place
from tests.planning.robots.bridge import BridgeServer
from tests.planning.robots.driving import soon, until
from tests.planning.robots.kinematic import Kinematic


class Dummy:
    """A machine that is where a test says, and drives nowhere."""

    def __init__(self) -> None:
        self.at = (0.0, 0.0)
        self.lines: list[np.ndarray] = []
        self.halts = 0
        self.result: Outcome = RUNNING

    def open(self, commander: str) -> None: ...
    def command(self) -> None: ...
    def close(self) -> None: ...
    def reading(self) -> Reading:
        return Reading(Pose(*self.at, 0.0, time.monotonic()))

    def drive(self, job: str, line: np.ndarray) -> None:
        self.lines.append(line)

    def look(self, job: str, thing: str, point: np.ndarray) -> None: ...
    def pick(self, job: str, point: np.ndarray) -> None: ...
    def place(self, job: str, point: np.ndarray) -> None: ...
    def outcome(self, job: str) -> Outcome:
        return self.result

    def halt(self) -> None:
        self.halts += 1


class Told:
    """A frame of odometry, as the estimates that are told say where it lies."""

    def __init__(self) -> None:
        self._anchor = Anchor(None, "it was not localized yet")
        self._count = 0

    def now(self) -> Anchor:
        """Return what the last estimate says."""
        return self._anchor

    def tell(self, state: str, T_map_odom: Floats | None) -> None:
        """Take an estimate, such as ``relocalize`` gives."""
        self._count += 1
        self._anchor = anchored(state, T_map_odom)._replace(estimate=self._count)


def test_a_pose_by_another_clock_is_none() -> None:
    where = Whereabouts(np.zeros(3), 1.0)
    where.take_in(Fixed().now(), Reading(Pose(1.0, 0.0, 0.0, time.time() + 1e9)), 0.0)
    assert "not by time.monotonic()" in where.lost and where.position.tolist() == [0, 0, 0]


def test_a_clock_that_was_set_is_believed_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now_s)
    late, ages = Lateness(), list[float]()
    for second in range(100):
        now_s = 1000.0 + second
        stamp_s = 5e6 + second - (8.0 if second >= 10 else 0.1 * (second % 2))
        ages.append(now_s - late.sent_s(stamp_s))
    assert max(ages[:10]) == pytest.approx(0.1) and set(np.round(ages[10:30])) == {8.0}
    assert ages[-1] == pytest.approx(0.0) and late.sent_s(0.0) == now_s


def live(machine: Dummy, poses: Told | EstimateFile) -> LiveRobot:
    robot = LiveRobot(Robot("spot", from_xyz_yaw([0, 0, 0, 0]), speed_mps=50.0), machine, poses)
    robot.take("test")
    return robot


def test_goals_are_said_in_the_frame_of_odometry_as_it_is_now() -> None:
    machine, told = Dummy(), Told()
    robot = live(machine, told)
    try:
        assert not robot.status().localized and "not localized yet" in robot.status().detail
        robot.follow("a", ((5, 2, 0), (9, 2, 0)), 2.0)
        assert robot.status().failure == "lost" and not machine.lines
        told.tell("localized", from_xyz_yaw([5, 2, 0, np.pi / 2]))
        robot.follow("b", ((5, 2, 0), (9, 2, 0)), 2.0)
        status = robot.status()
        assert status.position == (5.0, 2.0, 0.0) and status.state == "running"
        assert machine.lines[-1][-1] == pytest.approx([0.0, -2.0])
        machine.at, machine.result = (0.0, -2.0), DONE
        until(robot, lambda s: s.gone_m == 2.0)
        told.tell("tentative", from_xyz_yaw([5, 2, 0, 0]))
        status = until(robot, lambda s: s.failure == "lost")
        assert (status.localized, status.position) == (False, None)
        assert "tentative" in status.detail
        soon(lambda: machine.halts)
    finally:
        robot.release()


def test_one_that_drove_far_without_an_estimate_is_lost() -> None:
    machine, told = Dummy(), Told()
    told.tell("localized", from_xyz_yaw([0, 0, 0, 0]))
    robot = live(machine, told)
    try:
        for x in range(0, 45, 3):
            machine.at = (float(x), 0.0)
            time.sleep(0.15)
        until(robot, lambda s: "without an estimate" in s.detail and not s.localized)
        told.tell("localized", from_xyz_yaw([0.1, 0, 0, 0]))
        until(robot, lambda s: s.localized)
    finally:
        robot.release()


@pytest.mark.parametrize(
    ("T", "why"),
    [
        (np.full((4, 4), np.nan), "no pose"),
        (np.eye(3), "no pose"),
        (np.diag([1.0, -1.0, -1.0, 1.0]), "upright"),
        (np.diag([2.0, 2.0, 2.0, 1.0]), "upright"),
    ],
)
def test_an_estimate_that_cannot_be_is_none(T: np.ndarray, why: str) -> None:
    assert why in anchored("localized", T).why and anchored("localized", T).T_map_frame is None


def test_the_last_whole_line_of_a_file_counts(tmp_path: Path) -> None:
    path = tmp_path / "fixes.jsonl"
    poses = EstimateFile(path)
    assert "cannot be read" in poses.now().why
    good = json.dumps({"state": "localized", "T_map_odom": np.eye(4).tolist()})
    path.write_text(good + "\n" + good[:30])
    assert poses.now().T_map_frame is not None
    path.write_text("nonsense\n")
    assert "no estimate" in poses.now().why


def test_a_mission_waits_for_relocalization_and_stops_where_it_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(real, "LOCALIZED_S", 0.5)
    save_scene(grid(), Path("map.json"))
    fixes = tmp_path / "fixes.jsonl"

    def tell(state: str) -> None:
        T = from_xyz_yaw([4.0, -2.0, 0.0, np.pi / 2]).tolist() if state == "localized" else None
        with fixes.open("a") as file:
            file.write(json.dumps({"state": state, "T_map_odom": T}) + "\n")

    robot = Kinematic(2.0, 4.0, speed_mps=1.0)  # at (0, 0) of the map
    with BridgeServer(robot, topic="/odom") as server:
        Path("robots.yaml").write_text(
            "robots:\n  husky: {pose: [6, 6, 0, 0], capabilities: [goto], speed_mps: 1.0, adapter:"
            f" {{address: '{server.address}', pose_topic: /odom, frame: odom,"
            f" localization: '{fixes}'}}}}\n"
        )
        words = ["map.json", "--robots", "robots.yaml", "--backend", "nav2", "--yes"]
        goal = ["--goal", f"husky=(visited-place {place(4, 0)})"]
        tell("lost")
        assert run(["mission", *words, *goal, "--id", "one"]) == 3
        said = capsys.readouterr().err
        assert "relocalize it before it starts" in said and said.count("\n") == 1
        assert not server.goals
        tell("localized")
        monkeypatch.setattr(real, "LOCALIZED_S", 30.0)
        stood: list[float] = []

        def lose() -> None:
            while robot.y > 2.0 and time.monotonic() < end:
                time.sleep(0.02)
            cancels = server.cancels
            tell("lost")
            soon(lambda: server.cancels > cancels and not robot.moving)
            stood.append(robot.y)
            time.sleep(0.5)
            stood.append(robot.y)
            tell("localized")

        end = time.monotonic() + 120.0
        thread = threading.Thread(target=lose)
        thread.start()
        assert run(["mission", *words, *goal, "--id", "two"]) == 0
        thread.join()
        assert stood[0] == stood[1], "it stands while it is lost"
    # the odometry's x axis is the map's y axis
    assert (4.0 - robot.y, -2.0 + robot.x) == pytest.approx((8.0, 0.0), abs=0.7)
    capsys.readouterr()
    assert run(["mission", "--explain", "two"]) == 0
    assert "does not know where it is" in capsys.readouterr().out


class Meeting(Dummy):
    """A machine that tells what a mission needs once another one is asked too."""

    def __init__(self, others: threading.Barrier) -> None:
        super().__init__()
        self.others = others

    def await_ready(self) -> None:
        self.others.wait(30.0)


def test_robots_are_waited_for_at_once() -> None:
    both = threading.Barrier(2)
    robots = {
        name: LiveRobot(Robot(name, from_xyz_yaw([0, 0, 0, 0])), Meeting(both), Fixed())
        for name in ("anna", "bert")
    }
    real.await_ready(robots)
    assert not both.broken
