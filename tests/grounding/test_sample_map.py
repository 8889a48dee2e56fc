"""Instructions on the map that comes along, by two people who had not seen the readers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from commonground.cli.ground import confirmed
from commonground.demo import sample_scene, sample_team
from commonground.errors import RunError
from commonground.grounding.answers import Grounding
from commonground.grounding.grounder import Grounder
from commonground.grounding.outcomes import count
from commonground.grounding.settings import GroundingSettings
from commonground.robots import Team

FOLDER = Path(__file__).parent / "data" / "courtyard"
RIGHT = {"walking": 20, "chat": 26}
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


def test_what_there_is_elsewhere_is_offered_nearest_first(courtyard: Grounder) -> None:
    graph = courtyard.world.graph
    found = courtyard.ground("Spot, inspect the tree in the plaza.")
    assert found.status == "clarify" and len(found.candidates) > 3
    plaza = graph.position("R4")
    away = [np.linalg.norm((graph.position(s) - plaza)[:2]) for s in found.candidates]
    assert away[0] < np.median(away) < away[-1]


class Doubted(NamedTuple):
    """Reads one thing, and asks whether it is meant."""

    found: Grounding

    def ground(self, text: str) -> Grounding:
        return Grounding("clarify", None, "Is this meant?", meant=self.found)


def test_a_question_carries_the_reading_that_it_shows() -> None:
    team = Team({"unit-7": replace(sample_team()["spot"], name="unit-7")})
    grounder = Grounder(sample_scene(), team)
    text = "Unit-7, inspect the flag by noon."
    sure = grounder.ground(text)
    alias = grounder.passes.robots[0]
    grounder.backend = Doubted(Grounding("ok", {alias: "(safe O38)"}, ""))
    asked = grounder.ground(text)
    assert asked.goals is None and asked.meant is not None
    assert asked.meant.goals == sure.goals == {"unit-7": "(safe O38)"}
    assert asked.meant.message == sure.message != ""
    assert asked.as_json()["meant"]["goals"] == {"unit-7": "(safe O38)"}
    assert confirmed(asked, lambda question: True) is asked.meant
    assert confirmed(asked, lambda question: False) is asked

    def nobody(question: str) -> bool:
        raise RunError("nobody answers")

    assert confirmed(asked, nobody) is asked
