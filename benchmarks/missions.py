"""How long repairs of a mission take: plans made while robots wait, at a number of places.

    python benchmarks/missions.py [--places 2000] [--missions 10] [--seed 0]

Random missions of one to four robots under random faults. The first plan of a mission and its repairs are
told apart, by processor time and by the clock; the targets are 0.5 s for a repair at 2,000 places.
"""

from __future__ import annotations

import argparse

import numpy as np

from commonground.planning.mission import ScenePlanner, simulate_mission
from commonground.planning.mission.evaluate import TimedPlanner
from commonground.planning.mission.made_up import make_mission
from commonground.planning.mission.ready import get_ready


def main() -> None:
    """Print seconds of first plans and of repairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--places", type=int, default=2000)
    parser.add_argument("--missions", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    told = parser.parse_args()
    get_ready()
    took: list[tuple[str, float, float]] = []
    for seed in range(told.seed, told.seed + told.missions):
        graph, team, goals, faults = make_mission(seed, told.places)
        planner = TimedPlanner(ScenePlanner(seed))
        went = simulate_mission(graph, team, goals, faults, planner=planner)
        took += planner.took
        print(f"seed {seed}: {went.end.status}, {len(planner.took)} plans", flush=True)
    for name, rungs in (("first", {"first"}), ("repairs", {r for r, *_ in took} - {"first"})):
        own = np.array([seconds for rung, *seconds in took if rung in rungs])
        if len(own):
            clock, cpu = own.T
            print(
                f"{name}: {len(own)}, median {np.median(cpu):.2f} s of processor time "
                f"({np.median(clock):.2f} s), 90 % {np.quantile(cpu, 0.9):.2f} s, "
                f"most {cpu.max():.2f} s ({clock.max():.2f} s), "
                f"{(cpu <= 0.5).mean():.0%} within 0.5 s"
            )


if __name__ == "__main__":
    main()
