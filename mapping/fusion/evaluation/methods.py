"""Evaluation table of fusion: the same teams aligned by different methods."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import inverse
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.align import Aligned, align
from commonground.mapping.fusion.closures import Closure, team_graph
from commonground.mapping.fusion.evaluation.scores import TOLERANCES_M, score
from commonground.mapping.fusion.evaluation.teams import Team
from commonground.mapping.fusion.fuse import FusedMap, fuse
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.posegraph import PoseGraph
from commonground.mapping.fusion.robust import Optimized, optimize
from commonground.objects import save_objects

METHODS = ("no closures", "distance", "+ gravity", "+ shape", "+ semantics", "oracle closures")
COLUMNS = (
    "team",
    "method",
    "robots",
    "IoU",
    *(f"{kind} {t:g} m" for t in TOLERANCES_M for kind in ("precision", "recall")),
    "doubled",
    "ATE m",
    "closures",
    "wrong",
    "objects",
    "map kB",
    "seconds",
)
ORACLE_M = 10.0
"""Submaps nearer than this are closed by the oracle."""
ORACLE_SIGMA = np.array([0.1, 0.1, 0.1, 0.02, 0.02, 0.02])
APART_M = 30.0
SURE = 50.0


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """A team fused by one method."""

    team: Team
    method: str
    row: dict[str, object]
    """Of the table."""
    fused: FusedMap


def results(
    teams: Iterable[Team], settings: LocalizationSettings, seed: int = 0
) -> Iterator[Result]:
    """Yield what each method makes of each team."""
    for team in teams:
        for method in METHODS:
            start = time.perf_counter()
            rng = np.random.default_rng(seed)
            chosen = settings_of(method, settings)
            fused = fuse(team.runs, chosen, rng, aligned_by(method, team, chosen, rng))
            seconds = time.perf_counter() - start
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "objects.npz"
                save_objects(fused.objects, file)
                size = file.stat().st_size / 1e3
            row = {"team": team.name, "method": method, **score(fused, team)}
            yield Result(team, method, {**row, "map kB": size, "seconds": seconds}, fused)


def settings_of(method: str, settings: LocalizationSettings) -> LocalizationSettings:
    """Return the settings of a method: what besides distances between objects is compared."""
    appearance = {"distance": (), "+ gravity": (), "+ shape": ("shape", "size")}
    matching = settings.matching
    if method in appearance:
        places = matching.places.model_copy(update={"gravity": method != "distance"})
        matching = matching.model_copy(update={"appearance": appearance[method], "places": places})
    return settings.model_copy(update={"matching": matching})


def aligned_by(
    method: str, team: Team, settings: LocalizationSettings, rng: np.random.Generator
) -> Aligned:
    """Return the paths as a method has them."""
    if method == "no closures":
        return from_true_starts(team)
    if method == "oracle closures":
        closures = true_closures(team)
        graph = team_graph(team.runs, closures)
        return Aligned(closures, graph, optimize(graph, rng), ())
    return align(team.runs, settings, rng)


def from_true_starts(team: Team) -> Aligned:
    """Return the odometry alone, each robot set down where it really began."""
    graph: PoseGraph = team_graph(team.runs, [])
    starts = [
        path[0] @ inverse(run.poses[0]) for path, run in zip(team.paths, team.runs, strict=True)
    ]
    poses = np.concatenate([T @ run.poses for T, run in zip(starts, team.runs, strict=True)])
    none, robots = np.empty(0), np.zeros(len(team.runs), np.int64)
    return Aligned([], graph, Optimized(poses, none.astype(bool), none, none, robots), ())


def true_closures(team: Team) -> list[Closure]:
    """Return the true relative poses of all submaps that lie near one another, but for one drive's own."""
    spots = [_spots(run, path) for run, path in zip(team.runs, team.paths, strict=True)]
    out = []
    for b, (keys_b, true_b, travel_b) in enumerate(spots):
        for a, (keys_a, true_a, travel_a) in enumerate(spots[: b + 1]):
            gap = np.linalg.norm(true_a[:, None, :3, 3] - true_b[None, :, :3, 3], axis=2)
            near = gap < ORACLE_M
            if a == b:
                near &= travel_a[:, None] + APART_M <= travel_b[None]
            for i, j in np.argwhere(near):
                T = inverse(true_a[i]) @ true_b[j]
                keys = int(keys_a[i]), int(keys_b[j])
                out.append(Closure((a, b), keys, T, np.diag(ORACLE_SIGMA**2), 1.0, 0, SURE))
    return out


def _spots(run: RobotRun, path: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the keyframes of a run's submaps, where they really were, and the travel up to each."""
    steps = np.linalg.norm(np.diff(run.poses[:, :3, 3], axis=0), axis=1)
    travel = np.concatenate([[0.0], np.cumsum(steps)])
    stamps = np.array([s.stamp_ns for s in run.objects.submaps], np.int64)
    keys = np.abs(run.stamps_ns[None] - stamps[:, None]).argmin(axis=1)
    return keys, path[keys], travel[keys]
