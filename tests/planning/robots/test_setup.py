"""What is set up wrongly is told before a robot drives: a frame, a unit, a topic that nobody publishes."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from commonground import adapters, robots
from commonground.cli.main import run
from commonground.errors import ConfigError
from commonground.geometry import yaw_of
from commonground.grounding import Grounder
from commonground.live import real
from commonground.live.folders import header, read_begun
from commonground.planning.mission.journal import Journal
from commonground.planning.robots.fleet import live_robots
from commonground.planning.robots.rosbridge import nav2
from commonground.planning.team import plan_scene
from commonground.robots import RobotEntry, load_team, team_of
from commonground.run_folder import SCENE
from commonground.scene import load_scene, save_scene
from commonground.scene.strangers import off_map, strangers
from tests.planning.mission.scenes import grid, place
from tests.planning.robots.bridge import BridgeServer
from tests.planning.robots.driving import taken, until
from tests.planning.robots.kinematic import Kinematic


def team_file(folder: Path, pose: str = "[0, 0, 0, 0]", more: str = "") -> Path:
    path = folder / "robots.yaml"
    path.write_text(
        f"robots:\n  husky:\n    pose: {pose}\n    capabilities: [goto]\n"
        + f"    {more}\n" * bool(more)
    )
    return path


@pytest.mark.parametrize(
    ("x", "z", "is_stranger"),
    [(-6.0, 0.0, False), (-8.0, 0.0, True), (19.5, 0.0, True), (0, 90, True)],
)
def test_a_robot_is_on_the_map_where_a_place_is_within_a_few_meters(
    tmp_path: Path, x: float, z: float, is_stranger: bool
) -> None:
    team = load_team(team_file(tmp_path, f"[{x}, 4, {z}, 0]"))
    assert bool(strangers(grid(), team)) == is_stranger


@pytest.mark.parametrize(
    ("z", "told"),
    [(0.6, ""), (4.0, "4.0 m above the ground"), (-2.5, "2.5 m below the ground")],
)
def test_a_robot_that_hangs_in_the_air_is_told(tmp_path: Path, z: float, told: str) -> None:
    team = load_team(team_file(tmp_path, f"[2, 2, {z}, 0]"))
    plan = plan_scene(grid(), team, {"husky": "(visited-place P0)"})
    assert [line for line in plan.assumed if "ground of the map" in line] == [
        f"husky is {told} of the map; is z of its pose right?"
    ] * bool(told)


@pytest.mark.parametrize("other", ["Husky", "HUSKY", "hus_ky", "hus-ky", "\uff28usky"])
def test_robots_whose_names_are_spoken_alike_are_refused(tmp_path: Path, other: str) -> None:
    entry = "{pose: [0, 0, 0, 0]}"
    path = tmp_path / "robots.yaml"
    path.write_text(f"robots:\n  husky: {entry}\n  {other}: {entry}\n")
    with pytest.raises(ConfigError, match=rf"robots.yaml:\d.*'husky' and '{other}' are one name"):
        load_team(path)
    path.write_text(f"robots:\n  husky: {entry}\n  {other}2: {entry}\n")
    assert len(load_team(path)) == 2


@pytest.mark.parametrize("adapter", ["T_map_frame: [30, 0, 0, 0]", "T_map_frame: [0, 30, 0, 1.57]"])
def test_a_real_robot_off_the_map_is_never_driven(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    adapter: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(real, "LOCALIZED_S", 0.5)
    save_scene(grid(), Path("map.json"))
    with BridgeServer(Kinematic(2.0, 2.0)) as server:
        team_file(tmp_path, more=f"adapter: {{address: '{server.address}', {adapter}}}")
        words = ["--robots", "robots.yaml", "--backend", "nav2", "--yes", "--id", "one"]
        goal = ["--goal", f"husky=(visited-place {place(4, 0)})"]
        assert run(["mission", "map.json", *words, *goal]) == 3
        said = capsys.readouterr().err
        assert "m from the nearest place" in said and "T_map_frame" in said, said
        assert not server.goals
    assert not Path("runs/missions/one").exists(), "nothing began"


def test_a_robot_that_is_driven_off_the_map_does_not_know_where_it_is() -> None:
    robot = Kinematic(0.0, 0.0)
    with BridgeServer(robot) as server:
        machine = nav2.Nav2Machine("husky", nav2.Nav2Settings(address=server.address), 1.0)
        with taken(machine, "husky", 1e3) as link:
            link._where._off_map = off_map(grid())
            until(link, lambda s: s.localized)
            robot.x = -20.0
            status = until(link, lambda s: not s.localized)
            assert "20 m from the nearest place" in status.detail and status.position is None


@pytest.mark.parametrize(
    ("pose", "more", "words"),
    [
        ("[0, 0, 0, 180]", "", "robots.yaml:3: 'robots.husky.pose': the yaw is in radians"),
        ("[0, 0, 0, 0]", "adapter: {address: 'ws://x', T_map_frame: [0, 0, 0, 90]}", "yaml:5"),
        ("[0, 0, 0, 0]", "adapter: {address: 'http://x:9090'}", "write ws://HOST:9090"),
        ("[0, 0, 0, 0]", "adapter: {adress: 'ws://x'}", "robots.yaml:5: unknown setting 'adress'"),
    ],
)
def test_other_units_and_addresses_are_refused_with_their_line_and_leave_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    pose: str,
    more: str,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(grid(), Path("map.json"))
    team_file(tmp_path, pose, more)
    goal = ["--goal", f"husky=(visited-place {place(4, 0)})"]
    asked = ["mission", "map.json", "--robots", "robots.yaml", "--backend", "nav2", "--yes", *goal]
    assert run(asked) == 1
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1, said
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    ("adapter", "words"),
    [
        (
            "backend: navv2, address: 'ws://x'",
            "yaml:5: 'backend': has to be one of nav2, spot. Did you mean 'nav2'?",
        ),
        ("adress: 'ws://x'", "yaml:5: unknown setting 'adress'. Did you mean 'address'?"),
        (
            "address: 'ws://x', T_map_frame: [0, 0, 0, 90]",
            "yaml:5: 'T_map_frame': the yaw is in rad",
        ),
        ("address: 'x:9090'", "yaml:5: 'address': write ws://HOST:9090"),
        (
            "address: 10.0.0.5",
            "yaml:5: the frames of a Spot begin anew at each start: write T_map_frame",
        ),
        ("address: 10.0.0.5, localization: fixes.jsonl", ""),
        ("backend: nav2, address: 'ws://x'", ""),
    ],
)
def test_adapters_are_checked_where_nothing_real_is_driven(
    tmp_path: Path, adapter: str, words: str
) -> None:
    file = team_file(tmp_path, more=f"adapter: {{{adapter}}}")
    if not words:
        assert len(load_team(file)) == 1
        return
    with pytest.raises(ConfigError) as raised:
        load_team(file)
    assert words in str(raised.value) and "not {" not in str(raised.value)


class Raft:
    """A machine of a kind that nobody here knows."""

    def __init__(self, name: str, settings: Any, speed_mps: float, **more: Any) -> None:
        self.made_with = (name, settings.address, speed_mps, sorted(more))


def test_another_kind_of_robot_is_a_row_of_one_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = team_file(tmp_path, more="adapter: {backend: raft, address: '10.0.0.5:18440'}")
    with pytest.raises(ConfigError, match=r"yaml:5: 'backend': has to be one of nav2, spot\."):
        load_team(file)
    row = adapters.Kind(adapters.AdapterSettings, f"{__name__}:Raft")
    rows: Any = adapters.KINDS
    monkeypatch.setitem(rows, "raft", row)
    team = load_team(file)
    (link,) = live_robots(team, "nav2", tmp_path, grid()).values()
    made: Any = link._machine
    text = file.read_text()
    assert made.made_with == ("husky", "10.0.0.5:18440", 1.0, ["commands", "pictures"])
    assert len(load_team(team_file(tmp_path, more="adapter: {address: '10.0.0.5:18440'}"))) == 1
    Journal(tmp_path / "one", header("one", {}, (), "", "raft", 0, ())).close()
    save_scene(grid(), tmp_path / "one" / SCENE)
    (tmp_path / "one/robots.yaml").write_text(text)
    assert read_begun(tmp_path / "one").backend == "raft"
    assert tuple(name for name in adapters.KINDS if name != "raft") == real.REAL


def test_real_robots_need_no_pose_and_one_that_is_missing_hides_no_other_mistake(
    tmp_path: Path,
) -> None:
    file = tmp_path / "robots.yaml"
    adapter = "{address: 'ws://x', backend: nav2}"
    file.write_text(f"robots:\n  husky: {{capabilities: [goto], adapter: {adapter}}}\n")
    assert not load_team(file, "nav2")["husky"].placed
    with pytest.raises(ConfigError, match="yaml:2: robot 'husky' has no pose: write pose: "):
        load_team(file)
    file.write_text("robots:\n  husky: {adapter: {adress: 'ws://x'}}\n  bear: {speed_mps: 1}\n")
    with pytest.raises(ConfigError) as raised:
        load_team(file, "nav2")
    assert "'adress'" in str(raised.value) and "'bear' has no pose" in str(raised.value)


@pytest.mark.parametrize("fast", [False, True])
def test_a_real_robot_is_only_driven_faster_than_any_where_its_file_says_so(
    tmp_path: Path, fast: bool
) -> None:
    more = f"speed_mps: 18\n    fast: {str(fast).lower()}\n    adapter: {{address: 'ws://x'}}"
    team = load_team(team_file(tmp_path, more=more), "nav2")
    if fast:
        assert set(live_robots(team, "nav2", tmp_path, grid())) == {"husky"}
        return
    with pytest.raises(ConfigError, match=r"speed_mps of husky is 18 m/s.*fast: true"):
        live_robots(team, "nav2", tmp_path, grid())


def test_a_whole_turn_in_radians_is_a_yaw(tmp_path: Path) -> None:
    assert len(load_team(team_file(tmp_path, f"[0, 0, 0, {-2 * math.pi + 1e-6}]"))) == 1
    with pytest.raises(ConfigError, match="90 degrees are 1.571"):
        load_team(team_file(tmp_path, "[0, 0, 0, 90]"))


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (
            "adapter: {address: 'ws://x', T_map_frame: [0, 0, 0, 3.5]}",
            "3.5 rad; was it meant in degrees",
        ),
        ("speed_mps: 36", "km/h"),
        ("speed_mps: 36, fast: true".replace(", ", "\n    "), ""),
        ("radius_m: 45", "cm"),
        ("speed_mps: 4", ""),
        ("radius_m: 2", ""),
    ],
)
def test_numbers_of_another_unit_are_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, more: str, words: str
) -> None:
    robots._warn.cache_clear()
    for _ in range(2):
        load_team(team_file(tmp_path, more=more))
    assert len(caplog.records) == bool(words)
    assert words in caplog.text and bool(caplog.text) == bool(words)


@pytest.mark.parametrize(
    ("adapter", "code", "words"),
    [
        ("battery_topic: /power, battery_s: 0.5", 1, "nothing came on battery_topic /power"),
        ("battery_topic: /battery_state", 0, ""),
        ("frame: mappe", 3, "no transform mappe -> base_link came; frames heard: base_footprint"),
        ("pose_topic: /odometrie", 3, "nothing came on /odometrie"),
    ],
)
def test_what_nobody_publishes_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    adapter: str,
    code: int,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(real, "LOCALIZED_S", 0.5)
    monkeypatch.setattr(nav2, "FIRST_S", 30.0 if code == 0 else 0.5)
    save_scene(grid(), Path("map.json"))
    with BridgeServer(Kinematic(0.0, 0.0, speed_mps=4.0)) as server:
        team_file(tmp_path, more=f"adapter: {{address: '{server.address}', {adapter}}}")
        goal = ["--goal", f"husky=(visited-place {place(1, 0)})"]
        flags = ["--robots", "robots.yaml", "--backend", "nav2", "--yes"]
        assert run(["mission", "map.json", *flags, *goal]) == code
        said = capsys.readouterr().err
        assert words in said and "relocalize" not in said, said


def test_words_are_about_where_robots_stand_and_not_about_their_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(grid(), Path("map.json"))
    robot = Kinematic(4.0, 6.0, speed_mps=4.0)
    robot.yaw = 1.0
    with BridgeServer(robot) as server:
        adapter = f"capabilities: [inspect], adapter: {{address: '{server.address}'}}"
        Path("robots.yaml").write_text(f"robots:\n  husky: {{pose: [12, 12, 0, 0], {adapter}}}\n")
        flags = ["--robots", "robots.yaml", "--backend", "nav2", "--yes", "--id", "one"]
        assert run(["mission", "map.json", "Husky, inspect the box nearest to you.", *flags]) == 0
    said = capsys.readouterr().out
    assert "husky stands at (4.0, 6.0), told " in said and "inspect O4" in said
    began = load_team(Path("runs/missions/one/robots.yaml"))["husky"]
    assert began.position[:2] == pytest.approx([4.0, 6.0], abs=0.05)
    assert yaw_of(began.T_map_robot) == pytest.approx(1.0, abs=0.01)


def test_what_a_robot_is_told_that_does_not_know_where_it_is_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(real, "LOCALIZED_S", 0.5)
    save_scene(grid(), Path("map.json"))
    with BridgeServer(Kinematic(4.0, 6.0)) as server:
        adapter = f"adapter: {{address: '{server.address}', localization: fixes.jsonl}}"
        team_file(tmp_path, more=adapter)
        flags = ["--robots", "robots.yaml", "--backend", "nav2", "--yes"]
        assert run(["mission", "map.json", "Husky, go to the box nearest to you.", *flags]) == 3
        assert not server.goals
    assert "husky does not know where it is" in capsys.readouterr().err


def test_the_sentences_of_the_guide_are_understood_on_its_map() -> None:
    folder = Path(__file__).resolve().parents[3]
    guide = (folder / "docs/guides/robot.md").read_text()
    said = re.findall(r'commonground mission my_dsg.json "(.*?)"', guide)
    entries = yaml.safe_load(guide.partition('title="robots.yaml"\n')[2].partition("```")[0])
    team = team_of({n: RobotEntry(**entry) for n, entry in entries["robots"].items()})
    grounder = Grounder(load_scene(folder / "commonground/data/courtyard.json"), team)
    assert len(said) == 2
    for text in said:
        answer = grounder.ground(text)
        assert answer.goals, (text, answer.message)
