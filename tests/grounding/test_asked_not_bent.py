"""What may be asked about, and is never taken for anything else than was said."""

from __future__ import annotations

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
        ("Husky, why don't you go and check the rock?", {"husky": ROCK}),
        ("Spot, check the red bicycle, not the other one.", {"spot": "(safe O34)"}),
        (
            "Now then, Spot, you pick up the bag in the plaza, and Husky, you check the rock.",
            {"spot": "(holding O36)", "husky": ROCK},
        ),
        ("The south lawn aside, Husky, go to every lawn.", {"husky": "(visited-region R1)"}),
        (
            "One of you checks the flag and the other the rock. Spot is nearer the rock, so that's his.",
            {"spot": ROCK, "husky": FLAG},
        ),
        ("The rock is Husky's to inspect and Spot gets the flag.", {"spot": FLAG, "husky": ROCK}),
        ("Make the flag safe, Husky, and the rock too.", {"husky": f"(and {FLAG} {ROCK})"}),
        (
            "A flag is here and there is a rock: check the one, Husky, and go to the other.",
            {"husky": "(and (safe O38) (visited-object O39))"},
        ),
        ("husky can u check the flag pls, theres dirt on the road", {"husky": FLAG}),
        ("Spot and Husky each check the rock, I need two reports.", {"spot": ROCK, "husky": ROCK}),
        ("Spot, by seven o'clock I want you at the flag.", {"spot": "(at-object O38)"}),
        ("Husky, check the flag. The rock is a must too.", {"husky": f"(and {FLAG} {ROCK})"}),
        ("We had planned to check the rock; Spot, check the flag.", {"spot": FLAG}),
        ("I was going to send you to the plaza, Husky, but check the flag.", {"husky": FLAG}),
        (
            "I was going to check the fence, but it's broken, so Spot checks the rock. Husky, to the flag.",
            {"spot": ROCK, "husky": "(visited-object O38)"},
        ),
        (
            "Spot checks the flag, Husky the rock, and I want you both to end in the plaza.",
            {"spot": f"(and {FLAG} (in-region R4))", "husky": f"(and {ROCK} (in-region R4))"},
        ),
        ("Husky, the flag. Sorry, wrong thing. Go to the rock.", {"husky": "(visited-object O39)"}),
        (
            "Nine o'clock positions will be: flag for Spot, rock for Husky.",
            {"spot": "(at-object O38)", "husky": "(at-object O39)"},
        ),
        ("Husky: the rock is all right, just inspect the flag.", {"husky": FLAG}),
        (
            "Spot, inspect the rock. Then both of you meet at the plaza.",
            {"spot": f"(and {ROCK} (in-region R4))", "husky": "(in-region R4)"},
        ),
        ("Let Spot check the rock first, and Husky after that.", {"spot": ROCK, "husky": ROCK}),
        (
            "Both robots inspect the flag and Husky the rock too.",
            {"spot": FLAG, "husky": f"(and {FLAG} {ROCK})"},
        ),
        (
            "Husky, inspect the trees on the north lawn that are not near the fence.",
            {"husky": "(and (safe O5) (safe O7))"},
        ),
        (
            "There are two bags here, Spot. The one by the flag you can put by the rock; pick up the other.",
            {"spot": "(and (object-in-place O36 P31) (holding O37))"},
        ),
        (
            "Spot, inspect the red bicycle. Husky, inspect the other bicycles.",
            {"spot": "(safe O34)", "husky": "(safe O35)"},
        ),
        ("Spot, inspect the red bag and collect it.", {"spot": "(and (safe O37) (holding O37))"}),
        ("The south lawn aside, Husky, go to every lawn.", {"husky": "(visited-region R1)"}),
        ("I'd feel a lot happier, Husky, if you'd check the rock.", {"husky": ROCK}),
        ("Spot or Husky, inspect the rock; flip a coin.", {"spot": ROCK}),
        (
            "Spot, check all the bags and go to the one in the bus shelter.",
            {"spot": "(and (safe O36) (safe O37) (visited-object O37))"},
        ),
        (
            "Spot, what I want at the end is the bag from the plaza standing in the bus shelter.",
            {"spot": "(or (object-in-place O36 P171) (object-in-place O36 P185))"},
        ),
    ],
)  # fmt: skip
def test_what_may_be_asked_about_is_not_bent(
    grounder: Grounder, text: str, goals: dict[str, str]
) -> None:
    assert grounder.ground(text).goals in (None, goals)


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        ("Husky, do not go to O39.", {"husky": "(not (visited-object O39))"}),
        ("Spot, never drive into the plaza. Husky, check the flag.",
         {"spot": "(not (visited-region R4))", "husky": FLAG}),
    ],
)  # fmt: skip
def test_where_somebody_is_told_not_to_go_is_kept_from(
    grounder: Grounder, text: str, goals: dict[str, str]
) -> None:
    assert grounder.ground(text).goals == goals


def test_what_a_then_leads_comes_afterwards(grounder: Grounder) -> None:
    found = grounder.ground("Spot, inspect the rock. Then, Husky, inspect the flag.")
    assert found.goals in (None, {"spot": ROCK, "husky": FLAG})
    assert not found.goals or [str(pair) for pair in found.order]
