"""What sensors change: sightings, what was not seen, and scene graphs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commonground.errors import GroundingError
from commonground.grounding.knowledge import Fact
from commonground.grounding.memory.beliefs.sensing import Observation, Sighting, observe
from commonground.grounding.memory.beliefs.sightings import (
    changes_of,
    observation_of,
    read_observation,
    tied,
)
from commonground.grounding.memory.memory import Memory
from commonground.scene import Boxes, Edges, Layer, LayerKey, SceneGraph, save_scene
from commonground.scene.layer import NO_LABEL

MINUTE = 60_000_000_000


def now(memory: Memory, minutes: int = 1) -> int:
    first = memory.store.change_record(1)
    assert first is not None
    return first.recorded_ns + minutes * MINUTE


def seen(memory: Memory, fact: Fact, confidence: float = 1.0) -> Observation:
    return Observation((Sighting(fact, confidence),), now(memory), "camera")


@pytest.mark.parametrize(
    ("confidence", "believed", "claims"), [(0.95, True, 0), (0.6, False, 1), (0.2, False, 0)]
)
def test_how_sure_a_sighting_is_decides_what_becomes_of_it(
    memory: Memory, confidence: float, believed: bool, claims: int
) -> None:
    fact = Fact("stone", "resting_on", "counter")
    observe(memory.store, memory.names, seen(memory, fact, confidence))
    assert (fact in memory.store.facts) == believed
    assert len(memory.store.claims("stone")) == claims


def test_what_was_looked_at_and_not_seen_is_believed_less_and_then_not_at_all(
    memory: Memory,
) -> None:
    fact = Fact("una_phone", "resting_on", "den_table")
    look = Observation((), now(memory, 1), "camera", ("den_table",), recall=0.6)
    found = observe(memory.store, memory.names, look)
    assert found.missed == (fact,) and fact in memory.store.facts
    assert memory.store.confidence(fact, now(memory, 1)) == pytest.approx(0.928, abs=0.01)
    for minute in range(2, 5):
        observe(
            memory.store,
            memory.names,
            Observation((), now(memory, minute), "camera", ("den_table",)),
        )
    assert fact not in memory.store.facts
    again = Observation((Sighting(fact),), now(memory, 9), "camera", ("den_table",))
    assert observe(memory.store, memory.names, again).added == (fact,)


def test_a_newer_report_outweighs_an_older_look(memory: Memory) -> None:
    memory.tell("Ivo put the stone on the den table.", at_ns=now(memory, 30))
    look = Observation((), now(memory, 10), "camera", ("den_table",), recall=1.0)
    observe(memory.store, memory.names, look)
    assert Fact("stone", "resting_on", "den_table") in memory.store.facts


def test_impossible_sightings_are_refused_and_the_others_kept(memory: Memory) -> None:
    sightings = [
        Sighting(Fact("stone", "resting_on", "counter")),
        Sighting(Fact("dragon", "resting_on", "counter")),
        Sighting(Fact("stone", "stowed_in", "counter")),
        Sighting(Fact("stone", "adores", "counter")),
    ]
    found = observe(memory.store, memory.names, Observation(tuple(sightings), now(memory)))
    assert found.added == (Fact("stone", "resting_on", "counter"),)
    assert len(found.refused) == 3
    assert "dragon" not in memory.store.things


LINE = {"subject": "stone", "relation": "resting_on", "object": "counter", "confidence": 0.9}


def test_a_file_of_sightings(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "seen.json"
    twice = [LINE, {**LINE, "confidence": 0.1}]
    file.write_text(json.dumps({"triples": twice, "seen": ["counter"], "recall": 0.9}))
    found = observe(memory.store, memory.names, read_observation(file, memory, "eye", now(memory)))
    assert found.added == (Fact("stone", "resting_on", "counter"),)
    assert found.missed == (Fact("ivo_red_mug", "resting_on", "counter"),)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not valid JSON"),
        (json.dumps({"triples": [LINE] * 20_001}), "more than the 20000"),
        ('{"triples": [{"subject": "stone"}]}', "relation"),
        ('{"triples": [], "more": 1}', "more"),
        ('{"seen": ["attic"]}', "unknown place 'attic'"),
        (
            '{"triples": [{"subject": "a", "relation": "b", "object": "c", "confidence": 7}]}',
            "confidence",
        ),
        ('{"at": "noonish"}', "time 'noonish'"),
    ],
)
def test_a_wrong_file_is_named_with_what_is_wrong(
    memory: Memory, tmp_path: Path, text: str, says: str
) -> None:
    file = tmp_path / "seen.json"
    file.write_text(text)
    with pytest.raises(GroundingError, match=says):
        read_observation(file, memory, "eye", None)


def scene() -> SceneGraph:
    """Return a map of the den: a table with a stone on it, a chest with a phone in it."""
    names = ("table in the den", "chest", "stone", "Una's phone")
    centers = np.array([[0, 0, 0.4], [3, 0, 0.3], [0.2, 0.1, 0.87], [3, 0, 0.3]], float)
    sizes = np.array([[1.2, 0.8, 0.8], [1, 1, 0.6], [0.1, 0.1, 0.1], [0.1, 0.1, 0.05]], float)
    ids = np.array([(ord("O") << 56) + n for n in range(4)], np.uint64)
    labels = np.full(4, NO_LABEL, np.int32)
    boxes = Boxes.axis_aligned(centers, sizes)
    layer = Layer(LayerKey(2), ids, centers, labels, names, Edges.of(), boxes)
    return SceneGraph({"objects": layer})


def test_a_scene_graph_says_what_is_on_and_in_what(memory: Memory, tmp_path: Path) -> None:
    save_scene(scene(), tmp_path / "scene.json")
    look = read_observation(tmp_path / "scene.json", memory, "mapping", now(memory))
    found = observe(memory.store, memory.names, look)
    assert set(found.added) == {
        Fact("stone", "resting_on", "den_table"), Fact("una_phone", "stowed_in", "chest"),
    }  # fmt: skip
    assert look.sensor == "mapping"
    assert set(look.seen) == {"den_table", "chest"}
    assert found.missed == (Fact("una_red_mug", "stowed_in", "chest"),)


def test_what_a_mission_found_is_believed_by_who_saw_it_and_when(memory: Memory) -> None:
    layer = scene().objects
    told: list[dict[str, object]] = [{} for _ in layer.names]
    stone, phone = (tied(layer, memory.names)[key] for key in ("stone", "una_phone"))
    told[stone] = {"metadata": {"seen_by": "spot", "seen_at_s": 60.0, "gone": False}}
    told[phone] = {"metadata": {"seen_by": "husky", "seen_at_s": 90.0, "gone": True}}
    graph = scene().with_layer("objects", replace(layer, extras=tuple(told)))
    looks = list(changes_of(graph, memory.names, now(memory)))
    assert {(look.sensor, look.at_ns) for look in looks} == {
        ("spot", now(memory, 2)), ("husky", now(memory) + 90_000_000_000),
    }  # fmt: skip
    lay = Fact("una_phone", "resting_on", "den_table")
    before = memory.store.confidence(lay, now(memory, 3))
    found = [observe(memory.store, memory.names, look) for look in looks]
    assert [f.added for f in found if f.added] == [(Fact("stone", "resting_on", "den_table"),)]
    assert [f.missed for f in found if f.missed] == [(lay,)]
    assert memory.store.confidence(lay, now(memory, 3)) < before


def test_things_are_tied_to_nodes_by_name(memory: Memory) -> None:
    look = observation_of(scene(), memory.names, "mapping", now(memory))
    assert {s.fact.subject for s in look.sightings} == {"stone", "una_phone"}


def test_a_look_that_is_told_twice_counts_once(memory: Memory) -> None:
    fact = Fact("una_phone", "resting_on", "den_table")
    look = Observation((), now(memory), "camera", ("den_table",), recall=0.6)
    observe(memory.store, memory.names, look)
    sure, tx = memory.store.confidence(fact, now(memory)), memory.store.tx
    again = observe(memory.store, memory.names, look)
    assert again.again and memory.store.tx == tx
    assert memory.store.confidence(fact, now(memory)) == sure
    assert not observe(memory.store, memory.names, replace(look, sensor="other")).again
