"""Notes as people jot them down: what frames and shortens them, where things are, what is only told."""

from __future__ import annotations

import pytest

from commonground.grounding.english.remarks import remarks
from commonground.grounding.english.utterance import Span
from commonground.grounding.fidelity.ends import lost_ends
from commonground.grounding.fidelity.held import Held
from commonground.grounding.fidelity.negation import negators
from commonground.grounding.meaning import Act, Assignment, Instruction, Thing, Who
from commonground.grounding.words.shorthand import written_out

ROBOTS = ["Spot", "Husky"]
NOTES = {
    "can 1 of you check the pump": "can one of you check the pump",
    "REQ-17: Husky, inspect the pump.": "Husky, inspect the pump.",
    "TKT 4410. Spot: insp O45 + O38.": "Spot: inspect O45 and O38.",
    "Night desk to Spot. Inspect the pump.": "Spot, inspect the pump.",
    "Husky, gatehouse here. Inspect the pump.": "Husky, inspect the pump.",
    "Go to Spot. Then wait.": "Go to Spot. Then wait.",
    "Husky -> yard. Stay.": "Husky to yard. Stay.",
    "Leak found -> Husky inspects the pump.": "Leak found, Husky inspects the pump.",
    "Spot: visit >= 2 bins W of the pump exc. the red one.": (
        "Spot: visit at least 2 bins west of the pump except the red one."
    ),
    "Spot, inspect -3 bins.": "Spot, inspect minus 3 bins.",
    "Spot, inspect O12-O15.": "Spot, inspect O12-O15.",
    "O12: Spot inspects it.": "O12: Spot inspects it.",
    "Spot, inspect the carb.": "Spot, inspect the carb.",
}


@pytest.mark.parametrize("note", NOTES)
def test_a_note_is_written_out(note: str) -> None:
    assert written_out(note, ROBOTS, {"pump", "yard", "bin"}) == NOTES[note]


def _instruction(*acts: Act) -> Instruction:
    return Instruction(tuple(Assignment(Who(("spot",)), act) for act in acts))


def test_waiting_and_holding_that_are_lost_are_seen() -> None:
    go, inspect = Act("go", Thing("boat")), Act("inspect", Thing("boat"))
    assert [*lost_ends(Held(_instruction(go), "Spot, drive to the boat, wait there."))]
    assert [*lost_ends(Held(_instruction(inspect), "Spot ends inside, holding the box."))]
    stay = _instruction(inspect, Act("be", Thing("boat")))
    assert not [*lost_ends(Held(stay, "Spot inspects the boat and stays with it."))]
    told = "Spot, inspect the boat, where my colleague will wait at the pier."
    assert not [*lost_ends(Held(_instruction(inspect), told))]


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Anna, inspect a bench. Either, I'm not fussy.", False),
        ("Nobody remembers what is inside. Anna, inspect the bench.", False),
        ("Nobody may enter the shed. Anna, inspect the bench.", True),
        ("Anna, inspect the bench. I do not want it moved.", True),
    ],
)
def test_a_negation_that_is_only_about_people_excludes_nothing(text: str, denied: bool) -> None:
    assert bool(negators(text)) == denied


def test_what_people_do_is_a_remark_and_what_they_want_is_none() -> None:
    text = "Avoid R1, I have got the horse in there. I want the bench checked."
    told = remarks(text)
    spans = {w: Span(text.index(w), text.index(w) + len(w), w) for w in ("horse", "bench")}
    assert told(spans["horse"])
    assert not told(spans["bench"])


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Keep Anna out of the shed.", True),
        ("Keep both robots well away from the shed.", True),
        ("Keep Bert off the lawn.", True),
        ("Stop Anna going to the shed.", True),
        ("Ban Bert from the shed.", True),
        ("Anna, stop by the building near the shed.", False),
        ("Anna, stop far from the shed.", False),
        ("Anna, keep the box and drop it off at the shed.", False),
    ],
)
def test_whoever_is_to_be_kept_away_something_is_excluded(text: str, denied: bool) -> None:
    assert bool(negators(text)) == denied


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Anna, inspect the bench. It was never theirs.", False),
        ("Anna, inspect the bench. Reason not given.", False),
        ("The caller would not say why. Anna, inspect the bench.", False),
        ("Anna, inspect the boxes that were not moved.", True),
        ("Anna, I said you were not to enter the shed.", True),
        ("It would be better if Anna did not enter the shed.", True),
        ("Anna, do not say goodbye to the shed, and do not enter it.", True),
    ],
)
def test_what_was_not_so_excludes_nothing(text: str, denied: bool) -> None:
    assert bool(negators(text)) == denied
