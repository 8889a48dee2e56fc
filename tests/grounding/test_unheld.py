"""What a text says and no goal can say is asked about; what it denies beside what it asks for is not done."""

from __future__ import annotations

import json

import pytest

from commonground.demo import sample_scene, sample_team
from commonground.grounding.grounder import Grounder
from commonground.grounding.meaning import meaning_from_json


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    return Grounder(sample_scene(), sample_team())


@pytest.mark.parametrize(
    "text",
    [
        "Husky, visit the parking lot at most once.",
        "Spot, visit the plaza only once.",
        "Husky, inspect the flag, not just once.",
        "Spot, inspect the flag and come back by another way.",
        "Spot, leave the bus shelter and never return.",
        "Husky, go to the edge of the plaza.",
        "Husky, inspect the rear of the bus shelter.",
        "Husky, inspect the flag from the west side.",
        "Spot, stop between the two bicycles.",
        "Spot, inspect everything between the rock and the signs.",
        "Husky, inspect every other sign.",
        "Husky, inspect the two signs that are farthest apart.",
        "Husky, inspect the two benches closest together.",
        "Husky, inspect the bench with the most room behind it.",
        "Husky, inspect the least lonely tree.",
        "Spot, go to one car and Husky to another.",
        "Husky, inspect the tree 30 m north of the flag.",
        "Spot, inspect the flag and do it again.",
        "Husky, inspect both barrels in alphabetical order.",
        "Spot, inspect the flag for half an hour.",
        "Spot, inspect the flag, then come back to me.",
        "Spot, inspect the flag, maybe.",
        "Spot, inspect the flag. Just kidding!",
        "Spot, inspect the flag. Just kidding! Check the rock instead.",
        "Spot, inspect the flag. Never mind.",
        "Spot, inspect the flag, but only if you have time.",
    ],
)
def test_what_no_goal_can_say_is_asked_about(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals is None


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Spot, visit the plaza.", "(visited-region R4)"),
        ("Spot, once the rock is inspected, wait at the flag.", "(and (safe O39) (at-object O38))"),
        ("Spot, inspect the bin between the flag and the bicycle on the left.", None),
        ("Spot, take the shortest way to the rock.", "(visited-object O39)"),
        ("Spot, inspect the other bench at the bus shelter, not O24.", "(safe O25)"),
        ("Maybe Spot could inspect the flag?", "(safe O38)"),
        ("Spot, the flag has been there for two days. Inspect it.", "(safe O38)"),
        ("Spot, check the flag for a minute, will you?", "(safe O38)"),
        ("After the meeting, Spot, check the flag.", "(safe O38)"),
    ],
)
def test_words_that_only_look_like_that_are_read(
    grounder: Grounder, text: str, goal: str | None
) -> None:
    found = grounder.ground(text)
    if goal is None:
        assert "no goal can say" not in found.message
    else:
        assert found.goals in (None, {"spot": goal}), found
        assert "no goal can say" not in found.message


def test_the_other_goes_where_the_first_does_not(grounder: Grounder) -> None:
    found = grounder.ground("Spot, take one of the bags to the flag and the other to the rock.")
    one, other = ("(and (object-in-place O36 P63) (object-in-place O37 P31))",
                  "(and (object-in-place O37 P63) (object-in-place O36 P31))")  # fmt: skip
    assert found.goals in (None, {"spot": f"(or {one} {other})"})


def test_of_the_only_one_there_is_no_other(grounder: Grounder) -> None:
    """Neither the fence nor another robot is the other of the bags."""
    found = grounder.ground("Spot, bring one of the bags to the fence; the other goes to the rock.")
    one, other = ("(and (object-in-place O36 P69) (object-in-place O37 P31))",
                  "(and (object-in-place O37 P69) (object-in-place O36 P31))")  # fmt: skip
    assert found.goals in (None, {"spot": f"(or {one} {other})"})


def test_all_robots_do_what_both_are_told(grounder: Grounder) -> None:
    found = grounder.ground("Both robots inspect the rock and Husky the flag as well.")
    assert found.goals in (None, {"spot": "(safe O39)", "husky": "(and (safe O39) (safe O38))"})


def test_the_second_nearest_is_told_with_its_own_distance(grounder: Grounder) -> None:
    found = grounder.ground("Husky, inspect the second closest tree to you.")
    assert found.goals == {"husky": "(safe O3)"}
    assert found.explained() == ["the tree second nearest to you: O3 (22.2 m; next O7 35.0 m)"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Husky, inspect the red car.", "Which red car is meant? There are 2: O9 and O14."),
        ("Spot, fetch me a coffee.", "There is no coffee on this map."),
        ("Spot, switch the light off.", "No robot here can"),
    ],
)
def test_questions_say_what_they_are_about(grounder: Grounder, text: str, told: str) -> None:
    assert told in grounder.ground(text).message


def test_what_is_of_another_kind_is_told_in_plain_words(grounder: Grounder) -> None:
    meaning = {"do": "explore", "what": {"noun": "flag"}}
    said = {"assignments": [{"who": {"names": ["spot"]}, "task": meaning}]}
    told = grounder.ground_meaning(meaning_from_json(json.dumps(said))).message
    assert told == "'flag' does not fit here: O38 is a thing; only areas can be meant."


@pytest.mark.parametrize(
    "when",
    [
        "every two hours", "each evening", "daily", "on Tuesdays", "at weekends", "regularly",
        "now and again", "twice a week", "only at night", "only in the morning", "until midnight",
        "until it gets dark",
        "until further notice", "all day long", "for the rest of the week", "at dusk", "every time it rains",
    ],
)  # fmt: skip
def test_how_often_how_long_and_when_alone_is_asked_about(grounder: Grounder, when: str) -> None:
    found = grounder.ground(f"Spot, inspect the rock {when}.")
    assert found.goals is None
    assert grounder.ground(f"Spot, inspect the rock and the flag {when}.").goals is None


@pytest.mark.parametrize(
    "when",
    [
        "at night",
        "on Friday",
        "next week",
        "in the evening",
        "after dark",
        "overnight",
        "during office hours",
    ],
)
def test_at_what_time_is_told(grounder: Grounder, when: str) -> None:
    found = grounder.ground(f"Spot, inspect the rock {when}.")
    assert found.goals == {"spot": "(safe O39)"}
    assert f"No plan is held to '{when}'." in found.message


@pytest.mark.parametrize(
    "text",
    [
        "I walk by the rock every day. Spot, inspect it.",
        "Spot, inspect every rock.",
        "The daily round: Spot, inspect the rock.",
    ],
)
def test_what_others_do_that_often_is_no_order(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals == {"spot": "(safe O39)"}


@pytest.mark.parametrize("when", ["until noon", "all night", "until tomorrow"])
def test_who_stays_so_long_stays_in_the_end(grounder: Grounder, when: str) -> None:
    found = grounder.ground(f"Spot, wait at the rock {when}.")
    assert found.goals == {"spot": "(at-object O39)"} and when in found.message
