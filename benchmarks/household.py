"""How well teams share the work, what failing actions cost, and how long planning takes.

Use: python benchmarks/household.py WORLDS TASKS [--failures 0 0.1 0.2] [--seed 0]

Makespans are compared with one robot action after the other and, where the tasks tell them, with the
makespan of a reference plan and a lower bound. Actions fail by chance with the rates given.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median

import numpy as np

from commonground.datasets.household import load_tasks, load_worlds
from commonground.datasets.household.scoring import summarize
from commonground.grounding.repair.settings import RepairSettings
from commonground.household.team import HouseholdTeam, Ran


def main() -> None:
    """Print ratios and medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("worlds", type=Path)
    parser.add_argument("tasks", type=Path)
    parser.add_argument("--failures", type=float, nargs="*", default=[0.1, 0.2])
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    worlds = load_worlds(args.worlds)
    tasks = load_tasks(args.tasks, worlds)
    with HouseholdTeam(RepairSettings()) as team:
        sharing([team.carry_out(worlds[t.floor], t) for t in tasks])
        for rate in args.failures:
            rng = np.random.default_rng(args.seed)
            ran = [team.carry_out(worlds[t.floor], t, failure_rate=rate, rng=rng) for t in tasks]
            print(f"failing {rate:.0%}: {described(ran)}")
        ran = [team.carry_out(worlds[t.floor], t, states=False) for t in tasks]
        print(f"open and on unknown: {described(ran)}")


def sharing(ran: Sequence[Ran]) -> None:
    """Compare makespans of what was done."""
    done = [one for one in ran if one.score.success and one.moves]
    print(f"as known: {described(ran)}")
    print(
        f"makespan / actions one after the other: {ratio(done, [len(o.moves) for o in done]):.2f}"
    )
    for key in ("makespan", "makespan_lower_bound"):
        told = [one for one in done if key in one.task.reference]
        if told:
            values = [float(one.task.reference[key]) for one in told]
            print(f"makespan / reference {key}: {ratio(told, values):.2f} ({len(told)} tasks)")


def ratio(ran: Sequence[Ran], others: Sequence[float]) -> float:
    """Return the sum of makespans over the sum of other times."""
    return sum(one.score.makespan_s for one in ran) / max(1e-9, sum(others))


def described(ran: Sequence[Ran]) -> str:
    """Return success and planning times in a line."""
    found = summarize(one.score for one in ran)
    spent = [one.report.planning_s for one in ran]
    executed = "–" if found["er"] is None else f"{found['er']:.1f}"  # nothing was to be carried out
    return (
        f"TCR {found['tcr']:.1f} GCR {found['gcr']:.1f} ER {executed}, "
        f"planning mean {fmean(spent):.2f} median {median(spent):.2f} most {max(spent):.2f} s"
    )


if __name__ == "__main__":
    main()
