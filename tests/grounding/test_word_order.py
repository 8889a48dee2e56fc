"""Orders in another order of words, and what is said around orders that changes nothing in them."""

from __future__ import annotations

import pytest

from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.grounding.grounder import Grounder
from commonground.grounding.orders.manners import unhurried
from commonground.robots import Robot, Team

HANDS = frozenset({"goto", "inspect", "pick", "place"})


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    spot = Robot("spot", from_xyz_yaw([6, 30, 0, 0]), HANDS)
    husky = Robot("husky", from_xyz_yaw([60, 20, 0, 3.1]), HANDS - {"pick", "place"})
    return Grounder(sample_scene(), Team({"spot": spot, "husky": husky}))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("It's the rock that I want looked at, Husky.", "Husky, inspect the rock."),
        ("It is both barrels that need checking, Husky.", "Husky, inspect both barrels."),
        ("It's the flag that bothers me, Husky, so check it.", "Husky, inspect the flag."),
        ("The rock is where I want Husky to wait.", "Husky, wait at the rock."),
        ("By the flag is where you're to stand by, Spot.", "Spot, wait by the flag."),
        ("Any lawn will do for Husky to finish on.", "Husky, end up on any lawn."),
        ("Husky shall make both barrels safe.", "Husky, inspect both barrels."),
        ("The rock must get a visit from Spot.", "Spot, visit the rock."),
        ("Take one of the barrels, Husky, and look at that.", "Husky, inspect one of the barrels."),
        ("Check the flag, Husky, and afterwards stand by it.",
         "Husky, inspect the flag and end up at the flag."),
        ("Husky, check every bicycle that's red or blue.",
         "Husky, check every red bicycle and every blue bicycle."),
        ("Husky, check the bicycles, though only such as are painted red.",
         "Husky, check the red bicycle."),
        ("Husky, check the bicycles. Not the red one, mind.",
         "Husky, check the bicycles except the red one."),
        ("I'd much rather you didn't go onto the plaza, Husky; check the rock.",
         "You must not go onto the plaza, Husky; check the rock."),
    ],
)  # fmt: skip
def test_the_order_of_words_changes_nothing(grounder: Grounder, text: str, plain: str) -> None:
    assert grounder.ground(text).goals in (None, grounder.ground(plain).goals)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Check the rock, Husky, with the greatest care.", "Husky, check the rock."),
        ("Off to the flag, Husky, as fast as your wheels will carry you.", "Husky, go to the flag."),
        ("There's a chap here who can't wait, so go and check the rock, Husky.", "Husky, check the rock."),
        ("Check one of the barrels, Husky. I won't ask about the other ones.",
         "Husky, check one of the barrels."),
        ("Check the red bicycle, Husky; the others don't matter.", "Husky, check the red bicycle."),
        ("Visit the plaza, Husky, and while you're over there check the rock.",
         "Husky, visit the plaza and check the rock."),
        ("I'll have both barrels looked at, Husky, thank you.", "Husky, check both barrels."),
        ("One machine or the other, I mind not which, is to check the rock.", "One of you check the rock."),
        ("The south lawn boasts five trees. Check one of those, Husky, whichever is convenient.",
         "Husky, check one of the trees on the south lawn."),
        ("I could do with a bag. Fetch me one, Spot, no matter which.", "Spot, pick up any bag."),
        ("I need a bag. Spot, get me one.", "Spot, pick up any bag."),
        ("There is a bag on the plaza. Spot, get one.", "Spot, pick up the bag on the plaza."),
        ("The flag needs a look. Husky, do it.", "Husky, check the flag."),
        ("Husky, do it: check the rock.", "Husky, check the rock."),
    ],
)  # fmt: skip
def test_what_is_said_around_an_order_changes_nothing(
    grounder: Grounder, text: str, plain: str
) -> None:
    assert grounder.ground(text).goals in (None, grounder.ground(plain).goals)


@pytest.mark.parametrize(
    "text",
    [
        "Husky, check the red bicycle. I don't want you anywhere near the others.",
        "Husky, check the red bicycle. I wouldn't go near the others.",
        "There's a lad in the plaza who mustn't be disturbed, so check the rock, Husky.",
        "It's not the rock that I want checked, Husky.",
        "The plaza is where you must never go, Spot.",
        "It's the rock that must not be touched, Husky.",
        "The plaza is where I want Husky to stay away from. Husky, check the fence.",
        "I refuse to have Husky check the rock. Spot, check the flag.",
        "The plaza is not where I want Husky to wait. Go to the fence.",
    ],
)
def test_what_forbids_is_never_passed_over(grounder: Grounder, text: str) -> None:
    goals = grounder.ground(text).goals or {}
    assert "(safe O39)" not in str(goals) or "not" in str(goals)
    assert all("(not" in goal or "O34" not in goal for goal in goals.values())
    assert "(in-region R4)" not in str(goals)
    assert "(visited-region R4)" not in str(goals) or "(not (visited-region R4))" in str(goals)


@pytest.mark.parametrize(
    "text",
    [
        "Husky, check one of the vehicles that are red or white.",
        "Husky, go to the bench nearest the vehicles that are red or blue.",
    ],
)
def test_colors_leave_as_much_choice_as_the_word_before_them(grounder: Grounder, text: str) -> None:
    goals = grounder.ground(text).goals
    assert goals is None or "(and" not in goals["husky"]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Go to the flag at your best speed.", "Go to the flag."),
        ("With all due care, check the rock.", ", check the rock."),
        ("I'm in haste.", "I'm in haste."),
        ("Wait with the bag in your gripper.", "Wait with the bag in your gripper."),
        ("Check the box with the greatest number.", "Check the box with the greatest number."),
        ("Without delay.", "Without delay."),
    ],
)
def test_haste_and_care_are_set_aside_at_the_end_of_a_clause(text: str, rest: str) -> None:
    assert unhurried(text)[0] == rest
