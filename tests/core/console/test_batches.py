"""What is drawn of a map: large arrays, slivers folded, clicks found, and every word as text."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from commonground.console import words
from commonground.console.board import Event
from commonground.console.details import changes_of, details_of, named_of
from commonground.console.drive import Progress
from commonground.console.opening import missions_in, opened
from commonground.console.pictures import pictures_of, side_by_side
from commonground.console.record import MissionRecord
from commonground.crops import Crop, save_crops
from commonground.errors import CommongroundError
from commonground.grounding.answers import Grounding
from commonground.planning.mission.events import Heard, Note, Planned
from commonground.planning.mission.journal import Journal
from commonground.planning.mission.task import Task
from commonground.planning.robots.protocol import Status
from commonground.scene import Edges, Layer, Mesh, SceneGraph, load_scene
from commonground.scene.batches import (
    FIRST_TRIANGLES,
    Surface,
    apart_labels,
    areas_of,
    bounds_of,
    coarser,
    crates_of,
    ground_of,
    picked,
    regions_of,
    trodden,
)
from commonground.scene.layer import REGIONS, SURFACE_PLACES
from commonground.symbols import node_ids

SCENE = Path(__file__).resolve().parents[3] / "commonground/data/courtyard.json"
EVIL = '<img src=x onerror="alert(1)">'


@pytest.fixture(scope="module")
def graph() -> SceneGraph:
    return load_scene(SCENE)


def grid(n: int) -> Surface:
    """A square of 2 (n − 1)² triangles."""
    x, y = np.meshgrid(np.linspace(0, 100, n), np.linspace(0, 100, n))
    vertices = np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1)
    k = np.arange(n * n).reshape(n, n)
    a, b, c, d = k[:-1, :-1].ravel(), k[:-1, 1:].ravel(), k[1:, :-1].ravel(), k[1:, 1:].ravel()
    faces = np.concatenate([np.stack([a, b, d], 1), np.stack([a, d, c], 1)])
    return Surface(vertices, faces, np.full((len(vertices), 3), 90, np.uint8))


def area(surface: Surface) -> float:
    a, b, c = (surface.vertices[surface.faces[:, k]] for k in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def test_a_large_mesh_gets_coarser_and_keeps_its_extent() -> None:
    fine = grid(120)
    mesh = Mesh(fine.vertices, fine.faces.astype(np.int32))
    rough = ground_of(mesh, most=5000)
    assert 500 < len(rough.faces) <= 5000
    assert area(rough) > 0.9 * area(fine)
    assert rough.faces.max() < len(rough.vertices) == len(rough.colors)
    assert len(ground_of(mesh).faces) == len(fine.faces)
    assert len(coarser(fine, 1e-6).faces) == len(fine.faces)


def test_slivers_are_folded_into_their_neighbors(graph: SceneGraph) -> None:
    whole = regions_of(graph, share=0.0)
    folded = regions_of(graph, share=0.5)
    assert 1 <= len(folded) < len(regions_of(graph)) < len(graph.regions)
    assert "bus shelter" not in {r.words for r in regions_of(graph)}
    covered = np.concatenate([r.places for r in folded])
    assert len(covered) == len(np.unique(covered)) == sum(len(r.places) for r in whole)
    assert {"south lawn", "main street"} <= {r.words for r in whole}


def test_many_regions_of_one_size_keep_their_names() -> None:
    """None of a hundred equal blocks is a sliver, however small its share of the whole is."""
    n = 30
    k = np.arange(n * n).reshape(n, n)
    at = np.stack([*np.divmod(k.ravel(), n), 0 * k.ravel()], axis=1).astype(float)
    links = np.concatenate(
        [np.c_[k[:-1].ravel(), k[1:].ravel()], np.c_[k[:, :-1].ravel(), k[:, 1:].ravel()]]
    )
    member = at[:, 0].astype(int) // 3 * 10 + at[:, 1].astype(int) // 3
    blocks = SceneGraph(
        layers={
            "surface_places": Layer.of(
                SURFACE_PLACES, node_ids("P", k.ravel()), at, edges=Edges.of(links)
            ),
            "regions": Layer.of(REGIONS, node_ids("R", np.arange(100)), np.zeros((100, 3))),
        }
    ).with_links("surface_places", "regions", np.c_[k.ravel(), member])
    assert len(regions_of(blocks)) == 100


def test_all_places_become_one_surface(graph: SceneGraph) -> None:
    surface = areas_of(graph, regions_of(graph))
    assert surface is not None
    layer = graph.surface_places
    assert layer.boundaries is not None
    assert len(surface.faces) == len(layer.boundaries.points)
    outlines = [layer.boundaries[k][:, :2] for k in range(len(layer))]
    shoelace = sum(
        abs(float(np.sum(p[:, 0] * np.roll(p[:, 1], -1) - p[:, 1] * np.roll(p[:, 0], -1)))) / 2
        for p in outlines
    )
    assert area(surface) == pytest.approx(shoelace, rel=0.05)


def test_a_click_finds_what_is_under_it(graph: SceneGraph) -> None:
    crates = crates_of(graph)
    eye = bounds_of(graph)[0] + (0.0, -30.0, 80.0)
    found = [picked(crates, eye, c - eye) for c in crates.centers]
    # a thing behind another one may be hidden; from high above nearly all are seen
    assert np.mean(np.array(found) == np.arange(len(found))) > 0.9
    assert picked(crates, eye, np.array([0.0, 0.0, 1.0])) == -1
    place = graph.surface_places.positions[17]
    assert trodden(graph, place + (0, 0, 50), np.array([0.0, 0.0, -1.0])) == 17
    assert trodden(graph, place, np.array([0.0, 0.0, 1.0])) == -1


def test_labels_keep_apart() -> None:
    points = np.random.default_rng(0).uniform(0, 100, (1000, 3))
    taken = points[:3]
    rows = apart_labels(points, np.arange(1000.0), 9.0, 40, taken)
    assert 20 < len(rows) <= 40 and 999 in rows
    at = np.concatenate([taken, points[rows]])[:, :2]
    gaps = np.abs(at[:, None] - at[None])[3:]
    clash = (gaps < (9.0, 3.0)).all(axis=2)
    assert clash.sum() == len(rows), "each covers itself alone"


def test_details_tell_what_is_known(graph: SceneGraph) -> None:
    record = MissionRecord(1, "x", goals={"husky": "(safe O7)"})
    found = dict(details_of(graph, "O7", ["fact one"], record))
    assert found["what"] == "tree O7" and found["in the goal of"] == "husky"
    assert found["memory"] == "fact one" and "lawn" in found["in"]
    assert "main street" in dict(details_of(graph, "R2"))["what"]
    assert named_of(graph, "O22").startswith("seating O22 near ")
    assert named_of(graph, "O22").endswith(", in plaza R4")
    with pytest.raises(CommongroundError):
        details_of(graph, "O999")


def test_words_are_shown_as_text() -> None:
    task = Task("k", EVIL, "inspect", EVIL, ((0.0, 0.0, 0.0),), item=EVIL, end_s=9.0)
    answer = Grounding(
        "ok", {EVIL: EVIL}, EVIL, ({"phrase": EVIL, "chosen": [EVIL], "note": EVIL},)
    )
    record = MissionRecord(
        1, EVIL, "planned", EVIL, EVIL, answer, {EVIL: EVIL}, tasks=(task,), reason=EVIL
    )
    pages = [
        words.status(record, 1.0, 2),
        words.answer(record, SceneGraph()),
        words.timeline(record, [EVIL], {}),
        words.team({}, [EVIL]),
        words.events([Event(1.0, EVIL, EVIL)]),
        words.table([(EVIL, EVIL)]),
        words.lines([EVIL]),
        words.notice(EVIL),
    ]
    for page in pages:
        assert "<img" not in page and "&lt;img" in page


def test_what_is_left_to_do_is_counted_in_words() -> None:
    said = [words.team({"spot": Progress(Status(None), "", 0, n)}, ["spot"]) for n in (0, 1, 2)]
    for text, page in zip(("no tasks left", "1 task left", "2 tasks left"), said, strict=True):
        assert text in page


def test_a_path_is_opened_by_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CommongroundError, match="no run"):
        opened(None, None)
    fused = tmp_path / "runs/one/fused"
    fused.mkdir(parents=True)
    (fused / "scene.json").write_text("{}")
    assert opened(None, None).scene.resolve() == (fused / "scene.json").resolve()
    mission = tmp_path / "runs/missions/m1"
    mission.mkdir(parents=True)
    for name in ("scene.json", "robots.yaml", "events.jsonl"):
        (mission / name).write_text("{}")
    found = opened(mission, None)
    assert found.mission == mission and found.robots == mission / "robots.yaml"
    assert opened(mission / "events.jsonl", Path("r.yaml")).robots == Path("r.yaml")
    assert missions_in(mission.parent) == ["m1"]
    assert replace(MissionRecord(1, "x"), text="y").text == "y"


class Recorded:
    """Stands for a server with one browser: it keeps what was added to that one's scene."""

    client_id = 0

    def __init__(self) -> None:
        self.added: list[tuple[str, object]] = []
        self.handles: dict[str, SimpleNamespace] = {}
        self.scene, self.initial_camera, self.camera = self, SimpleNamespace(), SimpleNamespace()
        self.connected: list[Callable[[Recorded], None]] = []

    def on_client_connect(self, act: Callable[[Recorded], None]) -> None:
        self.connected.append(act)

    def on_client_disconnect(self, act: Callable[[Recorded], None]) -> None:
        pass

    def get_clients(self) -> dict[int, Recorded]:
        return {0: self}

    def atomic(self) -> contextlib.nullcontext[None]:
        return contextlib.nullcontext()

    def flush(self) -> None:
        pass

    def __getattr__(self, kind: str) -> Callable[..., SimpleNamespace]:
        def add(
            name: object = None, what: object = None, *rest: object, **options: object
        ) -> SimpleNamespace:
            self.added.append((str(name), what))
            handle = SimpleNamespace(name=name, visible=True)
            handle.remove = lambda: self.handles.pop(str(name))
            self.handles[str(name)] = handle
            return handle

        return add


