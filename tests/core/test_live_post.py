"""Maps of robots elsewhere come in over a socket: what is new, with the token, after an absence."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.errors import ConfigError, MappingError
from commonground.live.team import courier as robots_side
from commonground.live.team import post
from commonground.live.team.acknowledged import TOKEN
from commonground.live.team.courier import Courier
from commonground.live.team.folder import MAPS, SKETCHES, LiveFolder
from commonground.live.team.post import Receiver
from commonground.live.team.team import Bringing
from commonground.live.team.travelling import save_tables, tables_of
from commonground.mapping.fusion.evaluation.teams import made_up, so_far
from commonground.mapping.fusion.inputs import load_run
from commonground.mapping.fusion.robot_run import RobotRun
from commonground.reporter import Silent
from tests.ports import free_port


@cache
def a_run() -> RobotRun:
    """Return a map of twenty submaps."""
    return made_up(seed=8, robots=1, submaps=20, extent_m=100.0).runs[0]


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN, "a-token-of-this-test")
    monkeypatch.setattr(robots_side, "AGAIN_S", 0.05)
    monkeypatch.setattr(robots_side, "STATE_S", 0.0)
    monkeypatch.setattr(robots_side, "EVERY", {SKETCHES: 1, MAPS: 1})


def handed(run: Path, submaps: int, kind: str = MAPS) -> LiveFolder:
    """A robot that has handed over its first submaps."""
    folder = LiveFolder(run)
    tables = tables_of(so_far(a_run(), submaps), ended=True)
    folder.take_over("husky", lambda place: save_tables(tables, "husky", place), kind)
    count = "handed" if kind == MAPS else "sketched"
    folder.tell(
        "husky", {**folder.told("husky"), "robot": "husky", "state": "mapping", count: submaps}
    )
    return folder


def submaps_at(folder: LiveFolder, kind: str = MAPS) -> int:
    newest = folder.newest("husky", kind)
    try:
        return 0 if newest is None else len(load_run(newest[1]).objects.submaps)
    except MappingError:  # it gave way to newer ones while it was read
        return 0


def seen(what: Callable[[], object]) -> None:
    until = time.monotonic() + 30
    while not what() and time.monotonic() < until:
        time.sleep(0.02)
    assert what()


def test_maps_that_waited_while_the_base_was_away_come_in_and_the_end_is_brought(
    tmp_path: Path,
) -> None:
    base = LiveFolder(tmp_path / "base")
    place = f"127.0.0.1:{free_port()}"
    Receiver(base, ["husky"], place).close()  # the base goes away before the robot says anything
    handed(tmp_path / "robot", 8)
    robot = handed(tmp_path / "robot", 10, SKETCHES)
    told: list[str] = []
    courier = Courier(robot, "husky", place, tell=told.append)
    thread = threading.Thread(target=courier.run, daemon=True)
    thread.start()
    seen(lambda: told)
    handed(tmp_path / "robot", 12)
    again = Receiver(base, ["husky"], place)
    seen(lambda: submaps_at(base) == 12 and submaps_at(base, SKETCHES) == 10)
    brought = courier.bytes
    handed(tmp_path / "robot", 13)
    seen(lambda: submaps_at(base) == 13)
    assert courier.bytes - brought < 0.5 * brought, "only what is new travels"
    end = robot.run / "robots" / "husky"
    save_tables(tables_of(a_run(), ended=True), "husky", end)
    (end / "mesh.ply").write_text("stays where it is")
    robot.tell("husky", {"robot": "husky", "state": "done"})
    thread.join(30)
    assert not thread.is_alive()
    assert base.told("husky")["state"] == "done"
    assert len(told) == 2 and "does not answer" in told[0] and "goes on" in told[1]
    came = load_run(base.run / "robots" / "husky")
    assert np.abs(came.objects.centroids - a_run().objects.centroids).max() < 0.02
    assert came.mesh is None
    again.close()


def test_objects_and_path_alone_are_brought_until_all_are_joined(tmp_path: Path) -> None:
    base = LiveFolder(tmp_path / "base")
    receiver = Receiver(base, ["husky"], "127.0.0.1:0")
    robot = handed(tmp_path / "robot", 8, SKETCHES)
    courier = Courier(robot, "husky", f"127.0.0.1:{receiver.port}")
    thread = threading.Thread(target=courier.run, daemon=True)
    thread.start()
    seen(lambda: submaps_at(base, SKETCHES) == 8)
    base.tell_team({"all_joined": True})
    handed(tmp_path / "robot", 10)
    seen(lambda: submaps_at(base) == 10)
    handed(tmp_path / "robot", 14, SKETCHES)
    handed(tmp_path / "robot", 16)
    seen(lambda: submaps_at(base) == 16)
    assert submaps_at(base, SKETCHES) == 8
    robot.tell("husky", {"robot": "husky", "state": "failed"})
    thread.join(30)
    receiver.close()


def test_either_side_that_lost_what_it_knew_has_all_again(tmp_path: Path) -> None:
    base = LiveFolder(tmp_path / "base")
    for submaps, lost in ((8, "base/live/received"), (10, "robot/live/sent"), (12, "nothing")):
        receiver = Receiver(base, ["husky"], "127.0.0.1:0")
        robot = handed(tmp_path / "robot", submaps)
        courier = Courier(robot, "husky", f"127.0.0.1:{receiver.port}")
        thread = threading.Thread(target=courier.run, daemon=True)
        thread.start()
        seen(lambda n=submaps: submaps_at(base) == n)  # type: ignore[misc]
        robot.tell("husky", {"robot": "husky", "state": "failed"})  # it is over for this courier
        thread.join(30)
        assert not thread.is_alive()
        receiver.close()
        for file in (tmp_path / lost).glob("husky.packet"):
            file.write_bytes(b"damaged")


def test_two_connections_of_one_robot_do_not_get_in_each_other_s_way(tmp_path: Path) -> None:
    base = LiveFolder(tmp_path / "base")
    receiver = Receiver(base, ["husky"], "127.0.0.1:0")
    place = f"127.0.0.1:{receiver.port}"
    robot = handed(tmp_path / "robot", 8)
    threads = [
        threading.Thread(target=Courier(robot, "husky", place).run, daemon=True) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for submaps in (9, 10, 11, 12):
        handed(tmp_path / "robot", submaps)
        seen(lambda n=submaps: submaps_at(base) == n)  # type: ignore[misc]
    robot.tell("husky", {"robot": "husky", "state": "failed"})
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    receiver.close()


@pytest.mark.parametrize("full", ["base", "robot"])
def test_who_cannot_write_for_a_while_is_told_of_once_and_goes_on(
    tmp_path: Path, full: str
) -> None:
    base = LiveFolder(tmp_path / "base")
    receiver = Receiver(base, ["husky"], "127.0.0.1:0")
    robot, told = handed(tmp_path / "robot", 8), []
    courier = Courier(robot, "husky", f"127.0.0.1:{receiver.port}", tell=told.append)
    kept = tmp_path / full / "live" / ("received" if full == "base" else "sent")
    aside = kept.with_name("aside")
    if kept.is_dir():
        kept.rename(aside)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text("in the way")  # root writes where it likes, but not through a file
    thread = threading.Thread(target=courier.run, daemon=True)
    thread.start()
    seen(lambda: told)
    time.sleep(0.3)
    assert len(told) == 1 and "cannot be written" in told[0] and thread.is_alive()
    kept.unlink()
    seen(lambda: submaps_at(base) == 8 and len(told) == 2)
    assert told[1] == "husky: sending goes on"
    robot.tell("husky", {"robot": "husky", "state": "failed"})
    thread.join(30)
    receiver.close()


def test_the_last_word_of_a_robot_is_answered_before_the_base_goes(tmp_path: Path) -> None:
    early: list[bool] = []

    class Leaving(LiveFolder):
        def tell(self, robot: str, values: Mapping[str, Any]) -> None:
            super().tell(robot, values)
            closing.start()  # whoever waited for this goes
            closing.join(0.3)
            early.append(not closing.is_alive())

    receiver = Receiver(Leaving(tmp_path / "base"), ["husky"], "127.0.0.1:0")
    closing = threading.Thread(target=receiver.close)
    robot = LiveFolder(tmp_path / "robot")
    robot.tell("husky", {"robot": "husky", "state": "failed"})
    Courier(robot, "husky", f"127.0.0.1:{receiver.port}").run()
    closing.join(30)
    assert early == [False] and not closing.is_alive()


def test_a_connection_that_says_nothing_keeps_nobody_waiting(tmp_path: Path) -> None:
    base = LiveFolder(tmp_path / "base")
    receiver = Receiver(base, ["husky"], "127.0.0.1:0")
    robot = handed(tmp_path / "robot", 8)
    courier = Courier(robot, "husky", f"127.0.0.1:{receiver.port}")
    thread = threading.Thread(target=courier.run, daemon=True)
    with socket.create_connection(("127.0.0.1", receiver.port)):
        thread.start()
        seen(lambda: submaps_at(base) == 8)
        robot.tell("husky", {"robot": "husky", "state": "failed"})
        thread.join(30)
        assert not thread.is_alive()
    receiver.close()


def test_a_map_that_the_base_cannot_use_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unusable(*_: object) -> None:
        raise ValueError("columns of another shape")

    monkeypatch.setattr(post, "applied", unusable)
    receiver = Receiver(LiveFolder(tmp_path / "base"), ["husky"], "127.0.0.1:0")
    courier = Courier(handed(tmp_path / "robot", 8), "husky", f"127.0.0.1:{receiver.port}")
    with pytest.raises(ConfigError, match="cannot be used: columns of another shape"):
        courier.run()
    receiver.close()


def test_everything_is_brought_where_that_is_wanted(tmp_path: Path) -> None:
    base = LiveFolder(tmp_path / "base")
    receiver = Receiver(base, ["husky"], "127.0.0.1:0")
    robot = handed(tmp_path / "robot", 8)
    end = robot.run / "robots" / "husky"
    save_tables(tables_of(a_run(), ended=True), "husky", end)
    (end / "mesh.ply").write_text("all of it")
    (end / "secret.txt").write_text("not a part of a map")
    robot.tell("husky", {"robot": "husky", "state": "done"})
    Courier(robot, "husky", f"127.0.0.1:{receiver.port}", everything=True).run()
    there = base.run / "robots" / "husky"
    assert (there / "mesh.ply").read_text() == "all of it"
    assert not (there / "secret.txt").exists()
    assert (there / "scene.json").read_bytes() == (end / "scene.json").read_bytes()
    receiver.close()


def test_who_does_not_know_the_token_or_is_not_of_the_team_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = LiveFolder(tmp_path / "base")
    told: list[str] = []
    receiver = Receiver(base, ["spot"], "127.0.0.1:0", told.append)
    place = f"127.0.0.1:{receiver.port}"
    robot = handed(tmp_path / "robot", 8)
    with pytest.raises(ConfigError, match="nobody of that name"):
        Courier(robot, "husky", place).run()
    monkeypatch.setenv(TOKEN, "another-token-of-it")
    with pytest.raises(ConfigError, match=TOKEN):
        Courier(robot, "husky", place).run()
    monkeypatch.setenv(TOKEN, "short")
    with pytest.raises(ConfigError, match="16 letters"):
        Courier(robot, "husky", place)
    receiver.close()
    assert base.robots() == [] and base.newest("husky") is None
    seen(lambda: len(told) > 1)  # the thread that turned the last one away may still be at it
    assert told == [
        "'husky' called, which is not in this team, and was turned away",
        "somebody called who has another token, and was turned away",
    ]


def test_a_robot_that_is_refused_is_told_of_at_once_and_at_the_end(tmp_path: Path) -> None:
    receiver = Receiver(LiveFolder(tmp_path / "base"), ["spot"], "127.0.0.1:0")
    courier = Courier(handed(tmp_path / "robot", 8), "husky", f"127.0.0.1:{receiver.port}")
    said: list[str] = []

    class Said(Silent):
        def note(self, text: str) -> None:
            said.append(text)

    bringing = Bringing(courier, Said())
    bringing.join(30)
    assert len(said) == 1 and "nobody of that name is in this team" in said[0]
    with pytest.raises(ConfigError, match="husky: its map was not sent"):
        bringing.check()
    receiver.close()


def test_a_second_robot_of_one_name_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    base = LiveFolder(tmp_path / "base")
    receiver = Receiver(base, ["husky"], "127.0.0.1:0")
    place = f"127.0.0.1:{receiver.port}"
    first = handed(tmp_path / "first", 8)
    courier = Courier(first, "husky", place)
    thread = threading.Thread(target=courier.run, daemon=True)
    thread.start()
    seen(lambda: submaps_at(base) == 8)
    with pytest.raises(ConfigError, match="another robot of that name sends its map already"):
        Courier(handed(tmp_path / "second", 12), "husky", place).run()
    handed(tmp_path / "first", 10)
    seen(lambda: submaps_at(base) == 10)
    first.tell("husky", {"robot": "husky", "state": "failed"})
    thread.join(30)
    receiver.close()
