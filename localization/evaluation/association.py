"""Evaluation tables of association: success, calibration and time on problems with known answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats
from commonground.localization.association.match import associate
from commonground.localization.association.result import Association
from commonground.localization.evaluation.problems import (
    Known,
    campus_pair,
    point_sets,
    scattered_maps,
)
from commonground.localization.evaluation.worlds import campus

COLUMNS = (
    "problem", "with", "shared", "runs", "right", "accepted", "wrong", "precision", "recall",
    "calibration error", "ms",
)  # fmt: skip
CAPTION = (
    "shared: objects that both maps hold, the median; runs: problems solved, a tenth of --runs",
    "but three at least where there are thousands of pairs. Shares of the runs: right, within 1 m",
    "and 5°, on the campus 5 m and 10°; accepted, that say so themselves and are right; wrong, that",
    "say so and are not. Means over the runs: precision, of the pairs answered; recall, of the shared",
    "objects. calibration error: mean gap between the probability stated and the share right, over",
    "all runs above. ms: median of an association, without compiling.",
)
MODES = {
    "distances": (None, False),
    "gravity": (True, False),
    "looks": (None, True),
    "gravity, looks": (True, True),
}
"""What association is given: (gravity, looks)."""
DIRECTIONS = {"same": 0.0, "across": 90.0, "opposite": 180.0, "elsewhere": None}
FEWEST = 6
"""Shared objects from which a campus pair counts."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One solved problem."""

    shared: int
    right: bool
    """Within 5° and 1 m (of the objects' center)."""
    near: bool
    """Within 10° and 5 m."""
    accepted: bool
    confidence: float
    precision: float
    recall: float
    seconds: float


def outcome(
    known: Known, gravity: bool | None, appearance: bool, noise_m: float | None = None
) -> Outcome:
    """Solve a problem and compare with its answer."""
    features = {"features1": known.features1, "features2": known.features2} if appearance else {}
    options = {} if noise_m is None else {"noise_m": noise_m}
    start = time.perf_counter()
    answer: Association = associate(
        known.points1,
        known.points2,
        known.pairs,
        gravity=gravity,
        **features,  # type: ignore[arg-type]
        **options,  # type: ignore[arg-type]
    )
    seconds = time.perf_counter() - start
    turn, miss = known.error(answer.T_2_1)
    hits = int(known.right[answer.rows].sum()) if known.right is not None else 0
    return Outcome(
        shared=known.shared,
        right=turn < 5 and miss < 1,
        near=turn < 10 and miss < 5,
        accepted=answer.accepted,
        confidence=answer.confidence,
        precision=hits / max(len(answer), 1),
        recall=hits / max(known.shared, 1),
        seconds=seconds,
    )


def calibration_error(outcomes: list[Outcome], bins: int = 10) -> float:
    """Return the expected calibration error: |confidence − share right|, averaged over the answers."""
    p = np.array([o.confidence for o in outcomes])
    right = np.array([o.right for o in outcomes], float)
    which = np.minimum((p * bins).astype(int), bins - 1)
    gaps = [
        (which == b).mean() * abs(p[which == b].mean() - right[which == b].mean())
        for b in np.unique(which)
    ]
    return float(np.sum(gaps))


def rows(seed: int, runs: int) -> Iterator[dict[str, object]]:
    """Yield the rows of the table, each over so many seeded problems."""
    outcome(scattered_maps(np.random.default_rng(0), 20, 10), True, True)  # compiles the loops
    outcome(point_sets(np.random.default_rng(0), 200, 0.8, 0.003), None, False, 0.01)
    for m in (1000, 2000, 4000):
        for wrong in (0.8, 0.9, 0.95):
            solved = [
                outcome(
                    point_sets(np.random.default_rng([seed, k, m]), m, wrong, 0.003),
                    None,
                    False,
                    0.01,
                )
                for k in range(max(3, runs // 10))
            ]
            yield _row(f"{m} pairs, {wrong:.0%} wrong", "distances", solved)
    for name, (gravity, appearance) in MODES.items():
        every = []
        for shared in (20, 12, 8, 6, 0):
            solved = [
                outcome(_scattered(seed, k, shared, bool(gravity)), gravity, appearance)
                for k in range(runs)
            ]
            every += solved
            yield _row("40 + 40 objects", name, solved)
        yield {
            "problem": "40 + 40, calibration error",
            "with": name,
            "runs": len(every),
            "calibration error": calibration_error(every),
        }
    yield from _campus_rows(seed, runs)


def _scattered(seed: int, k: int, shared: int, upright: bool) -> Known:
    return scattered_maps(np.random.default_rng([seed, k, shared]), 40, shared, upright=upright)


def _campus_rows(seed: int, runs: int) -> Iterator[dict[str, object]]:
    places = max(1, runs // 25)
    worlds = [campus(np.random.default_rng([seed, w])) for w in range(places)]
    for name, turn in DIRECTIONS.items():
        solved = []
        for k in range(2 * runs):
            rng = np.random.default_rng([seed, k, 1 + int(turn or 0), turn is None])
            solved.append(outcome(campus_pair(worlds[k % places], rng, turn_deg=turn), True, True))
        counted = [o for o in solved if turn is None or o.shared >= FEWEST]
        yield _row(f"campus, {name}", "gravity, looks", counted, right=lambda o: o.near)


def _row(
    problem: str,
    given: str,
    solved: list[Outcome],
    right: Callable[[Outcome], bool] = lambda o: o.right,
) -> dict[str, object]:
    """Return a line of the table; ``right`` tells whether an outcome is as it should be."""
    columns = [
        (right(o), o.accepted, o.shared, o.precision, o.recall, 1e3 * o.seconds) for o in solved
    ]
    good, accepted, shared, precision, recall, ms = np.array(columns, float).reshape(-1, 6).T

    def mean(values: Floats) -> float:
        return float(np.mean(values)) if len(values) else float("nan")

    some = bool(shared.any())
    return {
        "problem": problem,
        "with": given,
        "shared": round(float(np.median(shared))) if len(solved) else 0,
        "runs": len(solved),
        "right": mean(good) if some else None,
        "accepted": mean(accepted * good),
        "wrong": mean(accepted * (1.0 - good)),
        "precision": mean(precision) if some else None,
        "recall": mean(recall) if some else None,
        "ms": float(np.median(ms)) if len(ms) else None,
    }
