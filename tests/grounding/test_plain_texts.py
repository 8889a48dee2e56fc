"""Texts made plainer before they are read: without asides and deadlines."""

from __future__ import annotations

import pytest

from commonground.grounding.english.asides import pared
from commonground.grounding.english.names import Names
from commonground.grounding.fidelity.deadlines import undated
from commonground.grounding.grounder import Grounder

NAMES = Names({"robot": ["Spot"], "noun": ["bench", "boat", "gravel"], "area": ["north lot"]})


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Spot, stay off the north lot, they've just poured it.", "Spot, stay off the north lot,"),
        ("The gulls are greedy today, so inspect the bench.", ", so inspect the bench."),
        ("Spot, inspect the bench before the baker gets here.", "Spot, inspect the bench"),
    ],
)
def test_what_is_only_told_is_left_out(text: str, rest: str) -> None:
    found = pared(text, NAMES)
    assert len(found) == len(text)
    assert found.strip(" .").split() == rest.strip(" .").split()


@pytest.mark.parametrize(
    "text",
    [
        "Spot, inspect the bench and the frobnicator.",
        "Somebody left a boat out there. Spot, go to it.",
        "Spot, inspect the bench, that's you.",
        "Spot, inspect the boat if it is raining.",
        "Spot, inspect the bench and you inspect the boat.",
        "Spot, wash the boat.",
    ],
)
def test_orders_conditions_and_what_is_taken_up_stay(text: str) -> None:
    assert pared(text, NAMES) == text


def test_deadlines_are_passed_over_and_said_back(dev_grounder: Grounder) -> None:
    text, found = undated("Spot, inspect the bench by noon. Go to R1 before R2 by 15:00.")
    assert found == ["by noon", "by 15:00"] and "before R2" in text
