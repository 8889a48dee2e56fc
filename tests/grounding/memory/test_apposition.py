"""What is said of a thing after its noun is put before it, and who leaves himself out is put in."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.rewriting.apposition import in_usual_order
from commonground.grounding.memory.rewriting.normalizing import (
    told_where,
    without_address,
)
from commonground.planning.pddl import to_pddl

CALLED = frozenset(["una", "ivo", "bedroom", "mug", "shelf"])
SAID = {
    "Ivo dropped that jug of Una's.": "Ivo dropped Una's jug.",
    "The soup, the spicy one, is cold.": "The spicy soup is cold.",
    "Una rinsed the cup of Ivo's, the white one, and left.": "Una rinsed Ivo's white cup, and left.",
    "The green one of the vases broke.": "the green vase broke.",
    "That jug of hers broke.": "her jug broke.",
    "Ivo took the jug and the old vase; the former is wet, the latter broke.": (
        "Ivo took the jug and the old vase; the jug is wet, the old vase broke."
    ),
    "The soup that used to sit on the stove is cold.": "The soup that was on the stove is cold.",
    "It is on the bookcase in Una's den, 2nd shelf from the floor.": (
        "It is on the 2nd shelf of the bookcase in Una's den."
    ),
    "The blue one of the rugs, the one in the hall, is wet.": "the blue rug in the hall is wet.",
    "Ivo shut the door leading to the attic.": "Ivo shut the door of the attic.",
    "The den is where Una is now.": "Una is in The den now.",
    "Thanks to Ivo, the jug is clean.": "the jug is clean Thanks to Ivo.",
    "The jug is clean, courtesy of Ivo.": "The jug is clean courtesy of Ivo.",
    "Ivo put it into its former place again.": "Ivo put it back where it was before.",
    "Off went Una with the jug.": "Una went Off with the jug.",
    "It hangs on the hook over in the hall.": "It hangs on the hook in the hall.",
    "Ivo took it away and put the cup in the same spot.": "Ivo took it away and put the cup there.",
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


WHERE = {
    "If you need the jug, check the bench.": "the jug is at the bench.",
    "Should anyone want Ivo's hat, ask Una, not Ivo.": "Una has Ivo's hat.",
    "Look for the cup on the shelf in the den.": "the cup is on the shelf in the den.",
    "The jug is no longer there; look in the chest.": "The jug is no longer there; it is in the chest.",
    "You can't meet Una here; try the den.": "You can't meet Una here; Una is in the den.",
    "Check the sink.": "Check the sink.",
    "If you need help, Una is in the den.": "If you need help, Una is in the den.",
}


@pytest.mark.parametrize("text", WHERE)
def test_where_to_look_is_where_a_thing_is(text: str) -> None:
    assert told_where(text, lambda word: word in ("Una", "Ivo")) == WHERE[text]


def test_whom_a_report_calls_is_no_part_of_it() -> None:
    assert without_address("Hey robot, it is here.", lambda word: word == "robot") == "it is here."
    assert without_address("Please note that it is here.", lambda _: False) == "it is here."
    assert without_address("Una, it is here.", lambda word: word == "robot") == "Una, it is here."


@pytest.mark.parametrize(
    ("asked", "goal"),
    [
        ("Can the robot put the stone on the counter?", "(resting_on stone counter)"),
        ("Una is ill. Robo, could you open the chest?", "(lid_open chest)"),
        ("Would the robot be a dear and open the door?", "(door_open den_door)"),
        ("I'd like the robot to be so kind as to open the chest.", "(lid_open chest)"),
        ("robo can u put the stone on the counter", "(resting_on stone counter)"),
        ("Work order for robo: the stone to be on the counter.", "(resting_on stone counter)"),
    ],
)
def test_what_the_robot_is_asked_for_is_an_order(
    quiet_memory: Memory, asked: str, goal: str
) -> None:
    wanted = quiet_memory.wanted(asked, "una")
    assert wanted.goal is not None and to_pddl(wanted.goal) == goal


@pytest.mark.parametrize(
    "said",
    [
        "Ivo put Unas phone on the counter.",
        "aaand ivo put una's phone on the counter",
    ],
)
def test_what_is_said_in_haste_is_understood(memory: Memory, said: str) -> None:
    assert memory.tell(said).status == "ok"
    assert Fact("una_phone", "resting_on", "counter") in memory.store.facts


def test_what_was_carried_is_where_it_was_put_or_asked_about(memory: Memory) -> None:
    told = memory.tell("Una put the thing she was carrying, her phone, on the counter.")
    assert told.status == "ask" or Fact("una_phone", "resting_on", "counter") in memory.store.facts
