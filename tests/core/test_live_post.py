"""Maps of robots elsewhere come in over a socket: with the token, after an absence, nothing else."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from commonground.errors import ConfigError
from commonground.live.team import post
from commonground.live.team.folder import LiveFolder
from commonground.live.team.post import TOKEN, Courier, Receiver


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN, "a-token-of-this-test")
    monkeypatch.setattr(post, "AGAIN_S", 0.05)


def handed(run: Path, number: int, text: str) -> LiveFolder:
    folder = LiveFolder(run)
    folder.take_over("husky", number, {"scene.json": text.encode(), "objects.npz": b"things"})
    folder.tell("husky", {"robot": "husky", "state": "mapping", "handed": number})
    return folder


def test_maps_that_waited_while_the_base_was_away_come_in_and_the_end_is_brought(
    tmp_path: Path,
) -> None:
    base = LiveFolder(tmp_path / "base")
    first = Receiver(base, ["husky"], "127.0.0.1:0")
    place = f"127.0.0.1:{first.port}"
    first.close()  # the base goes away before the robot says anything
    robot = handed(tmp_path / "robot", 1, "early")
    courier = Courier(robot, "husky", place)
    thread = threading.Thread(target=courier.run, daemon=True)
    thread.start()
    robot = handed(tmp_path / "robot", 2, "later")
    again = Receiver(base, ["husky"], place)
    until = time.monotonic() + 30
    while courier.sent < 2 and time.monotonic() < until:
        time.sleep(0.02)
    newest = base.newest("husky")
    assert newest is not None and newest[0] == 2
    assert (newest[1] / "scene.json").read_text() == "later"
    end = tmp_path / "robot" / "robots" / "husky"
    end.mkdir(parents=True)
    (end / "mesh.ply").write_text("all of it")
    (end / "secret.txt").write_text("not a part of a map")
    robot.tell("husky", {"robot": "husky", "state": "done"})
    thread.join(30)
    assert not thread.is_alive()
    assert base.told("husky")["state"] == "done"
    assert [f.name for f in (base.run / "robots" / "husky").iterdir()] == ["mesh.ply"]
    again.close()


def test_who_does_not_know_the_token_or_is_not_of_the_team_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = LiveFolder(tmp_path / "base")
    receiver = Receiver(base, ["spot"], "127.0.0.1:0")
    place = f"127.0.0.1:{receiver.port}"
    robot = handed(tmp_path / "robot", 1, "x")
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