def triangles(data: object) -> int:
    """Return how many triangles binary glTF tells of."""
    assert isinstance(data, bytes) and data[:4] == b"glTF"
    told = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    assert "KHR_materials_unlit" in told["extensionsUsed"], "light costs too much without a card"
    return int(told["accessors"][2]["count"]) // 3


def test_a_large_mesh_is_sent_last_and_coarse_and_in_full_when_wanted(graph: SceneGraph) -> None:
    from commonground.console.map_drawing import MapDrawing

    fine = grid(251)
    server = Recorded()
    mesh = Mesh(fine.vertices, fine.faces.astype(np.int32))
    drawing = MapDrawing(server, replace(graph, mesh=mesh))  # type: ignore[arg-type]
    assert not any(name.startswith("/map") for name, _ in server.added), "the page comes first"
    for act in server.connected:
        act(server)
    assert drawing.coarse and 1000 < triangles(dict(server.added)["/map/mesh"]) <= FIRST_TRIANGLES
    assert len(server.added) < 120, "no handle for each node"
    names = [name for name, _ in server.added]
    assert names.index("/map/mesh") > names.index("/map/objects") > names.index("/map/regions")
    drawing.show("mesh", False)
    drawing.sharpen()
    name, sharp = server.added[-1]
    assert name == "/map/mesh" and triangles(sharp) == len(fine.faces)
    assert not drawing.coarse and not server.handles["/map/mesh"].visible, "what is hidden stays so"
    drawing.redraw(replace(graph, mesh=None))
    assert "/map/mesh" not in server.handles, "nothing of the older map stays"
    assert "mesh" not in drawing.layers and "regions" in drawing.layers


