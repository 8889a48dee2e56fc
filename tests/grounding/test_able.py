"""Robots told apart by what they can do are those that fit, or are asked about."""

from __future__ import annotations

import pytest

from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.grounding import Grounder
from commonground.grounding.english.indifference import told_to_one
from commonground.planning.pddl import parse_formula
from commonground.robots import Robot, Team

HANDS = frozenset({"goto", "inspect", "pick", "place"})
TEAM = Team(
    {
        name: Robot(name, from_xyz_yaw([*at, 0.0, 0.0]), can)
        for name, at, can in (
            ("anna", (6.0, 30.0), HANDS),
            ("bert", (30.0, 20.0), HANDS),
            ("cleo", (60.0, 20.0), frozenset({"goto", "inspect"})),
        )
    }
)
"""Two that have hands, one that has none."""


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    return Grounder(sample_scene(), TEAM)


@pytest.mark.parametrize(
    ("text", "robots"),
    [
        ("Whoever has no arm, go to the plaza.", {"cleo"}),
    ],
)
def test_each_of_them_is_told(grounder: Grounder, text: str, robots: set[str]) -> None:
    found = grounder.ground(text)
    assert found.goals is None or set(found.goals) == robots
    assert not found.leeway, "each was told itself"


@pytest.mark.parametrize(
    "text",
    [
        "All robots that can fly, go to the plaza.",
        "All robots with wheels, go to the plaza.",
        "Robots that can carry the piano, go to the plaza.",
        "Three robots that can carry, go to the plaza.",
        "The robot that can carry, go to the plaza.",
        "The robots with an arm, go to the plaza.",
    ],
)
def test_whom_the_team_does_not_tell_is_asked(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals is None


def test_what_anybody_may_do_is_marked(grounder: Grounder) -> None:
    one = grounder.ground("One of you, go to the plaza.")
    assert one.goals and dict(one.leeway) == dict(one.goals)
    named = grounder.ground("Anna, go to the plaza.")
    assert named.goals and not named.leeway
    assert "leeway" in one.as_json() and "leeway" not in named.as_json()
    mixed = grounder.ground("Anna, inspect O13. One of you, inspect O36.")
    assert mixed.goals is not None
    assert list(mixed.leeway.values()) == ["(safe O36)"]


@pytest.mark.parametrize("text", ["Keep off the plaza.", "Do not enter the plaza!"])
def test_a_ban_that_is_said_to_nobody_binds_everybody(grounder: Grounder, text: str) -> None:
    """Who drives there is chosen later, and whoever does must not."""
    found = grounder.ground(text)
    assert found.goals and set(found.goals) == {robot.name for robot in TEAM} and not found.leeway
    assert len(set(found.goals.values())) == 1


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("One of you, swing by the flag.", True),
        ("I want one robot at the flag.", True),
        ("Not one of you went to the flag: go there now.", False),
        ("One of you goes to the flag, and so does the other.", False),
        ("Both of you go to the flag.", False),
    ],
)
def test_what_is_for_any_one_robot_is_not_done_by_several(text: str, asked: bool) -> None:
    same = [parse_formula("(visited-object O38)")] * 2
    assert bool(told_to_one(text, same)) == asked
    assert not told_to_one(text, [same[0], parse_formula("(visited-object O39)")])
    assert not told_to_one(text, same[:1])
