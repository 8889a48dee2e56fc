"""What the words of a report do not tell is asked about, however sure the network is of it."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.checks.coverage import has_thing
from commonground.grounding.memory.memory import Memory
from tests.grounding.memory.worlds import held


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("Una charged her phone", False),
        ("Una has just unlocked her phone", False),
        ("Una forgot her phone", False),
        ("Ivo has the phone", True),
        ("Ivo has already taken the phone", True),
        ("Ivo is the bearer of the phone", True),
        ("Ivo helped himself to the phone", True),
        ("the phone is with Ivo", True),
    ],
)
def test_only_words_of_having_tell_that_somebody_has_a_thing(text: str, *, tells: bool) -> None:
    assert has_thing(text) == tells


@pytest.mark.parametrize(
    "text",
    [
        "Una charged her phone.",
        "Una has updated her phone.",
        "Una lost her phone.",
        "Ivo chipped his mug.",
        "Ivo moved the lamp.",
        "Una showed Ivo her phone.",
        "Una showed the phone to Ivo.",
        "Ivo washed Una her mug.",
        "Una described her phone to Ivo.",
    ],
)
def test_nobody_gets_what_nobody_says_he_got(memory: Memory, text: str) -> None:
    before = held(memory)
    memory.tell(text)
    assert held(memory) == before


@pytest.mark.parametrize(
    "text", ["Una took her phone.", "Ivo passed Una her phone.", "Una's phone went to Una."]
)
def test_what_somebody_says_he_got_is_his(memory: Memory, text: str) -> None:
    assert memory.tell(text).status == "ok"
    assert "held_by una_phone una" in held(memory)
