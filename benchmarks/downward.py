"""What Fast Downward costs here: a warm worker against a fresh start of its driver, and whole commands.

    python benchmarks/downward.py [repetitions]
    python benchmarks/downward.py --suite [repetitions]

``--suite`` solves classical problems of growing size by ``commonground solve`` and by the driver, and
compares the processor time of all the processes that each of them starts, and the steps of their plans.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

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
SIZES = (4, 8, 16, 32)


def blocks(n: int, rng: np.random.Generator) -> str:
    """Return a problem of piling blocks that stand in random towers."""

    def towers() -> list[list[str]]:
        order = [f"b{k}" for k in rng.permutation(n)]
        cuts = sorted(rng.choice(np.arange(1, n), max(1, n // 5), replace=False).tolist())
        return [order[i:j] for i, j in zip([0, *cuts], [*cuts, n], strict=True)]

    def upon(piles: list[list[str]]) -> str:
        return " ".join(f"(upon {b} {a})" for p in piles for a, b in itertools.pairwise(p))

    start = towers()
    ends = " ".join(f"(grounded {pile[0]}) (topmost {pile[-1]})" for pile in start)
    names = " ".join(f"b{k}" for k in range(n))
    return f"""(define (problem blocks) (:domain tower) (:objects {names})
      (:init (idle) {ends} {upon(start)}) (:goal (and {upon(towers())})))"""


def gripper(n: int, rng: np.random.Generator) -> str:
    """Return a problem of carrying balls between halls."""
    balls = [f"b{k}" for k in range(n)]
    halls = [f"h{k}" for k in range(2 + n // 8)]

    def places() -> str:
        return " ".join(f"(ball-in {b} {rng.choice(halls)})" for b in balls)

    return f"""(define (problem gripper) (:domain porter)
      (:objects {" ".join(halls)} - hall {" ".join(balls)} - ball)
      (:init (robot-in h0) (spare left) (spare right) {places()}) (:goal (and {places()})))"""


def logistics(n: int, rng: np.random.Generator) -> str:
    """Return a problem of moving parcels between towns."""
    towns = [f"t{k}" for k in range(2 + n // 6)]
    sites = [f"{t}{kind}" for t in towns for kind in "lma"]
    parcels = [f"p{k}" for k in range(n)]

    def places() -> str:
        return " ".join(f"(located {p} {rng.choice(sites)})" for p in parcels)

    within = " ".join(f"(within {s} {s[:-1]})" for s in sites)
    vans = " ".join(f"(located v{t} {t}l)" for t in towns)
    depots = " ".join(s for s in sites if s[-1] != "a")
    return f"""(define (problem logistics) (:domain freight)
      (:objects {" ".join(towns)} - town {depots} - depot {" ".join(f"{t}a" for t in towns)} - airfield
        {" ".join(f"v{t}" for t in towns)} - van jet - plane {" ".join(parcels)} - parcel)
      (:init {within} {vans} (located jet t0a) {places()}) (:goal (and {places()})))"""


SUITE: dict[str, Callable[[int, np.random.Generator], str]] = {
    "blocks": blocks,
    "gripper": gripper,
    "logistics": logistics,
}


def driver() -> list[str]:
    """Return the command of Fast Downward's own driver."""
    package = importlib.util.find_spec("up_fast_downward")
    folder = next(iter(package.submodule_search_locations or ())) if package else ""
    script = Path(folder) / "downward" / "fast-downward.py"
    return [sys.executable, str(script), "--alias", "lama-first"]


def cpu_s(command: Sequence[str], folder: str) -> tuple[float, str]:
    """Return the processor time of a command with all that it starts, and what it prints."""
    plain = {k: v for k, v in os.environ.items() if k != "PYTHONSAFEPATH"}  # which its driver minds
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, cwd=folder, env=plain, check=True, capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, done.stdout


def suite(repetitions: int) -> None:
    """Print seconds of processor time and steps for problems of growing size."""
    print(f"{'problem':14}{'driver':>9}{'command':>9}{'ratio':>7}{'steps':>12}   (s of CPU)")
    sums = [0.0, 0.0]
    ours = str(Path(sys.executable).with_name("commonground"))
    with tempfile.TemporaryDirectory() as folder:
        for name, make in SUITE.items():
            for n in SIZES:
                problem = Path(folder) / f"{name}-{n}.pddl"
                problem.write_text(make(n, np.random.default_rng([n, 7])), encoding="utf-8")
                files = [str(TASKS / f"{name}-domain.pddl"), str(problem)]
                told = []
                for command in ([*driver(), *files], [ours, "solve", *files]):
                    runs = [cpu_s(command, folder) for _ in range(repetitions)]
                    lines = runs[0][1].splitlines()
                    steps = sum(line.startswith("(") or line.endswith(" (1)") for line in lines)
                    told.append((statistics.median(s for s, _ in runs), steps))
                (theirs, long), (own, short) = told
                sums = [sums[0] + theirs, sums[1] + own]
                print(
                    f"{f'{name} {n}':14}{theirs:9.2f}{own:9.2f}{own / theirs:7.2f}{f'{long} {short}':>12}"
                )
    print(f"{'all':14}{sums[0]:9.2f}{sums[1]:9.2f}{sums[1] / sums[0]:7.2f}")


def driver_s(name: str) -> float:
    """Return the seconds of one call of Fast Downward's own driver."""
    files = [str(TASKS / f"{name}-domain.pddl"), str(TASKS / f"{name}-problem.pddl")]
    with tempfile.TemporaryDirectory() as scratch:
        begin = time.perf_counter()
        cpu_s([*driver(), *files], scratch)
        return time.perf_counter() - begin


def main() -> None:
    """Print medians in milliseconds."""
    arguments = [a for a in sys.argv[1:] if a != "--suite"]
    repetitions = int(arguments[0]) if arguments else 9
    if "--suite" in sys.argv:
        suite(repetitions)
        return
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
