"""Optimization of a pose graph file, with the verdict on each of its closures."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Ints
from commonground.atomic import write_text
from commonground.config import to_yaml
from commonground.errors import MappingError
from commonground.geometry import inverse, quat_xyzw
from commonground.mapping.fusion.g2o import NUMBER, read_g2o, write_g2o
from commonground.mapping.fusion.inputs import as_paths
from commonground.mapping.fusion.posegraph import Constraints, PoseGraph, cost, g2o_cost
from commonground.mapping.fusion.robust import DECIDED, Optimized, optimize, summary
from commonground.names import within
from commonground.reporter import SILENT, Reporter
from commonground.runs import Run
from commonground.settings import Settings
from commonground.tum import LAST_NS

SAME = 1e-6
"""Measurements of the same poses that differ by less, in meters and radians, are one."""


@dataclass(frozen=True, slots=True, eq=False)
class SolvedGraph:
    """A pose graph and its optimum."""

    graph: PoseGraph
    optimized: Optimized
    seconds: float
    notes: tuple[str, ...] = ()
    """Of what the file says twice, or of nothing."""

    @property
    def used(self) -> PoseGraph:
        """The graph of odometry and the closures that were used."""
        return replace(self.graph, closures=self.graph.closures.take(self.optimized.accepted))

    def metrics(self) -> Mapping[str, Any]:
        """Return JSON values: counts, whether there is a consensus, time, notes."""
        return {
            "poses": len(self.graph),
            "robots": list(self.graph.names),
            **summary(self.graph, self.optimized),
            "chi2_before": round(cost(self.used, self.graph.poses), 4),
            "chi2": round(cost(self.used, self.optimized.poses), 4),
            "chi2_g2o": round(g2o_cost(self.used, self.optimized.poses), 4),
            "consensus": self.optimized.consensus,
            "seconds": round(self.seconds, 3),
            "notes": [*self.notes, *self.optimized.notes],
        }


def solve_graph(
    files: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    config: Settings | None = None,
    seed: int = 0,
    reporter: Reporter = SILENT,
    outliers: str = DECIDED,
) -> SolvedGraph:
    """Optimize the pose graph of a g2o file into the run directory ``out``; there may be one file only."""
    files = as_paths(files)
    if len(files) > 1:
        raise MappingError(
            f"{files[0]}: a pose graph is optimized by itself; closures of maps are given with --closures"
        )
    text = "" if config is None else to_yaml(config)
    with Run.open(out, "fuse", seed=seed, config_yaml=text) as run:
        with reporter.phase(f"optimizing {files[0]}"):
            solved = solve_file(files[0], np.random.default_rng(seed), outliers)
        save_solved(solved, run.fused)
        run.note("fuse", solved.metrics())
    return solved


def solve_file(path: str | Path, rng: np.random.Generator, outliers: str = DECIDED) -> SolvedGraph:
    """Optimize the pose graph of a g2o file; MappingError tells what is wrong with it."""
    graph, notes = counted_once(read_g2o(path))
    if len(graph.odometry) < len(graph.names) and len(graph) > 1:
        notes.append(
            f"{len(graph.odometry)} edges join poses whose ids follow one another: the {len(graph)} "
            f"poses are taken for {len(graph.names)} robots"
        )
    start = time.perf_counter()
    optimized = optimize(graph, rng, outliers)
    seconds = time.perf_counter() - start
    return SolvedGraph(graph, optimized, seconds, tuple(f"{path}: {note}" for note in notes))


def counted_once(graph: PoseGraph) -> tuple[PoseGraph, list[str]]:
    """Return a graph in which each measurement counts once, and lines about what was left out.

    The same relative pose of the same two poses, written from either end, is one measurement that was written
    twice: two of a sensor differ. A pose measured from itself says nothing.
    """
    edges = Constraints.joined([graph.odometry, graph.closures])
    turned = edges.rows[:, 0] > edges.rows[:, 1]
    T = np.where(turned[:, None, None], inverse(edges.T), edges.T)[:, :3].reshape(-1, 12)
    said = np.concatenate([np.sort(edges.rows, axis=1), np.round(T / SAME)], axis=1)
    _, firsts = np.unique(said, axis=0, return_index=True)
    closures = np.arange(len(graph.odometry), len(edges))
    itself = (edges.rows[:, 0] == edges.rows[:, 1])[closures]
    again = ~np.isin(closures, firsts) & ~itself
    notes = []
    if again.any():
        notes.append(f"{again.sum()} edges say again what another one says; they count once")
    if itself.any():
        notes.append(f"{itself.sum()} edges join a pose to itself; they are left out")
    kept = graph.closures.take(~again & ~itself)
    return (replace(graph, closures=kept) if notes else graph), notes


def save_solved(solved: SolvedGraph, folder: Path) -> None:
    """Write the pose graph of odometry and used closures, a trajectory a robot, all closures, metrics."""
    graph, optimized = solved.graph, solved.optimized
    write_g2o(solved.used, folder / "posegraph.g2o", optimized.poses)
    for number, name in enumerate(graph.names):
        rows = np.flatnonzero(graph.robot == number)
        lines = [
            " ".join([str(number), *(f"{v:.9g}" for v in (*T[:3, 3], *quat_xyzw(T)))])
            for number, T in zip(_numbers(graph.ids[rows]), optimized.poses[rows], strict=True)
        ]
        write_text(within(folder, "trajectories", f"{name}.tum"), "\n".join(lines) + "\n")
    write_text(folder / "loop_closures.csv", closure_table(graph, optimized))
    write_text(folder / "metrics.json", json.dumps(solved.metrics(), indent=1) + "\n")


def _numbers(ids: Ints) -> list[int]:
    """Return the numbers (n,) of a robot's poses, without its letter; such as no clock shows are counted."""
    numbers = (ids & NUMBER).tolist()
    return numbers if max(numbers, default=0) < LAST_NS // 10**9 else [*range(len(numbers))]


def closure_table(graph: PoseGraph, optimized: Optimized) -> str:
    """Return the closures as CSV: between which poses, how far off, used or not."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["pose_1", "pose_2", "evidence", "chi2", "used"])
    for k, (i, j) in enumerate(graph.ids[graph.closures.rows]):
        numbers = (f"{optimized.evidence[k]:.2f}", f"{optimized.chi2[k]:.2f}")
        table.writerow([i, j, *numbers, int(optimized.accepted[k])])
    return out.getvalue()
