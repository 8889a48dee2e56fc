"""Scene graphs: files that come back unchanged, questions answered from arrays, damage told in a line."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.cli.main import run
from commonground.demo import sample_scene
from commonground.errors import SceneError
from commonground.geometry import from_xyz_yaw
from commonground.scene import Boxes, Edges, Layer, Mesh, Ragged, SceneGraph, load_scene, save_scene
from commonground.scene.layer import NO_LABEL, OBJECTS, PLACES, REGIONS, SURFACE_PLACES, LayerKey
from commonground.scene.parts import shortest_path
from commonground.scene.summary import summarize
from commonground.symbols import node_id, node_ids, symbol_of


def as_spark_sees(path: Path, tmp: Path) -> dict[str, Any]:
    """Return the graph's document as Spark-DSG itself writes it after loading the file."""
    spark_dsg = pytest.importorskip("spark_dsg")
    out = tmp / "spark.json"
    spark_dsg.DynamicSceneGraph.load(str(path)).save(str(out), True)
    return json.loads(out.read_text())


@pytest.mark.parametrize("ending", [".json", ".bson", ".sparkdsg"])
def test_a_real_hydra_graph_survives_a_round_trip(
    shared: Path, tmp_path: Path, ending: str
) -> None:
    source = shared / "data" / "apartment_dsg.json"
    save_scene(load_scene(source), tmp_path / f"copy{ending}")
    assert as_spark_sees(tmp_path / f"copy{ending}", tmp_path) == as_spark_sees(source, tmp_path)


def test_a_real_hydra_graph_is_what_hydra_saw(shared: Path) -> None:
    graph = load_scene(shared / "data" / "apartment_dsg.json")
    assert {name: len(layer) for name, layer in graph.layers.items()} == {
        "objects": 7,
        "agents[a]": 102,
        "places": 185,
        "regions": 1,
        "buildings": 1,
    }
    assert len(graph.places.edges) == 396
    assert (graph.places.columns["clearance_m"] > 0).all()
    assert np.isfinite(graph.objects.boxes.sizes).all()  # type: ignore[union-attr]


@st.composite
def graphs(draw: st.DrawFn) -> SceneGraph:
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    n, m, r = draw(st.integers(0, 6)), draw(st.integers(1, 9)), draw(st.integers(1, 3))
    features = rng.normal(size=(n, 4)).astype(np.float32)
    sizes = rng.uniform(0.1, 2, (n, 3)).astype(np.float32).astype(float)
    if n:
        features[0] = np.nan
        sizes[0] = np.nan
    centers = rng.normal(size=(n, 3))
    objects = Layer.of(
        OBJECTS,
        node_ids("O", np.sort(rng.permutation(50)[:n])),  # binary files sort by id
        centers,
        labels=rng.integers(-1, 3, n),
        names=[draw(st.text(max_size=5)) for _ in range(n)],
        boxes=Boxes.axis_aligned(centers, sizes) if n else None,
        features=features if n > 1 else None,
        columns={
            "color": rng.integers(0, 256, (n, 3)).astype(np.uint8),
            "existence": np.where(rng.random(n) < 0.2, np.nan, rng.random(n)).astype(np.float32),
            "covariance": rng.normal(size=(n, 3, 3)),
            "observations": rng.integers(0, 99, n),
            "moved": rng.random(n) < 0.5,
        },
    )
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(m)),
        rng.normal(size=(m, 3)),
        labels=rng.integers(0, 2, m),
        edges=Edges.of([(i, i + 1) for i in range(m - 1)], rng.uniform(0.1, 3, m - 1)),
        boundaries=Ragged.of([rng.normal(size=(rng.integers(0, 5), 3)) for _ in range(m)]),
    )
    regions = Layer.of(
        REGIONS, node_ids("R", np.arange(r)), rng.normal(size=(r, 3)), names=["x"] * r
    )
    other = Layer.of(LayerKey(7, 2), node_ids("z", [1, 3]), rng.normal(size=(2, 3)))
    graph = SceneGraph(
        layers={
            "objects": objects,
            "surface_places": places,
            "regions": regions,
            "layer7[2]": other,
        },
        labelspaces={"objects": {0: "tree", 1: "box", 2: "sign"}},
        metadata={"site": {"name": "here", "numbers": [1, 2.5, None]}},
        mesh=Mesh(
            rng.normal(size=(4, 3)).astype(np.float32).astype(float),
            np.array([[0, 1, 2], [1, 2, 3]], np.int32),
            rng.integers(0, 256, (4, 3)).astype(np.uint8),
            rng.integers(-1, 5, 4).astype(np.int32),
        ),
    )
    if n:
        graph = graph.with_links(
            "objects", "surface_places", [(i, rng.integers(m)) for i in range(n)]
        )
    return graph.with_links("surface_places", "regions", [(i, rng.integers(r)) for i in range(m)])


