"""What people say around their orders: by the way, why not, what is wanted in the end, who in turn."""

from __future__ import annotations

import pytest

from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.grounding.grounder import Grounder
from commonground.robots import Robot, Team

HANDS = frozenset({"goto", "inspect", "pick", "place"})
SHELTER = "(or (object-in-place O36 P171) (object-in-place O36 P185))"


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    spot = Robot("spot", from_xyz_yaw([6, 30, 0, 0]), HANDS)
    husky = Robot("husky", from_xyz_yaw([60, 20, 0, 3.1]), HANDS - {"pick", "place"})
    return Grounder(sample_scene(), Team({"spot": spot, "husky": husky}))


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        ("Husky, I've got three kids with me, so check the flag.", {"husky": "(safe O38)"}),
        (
            "Husky, inspect both barrels, seeing as two of them leak.",
            {"husky": "(and (safe O32) (safe O33))"},
        ),
        ("Husky, go to the rock, nobody ever goes there.", {"husky": "(visited-object O39)"}),
        (
            "The rock and the flag need checking, I don't care who does which, or if one of you does both.",
            {"spot": "(and (safe O39) (safe O38))"},
        ),
        (
            "Husky, the barrels have to have been looked at when she gets here.",
            {"husky": "(and (safe O32) (safe O33))"},
        ),
        ("Spot, leave the barrels, check the rock instead.", {"spot": "(safe O39)"}),
        ("Husky, go stand by the flag.", {"husky": "(at-object O38)"}),
    ],
)
def test_what_is_said_by_the_way_orders_nothing(
    grounder: Grounder, text: str, goals: dict[str, str]
) -> None:
    assert grounder.ground(text).goals == goals


@pytest.mark.parametrize(
    "text",
    [
        "The bag from the plaza is supposed to be in the bus shelter, Spot.",
        "Spot, I want the bag from the plaza in the bus shelter.",
    ],
)
def test_what_is_wanted_somewhere_is_put_there(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals == {"spot": SHELTER}


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        (
            "Spot, inspect the rock. Both of you keep out of the plaza.",
            {
                "spot": "(and (safe O39) (not (visited-region R4)))",
                "husky": "(not (visited-region R4))",
            },
        ),
        (
            "Husky, go to the rock. You two stay off the main street.",
            {
                "spot": "(not (visited-region R2))",
                "husky": "(and (visited-object O39) (not (visited-region R2)))",
            },
        ),
        (
            "Spot, visit the plaza, and Husky, would you do the same with the north lawn?",
            {"spot": "(visited-region R4)", "husky": "(visited-region R1)"},
        ),
    ],
)
def test_what_is_for_all_or_for_another_is_for_them(
    grounder: Grounder, text: str, goals: dict[str, str]
) -> None:
    assert grounder.ground(text).goals == goals


@pytest.mark.parametrize(
    "text",
    [
        "First Spot, then Husky check the rock.",
        "Let Spot check the rock first, and Husky after that.",
    ],
)
def test_one_does_it_after_the_other(grounder: Grounder, text: str) -> None:
    found = grounder.ground(text)
    assert found.goals == {"spot": "(safe O39)", "husky": "(safe O39)"}
    assert [(pair.first.robot, pair.then.robot) for pair in found.order] == [("spot", "husky")]


def test_an_exception_where_nothing_is_leaves_nothing_out(grounder: Grounder) -> None:
    found = grounder.ground("Spot, inspect the bicycles except the one in the main street.")
    assert found.goals == {"spot": "(and (safe O34) (safe O35))"}


@pytest.mark.parametrize(
    "text",
    [
        "Husky, go to the rock. That nice couple is in the plaza.",
        "Husky, please visit exactly one of the two lawns.",
        "I should be cross, Husky, if you went into the plaza.",
    ],
)
def test_what_is_only_told_or_cannot_be_held_is_not_done(grounder: Grounder, text: str) -> None:
    goals = grounder.ground(text).goals or {}
    assert "R4" not in str(goals) and "(or" not in str(goals)


@pytest.mark.parametrize(
    "text",
    [
        "Spot, go and see the bag in the bus shelter.",
        "Spot, I need to find the bag in the bus shelter.",
    ],
)
def test_what_is_looked_for_somewhere_is_not_put_there(grounder: Grounder, text: str) -> None:
    assert "object-in-place" not in str(grounder.ground(text).goals)


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        (
            "Husky goes to the flag, and she inspects the rock.",
            {"husky": "(and (visited-object O38) (safe O39))"},
        ),
        ("There's a bag in the plaza. Spot, take it.", {"spot": "(holding O36)"}),
        (
            "Husky: first past the rock, then to P171.",
            {"husky": "(and (visited-object O39) (at-place P171))"},
        ),
        (
            "Husky, the rock you just inspect, at the flag you stay afterwards.",
            {"husky": "(and (safe O39) (at-object O38))"},
        ),
    ],
)
def test_a_deed_keeps_its_verb_and_its_thing(
    grounder: Grounder, text: str, goals: dict[str, str]
) -> None:
    assert grounder.ground(text).goals == goals
