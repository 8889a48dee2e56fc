"""Texts that look unlike any order end in an answer, whatever the grammar and the checks make of them."""

from __future__ import annotations

import pytest

from commonground.grounding import Grounder, GroundingSettings
from tests.grounding.sites import Style, make_site

STYLE = Style(
    ("anna", "bert"),
    (("plaza", ""), ("field", "upper field")),
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
    ],
)
def test_what_must_not_be_left_undone_is_no_ban(text: str) -> None:
    found = GROUNDER.ground(text)
    assert found.message or found.goals


@pytest.mark.parametrize(
    "text",
    [
        "Anna, check the flag, and Bert the box either",
        "Anna, inspect the flag or the box, either",
        "(not the flag)",
        "Not the flag. Nor the box either",
    ],
)
def test_a_last_word_that_leaves_a_choice_ends_the_text(text: str) -> None:
    found = GROUNDER.ground(text)
    assert found.message or found.goals
