"""Scene graphs that no robot of this project made are fused by their objects, and keep their rooms."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from commonground.arrays import Floats
from commonground.cli.main import run
from commonground.demo import sample_scene
from commonground.errors import MappingError
from commonground.geometry import apply, from_xyz_yaw
from commonground.mapping.fusion.bare_graphs import graph_run
from commonground.mapping.fusion.deform import Deformation, deform_graph
from commonground.mapping.fusion.inputs import find_runs
from commonground.mapping.fusion.merge_graphs import Claims, FusedGround
from commonground.mapping.fusion.run import fuse_runs
from commonground.scene import Boxes, Edges, Layer, SceneGraph, load_scene, save_scene
from commonground.scene.layer import OBJECTS, PLACES, REGIONS, SURFACE_PLACES
from commonground.symbols import node_ids

MOVED = from_xyz_yaw(np.array([[7.0, -3.0, 0.5, 1.1]]))[0]


def part(graph: SceneGraph, low: float, high: float, T: Floats, noise: float = 0.0) -> SceneGraph:
    """Return what lies between two eastings of a graph, in another frame, as somebody else maps it."""
    for name in ("objects", "surface_places"):
        x = graph.layers[name].positions[:, 0]
        graph = graph.take(name, (x >= low) & (x <= high))
    rng, count = np.random.default_rng(3), len(graph.objects)
    shift = rng.normal(0.0, noise, (count, 3))
    graph = replace(
        graph, layers={**graph.layers, "objects": graph.objects.moved(np.arange(count), shift)}
    )
    return deform_graph(graph, Deformation(np.eye(4)[None], T[None], np.zeros(1, np.int64)))


def test_two_graphs_of_one_place_are_laid_on_one_another_by_their_objects(tmp_path: Path) -> None:
    whole = sample_scene()
    save_scene(part(whole, -99, 42, np.eye(4)), tmp_path / "west.json")
    save_scene(part(whole, 18, 99, MOVED, noise=0.1), tmp_path / "east.json")
    files = [tmp_path / "west.json", tmp_path / "east.json"]
    fused = fuse_runs(files, tmp_path / "out").fused
    assert fused.metrics()["joined"] == ["east", "west"]
    assert len(fused.objects) == len(whole.objects)
    # in the frame of the first, "east": every thing of the whole lies where that frame has it
    gap = np.linalg.norm(
        fused.graph.objects.positions[:, None] - apply(MOVED, whole.objects.positions)[None], axis=2
    )
    assert np.median(gap.min(axis=1)) < 0.3 and gap.min(axis=1).max() < 1.0
    saved = load_scene(tmp_path / "out" / "fused" / "scene.json")
    assert {"north lawn", "main street"} <= set(saved.label_words("regions"))
    assert set(saved.label_words("objects")) == set(whole.label_words("objects"))


def test_graphs_of_different_places_stay_apart_and_it_is_said_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, rng = sample_scene(), np.random.default_rng(1)
    shifts = rng.permuted(whole.objects.positions, axis=0) - whole.objects.positions
    moved = whole.objects.moved(np.arange(len(shifts)), shifts)
    other = replace(whole, layers={"objects": moved}, links={})
    save_scene(whole, tmp_path / "one.json")
    save_scene(other, tmp_path / "two.json")
    files = [str(tmp_path / name) for name in ("one.json", "two.json")]
    assert run(["fuse", *files, "--out", str(tmp_path / "out"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["joined"]) == 1
    assert sum("frame of its own" in note for note in told["notes"]) == 1
    assert "needed" in told["refused"][0]["missing"]


def rooms(words: list[str]) -> SceneGraph:
    """A graph as Hydra writes it: objects in places of free space, and those in rooms with numbers."""
    rng, n = np.random.default_rng(5), 24
    at = np.c_[rng.uniform(0, 12, (n, 2)), rng.uniform(0, 2, n)]
    kinds = [words[k % len(words)] for k in range(n)]
    objects = Layer.of(
        OBJECTS,
        node_ids("O", np.arange(n)),
        at,
        names=kinds,
        boxes=Boxes.axis_aligned(at, 0 * at + 0.6),
    )
    spots = np.array([[x, y, 1.0] for x in (3.0, 9.0) for y in (3.0, 9.0)])
    places = Layer.of(
        PLACES,
        node_ids("p", np.arange(4)),
        spots,
        edges=Edges.of([(0, 1), (2, 3)]),
        columns={"clearance_m": np.full(4, 0.5)},
        kind="PlaceNodeAttributes",
    )
    regions = Layer.of(REGIONS, node_ids("R", np.arange(2)), spots[::2], names=["R(0)", "R(1)"])
    graph = SceneGraph(layers={"objects": objects, "places": places, "regions": regions})
    graph = graph.with_links("places", "regions", [(0, 0), (1, 0), (2, 1), (3, 1)])
    return graph.with_links("objects", "places", [(k, 2 * int(at[k, 0] > 6)) for k in range(n)])


def test_graphs_of_free_space_alone_are_fused_with_their_objects_and_places(tmp_path: Path) -> None:
    graph = rooms(["chair", "table", "plant", "lamp", "sofa"])
    save_scene(graph, tmp_path / "a.json")
    save_scene(graph, tmp_path / "b.json")
    fused = fuse_runs([tmp_path / "a.json", tmp_path / "b.json"], tmp_path / "out").fused
    assert fused.metrics()["joined"] == ["a", "b"]
    assert len(fused.objects) == 24 and len(fused.graph.places) == 4


def test_rooms_of_places_in_the_air_are_those_of_the_ground_below() -> None:
    at = np.array([[0.0, 0, 0], [3, 0, 0], [20, 0, 0]])
    graph = SceneGraph(
        {
            "surface_places": Layer.of(SURFACE_PLACES, node_ids("P", range(3)), at),
            "places": Layer.of(PLACES, node_ids("p", range(2)), at[:2] + [0, 0, 1]),
            "regions": Layer.of(REGIONS, node_ids("R", range(2)), at[:2], names=["den", "hall"]),
        }
    ).with_links("places", "regions", [(0, 1), (1, 0)])
    ground = cast(FusedGround, SimpleNamespace(into=[np.arange(3)]))
    claims = Claims.of(ground, [graph])
    assert [claims.names[r] for r in claims.first(3)[:2]] == ["hall", "den"]
    assert claims.first(3)[2] == -1


def test_a_graph_without_objects_is_told_what_it_lacks(tmp_path: Path) -> None:
    save_scene(replace(rooms(["chair"]), layers={}, links={}), tmp_path / "empty.json")
    with pytest.raises(MappingError, match=r"empty\.json: has no objects"):
        graph_run(tmp_path / "empty.json")
    with pytest.raises(MappingError, match="or name scene graphs"):
        find_runs([tmp_path])
