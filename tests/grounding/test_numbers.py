"""Counts, ranks and lengths as people say them."""

from __future__ import annotations

import pytest

from commonground.demo import sample_scene, sample_team
from commonground.grounding import Grounder
from commonground.grounding.words.nouns import is_plural
from commonground.grounding.words.numbers import count_of, meters_of, rank_of


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("two", 2), ("a couple", 2), ("pair", 2), ("both", 2), ("all three", 3), ("half a dozen", 6),
        ("a few", None), ("some", None), ("boxes", None), ("1.5", None), ("", None),
    ],
)  # fmt: skip
def test_counts(words: str, count: int | None) -> None:
    assert count_of(words) == count


@pytest.mark.parametrize(
    ("words", "rank"),
    [
        ("second", 2),
        ("2nd", 2),
        ("twenty-first", 21),
        ("twelfth", 12),
        ("heaviest", None),
    ],
)
def test_ranks(words: str, rank: int | None) -> None:
    assert rank_of(words) == rank


@pytest.mark.parametrize(
    ("words", "meters"),
    [
        ("12 m", 12.0), ("12m", 12.0), ("a dozen meters", 12.0), ("one and a half meters", 1.5),
        ("one point five metres", 1.5), ("a half meter", 0.5), ("half a kilometer", 500.0),
        ("no more than twenty meters", 20.0), ("ten-meter", 10.0), ("1,5 m", 1.5), ("two feet", 0.6096),
        ("a couple hundred meters", 200.0), ("5 paces", None), ("five", None), ("a stone's throw", None),
    ],
)  # fmt: skip
def test_lengths(words: str, meters: float | None) -> None:
    assert meters_of(words) == (None if meters is None else pytest.approx(meters))


def test_plural_forms() -> None:
    assert all(is_plural(n) for n in ("boats", "traffic cones", "people", "clothes", "shelves"))
    assert not any(is_plural(n) for n in ("bus", "glass", "gas", "trash", "boat", "lens", "sheep"))


def test_a_distance_is_no_name_of_a_node() -> None:
    """Nobody is sent to P5 across the map who shall drive five meters."""
    for text in ("Spot, drive 5 meters forward.", "Spot, drive 5 m ahead."):
        assert Grounder(sample_scene(), sample_team()).ground(text).goals is None


def test_a_contradiction_is_told_in_words() -> None:
    found = Grounder(sample_scene(), sample_team()).ground("Spot, go to O7 but stay off the grass.")
    assert "go to O7; never go to the north lawn (R1)" in found.message
