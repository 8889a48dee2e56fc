"""Robots told apart by what they can do are all that fit, or are asked about; who was named stays named."""

from __future__ import annotations

import pytest

from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.grounding import Grounder
from commonground.grounding.language.able import named_by_ability
from commonground.grounding.resolver.choice import Unclear
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
    ("said", "read"),
    [
        ("Every robot that can lift things: drive off.", "anna and bert: drive off."),
        ("The robots able to pick things up should drive off.", "anna and bert should drive off."),
        ("Both units with a gripper, drive off.", "anna and bert, drive off."),
        ("All of you who can inspect, drive off.", "anna, bert and cleo, drive off."),
        ("Those without arms drive off.", "cleo drive off."),
        ("Machines that can't carry stuff must drive off.", "cleo must drive off."),
        ("All but the robots that cannot grasp, drive off.", "All but cleo, drive off."),
        ("The robots that can carry inspect a box.", "anna and bert inspect a box."),
        ("Robots with an arm go left and robots with no arm go right.",
         "anna and bert go left and cleo go right."),
    ],
)  # fmt: skip
def test_all_that_fit_are_named(said: str, read: str) -> None:
    assert named_by_ability(said, TEAM) == read


@pytest.mark.parametrize(
    "said",
    [
        "A robot that can carry, drive off.",
        "One of the robots that can carry, drive off.",
        "Whoever can carry, drive off.",
        "The robot without an arm, drive off.",
        "All robots, drive off with care.",
        "All robots with care drive off.",
        "You can carry the box, Anna.",
        "Anna, wait until everyone has gone.",
        "All robots can carry something.",
        "Anna, if you can lift it, bring the bag.",
    ],
)
def test_what_is_no_group_stays_as_it_is(said: str) -> None:
    assert named_by_ability(said, TEAM) == said


@pytest.mark.parametrize(
    "said",
    [
        "All robots that can fly, drive off.",
        "All robots with wheels, drive off.",
        "Robots that can carry the piano, drive off.",
        "Three robots that can carry, drive off.",
        "Both robots that can inspect, drive off.",
        "The robot that can carry, drive off.",
    ],
)
def test_whom_the_team_does_not_tell_is_asked(said: str) -> None:
    with pytest.raises(Unclear) as asked:
        named_by_ability(said, TEAM)
    assert asked.value.candidates


def test_nobody_fits() -> None:
    without = Team({"cleo": TEAM["cleo"]})
    with pytest.raises(Unclear, match="None of cleo"):
        named_by_ability("Robots with arms, drive off.", without)


@pytest.mark.parametrize(
    ("text", "robots"),
    [
        ("All robots that can carry things, go to the plaza.", {"anna", "bert"}),
        ("Those that cannot lift, go to the plaza.", {"cleo"}),
    ],
)
def test_each_of_them_is_told(grounder: Grounder, text: str, robots: set[str]) -> None:
    found = grounder.ground(text)
    assert found.goals is not None and set(found.goals) == robots
    assert not found.leeway, "each was told itself"


def test_what_anybody_may_do_is_marked(grounder: Grounder) -> None:
    one = grounder.ground("One of you, go to the plaza.")
    assert one.goals and dict(one.leeway) == dict(one.goals)
    named = grounder.ground("Anna, go to the plaza.")
    assert named.goals and not named.leeway
    assert "leeway" in one.as_json() and "leeway" not in named.as_json()
    mixed = grounder.ground("Anna, inspect O13. One of you, inspect O36.")
    assert mixed.goals is not None
    assert list(mixed.leeway.values()) == ["(safe O36)"]
