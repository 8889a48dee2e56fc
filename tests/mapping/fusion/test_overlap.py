"""Joins that rest on a place that looks like another one are noticed by what else they lay on one another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from commonground.arrays import Floats
from commonground.geometry import inverse
from commonground.localization.evaluation.traverses import route, simulate_traverse
from commonground.localization.evaluation.worlds import world_of
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.align import align
from commonground.mapping.fusion.evaluation.teams import EYES, Team, made_up, run_of


@pytest.fixture(scope="module")
def team() -> Team:
    """Three robots in a world of 400 m; the first has one place that looks like one of the others'."""
    return made_up(8126, robots=3, submaps=40, extent_m=400.0)


def test_a_self_similar_place_joins_nobody(team: Team) -> None:
    found = align(team.runs, LocalizationSettings(), np.random.default_rng(8126))
    first, second, third = found.optimized.component
    assert second == third != first
    told = [refused for refused in found.refused if "pairs of places" in refused.missing]
    assert {refused.robots for refused in told} <= {("robot0", "robot1"), ("robot0", "robot2")}
    assert told and any("where they look alike" in note for note in found.notes)


def test_a_right_join_stays_also_with_the_half_of_what_was_seen(team: Team) -> None:
    rng = np.random.default_rng(1)
    half = [
        replace(run, objects=run.objects.take(rng.random(len(run.objects)) < 0.6))
        for run in team.runs[1:]
    ]
    found = align(half, LocalizationSettings(), rng)
    assert found.optimized.component[0] == found.optimized.component[1] and not found.refused


def test_a_room_whose_submaps_all_hold_the_same_objects_is_joined() -> None:
    runs = [
        replace(run, objects=replace(run.objects, submaps=run.objects.submaps[:1] * 3))
        for run in made_up(1, robots=2, submaps=2, extent_m=15.0).runs
    ]
    found = align(runs, LocalizationSettings(), np.random.default_rng(0))
    assert found.optimized.component[0] == found.optimized.component[1] and not found.refused
    (measured,) = found.closures
    assert len(measured.repeated) == 8, "nine pairs of submaps measure one transform"


def test_robots_joined_where_they_set_out_are_not_joined_wrongly_later() -> None:
    team = made_up(0, robots=3, submaps=60, extent_m=400.0)
    found = align(team.runs, LocalizationSettings(), np.random.default_rng(0))
    assert len(set(found.optimized.component.tolist())) == 1
    off = [
        np.linalg.norm((inverse(c.T) @ inverse(one[c.keyframes[0]]) @ two[c.keyframes[1]])[:3, 3])
        for c, used in zip(found.closures, found.optimized.accepted, strict=True)
        for one, two in [(team.paths[c.robots[0]], team.paths[c.robots[1]])]
        if used
    ]
    assert max(off) < 2.0
    (told,) = [refused for refused in found.refused if refused.along]
    assert told.robots == ("robot1", "robot2") and "along one stretch" in str(told)


def test_courts_that_are_alike_join_nobody_whom_a_third_robot_shows_both() -> None:
    rng = np.random.default_rng(17)
    kinds = ["bench", "bin", "lamp", "bush", "rack", "sign", "rock", "statue", "tree"]
    court = [(*rng.uniform(-18, 18, 2), 0.0, str(rng.choice(kinds))) for _ in range(40)]
    way = [(x, float(rng.uniform(-12, 12)), 0.0, "tree") for x in np.arange(-36.0, 36.0, 3.0)]
    both = [(x + at, y, z, kind) for at in (-60.0, 60.0) for x, y, z, kind in court]
    world = world_of(rng, both + way)
    for column in (world.appearance, world.sizes, world.sides, world.hidden, world.open_side):
        column[40:80] = column[:40]

    def around(x: float) -> Floats:
        return route([(x - 10, -10), (x + 10, -10), (x + 10, 10), (x - 10, 10), (x - 10, -10)])

    ways = (
        around(-60.0),
        np.r_[around(-60.0), route([(-48, 0), (48, 0)]), around(60.0)],
        around(60.0),
    )
    runs = [
        run_of(
            f"robot{k}", simulate_traverse(world, poses, rng, robot=f"robot{k}", perception=EYES)
        )
        for k, poses in enumerate(ways)
    ]
    found = align(runs, LocalizationSettings(), rng)
    first, _, last = found.optimized.component
    assert first != last
    assert any(
        "robot1's map" in r.missing for r in found.refused if set(r.robots) == {"robot0", "robot2"}
    )
    two = align([runs[0], runs[2]], LocalizationSettings(), rng)
    assert two.optimized.component[0] == two.optimized.component[1], "nothing in two maps tells"
