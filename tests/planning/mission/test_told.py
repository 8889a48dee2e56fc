"""What people are told of a mission, in words: what is true already, late, looked for, out of reach."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commonground.geometry import from_xyz_yaw
from commonground.planning.mission.audit import audit
from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import Heard, Note
from commonground.planning.mission.explain import explained
from commonground.planning.mission.journal import Journal, Step, read_steps
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.scene_planner import nothing_to_do
from commonground.planning.mission.simulation import Simulated, simulate_mission
from commonground.planning.mission.task import Task
from commonground.planning.robots.faults import Fault
from commonground.planning.robots.protocol import Sighting, Status
from commonground.planning.robots.simulated import SimRobot
from commonground.planning.scene.wording import in_words
from commonground.planning.team import plan_scene
from commonground.robots import Team
from tests.planning.mission.scenes import SIDE, at, grid, place, team

SOUTH = (
    f"(or {' '.join(f'(object-in-place O1 {place(c, r)})' for c in range(SIDE) for r in range(3))})"
)
NORTH = f"(or {' '.join(f'(object-in-place O1 {place(c, r)})' for c in range(SIDE) for r in range(3, SIDE))})"


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (NORTH, "O1 to R1"),
        ("(and (safe O0) (not (visited-region R1)))", "inspect O0, never go to R1"),
        ("(or (safe O0) (safe O2))", "inspect O0 or inspect O2"),
        (
            "(or (safe O0) (safe O1) (safe O2) (safe O3) (safe O4))",
            "inspect O0 or inspect O1 or inspect O2 or 2 others",
        ),
        (f"(or (object-in-place O1 {place(0, 0)}) (object-in-place O1 {place(0, 6)}))",
         f"O1 to {place(0, 0)} or O1 to {place(0, 6)}"),
        (f"(or (visited-place {place(0, 0)}) (visited-place {place(0, 1)}))", "go to R0"),
        ("(safe O999)", "inspect O999"),
    ],
)  # fmt: skip
def test_goals_are_said_in_words(goal: str, words: str) -> None:
    assert in_words(goal, grid()) == words


def went(
    folder: Path,
    goals: dict[str, str],
    faults: Sequence[Fault] = (),
    robots: Team | None = None,
    asked: list[str] | None = None,
) -> tuple[Simulated, list[str]]:
    """Carry a mission out, and return it with all that was noticed."""
    steps: list[Step] = []
    robots = robots or team(anna=(0, 0), bert=(6, 3))
    journal = Journal(folder, {"mission": "test"}, steps.append)

    def operator(question: str) -> bool:
        if asked is not None:
            asked.append(question)
        return True

    found = simulate_mission(
        grid(), robots, goals, faults, journal=journal, operator=operator, limit_s=900.0
    )
    journal.close()
    assert audit(grid(), robots, goals, found.world.moments, found.world.deeds) == []
    return found, [d["text"] for s in steps for d in s.decided if d["kind"] == "note"]


def test_what_is_true_already_is_told_and_asked_with_the_rest(tmp_path: Path) -> None:
    asked: list[str] = []
    found, noted = went(tmp_path, {"anna": f"(and {SOUTH} (safe O3))"}, asked=asked)
    told = "anna has nothing to do for “O1 to R0”: the map has it so already"
    assert found.end.status == "done" and noted.count(told) == 1
    assert told in asked[0] and "anna: inspect O3" in asked[0]
    assert [d.thing for d in found.world.deeds] == ["O3"]


def test_a_plan_tells_what_is_true_already() -> None:
    robots = team(anna=(0, 0), bert=(6, 3))
    plan = plan_scene(grid(), robots, {"anna": f"(and {SOUTH} (safe O3))", "bert": NORTH})
    assert nothing_to_do(grid(), robots, plan) == []  # somebody else moves the thing
    plan = plan_scene(grid(), robots, {"anna": f"(and {SOUTH} (safe O3))", "bert": "(safe O0)"})
    assert nothing_to_do(grid(), robots, plan) == [
        "anna has nothing to do for “O1 to R0”: the map has it so already"
    ]


def test_what_has_to_be_done_is_not_said_to_be_so(tmp_path: Path) -> None:
    _, noted = went(tmp_path, {"anna": NORTH, "bert": "(safe O0)"})
    assert not [line for line in noted if "already" in line]


def test_who_sets_out_beside_the_map_says_so_before_anybody_approves(tmp_path: Path) -> None:
    robots = team(anna=(0, 0))
    away = replace(robots["anna"], T_map_robot=from_xyz_yaw([-4.0, 0.0, 0.0, 0.0]))
    asked: list[str] = []
    went(tmp_path, {"anna": "(safe O3)"}, robots=Team({"anna": away}), asked=asked)
    assert f"anna starts off the map, 4.0 m from {place(0, 0)}" in asked[0]


@pytest.mark.parametrize(("factor", "times"), [(0.1, 1), (1.0, 0)])
def test_a_robot_that_is_late_is_told_once_for_each_plan(
    tmp_path: Path, factor: float, times: int
) -> None:
    fault = Fault("slow", robot="anna", factor=factor)
    found, noted = went(tmp_path, {"anna": "(safe O0)"}, [fault])
    late = [line for line in noted if "anna is late with" in line]
    assert found.end.status == "done" and len(late) == times
    assert all("s planned for the way up to here" in line and "s gone" in line for line in late)


def test_a_robot_that_is_not_heard_is_said_to_drive_on_as_far_as_it_may(tmp_path: Path) -> None:
    fault = Fault("link", robot="anna", at_s=2.0, lasts_s=8.0)
    found, noted = went(tmp_path, {"anna": "(safe O0)"}, [fault])
    (told,) = [line for line in noted if "cannot be reached" in line]
    said = re.search(r"; it may drive up to (\d\.\d) m further$", told)
    assert said
    silent = [
        m.position for m in found.world.moments if m.robot == "anna" and 2.0 <= m.time_s <= 10.0
    ]
    went_m = float(np.linalg.norm(np.diff(np.array(silent), axis=0), axis=1).sum())
    assert 0.5 < went_m <= float(said[1]) + 0.3, "it did drive on, and no farther"


def test_who_drove_on_unheard_is_believed_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, real = dict[str, Status](), SimRobot.status

    def as_last_heard(robot: SimRobot) -> Status:
        now = real(robot)
        if now.linked and now.state == "idle" and now.order:
            return replace(now, gone_m=told[robot.name].gone_m)
        if now.linked:
            told[robot.name] = now
        return now

    monkeypatch.setattr(SimRobot, "status", as_last_heard)
    lost = Fault("link", robot="anna", at_s=2.0, lasts_s=8.0)
    found, noted = went(tmp_path, {"anna": "(safe O3)"}, [lost])
    assert "anna is back" in noted and found.end.status == "done"
    assert [d.robot for d in found.world.deeds] == ["anna"]


def test_who_is_given_up_for_its_link_is_told_with_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = SimRobot.status

    def slow(robot: SimRobot) -> Status:
        now = real(robot)
        return now if now.linked else replace(now, detail="its answers take 0.9 s")

    monkeypatch.setattr(SimRobot, "status", slow)
    fault = Fault("link", robot="anna", at_s=2.0, lasts_s=600.0)
    found, noted = went(tmp_path, {"anna": "(safe O0)"}, [fault])
    assert sum("cannot be reached" in line and "may drive" in line for line in noted) == 1
    told = [found.end.reason, *noted, *map(str, found.end.accounts)]
    assert any(
        "anna cannot be reached (its answers take 0.9 s)" in line for line in told[:1] + told[2:]
    )


def test_a_robot_without_an_order_or_a_pose_is_said_to_stand(tmp_path: Path) -> None:
    faults = [
        Fault("link", robot="bert", at_s=2.0, lasts_s=2.0),
        Fault("lost", robot="anna", at_s=2.0, lasts_s=2.0),
    ]
    _, noted = went(tmp_path, {"anna": "(safe O0)"}, faults)
    away = [line for line in noted if "cannot be reached" in line or "where it is" in line]
    assert len(away) == 2 and all(line.endswith("; it stands still") for line in away)


def test_an_order_is_finished_once_however_often_a_robot_tells_of_it() -> None:
    done = Status((0.0, 0.0, 0.0), "anna/1.0#1", "done")
    lost = Status(None, "anna/1.0#1", "done", localized=False)
    steps = [Step(s, (Heard("anna", one),), ()) for s, one in enumerate((done, lost, done))]
    assert [line for line in explained(steps) if "has finished" in line] == [
        "    0.0 s  anna has finished: anna/1.0#1"
    ]


def test_why_there_is_no_plan_is_told_once(tmp_path: Path) -> None:
    steps: list[Step] = []
    journal = Journal(tmp_path, {"mission": "test"}, steps.append)
    robots = team(anna=(0, 0), bert=(0, 0))
    found = simulate_mission(grid(), robots, {"anna": "(safe O0)"}, journal=journal)
    journal.close()
    noted = [d["text"] for s in steps for d in s.decided if d["kind"] == "note"]
    why = found.end.reason
    assert "their radii need" in why
    assert sum(why in line for line in noted) == 1
    assert "no plan (reallocate) either" in noted
    lines = list(explained(read_steps(tmp_path)))
    assert sum(why in line for line in lines) == 1
    assert any(line.endswith("over: failed, as said before") for line in lines)


def test_a_thing_that_is_known_to_be_gone_is_not_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = ["the path touches O1", "the path touches O2"]
    monkeypatch.setattr("commonground.planning.mission.belief.perform", lambda *_: list(faults))
    belief = SceneBelief.of(grid(), team(anna=(0, 0)), {"anna": "(safe O0)"})
    belief.gone["O1"] = "anna looked"
    task = Task("k", "anna", "goto", place(1, 0), (at(0, 0), at(1, 0)), places=(place(1, 0),))
    assert belief.finish(1.0, task) == ["the path touches O2"]
    mission = Mission(belief)
    mission.crew["anna"].give([task])
    mission._lookout._progress(mission.crew["anna"], task, Status(at(1, 0), state="done"))
    (noted,) = mission._turn.decided
    assert (
        isinstance(noted, Note) and "touches O2; look there whether anything was hurt" in noted.text
    )


def test_who_looks_for_what_is_told_region_by_region(tmp_path: Path) -> None:
    found, noted = went(tmp_path, {"anna": NORTH}, [Fault("missing", thing="O1")])
    assert [n for n in noted if "looks for" in n] == [
        "anna looks for O1 in R0",
        "anna looks for O1 in R1",
    ]
    assert any("O1 is not at" in line for line in noted)
    assert found.end.reason.startswith("anna, O1 to R1: "), found.end.reason
    assert "(or" not in found.end.reason


def test_nobody_who_can_is_told_in_words(tmp_path: Path) -> None:
    robots = team(anna=(0, 0))
    robots = Team({"anna": robots["anna"]})
    asked: list[str] = []
    went(tmp_path, {"anna": NORTH}, [Fault("grasp", robot="anna", times=99)], robots, asked)
    assert "O1 to R1" in asked[-1] and "(or" not in asked[-1]


def at_the_thing(belief: SceneBelief) -> Task:
    """Return the task of going up to O1, as a plan on what is believed has it."""
    cell = (3, 0)
    needs = frozenset({("lies", "O1", place(*cell))})
    way = (at(2, 0), at(*cell))
    return Task("anna/1.0", "anna", "goto", "O1", way, places=(place(*cell),), needs=needs)


@pytest.mark.parametrize(
    ("seen", "counts"),
    [
        (None, True),
        (Sighting("O1", at(3, 5)), False),
        (Sighting("O1", at(3, 0), absent=True), False),
    ],
)
def test_who_went_up_to_a_thing_that_is_elsewhere_by_now_has_not_been_at_it(
    seen: Sighting | None, counts: bool
) -> None:
    belief = SceneBelief.of(grid(), team(anna=(2, 0), bert=(3, 3)), {"anna": "(at-object O1)"})
    if seen is not None:
        assert belief.see(1.0, "bert", seen) is not None
    assert belief.finish(2.0, at_the_thing(belief)) == []
    assert belief.execution("anna").places[-1] == place(3, 0)
    assert belief.holds("anna", belief.goals["anna"]) is counts
    assert [one.done for one in belief.accounts(2.0)] == [counts]


def test_a_thing_by_an_obstacle_is_gone_up_to_as_near_as_that_allows(tmp_path: Path) -> None:
    x, y, _ = at(3, 0)
    beside = Fault("blocked", position=(x + 0.4, y, 0.0), size_m=0.5)
    starts, goals = team(anna=(0, 0)), {"anna": "(visited-object O1)"}
    journal = Journal(tmp_path, {"mission": "test"})
    went = simulate_mission(grid(), starts, goals, (beside,), journal=journal)
    journal.close()
    assert went.end.status == "done"
    told = list(explained(list(read_steps(tmp_path))))
    assert any("something stands at" in line for line in told)
    assert not any("although" in line for line in told)
