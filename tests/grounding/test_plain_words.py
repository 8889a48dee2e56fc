"""What plain words settle, whatever the network makes of them: who stays, who shares, what is only passed."""

from __future__ import annotations

import pytest

from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.grounding.answers import Grounding
from commonground.grounding.fidelity.deadlines import undated
from commonground.grounding.grounder import Grounder
from commonground.robots import Robot, Team

HANDS = frozenset({"goto", "inspect", "pick", "place"})


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    spot = Robot("spot", from_xyz_yaw([6, 30, 0, 0]), HANDS)
    husky = Robot("husky", from_xyz_yaw([60, 20, 0, 3.1]), HANDS - {"pick", "place"})
    return Grounder(sample_scene(), Team({"spot": spot, "husky": husky}))


def _predicates(answer: Grounding, robot: str) -> list[str]:
    words = (answer.goals or {}).get(robot, "").replace("(", " ( ").split()
    return sorted(word for word in words if "-" in word or word in ("safe", "holding"))


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("Husky, drive to the flag, wait there. Mechanic on his way.", ["at-object"]),
        ("Husky, go to the flag and stay there.", ["at-object"]),
        ("I want Husky standing next to the flag.", ["at-object"]),
        ("Husky must be at the flag at six.", ["at-object"]),
        ("Husky, drive past the rock and then past the flag.", ["visited-object"] * 2),
        ("Husky, check the flag. I think the light is going.", ["safe"]),
        ("Husky, check the flag, they're coming at four and I don't want surprises.", ["safe"]),
        ("Husky, check the flag and then we can all put our feet up.", ["safe"]),
        ("Husky, check the flag and don't hang about.", ["safe"]),
        ("Husky, I'd be glad if you waited for me at the flag.", ["at-object"]),
    ],
)
def test_what_holds_in_the_end(grounder: Grounder, text: str, ends: list[str]) -> None:
    answer = grounder.ground(text)
    assert _predicates(answer, "husky") == ends, answer


def test_what_is_shared_is_done_once(grounder: Grounder) -> None:
    answer = grounder.ground("Spot and Husky, split the two bicycles between you and check them.")
    assert [_predicates(answer, name) for name in ("spot", "husky")] == [["safe"], ["safe"]]


@pytest.mark.parametrize(
    "text",
    [
        "Spot, go there where I told you.",
        "Spot, go to the flag at noon.",
        "Husky, check the flag, and I don't want you in the shelter if it rains.",
        "Spot, stay at the flag until Husky has passed the rock.",
    ],
)
def test_what_no_word_says_is_asked_about(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals is None


@pytest.mark.parametrize(
    ("text", "times"),
    [
        (
            "Wait at the gate until the driver turns up, then go to R1.",
            ["until the driver turns up"],
        ),
        ("Wait at the gate until Spot has passed.", []),
        ("Stay out of R1 until the paint is dry.", []),
        ("Do not enter R1 until we are done.", []),
    ],
)
def test_what_somebody_else_ends_is_said_back(text: str, times: list[str]) -> None:
    assert undated(text, ["Spot"])[1] == times


def test_what_only_says_where_a_thing_is_is_where_that_is(grounder: Grounder) -> None:
    answer = grounder.ground("Husky, in the shelter, inspect the bench west of the bag.")
    assert answer.goals == {"husky": "(safe O24)"}
    assert grounder.ground("Husky, inspect the sign west of the bag.").goals is None


@pytest.mark.parametrize(
    "text",
    [
        "Spot, inspect either the flag or the rock (one suffices).",
        "Spot, inspect the flag or the rock. I couldn't care less which.",
        "Spot, inspect the flag or the rock; either one's fine by me.",
    ],
)
def test_a_remark_that_leaves_a_choice_is_no_order(grounder: Grounder, text: str) -> None:
    assert (grounder.ground(text).goals or {}).get("spot", "").startswith("(or (safe")


def test_a_choice_that_nothing_leaves_is_asked_about(grounder: Grounder) -> None:
    assert grounder.ground("Spot, inspect the flag. Either one will do.").goals is None


@pytest.mark.parametrize(
    "text",
    [
        "Husky, nothing for you on this one. Spot, inspect the flag.",
        "Spot: inspect the flag. Husky: no action.",
    ],
)
def test_who_has_nothing_to_do_is_told_nothing(grounder: Grounder, text: str) -> None:
    assert list(grounder.ground(text).goals or {}) == ["spot"]


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("Check the flag before the cleaners turn up.", ["before the cleaners turn up"]),
        ("Husky is to be at the flag when the doors open.", ["when the doors open"]),
        ("Spot should be on the plaza at 7.", ["at 7"]),
        (
            "Ahead of Monday's fire drill meeting I want the flag checked.",
            ["Ahead of Monday's fire drill meeting"],
        ),
        ("Check the flag before the match on Sunday.", ["before the match on Sunday"]),
        ("Spot should end the day in R1.", ["the day"]),
        ("Go to R1 when the doors open.", []),
        ("Spot should be at 7.", []),
        ("Do not enter R1 before the match.", []),
        ("Check the flag before the rock.", []),
        ("Check the flag before the rock gets inspected.", []),
        ("Check the flag before Spot turns up.", []),
        ("Check the flag before the red bench by the doors.", []),
    ],
)
def test_times_that_others_set_are_said_back(text: str, times: list[str]) -> None:
    assert undated(text, ["Spot"])[1] == times


