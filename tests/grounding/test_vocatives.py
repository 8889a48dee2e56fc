"""Who is called behind a clause, or alone in a sentence, is who does what it says."""

import json

import pytest

from commonground.grounding.fidelity.held import Held
from commonground.grounding.fidelity.vocatives import wrong_callers
from commonground.grounding.meaning import meaning_from_json


def _doubts(text, *told):
    """``told``: who, what is done, to what."""
    assignments = [
        {
            "who": {"names": [who]} if who[0].isupper() else {"choose": who},
            "task": {"do": do, "what": {"noun": noun}},
        }
        for who, do, noun in told
    ]
    meaning = meaning_from_json(json.dumps({"assignments": assignments}))
    return [*wrong_callers(Held(meaning, text, ["Anna", "Bert"]))]


@pytest.mark.parametrize(
    "text",
    [
        "Don't go into the lot and inspect the flag, Anna.",
        "Don't go into the lot, Anna, and inspect the flag.",
        "Never cross the lot and inspect the flag Anna",
    ],
)
def test_one_who_is_called_alone_is_told_the_whole_sentence(text):
    assert not _doubts(text, ("Anna", "avoid", "lot"), ("Anna", "inspect", "flag"))
    assert _doubts(text, ("one", "avoid", "lot"), ("Anna", "inspect", "flag"))
    assert _doubts(text, ("Bert", "avoid", "lot"), ("Anna", "inspect", "flag"))


@pytest.mark.parametrize(
    "text",
    [
        "Inspect the van Anna and inspect the flag Bert.",
        "Inspect the van, Anna, and inspect the flag, Bert.",
        "You inspect the van Anna, and you the flag Bert.",
    ],
)
def test_those_who_are_called_behind_are_told_what_stands_before(text):
    assert not _doubts(text, ("Anna", "inspect", "van"), ("Bert", "inspect", "flag"))
    assert _doubts(text, ("Bert", "inspect", "van"), ("Anna", "inspect", "flag"))


def test_who_is_called_in_front_or_spoken_of_is_told_nothing_of_what_stands_before():
    assert not _doubts(
        "Go to the van, and Anna inspects the flag.",
        ("one", "go", "van"),
        ("Anna", "inspect", "flag"),
    )
    assert not _doubts("Inspect the flag by Anna, Bert.", ("Bert", "inspect", "flag"))
    assert not _doubts(
        "Never enter the lot, both of you, and inspect the flag, Anna.", ("one", "avoid", "lot")
    )