def same(a: Any, b: Any) -> None:
    if a is None or b is None:
        assert a is b
    else:
        np.testing.assert_array_equal(a, b)


@settings(max_examples=25, deadline=None)
@given(graphs(), st.sampled_from([".json", ".sparkdsg"]))
def test_every_column_comes_back(tmp_path_factory: Any, graph: SceneGraph, ending: str) -> None:
    file = tmp_path_factory.mktemp("graph") / f"scene{ending}"
    save_scene(graph, file)
    back = load_scene(file)
    # the binary form always has the standard layers, if only empty
    assert all(len(back.layers[name]) == 0 for name in set(back.layers) - set(graph.layers))
    for name, layer in graph.layers.items():
        found = back.layers[name]
        same(found.ids, layer.ids)
        same(found.positions, layer.positions)
        same(found.labels, layer.labels)
        assert found.names == layer.names
        assert {
            (a, b, w)
            for (a, b), w in zip(found.edges.rows.tolist(), found.edges.weights, strict=True)
        } == {
            (a, b, w)
            for (a, b), w in zip(layer.edges.rows.tolist(), layer.edges.weights, strict=True)
        }
        for key, column in layer.columns.items() if len(layer) else ():
            same(found.columns[key], column)
            assert found.columns[key].dtype == column.dtype
    if len(graph.objects) > 1:
        same(back.objects.features, graph.objects.features)
        same(back.objects.boxes.sizes, graph.objects.boxes.sizes)  # type: ignore[union-attr]
    same(back.surface_places.boundaries.points, graph.surface_places.boundaries.points)  # type: ignore[union-attr]
    same(back.mesh.vertices, graph.mesh.vertices)  # type: ignore[union-attr]
    same(back.mesh.labels, graph.mesh.labels)  # type: ignore[union-attr]
    assert back.metadata["site"] == graph.metadata["site"]
    assert dict(back.labelspaces) == dict(graph.labelspaces)
    for pair, links in graph.links.items():
        assert {tuple(r) for r in back.links[pair].rows} == {tuple(r) for r in links.rows}


def test_unknown_attributes_survive(tmp_path: Path) -> None:
    save_scene(sample_scene(), tmp_path / "a.json")
    document = json.loads((tmp_path / "a.json").read_text())
    document["nodes"][3]["attributes"]["from_the_future"] = {"deep": [1, 2]}
    document["nodes"][3]["attributes"]["metadata"]["mine"] = "kept"
    (tmp_path / "b.json").write_text(json.dumps(document))
    save_scene(load_scene(tmp_path / "b.json"), tmp_path / "c.json")
    node = json.loads((tmp_path / "c.json").read_text())["nodes"][3]["attributes"]
    assert node["from_the_future"] == {"deep": [1, 2]}
    assert node["metadata"]["mine"] == "kept"


# ---- questions ----


