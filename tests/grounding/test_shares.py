"""Who does what, said in more than one breath: settled afterwards, only meant before, excused, for both."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.grounding.grounder import Grounder
from commonground.robots import Robot, Team

HANDS = frozenset({"goto", "inspect", "pick", "place"})
FLAG, ROCK = "(safe O38)", "(safe O39)"


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    spot = Robot("spot", from_xyz_yaw([6, 30, 0, 0]), HANDS)
    husky = Robot("husky", from_xyz_yaw([60, 20, 0, 3.1]), HANDS - {"pick", "place"})
    return Grounder(sample_scene(), Team({"spot": spot, "husky": husky}))


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        ("Spot's to check the flag, Husky the rock.", {"spot": FLAG, "husky": ROCK}),
    ],
)
def test_who_does_which_is_told_to_each(
    grounder: Grounder, text: str, goals: dict[str, str]
) -> None:
    assert grounder.ground(text).goals == goals


def test_who_must_not_do_one_of_two_is_not_told_to_do_it(grounder: Grounder) -> None:
    text = "One of you checks the flag and the other the rock. Spot must not do the rock."
    goals = grounder.ground(text).goals
    banned = f"(and {FLAG} (not (visited-object O39)))"
    assert goals is None or (goals["husky"] == ROCK and goals["spot"] in (FLAG, banned))


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        ("I was going to ask you to check the flag, Husky.", {"husky": FLAG}),
    ],
)
def test_what_was_only_meant_to_be_done_is_no_order(
    grounder: Grounder, text: str, goals: dict[str, str]
) -> None:
    assert grounder.ground(text).goals == goals


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("I'd been meaning to have the flag looked at. Husky, do that please.", "Husky, check the flag."),
        ("I was going to check the flag myself. Husky, you do it.", "Husky, check the flag."),
        ("You were supposed to check the flag, Husky! Do it now.", "Husky, check the flag."),
        ("I'd wanted the rock checked for ages. Husky, check it.", "Husky, check the rock."),
        ("You were supposed to keep off the plaza, Husky. Check the rock.",
         "Husky, keep off the plaza and check the rock."),
        ("I'd wanted Husky to keep off the plaza. Husky, check the rock.",
         "Husky, check the rock and keep off the plaza."),
    ],
)  # fmt: skip
def test_what_was_meant_and_is_taken_up_or_forbidden_counts(
    grounder: Grounder, text: str, plain: str
) -> None:
    goals, wanted = (_parts(grounder.ground(said).goals) for said in (text, plain))
    assert goals and goals == wanted


def _parts(goals: Mapping[str, str] | None) -> dict[str, set[str]]:
    """Return what each robot's goal is made of, in whatever order."""
    return {who: {*goal.replace(")", "").split(" (")} for who, goal in (goals or {}).items()}


def test_what_is_avoided_is_left_to_nobody(grounder: Grounder) -> None:
    goals = grounder.ground("Husky, avoid the bicycles but leave the red one to Spot.").goals
    assert "spot" not in (goals or {})


def test_what_avoids_all_but_some_is_no_crash(grounder: Grounder) -> None:
    goals = grounder.ground("Husky, avoid the bicycles, but not the red one. Check the flag.").goals
    assert "visited-object O34" not in str(goals)


@pytest.mark.parametrize(
    "text",
    [
        "I'd meant to have Spot check the flag. Husky will check it.",
        "I had planned to send Spot to the plaza. Husky will go there.",
    ],
)
def test_who_was_only_meant_to_do_it_does_nothing(grounder: Grounder, text: str) -> None:
    assert "spot" not in (grounder.ground(text).goals or {})


@pytest.mark.parametrize(
    "text",
    [
        "Husky, inspect the flag, and let Spot rest.",
        "Leave Spot in peace and have Husky check the flag.",
        "Spot is to be left out of this. Husky, check the flag.",
        "Husky, check the flag. Spot does nothing.",
    ],
)
def test_who_is_let_alone_does_nothing(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals == {"husky": FLAG}


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Near the flag, by the road, you'll find a rock. Husky, check it.", ROCK),
        (
            "Husky, check all signs, all bar the two nearest the flag.",
            "(and (safe O17) (safe O18))",
        ),
    ],
)
def test_what_is_done_is_what_was_told_before(grounder: Grounder, text: str, goal: str) -> None:
    assert grounder.ground(text).goals == {"husky": goal}


def test_who_is_named_alone_does_what_was_just_told(grounder: Grounder) -> None:
    found = grounder.ground("Spot, inspect the red bicycle; Husky, the blue.")
    assert found.goals == {"spot": "(safe O34)", "husky": "(safe O35)"}
    text = "Spot, inspect the sign nearest to the flag; Husky, the farthest."
    spelled = "Spot, inspect the sign nearest to the flag. Husky, inspect the sign farthest from the flag."
    found = grounder.ground(text)
    assert found.goals is None or found.goals == grounder.ground(spelled).goals


def test_all_of_a_color_may_be_named_by_it(grounder: Grounder) -> None:
    found = grounder.ground("Husky, inspect the blue vehicle; Spot, the red.")
    assert found.goals is None or "or" not in found.goals["spot"]


def test_one_of_those_told_of_is_none_elsewhere(grounder: Grounder) -> None:
    """Of four yellow signs, two are near the flag."""
    told = "There are two signs within 12 m of the flag. Husky, check both, and Spot, go to a yellow one."
    found = grounder.ground(told).goals
    there = grounder.ground("Spot, go to any sign within 12 m of the flag.").goals
    assert there is not None
    assert found is None or found["spot"] == there["spot"]


@pytest.mark.parametrize(
    "text",
    [
        "I was going to have Spot do the signs. Husky, do the yellow signs.",
        "We've two bags. Spot, bring me the one by the flag.",
    ],
)
def test_nobody_does_all_of_which_one_was_meant(grounder: Grounder, text: str) -> None:
    goals = grounder.ground(text).goals or {}
    assert "spot" not in goals or "O37" not in goals["spot"]


def test_an_exception_that_is_a_sentence_of_its_own_is_no_aside(grounder: Grounder) -> None:
    found = grounder.ground("Husky, inspect the signs. All but the one nearest the flag, that is.")
    spelled = grounder.ground("Husky, inspect the signs except the one nearest to the flag.")
    assert found.goals == spelled.goals is not None


def test_of_one_place_nothing_is_left_out(grounder: Grounder) -> None:
    found = grounder.ground("Husky, inspect the signs by the road but not the nearest one to you.")
    every = grounder.ground("Husky, inspect the signs by the road.")
    assert found.goals is None or found.goals != every.goals