def test_pictures_are_of_missions_first_and_then_of_each_robots_mapping(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    missions = tmp_path / "missions"
    for k, (name, shade) in enumerate((("m1", 90), ("m2", 200), ("m3", None))):
        path = missions / name / "pictures" / "spot-O7-front.jpg"
        path.parent.mkdir(parents=True)
        if shade is None:
            path.write_bytes(b"\xff\xd8 no picture")
        else:
            image.new("RGB", (1200, 600), (shade, shade, shade)).save(path)
        os.utime(path, (k, k))
    found = pictures_of(missions, "O7")
    assert [p.caption for p in found] == ["spot in mission m2", "spot in mission m1"]
    assert [round(float(p.pixels.mean()), -1) for p in found] == [200.0, 90.0]
    sheet = side_by_side([*found, found[0]])
    assert sheet.shape[1] > 2 * found[0].pixels.shape[1] and sheet.shape[0] > 2 * 100
    assert pictures_of(missions, "O70") == []
    fused = tmp_path / "fused"
    fused.mkdir()
    mapped = (missions / "m1" / "pictures" / "spot-O7-front.jpg").read_bytes()
    save_crops(
        {"O70": [Crop(mapped, 1.0, 2_000_000_000, 0)], "O71": [Crop(b"none", 1.0, 0, 0)]}, fused
    )
    assert [p.caption for p in pictures_of(missions, "O70", fused)] == ["mapping, 2.0 s"]
    assert pictures_of(missions, "O71", fused) == []
    origins = {"objects": {"O70": [["../..", "O9"], ["husky", "O3"], ["spot", "O9"]]}}
    (fused / "provenance.json").write_text(json.dumps(origins))
    for robot, symbol in (("husky", "O3"), ("spot", "O9")):
        (tmp_path / "robots" / robot).mkdir(parents=True)
        save_crops({symbol: [Crop(mapped, 1.0, 10**9, 0)]}, tmp_path / "robots" / robot)
    told = [p.caption for p in pictures_of(missions, "O70", fused)]
    assert told == ["husky, 1.0 s", "spot, 1.0 s"]
    (fused / "provenance.json").write_text("{")
    assert len(pictures_of(missions, "O70", fused)) == 1


def test_who_saw_a_thing_and_what_missions_did_to_it(graph: SceneGraph, tmp_path: Path) -> None:
    seen = np.zeros((len(graph.objects), 2), bool)
    row = graph.objects.symbols.index("O7")
    seen[row, 1] = True
    layer = replace(
        graph.objects, columns={**graph.objects.columns, "seen_by": seen, "seen_absent_by": ~seen}
    )
    fused = replace(
        graph.with_layer("objects", layer), metadata={**graph.metadata, "robots": ["husky", "spot"]}
    )
    found = dict(details_of(fused, "O7", changes=["painted"]))
    assert (found["seen by"], found["missed by"], found["change"]) == ("spot", "husky", "painted")
    task = Task("spot/1.0", "spot", "inspect", "O7", ((0.0, 0.0, 0.0),))
    done = Heard("spot", Status((0.0, 0.0, 0.0), order="spot/1.0#1", state="done"))
    with contextlib.closing(Journal(tmp_path / "m1", {"mission": "m1"})) as journal:
        journal.write(0.0, [Planned(1, (task,))], [])
        journal.write(12.0, [done], [Note("O7 is not where the map has it"), Note("O70 is new")])
    assert changes_of(tmp_path, "O7") == [
        "O7 is not where the map has it (12 s), in mission m1",
        f"spot has finished: {task} (12 s), in mission m1",
    ]
    assert changes_of(tmp_path, "O8") == []
