"""Solve the example stream problems by every algorithm: seconds, steps, cost, stream calls.

Run: python benchmarks/streams.py [seeds]
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from commonground.planning.streams import Options, PDDLProblem, solve_in_detail
from tools import stream_problems as examples
from tools.stream_problems import STREAM_INFO

ALGORITHMS = ("incremental", "focused", "binding", "adaptive")
SHELF = {"stream_info": STREAM_INFO}
Make = Callable[[int], PDDLProblem]
PROBLEMS: Mapping[str, tuple[Make, Mapping[str, Any], float]] = {
    "blocksworld": (lambda _: examples.blocks(), {"unit_costs": True}, 0.03),
    "blocksworld, derived": (lambda _: examples.blocks_with_derived_predicates(), {}, 0.03),
    "discrete TAMP": (lambda _: examples.shelf(), SHELF, 0.29),
    "discrete TAMP, 3 boxes": (lambda _: examples.shelf(3, shift_all=True), SHELF, 0.29),
    "kitchen": (lambda _: examples.coffee(), {"unit_costs": True}, 2.25),
    "continuous TAMP, tight 2": (lambda seed: examples.tight(seed=seed), {}, 0.58),
    "continuous TAMP, tight 3": (lambda seed: examples.tight(3, 1, seed=seed), {}, 0.28),
    "continuous TAMP, blocked": (lambda seed: examples.blocked(seed=seed), {}, 0.83),
    "continuous TAMP, mirror": (lambda seed: examples.mirror(seed=seed), {}, 0.32),
}
"""How to make each problem from a seed, what it is solved with, and the seconds that PDDLStream's adaptive
algorithm takes for problems of the kind."""


def main() -> None:
    """Print one line a problem and algorithm: medians over the seeds, and the slowest."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    solve_in_detail(examples.blocks())  # imports
    print(
        f"{'problem':26}{'algorithm':13}{'solved':>8}{'s':>8}{'cpu s':>8}{'worst s':>9}{'peer s':>8}"
        f"{'ratio':>7}{'steps':>7}{'cost':>8}{'calls':>7}"
    )
    for name, (make, options, peer) in PROBLEMS.items():
        info = options.get("stream_info")
        given = Options(max_time=60.0, unit_costs=options.get("unit_costs", False))
        for algorithm in ALGORITHMS:
            if name == "kitchen" and algorithm == "incremental":
                continue  # a stream that sees the state
            wall, cpu, results = [], [], []
            for seed in range(seeds):
                problem = make(seed)
                begin, used = time.perf_counter(), time.process_time()
                results.append(solve_in_detail(problem, algorithm, stream_info=info, options=given))
                wall.append(time.perf_counter() - begin)
                cpu.append(time.process_time() - used)
            plans = [r.solution for r in results if r.solution.plan is not None]
            steps = statistics.median(len(p.plan or ()) for p in plans) if plans else float("nan")
            cost = statistics.median(p.cost for p in plans) if plans else float("nan")
            print(
                f"{name:26}{algorithm:13}{f'{len(plans)}/{seeds}':>8}{statistics.median(wall):8.3f}"
                f"{statistics.median(cpu):8.3f}{max(wall):9.3f}{peer:8.2f}"
                f"{statistics.median(wall) / peer:7.2f}{steps:7.0f}{cost:8.1f}"
                f"{statistics.median(r.stream_calls for r in results):7.0f}"
            )


if __name__ == "__main__":
    main()
