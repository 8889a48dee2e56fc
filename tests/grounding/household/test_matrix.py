"""Wishes are read out of what people say around them: who wants them, by when, and what for."""

from __future__ import annotations

import pytest

from commonground.grounding.problem_writer.wishes.beside import without_aims
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.matrix import unwrapped


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("What I need is the egg cooked.", "I want the egg cooked."),
        ("My wish is for the apple to be chilled.", "the apple should be chilled."),
        (
            "I think it'd be best if the fork sat on the desk and the mug sat on the shelf.",
            "the fork should sit on the desk and the mug should sit on the shelf.",
        ),
        (
            "What matters is that the apple gets washed and then goes into the fridge.",
            "the apple should get washed and then go into the fridge.",
        ),
        ("It would be lovely to have the telly on.", "I want the telly on."),
        ("I'd be so glad if somebody opened the box for me.", "open the box for me."),
        ("If the pen could be on the desk, I'd be happier.", "the pen should be on the desk."),
        ("I know that the fork is in the sink.", "I know that the fork is in the sink."),
        ("I asked if the telly is on.", "I asked if the telly is on."),
        ("It is nice that the telly is on.", "It is nice that the telly is on."),
    ],
)
def test_what_a_main_clause_introduces_is_the_wish(text: str, plain: str, home: Home) -> None:
    assert unwrapped(text, home) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Put the apple in the fridge before our guests arrive.", "Put the apple in the fridge."),
        ("When I get home, the egg should be hot.", "the egg should be hot."),
        ("Come on, come on, wash the fork.", "wash the fork."),
        ("I want the telly on to watch the news.", "I want the telly on."),
        ("Wash the fork before putting it away.", "Wash the fork before putting it away."),
        ("When the timer rings, shut the fridge.", "When the timer rings, shut the fridge."),
        ("Heat the egg for two minutes.", "Heat the egg for two minutes."),
    ],
)
def test_by_when_and_what_for_is_left_out(text: str, plain: str, home: Home) -> None:
    assert without_aims(text, home) == plain
