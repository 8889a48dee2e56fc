"""What is one thing becomes one, what is two stays two; surfaces mapped twice are kept once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from commonground.geometry import apply, from_xyz_yaw
from commonground.looks import SPREAD, WEIGHT
from commonground.mapping.fusion.absent import seen_absent, told_absent
from commonground.mapping.fusion.deform import Deformation, deform_objects
from commonground.mapping.fusion.evaluation.teams import Team
from commonground.mapping.fusion.exchanged import exchanged, exchanged_since
from commonground.mapping.fusion.merge_graphs import merge_graphs, merge_places
from commonground.mapping.fusion.merge_mesh import deformed, merge_meshes
from commonground.mapping.fusion.merge_objects import merge_objects
from commonground.mapping.fusion.ranging import approaches, ranged
from commonground.mapping.surface.mesh_part import MeshPart
from commonground.objects import ObjectMap
from commonground.scene import Boxes, Edges, Layer, SceneGraph
from commonground.scene.layer import OBJECTS, PLACES
from commonground.scores import box_iou, one_to_one
from commonground.symbols import node_ids

S = 10**9


def things(xyz: object, first_s: object, last_s: object, size: float = 1.0) -> ObjectMap:
    points = np.asarray(xyz, float)
    return ObjectMap.of(
        points,
        sizes=np.full((len(points), 3), size),
        first_seen_ns=np.asarray(first_s, np.int64) * S,
        last_seen_ns=np.asarray(last_s, np.int64) * S,
        observations=np.full(len(points), 5),
    )


def test_one_robot_may_map_a_thing_twice_and_only_then_it_is_joined_with_itself() -> None:
    # the second was made on a later visit, the third stands beside the first and was seen with it
    own = things([[0, 0, 0], [0.4, 0, 0], [1.2, 0, 0]], [0, 100, 0], [10, 110, 10])
    fused = merge_objects([own], ["spot"])
    assert fused.into[0].tolist() == [0, 0, 1]
    assert len(fused.objects) == 2


def test_two_robots_things_are_joined_and_keep_the_box_that_was_seen_most() -> None:
    one, two = things([[0, 0, 0]], [0], [10]), things([[0.3, 0, 0]], [0], [10])
    fused = merge_objects([one, two], ["a", "b"]).objects
    assert len(fused) == 1
    np.testing.assert_allclose(fused.boxes.sizes[0], 1.0)
    assert fused.columns["seen_by"].tolist() == [[True, True]]
    assert 0.0 < fused.centroids[0, 0] < 0.3


def called(words: str, x_m: list[float], seen: int = 5) -> ObjectMap:
    """Things in a row; d is called desk, t table."""
    return ObjectMap.of(
        [[x, 0, 0] for x in x_m],
        sizes=np.ones((len(x_m), 3)),
        observations=np.full(len(x_m), seen),
        label_scores=np.array([[w == "d", w == "t"] for w in words], np.float32),
        vocabulary=("desk", "table"),
    )


def test_two_robots_words_for_what_stands_in_one_place_are_of_one_thing() -> None:
    both = merge_objects([called("d", [0.0], seen=9), called("t", [0.2])], ["a", "b"]).objects
    assert both.labels == ["desk"]
    assert both.label_scores[0, 1] > 0.3  # the doubt stays
    assert len(merge_objects([called("d", [0.0]), called("t", [0.8])], ["a", "b"]).objects) == 2
    # one robot that tells two things apart is believed, and its own kind comes first
    assert len(merge_objects([called("dt", [0.0, 0.1])], ["a"]).objects) == 2
    fused = merge_objects([called("td", [0.0, 0.5]), called("d", [0.1])], ["a", "b"])
    assert fused.into[1].tolist() == [1]


def looked_at(angle: float, spread: float) -> ObjectMap:
    return ObjectMap.of(
        [[0, 0, 0]],
        sizes=[[1.0, 1.0, 1.0]],
        last_seen_ns=np.array([10 * S]),
        observations=np.array([5]),
        embeddings=np.array([[np.cos(angle), np.sin(angle)]], np.float32),
        embedding_model="eye",
        columns={SPREAD: np.array([spread], np.float32), WEIGHT: np.array([1.5], np.float32)},
    )


def test_how_far_all_views_differ_in_looks_is_known_of_what_two_robots_saw() -> None:
    fused = merge_objects([looked_at(0.0, 0.0), looked_at(np.pi / 3, 0.0)], ["a", "b"]).objects
    assert len(fused) == 1
    assert fused.columns[SPREAD][0] == pytest.approx(1 - np.cos(np.pi / 6), abs=1e-5)
    alike = merge_objects([looked_at(0.0, 0.2), looked_at(0.0, 0.4)], ["a", "b"]).objects
    assert alike.columns[SPREAD][0] == pytest.approx(0.3, abs=1e-5)
    assert fused.columns[WEIGHT].tolist() == alike.columns[WEIGHT].tolist() == [3.0]


def test_the_fused_graph_keeps_looks_and_names_their_model() -> None:
    fused = merge_objects([looked_at(0.0, 0.0)], ["a"])
    objects = replace(
        fused.objects, columns={**fused.objects.columns, "seen_absent_by": np.zeros((1, 1), bool)}
    )
    layer = Layer.of(OBJECTS, objects.ids, objects.centroids)
    own = SceneGraph().with_layer("objects", layer)
    graph, _ = merge_graphs([own], objects, fused.into, ["a"])
    assert graph.metadata["embedding_model"] == "eye"
    assert graph.objects.features is not None
    np.testing.assert_allclose(graph.objects.features, [[1000, 0]])
    assert graph.objects.columns[SPREAD].tolist() == [0.0]
    assert graph.objects.columns[WEIGHT].tolist() == [1.5]


def half_seen(low: float, high: float) -> ObjectMap:
    """A map of one thing 4 m long, from -2 to 2, of which a part was seen: its box ends there."""
    rng = np.random.default_rng(int(10 * high) % 97)
    points = rng.uniform([low, -0.5, 0], [high, 0.5, 1.5], (64, 3))
    middle, length = (low + high) / 2, high - low
    return ObjectMap.of(
        [[middle, 0, 0.75]],
        sizes=[[length, 1, 1.5]],
        last_seen_ns=np.array([10 * S]),
        columns={"points": points[None].astype(np.float32)},
    )


def test_a_thing_of_which_each_robot_saw_a_part_has_the_box_of_all_parts() -> None:
    maps = [half_seen(-2, 1), half_seen(-1, 2)]
    fused = merge_objects(maps, ["a", "b"]).objects
    assert len(fused) == 1
    true = Boxes.axis_aligned(np.array([[0, 0, 0.75]]), np.array([[4, 1, 1.5]]))
    alone = [box_iou(m.boxes, true)[0] for m in maps]
    assert box_iou(fused.boxes, true)[0] > max(alone) + 0.02
    np.testing.assert_allclose(fused.centroids[0], [0, 0, 0.75], atol=0.15)
    kept = fused.columns["points"][0]
    assert kept.shape == (64, 3)
    assert kept[:, 0].min() < -1.7
    assert kept[:, 0].max() > 1.7


def front_of_a_drum(eye_y: float) -> ObjectMap:
    """A map of a drum at the origin, 1 m across, of which the side towards one eye was seen."""
    angle = np.linspace(0.15, np.pi - 0.15, 60) * np.sign(eye_y)
    points = np.c_[0.5 * np.cos(angle), 0.5 * np.sin(angle), np.tile([0.0, 0.5, 1.0], 20)]
    eyes = np.full((4, 3), np.nan)
    eyes[:2] = [[-1.0, eye_y, 1.0], [1.0, eye_y, 1.0]]
    return ObjectMap.of(
        [[0, 0.25 * np.sign(eye_y), 0.5]],
        sizes=[[1.0, 0.5, 1.0]],
        last_seen_ns=np.array([10 * S]),
        columns={
            "points": points[None].astype(np.float32),
            "viewpoints": eyes[None].astype(np.float32),
        },
    )


def test_robots_that_saw_two_sides_know_the_whole_and_from_where_it_was_seen() -> None:
    fused = merge_objects([front_of_a_drum(3.0), front_of_a_drum(-3.0)], ["a", "b"]).objects
    assert len(fused) == 1
    np.testing.assert_allclose(fused.boxes.sizes[0], 1.0, atol=0.08)
    np.testing.assert_allclose(fused.centroids[0], [0, 0, 0.5], atol=0.03)
    assert np.isfinite(fused.columns["viewpoints"][0]).all()


def test_robots_on_one_side_complete_what_is_round() -> None:
    fused = merge_objects([front_of_a_drum(3.0), front_of_a_drum(3.5)], ["a", "b"]).objects
    assert len(fused) == 1
    np.testing.assert_allclose(fused.boxes.sizes[0], 1.0, atol=0.1)


def test_points_move_with_the_path() -> None:
    own = front_of_a_drum(3.0)
    before, stamps = from_xyz_yaw([[k, 0, 0, 0] for k in range(5)]), np.arange(5) * 3 * S
    after = from_xyz_yaw([10, -5, 1, 0.8]) @ before
    moved = deform_objects(own, Deformation(before, after, stamps))
    expected = apply(from_xyz_yaw([10, -5, 1, 0.8]), own.columns["points"][0])
    np.testing.assert_allclose(moved.columns["points"][0], expected, atol=1e-4)
    expected = apply(from_xyz_yaw([10, -5, 1, 0.8]), own.columns["viewpoints"][0])
    np.testing.assert_allclose(moved.columns["viewpoints"][0], expected, atol=1e-4)


def sheet(height: float, first_x: int, last_x: int) -> MeshPart:
    """A level sheet of 0.2 m squares, 2 m wide."""
    xs, ys = np.arange(first_x, last_x + 1) * 0.2, np.arange(11) * 0.2
    grid = np.stack(np.meshgrid(xs, ys, indexing="ij"), axis=-1).reshape(-1, 2)
    n, w = len(grid), len(ys)
    corner = (np.arange(len(xs) - 1)[:, None] * w + np.arange(w - 1)[None]).ravel()
    faces = np.concatenate(
        [np.c_[corner, corner + w, corner + 1], np.c_[corner + 1, corner + w, corner + w + 1]]
    )
    return MeshPart(
        keys=np.zeros(n, np.int64),
        vertices=np.c_[grid, np.full(n, height)].astype(np.float32),
        colors=np.zeros((n, 3), np.uint8),
        labels=np.zeros(n, np.int32),
        first_seen_ns=np.zeros(n, np.int64),
        last_seen_ns=np.full(n, 2 * S),
        faces=faces.astype(np.int32),
    )


def area(mesh: MeshPart) -> float:
    a, b, c = (mesh.vertices[mesh.faces[:, k]].astype(float) for k in range(3))
    return float(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())


def test_a_floor_mapped_twice_is_there_once_and_in_one_piece() -> None:
    both = merge_meshes([sheet(0.0, 0, 20), sheet(0.15, 10, 30)])
    assert both is not None
    assert area(both) == pytest.approx(30 * 0.2 * 2.0, rel=0.05)
    used = both.vertices[np.unique(both.faces)]
    assert (np.abs(used[used[:, 0] < 3.9][:, 2]) < 1e-6).all()
    apart = merge_meshes([sheet(0.0, 0, 20), sheet(1.0, 0, 20)])
    assert apart is not None
    assert area(apart) == pytest.approx(2 * 20 * 0.2 * 2.0, rel=1e-3)
    assert merge_meshes([]) is None


def test_a_mesh_follows_the_path_it_was_seen_from() -> None:
    before = from_xyz_yaw(np.c_[np.arange(3.0), np.zeros((3, 3))])
    stamps = np.arange(3) * S
    T = from_xyz_yaw([1.0, 2.0, 0.5, 0.3])
    whole = deformed(sheet(0.0, 0, 5), Deformation(before, T @ before, stamps))
    expected = sheet(0.0, 0, 5).vertices @ T[:3, :3].T + T[:3, 3]
    np.testing.assert_allclose(whole.vertices, expected, atol=1e-5)


def places(xyz: object, clearance: object, edges: object) -> SceneGraph:
    points = np.asarray(xyz, float)
    layer = Layer.of(
        PLACES,
        node_ids("p", np.arange(len(points))),
        points,
        edges=Edges.of(np.asarray(edges, np.int64).reshape(-1, 2)),
        columns={"clearance_m": np.asarray(clearance, float)},
    )
    return SceneGraph(layers={"places": layer})


def test_places_of_two_robots_are_joined_by_distance_and_clearance() -> None:
    one = places([[0, 0, 1], [2, 0, 1]], [1.0, 1.0], [[0, 1]])
    two = places([[2.2, 0, 1], [4, 0, 1], [0.1, 0, 1]], [1.1, 1.0, 2.0], [[0, 1]])
    layer, into = merge_places([one, two])
    assert layer is not None
    assert len(layer) == 4
    assert into[1].tolist() == [1, 2, 3]
    assert layer.edges.rows.tolist() == [[0, 1], [1, 2]]
    assert layer.columns["seen_by"][1].tolist() == [True, True]
    assert merge_places([SceneGraph()])[0] is None


def test_a_thing_that_another_robot_looked_through_is_marked_and_told() -> None:
    stood = things([[0, 1, 0.6], [9, 1, 0.6]], [0, 0], [1, 1])
    both = merge_objects([stood, things([[9.1, 1, 0.6]], [0], [1])], ["ann", "bob"]).objects
    path = from_xyz_yaw([[-2.0, 1, 1.5, 0], [-1.9, 1, 1.5, 0]])
    stays = Deformation(path, path, np.array([0, 2 * S]))
    floor, other = sheet(0.0, -20, 20), sheet(0.0, 80, 90)

    def absent(*seen: MeshPart) -> list[list[bool]]:
        whole = MeshPart.joined(list(seen))
        return seen_absent(both, [other, whole], [stays, stays]).tolist()

    assert absent(floor) == [[False, True], [False, False]]
    upright = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0]], np.float32)
    for x in (-1.0, 0.0):  # a wall before it, and a surface where it is
        at = [(x, dy, dz) for dy in (0.0, 0.1) for dz in (0.0, 0.1)]
        flat = sheet(0.0, 0, 12)
        parts = [replace(flat, vertices=flat.vertices @ upright + np.float32(p)) for p in at]
        assert absent(floor, *parts) == [[False, False]] * 2
    assert absent(other) == [[False, False]] * 2  # nothing tells that it was looked at
    columns = {**both.columns, "seen_absent_by": np.array([[False, True], [False, False]])}
    said = list(told_absent(replace(both, columns=columns), ["ann", "bob"]))
    assert said == ["O0, which ann saw, was not there when bob looked"]


def test_odometrys_scale_is_read_from_the_depth_of_what_is_approached(team: Team) -> None:
    """Odometry says 5 % too much; two things straight ahead are approached from 8 to 2 m."""
    run, true_meter = team.runs[0], 1.05
    poses = from_xyz_yaw(np.c_[np.arange(20.0), np.zeros((20, 3))])
    stamps = np.arange(20) * S
    at = np.array([[9.0 * true_meter, 0, 0], [17.0, 0, 0]])
    seen = np.tile(np.arange(32), (2, 1)) * 0.25 * S + np.array([[0.0], [8.0 * S]])
    traveled = np.interp(seen, stamps, np.arange(20.0))
    ranges = (at[:, :1] - traveled) / true_meter
    objects = replace(
        things(at, [0, 0], [19, 19]),
        columns={"history_stamp_ns": seen.astype(np.int64), "history_range_m": ranges},
    )
    n = len(poses)
    path = next(iter(run.graph.agents.values())).take(np.zeros(n, np.int64))
    quats = np.tile([1.0, 0, 0, 0], (n, 1))
    path = replace(path, columns={"stamp_ns": stamps, "quat_wxyz": quats})
    rows = np.c_[np.arange(n - 1), np.arange(1, n)]
    T = np.tile(from_xyz_yaw([1.0, 0, 0, 0]), (n - 1, 1, 1))
    odometry = replace(run.odometry.take(np.zeros(n - 1, int)), rows=rows, T=T)
    moved = replace(
        run,
        objects=objects,
        poses=poses,
        stamps_ns=stamps,
        odometry=odometry,
        graph=SceneGraph(layers={"agents[a]": path}),
    )
    np.testing.assert_allclose(approaches(moved).scale, true_meter, atol=0.005)
    lengths = ranged(moved).T[:, 0, 3]
    assert (np.abs(lengths - 1 / true_meter) < np.abs(lengths - 1.0)).all()
    bare = replace(moved, objects=replace(objects, columns={}))
    assert ranged(bare) is bare.odometry


def test_scores_match_one_to_one_and_boxes_whatever_their_turn() -> None:
    found, true = np.array([[0.0, 0, 0], [0.3, 0, 0]]), np.array([[0.1, 0, 0], [5.0, 0, 0]])
    assert one_to_one(found, true, 1.0).tolist() == [[0, 0]]
    quat = np.array([[np.cos(0.4), 0, 0, np.sin(0.4)]])
    box = Boxes(np.zeros((1, 3)), np.array([[2.0, 1.0, 1.0]]), quat)
    assert box_iou(box, box)[0] == pytest.approx(1.0)
    half = Boxes(box.centers, box.sizes * [1.0, 1.0, 0.5], quat)
    assert box_iou(box, half)[0] == pytest.approx(0.5, abs=0.05)


def test_robots_that_have_seen_nothing_yet_are_fused_all_the_same() -> None:
    nothing = half_seen(-2, 1).take(np.empty(0, np.int64))
    fused = merge_objects([nothing, nothing], ["a", "b"])
    assert len(fused.objects) == 0 and [len(rows) for rows in fused.into] == [0, 0]


def kinds_at(spots: list[tuple[float, int]], model: str = "open_clip/x") -> ObjectMap:
    """Return things at x with a kind each, the looks of which are an axis."""
    return ObjectMap.of(
        [[x, 0, 0] for x, _ in spots],
        sizes=np.ones((len(spots), 3)),
        embeddings=np.eye(4, dtype=np.float32)[[kind for _, kind in spots]],
        embedding_model=model,
        last_seen_ns=np.arange(len(spots)),
        columns={"seen_by": np.eye(2, dtype=bool)[np.arange(len(spots)) % 2]},
    )


def test_a_thing_in_the_place_of_another_is_noticed_by_its_looks() -> None:
    (found,) = exchanged(kinds_at([(0, 0), (0.2, 1), (9, 2), (9.1, 2), (20, 3)]), ["a", "b"])
    assert found.symbols == ("O0", "O1") and found.seen_by == (("a",), ("b",))
    assert found.as_json()["crops"] == ["crops.zip/O0/1.jpg", "crops.zip/O1/1.jpg"]
    assert "exchanged" in str(found) and found.likeness == 0
    beside = kinds_at([(0, 0), (0.9, 1)])
    same_robot = replace(beside, columns={"seen_by": np.ones((2, 2), bool)})
    assert exchanged(beside, ["a", "b"]) == exchanged(same_robot, ["a", "b"]) == []
    assert exchanged(kinds_at([(0, 0), (0.2, 1)], "shape and color"), ["a", "b"]) == []


def test_a_later_drive_finds_another_thing_in_a_things_place() -> None:
    before, after = kinds_at([(0, 0), (9, 2), (20, 3)]), kinds_at([(2, 1), (11, 2)])
    T = np.eye(4)
    T[0, 3] = -2.0
    (found,) = exchanged_since(before, after, T, "spot", ("map/", "drive/"))
    assert found.symbols == ("O0", "O0") and found.seen_by == (("the map",), ("spot",))
    assert found.as_json()["crops"] == ["map/crops.zip/O0/1.jpg", "drive/crops.zip/O0/1.jpg"]
    assert exchanged_since(before, before, np.eye(4), "spot") == []
    assert exchanged_since(before, kinds_at([(0, 1)], "clip/y"), np.eye(4), "spot") == []
