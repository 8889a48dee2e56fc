"""Instructions on the map that comes along, by two people who had not seen the readers."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonground.demo import sample_scene, sample_team
from commonground.grounding.grounder import Grounder
from commonground.grounding.outcomes import count
from commonground.grounding.settings import GroundingSettings

FOLDER = Path(__file__).parent / "data" / "courtyard"
RIGHT = {"walking": 30, "chat": 26}
"""Of 45 each, at the least; what is not right is a question, but for a few."""


@pytest.fixture(scope="module")
def courtyard() -> Grounder:
    return Grounder(sample_scene(), sample_team())


@pytest.mark.parametrize("voice", sorted(RIGHT))
def test_strangers_are_understood_or_asked(voice: str) -> None:
    suites = [FOLDER / f"{voice}.yaml"]
    rows = {row.part: row.outcomes for row in count(suites, (), GroundingSettings())}
    told = rows["instructions"] + rows["extra"]
    assert told.total() == 45
    assert told["right"] >= RIGHT[voice]
    assert told["wrong"] + told["silent"] <= 3
    assert rows["refuse"] == {"right": 8}


@pytest.mark.parametrize(
    "text",
    [
        "Spot, give the tree by the flag a wash.",
        "Could one of you give the lawns a mow?",
        "Husky, give the car nearest the rock a lick of paint.",
        "Spot, take the bag near the flag. No lifting!",
        "Spot, inspect the benches on the plaza; the rest are for Husky.",
    ],
)
def test_what_is_given_or_left_is_not_bent(courtyard: Grounder, text: str) -> None:
    assert courtyard.ground(text).status == "clarify"


@pytest.mark.parametrize(
    "text", ["Spot, give the flag a really thorough going over.", "Give the flag a glance, Spot."]
)
def test_a_look_may_be_given(courtyard: Grounder, text: str) -> None:
    assert courtyard.ground(text).goals == {"spot": "(safe O38)"}
