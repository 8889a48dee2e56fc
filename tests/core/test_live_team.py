"""Live mapping's rules: what is dropped, and which symbol an object keeps."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commonground.console.live_tab import robots
from commonground.errors import ConfigError, MappingError
from commonground.frame import Camera, Frame
from commonground.live.team import LiveTeam, fusing, load_live_team, run_team
from commonground.live.team.folder import LiveFolder
from commonground.live.team.fusing import FusionJob
from commonground.live.team.placing import joins_of
from commonground.live.team.robot import BLANK, RobotJob, Voice, map_live
from commonground.live.team.ros import RosSource
from commonground.live.team.settings import RobotSource
from commonground.live.team.state import read_team
from commonground.live.team.stream import LONGEST_GAP_S, Stream, continued
from commonground.live.team.symbols import Symbols, _became, _numbers
from commonground.live.team.team import Status
from commonground.live.team.waiting import Waiting
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.odometry import Intake, Verdict
from commonground.mapping.settings import MappingSettings, OdometrySettings
from commonground.mapping.source import RecordedFrames
from commonground.reporter import Silent


def frame(number: int, x: float) -> Frame:
    """A frame of a camera that stands at x."""
    T = np.eye(4)
    T[0, 3] = x
    camera = Camera("c", np.diag([10.0, 10.0, 1.0]), 4, 3)
    return Frame(number, "r", camera, np.zeros((3, 4, 3), np.uint8), np.ones((3, 4), np.float32), T)


def test_too_many_images_cost_those_that_tell_least_and_no_pose() -> None:
    waiting = Waiting(3)
    for number, x in enumerate((0.0, 1.0, 1.1, 2.1, 3.1)):
        waiting.put(frame(number, x), 0.0)
    waiting.end()
    came = list(waiting)
    assert [a.frame.stamp_ns for a in came] == [0, 1, 2, 3, 4]
    assert waiting.dropped == 2 and not came[2].images
    assert np.isnan(came[2].frame.depth_m).all()
    assert came[0].images and came[4].images


def test_objects_keep_their_symbols_and_merged_ones_tell_what_they_became() -> None:
    before = Symbols({"a:O1": 0, "a:O2": 0, "b:O1": 1}, {}, 2)
    made_of = [["b:O7"], ["a:O1", "a:O2", "b:O1"]]
    assert _numbers(made_of, before) == ([2, 0], 3)
    assert _became(before, {"a:O1": 0, "a:O2": 0, "b:O1": 0, "b:O7": 2})[1] == 0
    # what was merged comes apart: the larger part keeps the symbol
    assert _numbers(
        [["b:O1"], ["a:O1", "a:O2"]], Symbols({"a:O1": 0, "a:O2": 0, "b:O1": 0}, {}, 1)
    ) == (
        [1, 0],
        2,
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: {robot: x}", "one of recording, simulated, ros, spot and remote"),
        ("a: {recording: nowhere}", "the recording of a is not there: nowhere"),
        ("a: {recording: .}\n  a: {recording: .}", "'a' is there twice"),
        (
            "a: {recording: ., ros: {address: 'ws://x'}}",
            "one of recording, simulated, ros, spot and remote",
        ),
    ],
)
def test_a_team_that_cannot_be_is_told_in_a_line(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "team.yaml"
    file.write_text(f"robots:\n  {text}\n")
    with pytest.raises(ConfigError, match=words):
        load_live_team(file)


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("team.json", {"seconds": []}, "'seconds': input should be a valid number"),
        ("team.json", {"T_map_odom": {"husky": [[1]]}}, "'T_map_odom.husky'"),
        ("team.json", {"T_map_odom": {"husky": {"1": [[1.0]]}}}, "4 rows of 4 numbers"),
        ("robots/husky.json", {"robot": "husky", "frames": -1}, "'frames'"),
        ("robots/husky.json", [], "husky.json"),
    ],
)
def test_what_a_run_says_of_itself_is_checked_when_it_is_read(
    tmp_path: Path, name: str, values: object, words: str
) -> None:
    LiveFolder(tmp_path).tell("husky", {"robot": "husky", "state": "done"})
    assert [robot.state for robot in read_team(tmp_path).robots] == ["done"]
    (tmp_path / "live" / name).write_text(json.dumps(values))
    with pytest.raises(ConfigError, match=words):
        read_team(tmp_path)


def test_a_clock_that_is_set_back_and_a_long_silence_begin_stretches_of_their_own() -> None:
    second = 10**9
    stamps = [100, 101, 5, 6, 7, 7 + 3600]
    frames = list(continued(frame(at * second, 0.1 * k) for k, at in enumerate(stamps)))
    assert np.diff([f.stamp_ns for f in frames]).min() > 0
    intake = Intake(OdometrySettings(longest_gap_s=LONGEST_GAP_S), 100)
    verdicts = [intake.judge(f) for f in frames]
    assert [v is Verdict.CUT for v in verdicts] == [False, False, True, False, False, True]
    # a frame that is only late does not shift those that follow
    late = list(continued(frame(int(at * second), 0.0) for at in (10, 11, 10.5, 12)))
    assert [f.stamp_ns for f in late] == [int(at * second) for at in (10, 11, 10.5, 12)]


def test_who_is_joined_keeps_since_when_until_it_comes_apart() -> None:
    first = joins_of([("bear", "spot")], [], 12.34, 40.0)
    assert first == [["bear", "spot", 12.3, 40.0]]
    later = joins_of([("bear", "husky"), ("bear", "spot")], first, 50.0, 90.0)
    assert later == [["bear", "husky", 50.0, 90.0], ["bear", "spot", 12.3, 40.0]]
    assert joins_of([], later, 60.0, 99.0) == []


def test_frames_of_a_robot_that_comes_at_its_own_pace_are_all_given_with_their_times() -> None:
    frames = [frame(k + 1, 0.1 * k) for k in range(20)]
    stream = Stream(lambda done: iter(frames), None, most_waiting=4)
    came = [f.stamp_ns for f in stream(None)]
    assert came == list(range(1, 21))
    assert [one.stamp_ns for one in stream.timed] == came
    metrics = stream.metrics()
    assert metrics["frames"] == 20 and metrics["dropped"] == stream.dropped
    stopped = Stream(lambda done: iter(()), None, most_waiting=4)
    assert list(stopped(None)) == [] and stopped.metrics()["frames"] == 0


class Heard(Silent):
    """Keeps what is noted."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def note(self, text: str) -> None:
        """Take a line."""
        self.said.append(text)


