"""What reports show of objects: camera beside mesh, within bounds, and names that keep apart."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commonground.crops import Crop, Crops, save_crops
from commonground.errors import SceneError
from commonground.scene import Layer, LayerKey, Mesh, SceneGraph, load_scene
from commonground.scene.batches import boxes_apart, crates_of
from commonground.scene.draw import draw_scene
from commonground.scene.export import export_scene
from commonground.story.gallery import gallery, mapped_view
from commonground.symbols import node_ids

SCENE = Path(__file__).resolve().parents[2] / "commonground/data/courtyard.json"


@pytest.fixture(scope="module")
def graph() -> SceneGraph:
    """A map whose mesh is a dense, red block in each object's box."""
    graph = load_scene(SCENE)
    crates, rng = crates_of(graph), np.random.default_rng(0)
    inside = rng.uniform(-0.5, 0.5, (len(crates.centers), 400, 3)) * crates.sizes[:, None]
    vertices = (inside + crates.centers[:, None]).reshape(-1, 3)
    colors = np.tile(np.array([200, 30, 30], np.uint8), (len(vertices), 1))
    return replace(graph, mesh=Mesh(vertices, np.zeros((0, 3), np.int32), colors))


def jpeg() -> bytes:
    image = pytest.importorskip("PIL.Image")
    stream = io.BytesIO()
    image.new("RGB", (60, 40), (30, 30, 200)).save(stream, "JPEG")
    return stream.getvalue()


def test_what_a_camera_saw_stands_beside_what_was_mapped(graph: SceneGraph, tmp_path: Path) -> None:
    save_crops({"O7": [Crop(jpeg(), 1.0, 0, 0)]}, tmp_path)
    found = gallery(graph, Crops(tmp_path))
    card = found.cards.split("<div class='card'")[1]
    assert "id='card-O7'" in card, "what has a picture comes first"
    assert card.index("as a camera saw it") < card.index("as it was mapped")
    assert "tree O7" in card and " m at " in card
    assert found.others == []


def test_a_page_has_room_for_so_many_cards(graph: SceneGraph, tmp_path: Path) -> None:
    found = gallery(graph, Crops(tmp_path), room=20_000)
    assert 0 < len(found.cards) < 20_100
    shown = found.cards.count("class='card'")
    assert shown + len(found.others) == len(graph.objects), "the others are in a table"


def test_the_mesh_is_seen_from_the_broad_side(graph: SceneGraph) -> None:
    assert graph.mesh is not None and graph.objects.boxes is not None
    row = graph.objects.symbols.index("O22")
    seen = mapped_view(graph.mesh, graph, row)
    assert seen is not None
    red = (seen == (200, 30, 30)).all(axis=2)
    assert red.mean() > 0.8, "no gaps between its points"
    nothing = replace(graph.mesh, vertices=graph.mesh.vertices + (500.0, 0.0, 0.0))
    assert mapped_view(nothing, graph, row) is None


def test_names_on_a_drawing_do_not_cover_each_other(graph: SceneGraph) -> None:
    pytest.importorskip("matplotlib")
    figure = draw_scene(graph)
    figure.draw_without_rendering()
    shown = [t for axes in figure.axes for t in axes.texts if t.get_visible()]
    assert len(shown) >= 15 and any("main street" in t.get_text() for t in shown)
    rooms = [t.get_window_extent() for t in shown]
    assert not any(a.overlaps(b) for k, a in enumerate(rooms) for b in rooms[:k])


def test_paths_bear_the_names_of_robots_and_colors_of_their_own(graph: SceneGraph) -> None:
    to_hex = pytest.importorskip("matplotlib.colors").to_hex
    path = Layer.of(
        LayerKey(2, ord("a")), node_ids("a", np.arange(3)), np.eye(3), kind="AgentNodeAttributes"
    )
    two = graph.with_layer("agents[a]", path).with_layer("agents[b]", path)
    team = replace(two, metadata={**graph.metadata, "robots": ["spot", "husky"]})
    (axes,) = draw_scene(team).axes
    colors = {line.get_label(): line.get_color() for line in axes.lines}
    assert colors["path of spot"] != colors["path of husky"]
    things = {c for drawn in axes.collections for c in map(to_hex, drawn.get_facecolor())}
    assert things.isdisjoint({colors["path of spot"], colors["path of husky"]})
    assert {"path of spot", "path of husky"} <= set(axes.get_legend_handles_labels()[1])


def test_sides_of_boxes_have_corners_of_their_own(graph: SceneGraph) -> None:
    crates = crates_of(graph)
    surface = boxes_apart(crates)
    assert len(surface.faces) == 12 * len(crates.centers)
    assert len(np.unique(surface.faces)) == surface.faces.size


def test_every_thing_of_the_courtyard_that_has_room_is_named_beside_itself_not_on_itself(
    graph: SceneGraph,
) -> None:
    pytest.importorskip("matplotlib")
    figure = draw_scene(graph)
    (axes,) = figure.axes
    figure.draw_without_rendering()
    shown = [t for t in axes.texts if t.get_visible()]
    named = [t.get_gid() for t in shown if t.get_gid()]
    assert len(named) == len(set(named)) >= len(graph.objects) - 2  # a shelter of 4 by 8 m is full
    assert {"O38"} <= set(named)  # the flag, where the middle of the plaza is
    assert "plaza\nR4" in {t.get_text() for t in shown}
    assert graph.objects.boxes is not None
    low, high = graph.objects.boxes.bounds()
    row = {symbol: k for k, symbol in enumerate(graph.objects.symbols)}
    for text in shown:
        if text.get_gid():
            k = row[text.get_gid()]
            x0, y0 = axes.transData.transform(low[k, :2])
            x1, y1 = axes.transData.transform(high[k, :2])
            a0, b0, a1, b1 = text.get_window_extent().extents
            assert min(x1, a1) <= max(x0, a0) or min(y1, b1) <= max(y0, b0)


def test_a_picture_is_not_written_under_the_name_of_another_kind(
    graph: SceneGraph, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    for name in ("map.jpg", "map.svg", "map.glb"):
        with pytest.raises(SceneError, match="end it in .png"):
            export_scene(graph, tmp_path / name, "png")
        assert not (tmp_path / name).exists()
    assert export_scene(graph, tmp_path / "map.json", "geojson").exists()
    assert export_scene(graph, tmp_path / "map.2", "png").exists()
