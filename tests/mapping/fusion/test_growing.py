"""A team's map that grows: what was matched is not matched again, and it comes out as if it were."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from commonground.geometry import inverse
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion import align as aligning
from commonground.mapping.fusion import closures, revisits
from commonground.mapping.fusion.align import Aligned, align
from commonground.mapping.fusion.evaluation.teams import made_up, so_far
from commonground.mapping.fusion.growing import Growing
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.strays import with_strays

SETTINGS = LocalizationSettings()


def aligned(runs: list[RobotRun], growing: Growing | None = None) -> Aligned:
    return align(runs, SETTINGS, np.random.default_rng(0), growing=growing)


def test_a_map_that_grew_lies_as_one_that_is_fused_at_once() -> None:
    runs = made_up(seed=8, robots=2, submaps=24, extent_m=100.0).runs
    growing = Growing()
    for submaps in range(8, 25, 2):
        grown = aligned([so_far(run, submaps) for run in runs], growing)
    anew = aligned(runs)
    assert grown.optimized.component.tolist() == anew.optimized.component.tolist() == [0, 0]
    gap = grown.optimized.poses[:, :3, 3] - anew.optimized.poses[:, :3, 3]
    assert np.linalg.norm(gap, axis=1).max() < 0.5


def test_a_robot_may_come_as_it_was_a_while_before() -> None:
    runs = made_up(seed=8, robots=2, submaps=24, extent_m=100.0).runs
    growing = Growing()
    for submaps in (12, 24, 18, 24):
        grown = aligned([so_far(run, submaps) for run in runs], growing)
        assert grown.optimized.component.tolist() == [0, 0]
        assert len(grown.optimized.poses) == 2 * submaps


def test_only_what_is_new_is_matched(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = made_up(seed=8, robots=2, submaps=24, extent_m=100.0).runs
    growing = Growing()
    for _ in range(2):
        aligned([so_far(run, 23) for run in runs], growing)
    looked: list[set[int]] = []
    match = revisits._matched
    monkeypatch.setattr(
        revisits,
        "_matched",
        lambda near, *rest: (looked.append(set(near.submaps)), match(near, *rest))[1],
    )
    monkeypatch.setattr(closures, "match_two", None)  # that would be all against all
    aligned(runs, growing)
    assert looked
    assert sum(23 not in submaps for submaps in looked) < 0.2 * len(growing.looked)
    assert aligning.REVISIT_ROUNDS > 1


def test_submaps_that_nothing_holds_are_found_anywhere_in_the_other_map() -> None:
    team = made_up(seed=8, robots=2, submaps=24, extent_m=100.0)
    growing = Growing()
    aligned(team.runs, growing)
    first, last = range(12), range(12, 24)
    growing.confirmed = {("robot0", "robot1")}
    growing.held = {(run.name, k) for run in team.runs for k in first}
    places = [growing.places(run, SETTINGS.matching.places) for run in team.runs]
    found = with_strays(team.runs, places, [], SETTINGS, growing)
    assert any(c.submaps[0] in first for c in found), "of the second robot's last ones"
    assert any(c.submaps[1] in first for c in found), "of the first robot's last ones"
    assert all(c.robots == (0, 1) and {*c.submaps} & {*last} for c in found)
    gaps = []
    for c in found:
        true = [path[k] for path, k in zip(team.paths, c.keyframes, strict=True)]
        gaps.append(np.linalg.norm((inverse(true[0]) @ true[1] @ inverse(c.T))[:3, 3]))
    assert np.median(gaps) < 0.5
    growing.confirmed = set()
    assert with_strays(team.runs, places, [], SETTINGS, growing) == []


def test_robots_that_were_joined_wrongly_come_apart() -> None:
    one, two = made_up(seed=8, robots=2, submaps=16, extent_m=100.0).runs
    other = replace(made_up(seed=21, robots=1, submaps=16, extent_m=100.0).runs[0], name=two.name)
    growing = Growing()
    assert aligned([so_far(one, 10), so_far(two, 10)], growing).optimized.component[1] == 0
    # it was not there at all: what joined them is forgotten when they have grown
    assert aligned([one, other], growing).optimized.component.tolist() == [0, 1]
