"""One team of visitors that drive across a site: how long planning takes."""

from __future__ import annotations

import time

import numpy as np

from commonground.geometry import from_xyz_yaw
from commonground.planning import plan_scene
from commonground.planning.scene.sites import make_site
from commonground.robots import Robot, Team
from teams.checker import faults
from teams.scenes import ABLE


def scaled(robots: int, places: int, seed: int) -> None:
    """Print how long one team of visitors takes on a site."""
    rng = np.random.default_rng([seed, robots, places])
    graph, _ = make_site(places, max(10, robots * 2), rng)
    points = graph.surface_places.positions
    starts: list[int] = []
    for row in rng.permutation(len(points)):
        gaps = np.linalg.norm(points[starts] - points[row], axis=1)
        if (gaps > 1.0).all():
            starts.append(int(row))
        if len(starts) == 2 * robots:
            break
    team = Team(
        {
            f"r{k}": Robot(f"r{k}", from_xyz_yaw([*points[row], 0.0]), ABLE)
            for k, row in enumerate(starts[:robots])
        }
    )
    names = graph.surface_places.symbols
    goals = {f"r{k}": f"(at-place {names[row]})" for k, row in enumerate(starts[robots:])}
    for _ in range(2):
        began, cpu = time.perf_counter(), time.process_time()
        plan = plan_scene(graph, team, goals, time_limit_s=20.0)
        wall, used = time.perf_counter() - began, time.process_time() - cpu
    wrong = faults(graph, team, goals, plan.as_json()) if str(plan.status) == "solved" else []
    print(
        f"{robots} robots, {places} places, seed {seed}: {plan.status} {wall:.2f} s ({used:.2f} s of CPU), "
        f"makespan {plan.makespan_s:.1f} s, {len(wrong)} violations {plan.reason}"
    )
