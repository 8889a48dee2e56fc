"""Small random cells planned, against an exhaustive search that shares nothing with the planner.

Run: python benchmarks/cells.py [cells] [first seed] [most blocks]
With the word `goals` in the place of the blocks: bases with grounding goals of all kinds.
"""

from __future__ import annotations

import math
import resource
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "grounding" / "prolog"))

import cells
import goal_bases
from cell_rounds import shortest_s

from commonground.errors import GroundingError
from commonground.grounding.prolog.assembly import Assembly
from commonground.grounding.prolog.solve import solve_program
from commonground.planning.result import Status


def compared(found: Assembly, makespan_s: float, true_s: float) -> str:
    """Return how what was found and said stands to the truth."""
    refused = found.status is Status.UNSOLVABLE
    if makespan_s < true_s or (refused and math.isfinite(true_s)) or found.bound_s > true_s:
        return "WRONG"
    if math.isinf(true_s):
        return "agrees" if refused else "not proven impossible"
    if makespan_s > true_s:
        return "longer" if found.solved else "no plan found"
    return "agrees" if found.bound_s >= true_s else "not proven shortest"


def used_s() -> float:
    """Return the processor time so far, that of processes that have ended included."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def said_s(true_s: float | None) -> str:
    """Return how long the shortest plan takes, in words where that was not found out."""
    return "did not finish" if true_s is None else f"{true_s:g} s"


def drawn(rng: np.random.Generator, kind: str) -> tuple[str, float | None]:
    """Return a base and how long its shortest plan takes."""
    if kind == "goals":
        program = goal_bases.random_base(rng)
        return program, goal_bases.shortest_s(program)
    cell = cells.random_cell(rng, int(kind))
    return cell.program(), shortest_s(cell)


def main() -> None:
    """Compare, and print what differs."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 24
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    kind = sys.argv[3] if len(sys.argv) > 3 else "6"
    used: list[float] = []
    said: dict[str, int] = {}
    for seed in range(first, first + count):
        program, true_s = drawn(np.random.default_rng(seed), kind)
        begin = used_s()
        try:
            _, found = solve_program(program, f"cell {seed}")
        except GroundingError as error:
            mark, told = "refused", str(error)
        else:
            makespan_s = found.schedule.makespan_s if found.schedule else math.inf
            mark = "not compared" if true_s is None else compared(found, makespan_s, true_s)
            told = f"{found.status.value} {makespan_s:g} s, every plan at least {found.bound_s:g} s"
        used.append(used_s() - begin)
        said[mark] = said.get(mark, 0) + 1
        print(
            f"{seed}: {mark}: {told}; exhaustive {said_s(true_s)}; {used[-1]:.1f} s of processor",
            flush=True,
        )
    marks = ", ".join(f"{number} {mark}" for mark, number in sorted(said.items()))
    print(f"{count} cells: {marks}; median {np.median(used):.2f} s of processor")


if __name__ == "__main__":
    main()
