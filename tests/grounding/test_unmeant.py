"""What a text asks, reports, plans, supposes or refuses moves nobody; what asks for a deed does."""

from __future__ import annotations

import pytest

from commonground.grounding.fidelity.clauses import Wording
from commonground.grounding.fidelity.unmeant import ASKED as ASKS
from commonground.grounding.fidelity.unmeant import REFUSED, SUPPOSED, TOLD, unmeant
from commonground.grounding.words.tense import is_past
from commonground.grounding.words.tokens import tokenize


def moods(text: str) -> list[str]:
    return [one.how for one in unmeant(Wording(tokenize(text), ["Anna", "Bert"]))]


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("Should Anna check the crane?", ASKS),
        ("Must Bert go to the barn?", ASKS),
        ("May Anna cross the yard?", ASKS),
        ("Will Bert check the crane?", ASKS),
        ("Is Anna allowed to cross the yard?", ASKS),
        ("Why should Bert go there?", ASKS),
        ("Could Anna have checked it?", ASKS),
        ("Anna goes to the barn?", ASKS),
        ("Is the crane in the yard?", ASKS),
        ("Bert was at the crane.", TOLD),
        ("Bert was going to the barn when the link broke.", TOLD),
        ("Anna is checking the crane.", TOLD),
        ("Anna, you were going to the barn.", TOLD),
        ("Bert had been sent to the yard.", TOLD),
        ("We planned to send Anna to the barn.", TOLD),
        ("I nearly sent Bert into the pit.", TOLD),
        ("I thought Anna was in the barn.", TOLD),
        ("Anna refused to go to the barn.", TOLD),
        ("Bert tried to check the crane.", TOLD),
        ("Bert's supposed to have checked the crane.", TOLD),
        ("Anna might go to the barn.", SUPPOSED),
        ("Maybe Bert goes to the barn.", SUPPOSED),
        ("What if Anna went to the barn?", SUPPOSED),
        ("It is possible that Bert enters the yard.", SUPPOSED),
        ("I doubt Anna goes there.", SUPPOSED),
        ("Anna, refuse to go to the barn.", REFUSED),
        ("Bert wants to go to the barn.", REFUSED),
    ],
)
def test_a_clause_that_orders_nothing_says_what_it_does(text: str, how: str) -> None:
    assert moods(text)[:1] == [how]


@pytest.mark.parametrize(
    "text",
    [
        "Could you check the crane?",
        "Would Anna kindly check the crane?",
        "Can Bert have a look at the crane?",
        "Will you check the crane, Anna?",
        "Anna, would you mind going to the barn?",
        "Bert, are you free to check the crane?",
        "Why don't you check the crane, Anna?",
        "Anna, how about you check the crane?",
        "Bert is to check the crane.",
        "Anna has to go to the barn.",
        "Bert had better check the crane.",
        "Bert is going to check the crane.",
        "I'd like Anna to be at the barn.",
        "I wanted Bert to check the crane.",
        "I was hoping you could check the crane, Anna.",
        "What is urgent is the crane.",
        "I was going to ask you to check the crane, Anna.",
        "Have Bert check the crane.",
        "Anna, go to the barn where Bert was.",
        "Once Bert has checked the crane, Anna goes to the barn.",
        "Make sure Anna has checked the crane.",
        "Bert's resting place should be the barn.",
        "Anna, don't forget to check the crane.",
        "Should Anna see a box, Bert checks it.",
        "Anna, have you got time to check the crane?",
    ],
)
def test_a_clause_that_may_order_is_left(text: str) -> None:
    assert moods(text) == []


def test_the_tense_of_a_word_is_told_from_forms_that_are_no_order() -> None:
    assert all(map(is_past, ["went", "been", "inspected", "sent", "were"]))
    assert not any(map(is_past, ["put", "red", "need", "shed", "go", "ground"]))
