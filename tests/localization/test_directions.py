"""Submaps of few objects: matched together with what was seen around, from any side, and found again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from commonground.geometry import inverse
from commonground.localization import Estimate, Relocalizer, State
from commonground.localization.evaluation.directions import (
    Meeting,
    Outcome,
    Recorded,
    kb_per_km,
    outcome,
    rows,
)
from commonground.localization.evaluation.relocalization import is_near, pose_error
from commonground.localization.evaluation.traverses import Traverse, route, simulate_traverse
from commonground.localization.evaluation.worlds import Perception, World, campus
from commonground.localization.places import map_places, submap_places, wide_places
from commonground.localization.settings import LocalizationSettings, PlaceSettings
from commonground.objects import ObjectMap

FEW = Perception(detects=0.2, spurious=0.5)
"""A camera that sees little: a handful of objects a submap."""
STREET = 32.0
POSES = route([(-50.0, -STREET), (50.0, -STREET)])


def estimates(mapped: ObjectMap, objects: ObjectMap) -> list[Estimate]:
    """Return what a robot in a map knows after each of its submaps."""
    relocalizer = Relocalizer(mapped)
    return [relocalizer.update(objects, submap) for submap in objects.submaps]


@pytest.fixture(scope="module")
def world() -> World:
    return campus(np.random.default_rng(4), 160.0)


def recorded(
    world: World, seed: int, *, back: bool = False, perception: Perception = FEW
) -> Recorded:
    poses = POSES[::-1] + [0.0, 0.0, np.pi] if back else POSES
    driven = simulate_traverse(
        world, poses, np.random.default_rng([6, seed]), perception=perception
    )
    objects = driven.objects
    live = []
    for k, submap in enumerate(objects.submaps):
        known = replace(objects, submaps=objects.submaps[: k + 1])
        live.append(known.take(objects.first_seen_ns <= submap.stamp_ns))
    return Recorded(driven, tuple(live))


def solved(meeting: Meeting, **places: float) -> dict[str, object]:
    settings = LocalizationSettings.model_validate({"matching": {"places": places}})
    return next(iter(rows([outcome(meeting, settings)])))


@pytest.fixture(scope="module")
def same_way(world: World) -> Outcome:
    return outcome(Meeting("same", recorded(world, 0), recorded(world, 1)))


@pytest.mark.parametrize("back", [False, True])
def test_context_finds_what_a_handful_of_objects_does_not(world: World, back: bool) -> None:
    meeting = Meeting("any", recorded(world, 0), recorded(world, 1, back=back))
    alone, around = solved(meeting, context_m=0.0), solved(meeting)
    for row in (alone, around):
        assert row["wrong"] == row["wrong fixes"] == 0
    assert int(str(around["accepted"])) > 2 * int(str(alone["accepted"]))
    assert float(str(around["in 60 m"])) >= 0.75
    assert float(str(around["error m"])) < 1.0


def test_nothing_is_accepted_in_another_world(world: World) -> None:
    other = campus(np.random.default_rng(40), 160.0)
    meeting = Meeting("elsewhere", recorded(world, 0), recorded(other, 2), related=False)
    row = solved(meeting)
    assert row["accepted"] == row["fixes"] == row["demanded"] == 0
    assert row["5 m, 10°"] is None and row["in 60 m"] == 0.0


def test_a_robot_set_down_knows_nothing_from_before(same_way: Outcome) -> None:
    assert len(same_way.starts) == len(POSES) - 6
    assert all(s.meters is None or 0 <= s.meters <= 60 for s in same_way.starts)
    assert sum(s.meters == 0 for s in same_way.starts) < len(same_way.starts)


def test_rows_add_up_meetings_of_one_kind(same_way: Outcome) -> None:
    one = same_way
    table = list(rows([one, Outcome("other", (), (), 1.0), one]))
    assert [row["views"] for row in table] == ["same", "other"]
    assert table[0]["pairs"] == 2 * len(POSES) ** 2
    assert table[1]["5 m, 10°"] is None and table[1]["meters"] is None


def test_a_map_is_small(world: World) -> None:
    assert 10 < kb_per_km(recorded(world, 0).traverse) < 1000


# ---- places ----


def sparse(world: World) -> Traverse:
    return recorded(world, 3).traverse


def test_few_objects_call_for_those_around(world: World) -> None:
    objects, settings = sparse(world).objects, PlaceSettings()
    own, wide = submap_places(objects, settings), wide_places(objects, settings)
    for one, two in zip(own, wide, strict=True):
        assert set(one.rows) <= set(two.rows)
        assert len(two) >= min(settings.enough_objects, len(one) + 3)
        assert one.travel_m == two.travel_m and one.stamp_ns == two.stamp_ns
        np.testing.assert_allclose(one.T_map_place, two.T_map_place)
    # what is farther away may have slipped farther
    middle = len(own) // 2
    one, two = own[middle], wide[middle]
    spread = dict(zip(two.rows, two.side.var_h, strict=True))
    added = [spread[row] for row in set(two.rows) - set(one.rows)]
    assert min(added) > (settings.drift_m_per_m * 9.0) ** 2
    for row, variance in zip(one.rows, one.side.var_h, strict=True):
        assert spread[row] == pytest.approx(variance)


def test_enough_objects_need_no_others(world: World) -> None:
    objects = recorded(world, 5, perception=Perception()).traverse.objects
    settings = PlaceSettings(enough_objects=10)
    for one, two in zip(
        submap_places(objects, settings), wide_places(objects, settings), strict=True
    ):
        assert len(one) < 10 or one.rows.tolist() == two.rows.tolist()
    alone = PlaceSettings(context_m=0.0)
    for one, two in zip(submap_places(objects, alone), wide_places(objects, alone), strict=True):
        assert one.rows.tolist() == two.rows.tolist()


def test_a_map_of_few_objects_has_wider_places(world: World) -> None:
    objects = sparse(world).objects
    narrow = map_places(objects, PlaceSettings(widest_m=18.0))
    wide = map_places(objects, PlaceSettings())
    assert len(narrow) == len(wide)
    assert np.mean([len(p) for p in wide]) > np.mean([len(p) for p in narrow])
    assert all(np.hypot(*p.points[:, :2].T).max(initial=0.0) <= 40.0 for p in wide)


# ---- a robot that sees little ----


def test_a_stretched_drive_is_never_localized(world: World) -> None:
    mapped, driven = recorded(world, 0).traverse.objects, recorded(world, 1).traverse.objects
    T = [s.T_map_submap.copy() for s in driven.submaps]
    for pose in T:
        pose[:3, 3] *= 1.3
    stretched = replace(
        driven,
        centroids=1.3 * driven.centroids,
        submaps=tuple(replace(s, T_map_submap=t) for s, t in zip(driven.submaps, T, strict=True)),
    )
    assert all(e.state is not State.LOCALIZED for e in estimates(mapped, stretched))


def test_submaps_of_one_object_are_told_from_what_came_before(world: World) -> None:
    one, two = recorded(world, 0).traverse, recorded(world, 1).traverse
    single = replace(
        two.objects, submaps=tuple(replace(s, rows=s.rows[:2]) for s in two.objects.submaps)
    )
    for k, estimate in enumerate(estimates(one.objects, single)):
        if estimate.state is State.LOCALIZED:
            assert estimate.T_map_submap is not None
            true = two.T_world_submaps[k]
            near = np.linalg.norm(one.T_world_submaps[:, :3, 3] - true[:3, 3], axis=1).argmin()
            T_map_world = one.objects.submaps[near].T_map_submap @ inverse(
                one.T_world_submaps[near]
            )
            assert is_near(pose_error(T_map_world @ true, estimate.T_map_submap))
