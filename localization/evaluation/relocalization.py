"""Evaluation table of relocalization: how far a lost robot drives until it knows where it is."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import gravity_aligned, inverse, log_se3
from commonground.localization.evaluation.traverses import (
    EVERY_M,
    Traverse,
    simulate_traverse,
    street_route,
    true_map,
)
from commonground.localization.evaluation.worlds import REACH_M, World, campus
from commonground.localization.nearby import upright_gap
from commonground.localization.relocalizer import Relocalizer, State
from commonground.localization.settings import LocalizationSettings
from commonground.objects import ObjectMap, Submap

EXTENT_M = 250.0
MAPPERS, MAPPED_SUBMAPS = 3, 50
DRIVEN_SUBMAPS = 24
AHEAD = 7
"""Submaps a start is followed: 60 m of driving."""
CAPTION = (
    "starts: robots set down that know nothing, followed for 60 m; in 60 m: share of them localized",
    "rightly by then; meters: driven until then, median of all starts: one that never was counts as",
    "beyond all others, - where that is half of them. fixes: submaps at which a robot said that it knew",
    "its pose; wrong fixes: how many of these were off by over 5 m or 10°. Of the others error m and deg",
    "are medians, NEES the mean squared error of place and heading by the stated covariance: 3 where",
    "they err as stated, less where they err less. ms: median of an estimate. Beside the map: set down",
    "east of a map of the western half, where every fix is wrong.",
)
PAIRED = (
    "pairs: of submaps of two robots; demanded: those that share six objects or more; 5 m, 10° and 1 m,",
    "5°: shares of the demanded that were matched so well; accepted: pairs that say so themselves; wrong:",
    "how many of these are off by over 5 m or 10°.",
)
"""Of rendered drives, what is told before that."""


@dataclass(frozen=True, slots=True)
class Start:
    """A robot set down somewhere in the map."""

    meters: float | None
    """Driven until it was localized rightly; None if it was not within the submaps followed."""
    localized: int
    """Submaps at which it said that it knew its pose."""
    wrong: int
    """Of these, those where it was off by more than 5 m or 10°."""
    errors_m: tuple[float, ...]
    errors_deg: tuple[float, ...]
    nees: tuple[float, ...]
    """Of those that are not wrong: squared errors of place and heading by the stated covariance."""
    seconds: tuple[float, ...]


def rows(
    seed: int, worlds: int, settings: LocalizationSettings | None = None
) -> Iterator[dict[str, object]]:
    """Yield a row for each way to come back: the same way, the other way round, days later, and elsewhere."""
    starts: dict[str, list[Start]] = {}
    for w in range(worlds):
        world = campus(np.random.default_rng([seed, w]), EXTENT_M)
        routes = [
            street_route(np.random.default_rng([seed, w, r]), EXTENT_M, MAPPED_SUBMAPS)
            for r in range(MAPPERS)
        ]
        mapped = true_map(
            [
                simulate_traverse(
                    world, r, np.random.default_rng([seed, w, k, 1]), robot=f"mapper{k}"
                )
                for k, r in enumerate(routes)
            ]
        )
        relocalizer = Relocalizer(mapped, settings)
        forth = routes[0][5 : 5 + DRIVEN_SUBMAPS]
        back = forth[::-1] + np.array([0.0, 0.0, np.pi])
        other = street_route(np.random.default_rng([seed, w, 99]), EXTENT_M, DRIVEN_SUBMAPS)
        rng = np.random.default_rng([seed, w, 2])
        for name, poses in (("same way", forth), ("opposite way", back), ("any way", other)):
            driven = simulate_traverse(world.later(rng), poses, rng)
            starts.setdefault(name, []).extend(_starts(relocalizer, mapped, driven))
        half = _half_mapped(world, routes, np.random.default_rng([seed, w, 3]), settings)
        starts.setdefault("beside the map", []).extend(half)
    for name, found in starts.items():
        yield _row(name, found)


def _half_mapped(
    world: World,
    routes: Sequence[Floats],
    rng: np.random.Generator,
    settings: LocalizationSettings | None,
) -> Iterator[Start]:
    """Set the robot down where a map of the western half shows nothing: whatever it says is wrong."""
    west = [route[route[:, 0] < -REACH_M] for route in routes]
    drives = [
        simulate_traverse(world, r, rng, robot=f"mapper{k}") for k, r in enumerate(west) if len(r)
    ]
    relocalizer = Relocalizer(true_map(drives), settings)
    for route in routes:
        driven = simulate_traverse(world.later(rng), route, rng)
        beside = route[:, 0] > REACH_M
        for first in range(0, len(route) - AHEAD + 1, 5):
            ahead = range(first, first + AHEAD)
            if beside[first : first + AHEAD].all():
                yield follow(
                    relocalizer, ((driven.objects, driven.objects.submaps[k], None) for k in ahead)
                )


def _starts(relocalizer: Relocalizer, mapped: ObjectMap, driven: Traverse) -> Iterator[Start]:
    """Set the robot down at every fifth submap whose surroundings are in the map."""
    spots = np.array([s.T_map_submap[:3, 3] for s in mapped.submaps])
    at = driven.T_world_submaps[:, :3, 3]
    inside = np.linalg.norm(at[:, None] - spots[None], axis=2).min(axis=1) < EVERY_M
    for first in range(0, len(at) - AHEAD + 1, 5):
        if inside[first : first + AHEAD].all():
            ahead = range(first, first + AHEAD)
            seen = (
                (driven.objects, driven.objects.submaps[k], driven.T_world_submaps[k])
                for k in ahead
            )
            yield follow(relocalizer, seen)


def follow(
    relocalizer: Relocalizer, seen: Iterable[tuple[ObjectMap, Submap, Floats | None]]
) -> Start:
    """Return what becomes of a robot that knows nothing: what it knows at each submap, and its true pose.

    Without a true pose, as in another world, whatever it says is wrong.
    """
    relocalizer.forget()
    meters: float | None = None
    errors: list[tuple[float, float]] = []
    nees: list[float] = []
    seconds: list[float] = []
    for k, (known, submap, true) in enumerate(seen):
        begin = time.perf_counter()
        estimate = relocalizer.update(known, submap)
        seconds.append(time.perf_counter() - begin)
        T, covariance = estimate.T_map_submap, estimate.covariance_submap
        if estimate.state is not State.LOCALIZED or T is None or covariance is None:
            continue
        errors.append((np.inf, 180.0) if true is None else pose_error(true, T))
        if true is not None and is_near(errors[-1]):
            meters = k * EVERY_M if meters is None else meters
            nees.append(_nees(true, T, covariance))
    good = [e for e in errors if is_near(e)]
    return Start(
        meters=meters,
        localized=len(errors),
        wrong=len(errors) - len(good),
        errors_m=tuple(e[0] for e in good),
        errors_deg=tuple(e[1] for e in good),
        nees=tuple(nees),
        seconds=tuple(seconds),
    )


def _nees(T_true: Floats, T: Floats, covariance: Floats) -> float:
    """Return the squared error of place and heading by the stated covariance: 3 on the average."""
    xi = upright_gap(T, gravity_aligned(T_true))[[0, 1, 3]]
    C = covariance[np.ix_([0, 1, 5], [0, 1, 5])]
    return float(xi @ np.linalg.solve(C, xi))


def pose_error(T_true: Floats, T: Floats) -> tuple[float, float]:
    """Return the meters and degrees by which a pose (4, 4) is off."""
    E = inverse(T_true) @ T
    return float(np.linalg.norm(E[:3, 3])), float(np.degrees(np.linalg.norm(log_se3(E)[3:])))


def is_near(error: tuple[float, float]) -> bool:
    """Return whether a pose that is off by so many meters and degrees counts as found."""
    return error[0] < 5 and error[1] < 10


def median(values: list[float]) -> float | None:
    """Return the median; None of nothing."""
    return float(np.median(values)) if values else None


def until_localized(starts: Sequence[Start]) -> float | None:
    """Return the median of the meters driven; a start that was never localized lies beyond all others."""
    meters = [np.inf if s.meters is None else s.meters for s in starts]
    middle = median(meters)
    return None if middle is None or np.isinf(middle) else middle


def _row(name: str, starts: list[Start]) -> dict[str, object]:
    return {
        "drive": name,
        "starts": len(starts),
        "in 60 m": sum(s.meters is not None for s in starts) / max(len(starts), 1),
        "meters": until_localized(starts),
        "fixes": sum(s.localized for s in starts),
        "wrong fixes": sum(s.wrong for s in starts),
        "error m": median([e for s in starts for e in s.errors_m]),
        "error deg": median([e for s in starts for e in s.errors_deg]),
        "NEES": mean([e for s in starts for e in s.nees]),
        "ms": median([1e3 * t for s in starts for t in s.seconds]),
    }


def mean(values: list[float]) -> float | None:
    """Return the mean; None of nothing."""
    return float(np.mean(values)) if values else None
