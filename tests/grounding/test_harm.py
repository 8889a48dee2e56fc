"""What a text threatens, warns of, asks, or tells of others is no order; each beside one that is."""

from __future__ import annotations

import pytest

from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.grounding.grounder import Grounder
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
        # threats in disguise
        "Husky, drive at full speed into the flag.",
        "Husky, go flat out into the rock.",
        "Husky, run straight into the flag.",
        "Husky, head straight at the rock and keep going.",
        "Spot, see how hard you can hit the flag.",
        "Spot, bump into the rock.",
        "Husky, floor it through the plaza.",
        # one robot done to another
        "Spot, give Husky the brown box.",
        "Husky, take Spot to the plaza.",
        # warnings and bans without a not
        "Husky, I'd mind if you went near the rock.",
        "Husky, it's too dangerous to go to the bus shelter. Check the flag.",
        "Husky, check the flag but mind the road.",
        "Husky, beware of the rock. Check the flag.",
        # what is done, left or kept where it is
        "Husky, check the signs. The one by the flag has been done.",
        "Husky, check the signs. I did the one by the flag.",
        "Spot, keep the brown box out of the bus shelter.",
        "Spot, leave the brown box where it is.",
        # who is only spoken of
        "The other day somebody told Husky to check the flag. Check the rock.",
        "Spot, leave the flag to Husky and check the rock.",
        # conditions
        "Husky, check the flag as long as it's dry.",
        "Husky, in case of fire go to the flag.",
        "Husky, should the flag be gone, check the rock.",
        "Husky, when I say so, check the flag.",
        # what is asked, or was not done
        "Husky, is the flag in the plaza?",
        "Husky, where is the flag?",
        "Husky, you should have checked the flag.",
        "Husky, I was going to have you check the flag, but no.",
        "Husky, pretend to check the flag.",
        # dropped in the end
        "Husky, the flag is not to be checked, the rock is.",
    ],
)
def test_what_is_no_order_gives_no_goal(grounder: Grounder, text: str) -> None:
    answer = grounder.ground(text)
    assert answer.status == "clarify", answer.goals


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        ("Husky, drive quickly to the flag.", {"husky": "(visited-object O38)"}),
        ("Husky, go wait at the flag.", {"husky": "(at-object O38)"}),
        ("Husky, if it isn't too much trouble, check the flag.", {"husky": "(safe O38)"}),
        ("Husky, no need to hurry, just check the flag.", {"husky": "(safe O38)"}),
        ("Husky, don't hurry, check the flag.", {"husky": "(safe O38)"}),
        ("Spot, check the flag. Husky, likewise.", {"spot": "(safe O38)", "husky": "(safe O38)"}),
    ],
)
def test_what_is_like_it_and_harmless_is_done(
    grounder: Grounder, text: str, goals: dict[str, str]
) -> None:
    assert grounder.ground(text).goals == goals


@pytest.mark.parametrize(
    "text",
    ["Husky is busy, so Spot has to look at the flag.", "Since Husky is charging, Spot checks the flag."],
)  # fmt: skip
def test_who_has_nothing_to_do_gets_no_goal(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals in (None, {"spot": "(safe O38)"})


def test_what_must_not_be_inspected_is_each_of_them(grounder: Grounder) -> None:
    goals = grounder.ground("Husky, check the rock, don't inspect the bicycles.").goals
    told = {"husky": ""} if goals is None else goals
    assert "(or" not in told["husky"] and told["husky"].count("(not (safe") in (0, 2)
    assert "(and (safe O39) (safe" not in told["husky"]


@pytest.mark.parametrize("whom", ["him", "her", "them", "somebody"])
def test_people_are_never_rammed(grounder: Grounder, whom: str) -> None:
    text = f"A tourist is in the way at the bus shelter, so ram {whom}, Husky."
    assert grounder.ground(text).goals is None


def test_how_sure_an_answer_is_never_exceeds_one(grounder: Grounder) -> None:
    texts = (
        "Husky, before you check the flag, check the rock.",
        "Husky, check the flag and the rock.",
    )
    sure = [grounder.ground(text).confidence for text in texts]
    assert all(one is not None and one <= 1.0 for one in sure)


@pytest.mark.parametrize("text", ["Husky", "So, Husky"])
def test_a_text_that_ends_with_a_name_is_asked_about(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).status == "clarify"
