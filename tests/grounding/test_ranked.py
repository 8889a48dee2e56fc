"""What a text puts first, last, in between or on a way is asked about where its meaning does not."""

import json

import pytest

from commonground.grounding.fidelity.check import unfaithful
from commonground.grounding.meaning import meaning_from_json

_HERE = {"do": "be", "what": {"kind": "place", "of": "here"}}


def _act(noun, do="inspect"):
    return _HERE if noun == "here" else {"do": do, "what": {"noun": noun}}


def _doubts(text, *nouns, order="sequence", do="inspect"):
    task = {"order": order, "tasks": [_act(noun, do) for noun in nouns]}
    meaning = meaning_from_json(
        json.dumps({"assignments": [{"who": {"names": ["Anna"]}, "task": task}]})
    )
    return unfaithful(meaning, text, ["Anna", "Bert"])


@pytest.mark.parametrize(
    "text",
    [
        "Anna, inspect the flag, but first the crane",
        "Anna, inspect the flag and the crane, the crane first",
        "Anna, inspect the flag and the crane, starting with the crane",
        "Anna, inspect the flag and, first of all, the crane",
        "Anna, inspect the flag last, the crane first",
        "Anna, inspect the flag second and the crane first",
        "Anna, inspect the flag and the crane, flag last",
        "Anna, inspect the flag. First, however, inspect the crane.",
        "Anna, inspect the flag, but before you do that inspect the crane",
        "Anna, inspect the flag and, prior to it, the crane",
        "Anna, inspect the flag and before that the crane",
        "Anna, inspect the flag once the crane is done",
        "Anna, inspect the flag, having inspected the crane",
    ],
)
def test_first_and_last_are_kept(text):
    assert not _doubts(text, "crane", "flag")
    assert _doubts(text, "flag", "crane")
    assert _doubts(text, "flag", "crane", order="all")


@pytest.mark.parametrize(
    "text",
    [
        "Anna, go to the lot via the dock",
        "Anna, go via the dock to the lot",
        "Anna, go to the lot, stopping at the dock on the way",
        "Anna, go to the lot and visit the dock on the way",
        "Anna, on your way to the lot visit the dock",
    ],
)
def test_a_way_leads_through_before_where_it_leads(text):
    assert not _doubts(text, "dock", "lot", do="go")
    assert _doubts(text, "lot", "dock", do="go")
    assert _doubts(text, "lot", "dock", order="all", do="go")


def test_one_comes_back_after_what_is_done():
    text = "Anna, go back to where you started after inspecting the crane"
    assert not _doubts(text, "crane", "here")
    assert _doubts(text, "here", "crane")


def test_in_between_is_neither_first_nor_last():
    text = "Anna, inspect the crane last, the flag first, and the van in between"
    assert not _doubts(text, "flag", "van", "crane")
    assert _doubts(text, "flag", "crane", "van")
    assert _doubts(text, "van", "flag", "crane")


@pytest.mark.parametrize(
    "text",
    [
        "Anna, inspect the first crane and the flag",
        "Anna, inspect the flag and the crane, and look after them",
        "Anna, go through the lot and inspect the flag and the crane",
        "Anna, inspect the first aid crane and the flag once more",
    ],
)
def test_other_words_rank_nothing(text):
    assert not _doubts(text, "flag", "crane", order="all")
