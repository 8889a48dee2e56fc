"""Texts that look unlike most orders end in an answer, and in no goal that turns them round."""

from __future__ import annotations

import pytest

from commonground.grounding import Grounder, GroundingSettings
from tests.grounding.sites import Style, make_site

STYLE = Style(
    ("anna", "bert"),
    (("plaza", ""), ("field", "upper field"), ("lawn", ""), ("yard", "")),
    (("gate", 1), ("flag", 1), ("box", 2)),
)
SITE = make_site(STYLE, 3)
GROUNDER = Grounder(SITE.graph, SITE.team, GroundingSettings())


@pytest.mark.parametrize(
    "text",
    [
        "If the gate is not closed, Anna, wait there.",
        "The gate must not be closed, Anna.",
        "The flag isn't to be left alone, Bert.",
        "No robot may keep away from the flag.",
        "Neither robot avoids the flag.",
        "Anna, don't avoid the flag.",
        "Anna must never stay away from the flag.",
    ],
)
def test_who_must_not_keep_away_is_not_kept_away(text: str) -> None:
    found = GROUNDER.ground(text)
    assert found.goals is None and found.message.endswith((".", "?"))


@pytest.mark.parametrize(
    ("text", "kept_out"),
    [
        ("Anna, do not enter the plaza, keep out.", 1),
        ("Nobody may enter the plaza.", 2),
        ("Anna, keep out of the plaza and don't go near the flag.", 1),
        ("Anna, check the flag and never go to the plaza, which is closed.", 1),
    ],
)
def test_a_ban_beside_a_negation_is_a_ban(text: str, kept_out: int) -> None:
    goals = GROUNDER.ground(text).goals or {}
    assert [("(not (visited-region R1))" in goal) for goal in goals.values()] == [True] * kept_out


@pytest.mark.parametrize(
    "text",
    [
        "Anna, check the flag, and Bert the box either",
        "Anna, inspect the flag or the box, either",
        "Not the flag. Nor the box either",
    ],
)
def test_a_last_word_that_leaves_a_choice_ends_the_text(text: str) -> None:
    found = GROUNDER.ground(text)
    assert found.goals is None and "box" in found.message


def test_words_in_brackets_alone_are_asked_about() -> None:
    found = GROUNDER.ground("(not the flag)")
    assert found.goals is None and "flag" in found.message