def test_how_the_team_gets_on_is_said_whether_it_changes_or_not(tmp_path: Path) -> None:
    folder, heard = LiveFolder(tmp_path), Heard()
    status = Status(tmp_path, heard, every_s=0.0)
    status.look()  # nobody has said anything yet
    said = {"robot": "husky", "frames": 200, "dropped": 20, "travel_m": 41.3, "delay_s": 0.04}
    folder.tell("husky", {**said, "T_odom_robot": np.eye(4).tolist()})
    folder.tell("spot", {"robot": "spot", "state": "failed", "error": "no odometry"})
    frames = {"husky": {"1": np.eye(4).tolist()}}
    joins = [["bear", "husky", 12.0, 80.0]]
    folder.tell_team({"T_map_odom": frames, "joins": joins, "objects": 7, "fusions": 2})
    status.look()
    status.look()
    line = (
        "0:00  husky 200 frames, 10 % dropped, 41 m, 0.04 s late, in the map at 0, 0; spot given up; "
        "7 objects in the map"
    )
    assert heard.said == [line, line]
    folder.tell("husky", {**said, "waits": "no depth came from husky"})
    status.look()
    assert "husky waits, 200 frames, 10 % dropped, 41 m; spot" in heard.said[2]
    folder.tell("husky", {k: said[k] for k in said if k != "delay_s"})
    status.look()
    assert "husky 200 frames, 10 % dropped, 41 m; spot" in heard.said[3], "no delay is known"
    folder.beat("husky")
    os.utime(tmp_path / "live" / "beats" / "husky", (0, time.time() - 30))
    status.look()
    assert (
        "husky 200 frames, 10 % dropped, 41 m, nothing from its process for 30 s" in heard.said[4]
    )
    assert "nothing from its process for 30 s" in robots(read_team(tmp_path))
    (husky, spot) = read_team(tmp_path).robots
    assert husky.told_s_ago is not None and spot.told_s_ago is None


def test_a_delay_is_not_told_before_it_is_known() -> None:
    metrics = Stream(lambda done: iter(()), None, most_waiting=4).metrics()
    assert metrics["delay_s"] is None and metrics["delay_95_s"] is None


def test_a_robot_whose_address_changes_goes_on_and_another_recording_does_not() -> None:
    one, two = (RobotSource(ros=RosSource(address=f"ws://{k}"), robot="r") for k in "ab")
    assert one.identity == two.identity
    first, second = (RobotSource(recording=Path(k), robot="r") for k in "ab")
    assert first.identity != second.identity


def test_of_a_robot_of_which_nothing_was_kept_no_map_can_be_finished(tmp_path: Path) -> None:
    source, lines = RobotSource(ros=RosSource(address="ws://nowhere"), robot="r"), Lines()
    job = RobotJob("r", source, tmp_path, MappingSettings(), 1.0, 8, "", finish=True)
    map_live(job, lines)
    assert lines.said == ["r: nothing was kept of its map; it is given up, the others go on"]
    assert read_team(tmp_path).robots[0].state == "failed"


def test_what_is_just_being_written_is_no_robot(tmp_path: Path) -> None:
    folder = LiveFolder(tmp_path)
    folder.tell("husky", {"robot": "husky"})
    (tmp_path / "live" / "robots" / ".husky.x3.json").write_text("{}")
    assert folder.robots() == ["husky"]


