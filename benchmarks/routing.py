"""Order stops spread over a square: cost against the bound, time, and agreement over seeds.

Run: python benchmarks/routing.py [seeds]
"""

from __future__ import annotations

import statistics
import sys
import time

import numpy as np

from commonground.planning.routing import RouteProblem, check_route, solve_route

SIZES = ((20, 5, 1), (20, 5, 3), (15, 8, 1), (30, 0, 1), (25, 0, 3), (40, 10, 1), (100, 0, 1))


def scattered_stops(inspections: int, deliveries: int, places: int, seed: int) -> RouteProblem:
    """Return stops in a square of 1000 m, each to be made from one of a few places 20 m around it."""
    rng = np.random.default_rng(seed)
    n = inspections + 2 * deliveries
    centers = rng.uniform(0, 1000, (n, 1, 2)) + rng.normal(0, 20, (n, places, 2))
    points = np.concatenate([[[500.0, 500.0]], centers.reshape(-1, 2)])
    cost = np.linalg.norm(points[:, None] - points[None], axis=-1)
    stops = [[1 + s * places + a for a in range(places)] for s in range(n)]
    pairs = [(inspections + 2 * j, inspections + 2 * j + 1) for j in range(deliveries)]
    return RouteProblem.visiting(cost, stops, deliveries=pairs)


def main() -> None:
    """Print one line a size: medians over the seeds, and the worst gap."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    solve_route(scattered_stops(20, 5, 1, 99))  # compiles
    print(
        f"{'inspect':>8}{'deliver':>8}{'places':>7}{'s':>8}{'cpu s':>8}{'optimal':>9}{'worst gap':>11}"
    )
    for inspections, deliveries, places in SIZES:
        wall, cpu, gaps, proven = [], [], [], 0
        for seed in range(seeds):
            problem = scattered_stops(inspections, deliveries, places, seed)
            begin, used = time.perf_counter(), time.process_time()
            route = solve_route(problem, np.random.default_rng(seed))
            wall.append(time.perf_counter() - begin)
            cpu.append(time.process_time() - used)
            assert not check_route(problem, route)
            gaps.append(route.gap)
            proven += route.optimal
        print(
            f"{inspections:8}{deliveries:8}{places:7}{statistics.median(wall):8.2f}"
            f"{statistics.median(cpu):8.2f}{f'{proven}/{seeds}':>9}{100 * max(gaps):10.1f}%"
        )


if __name__ == "__main__":
    main()
