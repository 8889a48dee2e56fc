"""Worlds: what stands where, that it is the same each time, and that the true graph describes it."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest

from commonground.datasets import LABELS, World, make_world, scene_of
from commonground.datasets.labels import OBJECT_WORDS
from commonground.datasets.simulator.camera import Renderer
from commonground.datasets.world.site import footprint_discs
from commonground.errors import CommongroundError
from commonground.frame import Camera
from commonground.geometry import apply, inverse, yaw_of
from commonground.scene import SceneGraph, load_scene, save_scene

made = cache(make_world)
"""Worlds that several tests look at."""
described = cache(scene_of)
"""Their true graphs."""


@pytest.fixture(scope="module")
def graph(campus: World) -> SceneGraph:
    return described(campus)


@pytest.mark.parametrize("kind", ["campus", "office", "hybrid"])
def test_a_seed_determines_the_world_to_the_byte(kind: str) -> None:
    first, again, other = made(kind, 5), make_world(kind, 5), made(kind, 3)
    for name in ("vertices", "local", "faces", "colors", "textures", "instances", "labels"):
        assert np.array_equal(getattr(first.soup(), name), getattr(again.soup(), name))
    assert np.array_equal(first.ground.surface, again.ground.surface)
    assert not np.array_equal(first.soup().vertices, other.soup().vertices)


def test_the_default_campus_has_many_objects_of_many_classes(campus: World) -> None:
    assert 150 <= len(campus.things) <= 400
    words = Counter(LABELS[t.label] for t in campus.things)
    assert set(words) <= set(OBJECT_WORDS)
    assert len(words) >= 15
    assert words["tree"] >= 10
    assert words["vehicle"] >= 10
    assert np.allclose(campus.ground.extent, 200)


@pytest.mark.parametrize(("size", "objects"), [(60, 40), (150, 225), (300, 390)])
def test_the_campus_scales(size: float, objects: int) -> None:
    world = make_world("campus", 1, size_m=size, objects=objects)
    assert 0.6 * objects <= len(world.things) <= objects
    assert np.allclose(world.ground.extent, size)
    assert len(scene_of(world).regions) >= 6


def test_there_are_look_alikes_near_each_other(campus: World) -> None:
    groups: dict[int, list[np.ndarray]] = {}
    for thing in campus.things:
        groups.setdefault(id(thing.shape), []).append(thing.T_world_thing[:2, 3])
    near = 0
    for places in groups.values():
        P = np.array(places)
        gap = np.linalg.norm(P[:, None] - P[None], axis=-1) + 1e9 * np.eye(len(P))
        near += int((gap.min(axis=1) < 15).sum())
    assert near > 60


@pytest.mark.parametrize("kind", ["campus", "office", "hybrid"])
def test_objects_keep_clear_of_lanes_and_of_each_other(kind: str) -> None:
    world = made(kind, 5)
    standing = [
        t for t in world.things if t.kind not in ("house door", "door", "picture", "monitor")
    ]
    discs = [
        footprint_discs(t.shape, t.T_world_thing[:2, 3], float(yaw_of(t.T_world_thing)))
        for t in standing
    ]
    widths = world.lanes.widths.min()
    for thing, disc in zip(standing, discs, strict=True):
        gap = world.lanes.distance(disc[:, :2]) - disc[:, 2]
        assert gap.min() > widths / 2 - 0.3, thing.kind
    centers = np.array([t.T_world_thing[:2, 3] for t in standing])
    apart = np.linalg.norm(centers[:, None] - centers[None], axis=-1) + 1e9 * np.eye(len(centers))
    assert apart.min() > 0.2


@pytest.mark.parametrize("kind", ["campus", "office", "hybrid"])
def test_the_ground_is_where_it_says(kind: str) -> None:
    import open3d as o3d

    world = made(kind, 5)
    rng = np.random.default_rng(0)
    xy = rng.uniform(1, np.array(world.ground.extent) - 1, (400, 2))
    shape = world.ground.shape()
    scene = o3d.t.geometry.RaycastingScene()
    scene.add_triangles(shape.vertices.astype(np.float32), shape.faces.astype(np.uint32))
    rays = np.c_[xy, np.full(400, 50.0), np.tile([0, 0, -1.0], (400, 1))].astype(np.float32)
    hit = 50 - scene.cast_rays(o3d.core.Tensor(rays))["t_hit"].numpy()
    assert np.abs(hit - world.ground.height(xy)).max() < 1e-3


def test_lanes_are_one_network_that_leads_everywhere(campus: World) -> None:
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    n, e = len(campus.lanes.nodes), campus.lanes.edges
    count, _ = connected_components(
        coo_matrix((np.ones(len(e)), (e[:, 0], e[:, 1])), shape=(n, n)), directed=False
    )
    assert count == 1
    assert campus.lanes.lengths.sum() > 1000
    reached = {int(campus.ground.region_at([p])[0]) for p in campus.lanes.nodes} - {-1}
    assert len(reached) > 10


def test_lanes_run_on_ground_robots_can_drive(campus: World) -> None:
    for a, b in campus.lanes.nodes[campus.lanes.edges]:
        points = a + np.linspace(0.05, 0.95, 20)[:, None] * (b - a)
        assert (campus.ground.surface_at(points) > 0).all()


@pytest.mark.parametrize("seed", [3, 5])
def test_buildings_of_a_hybrid_world_are_open_and_furnished(seed: int) -> None:
    world = made("hybrid", seed)
    assert len(world.interiors) >= 2
    inside = world.is_inside(np.array([t.box_center for t in world.things]))
    assert 100 < inside.sum() < len(world.things) - 100
    for interior in world.interiors:  # level, with one door a side that lanes lead through
        rim = np.linspace(interior.low[:2], interior.high[:2], 40)
        assert np.ptp(world.ground.height(rim)) < 1e-9
        a, b = (world.lanes.nodes[world.lanes.edges[:, k]] for k in (0, 1))
        through = interior.holds(a) != interior.holds(b)
        ways = np.sign(np.round((a + b)[through] / 2 - (interior.low + interior.high)[:2] / 2, 0))
        assert {tuple(way) for way in ways} == {(-1, 0), (1, 0), (0, -1), (0, 1)}
    names = described(world).regions.names
    for word in ("college corridor", "college lobby", "office", "road"):
        assert any(word in name for name in names)


@pytest.mark.parametrize("kind", ["office", "hybrid"])
def test_true_ways_lead_through_doors_and_not_through_walls(kind: str) -> None:
    from scipy.sparse.csgraph import connected_components

    world = made(kind, 3)
    graph = described(world)
    _, part = connected_components(graph.adjacency("surface_places"), directed=False)
    assert np.bincount(part).max() > 0.98 * len(part)
    words, rooms = ("office", "meeting", "lab"), graph.parents("surface_places", "regions")
    is_room = np.array([name.startswith(words) for name in graph.regions.names])[rooms]
    edges = graph.surface_places.edges.rows
    between = rooms[edges[is_room[edges].all(axis=1)]]
    assert (between[:, 0] == between[:, 1]).all()  # rooms have no door to one another


def test_inside_a_building_there_is_a_ceiling_and_outside_the_sky() -> None:
    world = made("hybrid", 3)
    low, high = world.interiors[0].low, world.interiors[0].high
    camera = Camera("up", np.array([[80.0, 0, 40], [0, 80, 40], [0, 0, 1]]), 80, 80)
    looks_up = np.eye(4)
    for xy, word in (((low + high)[:2] / 2, "ceiling"), (low[:2] - 1.5, "unknown")):
        looks_up[:3, 3] = *xy, low[2] + 1.0
        seen = Renderer(world).view(camera, looks_up).labels
        assert LABELS[int(np.bincount(seen.ravel()).argmax())] == word


# ---- changes ----


def test_a_later_session_differs_by_what_it_says() -> None:
    before, after = made("campus", 3), made("campus", 3, session=1, changes=0.4)
    old = {t.index: t for t in before.things}
    new = {t.index: t for t in after.things}
    said = Counter(line.split()[0] for line in after.changes)
    assert min(said["removed"], said["moved"], said["added"]) >= 3
    assert len(old.keys() - new.keys()) == said["removed"]
    assert len(new.keys() - old.keys()) == said["added"]
    moved = [
        i
        for i in old.keys() & new.keys()
        if not np.allclose(old[i].T_world_thing, new[i].T_world_thing)
    ]
    assert len(moved) == said["moved"]
    assert all(old[i].movable for i in moved)
    assert {f"moved O{i} {old[i].kind}" for i in moved} <= set(after.changes)
    assert np.array_equal(before.ground.heights, after.ground.heights)


def test_sessions_differ_from_each_other_and_repeat() -> None:
    one, again, two = (make_world("office", 3, session=s).changes for s in (1, 1, 2))
    assert one == again
    assert one != two
    assert make_world("office", 3, session=1, changes=0.0).changes == ()


# ---- the true graph ----


@pytest.mark.parametrize("kind", ["campus", "office", "hybrid"])
def test_the_true_graph_describes_the_world(kind: str) -> None:
    world = made(kind, 5)
    graph = described(world)
    assert graph.objects.symbols == [f"O{t.index}" for t in world.things]
    assert len(set(graph.regions.names)) == len(graph.regions)
    assert all(graph.regions.names)
    assert "unknown" not in graph.label_words("surface_places")
    assert (graph.parents("objects", "surface_places") >= 0).all()
    assert (graph.ancestors("objects", "regions") >= 0).mean() > 0.9
    assert (graph.parents("surface_places", "regions") >= 0).mean() > 0.95


def test_boxes_are_tight(campus: World, graph: SceneGraph) -> None:
    for row, thing in enumerate(campus.things):
        v = apply(thing.T_world_thing, thing.shape.vertices)
        R = thing.T_world_thing[:3, :3]
        local = (v - graph.objects.boxes.centers[row]) @ R
        size = graph.objects.boxes.sizes[row]
        assert np.allclose(local.max(axis=0), size / 2, atol=1e-6)
        assert np.allclose(local.min(axis=0), -size / 2, atol=1e-6)


def test_surface_places_cover_the_free_ground_with_their_class(
    campus: World, graph: SceneGraph
) -> None:
    rng = np.random.default_rng(1)
    points = rng.uniform(5, 195, (3000, 2))
    free = campus.ground.surface_at(points) > 0
    distance, _ = graph.nearest("surface_places", np.c_[points, campus.ground.height(points)])
    assert (distance[free, 0] < 6).mean() > 0.98
    centers = graph.surface_places.positions
    assert (campus.ground.surface_at(centers[:, :2]) == graph.surface_places.labels).all()
    assert np.abs(campus.ground.height(centers[:, :2]) - centers[:, 2]).max() < 1e-9
    sizes = [len(graph.surface_places.boundaries[k]) for k in range(50)]
    assert min(sizes) >= 4


def test_every_surface_place_can_be_reached(graph: SceneGraph) -> None:
    from scipy.sparse.csgraph import connected_components

    adjacency = graph.adjacency("surface_places")
    _, part = connected_components(adjacency, directed=False)
    assert np.bincount(part).max() > 0.98 * len(part)


def test_regions_carry_names_people_use(graph: SceneGraph) -> None:
    names = graph.regions.names
    assert any("parking lot" in name for name in names)
    assert any("road" in name for name in names)
    assert any("sidewalk" in name for name in names)
    assert any("shelter" in name for name in names)


def test_things_and_regions_carry_the_words_people_use(graph: SceneGraph) -> None:
    colors = {name: set() for name in set(graph.objects.names)}
    for row, name in enumerate(graph.objects.names):
        colors[name].add(graph.objects.metadata(row)["color"])
    assert colors["hydrant"] == {"red"}
    assert colors["broadleaf tree"] == {"green"}
    assert colors["bench"] <= {"brown", "black"}
    assert len(colors["car"]) >= 3
    assert graph.regions.metadata(0)["name"] == graph.regions.names[0]


def test_the_graph_survives_its_file(graph: SceneGraph, tmp_path) -> None:
    back = load_scene(save_scene(graph, tmp_path / "scene.json"))
    assert back.objects.symbols == graph.objects.symbols
    assert back.regions.names == graph.regions.names
    assert np.allclose(back.surface_places.positions, graph.surface_places.positions, atol=1e-5)


def test_the_mesh_of_the_graph_is_what_cameras_see(office: World) -> None:
    mesh = scene_of(office, with_mesh=True).mesh
    assert mesh is not None
    assert len(mesh.faces) == len(Renderer(office)._soup.faces)
    assert mesh.labels is not None
    assert (mesh.labels >= 0).all()


def test_wrong_wishes_are_told() -> None:
    with pytest.raises(CommongroundError, match="size_m"):
        make_world("campus", 0, size_m=5)
    with pytest.raises(CommongroundError, match="campus"):
        make_world("moon", 0)


def test_moved_things_keep_their_own_frame() -> None:
    before, after = made("campus", 3), made("campus", 3, session=1, changes=0.4)
    new = {t.index: t for t in after.things}
    for thing in before.things:
        other = new.get(thing.index)
        if other is None:
            continue
        assert np.array_equal(thing.shape.vertices, other.shape.vertices)
        T = inverse(thing.T_world_thing) @ other.T_world_thing
        assert np.allclose(T[2, :2], 0)
