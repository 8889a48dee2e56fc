"""Texts that name nothing of a house, by both readers: what none of their words asks for is not done."""

from __future__ import annotations

import pytest

from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import to_pddl


@pytest.mark.parametrize(
    "text",
    [
        "Hello.",
        "Wash.",
        "Put.",
        "Stop.",
        "Turn on.",
        "Sing a song.",
        "Burn the house down.",
        "It is dark in here.",
        "Turn off the lamp unless it is dark.",
        "Wash the mug. " * 70_000,
    ],
)
def test_what_no_word_asks_for_is_asked_about(
    text: str, reader: WishReader, graph: HouseGraph
) -> None:
    with pytest.raises(Unclear):
        reader.wish(text, graph)


@pytest.mark.parametrize(
    ("text", "wanted", "other"),
    [
        ("Afterwards it should be dark.", "(state LightSwitch_1 OFF)", "ON"),
        ("It is too bright in here.", "(state LightSwitch_1 OFF)", "ON"),
        ("It's as bright as a shop window.", "(state LightSwitch_1 OFF)", "ON"),
        ("It's too dark in here.", "(state FloorLamp ON)", "OFF"),
        ("Light up the room.", "(state FloorLamp_1 ON)", "OFF"),
    ],
)
def test_light_is_asked_for_in_its_own_words(
    text: str, wanted: str, other: str, reader: WishReader, graph: HouseGraph
) -> None:
    goal = to_pddl(reader.wish(text, graph).goal)
    assert wanted in goal
    assert other not in goal


def test_what_is_done_instead_of_something_does_not_do_that(
    reader: WishReader, graph: HouseGraph
) -> None:
    try:
        goal = to_pddl(reader.wish("Cool the apple instead of heating it.", graph).goal)
    except Unclear:
        return
    assert goal == "(state Apple COLD)"
