"""What words mean alike, or the opposite, by the relations that come with the project."""

from __future__ import annotations

import pytest

from commonground.grounding.words.likeness import likeness


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mend", "repair"),
        ("iron", "press"),
        ("soak", "wet"),
        ("filthy", "dirty"),
        ("fetch", "bring"),
    ],
)
def test_words_for_the_same_are_alike_both_ways(one: str, other: str) -> None:
    assert likeness(one, other) > 0.6
    assert likeness(one, other) == pytest.approx(likeness(other, one))


@pytest.mark.parametrize(
    ("one", "other"), [("shut", "open"), ("grimy", "clean"), ("sharpen", "blunt"), ("dry", "wet")]
)
def test_opposites_count_below_zero(one: str, other: str) -> None:
    assert likeness(one, other) < -0.6


@pytest.mark.parametrize(
    ("one", "other"), [("boil", "fry"), ("eat", "paint"), ("red", "open"), ("qwertz", "open")]
)
def test_kinds_of_one_thing_and_strangers_are_not_alike(one: str, other: str) -> None:
    assert likeness(one, other) == 0.0


def test_a_word_is_like_itself_though_nobody_knows_it() -> None:
    assert likeness("qwertz", "qwertz") == 1.0
