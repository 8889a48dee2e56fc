"""Small random cells planned, against an exhaustive search that shares nothing with the planner.

Run: python benchmarks/cells.py [cells] [first seed] [most blocks]
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "grounding" / "prolog"))

import cells

from commonground.grounding.prolog.solve import solve_program
from commonground.planning.result import Status


def main() -> None:
    """Compare, and print what differs."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 24
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    most_blocks = int(sys.argv[3]) if len(sys.argv) > 3 else 6
    used, wrong, proven, unknown = [], 0, 0, 0
    for seed in range(first, first + count):
        cell = cells.random_cell(np.random.default_rng(seed), most_blocks)
        true_s = cells.shortest_s(cell)
        begin = time.process_time()
        _, found = solve_program(cell.program(), f"cell {seed}")
        used.append(time.process_time() - begin)
        makespan = found.schedule.makespan_s if found.schedule else float("inf")
        said = f"{found.status.value} {makespan:g} s, every plan at least {found.bound_s:g} s"
        bad = true_s is not None and (
            makespan < true_s or (found.solved and found.bound_s > true_s)
            or (found.status is Status.UNSOLVABLE) != (true_s == float("inf"))
            or (found.solved and makespan > true_s)
        )  # fmt: skip
        wrong += bad
        unknown += true_s is None
        proven += found.optimal or found.status is Status.UNSOLVABLE
        mark = "DIFFERS" if bad else "agrees" if true_s is not None else "not compared"
        print(
            f"{seed}: {mark}: {said}; exhaustive {true_s}; {used[-1]:.1f} s of processor",
            flush=True,
        )
    print(
        f"{count} cells, {unknown} too large to compare, {wrong} differ, {proven} proven, "
        f"median {np.median(used):.2f} s of processor"
    )


if __name__ == "__main__":
    main()
