"""Maps that no rigid motion lays on one another are not joined, however alike their things look."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commonground.arrays import Floats
from commonground.cli.main import run
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.run import Fusion, fuse_runs
from commonground.scene import Boxes, Layer, SceneGraph, save_scene
from commonground.scene.layer import OBJECTS
from commonground.symbols import node_ids

WORDS = ("bench", "tree", "sign", "lamp", "barrel", "rock", "pole", "flag")
FREE = LocalizationSettings.model_validate({"matching": {"places": {"gravity": False}}})


def yard(file: Path, way: Floats, seed: int, height_m: float = 1.3, first: int = 0) -> Path:
    """Write 40 things of 60 of one yard, moved by ``way`` (4, 4), which may be no rigid motion."""
    rng = np.random.default_rng(11)
    at = np.c_[rng.uniform(0, 70, (60, 2)), rng.uniform(0.2, 0.2 + height_m, 60)]
    kinds, sizes = rng.integers(0, len(WORDS), 60), rng.uniform(0.3, 1.5, (60, 3))
    own = slice(first, first + 40)
    at, kinds, sizes = at[own], kinds[own], sizes[own]
    at = at + np.random.default_rng(seed).normal(0, 0.05, at.shape)
    at = at @ way[:3, :3].T + way[:3, 3]
    boxes = Boxes(at, sizes, np.tile([1.0, 0, 0, 0], (40, 1)))
    names = [WORDS[k] for k in kinds]
    layer = Layer.of(OBJECTS, node_ids("O", np.arange(40)), at, names=names, boxes=boxes)
    graph = SceneGraph(layers={"objects": layer})
    save_scene(graph, file)
    return file


def turned(degrees: float, axis: int = 2) -> Floats:
    """Return a rotation (4, 4) about an axis, and a shift."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    out, (a, b) = np.eye(4), [k for k in range(3) if k != axis]
    out[a, a], out[a, b], out[b, a], out[b, b] = c, -s, s, c
    out[:3, 3] = [130.0, -40.0, 3.0]
    return out


def fused(
    folder: Path, way: Floats, settings: LocalizationSettings, height_m: float = 1.3
) -> Fusion:
    files = [
        yard(folder / "one.json", np.eye(4), 1, height_m),
        yard(folder / "two.json", way, 2, height_m, first=20),
    ]
    return fuse_runs(files, folder / "out", settings=settings)


MIRROR = np.diag([-1.0, 1.0, 1.0, 1.0])


@pytest.mark.parametrize("height_m", [1.3, 0.0], ids=["standing", "flat"])
@pytest.mark.parametrize("gravity", [True, False])
def test_a_mirror_image_is_not_joined(tmp_path: Path, gravity: bool, height_m: float) -> None:
    settings = LocalizationSettings() if gravity else FREE
    found = fused(tmp_path, MIRROR @ turned(30.0), settings, height_m)
    assert found.fused.left_out == ["two"]
    assert any("one and two are not joined" in note for note in found.notes)
    if not gravity:
        assert any("mirror image" in note for note in found.notes)


@pytest.mark.parametrize("degrees", [5.0, 10.0])
def test_a_map_that_leans_is_not_joined_and_it_is_said_why(tmp_path: Path, degrees: float) -> None:
    found = fused(tmp_path, turned(degrees, axis=0), LocalizationSettings())
    assert found.fused.left_out == ["two"]
    (line,) = [note for note in found.notes if "not joined" in note]
    assert "up has to be z in both" in line
    # joined is what the maps say, and only the other one is elsewhere
    assert next(note for note in found.notes if "frame of its own" in note).startswith("two:")


def test_where_up_is_unknown_a_map_that_leans_is_joined(tmp_path: Path) -> None:
    assert fused(tmp_path, turned(10.0, axis=0), FREE).fused.left_out == []


@pytest.mark.parametrize("height_m", [1.3, 0.0], ids=["standing", "flat"])
@pytest.mark.parametrize("gravity", [True, False])
def test_what_is_turned_is_joined(tmp_path: Path, gravity: bool, height_m: float) -> None:
    settings = LocalizationSettings() if gravity else FREE
    assert fused(tmp_path, turned(120.0), settings, height_m).fused.left_out == []


def test_more_evidence_that_is_asked_for_is_told(tmp_path: Path) -> None:
    asked = LocalizationSettings.model_validate({"registration": {"least_evidence": 2000}})
    found = fused(tmp_path, turned(120.0), asked)
    (line,) = [note for note in found.notes if "not joined" in note]
    assert "(2000 needed)" in line and "alike" not in line
    with pytest.raises(ValueError, match="widest_m 10 is less than radius_m 50"):
        LocalizationSettings.model_validate(
            {"matching": {"places": {"radius_m": 50, "widest_m": 10}}}
        )


def test_a_map_given_twice_and_one_that_is_fused_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = fused(tmp_path, turned(120.0), LocalizationSettings())
    one = str(tmp_path / "one.json")
    assert not any("twice" in note for note in found.notes)
    again = fuse_runs([one, one, tmp_path / "two.json"], tmp_path / "again")
    assert any("one.json: given twice" in note for note in again.skipped)
    assert run(["fuse", str(tmp_path / "out"), one, "--out", str(tmp_path / "third")]) == 1
    told = capsys.readouterr().err
    assert "--onto" in told and "scene.json" in told


def test_boxes_of_no_size_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    from commonground.mapping.fusion.bare_graphs import graph_run
    from commonground.scene import load_scene

    graph = load_scene(yard(tmp_path / "one.json", np.eye(4), 1))
    boxes = graph.objects.boxes
    assert boxes is not None
    sizes = boxes.sizes.copy()
    sizes[3] = [-1.0, 0.0, 2.0]
    spoiled = replace(graph.objects, boxes=replace(boxes, sizes=sizes))
    save_scene(replace(graph, layers={"objects": spoiled}), tmp_path / "bad.json")
    run_ = graph_run(tmp_path / "bad.json")
    assert (run_.objects.boxes.sizes > 0).all()
    assert "boxes of 1 objects, as of O3" in caplog.text
