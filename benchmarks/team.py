"""Random goals of teams of two to eight robots: solved, violations by an independent checker, time.

    python benchmarks/team.py [--cases 100] [--seed 0] [--kind field]

Fields, crowds, corridors with bays and rings, with shared things, with and without outlines. The checker
reads a plan's JSON alone: it samples distances densely and replays who has which thing when. ``--scale``
measures one team at a given number of places instead: ``--scale 4 2000``. ``--best`` compares
small teams that only drive with the least makespan there is. ``--contested`` asks robots for one thing:
what no order can satisfy has to be refused by name, the rest ordered or handed over. ``--handed`` has
things that no robot brings all the way. ``--wide`` has robots that get past each other side by side,
``--tight`` robots that change small rooms through one door.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter

import numpy as np
from teams.checker import faults
from teams.claims import contested
from teams.corridors import side_by_side
from teams.lives import case
from teams.optimum import compared
from teams.relays import handed
from teams.rooms import changing_rooms
from teams.scenes import KINDS
from teams.sites import scaled

from commonground.planning import plan_scene
from commonground.planning.team.watch import WorkWatch


def anything(kind: str, seed: int, cases: range) -> None:
    """Print how random goals of a kind of scene end."""
    ends: Counter[str] = Counter()
    times, wrong = [], []
    for k in cases:
        graph, team, goals = case(kind, np.random.default_rng([seed, k, KINDS.index(kind)]))
        began = time.process_time()
        plan = plan_scene(graph, team, goals, time_limit_s=2.0, watch=WorkWatch())
        times.append(time.process_time() - began)
        ends[str(plan.status)] += 1
        if str(plan.status) == "solved":
            wrong += [f"case {k}: {f}" for f in faults(graph, team, goals, plan.as_json())]
        else:
            print(f"  {kind} case {k}: {plan.status}: {plan.reason}")
    told = ", ".join(f"{n} {status}" for status, n in sorted(ends.items()))
    print(
        f"{kind:9s} seed {seed}: {told}; {len(wrong)} violations; CPU median "
        f"{1e3 * statistics.median(times):.0f} ms, most {max(times):.2f} s"
    )
    for line in wrong[:10]:
        print("  ", line)


def main() -> None:
    """Print a line per kind of scene."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the first case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--scale", type=int, nargs=2, metavar=("ROBOTS", "PLACES"))
    parser.add_argument("--best", action="store_true", help="compare with the least makespan")
    parser.add_argument("--contested", action="store_true", help="several robots want one thing")
    parser.add_argument("--wide", action="store_true", help="wide corridors as chains of places")
    parser.add_argument("--handed", action="store_true", help="things go from hand to hand")
    parser.add_argument("--tight", action="store_true", help="robots change rooms through a door")
    options = parser.parse_args()
    cases = range(options.first, options.first + options.cases)
    if options.tight:
        changing_rooms(options.seed, cases)
        return
    if options.handed:
        handed(options.seed, cases)
        return
    if options.wide:
        side_by_side(options.seed, cases)
        return
    if options.scale:
        scaled(*options.scale, options.seed)
        return
    for kind in options.kind or KINDS:
        if options.best:
            compared(kind, options.seed, options.cases)
            continue
        if options.contested:
            contested(kind, options.seed, cases)
            continue
        anything(kind, options.seed, cases)


if __name__ == "__main__":
    main()
