"""How it is all around: an ``it`` that stands for nothing is not what was spoken of last."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.surroundings import without_surroundings


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Una opened the chest, it was getting stuffy in here.", "Una opened the chest."),
        ("It's pouring outside, so Una closed the chest.", "Una closed the chest."),
        ("Una closed the chest because it was freezing in here.", "Una closed the chest."),
        ("Where is it? It's noisy outside!", "Where is it?"),
        ("It was really dark in there.", ""),
        ("It's getting late.", ""),
    ],
)
def test_how_it_is_all_around_is_left_out(said: str, kept: str) -> None:
    assert without_surroundings(said) == kept


@pytest.mark.parametrize(
    "said",
    [
        "The parcel came, but it was late.", "It's hot in there.", "It was in the chest.", "It's cold.",
        "It is bright red.", "It's full.", "It was open in there.",
    ],
)  # fmt: skip
def test_what_may_be_said_of_a_thing_is_kept(said: str) -> None:
    assert without_surroundings(said) == said


def test_it_is_not_what_was_spoken_of_last(quiet_memory: Memory) -> None:
    quiet_memory.tell("Una put the stone into the chest.")
    before = {*quiet_memory.store.facts}
    told = quiet_memory.tell("Ivo opened the chest, it was getting gloomy in here.")
    assert told.status == "ok"
    lost = before - {*quiet_memory.store.facts}
    assert not any(fact.subject == "stone" for fact in lost)
    assert quiet_memory.tell("It was getting gloomy in here.").status == "none"