def grid_graph(side: int) -> SceneGraph:
    """Return a jittered grid of places with 8 neighbors, like a site for planning."""
    rng = np.random.default_rng(0)
    ij = np.stack(np.meshgrid(range(side), range(side), indexing="ij"), -1).reshape(-1, 2)
    p = np.c_[ij + rng.uniform(-0.25, 0.25, ij.shape), np.zeros(len(ij))]
    at = {tuple(x): k for k, x in enumerate(ij.tolist())}
    steps = ((0, 1), (1, 0), (1, 1), (1, -1))
    edges = [
        (k, at[i + a, j + b]) for (i, j), k in at.items() for a, b in steps if (i + a, j + b) in at
    ]
    layer = Layer.of(PLACES, node_ids("p", np.arange(len(p))), p, edges=Edges.of(edges))
    return SceneGraph(layers={"places": layer})


def test_queries_agree_with_brute_force() -> None:
    graph, rng = grid_graph(15), np.random.default_rng(3)
    layer = graph.places
    query = rng.uniform(-2, 17, (20, 3)) * [1, 1, 0]
    true = np.linalg.norm(layer.positions[None] - query[:, None], axis=2)
    distance, rows = graph.nearest("places", query, k=4)
    np.testing.assert_array_equal(rows, np.argsort(true, axis=1)[:, :4])
    np.testing.assert_allclose(distance, np.sort(true, axis=1)[:, :4])
    np.testing.assert_array_equal(
        graph.within("places", query[0], 3.0), np.flatnonzero(true[0] <= 3.0)
    )
    reference = nx.Graph()
    for a, b in layer.edges.rows.tolist():
        reference.add_edge(
            a, b, weight=float(np.linalg.norm(layer.positions[a] - layer.positions[b]))
        )
    for start, goal in rng.integers(0, len(layer), (5, 2)).tolist():
        path = shortest_path(graph.adjacency("places"), start, goal).tolist()
        meters = nx.path_weight(reference, path, "weight")
        assert meters == pytest.approx(nx.dijkstra_path_length(reference, start, goal))
        assert (path[0], path[-1]) == (start, goal)
        assert set(graph.neighbors("places", start)) == set(reference[start])


def test_nearest_of_a_small_or_empty_layer_is_padded() -> None:
    graph = grid_graph(1)
    distance, rows = graph.nearest("places", [0, 0, 0], k=3)
    assert rows.tolist() == [[0, -1, -1]]
    assert np.isinf(distance[0, 1:]).all()
    empty = SceneGraph(layers={"places": graph.places.take([])})
    assert empty.nearest("places", [0, 0, 0])[1].tolist() == [[-1]]
    with pytest.raises(SceneError, match="not finite"):
        graph.nearest("places", [np.nan, 0, 0])


def test_what_nothing_links_has_no_path() -> None:
    graph = grid_graph(3)
    alone = graph.with_layer("places", Layer.of(PLACES, graph.places.ids, graph.places.positions))
    assert len(shortest_path(alone.adjacency("places"), 0, 8)) == 0
    assert shortest_path(alone.adjacency("places"), 8, 8).tolist() == [8]


def test_regions_hold_what_their_places_hold() -> None:
    graph = sample_scene()
    lot = next(
        i
        for i in range(len(graph.regions))
        if graph.regions.metadata(i).get("name") == "east parking lot"
    )
    inside = graph.in_region("objects", graph.regions.symbols[lot])
    words = [w for w, i in zip(graph.label_words("objects"), inside, strict=True) if i]
    assert words.count("vehicle") == 6
    places = graph.in_region("surface_places", graph.regions.symbols[lot])
    assert places.sum() == 49


def test_ancestors_pass_layers_that_hold_nothing() -> None:
    """A room without places still knows its objects, and a graph without rooms that it has none."""
    objects = Layer.of(OBJECTS, node_ids("O", np.arange(2)), np.zeros((2, 3)))
    nothing = Layer.of(SURFACE_PLACES, node_ids("P", np.arange(0)), np.zeros((0, 3)))
    regions = Layer.of(REGIONS, node_ids("R", np.arange(1)), np.zeros((1, 3)), names=["room"])
    graph = SceneGraph({"objects": objects, "surface_places": nothing, "regions": regions})
    graph = graph.with_links("objects", "surface_places", [])
    assert graph.ancestors("objects", "regions").tolist() == [-1, -1]
    graph = graph.with_links("objects", "regions", [(1, 0)])
    assert graph.ancestors("objects", "regions").tolist() == [-1, 0]


