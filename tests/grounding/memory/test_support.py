"""What a report says nothing about stays as it is, however it is read."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge import Fact
from commonground.grounding.memory.checks.coverage import Speech
from commonground.grounding.memory.checks.support import Grounds
from commonground.grounding.memory.interpretation.events import Have, Named
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.memory import Memory

IN_CHEST = Fact("stone", "stowed_in", "chest")
ON_TABLE = Fact("stone", "resting_on", "den_table")
MUGS = tuple(Fact(f"{who}_red_mug", "held_by", "una") for who in ("ivo", "una"))


def grounded(memory: Memory, text: str, *told: Fact) -> bool:
    """Return whether a text gives facts to stand on."""
    return Grounds(text, memory, "una").under(Reading("ok", told)).status == "ok"


@pytest.mark.parametrize(
    ("text", "told", "stands"),
    [
        ("Una put the stone in the chest.", IN_CHEST, True),
        ("Una went to the den with the stone.", IN_CHEST, False),
        ("Una closed the chest.", IN_CHEST, False),
        ("I cleared the rack into the chest.", IN_CHEST, True),
        ("It went into the chest.", IN_CHEST, False),
    ],
)
def test_nothing_unsaid_is_moved_nor_to_where_nobody_said(
    memory: Memory, text: str, told: Fact, stands: bool
) -> None:
    assert grounded(memory, text, told) == stands


def test_what_was_told_before_and_where_that_is_may_be_meant(memory: Memory) -> None:
    assert not grounded(memory, "Now it is in there.", IN_CHEST)
    assert memory.tell("Ivo put the stone on the den table.").status == "ok"
    assert grounded(memory, "Una closed the chest and put it inside.", IN_CHEST)
    assert grounded(memory, "Una put it back.", Fact("stone", "shelved_at", "rack_1"))


def test_no_more_is_moved_than_a_number_says(memory: Memory) -> None:
    assert grounded(memory, "Una took two mugs.", *MUGS)
    assert not grounded(memory, "Una took one mug.", *MUGS)
    assert grounded(memory, "Una took one mug and Ivo's mug.", *MUGS)


@pytest.mark.parametrize("text", ["Una took the mugs.", "Una took mugs.", "Una took three mugs."])
def test_a_bare_plural_never_means_all_that_there_are(memory: Memory, text: str) -> None:
    assert memory.tell(text).status == "ask"


def test_a_bare_plural_means_what_lies_together(memory: Memory) -> None:
    assert memory.tell("Una put her mug on the counter.").status == "ok"
    assert set(memory.tell("Una took the mugs.").added) >= {*MUGS}


@pytest.mark.parametrize(
    "text", ["Perhaps Una opened the den door.", "Una opened the den door, I think."]
)
def test_what_is_doubted_itself_is_asked_about(memory: Memory, text: str) -> None:
    assert memory.tell(text).status == "ask"


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("Ivo opened the den door and went in.", "den"),
        ("Ivo unlocked the door of the den and stepped inside.", "den"),
        ("Ivo brought the stone to Una in the den.", "den"),
    ],
)
def test_who_goes_in_or_brings_a_thing_is_there(memory: Memory, text: str, there: str) -> None:
    told = memory.tell(text)
    assert Fact("ivo", "person_at", there) in told.added


@pytest.mark.parametrize(
    "text",
    [
        "Una turned the den lamp off; Ivo did the same in the kitchen.",
        "Una switched the lamp in the den off. Ditto in the kitchen.",
        "Una turned the den lamp off. Ivo did likewise in the kitchen.",
    ],
)
def test_the_same_is_done_elsewhere_with_what_is_like_it(memory: Memory, text: str) -> None:
    read = memory.grammar.reader.read(text, memory.store.facts, memory.discourse)
    assert Fact("kitchen_lamp", "lit", "false") in read.facts


@pytest.mark.parametrize(
    "text",
    [
        "Una opened the chest, put the stone in and shut it again.",
        "Una opened the chest, dropped the stone inside and left it open.",
        "The stone went out of the rack and into the chest.",
    ],
)
def test_things_are_put_into_what_was_opened(memory: Memory, text: str) -> None:
    assert IN_CHEST in memory.tell(text).added


def test_a_part_is_that_of_what_was_just_spoken_of(memory: Memory) -> None:
    read = memory.grammar.reader.read(
        "Una opened the den door, put the stone in the chest and closed the lid.",
        memory.store.facts,
        memory.discourse,
    )
    assert Fact("chest", "lid_open", "false") in read.facts


def test_of_several_called_the_same_the_one_spoken_of_before_is_meant(memory: Memory) -> None:
    assert memory.tell("Ivo put his mug on the den table.").status == "ok"
    assert memory.tell("The mug is dirty.").status == "ok"
    assert Fact("ivo_red_mug", "clean", "false") in memory.store.facts


def test_what_was_left_out_is_asked_about_where_fewer_are_moved_than_said(memory: Memory) -> None:
    memory.discourse.now.events = [Have(("ivo_red_mug", "una_red_mug"), "ivo")]
    assert grounded(memory, "Una took the pair of them.", *MUGS)
    assert not grounded(memory, "Una took both of them.", MUGS[0])


def test_it_is_one_of_what_was_not_understood(memory: Memory) -> None:
    memory.discourse.now.events = [Named(("ivo_red_mug", "una_red_mug"))]
    assert not grounded(memory, "Una has got it.", *MUGS)
    assert grounded(memory, "Una has got it.", MUGS[0])
    assert grounded(memory, "Una has got them.", *MUGS)


def test_a_thing_that_was_kept_is_kept_after_the_rest_went(memory: Memory) -> None:
    memory.tell("Ivo put the stone on the counter.")
    text = (
        "Una put everything from the counter on the den table except the stone, "
        "which she kept in her hand."
    )
    read = memory.grammar.reader.read(text, memory.store.facts, memory.discourse)
    assert Fact("stone", "held_by", "una") in read.facts
    assert Fact("ivo_red_mug", "resting_on", "den_table") in read.facts


def test_a_reading_that_passes_over_an_opening_is_not_whole(memory: Memory) -> None:
    speech = Speech("Una opened it up and took the stone.", memory)
    assert speech.opens_more([Fact("stone", "held_by", "una")])
    assert not speech.opens_more([Fact("chest", "lid_open", "true")])
    assert not Speech("Una took the stone.", memory).opens_more([])


@pytest.mark.parametrize(
    "text", ["The phone will not stop ringing.", "Una's phone won't stop ringing."]
)
def test_what_will_not_stop_goes_on(memory: Memory, text: str) -> None:
    memory.tell("Una's phone is ringing.")
    memory.tell(text)
    assert Fact("una_phone", "ringing", "true") in memory.store.facts
