"""Names that people give to nodes of a map are remembered in the map and in a memory."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.cli.main import run
from commonground.errors import GroundingError
from commonground.grounding.lookup import find
from commonground.grounding.memory import Memory, call_thing, thing_named
from commonground.scene import Layer, SceneGraph, load_scene, save_scene
from commonground.scene.layer import OBJECTS, REGIONS
from commonground.symbols import node_ids


@pytest.fixture
def graph() -> SceneGraph:
    at: Any = np.arange(9.0).reshape(3, 3)
    objects = Layer.of(OBJECTS, node_ids("O", np.arange(3)), at, labels=[0, 1, 0])
    regions = Layer.of(REGIONS, node_ids("R", np.arange(2)), at[:2])
    graph = SceneGraph().with_layer("objects", objects, {0: "lamp", 1: "rock"})
    return graph.with_layer("regions", regions, {})


def test_a_named_area_is_a_room_of_the_memory(memory: Memory, graph: SceneGraph) -> None:
    key = call_thing(memory, graph, "R1", "charging bay")
    assert thing_named(memory, "charging bay") == key
    assert memory.names.is_room(key) and memory.names.things[key].traits["node"] == "R1"
    assert "R1 is the charging bay" in str(memory.store.changes(1)[0])
    assert call_thing(memory, graph, "R1", "dock") == key, "it is called otherwise from now on"
    assert memory.names.things[key].name == "dock"


def test_all_that_goes_by_names_is_made_again_for_a_new_name(memory: Memory) -> None:
    made = {key for key, value in vars(Memory).items() if isinstance(value, cached_property)}
    before = {key: getattr(memory, key) for key in made}
    memory.things_changed()
    kept = {key for key in made if getattr(memory, key) is before[key] is not None}
    assert kept == {"putting_right"}, "which looks everything up in the memory"


def test_a_named_thing_is_of_the_type_that_its_class_says(
    memory: Memory, graph: SceneGraph
) -> None:
    key = call_thing(memory, graph, "O0", "old glory")
    assert memory.names.things[key].kind == "lamp"
    with pytest.raises(GroundingError, match="nothing at O1 and no type for 'rock'"):
        call_thing(memory, graph, "O1", "big one")


def test_a_name_is_found_in_both(
    graph: SceneGraph, house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    map_, db = house / "map.json", house / "memory.db"
    save_scene(graph, map_)
    given = ["--domain", house / "house.pddl", "--facts", house / "house.jsonl", "--memory", db]
    assert run(["memory", "init", *map(str, given)]) == 0
    assert run(["find", str(map_), "--call", "R0=charging bay", "--memory", str(db)]) == 0
    assert find(load_scene(map_), "charging bay").hits[0].symbol == "R0"
    assert run(["memory", "tell", "Una is in the charging bay.", "--memory", str(db)]) == 0
    capsys.readouterr()
    assert run(["memory", "ask", "Where is Una?", "--memory", str(db)]) == 0
    assert "charging bay" in capsys.readouterr().out
