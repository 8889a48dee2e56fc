"""What is wrong with robots is told by the command in one line, and nothing has moved by then."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("bosdyn.client")

from commonground.cli.main import run
from commonground.live import real
from commonground.planning.robots.rosbridge import nav2
from commonground.scene import save_scene
from tests.planning.mission.scenes import grid, place
from tests.planning.robots.bridge import BridgeServer
from tests.planning.robots.fake_spot import SECRET, USER, FakeSpot
from tests.planning.robots.kinematic import Kinematic


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BOSDYN_CLIENT_USERNAME", USER)
    monkeypatch.setenv("BOSDYN_CLIENT_PASSWORD", SECRET)
    monkeypatch.setattr(real, "LOCALIZED_S", 0.5)
    save_scene(grid(), Path("map.json"))


def refused(adapter: str, capsys: pytest.CaptureFixture[str], backend: str = "spot") -> str:
    """Return the one line that the command ends with."""
    Path("robots.yaml").write_text(
        f"robots:\n  rex: {{pose: [0, 0, 0, 0], adapter: {{{adapter}}}}}\n"
    )
    words = ["map.json", "--robots", "robots.yaml", "--goal", f"rex=(visited-place {place(1, 0)})"]
    assert run(["mission", *words, "--backend", backend, "--yes", "--id", "one"]) in (1, 3)
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and SECRET not in said, said
    return said


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("credentials", "user name or password is wrong"),
        ("version", "software 3.0"),
        ("certificate", "certificate is not trusted"),
        ("file", "nowhere.pem"),
        ("address", "nothing that is a Spot"),
        ("lease", "held by tablet"),
        ("backend", "backend"),
        ("frame", "write T_map_frame: [x, y, z, yaw]"),
    ],
)
def test_a_spot_that_is_not_as_it_should_be(
    wrong: str,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if wrong == "credentials":
        monkeypatch.setenv("BOSDYN_CLIENT_PASSWORD", "wrong-horse")
    major = 3 if wrong == "version" else 5
    with FakeSpot(Kinematic(0.0, 0.0), tmp_path, major=major) as spot:
        spot.owner = "tablet" if wrong == "lease" else ""
        file = "nowhere.pem" if wrong == "file" else spot.certificate
        trusted = "" if wrong == "certificate" else f", certificate: '{file}'"
        kind = ", backend: sopt" if wrong == "backend" else ""
        port = 1 if wrong == "address" else spot.port
        frame = "" if wrong == "frame" else ", T_map_frame: [0, 0, 0, 0]"
        said = refused(f"address: 127.0.0.1, port: {port}{trusted}{kind}{frame}", capsys)
        assert words in said and "wrong-horse" not in said
        assert not spot.powered and "trajectory" not in spot.commands


@pytest.mark.parametrize(
    ("wrong", "words"),
    [("garbage", "rex"), ("silent", "rex"), ("nowhere", "does not know where it is")],
)
def test_a_server_that_answers_garbage_or_nothing(
    wrong: str,
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nav2, "FIRST_S", 1.0)
    robot = Kinematic(0.0, 0.0)
    with BridgeServer(robot) as server:
        server.odd = "garbage" if wrong == "garbage" else None
        server.silent = wrong == "silent"
        if wrong == "nowhere":
            server.false_pose = (None, 0.0)
        assert words in refused(f"address: '{server.address}'", capsys, "nav2")
        assert not robot.moving and not server.goals
