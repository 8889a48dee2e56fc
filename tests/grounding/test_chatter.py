"""Small talk that denies something and forbids nothing is not read; what may be a ban is."""

from __future__ import annotations

import pytest

from commonground.grounding.english.asides import pared, unremarked
from commonground.grounding.english.names import Names
from commonground.grounding.english.remarks import only_tells

NAMES = Names({"robot": ["Anna"], "noun": ["bench", "kiosk"]})


@pytest.mark.parametrize(
    "text",
    [
        "Anna, go to the bench, I'm not fussy about how.",
        "Go to the bench. Who gets there first is not important.",
        "Take the bench to the kiosk, so nobody trips over it.",
        "I can't be in two places, never could, so go to the bench.",
        "I don't know which of you is quicker, so just go to the bench, Anna.",
        "Go to the bench, my legs aren't what they were.",
        "Go to the bench, where we can see it.",
        "The kiosk is shut; other than that, go to the bench.",
    ],
)
def test_talk_that_denies_is_no_order(text: str) -> None:
    rest = unremarked(text, NAMES)
    assert len(rest) == len(text) and "bench" in rest
    assert not any(word in rest for word in ("not", "nobody", "never", "don't", "aren't", "where"))


@pytest.mark.parametrize(
    "text",
    [
        "Go to the bench, I don't like anybody in there.",
        "Go to the bench. I don't think you should go inside.",
        "Go to the bench, I'm not having robots near the kiosk.",
        "I don't care which of the benches, go to one.",
        "Go to the bench that is not by the kiosk.",
        "Nobody goes to the bench.",
    ],
)
def test_what_may_forbid_or_choose_is_read(text: str) -> None:
    assert unremarked(text, NAMES) == text


def test_what_others_said_is_read_by_no_network() -> None:
    text = "Anna, go to the bench. One of the guests said a bolt has come off."
    assert "guests" not in pared(text, NAMES)
    assert "kiosk" in pared("Go to the bench. The boss said you check the kiosk too.", NAMES)


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("nobody has seen to the bench for months", True),
        ("it has n't been cleaned in years", True),
        ("carry the bench , since her knee is bad and she can not carry it", True),
        ("since husky has n't got a gripper", True),
        ("inspect the ones that have n't been cleaned", False),
        ("if it has n't been cleaned , inspect it", False),
        ("since you must not go there", False),
        ("as we do n't want anyone near it", False),
        ("nobody is to go there", False),
        ("do not go there", False),
    ],
)
def test_a_negation_may_say_what_was_not_or_why(text: str, tells: bool) -> None:
    words = text.split()
    at = next(k for k, word in enumerate(words) if word in ("nobody", "not", "n't"))
    assert only_tells(words, at) is tells
