"""Places told by the situation, what goes on with what was just taken, and verbs nobody has heard of."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge import Fact
from commonground.grounding.memory.elided import with_subject, without_address
from commonground.grounding.memory.house import House
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.situated import Situated
from commonground.grounding.memory.strange import strange_verbs

PEOPLE = {"Una", "Ivo"}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("I shut the door between the kitchen and the den.", "I shut the door of the den."),
        ("The door between the den and the kitchen stuck.", "The door of the den stuck."),
        ("I shut the door between the den and the den.", None),
        ("I put it on the table in here.", "I put it on the table in the den."),
        ("I put it on the counter in here.", None),
        ("I opened the chest, put the stone in.", "I opened the chest, put the stone in the chest."),
        ("I opened the chest, put the stone in and shut it.",
         "I opened the chest, put the stone in the chest and shut it."),
        ("I opened the chest and looked inside.", None),
        ("I took the phone, Ivo brought the stone in.", None),
    ],
)  # fmt: skip
def test_places_told_by_the_situation_are_named(
    quiet_memory: Memory, text: str, named: str | None
) -> None:
    house = House(quiet_memory.names, quiet_memory.store.facts)
    situated = Situated(house, quiet_memory.retriever.calling, "una")
    expected = named or text
    assert situated.named(text) == expected


@pytest.mark.parametrize(
    ("text", "spot", "named"),
    [
        ("Moved it one level up.", "rack_1", "Moved it on second level of the rack."),
        ("Phone ditto, but one row lower.", "rack_2", "Phone on first level of the rack."),
        ("Moved it two levels up.", "rack_1", None),
        ("Moved it one level up.", "den_table", None),
        ("It is one minute up.", "rack_1", None),
    ],
)
def test_a_level_told_from_the_one_before_is_named(
    quiet_memory: Memory, text: str, spot: str, named: str | None
) -> None:
    house = House(quiet_memory.names, quiet_memory.store.facts)
    situated = Situated(house, quiet_memory.retriever.calling, "una")
    assert situated.leveled(text, spot) == (named or text)


def test_furniture_is_looked_for_where_what_was_spoken_of_is(memory: Memory) -> None:
    assert memory.tell("Una put the stone in the chest.").status == "ok"
    assert memory.tell("And the lamp is on.").status == "ok"
    assert Fact("den_lamp", "lit", "true") in memory.store.facts


def test_who_has_just_taken_something_tells_what_he_put_where() -> None:
    assert with_subject("Put it on the bed.") == "Put it on the bed."
    assert with_subject("Put it on the bed.", in_hand=True) == "I put it on the bed."
    assert with_subject("Take it to the bed.", in_hand=True) == "Take it to the bed."


def test_whom_a_report_calls_at_its_end_is_left_out() -> None:
    assert without_address("Moved you to the den, robo.", "robo".__eq__) == "Moved you to the den."
    assert without_address("I told Ivo, Una.", "robo".__eq__) == "I told Ivo, Una."


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("Una flumped the stone and Ivo zorked it.", ["flumped", "zorked"]),
        ("Una slapped the stone down on the table.", []),
        ("Ivo swabbed the table.", []),
        ("Ivo guped down the tea.", []),
        ("Ivo knocked the mug.", []),
        ("Una filled the mug and Ivo emptied it.", []),
    ],
)
def test_only_a_verb_that_nobody_has_heard_of_is_strange(text: str, verbs: list[str]) -> None:
    assert strange_verbs(text, PEOPLE.__contains__) == verbs


def test_a_verb_that_nobody_has_heard_of_is_asked_about(memory: Memory) -> None:
    told = memory.tell("Some minutes back, Una flumped the stone and Ivo zorked it.")
    assert told.status == "ask"
    assert Fact("stone", "shelved_at", "rack_1") in memory.store.facts
