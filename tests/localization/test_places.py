"""Places, shortlists, registration and relocalization on made-up drives."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from commonground.errors import LocalizationError
from commonground.geometry import angle_between, apply, from_xyz_yaw, inverse, log_se3
from commonground.localization import (
    Estimate,
    Registration,
    Relocalizer,
    State,
    Verdict,
    register,
)
from commonground.localization.evaluation.traverses import (
    Traverse,
    route,
    simulate_traverse,
    street_route,
    true_map,
)
from commonground.localization.evaluation.worlds import World, campus, grid
from commonground.localization.matching import match_maps
from commonground.localization.places import map_places, submap_places
from commonground.localization.retrieval import compare_appearance, make_atlas
from commonground.localization.settings import LocalizationSettings, MatchingSettings
from commonground.objects import ObjectMap, Submap, load_objects, save_objects

EXTENT_M = 200.0
STREET = EXTENT_M / 5


def relocalize(objects_map: ObjectMap, objects: ObjectMap) -> Iterator[Estimate]:
    """Yield the estimates of a robot in a map, one for each of its submaps, in the order driven."""
    relocalizer = Relocalizer(objects_map)
    for submap in sorted(objects.submaps, key=lambda s: s.stamp_ns):
        yield relocalizer.update(objects, submap)


@pytest.fixture(scope="module")
def world() -> World:
    return campus(np.random.default_rng(1), EXTENT_M)


def along_the_street(
    world: World, seed: int, *, back: bool = False, later: bool = False
) -> Traverse:
    """A drive of 130 m along one street, and round the corner."""
    rng = np.random.default_rng([2, seed])
    corners = np.array([(-STREET, -STREET), (STREET, -STREET), (STREET, 10.0)])
    poses = route(corners[::-1] if back else corners)
    return simulate_traverse(world.later(rng) if later else world, poses, rng, robot=f"robot{seed}")


@pytest.fixture(scope="module")
def mapped(world: World) -> ObjectMap:
    """The fused map of three drives."""
    return true_map(
        [
            simulate_traverse(
                world,
                street_route(np.random.default_rng([3, r]), EXTENT_M, 30),
                np.random.default_rng([4, r]),
                robot=f"mapper{r}",
            )
            for r in range(3)
        ],
    )


def pose_error(drive_: Traverse, k: int, T_map_submap: np.ndarray) -> tuple[float, float]:
    E = inverse(drive_.T_world_submaps[k]) @ T_map_submap
    return float(np.linalg.norm(E[:3, 3])), float(np.degrees(np.linalg.norm(log_se3(E)[3:])))


# ---- matching two maps ----


@pytest.mark.parametrize("back", [False, True])
def test_two_drives_meet_from_the_same_and_the_opposite_side(world: World, back: bool) -> None:
    one, two = along_the_street(world, 0), along_the_street(world, 1, back=back, later=True)
    settings = MatchingSettings()
    places = [submap_places(d.objects, settings.places) for d in (one, two)]
    matches = match_maps(one.objects, places[0], make_atlas(two.objects, places[1]), settings)
    accepted = [m for m in matches if m.accepted]
    assert len(accepted) >= 8
    for m in accepted:
        true = inverse(two.T_world_submaps[m.place2]) @ one.T_world_submaps[m.place1]
        E = inverse(true) @ m.association.T_2_1
        assert np.linalg.norm(E[:3, 3]) < 5
        assert np.degrees(np.linalg.norm(log_se3(E)[3:])) < 10
        same = one.truth[m.association.pairs[:, 0]] == two.truth[m.association.pairs[:, 1]]
        assert same.mean() > 0.6


@pytest.mark.parametrize("itself", [False, True])
def test_some_objects_look_alike_as_much_as_among_all(world: World, itself: bool) -> None:
    one = along_the_street(world, 0).objects
    two = one if itself else along_the_street(world, 1, later=True).objects
    rows, columns = np.arange(3, len(one), 4), np.arange(0, len(two), 3)
    atlas = make_atlas(two, ())
    every = compare_appearance(atlas, one).between(rows, columns)
    some = compare_appearance(atlas, one, (rows, columns)).between(rows, columns)
    assert every.std() > 0.1
    assert np.allclose(some, every, atol=1e-3)


def test_the_shortlist_costs_little_and_loses_little(world: World) -> None:
    one, two = along_the_street(world, 0), along_the_street(world, 1, later=True)
    found = []
    for most in (0, 6):
        settings = MatchingSettings(retrieval={"max_candidates": most})  # type: ignore[arg-type]
        places = [submap_places(d.objects, settings.places) for d in (one, two)]
        matches = match_maps(one.objects, places[0], make_atlas(two.objects, places[1]), settings)
        found.append({m.place1 for m in matches if m.accepted})
        if most:
            assert len(matches) <= most * len(places[0])
    assert len(found[1]) >= 0.9 * len(found[0])


def test_registration_of_two_maps(world: World) -> None:
    one, two = along_the_street(world, 0), along_the_street(world, 1, back=True, later=True)
    G = from_xyz_yaw(np.array([80.0, -30.0, 2.0, 2.5]))
    moved = one.objects.transformed(G, "elsewhere")
    answer = register(moved, two.objects)
    assert answer.accepted and answer.confidence > 0.95
    assert len(answer.matches) >= 8
    # drift bends both maps: compare where they meet
    match = answer.matches[0]
    spot = moved.submaps[match.place1].T_map_submap
    expected = (
        two.objects.submaps[match.place2].T_map_submap
        @ inverse(two.T_world_submaps[match.place2])
        @ one.T_world_submaps[match.place1]
    )
    miss = apply(answer.T_map2_map1, spot[None, :3, 3]) - expected[:3, 3]
    assert np.linalg.norm(miss) < 2.0
    assert np.degrees(angle_between(answer.T_map2_map1 @ spot, expected)) < 4.0
    assert (np.linalg.eigvalsh(answer.covariance) > 0).all()
    pairs = answer.object_pairs
    assert len(set(pairs[:, 0])) == len(set(pairs[:, 1])) == len(pairs)
    assert (one.truth[pairs[:, 0]] == two.truth[pairs[:, 1]]).mean() > 0.7


def test_registration_turned_round_is_the_inverse(world: World) -> None:
    one, two = along_the_street(world, 0), along_the_street(world, 1)
    there, back = register(one.objects, two.objects), register(two.objects, one.objects)
    spot = one.objects.submaps[6].T_map_submap[None, :3, 3]
    again = apply(back.T_map2_map1, apply(there.T_map2_map1, spot))
    assert np.linalg.norm(again - spot) < 1.5


def test_maps_of_different_places_are_not_registered(world: World) -> None:
    one = along_the_street(world, 0)
    other = campus(np.random.default_rng(99), EXTENT_M)
    two = along_the_street(other, 1)
    assert not register(one.objects, two.objects).accepted


def test_maps_of_a_grid_are_not_registered() -> None:
    lamps = grid(np.random.default_rng(5))
    one = simulate_traverse(lamps, route([(-20, 0), (20, 0)]), np.random.default_rng(6))
    two = simulate_traverse(lamps, route([(0, -20), (0, 20)]), np.random.default_rng(7))
    answer = register(one.objects, two.objects)
    assert not answer.accepted
    assert answer.confidence < 0.9


def test_empty_maps_are_not_registered(world: World) -> None:
    full = along_the_street(world, 0).objects
    for empty in (ObjectMap.of(np.empty((0, 3))), full.take(slice(0, 0)), full.take(slice(0, 1))):
        for answer in (register(full, empty), register(empty, full)):
            assert isinstance(answer, Registration)
            assert answer.verdict is Verdict.CHANCE


def test_maps_of_different_embedding_models_are_refused(world: World) -> None:
    one = along_the_street(world, 0).objects
    other = dataclasses.replace(one, embedding_model="another")
    with pytest.raises(LocalizationError, match="'simulated'.*'another'"):
        register(one, other)
    with pytest.raises(LocalizationError, match="map both with one model"):
        Relocalizer(one).update(other, other.submaps[0])


def test_vocabularies_are_brought_together(world: World) -> None:
    one, two = along_the_street(world, 0).objects, along_the_street(world, 1).objects
    order = np.random.default_rng(8).permutation(len(two.vocabulary))
    shuffled = dataclasses.replace(
        two,
        vocabulary=tuple(two.vocabulary[k] for k in order),
        label_scores=two.label_scores[:, order],
    )
    plain, renamed = register(one, two), register(one, shuffled)
    np.testing.assert_allclose(renamed.T_map2_map1, plain.T_map2_map1, atol=1e-3)


def test_a_saved_map_matches_as_well(world: World, tmp_path: Path) -> None:
    one, two = along_the_street(world, 0).objects, along_the_street(world, 1).objects
    save_objects(one, tmp_path / "objects.npz")
    again = load_objects(tmp_path / "objects.npz")
    np.testing.assert_allclose(
        register(again, two).T_map2_map1, register(one, two).T_map2_map1, atol=0.02
    )


def test_the_places_of_a_map_cover_it(mapped: ObjectMap) -> None:
    settings = LocalizationSettings().matching.places
    covered = set(np.concatenate([p.rows for p in map_places(mapped, settings)]).tolist())
    assert len(covered) > 0.95 * len(mapped)
    bare = dataclasses.replace(mapped, submaps=())
    assert len(map_places(bare, settings)) > 3


# ---- where a robot is ----


@pytest.mark.parametrize("back", [False, True])
def test_a_robot_finds_itself_in_the_map(world: World, mapped: ObjectMap, back: bool) -> None:
    driven = along_the_street(world, 3, back=back, later=True)
    G = from_xyz_yaw(np.array([300.0, 20.0, -4.0, -2.0]))
    estimates = list(relocalize(mapped, driven.objects.transformed(G, "odom")))
    states = [e.state for e in estimates]
    assert State.LOCALIZED in states[:6]
    known = [(k, e) for k, e in enumerate(estimates) if e.state is State.LOCALIZED]
    assert len(known) >= 8
    squares = []
    for k, e in known:
        assert e.T_map_submap is not None and e.covariance_submap is not None
        assert e.T_map_odom is not None and e.covariance is not None
        miss, turn = pose_error(driven, k, e.T_map_submap)
        assert miss < 5 and turn < 10
        T_odom_submap = G @ driven.objects.submaps[k].T_map_submap
        np.testing.assert_allclose(e.T_map_odom @ T_odom_submap, e.T_map_submap, atol=1e-6)
        xi = log_se3(inverse(e.T_map_submap) @ driven.T_world_submaps[k])
        squares.append(xi @ np.linalg.solve(e.covariance_submap, xi))
        assert (np.linalg.eigvalsh(e.covariance) > 0).all()
        assert e.confidence > 0.9
    assert np.median(squares) < 9.0


def test_what_was_seen_a_while_ago_fixes_the_robot_less_surely(
    world: World, mapped: ObjectMap
) -> None:
    driven = along_the_street(world, 8)
    objects = driven.objects
    stamps = [submap.stamp_ns for submap in objects.submaps[:6]]
    spreads = []
    for seen_at in (5, 4, 3):
        seen = np.full(len(objects), stamps[seen_at])
        known = dataclasses.replace(objects, first_seen_ns=seen, last_seen_ns=seen)
        estimates = list(relocalize(mapped, dataclasses.replace(known, submaps=known.submaps[:6])))
        assert estimates[-1].covariance_submap is not None
        spreads.append(estimates[-1].covariance_submap[[0, 1, 5], [0, 1, 5]])
    grown = np.sqrt(np.diff(spreads, axis=0))
    # ten meters of odometry that errs by 2 %, and then ten more
    assert np.all((grown[0, :2] > 0.1) & (grown[0, :2] < 0.25))
    assert np.all(grown[1] > grown[0])
    assert np.degrees(grown[0, 2]) == pytest.approx(0.4, abs=0.15)


def test_a_robot_elsewhere_stays_lost(mapped: ObjectMap) -> None:
    other = campus(np.random.default_rng(50), EXTENT_M)
    driven = along_the_street(other, 4)
    assert all(e.state is not State.LOCALIZED for e in relocalize(mapped, driven.objects))


def test_a_robot_that_was_carried_away_notices(world: World, mapped: ObjectMap) -> None:
    before, after = along_the_street(world, 5), along_the_street(world, 6, back=True)
    relocalizer = Relocalizer(mapped)
    for submap in before.objects.submaps[:6]:
        estimate = relocalizer.update(before.objects, submap)
    assert estimate.state is State.LOCALIZED
    # odometry goes on as if the robot had not moved
    T = before.objects.submaps[5].T_map_submap @ inverse(after.objects.submaps[0].T_map_submap)
    moved = after.objects.transformed(T, "odom")
    for k, submap in enumerate(moved.submaps):
        estimate = relocalizer.update(moved, submap)
        if k >= 6:
            assert estimate.state is State.LOCALIZED
            assert estimate.T_map_submap is not None
            assert pose_error(after, k, estimate.T_map_submap)[0] < 5


def test_submaps_without_objects_do_no_harm(world: World, mapped: ObjectMap) -> None:
    driven = along_the_street(world, 7)
    relocalizer = Relocalizer(mapped)
    for k, submap in enumerate(driven.objects.submaps):
        rows = submap.rows[:0] if k % 3 == 0 else submap.rows[:1] if k % 3 == 1 else submap.rows
        estimate = relocalizer.update(driven.objects, dataclasses.replace(submap, rows=rows))
    assert estimate.state is State.LOCALIZED
    relocalizer.forget()
    assert relocalizer.state is State.LOST


def test_a_map_without_objects_says_so() -> None:
    with pytest.raises(LocalizationError, match="0 objects"):
        Relocalizer(ObjectMap.of(np.empty((0, 3))))


def test_relocalization_is_deterministic(world: World, mapped: ObjectMap) -> None:
    driven = along_the_street(world, 8)
    runs = [list(relocalize(mapped, driven.objects)) for _ in range(2)]
    for one, two in zip(*runs, strict=True):
        assert one.state is two.state and one.confidence == two.confidence


@pytest.mark.parametrize("seed", [5, 7, 9, 12])
def test_what_lies_alike_after_half_a_turn_does_not_tell_the_place(seed: int) -> None:
    rng, flat, label = np.random.default_rng(seed), [1, 1, 0], np.eye(4, dtype=np.float32)
    half = np.array(
        [[2.0, 2.3, 0.4], [-2.2, 2.2, 0.4], [-3.0, 11.0, 0.4]]
    )  # two tables and a flower
    court = np.concatenate([half, half * [-1, -1, 1]]) + rng.normal(0, 0.05, (6, 3)) * flat
    kinds, others, far = np.array([0, 0, 1, 0, 0, 1]), rng.integers(0, 4, 20), [1, 1, 0.01]
    words = {"vocabulary": ("table", "flower", "tree", "sign")}
    mapped = ObjectMap.of(
        np.concatenate([court, rng.uniform(60, 120, (20, 3)) * far]),
        label_scores=label[np.concatenate([kinds, others])],
        **words,
    )
    seen = court + rng.normal(0, 0.15, (6, 3)) * [1, 1, 0.3]
    views = ([0, 1, 3], [0, 1, 3], [0, 1, 3, 2], [0, 1, 2, 3, 4], [0, 1, 3, 4, 2, 5])
    submaps = tuple(
        Submap(k, from_xyz_yaw([2.0 * k, 5, 0, 0]), np.array(v)) for k, v in enumerate(views)
    )
    driven = ObjectMap.of(seen, label_scores=label[kinds], submaps=submaps, **words)
    assert all(e.state is not State.LOCALIZED for e in relocalize(mapped, driven))
