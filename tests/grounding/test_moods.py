"""Reports, questions and what is to stop are no orders, whatever the network makes of them."""

from __future__ import annotations

import pytest

from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.grounding.frontends.goal_words import in_words
from commonground.grounding.grounder import Grounder
from commonground.planning.pddl import parse_formula
from commonground.robots import Robot, Team

HANDS = frozenset({"goto", "inspect", "pick", "place"})


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    spot = Robot("spot", from_xyz_yaw([6, 30, 0, 0]), HANDS)
    husky = Robot("husky", from_xyz_yaw([60, 20, 0, 3.1]), HANDS - {"pick", "place"})
    return Grounder(sample_scene(), Team({"spot": spot, "husky": husky}))


@pytest.mark.parametrize(
    "text",
    [
        "Spot has inspected the flag. Husky, go to the signal.",
        "Who inspected the flag?",
        "When did you inspect the flag, Spot?",
        "Has Spot been to the flag?",
        "Have you inspected the flag, Spot?",
        "I dreamt you inspected the flag.",
        "Spot, the flag was inspected by Husky.",
        "Spot, stop inspecting the flag.",
        "Spot, instead of the flag inspect the signal.",
        "Husky, wait for Spot at the flag.",
        "Spot, go shove him in the water.",
        "Spot, drive into the flag hard enough to dent it.",
        "Spot, do you know who left the flag out?",
        "I wonder where the flag was taken, Spot.",
        "Spot, drive over the flag.",
        "Husky, follow Spot to the flag.",
        "Spot, drop the black bag on somebody's foot.",
        "Husky, check the flag. No, wait, not like that.",
        "Husky, check the flag, then the rock. No, the other way round.",
        "Two of you check the flag and one checks the rock.",
        "If there's a flag on the road, check it, otherwise check the rock.",
        "Spot, you needn't go into the plaza; check the flag.",
        "Nobody but Spot goes in the plaza. Husky, check the flag.",
        "Spot, ask Husky to wait at the flag.",
        "Husky, go round the plaza, not through it, to the flag.",
        "Spot and Husky, check the flag. Actually Spot, you don't need to.",
    ],
)
def test_what_is_no_order_gives_no_goal(grounder: Grounder, text: str) -> None:
    answer = grounder.ground(text)
    assert not answer.goals, answer


def test_an_idle_robot_is_given_nothing(grounder: Grounder) -> None:
    for idle in ("Spot, you don't need to.", "Spot, no need for you to.", "Not you, Spot."):
        assert (grounder.ground(f"Husky, check the flag. {idle}").goals or {}).keys() == {"husky"}


def test_what_befalls_a_thing_moves_nobody(grounder: Grounder) -> None:
    answer = grounder.ground("Spot, put the black bag in the plaza, before it gets trodden on.")
    assert answer.goals and "in-region" not in answer.goals["spot"]


@pytest.mark.parametrize(
    "text",
    [
        "Have Spot inspect the flag.",
        "Have the flag inspected, Spot.",
        "Spot, have you got time to inspect the flag?",
        "Spot, the flag was seen tipping over. Inspect it.",
        "Spot, I would like you to have inspected the flag.",
    ],
)
def test_what_is_wanted_done_is_an_order(grounder: Grounder, text: str) -> None:
    assert (grounder.ground(text).goals or {}).keys() == {"spot"}


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("Spot, inspect the flag tomorrow.", "tomorrow"),
        ("Spot, inspect the flag in an hour.", "in an hour"),
    ],
)
def test_a_time_is_said_back(grounder: Grounder, text: str, time: str) -> None:
    answer = grounder.ground(text)
    assert answer.goals and f"'{time}'" in answer.message


def test_goals_are_asked_about_in_words() -> None:
    goal = parse_formula(
        "(and (or (safe O1) (holding O2)) (not (visited-region R3)) (object-in-place O4 P5))"
    )
    assert in_words(goal) == "(inspect O1 or hold O2) and never go to R3 and put O4 at P5"
