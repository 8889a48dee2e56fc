"""Surfaces laid over one another: two drives along one street lie to centimeters, and nothing is made up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from commonground.arrays import Floats
from commonground.geometry import angle_between, apply, from_xyz_yaw, inverse
from commonground.localization import Estimate, State
from commonground.mapping.confirming import confirmed
from commonground.mapping.fusion.align import joined as joined_closures
from commonground.mapping.fusion.closures import OUTSIDE, Closure
from commonground.mapping.fusion.deform import Deformation
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.merge_mesh import deformed
from commonground.mapping.fusion.overlay import Overlay, Sight, overlay
from commonground.mapping.fusion.patches import surface_patches
from commonground.mapping.fusion.posegraph import Constraints
from commonground.mapping.fusion.robust import Optimized
from commonground.mapping.fusion.surface_registration import register_patches
from commonground.mapping.fusion.surfaces import refined_on_surfaces
from commonground.mapping.fusion.team_graph import team_graph
from commonground.mapping.surface.mesh_part import MeshPart
from commonground.objects import ObjectMap
from commonground.scene import SceneGraph

LENGTH_M = 40
STEP_NS = 10**9
AHEAD_M, IN_SIGHT_M = 4.0, 4.0


def patch(corner: list[float], u: list[float], v: list[float], step: float = 0.25) -> MeshPart:
    """Return a rectangle of mesh, its normal along u × v."""
    corner_, u_, v_ = (np.array(x, float) for x in (corner, u, v))
    m, n = (max(2, round(np.linalg.norm(x) / step)) for x in (u_, v_))
    a, b = np.meshgrid(np.linspace(0, 1, m), np.linspace(0, 1, n), indexing="ij")
    p = corner_ + a[..., None] * u_ + b[..., None] * v_
    k = np.arange(m * n).reshape(m, n)
    one = np.stack([k[:-1, :-1], k[1:, :-1], k[1:, 1:]], axis=-1).reshape(-1, 3)
    two = np.stack([k[:-1, :-1], k[1:, 1:], k[:-1, 1:]], axis=-1).reshape(-1, 3)
    return part(p.reshape(-1, 3), np.concatenate([one, two]))


def part(vertices: Floats, faces: Floats) -> MeshPart:
    seen_m = vertices[:, 0] - AHEAD_M
    return MeshPart(
        keys=np.zeros(len(vertices), np.int64),
        vertices=vertices.astype(np.float32),
        colors=np.zeros((len(vertices), 3), np.uint8),
        labels=np.zeros(len(vertices), np.int32),
        first_seen_ns=((seen_m - IN_SIGHT_M) * STEP_NS).astype(np.int64),
        last_seen_ns=((seen_m + IN_SIGHT_M) * STEP_NS).astype(np.int64),
        faces=np.asarray(faces, np.int32),
    )


def street(walls: bool) -> MeshPart:
    """Return the ground under a drive along x, and house fronts with projections beside it."""
    parts = [patch([-2, -5, 0], [LENGTH_M + 8, 0, 0], [0, 10, 0])]
    rng = np.random.default_rng(0)
    for x in np.arange(0.0, LENGTH_M + 4, 4.0) if walls else ():
        depth = rng.uniform(0.5, 2.0)
        parts.append(patch([x, 5, 0], [2, 0, 0], [0, 0, 2.5]))
        parts.append(patch([x + 2, 5 - depth, 0], [0, depth, 0], [0, 0, 2.5]))
        parts.append(patch([x + 2, 5 - depth, 0], [2, 0, 0], [0, 0, 2.5]))
    return MeshPart.joined(parts)


def drive(name: str, mesh: MeshPart, bend_deg: float = 0.0) -> RobotRun:
    """Return a drive along the street whose odometry turns away by so much, and its mesh with it."""
    true = from_xyz_yaw(np.stack([[x, 0, 0, 0] for x in range(LENGTH_M + 1)]))
    step = from_xyz_yaw([1.0, 0, 0, np.radians(bend_deg) / LENGTH_M])
    poses = [np.eye(4)]
    for _ in range(LENGTH_M):
        poses.append(poses[-1] @ step)
    stamps = np.arange(LENGTH_M + 1) * STEP_NS
    rows = np.c_[np.arange(LENGTH_M), np.arange(1, LENGTH_M + 1)]
    sigma = np.r_[[0.02, 0.01, 0.01], np.radians([0.1, 0.1, 0.3])]
    odometry = Constraints(
        rows, np.tile(step, (LENGTH_M, 1, 1)), np.tile(np.diag(sigma**2), (LENGTH_M, 1, 1))
    )
    return RobotRun(
        name,
        Path(name),
        SceneGraph(),
        ObjectMap.of(np.empty((0, 3))),
        stamps,
        np.array(poses),
        odometry,
        deformed(mesh, Deformation(true, np.array(poses), stamps)),
    )


def joined(runs: list[RobotRun]) -> tuple[list[Closure], Optimized, Floats]:
    """Return closures and paths with surfaces, of robots that began at one spot."""
    known = Closure((0, 1), (0, 0), np.eye(4), np.diag(np.r_[[0.05] * 3, [0.01] * 3] ** 2), 1.0, 9)
    graph = team_graph(runs, [known])
    none = np.zeros(1)
    start = Optimized(graph.poses, np.ones(1, bool), none, none, np.zeros(2, np.int64))
    closures, graph, found = refined_on_surfaces(runs, [known], graph, start)
    a, b = (found.poses[graph.robot == k] for k in (0, 1))
    return closures, found, inverse(a) @ b


def test_drives_that_bend_apart_are_laid_over_one_another() -> None:
    mesh = street(walls=True)
    runs = [drive("a", mesh), drive("b", mesh, bend_deg=1.5)]
    apart = np.linalg.norm(runs[1].poses[-1, :2, 3] - runs[0].poses[-1, :2, 3])
    assert apart > 0.4
    closures, found, b_in_a = joined(runs)
    assert len(closures) > 5
    assert found.accepted.all()
    assert np.linalg.norm(b_in_a[:, :2, 3], axis=1).max() < 0.06


def test_level_ground_tells_nothing() -> None:
    mesh = street(walls=False)
    closures, found, _ = joined([drive("a", mesh), drive("b", mesh, bend_deg=1.5)])
    assert len(closures) == len(found.accepted) == 1


def test_without_meshes_all_stays_as_it_was() -> None:
    mesh = street(walls=False)
    runs = [replace(drive(name, mesh, bend), mesh=None) for name, bend in (("a", 0.0), ("b", 1.0))]
    closures, found, _ = joined(runs)
    assert len(closures) == 1
    np.testing.assert_array_equal(found.poses, np.concatenate([r.poses for r in runs]))


def test_what_was_in_sight_on_two_visits_belongs_to_no_stretch() -> None:
    run = drive("a", street(walls=True))
    assert run.mesh is not None
    assert len(surface_patches(run)) > 5
    long = replace(run.mesh, last_seen_ns=run.mesh.first_seen_ns + 60 * STEP_NS)
    assert surface_patches(replace(run, mesh=long)) == []


def test_along_a_straight_wall_the_covariance_says_that_nothing_is_known() -> None:
    wall = [patch([-2, -5, 0], [48, 0, 0], [0, 10, 0]), patch([-2, 5, 0], [48, 0, 0], [0, 0, 2.5])]
    one = surface_patches(drive("a", MeshPart.joined(wall)))[2]
    expected = np.diag(np.r_[[0.3] * 3, [0.01] * 3] ** 2)
    found = register_patches(one, one, from_xyz_yaw([0.2, 0.2, 0.0, 0.01]), expected)
    assert found is not None
    assert abs(found.T[1, 3]) < 0.02  # to the wall
    assert found.T[0, 3] == pytest.approx(0.2, abs=0.02)  # along it: as expected before
    sigma = np.sqrt(np.diag(found.covariance))
    assert sigma[0] > 1.0 > 0.1 > sigma[1]


def block(x: float, y: float, size: tuple[float, float, float]) -> MeshPart:
    """Return a box on the floor, its faces outwards."""
    w, d, h = size
    return MeshPart.joined(
        [
            patch([x, y, h], [w, 0, 0], [0, d, 0], 0.05),
            patch([x, y, 0], [w, 0, 0], [0, 0, h], 0.05),
            patch([x, y + d, 0], [0, 0, h], [w, 0, 0], 0.05),
            patch([x, y, 0], [0, 0, h], [0, d, 0], 0.05),
            patch([x + w, y, 0], [0, d, 0], [0, 0, h], 0.05),
        ]
    )


def room(*furniture: MeshPart) -> MeshPart:
    """Return a square room with furniture in it."""
    walls = [
        patch([0, 0, 0], [4, 0, 0], [0, 4, 0], 0.05),
        patch([0, 4, 0], [4, 0, 0], [0, 0, 2], 0.05),
        patch([0, 0, 0], [0, 4, 0], [0, 0, 2], 0.05),
        patch([0, 0, 0], [0, 0, 2], [4, 0, 0], 0.05),
        patch([4, 0, 0], [0, 0, 2], [0, 4, 0], 0.05),
    ]
    return MeshPart.joined([*walls, *furniture])


TABLE, COUNTER = block(0.6, 2.2, (1.6, 0.9, 0.7)), block(2.0, 0.0, (2.0, 0.6, 1.0))


class Rooms(NamedTuple):
    """Two rooms as two robots saw them."""

    one: Sight
    two: Sight
    T_1_2: Floats
    guess: Floats


def seen(first: MeshPart, second: MeshPart, off: list[float]) -> Rooms:
    """Return the first room and the second in a frame of its own, and a guess that is off."""
    T_1_2 = from_xyz_yaw([1.0, -2.0, 0.3, 0.7])
    moved = replace(second, vertices=apply(inverse(T_1_2), second.vertices).astype(np.float32))
    eyes = from_xyz_yaw([[2.2, 2.0, 1.4, 0.0], [2.8, 2.2, 1.4, 1.0], [2.2, 1.4, 1.4, 2.0]])
    one, two = (
        Sight(mesh, poses[:, :3, 3])
        for mesh, poses in ((first, eyes), (moved, inverse(T_1_2) @ eyes))
    )
    return Rooms(one, two, T_1_2, T_1_2 @ from_xyz_yaw(off))


def laid(first: MeshPart, second: MeshPart, off: list[float]) -> tuple[Overlay, Floats]:
    """Return how the second room lies on the first from a guess that is off, and how far off that is."""
    one, two, T_1_2, guess = seen(first, second, off)
    found = overlay(one, two, guess, np.array([2.0, 2.0, 1.0]))
    assert found is not None
    middle = apply(inverse(T_1_2), np.array([2.0, 2.0, 1.0]))
    gap = np.linalg.norm(apply(found.T, middle) - apply(T_1_2, middle))
    return found, np.array([gap, np.degrees(angle_between(found.T, T_1_2))])


def test_a_room_seen_twice_lies_on_itself() -> None:
    same = room(TABLE, COUNTER)
    found, off = laid(same, same, [0.08, -0.05, 0.03, 0.02])
    assert found.holds
    assert off[0] < 0.02
    assert off[1] < 0.3


def test_the_room_next_door_does_not() -> None:
    found, _ = laid(room(TABLE, COUNTER), room(block(2.2, 1.2, (0.9, 1.6, 0.7))), [0, 0, 0, 0])
    assert not found.holds
    assert "needed" in str(found)


@pytest.mark.parametrize("same", [True, False])
def test_surfaces_confirm_where_a_robot_may_be_and_nothing_else(same: bool) -> None:
    here = room(TABLE, COUNTER)
    there = here if same else room(block(2.2, 1.2, (0.9, 1.6, 0.7)))
    rooms = seen(here, there, [0.08, -0.05, 0.03, 0.02])
    spot = from_xyz_yaw([2.0, 2.0, 1.0, 0.0])
    likely = Estimate(
        stamp_ns=0,
        state=State.TENTATIVE,
        T_map_odom=rooms.guess,
        covariance=np.eye(6),
        T_map_submap=spot,
        covariance_submap=np.eye(6),
        confidence=0.95,
        since_m=0.0,
        supports=1,
        pairs=np.empty((0, 2), np.int64),
        hypotheses=1,
    )
    found = confirmed(likely, rooms.one, rooms.two)
    assert found.state is (State.LOCALIZED if same else State.TENTATIVE)
    if same:
        assert found.T_map_odom is not None
        assert found.covariance_submap is not None
        assert np.allclose(found.T_map_odom, rooms.T_1_2, atol=0.02)
        assert np.sqrt(np.diagonal(found.covariance_submap))[:3].max() < 0.1
    unlikely = replace(likely, confidence=0.5)
    assert confirmed(unlikely, rooms.one, rooms.two) is unlikely


def test_what_surfaces_say_stays_beside_objects_seen_again_which_count_once() -> None:
    def closure(x: float, submaps: tuple[int, int]) -> Closure:
        T = from_xyz_yaw([x, 0.0, 0.0, 0.0])
        return Closure((0, 1), (3, 3), T, np.eye(6) * 0.01, 1.0, 9, 17.0, submaps)

    surfaces, objects = closure(1.0, OUTSIDE), closure(1.2, (0, 0))
    again = [closure(1.2001, (0, 0)), closure(1.2, (0, 1)), closure(1.9, (1, 1))]
    kept = joined_closures([surfaces, objects], again)
    assert [c.T[0, 3] for c in kept] == [1.0, 1.2001, 1.9]
    assert [c.repeated for c in kept] == [(), ((0, 1),), ()]


def test_a_bare_room_could_lie_four_ways() -> None:
    found, _ = laid(room(), room(), [0.05, 0.0, 0.0, 0.0])
    assert found.rival > 0.9 * found.share
    assert not found.holds