def test_a_folder_that_holds_maps_of_other_images_is_refused(tmp_path: Path) -> None:
    folder = LiveFolder(tmp_path)
    folder.go_on({"husky": "monday"})
    folder.go_on({"husky": "monday", "bear": "monday"})  # one may come along later
    with pytest.raises(ConfigError, match="maps of bear from other images"):
        folder.go_on({"husky": "monday", "bear": "tuesday"})
    (tmp_path / "live" / "made_of.json").write_text("[1]")
    with pytest.raises(ConfigError, match="made_of"):
        folder.go_on({})


def test_what_is_no_map_of_yesterday_is_told_before_anybody_leaves(tmp_path: Path) -> None:
    team = LiveTeam(robots={"r": RobotSource(ros=RosSource(address="ws://nowhere"), robot="r")})
    with pytest.raises(MappingError, match="is no fused map"):
        run_team(team, tmp_path / "today", onto=tmp_path)


def test_a_robot_that_ends_while_its_map_is_looked_for_is_fused_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, last = LiveFolder(tmp_path), "live/maps/husky/1/husky"
    (tmp_path / last).mkdir(parents=True)
    folder.tell("husky", {"robot": "husky", "state": "mapping", "handed": 9})
    folder.tell_team({"heads": {"husky": last}, "handed": 9})  # it is in the map so far
    heads_of, fused = fusing._heads, []

    def heads(job: FusionJob, there: LiveFolder) -> dict[str, str]:
        found = heads_of(job, there)
        folder.tell("husky", {"robot": "husky", "state": "done", "handed": 9})
        return found

    def fuse(job: FusionJob, there: LiveFolder, found: dict[str, str], *_: object) -> None:
        fused.append(found)
        folder.tell_team({"heads": found, "handed": 9})

    monkeypatch.setattr(fusing, "_heads", heads)
    monkeypatch.setattr(fusing, "_fuse_once", fuse)
    settings = LocalizationSettings()
    fusing.fuse_live(FusionJob(("husky",), tmp_path, settings, 0, None), Lines())
    assert fused == [{"husky": "robots/husky"}]


def test_images_that_show_nothing_are_told_of_once(tmp_path: Path) -> None:
    lines = Lines()
    voice = Voice(LiveFolder(tmp_path), "r", lines)
    picture = np.random.default_rng(0).integers(0, 255, (64, 64, 3), np.uint8)
    camera = Camera("c", np.diag([10.0, 10.0, 1.0]), 64, 64)
    dark = [
        replace(frame(k, 0.0), camera=camera, rgb=np.full((64, 64, 3), 3, np.uint8),
                depth_m=np.ones((64, 64), np.float32))
        for k in range(2 * BLANK)
    ]  # fmt: skip
    stream = Stream(lambda done: iter([*dark, replace(dark[0], stamp_ns=99, rgb=picture)]), 0, 8)
    voice.hears(stream)
    for k, _ in enumerate(voice.frames(None)):
        voice.frame(k, Verdict.USE)
    assert lines.said == ["r: its last 20 images show nothing or have no depth; is a lens covered?"]
    assert stream.blank == 0


def test_images_that_were_dropped_are_counted_with_the_frames_that_came() -> None:
    all_came = threading.Event()

    def frames(done: object) -> Iterator[Frame]:
        yield from (frame(k, 0.1 * k) for k in range(30))
        all_came.set()

    stream, counts = Stream(frames, None, 2), []
    for _ in stream(None):
        assert all_came.wait(60)
        counts.append(stream.metrics())
    assert all(count["dropped"] <= count["frames"] for count in counts)
    assert counts[-1]["dropped"] > 0


class Slow:
    """A recording whose images take longer to read than it took to take them."""

    def labels(self) -> dict[int, str]:
        return {}

    def first_ns(self, robot: str) -> int:
        return 0

    def length(self, robot: str) -> int:
        return 80

    def frames(
        self, robot: str, *, images: Callable[[], bool] | None = None, **_: object
    ) -> Iterator[Frame]:
        for k in range(80):
            read = images is None or images()
            time.sleep(0.05 if read else 0.0)
            one = frame(10_000_000 * k, 0.1 * k)
            yield one if read else one.without_images()


def test_a_replay_that_cannot_keep_pace_reads_no_images_until_it_can() -> None:
    stream = Stream(RecordedFrames(Slow(), "r"), 1.0, 100)
    came = list(stream(None))
    assert [f.stamp_ns for f in came] == [10_000_000 * k for k in range(80)]
    unread = sum(bool(np.isnan(f.depth_m).all()) for f in came)
    assert 20 < unread < 80 and stream.dropped == unread


class Lines:
    """Where a process puts its lines."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def put(self, line: str) -> None:
        """Take a line."""
        self.said.append(line)
