"""A base station that is killed at any moment goes on without doing anything twice, and replays exactly."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.errors import RunError
from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import Answered, End
from commonground.planning.mission.journal import FILE, Journal, Step, read_header, read_steps
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.runner import Runner, replayed
from commonground.planning.mission.scene_planner import ScenePlanner
from commonground.planning.mission.simulation import SimClock
from commonground.planning.robots.faults import Fault
from commonground.planning.robots.protocol import RobotLink
from commonground.planning.robots.simulated import SimWorld
from tests.planning.mission.scenes import grid, place, team

GOALS = {"anna": f"(object-in-place O1 {place(0, 3)})", "bert": "(and (safe O0) (safe O3))"}
FAULTS = (
    Fault("grasp", robot="anna", times=1),
    Fault("stuck", robot="bert", at_s=4.0, lasts_s=5.0),
)


class Killed(BaseException):
    """The base station is gone, in the middle of whatever it did."""


class Fuse:
    """Kills after so many calls to robots or to the journal."""

    def __init__(self, calls: int) -> None:
        self.left = calls

    def burn(self) -> None:
        if self.left > 0:
            self.left -= 1
        if self.left == 0:
            raise Killed


class Wire:
    """A robot's link that is cut when the fuse has burnt down, before or after a call has got through."""

    def __init__(self, robot: RobotLink, fuse: Fuse, rng: np.random.Generator) -> None:
        self._robot, self._fuse, self._rng = robot, fuse, rng

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._robot, name)
        if self._fuse.left == 0:  # the base station is gone, and says nothing any more
            return lambda *args: None
        if name in ("take", "release", "stop", "name", "status"):
            return call

        def cut(*args: Any) -> None:
            before = self._rng.random() < 0.5
            if before:
                self._fuse.burn()
            call(*args)
            if not before:
                self._fuse.burn()

        return cut


class BurningJournal(Journal):
    """A journal whose writer may be killed before, in the middle of, or after a line."""

    fuse: Fuse

    def write(self, time_s: float, told: Any, decided: Any) -> None:
        self.fuse.burn()
        super().write(time_s, told, decided)
        self.fuse.burn()


def carried_out(folder: Path, world: SimWorld, fuse: Fuse, rng: np.random.Generator) -> End:
    """Begin or resume the mission of a folder with a base station that may be killed."""
    graph, robots = grid(), team(anna=(0, 0), bert=(6, 3))
    begun = (folder / FILE).exists()
    mission = Mission(SceneBelief.of(graph, robots, GOALS))
    if begun:
        assert replayed(mission, list(read_steps(folder))) == -1
    journal = BurningJournal(folder, None if begun else {"mission": "test"})
    journal.fuse = fuse
    links: Mapping[str, Any] = {n: Wire(r, fuse, rng) for n, r in world.robots.items()}
    runner = Runner(mission, ScenePlanner(), links, SimClock(world), lambda question: True, journal)
    try:
        return runner.resume(900.0) if begun else runner.run(900.0)
    finally:
        journal.close()