def test_of_several_parents_the_nearest_counts_that_is_in_a_room() -> None:
    """Hydra hangs an object on each place that it touches; which edge a file names last is chance."""
    objects = Layer.of(OBJECTS, node_ids("O", np.arange(2)), np.zeros((2, 3)))
    places = Layer.of(
        SURFACE_PLACES, node_ids("P", np.arange(3)), np.eye(3) * [[1.0], [2.0], [3.0]]
    )
    regions = Layer.of(REGIONS, node_ids("R", np.arange(2)), np.zeros((2, 3)))
    graph = SceneGraph({"objects": objects, "surface_places": places, "regions": regions})
    graph = graph.with_links("surface_places", "regions", [(1, 1), (2, 0)])
    for links in itertools.permutations([(0, 2), (0, 0), (0, 1), (1, 0)]):
        linked = graph.with_links("objects", "surface_places", links)
        assert linked.parents("objects", "surface_places").tolist() == [0, 0]
        assert linked.ancestors("objects", "regions").tolist() == [1, -1]


def test_symbols_are_no_classes_and_it_is_said_what_gives_classes_words() -> None:
    """Hydra calls its nodes O(3) and leaves the words of labels to its configuration."""
    at = np.zeros((2, 3))
    layer = Layer.of(OBJECTS, node_ids("O", range(2)), at, labels=[3, 5], names=["O(0)", "O(1)"])
    told = summarize(SceneGraph({"objects": layer}))
    assert told["layers"]["objects"]["classes"] == {}
    assert any("labelspaces" in note for note in told["notes"])


def test_taking_rows_keeps_edges_and_links_consistent() -> None:
    graph = sample_scene()
    keep = graph.surface_places.positions[:, 0] < 20
    smaller = graph.take("surface_places", keep)
    assert len(smaller.surface_places) == keep.sum()
    for (a, b), row in zip(smaller.surface_places.edges.rows, range(10**6), strict=False):
        assert (
            np.linalg.norm(
                smaller.surface_places.positions[a] - smaller.surface_places.positions[b]
            )
            < 6
        ), row
    parents = smaller.parents("objects", "surface_places")
    for o in np.flatnonzero(parents >= 0):
        gap = smaller.objects.positions[o, :2] - smaller.surface_places.positions[parents[o], :2]
        assert np.abs(gap).max() <= 2.0
    assert (parents[graph.objects.positions[:, 0] > 20] < 0).all()


def test_a_middle_of_an_edge_moves_with_the_graph() -> None:
    from commonground.scene.layer import Edges

    places = sample_scene().surface_places
    told = tuple({"metadata": {"border_m": 1.0, "middle": [k, 2.0, 0.5]}} for k in (3.0, 4.0))
    edges = Edges(np.array([[0, 1], [1, 2]]), np.ones(2), told)
    graph = sample_scene().with_layer("surface_places", replace(places, edges=edges))
    extras = graph.transformed(from_xyz_yaw([5, -3, 1, np.pi / 2])).surface_places.edges.extras
    assert [e["metadata"]["middle"] for e in extras] == [[3.0, 0.0, 1.5], [3.0, 1.0, 1.5]]
    assert extras[0]["metadata"]["border_m"] == 1.0 and told[0]["metadata"]["middle"][0] == 3.0


