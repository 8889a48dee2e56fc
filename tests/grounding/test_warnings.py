"""What is warned of beside an order is told aloud and done by nobody; bans bind whom they are said to."""

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
    ("text", "warning"),
    [
        ("Husky, inspect the flag, there is oil on the sidewalk.", "there is oil on the sidewalk"),
        (
            "Husky, inspect the flag, there's mud all over the plaza.",
            "there's mud all over the plaza",
        ),
        ("Husky, inspect the flag carefully, there are cars in the parking lot.", "there are cars"),
        ("Husky, inspect the flag. Watch out, kids are playing on the plaza.", "kids are playing"),
        ("The sidewalk is slippery. Husky, inspect the flag.", "The sidewalk is slippery"),
        ("Careful, ice on the sidewalk! Husky, inspect the flag.", "ice on the sidewalk"),
        ("Husky, inspect the flag, a van is coming down the road.", "a van is coming"),
    ],
)
def test_a_warning_is_told_and_not_done(grounder: Grounder, text: str, warning: str) -> None:
    answer = grounder.ground(text)
    assert answer.goals == {"husky": "(safe O38)"}
    assert warning in answer.message


@pytest.mark.parametrize(
    "ban", [", do not enter", ". Do not enter", ", no entry", ". Keep out", ", so stay off it"]
)
def test_what_is_warned_of_may_be_forbidden_next(grounder: Grounder, ban: str) -> None:
    answer = grounder.ground(f"Husky, inspect the flag. The plaza is wet{ban}.")
    assert answer.goals in (None, {"husky": "(and (safe O38) (not (visited-region R4)))"})


@pytest.mark.parametrize(
    "text",
    [
        "Husky, inspect the flag, the road is closed.",
        "Spot, once the rock is inspected, wait at the flag.",
        "Husky, there are three benches by the shelter. Inspect them.",
        "Husky, inspect the flag, there is ice on the sidewalk, the road and the plaza.",
        "Spot, pick up the box, there is one by the flag.",
        "There is a bicycle. Spot, go to that. Then go to the flag.",
        "Husky, inspect the rock. The plaza is out of bounds.",
        "Husky, inspect the rock. The plaza is prohibited.",
        "Husky, inspect the rock. The plaza is being repaved, keep off.",
    ],
)
def test_what_may_be_more_than_a_warning_is_left(grounder: Grounder, text: str) -> None:
    assert "No goal keeps to" not in grounder.ground(text).message


@pytest.mark.parametrize(
    "ban", ["Keep off the plaza.", "Avoid the plaza.", "Never enter the plaza."]
)
def test_a_ban_that_comes_first_binds_all_that_are_told_anything(
    grounder: Grounder, ban: str
) -> None:
    goals = grounder.ground(f"{ban} Husky, inspect the rock. Spot, inspect the fence.").goals or {}
    assert len(goals) == 2 and all("(not (visited-region R4))" in goal for goal in goals.values())
    assert grounder.ground(f"{ban} Husky, inspect the flag.").goals is None  # that is there


@pytest.mark.parametrize(
    "ban", ["Stay off the road.", "Never enter the road.", "Nobody enters the road."]
)
def test_a_ban_that_is_said_to_nobody_binds_all_that_are_told_anything(
    grounder: Grounder, ban: str
) -> None:
    goals = grounder.ground(f"Husky, go to the shelter. Spot, inspect the flag. {ban}").goals or {}
    assert {robot for robot, goal in goals.items() if "(not (visited-region R2))" in goal} == {
        "husky",
        "spot",
    }


@pytest.mark.parametrize(
    "ban", ["Spot, never enter the road.", "Spot, inspect the fence and never enter the road."]
)
def test_a_ban_that_is_said_to_one_binds_that_one(grounder: Grounder, ban: str) -> None:
    goals = grounder.ground(f"Husky, go to the shelter. {ban}").goals or {}
    assert [robot for robot, goal in goals.items() if "not" in goal] == ["spot"]


def test_to_keep_off_what_several_areas_are_is_to_keep_off_all(grounder: Grounder) -> None:
    goals = grounder.ground("Husky, inspect the flag. Keep off the grass.").goals or {}
    assert all(f"(not (visited-region {area}))" in goals["husky"] for area in ("R0", "R1"))


@pytest.mark.parametrize("bound", ["Stay on the road.", "Keep to the road.", "Stick to the road."])
def test_a_bound_on_the_way_is_asked_about(grounder: Grounder, bound: str) -> None:
    answer = grounder.ground(f"Husky, go to the shelter. {bound}")
    assert not answer.goals and ("road" in answer.message or "R2" in answer.message)


def test_a_place_to_stay_in_is_where_one_ends(grounder: Grounder) -> None:
    goals = grounder.ground("Spot, inspect the flag and stay in the shelter.").goals
    assert goals == {"spot": "(and (safe O38) (in-region R7))"}


@pytest.mark.parametrize(
    "still", ["Spot, do not move.", "Spot must not move.", "Spot isn't to move."]
)
def test_a_robot_that_must_not_move_gets_no_goal(grounder: Grounder, still: str) -> None:
    assert grounder.ground(f"{still} Husky, inspect the flag.").goals == {"husky": "(safe O38)"}
    assert not grounder.ground(still).goals
