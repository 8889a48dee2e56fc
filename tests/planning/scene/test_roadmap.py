"""A robot's places and the ways between them: what is shut is shut both ways, and nothing else is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.planning.scene.loose import loosened
from commonground.planning.scene.paths import unrestricted
from commonground.planning.scene.roadmap import Roadmap, build_roadmap
from commonground.robots import Robot
from commonground.scene.layer import Edges


@pytest.fixture(scope="module")
def road() -> Roadmap:
    return build_roadmap(sample_scene(), Robot("spot", from_xyz_yaw([0, 0, 0, 0])))


def test_steps_are_taken_out_both_ways_and_places_are_shut(road: Roadmap) -> None:
    rows, columns = road.metric.nonzero()
    steps = {(int(rows[0]), int(columns[0])), (int(rows[-1]), int(columns[-1])), (0, 0)}
    left = road.without(steps, [3])
    expected = road.metric.toarray()
    for a, b in steps:
        expected[a, b] = expected[b, a] = 0.0
    np.testing.assert_array_equal(left.metric.toarray(), expected)
    assert left.metric.nnz == np.count_nonzero(expected) < road.metric.nnz
    assert np.flatnonzero(road.usable & ~left.usable).tolist() == [3]
    same = road.without([], [])
    np.testing.assert_array_equal(same.metric.toarray(), road.metric.toarray())


def test_from_a_point_to_itself_it_is_nothing_however_often_it_is_asked(road: Roadmap) -> None:
    thing, place = road.object(road.graph.objects.symbols[0]), road.place(2)
    meters = unrestricted(road).between([thing, place, thing, place])
    assert meters[[0, 1, 2, 3, 0, 1], [0, 1, 2, 3, 2, 3]].tolist() == [0.0] * 6
    assert meters[0, 1] == meters[2, 3] > 0


def test_places_that_nothing_joins_are_loosened_without_a_word() -> None:
    scene = sample_scene()
    name = "surface_places"
    scene = scene.with_layer(
        name, replace(scene.layer(name), edges=Edges.of(np.empty((0, 2), int)))
    )
    robot = Robot("spot", from_xyz_yaw([0, 0, 0, 0]))
    road = build_roadmap(scene, robot)
    assert road.metric.nnz == 0 and road.widths.rim is not None
    loose = loosened(road, robot)
    assert loose is None or loose.metric.nnz == 0
