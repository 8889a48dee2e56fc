"""What is said beside an order or a report, and changes it, is asked about; what changes nothing is not."""

from __future__ import annotations

import pytest

from commonground.grounding.fidelity.tails import tails_of_orders, tails_of_reports

ORDER, REPORT = "Put the blanket on the chair{}.", "The torch is on the sofa{}."


def asked(text: str) -> list[str]:
    return [tail.words for tail in tails_of_orders(text, lambda words: "mug" in words)]


@pytest.mark.parametrize(
    "tail",
    [
        " unless she is asleep", " only if it rains", " as soon as the guests leave", " until six",
        " at half past seven", " tomorrow morning", " every other day", " three times", " for an hour",
        ", but only half of it", ", not the blue one", " or the other one", ", or maybe not",
        ", but ask Priya first", " and report back", " around midnight", ", but no more than a third",
        " and tell me when it is done", " without waking Mr Hale", " while I am out",
    ],
)  # fmt: skip
def test_what_changes_an_order_is_found(tail: str) -> None:
    assert asked(ORDER.format(tail))


@pytest.mark.parametrize(
    "tail",
    [
        ", please", " by six", " before the guests arrive", " when you get a minute", " if you don't mind",
        " if it is not too much bother", " for tonight", " once the mug is washed", ", not the second",
        " until it is warm", " because it is cold", ", I am so tired",
    ],
)  # fmt: skip
def test_what_changes_no_order_is_passed_over(tail: str) -> None:
    assert not asked(ORDER.format(tail))


@pytest.mark.parametrize(
    "tail",
    [
        ", or so he says", ", if he is to be believed", ", he claims", ", unless somebody changed it",
        " whenever it rains", " as soon as the guests leave", " on Sundays", " most of the time",
        " at nine tonight", ", or was that yesterday", ", or so the story goes", ", don't you think?",
        " in my dream", ", but only half",
    ],
)  # fmt: skip
def test_what_changes_a_report_is_found(tail: str) -> None:
    assert [*tails_of_reports(REPORT.format(tail), lambda words: "mug" in words)]


@pytest.mark.parametrize(
    "text",
    [
        "Tom looked after the torch and put it on the sofa when he came home.",
        "The torch is on the sofa, believe it or not.",
        "If anybody is looking for Tom, he is in the lounge.",
        "For an hour or so the torch has been on the sofa.",
        "You can't get in unless you open it.",
        "The torch is on the sofa because somebody was careless.",
    ],
)
def test_what_is_told_of_what_was_is_no_tail(text: str) -> None:
    assert not [*tails_of_reports(text, lambda words: "mug" in words)]
