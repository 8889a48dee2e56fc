"""Allocate scattered tasks to robots: makespan against a greedy rule.

Run: python benchmarks/allocation.py [iterations] [seeds]
"""

from __future__ import annotations

import statistics
import sys
import time

import numpy as np

from commonground.planning.temporal import (
    TeamProblem,
    check_schedule,
    scattered_tasks,
    solve_team,
)

SIZES = ((10, 2), (20, 3), (40, 4), (100, 4), (200, 6))


def greedy(problem: TeamProblem) -> float:
    """Return the makespan when the task and robot that can start earliest always come next."""
    n, robots = problem.duration_s.shape
    end: dict[int, float] = {}
    free, last = np.zeros(robots), [-1] * robots
    while len(end) < n:
        best = (np.inf, -1, -1)
        for task in range(n):
            if task in end:
                continue
            for robot in map(int, np.flatnonzero(problem.able[task])):
                way = problem.approach_s[robot, task]
                if last[robot] >= 0:
                    way = problem.travel_s[robot, last[robot], task]
                best = min(best, (free[robot] + way, task, robot))
        start, task, robot = best
        end[task] = free[robot] = start + problem.duration_s[task, robot]
        last[robot] = task
    return max(end.values())


def main() -> None:
    """Print one line an instance: seed 0 of the generator, medians over the seeds of the search."""
    iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    solve_team(scattered_tasks(8, 2), iterations=10)  # compiles
    print(f"{'tasks':>6}{'robots':>7}{'greedy':>8}{'median':>8}{'worst':>8}{'ratio':>7}{'s':>7}")
    for tasks, robots in SIZES:
        problem = scattered_tasks(tasks, robots)
        first = greedy(problem)
        found, spent = [], []
        for seed in range(seeds):
            begin = time.process_time()
            schedule = solve_team(problem, np.random.default_rng(seed), iterations=iterations)
            spent.append(time.process_time() - begin)
            assert not check_schedule(problem, schedule)
            found.append(schedule)
        median = statistics.median(s.makespan_s for s in found)
        print(
            f"{tasks:6}{robots:7}{first:8.0f}{median:8.0f}{max(s.makespan_s for s in found):8.0f}"
            f"{median / first:7.2f}"
            f"{statistics.median(spent):7.2f}"
        )


if __name__ == "__main__":
    main()
