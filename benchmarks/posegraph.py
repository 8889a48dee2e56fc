"""How far robust optimization holds: pose graphs with ever more random wrong closures among theirs.

    python benchmarks/posegraph.py FILE.g2o … [--shares 0 0.5 0.8 0.9 1] [--seeds 0 1] [--robots 3]

Wrong closures join two poses picked at random by the relative pose of two others, with the covariance of
one of the file's own. Error is the cost of odometry and the file's own closures at the answer, as a ratio of
that at their optimum; next to it how far the poses are from that optimum. ``--robots`` cuts the graph into
several. Time is processor time. Without files, a made-up campus drive is used.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.geometry import from_xyz_yaw, inverse
from commonground.mapping.fusion import Constraints, PoseGraph, optimize, read_g2o
from commonground.mapping.fusion.posegraph import mahalanobis2, residuals
from commonground.mapping.fusion.robust import Optimized
from commonground.mapping.fusion.solver import solve


def main() -> None:
    """Print a line for each file, share and seed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--shares", nargs="+", type=float, default=[0, 0.5, 0.7, 0.8, 0.9, 1])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--robots", type=int, default=1)
    args = parser.parse_args()
    print(
        "graph           wrong  seed  closures  error ratio  off by m  wrong kept  right lost  CPU s"
    )
    graphs = {f.stem: read_g2o(f) for f in args.files} or {"made up": made_up()}
    for name, graph in graphs.items():
        graph = cut(graph, args.robots)
        clean = optimize(graph, np.random.default_rng(0))
        best = solve(graph, clean.poses, graph.closures, clean.component)
        for share in args.shares:
            for seed in args.seeds:
                spoilt, right = spoil(graph, share, np.random.default_rng(seed))
                start = time.process_time()
                found = optimize(spoilt, np.random.default_rng(0))
                seconds = time.process_time() - start
                line = _line(graph, best, found, right)
                print(
                    f"{name:15} {share:5.0%} {seed:5} {len(right):9} {line} {seconds:6.1f}",
                    flush=True,
                )


def _line(graph: PoseGraph, best: Floats, found: Optimized, right: Bools) -> str:
    off = np.linalg.norm(found.poses[:, :3, 3] - best[:, :3, 3], axis=1)
    ratio = cost(graph, found.poses) / max(cost(graph, best), 1e-12)
    kept, lost = int(found.accepted[~right].sum()), int((~found.accepted[right]).sum())
    text = f"{ratio:12.3f} {np.sqrt((off**2).mean()):9.3f} {kept:11} {lost:11}"
    return text if found.consensus else f"{'no consensus':>12} {'':9} {kept:11} {lost:11}"


def cost(graph: PoseGraph, poses: Floats) -> float:
    """Return half the squared Mahalanobis distances of odometry and closures."""
    parts = (graph.odometry, graph.closures)
    return 0.5 * sum(float(mahalanobis2(residuals(c, poses), c.covariances).sum()) for c in parts)


def spoil(graph: PoseGraph, share: float, rng: np.random.Generator) -> tuple[PoseGraph, Bools]:
    """Return the graph with wrong closures mixed in, and which are its own; of share 1, wrong ones alone."""
    m, n = len(graph.closures), len(graph)
    count = m if share >= 1 else round(m * share / (1 - share))
    ends = np.sort(rng.integers(0, n, (3 * count + 9, 2)), axis=1)
    ends = ends[ends[:, 1] - ends[:, 0] > 1][:count]
    p, q = rng.integers(0, n, (2, len(ends)))
    T = inverse(graph.poses[p]) @ graph.poses[q]
    wrong = Constraints(ends, T, graph.closures.covariances[rng.integers(0, m, len(ends))])
    own = Constraints.none() if share >= 1 else graph.closures
    both = Constraints.joined([own, wrong])
    order = rng.permutation(len(both))
    return replace(graph, closures=both.take(order)), (np.arange(len(both)) < len(own))[order]


def cut(graph: PoseGraph, robots: int) -> PoseGraph:
    """Return the graph as of several robots: odometry is cut, each begins where it likes."""
    if robots == 1:
        return graph
    robot = np.minimum(np.arange(len(graph)) * robots // len(graph), robots - 1)
    # what the file itself holds apart stays apart
    robot = np.unique(graph.robot * robots + robot, return_inverse=True)[1]
    robots = int(robot.max()) + 1
    i, j = graph.odometry.rows.T
    whole = graph.odometry.take(robot[i] == robot[j])
    moved = from_xyz_yaw([[50.0 * r, -30.0 * r, 0, 2.0 * r] for r in range(robots)])
    names = tuple(f"robot{r}" for r in range(robots))
    return replace(
        graph, poses=moved[robot] @ graph.poses, odometry=whole, robot=robot, names=names
    )


def made_up(seed: int = 0) -> PoseGraph:
    """Return the pose graph of a drive round blocks, with closures where it comes back."""
    from commonground.geometry import exp_se3, relative

    rng = np.random.default_rng(seed)
    s = np.linspace(0, 6 * np.pi, 400)
    true = from_xyz_yaw(np.c_[40 * np.cos(s), 25 * np.sin(2 * s), 0 * s, s])
    sigma = np.array([0.1, 0.05, 0.02, 0.002, 0.002, 0.01])
    steps = relative(true[:-1], true[1:]) @ exp_se3(rng.normal(size=(399, 6)) * sigma)
    poses = [np.eye(4)]
    for step in steps:
        poses.append(poses[-1] @ step)
    near = np.linalg.norm(true[:, None, :3, 3] - true[None, :, :3, 3], axis=2) < 3
    rows = np.argwhere(np.triu(near, 30))
    rows = rows[rng.choice(len(rows), min(60, len(rows)), replace=False)]
    C, T = np.diag(sigma**2), relative(true[rows[:, 0]], true[rows[:, 1]])
    closures = Constraints(
        rows, T @ exp_se3(rng.normal(size=(len(rows), 6)) * sigma), np.tile(C, (len(rows), 1, 1))
    )
    odometry = Constraints(np.c_[:399, 1:400], steps, np.tile(C, (399, 1, 1)))
    return PoseGraph(np.arange(400), np.array(poses), odometry, closures, np.zeros(400, np.int64))


if __name__ == "__main__":
    main()
