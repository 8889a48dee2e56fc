"""What is said of a thing after its noun is put before it, and everything else is left as it is."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.apposed import in_usual_order

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
    "Una stowed the thing she was carrying, her hat, in the chest.": "Una stowed her hat in the chest.",
}
KEPT = [
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
