"""People by what they are to somebody, in pronouns."""

from __future__ import annotations

import pytest

from commonground.grounding.language.people import by_pronouns


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("My aunt can't lift the crate.", "he can't lift the crate."),
        ("Granny's on the bench and she is cold.", "he's on the bench and she is cold."),
        ("Put Granny's shawl on the bench.", "Put his shawl on the bench."),
        ("The kids are asleep, so shut the door.", "they are asleep, so shut the door."),
        ("Bring the crate to my uncle.", "Bring the crate to him."),
        ("Lay the grandfather clock down.", "Lay the grandfather clock down."),
        ("The crate is heavy.", "The crate is heavy."),
    ],
)
def test_people_get_pronouns(text: str, plain: str) -> None:
    assert by_pronouns(text) == plain
