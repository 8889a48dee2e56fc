"""A capability that nobody has yet, added by the rows that the guide names and by nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args

import pytest

from commonground.planning.mission import simulate_mission
from commonground.planning.pddl import parse_domain
from commonground.planning.scene import durations, vocabulary
from commonground.planning.scene.goal import parse_goal
from commonground.planning.scene.pddl_task import domain_text
from commonground.planning.scene.wording import in_words
from commonground.planning.team import plan_scene
from commonground.planning.team.check import validate
from commonground.robots import Capability, Team
from tests.planning.mission.scenes import at, grid, place, team

GUIDE = Path(__file__).parents[3] / "docs/guides/robot.md"


@pytest.fixture
def cleaning(monkeypatch: pytest.MonkeyPatch) -> Iterator[Team]:
    """Add the rows of the guide; anna can clean and do nothing else, bert all but that."""
    row = re.search(r'`"(\w+)": Predicate(\(.*\))`', GUIDE.read_text())
    assert row is not None, "the guide shows a row"
    assert row[2] == '(("object",), "cleaned", ("clean",), deed="clean")'
    made = vocabulary.Predicate(("object",), "cleaned", ("clean",), deed="clean")
    rows: Any = vocabulary.VOCABULARY
    monkeypatch.setitem(rows, row[1], made)
    monkeypatch.setitem(durations.ACTION_S, "clean", 20.0)
    known = Literal["goto", "inspect", "pick", "place", "clean"]
    monkeypatch.setattr("commonground.robots.Capability", known)
    robots = team(anna=(0, 0), bert=(6, 0))
    robots.robots["anna"] = replace(robots["anna"], capabilities=frozenset({"goto", "clean"}))
    yield robots


def deeds(team: Team, goals: dict[str, str]) -> list[tuple[str, str, str, float]]:
    """Return what is done in a plan besides driving, each with its seconds."""
    graph = grid()
    plan = plan_scene(graph, team, goals)
    assert plan.status == "solved", plan.reason
    parsed = {n: parse_goal(g, graph) for n, g in goals.items() if n in team}
    plans = {name: one.actions for name, one in plan.robots.items()}
    assert validate(graph, team, parsed, plans) == []
    return [
        (name, a.action, a.item or a.target, round(a.end_s - a.start_s, 1))
        for name, actions in plans.items()
        for a in actions
        if a.action not in ("goto", "wait")
    ]


@pytest.mark.parametrize(
    ("goals", "done"),
    [
        ({"anna": "(cleaned O0)"}, [("anna", "O0")]),
        ({"bert": "(cleaned O0)"}, [("anna", "O0")]),
        ({"team": "(and (cleaned O0) (cleaned O4))"}, [("anna", "O0"), ("anna", "O4")]),
        ({"anna": "(or (cleaned O0) (cleaned O2))"}, [("anna", "O2")]),
        ({"anna": "(and (cleaned O2) (not (cleaned O0)))"}, [("anna", "O2")]),
    ],
)
def test_it_is_planned_for_whoever_has_it(
    cleaning: Team, goals: dict[str, str], done: list[tuple[str, str]]
) -> None:
    found = deeds(cleaning, goals)
    assert sorted((name, thing) for name, _, thing, _ in found) == done
    assert {(deed, lasts) for _, deed, _, lasts in found} == {("clean", 20.0)}


def test_who_lacks_it_is_named(cleaning: Team) -> None:
    alone = Team({"bert": cleaning["bert"]})
    plan = plan_scene(grid(), alone, {"bert": "(cleaned O0)"})
    assert plan.status == "unsolvable" and "bert cannot clean" in plan.reason


def test_order_and_help_hold_as_for_what_is_known(cleaning: Team) -> None:
    goal = f"(and (cleaned O1) (object-in-place O1 {place(0, 6)}))"
    went = simulate_mission(grid(), cleaning, {"bert": goal})
    assert went.end.status == "done", went.end.reason
    assert sorted({(d.robot, d.kind) for d in went.world.deeds}) == [
        ("anna", "clean"),
        ("bert", "pick"),
        ("bert", "place"),
    ]


def test_it_is_said_in_words_and_written_as_pddl(cleaning: Team) -> None:
    assert in_words("(cleaned O0)", grid()) == "clean O0"
    names = {action.name for action in parse_domain(domain_text(), fold_case=False).actions}
    assert names == {"goto", "inspect", "pick", "place", "clean"}


def test_a_capability_is_a_name_and_each_deed_is_one() -> None:
    known = set(get_args(Capability))
    for name, row in vocabulary.VOCABULARY.items():
        assert {*row.needs, row.deed or "goto"} <= known, name
    assert set(durations.ACTION_S) < known


def test_a_simulated_robot_works_only_within_reach(cleaning: Team) -> None:
    from commonground.planning.robots import SimWorld

    world = SimWorld(grid(), cleaning)
    anna = world.robots["anna"]
    anna.act("a#1", "clean", ("O0",), at(6, 6))
    for _ in range(120):
        world.advance(0.2)
    assert anna.status().failure == "missing" and not world.deeds