def test_fifty_kills_repeat_no_action_and_lose_none(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    kills = 0
    for trial in range(40):
        world = SimWorld(grid(), team(anna=(0, 0), bert=(6, 3)), FAULTS)
        end = None
        while end is None:
            try:
                end = carried_out(tmp_path / str(trial), world, Fuse(int(rng.integers(2, 60))), rng)
            except Killed:
                kills += 1
                world.advance(float(rng.uniform(0.0, 3.0)))
        assert end.status == "done"
        deeds = sorted((d.robot, d.kind, d.thing) for d in world.deeds)
        assert deeds == [
            ("anna", "pick", "O1"),
            ("anna", "place", "O1"),
            ("bert", "inspect", "O0"),
            ("bert", "inspect", "O3"),
        ]
        if kills >= 50:
            break
    assert kills >= 50


def test_half_a_line_at_the_end_is_dropped_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    world = SimWorld(grid(), team(anna=(0, 0), bert=(6, 3)))
    assert carried_out(tmp_path, world, Fuse(-1), np.random.default_rng(0)).status == "done"
    whole = (tmp_path / FILE).read_bytes()
    steps = len(list(read_steps(tmp_path)))
    assert read_header(tmp_path) == {"mission": "test"}
    (tmp_path / FILE).write_bytes(whole[:-20])
    assert len(list(read_steps(tmp_path))) == steps - 1
    Journal(tmp_path).close()
    assert (tmp_path / FILE).read_bytes().endswith(b"\n")
    lines = whole.splitlines(keepends=True)
    (tmp_path / FILE).write_bytes(b"".join([*lines[:3], b"garbage\n", *lines[3:]]))
    with pytest.raises(RunError, match="line 4"):
        list(read_steps(tmp_path))


def test_one_process_alone_writes_a_mission(tmp_path: Path) -> None:
    first = Journal(tmp_path, {"mission": "test"})
    with pytest.raises(RunError, match="another process"):
        Journal(tmp_path)
    first.close()
    with pytest.raises(RunError, match="resume it"):
        Journal(tmp_path, {"mission": "other"})


def test_a_replay_that_differs_is_noticed(tmp_path: Path) -> None:
    world = SimWorld(grid(), team(anna=(0, 0), bert=(6, 3)))
    carried_out(tmp_path, world, Fuse(-1), np.random.default_rng(0))
    steps = list(read_steps(tmp_path))

    def again() -> Mission:
        return Mission(SceneBelief.of(grid(), team(anna=(0, 0), bert=(6, 3)), GOALS))

    assert replayed(again(), steps) == -1
    answer = next(k for k, s in enumerate(steps) if any(isinstance(t, Answered) for t in s.told))
    refused = steps[answer]._replace(told=(Answered(False),))
    assert replayed(again(), [*steps[:answer], refused, *steps[answer + 1 :]]) == answer


def test_a_journal_of_a_version_that_says_other_things_goes_on(tmp_path: Path) -> None:
    world = SimWorld(grid(), team(anna=(0, 0), bert=(6, 3)), FAULTS)
    carried_out(tmp_path, world, Fuse(-1), np.random.default_rng(0))
    steps = list(read_steps(tmp_path))

    def changed(kind: str, **values: Any) -> list[Step]:
        """Return the steps with decisions of a kind otherwise."""
        return [
            s._replace(
                decided=tuple({**d, **values} if d["kind"] == kind else d for d in s.decided)
            )
            for s in steps
        ]

    def again(steps: list[Step]) -> int:
        robots = team(anna=(0, 0), bert=(6, 3))
        return replayed(Mission(SceneBelief.of(grid(), robots, GOALS)), steps)

    other = changed("note", text="in other words")
    assert other != steps and again(other) == -1
    assert again(changed("do", upto_m=0.0)) >= 0


@pytest.mark.parametrize("time_s", ["1e999", "nan", 1e12, -1.0])
def test_a_time_that_cannot_be_is_named(tmp_path: Path, time_s: object) -> None:
    step = {"time_s": time_s, "told": [], "decided": []}
    (tmp_path / FILE).write_text(f"{{}}\n{json.dumps(step)}\n")
    with pytest.raises(RunError, match="line 2: its time"):
        list(read_steps(tmp_path))


def test_a_journal_that_is_removed_meanwhile_ends_the_mission(tmp_path: Path) -> None:
    journal = Journal(tmp_path, {})
    (tmp_path / FILE).unlink()
    with pytest.raises(RunError, match="was removed"):
        journal.write(0.0, (), ())


def test_a_full_disk_is_named_once_with_the_file(tmp_path: Path) -> None:
    journal = Journal(tmp_path, {})
    with Path("/dev/full").open("ab", buffering=0) as full:
        os.dup2(full.fileno(), journal._file.fileno())
    with pytest.raises(RunError, match="events.jsonl: cannot be written: the disk is full"):
        journal.write(0.0, (), ())
    journal.close()


@pytest.mark.parametrize("spoiled", ['{"time_s": 1, "told": 5, "decided": []}', '{"time_s": 1'])
def test_a_damaged_line_is_named_without_words_of_python(tmp_path: Path, spoiled: str) -> None:
    (tmp_path / FILE).write_text(f"{{}}\n{spoiled}\n")
    with pytest.raises(RunError, match=r"line 2: ('told' is no list|not valid JSON)"):
        list(read_steps(tmp_path))


class Refusing:
    """A robot's link that breaks when a mission that goes on tells the robot its order."""

    def __init__(self, robot: RobotLink, log: list[str]) -> None:
        self._robot, self._log = robot, log

    def __getattr__(self, name: str) -> Any:
        if name == "follow":
            raise OSError("no route to the robot")
        if name in ("take", "stop", "release"):
            self._log.append(name)
        return getattr(self._robot, name)


def test_a_mission_that_cannot_go_on_leaves_its_robots_standing_and_free(tmp_path: Path) -> None:
    world = SimWorld(grid(), team(anna=(0, 0), bert=(6, 3)), FAULTS)
    with pytest.raises(Killed):
        carried_out(tmp_path, world, Fuse(40), np.random.default_rng(1))
    mission = Mission(SceneBelief.of(grid(), team(anna=(0, 0), bert=(6, 3)), GOALS))
    assert replayed(mission, list(read_steps(tmp_path))) == -1
    assert any(True for _ in mission.orders())
    logs: dict[str, list[str]] = {name: [] for name in world.robots}
    links: Mapping[str, Any] = {n: Refusing(r, logs[n]) for n, r in world.robots.items()}
    runner = Runner(mission, ScenePlanner(), links, SimClock(world), lambda question: True)
    with pytest.raises(OSError, match="no route"):
        runner.resume(900.0)
    for log in logs.values():
        assert log[0] == "take" and log.count("take") == 1
        assert log[-1] == "release" and "stop" in log