def test_moving_a_graph_moves_all_of_it() -> None:
    graph = sample_scene()
    T = from_xyz_yaw([5, -3, 1, 0.7])
    moved = graph.transformed(T)
    corners = moved.objects.boxes.corners()  # type: ignore[union-attr]
    from commonground.geometry import apply

    np.testing.assert_allclose(
        corners, apply(T, graph.objects.boxes.corners().reshape(-1, 3)).reshape(corners.shape)
    )  # type: ignore[union-attr]
    np.testing.assert_allclose(
        moved.adjacency("surface_places").data, graph.adjacency("surface_places").data
    )


def test_symbols() -> None:
    assert symbol_of(node_id("O39")) == "O39"
    assert node_id("O(39)") == node_id("O39") != node_id("o39")
    graph = sample_scene()
    assert graph.find("O3") == ("objects", 3)
    assert "O3" in graph
    for bad in ("39", "", "OO3", "O-1", f"O{2**60}"):
        with pytest.raises(SceneError, match="symbol"):
            node_id(bad)
    with pytest.raises(SceneError, match="no node O399"):
        graph.find("O399")
    with pytest.raises(SceneError, match="has no layer 'objcts'.*Did you mean 'objects'"):
        graph.layer("objcts")


# ---- written by hand ----


def by_hand(label: dict[str, Any]) -> dict[str, Any]:
    """A graph of what has to be in a file and nothing else."""
    rows = [("P", 0, 3, 1), ("P", 1, 3, 1), ("R", 0, 4, 0), ("O", 0, 2, 0)]
    nodes = [
        {"id": node_id(f"{letter}{k}"), "layer": layer, "partition": part,
         "attributes": {"position": [k, 0, 0], **label}}
        for letter, k, layer, part in rows
    ]  # fmt: skip
    pairs = [("P0", "P1"), ("R0", "P0"), ("P1", "O0")]
    edges = [{"source": node_id(a), "target": node_id(b)} for a, b in pairs]
    return {"nodes": nodes, "edges": edges}


def test_a_file_may_hold_ids_positions_and_edges_alone(tmp_path: Path) -> None:
    file = tmp_path / "own.json"
    file.write_text(json.dumps(by_hand({"name": "pump"})))
    graph = load_scene(file)
    assert {*graph.layers} == {"objects", "surface_places", "regions"}
    assert graph.objects.names == ("pump",) and graph.objects.kind == "ObjectNodeAttributes"
    assert graph.surface_places.kind == "Place2dNodeAttributes"
    assert graph.surface_places.edges.weights.tolist() == [1.0]
    assert {*graph.links} == {("surface_places", "regions"), ("objects", "surface_places")}
    for name in ("again.json", "again.sparkdsg"):  # as Spark-DSG itself reads it
        again = load_scene(save_scene(graph, tmp_path / name))
        assert again.objects.names == ("pump",) and len(again.surface_places.edges.rows) == 1


def test_without_names_or_with_an_edge_half_described_it_loads(tmp_path: Path) -> None:
    document = by_hand({})
    document["edges"][0]["info"] = {"weight": 2.5}
    document["edges"][1]["info"] = {"weighted": False}
    file = tmp_path / "own.json"
    file.write_text(json.dumps(document))
    graph = load_scene(file)
    assert graph.objects.names == ("",) and graph.surface_places.edges.weights.tolist() == [2.5]
    assert graph.links["surface_places", "regions"].weights.tolist() == [1.0]


# ---- damage ----


def broken(change: Callable[[dict[str, Any]], object]) -> str:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "x.json")
        save_scene(sample_scene(), file)
        document = json.loads(file.read_text())
        change(document)
        return json.dumps(document)


DAMAGE: list[tuple[str, str, str]] = [
    ("a.json", "", "empty"),
    ("a.json", "{", "not valid JSON"),
    ("a.json", "[1, 2]", "no scene graph"),
    ("a.json", '{"nodes": 1, "edges": []}', "nodes: has to be a list"),
    (
        "a.json",
        '{"nodes": [{}], "edges": []}',
        "node 1 of the file: 'layer', 'id', 'attributes' are",
    ),
    (
        "a.json",
        '{"nodes": [], "edges": [{}, {}]}',
        "'edges.0.source', .* 'edges.1.target' are missing",
    ),
    ("a.json", '{"nodes": [], "edges": [], "layer_ids": 1}', "was it written by Spark-DSG"),
    ("a.json", '{"hello": "world"}', "no 'nodes'"),
    ("a.txt", "hello", "is no scene graph file"),
    ("a.sparkdsg", "not a graph at all, really", "Spark-DSG cannot read it as"),
    ("a.bson", "zzz", "Spark-DSG cannot read it as"),
]


