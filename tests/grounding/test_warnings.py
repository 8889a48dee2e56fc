"""What is warned of beside an order is done by nobody; bans bind whom they are said to."""

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
        "Husky, inspect the flag, there is oil on the sidewalk.",
        "Husky, inspect the flag, there's mud all over the plaza.",
        "Husky, inspect the flag carefully, there are cars in the parking lot.",
        "Husky, inspect the flag. Watch out, kids are playing on the plaza.",
        "The sidewalk is slippery. Husky, inspect the flag.",
        "Careful, ice on the sidewalk! Husky, inspect the flag.",
        "Husky, inspect the flag, a van is coming down the road.",
    ],
)
def test_what_is_warned_of_is_not_done(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals in (None, {"husky": "(safe O38)"})


@pytest.mark.parametrize(
    "ban", [", do not enter", ". Do not enter", ", no entry", ". Keep out", ", so stay off it"]
)
def test_what_is_warned_of_may_be_forbidden_next(grounder: Grounder, ban: str) -> None:
    answer = grounder.ground(f"Husky, inspect the flag. The plaza is wet{ban}.")
    assert answer.goals in (None, {"husky": "(and (safe O38) (not (visited-region R4)))"})


@pytest.mark.parametrize(
    "ban", ["Keep off the plaza.", "Avoid the plaza.", "Never enter the plaza."]
)
def test_a_ban_that_comes_first_binds_all_that_are_told_anything(
    grounder: Grounder, ban: str
) -> None:
    found = grounder.ground(f"{ban} Husky, inspect the rock. Spot, inspect the fence.")
    goals = found.goals or {"asked": "(not (visited-region R4))"}
    assert all("(not (visited-region R4))" in goal for goal in goals.values())
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
def test_a_robot_that_must_not_move_stays_where_it_is(grounder: Grounder, still: str) -> None:
    assert grounder.ground(f"{still} Husky, inspect the flag.").goals == {"husky": "(safe O38)"}
    assert (grounder.ground(still).goals or {"spot": "(at-place P21)"}) == {
        "spot": "(at-place P21)"
    }
