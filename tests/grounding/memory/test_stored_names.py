"""Names kept in the file of a memory, and names with numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonground.grounding.knowledge import Fact, Source, Thing
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.ontology.names import Names
from commonground.grounding.memory.ontology.stored_names import names_of
from commonground.grounding.memory.opening import create_memory, open_memory

OWNER = Source("person", "ivo", "it is hers")


def made_anew(memory: Memory) -> Names:
    return Names(memory.store.things.values(), memory.store.facts, memory.meanings)


def same(one: Names, other: Names) -> bool:
    tables = ("names", "nouns", "people", "values", "attributes", "plurals", "levels", "longest")
    return all(getattr(one, table) == getattr(other, table) for table in tables)


def test_kept_names_are_those_made_anew(memory: Memory) -> None:
    assert same(names_of(memory.store, memory.meanings), made_anew(memory))


def test_only_what_changed_is_named_again(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = memory.names.names["ivo_red_mug"]
    named: list[str] = []
    name = Names._name
    monkeypatch.setattr(Names, "_name", lambda self, t: named.append(t.id) or name(self, t))
    with memory.store.change(OWNER) as change:
        change.add(Fact("ivo_red_mug", "owned_by", "una"))
        change.thing(Thing("plate", "item", "plate"))
    again = names_of(memory.store, memory.meanings)
    assert sorted(named) == ["ivo_red_mug", "plate"]
    assert kept.owner == "ivo" and "plate" in again.called(("plate",))
    assert same(again, made_anew(memory))
    memory.store.undo(2)
    assert same(names_of(memory.store, memory.meanings), made_anew(memory))


def test_a_new_person_names_everything_again(memory: Memory) -> None:
    with memory.store.change(OWNER) as change:
        change.thing(Thing("zoe", "person", "Zoe"))
        change.thing(Thing("zoe_cup", "cup", "Zoe's cup"))
    again = names_of(memory.store, memory.meanings)
    assert again.names["zoe_cup"].owner == "zoe"
    assert same(again, made_anew(memory))


def test_damaged_names_are_made_again(house: Path) -> None:
    path = house / "m.db"
    create_memory(path, house / "house.pddl", house / "house.jsonl").close()
    with open_memory(path) as memory:
        for text in ("{", "[1]", "[1, 2, 3, [[4]]]", "null"):
            memory.store.keep_note("names", text)
            assert same(names_of(memory.store, memory.meanings), made_anew(memory))


def test_a_number_says_which_one_is_meant(memory: Memory) -> None:
    with memory.store.change(OWNER) as change:
        for k in (6, 7, 17):
            change.thing(Thing(f"crate_{k}", "surface", f"crate {k}"))
            change.add(Fact(f"crate_{k}", "in_room", "den"))
    assert [*memory.names.called(("crate", "7"))] == ["crate_7"]
    assert memory.names.called(("crate", "8")) == {}
    told = memory.tell("Una put the stone on the crate 7.")
    assert Fact("stone", "resting_on", "crate_7") in told.added
    told = memory.tell("Ivo put the stone on crate 6.")
    assert Fact("stone", "resting_on", "crate_6") in told.added
    assert memory.tell("Una put the stone on the crate.").status == "ask"
