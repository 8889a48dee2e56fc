"""What is joined on to a thing is read or asked about, however plain its words are."""

from __future__ import annotations

import pytest

from commonground.demo import sample_scene, sample_team
from commonground.grounding.grounder import Grounder


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    return Grounder(sample_scene(), sample_team())


@pytest.mark.parametrize(
    "text",
    [
        "Spot, inspect the flag and the next one.",
        "Spot, inspect the flag and another one.",
        "Spot, inspect the flag and the thing next to it.",
        "Spot, inspect the flag and whatever is beside it.",
        "Spot, visit the plaza and its neighbors.",
        "Spot, inspect the flag, I mean the opposite one.",
        "Spot, inspect the flag and measure its height.",
        # a sentence of its own
        "Spot, inspect the flag. Take a sample there.",
        "Spot, inspect the flag. Then back to base.",
        "Spot, inspect the flag. Then do the same for the one next to it.",
        "Spot, inspect the flag. And one more of those.",
        "Spot, inspect the flag. Look at the neighbors as well.",
        "Spot, inspect the flag. On second thoughts, leave it.",
        "The plan was once: Spot, inspect the flag.",
        "Spot, put the box over there.",
        # told by what it is near to, or where
        "Spot, go to the area next to the plaza.",
        "Visit the parking lot or an adjacent area.",
        "Spot, go to the plaza and inspect every barrel there.",
    ],
)
def test_what_nobody_reads_is_asked_about(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals is None


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        ("Spot, inspect the flag and the rock.", {"spot": "(and (safe O38) (safe O39))"}),
        ("Spot, inspect the flag, the one we talked about.", {"spot": "(safe O38)"}),
        ("Spot, inspect the flag, and a big thank you.", {"spot": "(safe O38)"}),
        ("Spot, inspect the flag. Thank you, and take care.", {"spot": "(safe O38)"}),
        ("There's a flag over there. Spot, drive up to it.", {"spot": "(visited-object O38)"}),
        ("Husky, take up a position next to the flag.", {"husky": "(at-object O38)"}),
    ],
)
def test_what_only_sounds_like_more_is_read(
    grounder: Grounder, text: str, goals: dict[str, str]
) -> None:
    assert grounder.ground(text).goals == goals


@pytest.mark.parametrize(
    "text",
    [
        "Spot, pick up the box, the barrels stay where they are.",
        "I had at first thought of Husky for the flag; on reflection it is Spot who should inspect it.",
    ],
)
def test_nothing_is_done_that_was_not_said(grounder: Grounder, text: str) -> None:
    goals = grounder.ground(text).goals or {}
    assert "not" not in " ".join(goals.values())
    assert set(goals) <= {"spot"}


def test_what_both_are_told_is_not_done_by_one(grounder: Grounder) -> None:
    found = grounder.ground(
        "One of you inspects all barrels. Then both of you rendezvous at the flag."
    )
    assert found.goals is None or len(found.goals) == 2
