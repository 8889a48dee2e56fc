"""Joins that rest on a place that looks like another one are noticed by what else they lay on one another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.align import align
from commonground.mapping.fusion.evaluation.teams import Team, made_up


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
