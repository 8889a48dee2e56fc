"""Words that narrow, add or take back something are in the goals, or they are asked about."""

from __future__ import annotations

import pytest

from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.grounding.english.asides import pared
from commonground.grounding.grounder import Grounder
from commonground.robots import Robot, Team

HANDS = frozenset({"goto", "inspect", "pick", "place"})


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    anna = Robot("anna", from_xyz_yaw([6, 30, 0, 0]), HANDS)
    bert = Robot("bert", from_xyz_yaw([60, 20, 0, 3.1]), HANDS - {"pick", "place"})
    return Grounder(sample_scene(), Team({"anna": anna, "bert": bert}))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Anna, check the rock, no, scrap that, check the flag.", "Anna, check the flag."),
        ("Anna, check the rock, scrap that, the flag.", "Anna, check the flag."),
        ("Bert, somebody left something at the flag. Head over there.", "Bert, go to the flag."),
        ("Anna, go to the south lawn and check the trees there.",
         "Anna, go to the south lawn and check the trees on the south lawn."),
    ],
)  # fmt: skip
def test_goals_are_those_of_the_plain_order(grounder: Grounder, text: str, plain: str) -> None:
    goals = grounder.ground(text).goals
    assert goals and goals == grounder.ground(plain).goals


@pytest.mark.parametrize(
    "text",
    [
        "Anna, you take the south lawn and check the trees there; Bert does the same in the parking lot.",
        "Bert, drive to the parking lot and inspect all the signs there.",
    ],
)
def test_several_things_there_are_never_taken_anywhere(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals is None


def test_what_is_wanted_as_well_is_no_reason(grounder: Grounder) -> None:
    names = grounder.world.spoken_names
    text = "Anna, check the rock as well as the brown boxes, but not the barrels."
    assert pared(text, names) == text
    assert "leaves" not in pared("Anna, check the rock as the wind leaves.", names)
