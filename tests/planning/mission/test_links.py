"""Links that others wrote: what their robots tell is held against itself, and one at fault stops no other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from commonground.planning.mission import Mission, Runner, SceneBelief, ScenePlanner
from commonground.planning.mission.events import End
from commonground.planning.mission.simulation import SimClock
from commonground.planning.robots import (
    RobotError,
    RobotLink,
    Sighting,
    SimWorld,
    Status,
    Unreached,
)
from commonground.planning.robots.hearing import heard
from commonground.planning.robots.protocol import Point
from commonground.planning.robots.simulated import SimRobot
from tests.planning.mission.scenes import at, grid, place, team

GOALS = {"anna": "(safe O0)", "bert": f"(visited-place {place(0, 5)})"}
Telling = Callable[[Status], Any]


class Link:
    """Passes everything on to a simulated robot; what it tells, takes and does can be changed."""

    def __init__(self, robot: SimRobot, tells: Telling = lambda status: status) -> None:
        self.robot, self.tells = robot, tells
        self.declined: list[str] = []
        self.refused: dict[str, str] = {}
        self.refuses: tuple[str, ...] = ()
        """Skills that it does not take orders for; ``goto`` for driving."""
        self.cut: list[str] = []
        """Names of calls that the connection breaks in, once each."""

    @property
    def name(self) -> str:
        return self.robot.name

    def _break(self, call: str) -> None:
        if call in self.cut:
            self.cut.remove(call)
            raise ConnectionResetError(104, "Connection reset by peer")

    def take(self, commander: str) -> None:
        self._break("take")
        self.robot.take(commander)

    def release(self) -> None:
        self.robot.release()
        self._break("release")

    def follow(self, key: str, path_map: tuple[Point, ...], upto_m: float) -> None:
        self._break("follow")
        if not self._refuse(key, "goto"):
            self.robot.follow(key, path_map, upto_m)

    def act(self, key: str, skill: str, things: tuple[str, ...], point: Point) -> None:
        self._break("act")
        if not self._refuse(key, skill):
            self.robot.act(key, skill, things, point)

    def _refuse(self, key: str, skill: str) -> bool:
        self.refused = {key: "not today"} if skill in self.refuses else {}
        self.declined += self.refused
        return bool(self.refused)

    def stop(self) -> None:
        self._break("stop")
        self.robot.stop()

    def status(self) -> Status:
        self._break("status")
        status = self.robot.status()
        for key, why in self.refused.items():
            status = replace(status, order=key, state="failed", failure="refused", detail=why)
        told: Status = self.tells(status)
        return told


class Went:
    """A mission of anna and bert over links; bert's is honest."""

    def __init__(
        self,
        tells: Telling = lambda status: status,
        goals: dict[str, str] = GOALS,
        refuses: Sequence[str] = (),
        cut: Sequence[str] = (),
        yes: bool = True,
    ) -> None:
        robots = team(anna=(0, 0), bert=(6, 0))
        self.world = SimWorld(grid(), robots)
        self.anna, self.bert = (Link(self.world.robots[n]) for n in ("anna", "bert"))
        self.anna.tells, self.anna.refuses, self.anna.cut = tells, tuple(refuses), [*cut]
        self.asked: list[str] = []
        self.mission = Mission(SceneBelief.of(grid(), robots, goals))
        links: dict[str, RobotLink] = {"anna": self.anna, "bert": self.bert}
        clock = SimClock(self.world)
        self.yes = yes
        self.runner = Runner(self.mission, ScenePlanner(), links, clock, self._answer)

    def _answer(self, question: str) -> bool:
        self.asked.append(question)
        return self.yes or len(self.asked) == 1

    def run(self) -> End:
        return self.runner.run(900.0)

    @property
    def inspected_by(self) -> list[str]:
        return [deed.robot for deed in self.world.deeds if deed.kind == "inspect"]


def frozen(status: Status) -> Status:
    """Tell that all of the way lies behind, and stay."""
    driving = status.order and status.state in ("running", "done")
    done = replace(status, state="done", gone_m=40.0, position=at(0, 0))
    return done if driving else status


