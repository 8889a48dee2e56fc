"""A pose is not believed where what should be seen again is not, nor where things fit another way as well."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.localization import Relocalizer, State
from commonground.localization.evaluation.relocalization import is_near, pose_error
from commonground.localization.evaluation.traverses import (
    Traverse,
    route,
    simulate_traverse,
    true_map,
)
from commonground.localization.evaluation.worlds import World, campus, grid
from commonground.localization.seen_again import (
    SeenAgain,
    outline,
    repeated,
    seen_again,
    usually,
    within,
)

LEFT = route([(-112.0, -50.0), (-50.0, -50.0), (-50.0, 50.0), (-112.0, 50.0), (-112.0, -50.0)])


def drives(world: World, *routes: np.ndarray, seed: int = 0) -> list[Traverse]:
    rng = np.random.default_rng(seed)
    return [simulate_traverse(world, r, rng, robot=f"robot{k}") for k, r in enumerate(routes)]


def fixes(mapped: Relocalizer, driven: Traverse, begin: int, end: int) -> list[bool]:
    """Return for each submap at which a robot that was set down knows its pose whether it is right."""
    mapped.forget()
    told = []
    for k in range(begin, end):
        estimate = mapped.update(driven.objects, driven.objects.submaps[k])
        if estimate.state is State.LOCALIZED and estimate.T_map_submap is not None:
            told.append(is_near(pose_error(driven.T_world_submaps[k], estimate.T_map_submap)))
    return told


def test_a_pose_is_not_believed_where_what_should_be_there_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, again = drives(campus(np.random.default_rng(1), 250.0), LEFT[:20], LEFT[:20])
    mapped = Relocalizer(true_map([one]))
    right = fixes(mapped, again, 8, 15)
    assert right and all(right)
    missing = "commonground.localization.relocalizer.seen_again"
    monkeypatch.setattr(missing, lambda *_: SeenAgain(asked=60, found=12))
    assert not fixes(mapped, again, 8, 15)


def test_equal_lamps_in_rows_tell_no_place() -> None:
    world = grid(np.random.default_rng(2), 6.0, 90.0)
    way = route([(-30.0, -30.0), (30.0, -30.0), (30.0, 0.0), (-30.0, 0.0)])
    one, again = drives(world, way, way)
    assert all(fixes(Relocalizer(true_map([one])), again, 0, len(way)))
    points = world.centers
    everything = np.ones((len(points), len(points)), bool)
    assert repeated(points, points, everything)
    assert not seen_again(points, points, everything).contradicts(1.0)


def test_things_that_lie_anyhow_fit_one_way_only() -> None:
    rng = np.random.default_rng(3)
    points = np.c_[rng.uniform(-30, 30, (60, 2)), np.zeros(60)]
    alike = np.ones((60, 60), bool)
    assert not repeated(points, points + rng.normal(0, 0.1, points.shape), alike)
    assert not repeated(points[:5], points[:5], alike[:5, :5]), "few things say nothing"


@pytest.mark.parametrize("share", [0.2, 0.8])
def test_what_is_missing_speaks_against_a_pose(share: float) -> None:
    rng = np.random.default_rng(4)
    points = np.c_[rng.uniform(-30, 30, (200, 2)), np.zeros(200)]
    kept = rng.random(200) < share
    others = np.c_[rng.uniform(-30, 30, (200, 2)), np.zeros(200)]
    mapped = np.where(kept[:, None], points, others)
    told = seen_again(points, mapped, np.eye(200, dtype=bool))
    assert told.share == pytest.approx(share, abs=0.1)
    assert told.contradicts(1.0) == (share < 0.5)
    assert not told.contradicts(0.2), "of who sees little, little is asked"


def test_a_robot_that_sees_again_what_it_passes() -> None:
    (driven,) = drives(campus(np.random.default_rng(5), 250.0), LEFT[8:20])
    assert 0.4 < usually(driven.objects, driven.objects.submaps) <= 1.0
    assert usually(driven.objects, driven.objects.submaps[:1]) == 0.0


def test_what_lies_within_an_outline() -> None:
    square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    assert within(outline(square), np.array([[1.0, 1.0], [3.0, 1.0]])).tolist() == [True, False]
    assert not within(outline(square[:2]), np.array([[1.0, 0.0]])).any()
