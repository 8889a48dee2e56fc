"""Areas that are called by a part of their names, and things that stand behind the name of where they are."""

from __future__ import annotations

import pytest

from commonground.grounding import Grounder
from commonground.grounding.language.area_names import in_full, things_in_areas
from tests.grounding.sites import FARM, make_site

NAMES = ["oak stage", "barn stage", "heron field", "north field", "mill gate"]
TAKEN = {"van", "barn", "spot"}


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("Spot, go to Oak.", "Spot, go to Oak stage."),
        ("Check the vans at Heron and wait.", "Check the vans at Heron field and wait."),
        ("Visit the stages, all less Oak, please.", "Visit the stages, all less Oak stage, please."),
        ("Wait in Mill, then go on.", "Wait in Mill gate, then go on."),
    ],
)  # fmt: skip
def test_a_part_that_one_area_has_is_its_name(text: str, full: str) -> None:
    assert in_full(text, NAMES, TAKEN) == full


@pytest.mark.parametrize(
    "text",
    [
        "Go to Oak stage.", "Put it at the mill.", "Check what is in Oak vans.", "Go to Barn.",
        "Go to North.", "A table of oak, please.", "Visit the gates, Mill and so on.", "Go to Field.",
    ],
)  # fmt: skip
def test_other_words_are_no_names(text: str) -> None:
    assert in_full(text, NAMES, TAKEN) == text


def test_what_several_are_told_apart_by_comes_with_their_kind() -> None:
    names = ["stack alpha", "stack bravo", "stack delta", "oak stage"]
    text = in_full("Visit stacks Alpha, Bravo and Delta.", names, ())
    assert text == "Visit stack Alpha, stack Bravo and stack Delta."


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Check the Heron Field vans.", "Check the vans in Heron Field."),
        ("Check both food court red bins.", "Check both red bins in the food court."),
        ("Spot checks the Mill Gate ones.", "Spot checks the ones in Mill Gate."),
        ("In Mill Gate vans are waiting.", "In Mill Gate vans are waiting."),
        ("Check the Mill Gate first.", "Check the Mill Gate first."),
        ("Go to the car park barrier.", "Go to the car park barrier."),
    ],
)
def test_what_stands_behind_an_area_is_in_it(text: str, plain: str) -> None:
    known = {"van", "vans", "bin", "bins", "barrier", "park barrier"}
    kinds = ["food court", "car park"]
    assert things_in_areas(text, NAMES, kinds, known.__contains__) == plain


def test_the_answer_tells_how_a_part_was_read() -> None:
    site = make_site(FARM, 3)
    found = Grounder(site.graph, site.team).ground(
        "Spot, wait in the old barn, Jackal, inspect the upper field trees."
    )
    upper = next(symbol for symbol, _, name in site.regions if name == "upper field")
    trees = [
        symbol for symbol, word, region in zip(site.symbols, site.words, site.region, strict=True)
        if word == "tree" and site.regions[region][0] == upper
    ]  # fmt: skip
    assert found.goals is not None and "trees in upper field" in found.message
    assert all(f"(safe {tree})" in found.goals["jackal"] for tree in trees)
