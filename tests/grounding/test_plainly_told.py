"""Sentences in many voices: what only looks lost is understood, and what is lost indeed is asked about."""

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
    ("text", "goals"),
    [
        (
            "I'd like the rock inspected twice, once by Spot and once by Husky.",
            {"spot": "(safe O39)", "husky": "(safe O39)"},
        ),
        ("Spot, inspect the sign which is standing closest to the rock.", {"spot": "(safe O15)"}),
        (
            "Spot's to visit the plaza and then the sidewalk, leaving the main street well alone.",
            {"spot": "(and (visited-region R4) (in-region R3) (not (visited-region R2)))"},
        ),
        (
            "Husky shall inspect the rock, provided always that it never enters the plaza.",
            {"husky": "(and (safe O39) (not (visited-region R4)))"},
        ),
        ("Somebody give the rock an inspection, I'm easy as to who.", {"spot": "(safe O39)"}),
        (
            "Pick a bicycle, Husky, any of the two, and pay it a visit.",
            {"husky": "(or (visited-object O34) (visited-object O35))"},
        ),
        (
            "Go each of you to your closest bag and wait.",
            {"spot": "(at-object O36)", "husky": "(at-object O37)"},
        ),
        ("The rock has to be inspected, Spot, or I'm in trouble.", {"spot": "(safe O39)"}),
        ("Husky, go to the flag. Sorry, no, go to the rock.", {"husky": "(visited-object O39)"}),
    ],
)
def test_what_only_looks_lost_is_understood(
    grounder: Grounder, text: str, goals: dict[str, str]
) -> None:
    assert grounder.ground(text).goals == goals


@pytest.mark.parametrize(
    "text",
    [
        "Spot, I want you by the flag when this is over, and on your way there look in at the rock.",
        "husky can you check one of the bags. actually do both",
        "Spot, inspect the flag. Hold on. Forget the flag. It's the rock that I need inspected.",
    ],
)
def test_what_is_lost_is_asked_about(grounder: Grounder, text: str) -> None:
    assert not grounder.ground(text).goals
