"""What a text may come to, and how probable each of it is."""

from __future__ import annotations

import pytest

from commonground.grounding.answers import Grounding
from commonground.grounding.english.utterance import Clause, Part, Utterance
from commonground.grounding.fidelity.check import Objection
from commonground.grounding.frontends.candidates import (
    SURE,
    Candidate,
    Version,
    Way,
    chances,
    evidence,
    weighed,
)

LOOK = Grounding("ok", {"anna": "(safe O1)"}, "")
GO = Grounding("ok", {"anna": "(visited-object O1)"}, "")
ASKS = Grounding("clarify", None, "Which one?")
ORDER = Utterance((Part(Clause("go")),))
NUMBER = Objection("lost_nouns", "the text speaks of the gate, which is left out")


def read(answer: Grounding, sure: float, *objections: Objection, version: Version = "whole") -> Way:
    return Way(version, answer, sure, ORDER, objections)


def chance(*candidates: Candidate) -> float:
    """Return how probable the first of some candidates is."""
    return chances(candidates, ["whole"])[0]


def test_ways_that_come_to_the_same_count_together() -> None:
    other = Candidate([read(GO, 0.2)])
    apart = chance(Candidate([read(LOOK, 0.4)]), other)
    together = chance(Candidate([read(LOOK, 0.4), read(LOOK, 0.35)]), other)
    assert together > apart


def test_what_is_read_for_sure_is_acted_on_and_what_is_not_is_asked() -> None:
    assert weighed([Candidate([read(LOOK, 0.97)])], ["whole"]).sure
    unsure = weighed([Candidate([read(LOOK, 0.1)]), Candidate([read(GO, 0.08)])], ["whole"])
    assert not unsure.sure


def test_a_question_is_never_acted_on() -> None:
    found = weighed([Candidate([read(ASKS, 0.9)]), Candidate([read(LOOK, 0.0)])], ["whole"])
    assert not found.sure and found.likeliest.way.answer is ASKS
    assert chance(Candidate([read(ASKS, 1.0)])) == 0.0


def test_what_the_text_objects_to_is_less_probable() -> None:
    plain, doubted = (Candidate([read(LOOK, 0.9, *of)]) for of in ((), (NUMBER,)))
    assert chance(doubted) < chance(plain) >= SURE
    assert weighed([plain], ["whole"]).sure and not weighed([doubted], ["whole"]).sure


def test_what_is_read_as_no_order_makes_the_orders_less_probable() -> None:
    off = Utterance((Part(Clause("go"), stands="taken back"),))
    called_off, asks = (Candidate([Way("whole", ASKS, 0.6, said)]) for said in (off, ORDER))
    order = Candidate([read(LOOK, 0.3)])
    assert called_off.is_no_order and not asks.is_no_order and not order.is_no_order
    assert chance(order, called_off) < chance(order, asks)


def test_the_way_that_fits_best_gives_the_answer() -> None:
    other = Grounding("ok", LOOK.goals, "in this order")
    found = Candidate([read(LOOK, 0.6, NUMBER), read(other, 0.3)])
    assert found.way.answer is other


def test_a_way_that_is_hardly_probable_does_not_rescue_the_others() -> None:
    found = Candidate([read(LOOK, 0.9, NUMBER), read(LOOK, 0.01)])
    assert found.way.barred


def test_two_that_are_both_probable_are_asked_about() -> None:
    found = weighed([Candidate([read(LOOK, 0.5)]), Candidate([read(GO, 0.5)])], ["whole"])
    assert not found.sure and found.another is not None


def test_evidence_of_a_version_that_was_not_read_is_that_of_the_whole() -> None:
    (only,) = evidence([Candidate([read(LOOK, 0.8)])], ["whole"])
    assert only["pared"] == only["whole"]
    both = [read(LOOK, 0.8), read(LOOK, 0.1, version="pared")]
    (found,) = evidence([Candidate(both)], ["whole", "pared"])
    assert found["pared"] < found["whole"]


@pytest.mark.parametrize("aside", [False, True])
def test_what_is_said_aside_is_evidence_of_its_own(aside: bool) -> None:
    one = NUMBER._replace(aside=aside)
    (found,) = evidence([Candidate([read(LOOK, 0.8, one)])], ["whole"])
    assert ("lost_nouns" in found) is not aside and ("aside" in found) is aside
