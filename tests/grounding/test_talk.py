"""What is talk for sure counts for nothing, whatever words it has; threats are heard all the same."""

from __future__ import annotations

import pytest

from commonground.demo import sample_scene, sample_team
from commonground.grounding.english.names import Names
from commonground.grounding.english.reader import load_reader
from commonground.grounding.frontends.reading import ReadBackend
from commonground.grounding.grounder import Grounder
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World

NAMES = Names({"robot": ["spot", "husky"], "noun": ["flag"]})
TALK = "We had two weddings here last week and nobody slept."


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    return Grounder(sample_scene(), sample_team())


def test_a_story_is_talk_and_an_order_is_not() -> None:
    found = load_reader().read(f"Inspect the flag, Spot. {TALK}", "scene", NAMES)
    assert [one.text for one in found.talk] == [TALK]
    assert not load_reader().read("Never go to the flag, Spot.", "scene", NAMES).talk


def test_who_is_called_is_never_in_talk() -> None:
    text = "Good morning Husky and all the rest of you lovely people!"
    for one in load_reader().read(f"{text} Inspect the flag.", "scene", NAMES).talk:
        assert "Husky" not in one.text


def test_numbers_and_negations_of_a_story_are_not_missed(grounder: Grounder) -> None:
    found = grounder.ground(f"Spot, inspect the flag. {TALK}")
    assert found.goals == {"spot": "(safe O38)"}


def test_a_threat_is_heard_in_talk() -> None:
    settings = GroundingSettings()
    reading = ReadBackend(World(sample_scene(), sample_team()), settings, load_reader())
    told = "My cousin came on Saturday, so ram him. Spot, inspect the flag."
    assert load_reader().read(told, "scene", reading.names).talk
    assert reading.ground(told).goals is None
