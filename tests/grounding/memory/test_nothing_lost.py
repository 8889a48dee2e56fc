"""Every clause of a report is in what it was understood to say, or is asked about."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge import Fact
from commonground.grounding.memory.checks.support import Grounds
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.memory import Memory


def test_what_was_put_into_what_was_opened_is_there(memory: Memory) -> None:
    told = memory.tell("Una took the stone, opened the chest, put it in there and closed it.")
    assert told.status == "ask" or Fact("stone", "stowed_in", "chest") in memory.store.facts


def test_a_clause_that_no_reading_has_is_asked_about_or_believed(memory: Memory) -> None:
    lit = Fact("kitchen_lamp", "lit", "true")
    memory.tell("The kitchen lamp is off.")
    told = memory.tell("Una put the stone on the kitchen table, lamp's on.", "una")
    assert told.status == "ask" or lit in memory.store.facts


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


def test_what_an_owner_has_is_not_where_he_is(memory: Memory) -> None:
    told = memory.tell("Ivo's mug is on the counter, Una's on the kitchen table.")
    assert told.status == "ok", told.question
    assert Fact("una_red_mug", "resting_on", "kitchen_table") in memory.store.facts
    assert Fact("una", "person_at", "kitchen") not in memory.store.facts