def test_what_the_map_has_is_no_time() -> None:
    text = "Check the flag before the concert."
    assert undated(text, [], lambda noun: noun == "concert") == (text, [])


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("If that's okay with everybody, Husky, check the flag.", "(safe O38)"),
        ("Husky, check the flag if it's no trouble.", "(safe O38)"),
        ("I need you waiting at the flag, Husky.", "(at-object O38)"),
        ("Husky, go to the rock and then the flag, and stay there.", "(at-object O38)"),
        ("The flag is loose, so could you check it and the rock, Husky?", "(safe O38)"),
    ],
)
def test_politeness_and_reasons_are_no_conditions(grounder: Grounder, text: str, goal: str) -> None:
    assert goal in (grounder.ground(text).goals or {}).get("husky", "")


@pytest.mark.parametrize(
    "text",
    [
        "Husky, check the flag, and if it's okay, go to the rock.",
        "Husky, go to the vehicle that was parked most recently.",
        "Husky, give the flag a good kick.",
        "Husky, check the flag so it tips over.",
        "Husky, check the bench closest to it.",
        "Look at the bicycles. Husky deals with the blue one, Spot with the other.",
        "Spot, check the bag and when you're done pick the rock up, please, Spot, if it falls.",
    ],
)
def test_conditions_and_harm_are_asked_about(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals is None


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("Husky, roll over to the flag and stop there.", ["at-object"]),
        ("Husky, make for the rock, then halt right there.", ["at-object"]),
        ("Husky, go to the flag and stop there, I'll bring the paint later.", ["at-object"]),
        ("Husky, go to the flag. Many people stop there.", ["visited-object"]),
    ],
)
def test_who_stops_there_is_there_in_the_end(
    grounder: Grounder, text: str, ends: list[str]
) -> None:
    found = _predicates(grounder.ground(text), "husky")
    assert found in (ends, [])


@pytest.mark.parametrize(
    "text",
    [
        "Husky, the rock's fine, but check the flag.",
    ],
)
def test_what_is_only_said_to_be_fine_is_not_inspected(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals in (None, {"husky": "(safe O38)"})


def test_what_is_fine_is_inspected_all_the_same_where_it_is_told_so(grounder: Grounder) -> None:
    assert grounder.ground("Husky, the flag's fine, but check it anyway.").goals == {
        "husky": "(safe O38)"
    }


@pytest.mark.parametrize(
    "text",
    [
        "That flag came in back in ninety-two, you know, and it still flies.",
        "The rock went in in seventy-four.",
        "The bicycle was put there back in eighty-five.",
    ],
)
def test_a_year_is_no_place(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals is None


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("Spot or Husky, wait at the flag, toss a coin.", 1),
        ("One of you check the flag, draw lots.", 1),
        ("Husky, check the flag, toss a coin.", 0),
        ("Spot and Husky both inspect the flag. I want two opinions.", 2),
        ("Spot and Husky, inspect the flag, both of you; two verdicts, please.", 2),
    ],
)
def test_chance_decides_who_and_each_makes_one_of_as_many(
    grounder: Grounder, text: str, answers: int
) -> None:
    assert len(grounder.ground(text).goals or {}) == answers


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Spot, inspect the bags in the plaza, then the ones in the bus shelter.", "(safe O37)"),
    ],
)
def test_one_that_is_told_by_where_it_is_is_no_place(
    grounder: Grounder, text: str, goal: str
) -> None:
    assert goal in (grounder.ground(text).goals or {}).get("spot", "")


def test_the_one_is_never_two(grounder: Grounder) -> None:
    answer = grounder.ground("Husky, inspect every bench and finish at the one in the bus shelter.")
    assert answer.goals is None
