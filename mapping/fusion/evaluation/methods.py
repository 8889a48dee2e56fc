"""Evaluation table of fusion: the same teams aligned by different methods."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from commonground.arrays import Floats
from commonground.compiled import compiling_s
from commonground.geometry import inverse
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.align import Aligned, align
from commonground.mapping.fusion.closures import Closure
from commonground.mapping.fusion.evaluation.scores import TOLERANCES_M, score
from commonground.mapping.fusion.evaluation.teams import Team
from commonground.mapping.fusion.fuse import FusedMap, fuse
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.robust import Optimized, optimize
from commonground.mapping.fusion.team_graph import team_graph
from commonground.objects import save_objects
from commonground.run_folder import OBJECTS

METHODS = (
    "no closures", "own closures", "distance", "+ gravity", "+ shape", "+ semantics",
    "oracle closures",
)  # fmt: skip
"""How a team is fused: "own closures" are those of each robot with itself, "+ semantics" is all there is."""
COLUMNS = (
    "team", "method", "robots", "of", "IoU",
    *(f"{kind} {t:g} m" for t in TOLERANCES_M for kind in ("precision", "recall")), "doubled",
    "ATE m", "ATE each m", "candidates", "closures", "wrong", "closure precision",
    "closure recall", "closure m", "closure deg", "closure NEES", "objects", "regions",
    "region precision", "region recall", "map kB", "seconds",
)  # fmt: skip
ORACLE_M = 20.0
"""Submaps nearer than this are closed by the oracle."""
ORACLE_SIGMA = np.array([0.05, 0.05, 0.05, 0.005, 0.005, 0.005])
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
    teams: Iterable[Team],
    settings: LocalizationSettings,
    seed: int = 0,
    methods: Sequence[str] = METHODS,
) -> Iterator[Result]:
    """Yield what each method makes of each team."""
    for team in teams:
        for method in methods:
            chosen = settings_of(method, settings)
            compiled = compiling_s()
            fused, seconds = _timed(method, team, chosen, seed)
            if compiling_s() > compiled:  # the same once more, now that all loops are compiled
                fused, seconds = _timed(method, team, chosen, seed)
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / OBJECTS
                save_objects(fused.objects, file)
                size = file.stat().st_size / 1e3
            row = {"team": team.name, "method": method, **score(fused, team)}
            yield Result(team, method, {**row, "map kB": size, "seconds": seconds}, fused)


def _timed(
    method: str, team: Team, settings: LocalizationSettings, seed: int
) -> tuple[FusedMap, float]:
    """Return what a method makes of a team, and the seconds that it took."""
    start, rng = time.perf_counter(), np.random.default_rng(seed)
    fused = fuse(team.runs, settings, rng, aligned_by(method, team, settings, rng))
    return fused, time.perf_counter() - start


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
        return apart(team, [[] for _ in team.runs], [run.poses for run in team.runs])
    if method == "own closures":
        alone = [align([run], settings, rng) for run in team.runs]
        used = [_used(a, k) for k, a in enumerate(alone)]
        return apart(team, used, [a.optimized.poses for a in alone])
    if method == "oracle closures":
        closures = true_closures(team)
        graph = team_graph(team.runs, closures)
        return Aligned(closures, graph, optimize(graph, rng), ())
    return align(team.runs, settings, rng)


def apart(team: Team, closures: Sequence[Sequence[Closure]], poses: Sequence[Floats]) -> Aligned:
    """Return each robot's path as it has it alone; how the robots lie to one another is not known."""
    every = [closure for own in closures for closure in own]
    n, frames = len(every), np.arange(len(team.runs))
    paths = Optimized(np.concatenate(poses), np.ones(n, bool), np.zeros(n), np.zeros(n), frames)
    return Aligned(every, team_graph(team.runs, every), paths, ())


def _used(alone: Aligned, robot: int) -> list[Closure]:
    """Return the closures that a robot's path alone was optimized with, as those of a robot of the team."""
    both = zip(alone.closures, alone.optimized.accepted, strict=True)
    return [replace(closure, robots=(robot, robot)) for closure, used in both if used]


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
                pair = int(i), int(j)
                out.append(
                    Closure((a, b), keys, T, np.diag(ORACLE_SIGMA**2), 1.0, 0, SURE, submaps=pair)
                )
    return out


def _spots(run: RobotRun, path: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the keyframes of a run's submaps, where they really were, and the travel up to each."""
    stamps = np.array([s.stamp_ns for s in run.objects.submaps], np.int64)
    keys = np.abs(run.stamps_ns[None] - stamps[:, None]).argmin(axis=1)
    return keys, path[keys], run.travel_m[keys]
