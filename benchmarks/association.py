"""Association on problems with known answers: time, precision, recall, success, pairs per second, a team.

    python benchmarks/association.py [--seed 0] [--runs 10] [--robots 6] [--submaps 100]

The point sets are of the kind CLIPPER's paper uses (a unit cube, noise 0.01, a share of the pairs
wrong), the object maps of ROMAN's size (40 objects each). CLIPPER's C++ library took, on a machine of
two cores with two threads, 36, 143 and 612 ms for affinity and solution of m = 1,000, 2,000 and 4,000
at 90 % wrong; the ratio to that is printed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from commonground.localization import LocalizationSettings, associate
from commonground.localization.association import Association
from commonground.localization.evaluation.problems import Known, point_sets, scattered_maps
from commonground.localization.evaluation.traverses import simulate_traverse, street_route
from commonground.localization.evaluation.worlds import campus
from commonground.localization.matching import match_maps
from commonground.localization.places import submap_places
from commonground.localization.retrieval import make_atlas

CLIPPER_MS = {1000: 36.0, 2000: 143.0, 4000: 612.0}
NOISE_M = 0.01


def solved(known: Known, **told: object) -> tuple[Association, float]:
    """Return the answer to a problem, and the milliseconds it took."""
    start = time.perf_counter()
    answer = associate(known.points1, known.points2, known.pairs, **told)  # type: ignore[arg-type]
    return answer, 1e3 * (time.perf_counter() - start)


def points(seed: int, runs: int) -> None:
    """Print time, precision and recall on point sets."""
    print("| m | wrong | ms, median | CLIPPER's C++ / ours | precision | recall |")
    print("|---|---|---|---|---|---|")
    for m in (200, 500, 1000, 2000, 4000):
        for wrong in (0.8, 0.9, 0.95):
            times, precision, recall = [], [], []
            for run in range(runs):
                known = point_sets(np.random.default_rng([seed, m, run]), m, wrong, NOISE_M)
                answer, ms = solved(known, noise_m=NOISE_M)
                right = known.right[answer.rows]
                times.append(ms)
                precision.append(right.mean() if len(right) else 0.0)
                recall.append(right.sum() / known.right.sum())
            ms = float(np.median(times))
            ratio = f"{CLIPPER_MS[m] / ms:.1f}×" if m in CLIPPER_MS else ""
            print(
                f"| {m} | {wrong:.0%} | {ms:.1f} | {ratio} | {np.mean(precision):.3f} "
                f"| {np.mean(recall):.3f} |"
            )


def maps(seed: int, runs: int) -> None:
    """Print success and false acceptance on object maps."""
    told: dict[str, Callable[[Known], dict[str, object]]] = {
        "distances": lambda k: {},
        "gravity": lambda k: {"gravity": True},
        "gravity and looks": lambda k: {
            "gravity": True,
            "features1": k.features1,
            "features2": k.features2,
        },
    }
    print("\n| shared of 40 | " + " | ".join(told) + " | pairs/s | accepted, gravity and looks |")
    print("|---" * (len(told) + 3) + "|")
    for shared in (20, 12, 8, 6, 0):
        cells, accepted, times = [], 0, []
        for name, choose in told.items():
            good = 0
            for run in range(10 * runs):
                known = scattered_maps(np.random.default_rng([seed, shared, run]), 40, shared)
                answer, ms = solved(known, **choose(known))
                degrees, meters = known.error(answer.T_2_1)
                good += shared > 0 and degrees < 5 and meters < 1
                if name == "gravity and looks":
                    accepted += answer.accepted
                    times.append(ms)
            cells.append(f"{good / (10 * runs):.2f}")
        speed = 1e3 / float(np.median(times))
        share = accepted / (10 * runs)
        print(f"| {shared} | {' | '.join(cells)} | {speed:.0f} | {share:.3f} |")


def team(seed: int, robots: int, submaps: int) -> None:
    """Print how long it takes to match every robot's submaps with every other's."""
    rng = np.random.default_rng([seed, 7])
    world = campus(rng, 300.0)
    traverses = [
        simulate_traverse(
            world,
            street_route(np.random.default_rng([seed, k]), 300.0, submaps),
            rng,
            robot=f"r{k}",
        )
        for k in range(robots)
    ]
    settings = LocalizationSettings().matching
    for most, name in ((settings.retrieval.max_candidates, "gated"), (0, "all to all")):
        chosen = settings.model_copy(
            update={"retrieval": settings.retrieval.model_copy(update={"max_candidates": most})}
        )
        start, count = time.perf_counter(), 0
        for b in range(robots):
            atlas = make_atlas(
                traverses[b].objects, submap_places(traverses[b].objects, chosen.places)
            )
            for a in range(b):
                places = submap_places(traverses[a].objects, chosen.places)
                count += len(match_maps(traverses[a].objects, places, atlas, chosen))
        seconds = time.perf_counter() - start
        print(
            f"{robots} robots × {submaps} submaps, {name}: {count} pairs matched in {seconds:.0f} s "
            f"({count / seconds:.0f} pairs/s)"
        )


def main() -> None:
    """Print every table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--robots", type=int, default=6)
    parser.add_argument("--submaps", type=int, default=100)
    args = parser.parse_args()
    solved(scattered_maps(np.random.default_rng(0), 40, 20), gravity=True)  # compiles
    points(args.seed, args.runs)
    maps(args.seed, args.runs)
    team(args.seed, args.robots, args.submaps)


if __name__ == "__main__":
    main()
