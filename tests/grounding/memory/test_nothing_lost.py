"""Every clause of a report is in what it was understood to say, or is asked about."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge import Fact
from commonground.grounding.memory.checks.support import Grounds
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.rewriting.gapping import repeated, with_be, with_gone
from commonground.grounding.memory.rewriting.left_in_place import where_it_stayed
from commonground.grounding.memory.rewriting.step_splitting import steps_in

PEOPLE = {"una", "ivo"}
ROOMS = {"den", "kitchen"}
THINGS = {"mug", "stone", "chest", "lamp", "tap", "lid", "door", "phone"}


def is_person(word: str) -> bool:
    return word.lower() in PEOPLE


def is_room(words: str) -> bool:
    return words.lower().removeprefix("the ") in ROOMS


def names_any(text: str) -> bool:
    return any(word.strip(".,'s") in PEOPLE | THINGS | ROOMS for word in text.lower().split())


def test_steps_are_the_single_deeds_each_with_who_did_it() -> None:
    steps = steps_in(
        "Una took the mug, opened the chest, put it in there and closed it.", is_person, names_any
    )
    assert steps == [
        "Una took the mug.",
        "Una opened the chest.",
        "Una put it in there.",
        "Una closed it.",
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Una took the mug and the stone.", 1),
        ("Ivo took the mug, the lid is up.", 2),
        ("Ivo lit the lamp. Una left.", 2),
        ("Una gave Ivo the mug, the stone and the phone.", 1),
    ],
)
def test_a_list_of_things_is_one_step(text: str, count: int) -> None:
    assert len(steps_in(text, is_person, names_any)) == count


def test_what_was_put_into_what_was_opened_is_there(memory: Memory) -> None:
    told = memory.tell("Una took the stone, opened the chest, put it in there and closed it.")
    assert told.status == "ask" or Fact("stone", "stowed_in", "chest") in memory.store.facts


def test_a_clause_that_no_reading_has_is_asked_about_or_believed(memory: Memory) -> None:
    lit = Fact("kitchen_lamp", "lit", "true")
    memory.tell("The kitchen lamp is off.")
    told = memory.tell("Una put the stone on the kitchen table, lamp's on.", "una")
    assert told.status == "ask" or lit in memory.store.facts


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("tap's running", "the tap is running"),
        ("Lid's been opened.", "The lid has been opened."),
        ("Una's gone.", "Una's gone."),
        ("chest's open lid", "chest's open lid"),
    ],
)
def test_what_is_contracted_with_a_bare_noun_is_written_out(text: str, whole: str) -> None:
    assert with_be(text, names_any, is_person) == whole


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("The mug is clean. Una's is too.", "The mug is clean. Una's mug is too."),
        ("The mug is clean and so is mine.", "The mug is clean and my mug is clean."),
        (
            "The stair door is shut, the den's isn't.",
            "The stair door is shut, the den's door isn't.",
        ),
        (
            "The kitchen door is open, and so is the one to the den.",
            "The kitchen door is open, and the door to the den is open.",
        ),
        ("The mug is clean. Una's in the den.", "The mug is clean. Una's in the den."),
        ("Ivo's mug is here, Una's on the table.", "Ivo's mug is here, Una's mug on the table."),
        ("The mug is clean. Una's been away.", "The mug is clean. Una's been away."),
    ],
)
def test_what_was_named_last_is_named_again(text: str, whole: str) -> None:
    def noun_in(before: str, owner: str) -> str:
        assert not owner or is_person(owner) or is_room(owner)
        words = [word.strip(".,") for word in before.lower().split()]
        return next((word for word in reversed(words) if word in THINGS), "")

    assert (
        repeated(text, noun_in, lambda w: is_person(w) or is_room(w), lambda w: "table" in w)
        == whole
    )


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Una off to the den, so I left.", "Una has gone off to the den, so I left."),
        ("Una took the mug to the den.", "Una took the mug to the den."),
        ("Una to the rescue.", "Una to the rescue."),
    ],
)  # fmt: skip
def test_who_is_off_to_a_room_has_gone_there(text: str, whole: str) -> None:
    assert with_gone(text, is_room, is_person) == whole


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("The mug never left the table. The others did go.", "The mug is still at the table."),
        ("The mug stayed put.", "The mug is back where it was before."),
        ("Ivo hasn't budged from the den.", "Ivo is still in the den."),
        ("Ivo didn't leave the mug on the table.", "Ivo didn't leave the mug on the table."),
        ("The stone hasn't moved.", "The stone hasn't moved."),
    ],
)
def test_what_never_left_is_still_there(text: str, whole: str) -> None:
    assert where_it_stayed(text, lambda what: what * ("mug" in what), is_person, is_room) == whole


def test_of_two_things_called_the_same_the_one_that_was_told_of_stayed() -> None:
    def moved(words: str) -> str:
        return "the red mug" if words == "the mug" else ""

    text = "The lid is up, the mug never left the table."
    whole = "The lid is up, the red mug is still at the table."
    assert where_it_stayed(text, moved, is_person, is_room) == whole


def test_notes_without_articles_have_steps() -> None:
    steps = steps_in("opened chest, put stone in, closed chest", is_person, names_any)
    assert steps[-1] == "Closed chest."


def test_what_something_is_next_to_is_not_moved(memory: Memory) -> None:
    mug, stone = "ivo_red_mug", Fact("stone", "resting_on", "counter")
    memory.tell("The stone is on the counter.")
    assert stone in memory.store.facts
    for beside in ("next to", "alongside", "beside"):
        grounds = Grounds(
            f"Ivo's red mug is on the kitchen table {beside} the stone.", memory, None
        )
        both = (
            Fact(mug, "resting_on", "kitchen_table"),
            Fact("stone", "resting_on", "kitchen_table"),
        )
        assert grounds.under(Reading("ok", both[:1])).status == "ok"
        assert grounds.under(Reading("ok", both)).status == "ask"


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Una left her mug in the chest, Ivo's is on the den table.", ("ivo_red_mug", "den_table")),
        (
            "Una put her mug on the counter and Ivo's on the den table.",
            ("ivo_red_mug", "den_table"),
        ),
    ],
)
def test_people_have_what_can_be_carried(memory: Memory, text: str, fact: tuple[str, str]) -> None:
    told = memory.tell(text)
    thing, place = fact
    assert told.status == "ask" or Fact(thing, "resting_on", place) in memory.store.facts


def test_one_of_several_that_never_left_takes_nothing_else_back(memory: Memory) -> None:
    for thing in ("Ivo's red mug", "The stone"):
        assert memory.tell(f"{thing} is on the kitchen table.").status in ("ok", "none")
    moved = memory.tell("Una put Ivo's red mug and the stone on the counter.")
    assert moved.status == "ok"
    memory.tell("Correction: the stone never left the kitchen table.")
    facts = memory.store.facts
    assert Fact("ivo_red_mug", "resting_on", "counter") in facts
    assert Fact("stone", "resting_on", "kitchen_table") in facts


def test_a_report_is_not_taken_back_for_what_is_not_understood(memory: Memory) -> None:
    assert memory.tell("Una put the stone on the counter.").status == "ok"
    assert memory.both.asked("Ivo took the stone.", None, 0) == ""
    assert memory.both.asked("Ivo flumped the stone.", None, 0)
    told = memory.tell("Scratch that, Ivo warmed and chilled the stone with the den lamp.")
    assert told.status == "ask"
    assert Fact("stone", "resting_on", "counter") in memory.store.facts


def test_who_did_something_before_leaving_is_not_there(memory: Memory) -> None:
    memory.tell("Una is in the den.")
    memory.tell("The kitchen lamp is on.")
    told = memory.tell("Una did turn the kitchen lamp off before she left.")
    assert Fact("una", "person_at", "kitchen") not in memory.store.facts
    assert told.status == "ask" or Fact("kitchen_lamp", "lit", "false") in memory.store.facts


def test_what_somebody_still_has_stays_in_hand(memory: Memory) -> None:
    memory.tell("The robot is in the kitchen and has the stone.")
    held = Fact("stone", "gripped_by", "robo")
    assert held in memory.store.facts
    told = memory.tell("The robot has rolled into the den, stone still in its gripper.")
    assert held in memory.store.facts
    assert told.status == "ask" or Fact("robo", "robot_at", "den") in memory.store.facts
