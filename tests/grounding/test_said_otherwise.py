"""Corrections, references, contrasts and stories mean what is said plainly, or are asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonground.config import read_yaml
from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.grounding.grounder import Grounder
from commonground.robots import Robot, Team

HANDS = frozenset({"goto", "inspect", "pick", "place"})
SAID: list[tuple[str, str]] = read_yaml(Path(__file__).parent / "data" / "said_otherwise.yaml")[0]


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    spot = Robot("spot", from_xyz_yaw([6, 30, 0, 0]), HANDS)
    husky = Robot("husky", from_xyz_yaw([60, 20, 0, 3.1]), HANDS - {"pick", "place"})
    return Grounder(sample_scene(), Team({"spot": spot, "husky": husky}))


@pytest.mark.parametrize(("text", "plain"), SAID)
def test_what_is_said_otherwise_is_never_bent(grounder: Grounder, text: str, plain: str) -> None:
    goals = grounder.ground(text).goals
    assert goals is None or goals == grounder.ground(plain).goals


def test_much_that_is_said_otherwise_is_understood(grounder: Grounder) -> None:
    understood = [text for text, _ in SAID if grounder.ground(text).goals]
    assert len(understood) >= 0.4 * len(SAID), understood


@pytest.mark.parametrize(
    "text",
    [
        "any rock, " * 390,
        "the rock, no, " * 280,
        "Spot. " * 600,
    ],
)
def test_a_text_that_is_too_long_or_full_of_room_is_asked_about(
    grounder: Grounder, text: str
) -> None:
    assert grounder.ground(text).goals is None


@pytest.mark.parametrize(
    "text",
    [
        "Spot, go to the bag, no, pick it up.",
        "Husky, check the bicycles, but leave the red one to me.",
        "Husky, check one bicycle. No, both.",
        "All robots with wheels, go to the plaza.",
        "Every robot that can fly, go to the plaza.",
        "Husky, fetch something to frobnicate with.",
    ],
)
def test_what_may_be_for_another_or_for_more_is_asked(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals is None


def test_what_is_said_of_one_and_the_other_is_done_with_each(grounder: Grounder) -> None:
    found = grounder.ground("Spot, take one of the bags to the flag and the other to the rock.")
    goal = "" if found.goals is None else found.goals["spot"]
    assert not goal or all(f"object-in-place {bag}" in goal for bag in ("O36", "O37"))


def test_an_answer_tells_what_was_done_to_its_words(grounder: Grounder) -> None:
    said = grounder.passes.through("Husky, check the flag by noon.")
    assert said.notes == ("No plan is held to 'by noon'.",)
    answer = grounder.ground("Husky, check the flag by noon.")
    assert answer.goals == {"husky": "(safe O38)"}
    assert answer.message.endswith(" ".join(said.notes))
    taken = grounder.ground("Husky, check something to sit on.")
    assert "took 'something to sit on' for" in taken.message


def test_nothing_is_made_safe_by_going_there(grounder: Grounder) -> None:
    goals = grounder.ground("Make sure all benches that are in the plaza are safe.").goals or {}
    assert all("(safe" in goal for goal in goals.values())


def test_a_partner_is_the_other_robot(grounder: Grounder) -> None:
    found = grounder.ground("Husky, check the rock, and could your colleague go to the flag?")
    assert found.goals == {"husky": "(safe O39)", "spot": "(visited-object O38)"}


def test_a_ban_in_a_story_is_kept_or_asked_about(grounder: Grounder) -> None:
    found = grounder.ground("They sowed the plaza and nobody is to go there. Spot, check the rock.")
    assert not found.goals or "(not (visited-region R4))" in found.goals["spot"]
