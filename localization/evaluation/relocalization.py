"""Evaluation table of relocalization: how far a lost robot drives until it knows where it is."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import inverse, log_se3
from commonground.localization.evaluation.traverses import (
    EVERY_M,
    Traverse,
    simulate_traverse,
    street_route,
    true_map,
)
from commonground.localization.evaluation.worlds import campus
from commonground.localization.relocalizer import Relocalizer, State
from commonground.localization.settings import LocalizationSettings
from commonground.objects import ObjectMap

COLUMNS = (
    "drive",
    "starts",
    "localized in 60 m",
    "meters, median",
    "submaps",
    "wrong",
    "error m",
    "error deg",
    "ms",
)
EXTENT_M = 250.0
MAPPERS, MAPPED_SUBMAPS = 3, 50
DRIVEN_SUBMAPS = 24
AHEAD = 7
"""Submaps a start is followed: 60 m of driving."""


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
    seconds: tuple[float, ...]


def start_of(
    meters: float | None, errors: Sequence[tuple[float, float]], seconds: Sequence[float] = ()
) -> Start:
    """Return what became of a start whose poses were off by ``errors`` (meters, degrees)."""
    good = [e for e in errors if is_near(e)]
    return Start(
        meters=meters,
        localized=len(errors),
        wrong=len(errors) - len(good),
        errors_m=tuple(e[0] for e in good),
        errors_deg=tuple(e[1] for e in good),
        seconds=tuple(seconds),
    )


def rows(
    seed: int, worlds: int, settings: LocalizationSettings | None = None
) -> Iterator[dict[str, object]]:
    """Yield a row for each way to come back: the same way, the other way round, and days later."""
    starts: dict[str, list[Start]] = {}
    for w in range(worlds):
        world = campus(np.random.default_rng([seed, w]), EXTENT_M)
        routes = [
            street_route(np.random.default_rng([seed, w, r]), EXTENT_M, MAPPED_SUBMAPS)
            for r in range(MAPPERS)
        ]
        mapped = true_map(
            world,
            [
                simulate_traverse(
                    world, r, np.random.default_rng([seed, w, k, 1]), robot=f"mapper{k}"
                )
                for k, r in enumerate(routes)
            ],
        )
        relocalizer = Relocalizer(mapped, settings)
        forth = routes[0][5 : 5 + DRIVEN_SUBMAPS]
        back = forth[::-1] + np.array([0.0, 0.0, np.pi])
        other = street_route(np.random.default_rng([seed, w, 99]), EXTENT_M, DRIVEN_SUBMAPS)
        rng = np.random.default_rng([seed, w, 2])
        for name, poses in (("same way", forth), ("opposite way", back), ("any way", other)):
            driven = simulate_traverse(world.later(rng), poses, rng)
            starts.setdefault(name, []).extend(_starts(relocalizer, mapped, driven))
    for name, found in starts.items():
        yield _row(name, found)


def _starts(relocalizer: Relocalizer, mapped: ObjectMap, driven: Traverse) -> Iterator[Start]:
    """Set the robot down at every fifth submap whose surroundings are in the map."""
    spots = np.array([s.T_map_submap[:3, 3] for s in mapped.submaps])
    at = driven.T_world_submaps[:, :3, 3]
    inside = np.linalg.norm(at[:, None] - spots[None], axis=2).min(axis=1) < EVERY_M
    for first in range(0, len(at) - AHEAD + 1, 5):
        if inside[first : first + AHEAD].all():
            yield _follow(relocalizer, driven, first)


def _follow(relocalizer: Relocalizer, driven: Traverse, first: int) -> Start:
    relocalizer.forget()
    meters: float | None = None
    errors: list[tuple[float, float]] = []
    seconds: list[float] = []
    for k in range(first, first + AHEAD):
        begin = time.perf_counter()
        estimate = relocalizer.update(driven.objects, driven.objects.submaps[k])
        seconds.append(time.perf_counter() - begin)
        if estimate.state is not State.LOCALIZED or estimate.T_map_submap is None:
            continue
        errors.append(pose_error(driven.T_world_submaps[k], estimate.T_map_submap))
        if meters is None and is_near(errors[-1]):
            meters = (k - first) * EVERY_M
    return start_of(meters, errors, seconds)


def pose_error(T_true: Floats, T: Floats) -> tuple[float, float]:
    """Return the meters and degrees by which a pose (4, 4) is off."""
    E = inverse(T_true) @ T
    return float(np.linalg.norm(E[:3, 3])), float(np.degrees(np.linalg.norm(log_se3(E)[3:])))


def is_near(error: tuple[float, float]) -> bool:
    """Return whether a pose that is off by so many meters and degrees counts as found."""
    return error[0] < 5 and error[1] < 10


def _row(name: str, starts: list[Start]) -> dict[str, object]:
    localized = sum(s.localized for s in starts)
    meters = [s.meters for s in starts if s.meters is not None]

    def median(values: list[float]) -> float | None:
        return float(np.median(values)) if values else None

    return {
        "drive": name,
        "starts": len(starts),
        "localized in 60 m": len(meters) / max(len(starts), 1),
        "meters, median": median(meters),
        "submaps": localized,
        "wrong": sum(s.wrong for s in starts) / max(localized, 1),
        "error m": median([e for s in starts for e in s.errors_m]),
        "error deg": median([e for s in starts for e in s.errors_deg]),
        "ms": median([1e3 * t for s in starts for t in s.seconds]),
    }
