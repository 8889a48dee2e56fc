"""Missions without ways: skills in their order, side by side, with what fails planned anew."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from commonground.planning.mission.events import Ask, GivenUp, Planned
from commonground.planning.mission.journal import Journal, read_steps
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.runner import Runner, replayed
from commonground.planning.mission.task import Task
from commonground.planning.mission.views import View
from commonground.planning.mission.work import NOWHERE, WorkBelief, in_order
from commonground.planning.robots.workers import Skill, WorkWorld

ROBOTS = ("anna", "bert")


def skill(robot: str, name: str, start_s: float, request: int = 1) -> Task:
    return Task(
        f"{name}/{request}",
        robot,
        name,
        "pot",
        (NOWHERE,),
        args=("pot",),
        start_s=start_s,
        end_s=9.0,
    )


class Cook:
    """Plans what is left of a meal; the second attempt at stirring works."""

    def __init__(self, *, hopeless: bool = False) -> None:
        self.hopeless = hopeless
        self.done: list[Skill] = []
        self.tried = 0

    def plan(self, belief: WorkBelief, ask: Ask, views: Mapping[str, View]) -> Planned:
        left = [n for n in ("fetch", "wash", "stir") if n not in {t.kind for t in belief.done}]
        if not left:
            return Planned(ask.request, assigned={})
        if self.hopeless and self.tried:
            if ask.rung != "less":
                return Planned(ask.request, reason="the pot is glued to the shelf")
            return Planned(ask.request, assigned={}, given_up=(GivenUp("meal", "it is glued"),))
        who = {"fetch": ("anna", 0.0), "wash": ("bert", 0.0), "stir": ("bert", 2.0)}
        tasks = [skill(who[n][0], n, who[n][1], ask.request) for n in left]
        order = [(0, 2), (1, 2)] if len(left) == 3 else []
        return Planned(ask.request, in_order(tasks, order))

    def effect(self, skill: Skill) -> str:
        if skill.name == "stir":
            self.tried += 1
            if self.tried == 1 or self.hopeless:
                return "the spoon slipped"
        self.done.append(skill)
        return ""


def cooked(cook: Cook, journal: Journal | None = None) -> Mission[WorkBelief]:
    mission = Mission(WorkBelief(ROBOTS, {"team": "meal"}))
    world = WorkWorld(ROBOTS, cook.effect, lambda robot, name, _: 3.0 if name == "wash" else 2.0)
    Runner(mission, cook, world.robots, world, lambda _: True, journal).run()
    return mission


def test_skills_wait_for_what_they_rest_on_and_what_failed_is_planned_anew(tmp_path: Path) -> None:
    cook, journal = Cook(), Journal(tmp_path, {"mission": "meal"})
    mission = cooked(cook, journal)
    journal.close()
    assert mission.end is not None and mission.end.status == "done"
    assert [(s.name, s.start_s) for s in cook.done] == [
        ("fetch", 0.0),
        ("wash", 0.0),
        ("stir", 5.0),
    ]
    again = Mission(WorkBelief(ROBOTS, {"team": "meal"}))
    assert replayed(again, list(read_steps(tmp_path))) == -1
    assert [t.kind for t in again.done] == ["fetch", "wash", "stir"]


def test_what_cannot_be_done_is_told_with_its_reason() -> None:
    mission = cooked(Cook(hopeless=True))
    assert mission.end is not None and mission.end.status == "partly"
    assert mission.end.reason == "meal: it is glued"
