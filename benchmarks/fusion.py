"""How long fusing many robots takes, and how much memory: made-up drives with meshes as large as real ones.

    python benchmarks/fusion.py [--robots 8] [--length 2000] [--extent 500] [--seed 0] [--vertices 2400]
        [--jobs 0]

Nothing is rendered. A submap is made each 10 m; ``--vertices`` is how many of a mesh a meter of path leaves.
Robots are matched as ``fuse`` does it, by ``--jobs`` processes. Processor time is that of all processes,
memory the peak of this one; the others take about 0.3 GB each.
"""

from __future__ import annotations

import argparse
import resource
import time
from dataclasses import replace

import numpy as np

from commonground.geometry import apply
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.align import align
from commonground.mapping.fusion.evaluation.scores import score
from commonground.mapping.fusion.evaluation.teams import Team, made_up
from commonground.mapping.fusion.fuse import fuse
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.workers import processes_for, workers
from commonground.mapping.surface.mesh_part import MeshPart

STEP_M = 0.1
EVERY_M = 10.0


def main() -> None:
    """Print the time of each stage, the memory, and the scores."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--robots", type=int, default=8)
    parser.add_argument("--length", type=float, default=2000.0)
    parser.add_argument("--extent", type=float, default=500.0)
    parser.add_argument("--vertices", type=int, default=2400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=0)
    args = parser.parse_args()
    team = made_up(args.seed, args.robots, round(args.length / EVERY_M), args.extent)
    team = with_meshes(team, args.vertices)
    objects = sum(len(r.objects) for r in team.runs)
    print(f"{args.robots} robots, {args.length:g} m each, {objects} objects before")
    print(f"before fusing: {_peak_gb():.2f} GB")
    jobs = args.jobs or processes_for([len(r.objects.submaps) for r in team.runs])
    settings, rng = LocalizationSettings(), np.random.default_rng(args.seed)
    start, clock = _processor_s(), time.perf_counter()
    with workers(None, jobs) as pool:
        aligned = align(team.runs, settings, rng, executor=pool)
    fused = fuse(team.runs, settings, rng, aligned)
    total, wall = _processor_s() - start, time.perf_counter() - clock
    for stage, seconds in fused.seconds.items():
        print(f"{stage:12} {seconds:8.1f} s by the clock")
    print(f"{'all':12} {wall:8.1f} s by the clock, {total:.1f} s of the processor")
    print(f"{'peak':12} {_peak_gb():8.2f} GB")
    found = score(fused, team)
    print(", ".join(f"{k} {v:.3g}" for k, v in found.items() if v is not None))


def with_meshes(team: Team, vertices: int) -> Team:
    """Return the team with a strip of mesh under each path, in the robots' own frames."""
    return replace(team, runs=[replace(run, mesh=strip(run, vertices)) for run in team.runs])


def strip(run: RobotRun, vertices: int) -> MeshPart:
    """Return squares of 0.1 m along a path, so wide that a meter of it has so many corners."""
    across = max(2, round(vertices * STEP_M))
    along = round(EVERY_M / STEP_M)
    x, y = np.meshgrid(
        np.arange(along) * STEP_M, (np.arange(across) - across / 2) * STEP_M, indexing="ij"
    )
    sheet = np.c_[x.ravel(), y.ravel(), 0.05 * np.sin(x.ravel())]
    corner = (np.arange(along - 1)[:, None] * across + np.arange(across - 1)[None]).ravel()
    faces = np.concatenate(
        [
            np.c_[corner, corner + across, corner + 1],
            np.c_[corner + 1, corner + across, corner + across + 1],
        ]
    )
    n, m = len(run.poses), len(sheet)
    points = np.concatenate([apply(T, sheet) for T in run.poses]).astype(np.float32)
    starts = np.repeat(np.arange(n) * m, len(faces))[:, None]
    stamps = np.repeat(run.stamps_ns, m)
    return MeshPart(
        keys=np.zeros(n * m, np.int64),
        vertices=points,
        colors=np.zeros((n * m, 3), np.uint8),
        labels=np.zeros(n * m, np.int32),
        first_seen_ns=stamps,
        last_seen_ns=stamps,
        faces=(np.tile(faces, (n, 1)) + starts).astype(np.int32),
    )


def _peak_gb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def _processor_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


if __name__ == "__main__":
    main()
