"""Regions are what people speak of: one lawn across a path, no scrap with a name of its own, rooms apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from commonground.mapping.fusion.merge_graphs import add_regions
from commonground.mapping.fusion.merge_ground import merge_ground
from commonground.mapping.space.areas import areas
from commonground.mapping.space.region_scores import evaluate_regions
from commonground.mapping.space.rooms import openly_joined, without_corners
from commonground.mapping.space.settings import RegionSettings
from commonground.scene import Edges, Layer, Ragged, SceneGraph
from commonground.scene.layer import PLACES, REGIONS, SURFACE_PLACES
from commonground.scene.parts import connected
from commonground.symbols import node_ids

GRASS, PATH, FLOOR, ROAD = range(4)
WORDS = {GRASS: "grass", PATH: "path", FLOOR: "floor", ROAD: "road"}
SQUARE = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])


def ground(tiles: list[tuple[float, float, int]], size_m: float = 2.0) -> Layer:
    """Return square tiles of ground about (x, y) of a kind each; those that touch are neighbors."""
    at = np.array([(x, y, 0.0) for x, y, _ in tiles])
    gap = np.abs(at[:, None] - at[None]).sum(axis=2)
    return Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(len(at))),
        at,
        labels=[kind for *_, kind in tiles],
        edges=Edges.of(np.argwhere(np.triu(gap <= size_m + 1e-6, 1))),
        boundaries=Ragged.of([SQUARE * size_m / 2 + p for p in at]),
        columns={"area_m2": np.full(len(at), size_m**2)},
    )


def strip(x0: float, count: int, kind: int, y: float = 0.0) -> list[tuple[float, float, int]]:
    return [(x0 + 2.0 * k, y, kind) for k in range(count)]


def grouped(tiles: list[tuple[float, float, int]], **settings: float) -> list[set[int]]:
    layer = ground(tiles)
    kind = np.asarray(layer.labels)
    area = areas(layer, kind, kind == ROAD, RegionSettings(**settings))
    return sorted(({*np.flatnonzero(area == a).tolist()} for a in np.unique(area)), key=min)


def test_a_lawn_is_one_on_both_sides_of_a_path_and_across_ground_nobody_saw() -> None:
    tiles = strip(0, 4, GRASS) + strip(8, 1, PATH) + strip(8, 1, PATH, 2) + strip(10, 4, GRASS)
    tiles += strip(21, 4, GRASS)  # after 3 m that were not seen
    lawn = {0, 1, 2, 3, *range(6, 14)}
    assert grouped(tiles) == [lawn, {4, 5}]
    assert len(grouped(tiles, bridge_m=1.0)) == 4


def test_what_lies_far_apart_stays_apart() -> None:
    assert len(grouped(strip(0, 4, GRASS) + strip(13, 4, GRASS))) == 2


def test_a_scrap_belongs_to_the_neighbor_it_touches_and_one_that_touches_none_to_the_nearest() -> (
    None
):
    tiles = strip(0, 5, PATH) + strip(4, 1, GRASS, 2) + strip(13, 1, FLOOR)
    assert grouped(tiles) == [set(range(7))]
    assert grouped(tiles, min_area_m2=3.0) == [set(range(5)), {5}, {6}]
    assert grouped([*strip(0, 5, PATH), (60.0, 0.0, FLOOR)]) == [set(range(5)), {5}]


def test_other_levels_are_no_gap_of_the_same_ground() -> None:
    layer = ground(strip(0, 4, GRASS) + strip(10, 4, GRASS))
    raised = Layer.of(
        SURFACE_PLACES,
        layer.ids,
        layer.positions + np.where(np.arange(8) < 4, 0.0, 3.0)[:, None] * [0, 0, 1],
        labels=layer.labels,
        edges=layer.edges,
        boundaries=layer.boundaries,
        columns=layer.columns,
    )
    kind = np.asarray(raised.labels)
    assert len(set(areas(raised, kind, kind == ROAD, RegionSettings()).tolist())) == 2


def scene(tiles: list[tuple[float, float, int]], rooms: list[list[int]]) -> SceneGraph:
    """Return a robot's graph whose regions are the tiles listed, called rooms where they are of floor."""
    surface = ground(tiles)
    names = ["room" if tiles[r[0]][2] == FLOOR else WORDS[tiles[r[0]][2]] for r in rooms]
    at = np.array([surface.positions[r].mean(axis=0) for r in rooms])
    regions = Layer.of(REGIONS, node_ids("R", np.arange(len(rooms))), at, names=names)
    graph = SceneGraph().with_layer("surface_places", surface, WORDS)
    graph = graph.with_layer("regions", regions)
    links = [(tile, k) for k, room in enumerate(rooms) for tile in room]
    return graph.with_links("surface_places", "regions", links)


