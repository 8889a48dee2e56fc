"""What is called the best way to visit and to explore regions is so, by a search over all ways."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from commonground.arrays import Bools
from commonground.demo import sample_scene, sample_team
from commonground.planning import Status, plan_scene
from commonground.planning.scene.plan import RobotPlan
from commonground.planning.scene.roadmap import Roadmap, build_roadmap
from commonground.planning.scene.sight import sights
from commonground.robots import Robot, Team

GRAPH, SPOT = sample_scene(), sample_team()["spot"]


@cache
def road() -> Roadmap:
    return build_roadmap(GRAPH, SPOT)


def at(row: int) -> Robot:
    pose = np.eye(4)
    pose[:3, 3] = road().positions[row]
    return replace(SPOT, T_map_robot=pose)


def planned(robot: Robot, goal: str) -> RobotPlan:
    plan = plan_scene(GRAPH, Team({"spot": robot}), {"spot": goal})
    assert plan.status is Status.SOLVED, plan.reason
    return plan.robots["spot"]


def least_m(robot: Robot, asked: Sequence[Bools], last: Bools | None = None) -> float:
    """Return the meters to a place of each mask (n,), by Dijkstra over places and the masks that were met."""
    met = [sum(1 << k for k, mask in enumerate(asked) if mask[row]) for row in range(len(asked[0]))]
    start, metric = road().start(robot), road().metric
    queue = [(m, row, met[row]) for row, m in zip(start.anchors, start.meters, strict=True)]
    heapq.heapify(queue)
    seen: dict[int, list[int]] = {}
    while queue:
        meters, row, now = heapq.heappop(queue)
        if now == (1 << len(asked)) - 1 and (last is None or last[row]):
            return meters
        better = seen.setdefault(row, [])
        if any(now | other == other for other in better):
            continue
        better.append(now)
        for k in range(metric.indptr[row], metric.indptr[row + 1]):
            following = int(metric.indices[k])
            heapq.heappush(queue, (meters + metric.data[k], following, now | met[following]))
    return np.inf


@pytest.mark.parametrize("seed", range(12))
def test_regions_that_are_visited_one_after_the_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = at(int(rng.integers(len(road().positions))))
    regions = rng.permutation(["R1", "R2", "R3", "R4"])
    wanted, end = regions[: int(rng.integers(2, 4))], regions[-1]
    parts = [f"(visited-region {region})" for region in wanted]
    own = planned(robot, f"(and {' '.join(parts)} (in-region {end}))")
    inside = [GRAPH.in_region(road().layer, region) for region in (*wanted, end)]
    least = least_m(robot, inside[:-1], last=inside[-1])
    assert own.optimal
    assert own.cost_m == pytest.approx(least, abs=1e-3)


@pytest.mark.parametrize("region", ["R3", "R4"])
def test_a_bound_of_exploring_is_one(region: str) -> None:
    own = planned(SPOT, f"(explored-region {region})")
    look = np.flatnonzero(GRAPH.in_region(road().layer, region))
    everywhere = np.arange(len(road().positions))
    seen = sights(GRAPH, road().layer, everywhere, look, SPOT.view_m).toarray() > 0
    least = least_m(SPOT, list(seen.T))
    assert 0.7 * least < own.lower_bound_m <= least + 1e-3
    assert own.cost_m <= 1.2 * least
    assert own.optimal == (own.cost_m <= own.lower_bound_m + 1e-3)
