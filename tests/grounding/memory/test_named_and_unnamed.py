"""Who is meant where a robot has a name, where nobody is named, and where a thing goes by what it holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.grounding.memory.rewriting.normalizing import with_subject
from commonground.planning.pddl import to_pddl

from .conftest import DOMAIN, FACTS, NAMES, OBJECTS, PEOPLE


def is_person(word: str) -> bool:
    return word in ("Una", "Ivo")


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("Robo put the stone on the counter.", "stone resting_on counter"),
        ("Robo is holding the stone.", "stone gripped_by robo"),
        ("Robo is in the den.", "robo robot_at den"),
        ("I gave Robo my mug.", "una_red_mug gripped_by robo"),
    ],
)
def test_a_robot_is_spoken_of_by_its_name(memory: Memory, said: str, fact: str) -> None:
    told = memory.tell(said, "una")
    assert told.status == "ok", told.question
    assert Fact(*fact.split()) in memory.store.facts


def test_a_robot_is_called_in_any_sentence(quiet_memory: Memory) -> None:
    wanted = quiet_memory.wanted("The den is dark. Robo, switch on the lamp in the den.", "una")
    assert wanted.goal is not None, wanted.question
    assert to_pddl(wanted.goal) == "(lit den_lamp)"


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("Closed the chest.", "I closed the chest."),
        ("Closed chest.", "I closed chest."),
        ("All quiet. Took the stone to the den.", "All quiet. I took the stone to the den."),
        ("So have taken it back.", "So I have taken it back."),
        ("Una was here. Took the stone to the den.", "Una was here. Took the stone to the den."),
        ("Washed mugs are on the rack.", "Washed mugs are on the rack."),
        ("Put the stone in the den.", "Put the stone in the den."),
    ],
)
def test_who_says_nobody_did_it_himself(said: str, written: str) -> None:
    assert with_subject(said, is_person) == written


def test_him_is_never_who_speaks(memory: Memory) -> None:
    memory.tell("Ivo has the stone.", "ivo")
    memory.tell("Una gave the stone back to him.", "una")
    assert Fact("stone", "held_by", "una") not in memory.store.facts


@pytest.mark.parametrize("said", ["I put the Merlot in the chest.", "The merlot is in the chest."])
def test_a_bottle_goes_by_what_it_holds(tmp_path: Path, said: str) -> None:
    header = {
        "objects": {**OBJECTS, "merlot": "item"},
        "names": {**NAMES, "merlot": "bottle of Merlot"},
        "people": PEOPLE,
        "facts": [*FACTS, ["merlot", "resting_on", "counter"]],
    }
    (tmp_path / "house.pddl").write_text(DOMAIN)
    (tmp_path / "house.jsonl").write_text(json.dumps(header) + "\n")
    path = tmp_path / "memory.db"
    create_memory(path, tmp_path / "house.pddl", tmp_path / "house.jsonl").close()
    with open_memory(path) as memory:
        memory.tell(said, "una")
        assert Fact("merlot", "stowed_in", "chest") in memory.store.facts


@pytest.mark.parametrize(
    "said",
    [
        "Has anybody put the stone in the chest?",
        "Has Ivo taken the stone to the den?",
        "Ivo, get that stone off the rack and put it in the chest.",
        "Ivo to put the stone in the chest before lunch.",
        "I dreamt last night that the stone was in the chest.",
        "I put the stone either in the chest or on the counter, cant remember which",
        "Wouldn't it be nice if Ivo put the stone in the chest?",
    ],
)
def test_what_only_sounds_like_a_report_changes_nothing(memory: Memory, said: str) -> None:
    before = {*memory.store.facts}
    memory.tell(said, "una")
    assert {*memory.store.facts} == before


def test_all_that_is_excepted_stays(memory: Memory) -> None:
    memory.tell("Ivo put the stone on the counter.", "ivo")
    memory.tell(
        "Everything that was on the counter is in the chest now, apart from the stone, and Ivo's mug.",
        "una",
    )
    assert Fact("stone", "stowed_in", "chest") not in memory.store.facts
