"""Words for a time date a report alike, whoever reads it."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.english.time_phrases import time_of


@pytest.mark.parametrize(
    ("said", "clock"),
    [
        ("at quarter to three", "02:45"),
        ("at quarter past three", "03:15"),
        ("at half past two", "02:30"),
        ("at 3 pm", "15:00"),
        ("circa three", "03:00"),
        ("this afternoon", "15"),
        ("around midnight", "0"),
        ("at daybreak", "7"),
        ("at teatime", "16"),
    ],
)
def test_a_time_of_day_is_that_of_the_clock(said: str, clock: str) -> None:
    assert [time.clock for time in time_of(said)] == [clock]


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("the night before", -1),
        ("the previous evening", -1),
        ("the day before yesterday", -2),
        ("long ago", -2),
        ("12345678901234567890 hours ago", -36_500),
    ],
)
def test_another_day_is_not_this_one(said: str, day: int) -> None:
    assert [time.day for time in time_of(said)] == [day]


@pytest.mark.parametrize(
    ("said", "when"),
    [("over lunch", "at"), ("after lunch", "after"), ("once lunch was over", "after")],
)
def test_over_a_meal_is_during_it(said: str, when: str) -> None:
    assert [time.meal for time in time_of(said)] == [(when, "lunch")]


@pytest.mark.parametrize("said", ["not long ago", "not so long ago", "recently", "at 25:00"])
def test_what_dates_nothing_is_no_other_time(said: str) -> None:
    assert not time_of(said)
