"""Planning time of blocks worlds: sizes with the same task, larger tasks, and the depth-first reference.

Run: python benchmarks/assembly.py [repetitions]
"""

from __future__ import annotations

import resource
import statistics
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np

from commonground.grounding.prolog.base.engine import Engine, PrologStopped
from commonground.grounding.prolog.base.load import load
from commonground.grounding.prolog.solve import solve_program
from tests.grounding.prolog.blocks_worlds import World, random_world, tower_world
from tools.scoring.depth_first import depth_first

SWEEP = ((4, 8), (8, 12), (12, 16), (16, 20), (20, 24), (30, 36), (50, 60))
LARGE = (("tower of 10", tower_world(50, 60, 4, 10)), ("tower of 6", tower_world(50, 60, 4, 6)))


def median_s(world: World, repetitions: int) -> tuple[float, str]:
    """Return the median wall time from text to executed schedule, and what came out."""
    times, said = [], ""
    for _ in range(repetitions):
        begin = time.perf_counter()
        _, found = solve_program(world.program(), "benchmark")
        times.append(time.perf_counter() - begin)
        schedule = found.schedule
        said = found.status.value
        if schedule is not None:
            said = f"{schedule.makespan_s:g} s{'' if schedule.optimal else ' (not proven)'}"
    return statistics.median(times), said


def used_s() -> float:
    """Return the processor time so far, that of processes that have ended included."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def all_move(blocks: int, positions: int, seed: int) -> None:
    """Print what comes of a world in which every block may have to move."""
    world = random_world(blocks, positions, 3, np.random.default_rng(seed))
    begin = used_s()
    _, found = solve_program(world.program(), "benchmark")
    schedule, actions = found.schedule, len(found.high.ops) if found.high else 0
    said = f"makespan {schedule.makespan_s:g} s" if schedule else found.reason
    print(
        f"{blocks:3} blocks, {positions} positions, seed {seed}, all at random, 3 agents: "
        f"{used_s() - begin:6.2f} s of processor, {actions} actions, {said}, no plan below "
        f"{found.bound_s:g} s",
        flush=True,
    )


def main() -> None:
    """Print the tables."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    solve_program(tower_world(3, 6, 2).program(), "warm-up")
    medians = []
    for blocks, positions in SWEEP:
        seconds, said = median_s(tower_world(blocks, positions, 3), repetitions)
        medians.append(seconds)
        print(
            f"{blocks:3} blocks {positions:3} positions 3 agents: {seconds:6.2f} s, makespan {said}"
        )
    print(f"worst / best: {max(medians) / min(medians):.2f}")
    for name, world in LARGE:
        seconds, said = median_s(world, 1)
        print(f"50 blocks, 60 positions, 4 agents, {name}: {seconds:6.2f} s, makespan {said}")
    for blocks, positions in ((6, 10), (8, 12), (12, 18), (20, 24), (20, 28), (30, 40)):
        all_move(blocks, positions, 0)
    with Engine() as engine:
        for blocks, positions in SWEEP[:2]:
            loaded = load(engine, tower_world(blocks, positions, 1, 2).program())
            begin = time.perf_counter()
            try:
                found = depth_first(engine, loaded, 4, limit_s=60.0)
                said = "no plan" if found is None else f"{len(found)} steps"
            except PrologStopped:
                said = "not finished"
            seconds = time.perf_counter() - begin
            print(f"depth-first, {blocks} blocks, tower of 2: {seconds:6.2f} s, {said}")


if __name__ == "__main__":
    main()
