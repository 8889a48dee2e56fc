"""How much faster planning with the slice is than with the whole graph, and how long a report takes.

Use: python benchmarks/memory_planning.py EPISODE… [--every N]

Reports are read in order; every N-th task is planned with the slice (search for it included) and
with the whole graph. A slice's plan counts as valid when it runs on the whole state.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import median

from commonground.grounding.memory.evaluation.replay import Episode
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.planning.planner import TaskPlanner
from commonground.planning.downward import FastDownward


def main() -> None:
    """Print ratios and medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("episodes", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1)
    args = parser.parse_args()
    planner = FastDownward()
    planner.warm_up()
    for path in args.episodes:
        measure(Episode(path), planner, args.every)


def measure(episode: Episode, planner: FastDownward, every: int) -> None:
    """Live through one episode."""
    reports: list[float] = []
    ratios: list[float] = []
    invalid = tasks = 0
    with episode.memory() as memory:
        for index, item in enumerate(episode.items):
            if item.kind == "update":
                begin = time.perf_counter()
                memory.tell(item.text, item.speaker, episode.at_ns(index, item))
                reports.append(time.perf_counter() - begin)
                continue
            tasks += 1
            if tasks % every == 0:
                ratio, valid = compare(memory, planner, item.text)
                ratios.append(ratio)
                invalid += not valid
        size = len(memory.store.things), len(memory.store.facts)
    print(
        f"{episode.path.name}: {size[0]} things, {size[1]} facts; report {median(reports) * 1e3:.1f} ms"
        f" (most {max(reports) * 1e3:.1f}); whole graph / slice: median {median(ratios):.1f}"
        f" (least {min(ratios):.1f}) over {len(ratios)} tasks, {invalid} invalid"
    )


def compare(memory: Memory, planner: FastDownward, text: str) -> tuple[float, bool]:
    """Return how many times longer the whole graph takes, and whether the slice's plan is valid."""
    wanted = memory.wanted(text)
    if wanted.goal is None:
        return 1.0, False
    tasks = TaskPlanner(memory.store, planner)
    sliced = tasks.plan(wanted.goal)
    whole = tasks.plan(wanted.goal, parts=[None])
    used = [attempt.objects for attempt in sliced.attempts]
    ratio = whole.seconds / sliced.seconds
    print(f"  {sliced.seconds:.3f} s with {used}, {whole.seconds:.3f} s, {ratio:.1f}: {text}")
    return ratio, sliced.status == "ok" and sliced.attempts[-1].valid


if __name__ == "__main__":
    main()