def team(*graphs: SceneGraph) -> Any:
    fused = merge_ground(graphs)
    graph = SceneGraph().with_layer("surface_places", fused.layer, fused.words)
    return add_regions(graph, fused, graphs)


def test_rooms_that_a_door_joins_stay_rooms_when_robots_are_fused() -> None:
    one = scene(strip(0, 8, FLOOR), [[0, 1, 2, 3], [4, 5, 6, 7]])
    two = scene([(x + 0.2, y, k) for x, y, k in strip(0, 4, FLOOR)], [[0, 1, 2, 3]])
    regions = team(one, two).regions
    assert list(regions.names) == ["room", "room"]
    np.testing.assert_allclose(np.sort(regions.columns["area_m2"]), [16.0, 16.0])


def test_regions_of_a_team_reach_across_what_each_robot_saw() -> None:
    one = scene(strip(0, 4, GRASS), [[0, 1, 2, 3]])
    two = scene(strip(8, 4, GRASS), [[0, 1, 2, 3]])
    assert list(team(one, two).regions.names) == ["grass"]


def test_regions_score_by_the_ground_they_share_with_true_ones() -> None:
    tiles = strip(0, 6, GRASS) + strip(0, 6, PATH, 2)
    truth = scene(tiles, [list(range(6)), list(range(6, 12))])
    assert evaluate_regions(truth, truth).precision == 1.0
    assert evaluate_regions(truth, truth).recall == 1.0
    cut = scene(tiles, [[0, 1], [2, 3, 4, 5], list(range(6, 12))])
    scores = evaluate_regions(cut, truth)
    assert (scores.found, scores.true) == (3, 2)
    assert scores.precision == pytest.approx(2 / 3)
    assert scores.recall == 1.0
    moved = np.eye(4)
    moved[:2, 3] = 100.0, -50.0
    assert evaluate_regions(truth, truth, moved).recall != 1.0


def test_furniture_cuts_no_room_in_two_and_a_door_joins_none() -> None:
    layer = ground(strip(0, 8, FLOOR) + strip(0, 8, FLOOR, 2))
    borders = Edges(
        layer.edges.rows,
        layer.edges.weights,
        tuple({"metadata": {"border_m": 2.0}} for _ in layer.edges.rows),
    )
    sides = np.where(
        np.arange(16) % 8 < 4, 5, 9
    )  # two tiles of each row meet: four meters of floor
    assert len(set(openly_joined(sides, borders, 3.5).tolist())) == 1
    apart = openly_joined(sides, borders, 4.5)
    assert len(set(apart.tolist())) == 2
    sides[[3, 4]] = -1  # a wall where the first rows met: the others meet along a door
    assert len({*openly_joined(sides, borders, 3.5)[sides >= 0].tolist()}) == 2
    assert (openly_joined(sides, borders, 3.5)[sides < 0] == -1).all()


def roads(
    *lines: tuple[tuple[float, float], tuple[float, float]],
) -> list[tuple[float, float, int]]:
    """Return tiles of roads six meters wide along lines between (x, y)."""
    tiles: dict[tuple[float, float], int] = {}
    for a, b in lines:
        steps = max(1, round(np.hypot(b[0] - a[0], b[1] - a[1]) / 2))
        for share in np.linspace(0, 1, steps + 1):
            x, y = 2 * np.round((np.array(a) + share * np.subtract(b, a)) / 2)
            for i in (-2, 0, 2):
                across = (x, y + i) if a[1] == b[1] else (x + i, y)
                tiles[across] = ROAD
    return [(x, y, kind) for (x, y), kind in tiles.items()]


def test_streets_go_on_through_their_crossings() -> None:
    tiles = roads(((0, 0), (120, 0)), ((30, -40), (30, 40)), ((90, 0), (90, 60)))
    found = grouped(tiles)
    assert len(found) == 3
    at = np.array([t[:2] for t in tiles])
    spans = sorted(tuple(np.round(np.ptp(at[sorted(street)], axis=0)).tolist()) for street in found)
    assert [max(span) for span in spans] == pytest.approx([60, 80, 120], abs=8)
    assert all(min(span) < 12 for span in spans)


