"""What is wanted of a thing is read whatever else is told of it."""

from __future__ import annotations

import pytest

from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.leaving_out import left_out_first
from commonground.grounding.problem_writer.wishes.predicates import spelled_out


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (
            "The book is torn and belongs in the bin.",
            "The book is torn. The book belongs in the bin.",
        ),
        (
            "The mug must come off the shelf and go on the desk.",
            "The mug must come off the shelf. The mug must go on the desk.",
        ),
        (
            "Put the egg into the bowl, which goes on the desk.",
            "Put the egg into the bowl. The bowl goes on the desk.",
        ),
        (
            "The mug, which needs washing, and the plate go on the desk.",
            "The mug and the plate go on the desk. The mug needs washing.",
        ),
        ("The book is here. Its place is the desk.", "The book is here. It goes on the desk."),
        (
            "The mug has to be washed, and so does the plate.",
            "The mug has to be washed. the plate has to be washed.",
        ),
        (
            "The mug and the plate go on the desk. On second thoughts, only the mug does.",
            "the mug go on the desk.",
        ),
    ],
)
def test_what_is_wanted_of_a_thing_becomes_a_sentence(text: str, plain: str, home: Home) -> None:
    assert " ".join(spelled_out(text, home).split()).replace("desk. .", "desk.") == plain


@pytest.mark.parametrize(
    "text",
    [
        "The mug must go and close the blinds.",
        "When we are done the mug should be washed and may go on the desk.",
        "We met and should go.",
        "The book, which is old, lies on the desk.",
    ],
)
def test_nothing_else_is_divided(text: str, home: Home) -> None:
    assert spelled_out(text, home) == text


def test_what_is_left_out_stands_by_what_that_is_of(home: Home) -> None:
    said = "I want them there. I want every vase on the shelf, except the one on the sofa, please."
    assert left_out_first(said, home) == (
        "I want them there. put all the vases except the ones on the sofa on the shelf. please."
    )


def test_another_number_than_there_is_is_not_left_out(home: Home) -> None:
    said = "Put all vases on the shelf, except the three on the sofa."
    assert left_out_first(said, home) == said
