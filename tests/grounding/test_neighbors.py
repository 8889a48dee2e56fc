"""Areas next to one another, as the edges of a map join them, and what is as good a room as another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.grounding import Grounder
from commonground.grounding.linking import Linker
from commonground.grounding.meaning import Relation, Thing
from commonground.grounding.nodes import nodes_of
from commonground.grounding.resolver.references import Resolver
from commonground.grounding.settings import GroundingSettings
from commonground.robots import Robot, Team
from commonground.scene import Edges, Layer, SceneGraph
from commonground.scene.layer import OBJECTS, REGIONS
from commonground.symbols import node_ids

PLAZA = (("R4", "R3"), ("R4", "R6"))


def spot(x: float = 0.0, y: float = 0.0) -> Team:
    robot = Robot("spot", from_xyz_yaw([x, y, 0, 0]), frozenset({"goto", "inspect"}))
    return Team({"spot": robot})


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    graph = sample_scene()
    regions = graph.regions
    joined = Edges.of([[regions.row(symbol) for symbol in pair] for pair in PLAZA])
    graph = graph.with_layer("regions", replace(regions, edges=joined))
    return Grounder(graph, spot(6, 30))


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Visit the plaza and its neighbors.", "and R4 R3 R6"),
        ("Visit R4 or one of its neighbors.", "or R4 R3 R6"),
        ("Go to R4 as well as each neighboring area.", "and R4 R3 R6"),
    ],
)
def test_neighbors_are_those_that_edges_join(text: str, goal: str, grounder: Grounder) -> None:
    link, *areas = goal.split()
    said = " ".join(f"(visited-region {area})" for area in areas)
    assert grounder.ground(text).goals == {"spot": f"({link} {said})"}


@pytest.mark.parametrize(
    "text", ["Visit R0 and its neighbors.", "Inspect the flag and its neighbors."]
)
def test_where_the_map_does_not_tell_neighbors_it_is_asked(text: str, grounder: Grounder) -> None:
    answer = grounder.ground(text)
    assert answer.goals is None
    assert "does not tell what is next to" in answer.message


def test_a_room_next_to_another_one_is_told_by_that(grounder: Grounder) -> None:
    """Of a thing in ``the room`` and next to the plaza, it is the room that is next to it."""
    room, plaza = Thing(noun="room"), Relation("near", (Thing(noun="plaza"),))
    where = grounder_resolver(grounder)._of_areas([Relation("in", (room,)), plaza])
    assert where == [Relation("in", (replace(room, where=(plaza,)),))]
    flag = Relation("near", (Thing(noun="flag"),))
    assert len(grounder_resolver(grounder)._of_areas([Relation("in", (room,)), flag])) == 2


def grounder_resolver(grounder: Grounder) -> Resolver:
    return Resolver(grounder.world, GroundingSettings())


@pytest.mark.parametrize("said", [". Alternatively, inspect", "; as an alternative, inspect"])
def test_an_alternative_is_no_further_order(said: str, grounder: Grounder) -> None:
    goals = grounder.ground(f"Spot, inspect the flag{said} O7.").goals
    assert goals == {"spot": "(or (safe O38) (safe O7))"}


def test_a_kitchen_is_as_good_a_room_as_a_meeting_room() -> None:
    words = ("kitchen", "meeting_room", "parking_lot", "hallway")
    ids = node_ids("R", np.arange(len(words)))
    layer = Layer.of(REGIONS, ids, np.zeros((len(words), 3)), labels=list(range(len(words))))
    graph = SceneGraph().with_layer("regions", layer, dict(enumerate(words)))
    nodes = nodes_of(graph, "regions", "region", Team({}))
    pool = Linker([nodes]).pool("rooms", nodes)
    assert pool is not None
    assert pool.symbols() == ["R0", "R1", "R3"]


@pytest.mark.parametrize("labels", [{}, {0: "crate"}])
def test_a_number_of_another_noun_is_no_thing_of_that_number(labels: dict[int, str]) -> None:
    """Hydra calls its nodes O(3): pump 3 is none of them."""
    at = np.c_[np.arange(4.0), np.zeros((4, 2))]
    things = Layer.of(
        OBJECTS, node_ids("O", range(4)), at, labels=[0] * 4, names=[f"O({k})" for k in range(4)]
    )
    grounder = Grounder(SceneGraph().with_layer("objects", things, labels), spot())
    for text in ("Spot, go to pump 3.", "Spot, inspect building 0."):
        assert grounder.ground(text).goals is None
    assert grounder.ground("Spot, inspect O(3).").goals == {"spot": "(safe O3)"}