@pytest.mark.parametrize(("name", "content", "message"), DAMAGE)
def test_files_that_are_no_graphs(tmp_path: Path, name: str, content: str, message: str) -> None:
    file = tmp_path / name
    file.write_text(content)
    with pytest.raises(SceneError, match=message) as caught:
        load_scene(file)
    assert "\n" not in str(caught.value) and "json.exception" not in str(caught.value)
    assert str(file) in str(caught.value)


CHANGES: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda d: d["edges"].append({**d["edges"][0], "target": node_id("O999")}), "no such node"),
    (lambda d: d["nodes"].append(d["nodes"][0]), "O0 is there twice"),
    *(
        (
            lambda d, given=given: d["nodes"][0]["attributes"].update(position=given),
            "O0: .*position.*x, y, z in meters",
        )
        for given in ("here", None, 5, [1, 2], [None, 0, 0], [float("nan"), 0, 0], ["1", "2", "3"])
    ),
    *(
        (
            lambda d, given=given: d["nodes"][0]["attributes"]["bounding_box"].update(
                world_P_center=given
            ),
            "O0: .*(world_P_center|center of the box is not finite)",
        )
        for given in ("here", None, [1, 2], [1, None, 2], [float("nan"), 0, 0], ["1", "2", "3"])
    ),
    (lambda d: d["nodes"][0]["attributes"].update(name=None), "node O0: attributes.name: "),
    (lambda d: d["nodes"][0]["attributes"].update(metadata="x"), "node O0: attributes.metadata: "),
    (lambda d: d["nodes"][0]["attributes"].update(boundary="x"), "node O0: attributes.boundary: "),
    (
        lambda d: d["nodes"][0]["attributes"].update(
            semantic_feature={"rows": 1, "cols": 2, "data": ["x", 2]}
        ),
        "node O0: attributes.semantic_feature: 'x' is no number",
    ),
    (
        lambda d: d["nodes"][0]["attributes"].update(position=[1e308, 0, 0]),
        "O0: its position is on no map",
    ),
    (lambda d: d["nodes"][0]["attributes"].update(position=[1e6, 0, 0]), "100 km wide"),
    (
        lambda d: d["nodes"][0]["attributes"]["bounding_box"].update(dimensions=[1e30, 1, 1]),
        "size of a box",
    ),
    (
        lambda d: d["nodes"][0]["attributes"]["bounding_box"].update(
            world_R_center={"w": 0, "x": 0, "y": 0, "z": 0}
        ),
        "quaternion of zeros",
    ),
    (lambda d: d["nodes"][0]["attributes"].pop("position"), "position' is missing"),
    (lambda d: d["nodes"][0].pop("id"), "'id' is missing"),
    (lambda d: d["nodes"].append(5), "no valid scene graph"),
    (lambda d: d["nodes"][0].update(id=-1), "node 1 of the file: id: .* not -1"),
    (lambda d: d["nodes"][0].update(id="O1"), "node 1 of the file: id: .* not 'O1'"),
    (lambda d: d.update(metadata=["x"]), "metadata: has to be a table of values"),
    (
        lambda d: d["nodes"][0]["attributes"].update(position=["a", 0, 0]),
        "node O0: attributes.position.0: input should be a valid number, not 'a'",
    ),
    (lambda d: d["nodes"][0].update(partition=float("inf")), "not finite|integer"),
    (lambda d: d["SPARK_DSG_header"]["version"].update(major=float("inf")), "header is damaged"),
    (lambda d: d["metadata"].update(commonground={"schema": 99}), "graph schema 99"),
    (lambda d: d["SPARK_DSG_header"]["version"].update(major=9), "newer than the installed"),
    (lambda d: d["SPARK_DSG_header"].update(version="x"), "header is damaged|DSG_header"),
]