@pytest.mark.parametrize(
    ("tells", "words"),
    [
        (frozen, "from there"),
        (lambda s: replace(s, gone_m=1e6), "from there"),
        (lambda s: replace(s, position=(9999.0, 0.0, 0.0)) if s.order else s, "from there"),
        (lambda s: None, "NoneType"),
        (lambda s: {"position": (0, 0, 0)}, "dict"),
        (lambda s: replace(s, position=s.position[:2]), "position"),
        (lambda s: replace(s, position=(math.nan, 0.0, 0.0)), "its position is (nan"),
        (lambda s: replace(s, state="sleeping"), "'idle', 'running', 'done' or 'failed'"),
        (lambda s: replace(s, gone_m=-5.0), "gone_m is -5"),
        (lambda s: replace(s, gone_m="far"), "gone_m"),
        (lambda s: replace(s, battery=80.0), "battery is 80"),
        (lambda s: replace(s, battery=math.nan), "battery is nan"),
        (lambda s: replace(s, sightings=(Sighting("O1", (math.nan, 0, 0)),)), "position of O1"),
        (lambda s: replace(s, sightings=("O1",)), "sightings"),
        (lambda s: s.nothing_of_the_kind, "AttributeError"),
    ],
)  # fmt: skip
def test_who_tells_what_cannot_be_is_named_and_the_others_go_on(tells: Telling, words: str) -> None:
    went = Went(tells)
    end = went.run()
    assert end.status == "done" and went.inspected_by == ["bert"]
    (question,) = went.asked[1:]
    assert "anna tells what cannot be" in question and words in question
    assert went.anna.robot.state != "running", "it was told to stand still"


def test_who_tells_sense_again_goes_on_itself() -> None:
    odd = iter(range(1000))
    went = Went(lambda s: replace(s, state="sleeping") if 10 < next(odd) < 20 else s)
    assert went.run().status == "done" and went.inspected_by == ["anna"]


@pytest.mark.parametrize("call", ["status", "follow", "act", "stop", "release"])
def test_a_connection_that_breaks_once_ends_no_mission(call: str) -> None:
    went = Went(cut=[call])
    end = went.run()
    assert end.status == "done" and went.inspected_by == ["anna"], end.reason
    assert went.anna.cut == [], "it broke"


def test_a_robot_that_does_not_answer_at_first_is_named() -> None:
    with pytest.raises(Unreached, match="anna cannot be reached .*reset by peer"):
        Went(cut=["take"]).run()


@pytest.mark.parametrize("error", [RobotError("gone"), Unreached("gone"), TimeoutError("gone")])
def test_what_links_raise_is_a_robot_out_of_reach(error: Exception) -> None:
    def silent(_: Status) -> Status:
        raise error

    link = Link(SimWorld(grid(), team(anna=(0, 0))).robots["anna"], silent)
    assert heard(link) == Status(None, linked=False, detail="gone")


def test_numbers_of_other_libraries_are_numbers() -> None:
    odd = Status(np.array([1.0, 2.0, 0.0]).tolist(), gone_m=np.float32(2.0), linked=np.bool_(True))
    link = Link(SimWorld(grid(), team(anna=(0, 0))).robots["anna"], lambda _: odd)
    assert heard(link) == Status((1.0, 2.0, 0.0), gone_m=2.0)


@pytest.mark.parametrize("skill", ["goto", "inspect"])
def test_what_a_robot_refuses_falls_to_another_one_after_two_retries(skill: str) -> None:
    went = Went(refuses=[skill], goals={"anna": "(safe O0)"})
    assert went.run().status == "done" and went.inspected_by == ["bert"]
    assert len(went.anna.declined) == 3
    assert "bert does “inspect O0” in place of anna" in went.asked[1]


def test_who_refuses_one_thing_goes_on_with_others() -> None:
    goal = f"(and (safe O0) (visited-place {place(0, 6)}))"
    went = Went(refuses=["inspect"], goals={"anna": goal})
    assert went.run().status == "done" and went.inspected_by == ["bert"]
    (other,) = [a for a in went.mission.belief.accounts(0.0) if "go to" in a.goal]
    assert other.by == "anna"


def test_what_everybody_refuses_is_told_long_before_plans_are_used_up() -> None:
    went = Went(refuses=["inspect"], goals={"anna": "(safe O0)"}, yes=False)
    end = went.run()
    assert end.status == "partly" and "did not manage to inspect O0" in end.reason
    assert went.mission._repairs.count < 8


def test_nothing_is_ordered_to_be_done_out_of_reach() -> None:
    mission = Went().mission
    task = next(t for t in _first_tasks(mission) if t.kind == "inspect")
    assert mission.belief.beyond(task, at(0, 0)).endswith("m away, out of reach")
    assert mission.belief.beyond(task, at(6, 6)) == ""


def _first_tasks(mission: Mission) -> Sequence[Any]:
    (ask,) = mission.step(0.0, [])
    return ScenePlanner().plan(mission.belief, ask, mission.views()).tasks  # type: ignore[arg-type]
