"""Nouns that a map has no class for, linked to the nodes that they mean."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.grounding.linking import Linker
from commonground.grounding.nodes import Nodes, nodes_of
from commonground.robots import Team
from commonground.scene import Layer, SceneGraph
from commonground.scene.layer import OBJECTS, REGIONS
from commonground.symbols import node_ids

THINGS = ("box", "stroller", "boat", "bench")
AREAS = ("service_yard", "garden", "lawn")


@pytest.fixture(scope="module")
def layers() -> dict[str, Nodes]:
    graph = SceneGraph()
    for name, key, letter, words in (
        ("objects", OBJECTS, "O", THINGS), ("regions", REGIONS, "R", AREAS),
    ):  # fmt: skip
        ids = node_ids(letter, np.arange(len(words)))
        layer = Layer.of(key, ids, np.zeros((len(words), 3)), labels=list(range(len(words))))
        graph = graph.with_layer(name, layer, dict(enumerate(words)))
    team = Team({})
    return {
        "object": nodes_of(graph, "objects", "object", team),
        "region": nodes_of(graph, "regions", "region", team),
    }


def linked(noun: str, kind: str, layers: dict[str, Nodes]) -> set[str]:
    pool = Linker(layers.values()).pool(noun, layers[kind])
    return set() if pool is None else set(pool.symbols())


@pytest.mark.parametrize(
    ("noun", "kind", "symbols"),
    [
        ("yard", "region", {"R0"}), ("garden", "region", {"R1"}), ("meadow", "region", {"R2"}),
        ("safe", "object", set()), ("prams", "object", {"O1"}), ("perambulator", "object", {"O1"}),
        ("dinghy", "object", {"O2"}), ("ottoman empire", "object", set()), ("gizmo", "object", set()),
    ],
)  # fmt: skip
def test_a_noun_means_what_it_is_the_end_of_and_what_it_is_a_rarer_word_for(
    noun: str, kind: str, symbols: set[str], layers: dict[str, Nodes]
) -> None:
    assert linked(noun, kind, layers) == symbols


FOREIGN = ("Mülleimer", "Straßenlaterne", "Bär", "Café", "Skjærgård", "Buecherei", "alte Brücke")


@pytest.mark.parametrize(
    ("noun", "name"),
    [
        ("Muelleimer", "Mülleimer"), ("mulleimer", "Mülleimer"), ("MÜLLEIMER", "Mülleimer"),
        ("STRASSENLATERNE", "Straßenlaterne"), ("Strassenlaterne", "Straßenlaterne"),
        ("baer", "Bär"), ("bar", ""), ("cafe", "Café"), ("skjaergaard", "Skjærgård"),
        ("Bücherei", "Buecherei"), ("alte Bruecke", "alte Brücke"), ("Bruecke", "alte Brücke"),
        ("Bächer", ""), ("Lücke", ""),
    ],
)  # fmt: skip
def test_words_may_be_written_without_the_letters_of_their_language(noun: str, name: str) -> None:
    ids = node_ids("O", np.arange(len(FOREIGN)))
    layer = Layer.of(OBJECTS, ids, np.zeros((len(FOREIGN), 3)), labels=list(range(len(FOREIGN))))
    graph = SceneGraph().with_layer("objects", layer, dict(enumerate(FOREIGN)))
    nodes = nodes_of(graph, "objects", "object", Team({}))
    pool = Linker([nodes]).pool(noun, nodes)
    assert [FOREIGN[r] for r in ([] if pool is None else pool.rows)] == [name][: len(name)]