@pytest.mark.parametrize(("change", "message"), CHANGES)
def test_damaged_graphs(
    tmp_path: Path,
    change: Callable[[dict[str, Any]], object],
    message: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """One node or edge that is broken is left out and told; what concerns the whole is refused."""
    file = tmp_path / "a.json"
    file.write_text(broken(change))
    try:
        loaded = load_scene(file)
    except SceneError as error:
        told = str(error)
    else:
        told = caplog.messages[0]
        assert len(loaded.objects) >= 40
        assert len(loaded.surface_places) == 224
    assert re.search(message, told)
    assert "\n" not in told


def test_a_graph_with_many_broken_nodes_is_refused(tmp_path: Path) -> None:
    def spoil(document: dict[str, Any], count: int) -> None:
        for node in document["nodes"][:count]:
            node["attributes"]["position"] = None

    file = tmp_path / "a.json"
    file.write_text(broken(lambda d: spoil(d, 8)))
    assert load_scene(file).objects.symbols[0] == "O8"
    file.write_text(broken(lambda d: spoil(d, 9)))
    with pytest.raises(SceneError, match="node O0: attributes.position: "):
        load_scene(file)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("ending", [".json", ".sparkdsg", ".bson"])
def test_truncated_files(tmp_path: Path, ending: str, share: float) -> None:
    file = tmp_path / f"a{ending}"
    save_scene(sample_scene(), file)
    whole = file.read_bytes()
    file.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(SceneError):
        load_scene(file)


def test_a_missing_file_names_the_nearest(tmp_path: Path) -> None:
    save_scene(sample_scene(), tmp_path / "scene.json")
    with pytest.raises(SceneError, match=r"Did you mean 'scene.json'"):
        load_scene(tmp_path / "scnee.json")


def test_what_a_file_leaves_out_or_has_too_much_of_is_no_bug_when_it_is_written(
    tmp_path: Path,
) -> None:
    file = tmp_path / "a.json"
    file.write_text(broken(lambda d: [edge["info"].pop("weighted") for edge in d["edges"]]))
    assert load_scene(save_scene(load_scene(file), tmp_path / "b.json")).layers.keys()
    attributes = {"semantic_feature": {"rows": 2**31, "cols": 2**31, "data": [1.0]}}
    file.write_text(broken(lambda d: d["nodes"][0]["attributes"].update(attributes)))
    with pytest.raises(SceneError, match="does not take this graph"):
        save_scene(load_scene(file), tmp_path / "b.sparkdsg")
    attributes = {"last_update_time_ns": float("inf")}
    file.write_text(broken(lambda d: d["nodes"][0]["attributes"].update(attributes)))
    with pytest.raises(SceneError, match="not finite"):
        save_scene(load_scene(file), tmp_path / "c.json")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.json", "b.json"]


def test_looks_of_several_views_as_clio_keeps_them_are_read_as_their_mean(tmp_path: Path) -> None:
    dsg = pytest.importorskip("spark_dsg")
    theirs = dsg.DynamicSceneGraph()
    for k, views in enumerate((1, 3)):
        attributes = dsg.KhronosObjectAttributes()
        attributes.semantic_feature = np.arange(4.0 * views).reshape(4, views)
        theirs.add_node(dsg.DsgLayers.OBJECTS, dsg.NodeSymbol("O", k).value, attributes)
    file = tmp_path / "clio.json"
    theirs.save(str(file))
    graph = load_scene(file)
    assert graph.objects.features is not None
    assert graph.objects.features.tolist() == [[0, 1, 2, 3], [1, 4, 7, 10]]
    again = dsg.DynamicSceneGraph.load(str(save_scene(graph, tmp_path / "again.json")))
    node = again.get_node(dsg.NodeSymbol("O", 1).value)
    assert node.attributes.semantic_feature.tolist() == np.arange(12.0).reshape(4, 3).tolist()


def test_a_picture_is_written_where_its_name_promises_nothing_else(tmp_path: Path) -> None:
    save_scene(sample_scene(), tmp_path / "scene.json")
    for name in ("picture", "picture.png", "picture.xyz"):
        words = [str(tmp_path / "scene.json"), "--to", "png", "--out", str(tmp_path / name)]
        assert run(["export", *words]) == 0
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


def test_nothing_is_written_of_a_graph_that_cannot_be(tmp_path: Path) -> None:
    graph = sample_scene()
    positions = graph.objects.positions.copy()
    positions[2] = np.nan
    from dataclasses import replace

    bad = graph.with_layer("objects", replace(graph.objects, positions=positions))
    with pytest.raises(SceneError, match="O2"):
        save_scene(bad, tmp_path / "scene.json")
    assert list(tmp_path.iterdir()) == []


def test_labels_come_from_the_label_space() -> None:
    graph = sample_scene()
    assert graph.label_words("objects")[0] == "tree"
    unlabeled = graph.with_layer(
        "objects", Layer.of(OBJECTS, node_ids("O", [1]), [[0, 0, 0]], names=["thing"])
    )
    assert unlabeled.objects.labels.tolist() == [NO_LABEL]
    assert unlabeled.label_words("objects") == ["thing"]


@pytest.mark.parametrize("ending", [".json", ".bson", ".sparkdsg"])
def test_a_scene_graph_for_spark_dsg_is_written_as_its_ending_says(
    tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if ending != ".json":
        pytest.importorskip("spark_dsg")
    save_scene(sample_scene(), tmp_path / "in.json")
    out = tmp_path / f"map{ending}"
    assert run(["export", str(tmp_path / "in.json"), "--to", "sparkdsg", "--out", str(out)]) == 0
    assert load_scene(out).objects.symbols == sample_scene().objects.symbols
    capsys.readouterr()
    wrong = str(tmp_path / "map.png")
    assert run(["export", str(tmp_path / "in.json"), "--to", "sparkdsg", "--out", wrong]) == 1
    assert "end it in .sparkdsg" in capsys.readouterr().err


def test_a_graph_is_not_written_over_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, link = tmp_path / "site.json", tmp_path / "link.json"
    save_scene(sample_scene(), source)
    link.symlink_to(source)
    robot = tmp_path / "run" / "robots" / "spot"
    robot.mkdir(parents=True)
    (robot / "scene.json").write_bytes(source.read_bytes())
    before = source.stat().st_mtime_ns, (robot / "scene.json").stat().st_mtime_ns
    for thing in (source, link, tmp_path / "run"):
        assert run(["export", str(thing), "--to", "json"]) == 1
        assert "would be lost; name another file" in capsys.readouterr().err
    assert link.is_symlink()
    assert before == (source.stat().st_mtime_ns, (robot / "scene.json").stat().st_mtime_ns)


@pytest.mark.parametrize("ending", ["json", "bson", "sparkdsg"])
def test_what_a_form_has_no_place_for_is_told(
    tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if ending != "json":
        pytest.importorskip("spark_dsg")
    file, out = tmp_path / "in.json", str(tmp_path / f"out.{ending}")
    save_scene(sample_scene(), file)
    assert run(["export", str(file), "--to", ending, "--out", out, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["left_behind"] == ""
    document = json.loads(file.read_text())
    document["owner"] = "plant 4"
    for node in document["nodes"][:2]:
        node["attributes"]["checked"] = {"by": "Ann"}
    file.write_text(json.dumps(document))
    assert run(["export", str(file), "--to", ending, "--out", out]) == 0
    told = capsys.readouterr().out
    assert "owner" in told
    assert ("nodes.attributes.checked.by (2)" in told) == (ending != "json")
