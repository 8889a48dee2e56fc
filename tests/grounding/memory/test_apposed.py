"""What is said of a thing after its noun is put before it, and who leaves himself out is put in."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.apposed import in_usual_order
from commonground.grounding.memory.elided import with_apostrophes, with_has, with_subject

CALLED = frozenset(["una", "ivo", "bedroom", "mug", "shelf"])
SAID = {
    "Ivo dropped that jug of Una's.": "Ivo dropped Una's jug.",
    "The soup, the spicy one, is cold.": "The spicy soup is cold.",
    "Una rinsed the cup of Ivo's, the white one, and left.": "Una rinsed Ivo's white cup, and left.",
    "The green one of the vases broke.": "the green vase broke.",
    "It is on the bookcase in Una's den, 2nd shelf from the floor.": (
        "It is on the 2nd shelf of the bookcase in Una's den."
    ),
    "The blue one of the rugs, the one in the hall, is wet.": "the blue rug in the hall is wet.",
    "Ivo shut the door leading to the attic.": "Ivo shut the door of the attic.",
    "It hangs on the hook over in the hall.": "It hangs on the hook in the hall.",
    "Ivo took the thing away and put the cup in the same spot.": "Ivo took it away and put the cup there.",
    "Una stowed the thing she was carrying, her hat, in the chest.": "Una stowed her hat in the chest.",
}
KEPT = [
    "The thing on the table is Una's.",
    "Una lit the lamp of Ivo's bedroom.",
    "Ivo gave Una that mug of Ivo's.",
    "Not this pan, the other one, is dirty.",
    "The keys are in the drawer, the second one from the top.",
    "She went over to the sink, the dog followed.",
]


@pytest.mark.parametrize("text", SAID)
def test_what_is_added_afterwards_is_put_before(text: str) -> None:
    assert in_usual_order(text, lambda word: word.lower() in CALLED) == SAID[text]


@pytest.mark.parametrize("text", KEPT)
def test_what_means_something_else_is_kept(text: str) -> None:
    assert in_usual_order(text, lambda word: word.lower() in CALLED) == text


def test_who_leaves_himself_out_is_the_subject() -> None:
    assert with_subject("ok grabbed the stapler") == "ok I grabbed the stapler"
    assert with_subject("Am in the den.") == "I am in the den."
    for told in ("Put the jug down.", "Filled jugs are in the den.", "Una took it.", "took"):
        assert with_subject(told) == told


def test_what_has_and_an_apostrophe_stand_for_is_written_out() -> None:
    people = frozenset(["una", "ivo"])

    def is_person(word: str) -> bool:
        return word.lower() in people

    assert with_apostrophes("Unas jug is empty.", is_person) == "Una's jug is empty."
    assert with_has("Una's broken her jug.", is_person) == "Una has broken her jug."
    assert with_has("Una's broken jug is Ivo's.", is_person) == "Una's broken jug is Ivo's."