def test_a_road_without_crossings_is_one_street_and_a_stump_is_none() -> None:
    assert len(grouped(roads(((0, 0), (80, 0))))) == 1
    assert len(grouped(roads(((0, 0), (80, 0)), ((40, 0), (40, 8))))) == 1


def test_no_yard_is_cut_into_streets() -> None:
    assert len(grouped([(2.0 * i, 2.0 * j, ROAD) for i in range(20) for j in range(18)])) == 1


def test_a_corner_of_a_few_places_is_no_room() -> None:
    """Places of a small scene lie close: six of them fit behind a table."""
    hall = [(0.5 * x, 0.5 * y) for x in range(6) for y in range(6)]
    corner = [(3.0 + 0.25 * x, 0.25 * y) for x in range(3) for y in range(2)]
    at = np.array([(x, y, 0.0) for x, y in hall + corner])
    room = np.repeat([0, len(hall)], [len(hall), len(corner)])
    gap = np.linalg.norm(at[:, None] - at[None], axis=2)
    edges = Edges.of(np.argwhere(np.triu(gap < 0.6, 1)))
    clearance = np.full(len(at), 0.3)
    places = Layer.of(
        PLACES,
        node_ids("p", np.arange(len(at))),
        at,
        edges=edges,
        columns={"clearance_m": clearance},
    )
    width = np.full(len(edges.rows), 0.3)
    assert set(without_corners(room, places, width, 3.0).tolist()) == {0}
    assert set(without_corners(room, places, width, 0.5).tolist()) == {0, len(hall)}
    alone = np.zeros(len(at), np.int64)  # the only room there is, however small
    assert set(without_corners(alone, places, width, 99.0).tolist()) == {0}


def two_rooms(*tiles: tuple[float, float], off_m: float = 0.0) -> SceneGraph:
    """Return a robot's rooms below and above a wall at y = 0 with a door at x = 7; outlines reach into it."""
    below = [(x, y) for x, y in tiles if y < 0]
    order = [*below, *(tile for tile in tiles if tile not in below)]
    graph = scene(
        [(x + off_m, y, FLOOR) for x, y in order],
        [list(range(len(below))), list(range(len(below), len(order)))],
    )
    surface = graph.surface_places
    i, j = surface.edges.rows.T
    at = surface.positions
    open_ = (np.sign(at[i, 1]) == np.sign(at[j, 1])) | (np.abs(at[i, 0] - 7.0) < 0.5)
    assert surface.boundaries is not None
    outlines = Ragged(surface.boundaries.points * [1, 1.03, 1], surface.boundaries.starts)
    edges = Edges.of(surface.edges.rows[open_])
    return graph.with_layer(
        "surface_places", replace(surface, edges=edges, boundaries=outlines), WORDS
    )


def test_no_way_of_a_fused_map_leads_through_a_wall_though_outlines_meet_in_it() -> None:
    one = two_rooms(*[(x, y) for y in (-1.0, 1.0) for x in (1.0, 3.0, 5.0, 7.0)])
    two = two_rooms(*[(x, y) for y in (-1.0, 1.0) for x in (2.1, 4.1, 6.1)], (7.5, -1.0))
    for team_of in ([one, two], [two, one]):
        layer = merge_ground(team_of).layer
        at = layer.positions[layer.edges.rows]
        through = at[:, 0, 1] * at[:, 1, 1] < 0
        assert through.any()
        assert (np.abs(at[through, :, 0].mean(axis=1) - 7.0) < 1.0).all()
        assert connected(len(layer), layer.edges.rows).max() == 0


def test_a_corridor_that_two_robots_count_to_different_rooms_joins_these_not() -> None:
    tiles, corridor = strip(0, 10, FLOOR), [4, 5]
    one = scene(tiles, [[0, 1, 2, 3, *corridor], [6, 7, 8, 9]])
    two = scene([(x + 0.2, y, k) for x, y, k in tiles], [[0, 1, 2, 3], [*corridor, 6, 7, 8, 9]])
    assert len(team(one, two).regions) == 2
    assert len(team(two, one).regions) == 2
