"""What a robot's map tells goes into the fused one, and lies right in any frame."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.datasets import Simulation, SimulationSettings
from commonground.geometry import from_xyz_yaw
from commonground.mapping import fuse_runs, map_recording
from commonground.mapping.fusion.deform import Deformation, deform_graph, deform_objects
from commonground.mapping.fusion.merge_graphs import merge_places
from commonground.objects import load_objects
from commonground.scene import Edges, Layer, SceneGraph, load_scene
from commonground.scene.layer import PLACES
from commonground.scene.moved import MOVING, STILL
from commonground.symbols import node_ids

T = from_xyz_yaw([10, -5, 1, 0.8])


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The folders of a robot's map and of the same one fused alone."""
    settings = {
        "world": {"size_m": 60, "objects": 120},
        "sensor": {"width": 96, "height": 72},
        "driving": {"length_m": 8, "frame_rate_hz": 2, "speed_mps": 2.0},
    }
    run = tmp_path_factory.mktemp("carried")
    husky = Simulation(("husky",), SimulationSettings.model_validate(settings))
    own = map_recording(husky, run).folder
    return [own, fuse_runs([run], run).folder]


def test_each_column_is_known_to_move_or_to_stay(maps: list[Path]) -> None:
    for folder in maps:
        graph, objects = load_scene(folder / "scene.json"), load_objects(folder / "objects.npz")
        columns = {name for layer in graph.layers.values() for name in layer.columns}
        assert columns | set(objects.columns) <= set(MOVING) | STILL


def borders(graph: SceneGraph) -> dict[tuple[int, ...], tuple[float, float]]:
    """Return length and highest step of what lies between places, by their rows."""
    edges = graph.surface_places.edges
    told = [e["metadata"] for e in edges.extras]
    rows = np.sort(edges.rows, axis=1).tolist()
    return {tuple(r): (t["border_m"], t["step_m"]) for r, t in zip(rows, told, strict=True)}


def test_a_fused_map_tells_of_the_ground_what_robots_do(maps: list[Path]) -> None:
    own, fused = (load_scene(folder / "scene.json") for folder in maps)
    assert len(own.surface_places) == len(fused.surface_places) > 10
    assert set(own.surface_places.columns) < set(fused.surface_places.columns)
    assert borders(fused) == borders(own)
    np.testing.assert_allclose(
        sorted(fused.surface_places.edges.weights),
        sorted(own.surface_places.edges.weights),
        atol=0.05,
    )


def test_a_map_that_is_bent_all_alike_is_the_map_moved(maps: list[Path]) -> None:
    graph, objects = load_scene(maps[0] / "scene.json"), load_objects(maps[0] / "objects.npz")
    path = next(iter(graph.agents.values()))
    poses = np.tile(np.eye(4), (len(path), 1, 1))
    poses[:, :3, 3] = path.positions
    bent = Deformation(poses, T @ poses, path.columns["stamp_ns"])
    one, two = deform_graph(graph, bent), graph.transformed(T)
    for name, layer in two.layers.items():
        _same_columns(one.layers[name], layer)
        np.testing.assert_allclose(_middles(one.layers[name]), _middles(layer), atol=2e-3)
    _same_columns(deform_objects(objects, bent), objects.transformed(T))


def _middles(layer: Layer) -> list[list[float]]:
    return [e["metadata"].get("middle", [0.0, 0.0, 0.0]) for e in layer.edges.extras]


def _same_columns(one: Any, two: Any) -> None:
    for name, column in two.columns.items():
        if name == "quat_wxyz":
            assert np.abs(np.sum(one.columns[name] * column, axis=1)).min() > 1 - 1e-9
        else:
            np.testing.assert_allclose(one.columns[name], column, atol=1e-4, err_msg=name)


def test_widths_between_balls_of_free_space_are_kept() -> None:
    def graph(x: float, widths: list[float]) -> SceneGraph:
        at = [[x + k, 0.0, 1.0] for k in range(3)]
        places = Layer.of(
            PLACES, node_ids("p", np.arange(3)), at,
            edges=Edges.of([[0, 1], [1, 2]], widths), columns={"clearance_m": np.ones(3)},
        )  # fmt: skip
        return SceneGraph().with_layer("places", places)

    merged, into = merge_places([graph(0.0, [0.7, 0.8]), graph(2.0, [0.9, 1.1])])
    assert merged is not None and into[1][0] == into[0][2]
    by_ends = {
        tuple(r): w for r, w in zip(merged.edges.rows.tolist(), merged.edges.weights, strict=True)
    }
    assert sorted(by_ends.values()) == [0.7, 0.8, 0.9, 1.1]


def test_one_run_may_be_given_by_itself(maps: list[Path], tmp_path: Path) -> None:
    run = maps[0].parents[1]
    assert fuse_runs(str(run), tmp_path).folder == fuse_runs([run], tmp_path).folder
