"""A seed gives the same mission on every machine, however slow it is."""

from __future__ import annotations

import itertools
import time

import pytest

from commonground.planning.mission.made_up import make_mission
from commonground.planning.mission.scene_planner import ScenePlanner
from commonground.planning.mission.settings import MissionSettings
from commonground.planning.mission.simulation import simulate_mission
from commonground.planning.robots.simulated import Moment

SEEDS = (5032, 5045)
"""Four robots each, whose ways cross, so that orders of right of way are tried one after another."""


BRUSHED = 5449
"""A way leads past an obstacle at a hair's breadth less than a robot needs."""


def test_an_obstacle_is_planned_around_with_room() -> None:
    graph, team, goals, faults = make_mission(BRUSHED)
    settings = MissionSettings(max_plans=6)
    went = simulate_mission(
        graph, team, goals, faults, planner=ScenePlanner(BRUSHED), settings=settings
    )
    assert went.end.status == "done", went.end.reason


def moments(seed: int) -> list[Moment]:
    graph, team, goals, faults = make_mission(seed)
    return simulate_mission(
        graph, team, goals, faults, planner=ScenePlanner(seed), limit_s=60.0
    ).world.moments


@pytest.mark.parametrize("seed", SEEDS)
def test_a_slow_clock_changes_no_plan(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    as_usual = moments(seed)
    jumps = itertools.count(0.0, 1000.0)
    monkeypatch.setattr(time, "perf_counter", lambda: next(jumps))
    assert moments(seed) == as_usual
