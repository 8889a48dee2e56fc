"""Scene planning from 100 to 100,000 places: time after loading, meters, memory, and how time grows.

    python benchmarks/planning.py [--seeds 3]

Sites and goals are those of ``commonground eval planning``; each time is the median over seeds.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time

import numpy as np

from commonground.planning.evaluate import goals_of
from commonground.planning.scene.sites import make_site
from commonground.planning.team.planner import plan_scene

SIZES = (100, 1_000, 10_000, 100_000)


def main() -> None:
    """Print a line per size and goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    seeds = range(parser.parse_args().seeds)
    print(f"seeds {list(seeds)}; times are medians in milliseconds, after loading")
    before: dict[str, float] = {}
    for size in SIZES:
        times: dict[str, list[float]] = {}
        gaps: dict[str, list[float]] = {}
        for seed in seeds:
            rng = np.random.default_rng([seed, size])
            graph, team = make_site(size, max(10, min(100, size // 20)), rng)
            goals = {name: goal for name, (goal, _) in goals_of(graph, team, rng).items()}
            plan_scene(graph, team, {"spot": "(visited-object O0)"})
            for name, goal in goals.items():
                start = time.perf_counter()
                answer = plan_scene(graph, team, {"spot": goal})
                times.setdefault(name, []).append(1e3 * (time.perf_counter() - start))
                bound = answer.robots["spot"].lower_bound_m
                gaps.setdefault(name, []).append(
                    1 - bound / answer.cost_m if answer.cost_m else 0.0
                )
        for name, found in times.items():
            median = statistics.median(found)
            growth = f"{median / before[name]:5.1f}× the size before" if name in before else ""
            gap = 100 * statistics.median(gaps[name])
            print(f"{size:7d} places  {name:30s} {median:8.1f} ms  gap {gap:4.1f} %  {growth}")
            before[name] = median
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
