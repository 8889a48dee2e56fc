"""What a call of Fast Downward costs beyond its search: a warm worker against a fresh start of the driver.

Run: python benchmarks/downward.py [repetitions]
"""

from __future__ import annotations

import importlib.util
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from commonground.planning.downward import FastDownward
from commonground.planning.pddl import load_task

TASKS = Path(__file__).parents[1] / "tests" / "planning" / "pddl" / "tasks"
NAMES = (
    "blocks",
    "gripper",
    "logistics",
    "rovers",
    "wards",
)  # the driver refuses real costs, so no lifts


def driver_s(name: str) -> float:
    """Return the seconds of one call of Fast Downward's own driver."""
    package = importlib.util.find_spec("up_fast_downward")
    folder = next(iter(package.submodule_search_locations or ())) if package else ""
    driver = Path(folder) / "downward" / "fast-downward.py"
    files = [str(TASKS / f"{name}-domain.pddl"), str(TASKS / f"{name}-problem.pddl")]
    with tempfile.TemporaryDirectory() as scratch:
        begin = time.perf_counter()
        subprocess.run(
            [sys.executable, str(driver), "--alias", "lama-first", *files],
            cwd=scratch,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        return time.perf_counter() - begin


def main() -> None:
    """Print medians in milliseconds."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    print(
        f"{'task':12}{'driver':>9}{'warm':>9}{'ratio':>7}{'overhead':>10}   (ms, medians of {repetitions})"
    )
    with FastDownward() as planner:
        planner.warm_up()
        for name in NAMES:
            task = load_task(TASKS / f"{name}-domain.pddl", TASKS / f"{name}-problem.pddl")
            cold = statistics.median(driver_s(name) for _ in range(repetitions))
            results = [planner.solve(task).time_s for _ in range(repetitions)]
            warm = statistics.median(t["total"] for t in results)
            over = statistics.median(t["total"] - t["search"] for t in results)
            print(
                f"{name:12}{1e3 * cold:9.0f}{1e3 * warm:9.1f}{cold / warm:7.0f}{1e3 * over:10.1f}"
            )


if __name__ == "__main__":
    main()
