"""Scores of a fused map against the truth: paths, objects one to one, closures, regions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.geometry import align_points, apply, from_quat_wxyz, inverse, log_se3
from commonground.mapping.fusion.evaluation.teams import Team
from commonground.mapping.fusion.fuse import FusedMap
from commonground.mapping.space.region_scores import evaluate_regions
from commonground.objects import ObjectMap
from commonground.scene import Boxes

TOLERANCES_M = (0.5, 1.0, 2.0)
GRID = 16
"""Points along each edge of a box by which an intersection is measured."""
WRONG_M, WRONG_DEG = 2.0, 10.0
"""A closure farther from the truth is wrong."""


def score(fused: FusedMap, team: Team) -> dict[str, float | int | None]:
    """Return the scores of a fused map by name; None where the truth does not tell."""
    joined = fused.joined
    found = np.concatenate([fused.trajectory(k)[:, :3, 3] for k in joined])
    true = np.concatenate([team.paths[k][:, :3, 3] for k in joined])
    T = align_points(found, true)
    paths = [fused.trajectory(k) for k in range(len(fused.runs))]
    wrong, used = _closures(fused, team)
    return {
        "robots": len(joined),
        "ATE m": team_ate(paths, team.paths, fused.optimized.component),
        "closures": used,
        "wrong": wrong,
        **_objects(fused.objects, T, team),
        **_regions(fused, T, team),
    }


def _closures(fused: FusedMap, team: Team) -> tuple[int, int]:
    """Return how many closures that were used are wrong, and how many were used."""
    wrong = 0
    used = np.flatnonzero(fused.optimized.accepted)
    for k in used:
        closure = fused.closures[k]
        (a, b), (i, j) = closure.robots, closure.keyframes
        xi = log_se3(inverse(inverse(team.paths[a][i]) @ team.paths[b][j]) @ closure.T)
        off_m, off_deg = np.linalg.norm(xi[:3]), np.degrees(np.linalg.norm(xi[3:]))
        wrong += bool(off_m > WRONG_M or off_deg > WRONG_DEG)
    return wrong, len(used)


def _objects(objects: ObjectMap, T: Floats, team: Team) -> dict[str, float | int | None]:
    names = [f"{kind} {t:g} m" for t in TOLERANCES_M for kind in ("precision", "recall")]
    out: dict[str, float | int | None] = dict.fromkeys([*names, "IoU", "doubled"])
    out["objects"] = len(objects)
    if not team.demanded.any() or not len(objects):
        return out
    moved = objects.transformed(T)
    for tolerance in TOLERANCES_M:
        pairs = one_to_one(moved.centroids, team.boxes.centers, tolerance)
        out[f"precision {tolerance:g} m"] = len(pairs) / len(objects)
        out[f"recall {tolerance:g} m"] = float(
            team.demanded[pairs[:, 1]].sum() / team.demanded.sum()
        )
    pairs = one_to_one(moved.centroids, team.boxes.centers, 1.0)
    if len(pairs):
        overlap = box_iou(moved.boxes.take(pairs[:, 0]), team.boxes.take(pairs[:, 1]))
        out["IoU"] = float(overlap.mean())
    out["doubled"] = _doubled(moved.centroids, team.boxes.centers, pairs) / len(objects)
    return out


def _regions(fused: FusedMap, T: Floats, team: Team) -> dict[str, float | int | None]:
    out: dict[str, float | int | None] = dict.fromkeys(
        ("regions", "region precision", "region recall")
    )
    if team.scene is None or not (team.scene.has("regions") and fused.graph.has("regions")):
        return out
    scores = evaluate_regions(fused.graph, team.scene, T)
    return {
        "regions": scores.found,
        "region precision": scores.precision,
        "region recall": scores.recall,
    }


def one_to_one(found: Floats, true: Floats, tolerance_m: float) -> Ints:
    """Return rows (k, 2) of found and true points nearer than a tolerance: the most and nearest pairs."""
    from scipy.optimize import linear_sum_assignment

    gap = np.linalg.norm(found[:, None] - true[None], axis=2)
    cost = np.where(gap <= tolerance_m, gap, 1e3 * tolerance_m)
    rows, columns = linear_sum_assignment(cost)
    kept = gap[rows, columns] <= tolerance_m
    return np.stack([rows[kept], columns[kept]], axis=1)


def _doubled(found: Floats, true: Floats, pairs: Ints) -> int:
    """Return how many objects left over lie within 1 m of a true object that another one was matched with."""
    rest = np.setdiff1d(np.arange(len(found)), pairs[:, 0])
    if not len(rest) or not len(pairs):
        return 0
    gap = np.linalg.norm(found[rest, None] - true[None], axis=2)
    nearest = gap.argmin(axis=1)
    return int((np.isin(nearest, pairs[:, 1]) & (gap.min(axis=1) < 1.0)).sum())


def box_iou(one: Boxes, two: Boxes) -> Floats:
    """Return intersection over union (k,) of oriented boxes, by a grid of points in the first."""
    ticks = (np.arange(GRID) + 0.5) / GRID - 0.5
    grid = np.stack(np.meshgrid(ticks, ticks, ticks, indexing="ij"), axis=-1).reshape(-1, 3)
    R_1, R_2 = from_quat_wxyz(one.quat_wxyz), from_quat_wxyz(two.quat_wxyz)
    points = (grid[None] * one.sizes[:, None]) @ np.swapaxes(R_1, 1, 2) + one.centers[:, None]
    local = (points - two.centers[:, None]) @ R_2
    inside = (np.abs(local) <= 0.5 * two.sizes[:, None]).all(axis=2).mean(axis=1)
    volumes = one.sizes.prod(axis=1), two.sizes.prod(axis=1)
    inner = inside * volumes[0]
    return np.asarray(inner / np.maximum(volumes[0] + volumes[1] - inner, 1e-9))


def team_ate(found: Sequence[Floats], true: Sequence[Floats], frame: Ints) -> float:
    """Return the error of robots in the frames (r,) numbered: each frame is aligned on its own.

    A robot left in a frame of its own so shows its drift alone, not where it began, which it cannot know.
    """
    total, count = 0.0, 0
    for number in np.unique(frame):
        robots = np.flatnonzero(frame == number).tolist()
        n = sum(len(found[r]) for r in robots)
        total += n * joint_ate([found[r] for r in robots], [true[r] for r in robots]) ** 2
        count += n
    return float(np.sqrt(total / max(count, 1)))


def joint_ate(found: Sequence[Floats], true: Sequence[Floats]) -> float:
    """Return the error in meters of robots' paths (k, 4, 4), aligned at once and rigidly, as evo has it."""
    one, two = (np.concatenate([path[:, :3, 3] for path in paths]) for paths in (found, true))
    gap = np.linalg.norm(apply(align_points(one, two), one) - two, axis=1)
    return float(np.sqrt((gap**2).mean()))
