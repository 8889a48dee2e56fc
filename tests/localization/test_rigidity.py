"""Maps that lean to one another are no rigid body; odometry that climbs a little is no lean."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from commonground.geometry import from_yaw, yaw_of
from commonground.localization.association.result import Verdict
from commonground.localization.registration import register
from commonground.mapping.fusion.evaluation.teams import Team, made_up
from commonground.objects import ObjectMap


@pytest.fixture(scope="module")
def team() -> Team:
    return made_up(seed=4, robots=2, submaps=16, extent_m=100.0)


def leaning(objects: ObjectMap, degrees: float) -> ObjectMap:
    """Return a map that leans as a whole while its robot took itself to stand upright everywhere."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    lean = np.eye(4)
    lean[1:3, 1:3] = [[c, -s], [s, c]]
    moved = objects.transformed(lean)
    upright = []
    for submap in moved.submaps:
        T = submap.T_map_submap.copy()
        T[:3, :3] = from_yaw(yaw_of(T))[:3, :3]
        upright.append(replace(submap, T_map_submap=T))
    return replace(moved, submaps=tuple(upright))


@pytest.mark.parametrize("degrees", [6.0, 12.0, 25.0, -40.0])
def test_a_map_that_leans_is_no_rigid_body_though_each_match_holds(
    team: Team, degrees: float
) -> None:
    one, two = (run.objects for run in team.runs)
    for first, second in ((one, leaning(two, degrees)), (leaning(one, degrees), two)):
        assert not register(first, second).accepted


def test_a_lean_is_told_from_a_map_that_has_nothing_in_common(team: Team) -> None:
    one, two = (run.objects for run in team.runs)
    assert register(one, leaning(two, 25.0)).verdict is Verdict.INCONSISTENT


@pytest.mark.parametrize("climb", [0.0, 0.01, -0.02])
def test_odometry_that_climbs_as_it_goes_does_not_lean(team: Team, climb: float) -> None:
    one, two = (run.objects for run in team.runs)
    gone = 0.0
    z, at, moved = np.zeros(len(two)), None, []
    for submap in two.submaps:
        here = submap.T_map_submap[:3, 3]
        gone += 0.0 if at is None else float(np.linalg.norm(here - at))
        at = here
        T = submap.T_map_submap.copy()
        T[2, 3] += climb * gone
        moved.append(replace(submap, T_map_submap=T))
        z[submap.rows] = climb * gone
    up = np.c_[0 * z, 0 * z, z]
    climbed = replace(two, centroids=two.centroids + up, submaps=tuple(moved))
    assert register(one, climbed).accepted
