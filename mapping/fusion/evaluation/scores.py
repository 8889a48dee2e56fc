"""Scores of a fused map against the truth: paths, objects one to one, closures, regions."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import align_points, inverse
from commonground.mapping.fusion.evaluation.teams import Team
from commonground.mapping.fusion.fuse import FusedMap
from commonground.mapping.space.region_scores import evaluate_regions
from commonground.objects import ObjectMap
from commonground.scores import closure_scores, joint_ate, object_scores

TOLERANCES_M = (0.5, 1.0, 2.0)
CLOSED_M, APART_M = 10.0, 30.0
"""Submaps so near one another are to be closed, those of one drive with so much travel between."""


def score(fused: FusedMap, team: Team) -> dict[str, float | int | None]:
    """Return the scores of a fused map by name; None where the truth does not tell."""
    joined = fused.joined
    found = [fused.trajectory(k) for k in range(len(fused.runs))]
    one, two = ([paths[k] for k in joined] for paths in (found, team.paths))
    T = align_points(*(np.concatenate(paths)[:, :3, 3] for paths in (one, two)))
    alone = [joint_ate([f], [t]) ** 2 for f, t in zip(found, team.paths, strict=True)]
    return {
        "robots": len(joined),
        "of": len(fused.runs),
        # robots left in frames of their own have no place in the map that could be off
        "ATE m": joint_ate(found, team.paths) if len(joined) == len(found) else None,
        "ATE each m": float(np.sqrt(np.average(alone, weights=[len(path) for path in found]))),
        **_closures(fused, team),
        **_objects(fused.objects, T, team),
        **_regions(fused, T, team),
    }


def _closures(fused: FusedMap, team: Team) -> dict[str, float | int | None]:
    """Return how good the closures are that were used."""
    used = [fused.closures[k] for k in np.flatnonzero(fused.optimized.accepted)]
    ends = [(team.paths[r][k] for r, k in zip(c.robots, c.keyframes, strict=True)) for c in used]
    true = np.array([inverse(one) @ two for one, two in ends]).reshape(-1, 4, 4)
    T = np.array([c.T for c in used]).reshape(-1, 4, 4)
    found = closure_scores(T, true, np.array([c.covariance for c in used]).reshape(-1, 6, 6))
    closed = {
        (c.robots, pair if c.robots[0] != c.robots[1] else (min(pair), max(pair)))
        for c, right in zip(used, found.right, strict=True)
        if right
        for pair in (c.submaps, *c.repeated)
    }
    asked = _asked(team)
    return {
        "candidates": len(fused.closures),
        "closures": len(used),
        "wrong": int((~found.right).sum()),
        "closure precision": found.precision,
        "closure recall": len(asked & closed) / len(asked) if asked else None,
        "closure m": found.median_m,
        "closure deg": found.median_deg,
        "closure NEES": found.nees,
    }


def _asked(team: Team) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the robots and numbers of submaps that truly lie near one another, but for one drive's own."""
    spots, travels = [], []
    for run, path in zip(team.runs, team.paths, strict=True):
        stamps = np.array([s.stamp_ns for s in run.objects.submaps], np.int64)
        keys = np.abs(run.stamps_ns[None] - stamps[:, None]).argmin(axis=1)
        spots.append(path[keys, :3, 3])
        travels.append(run.travel_m[keys])
    out = set()
    for b, at_b in enumerate(spots):
        for a, at_a in enumerate(spots[: b + 1]):
            near = np.linalg.norm(at_a[:, None] - at_b[None], axis=2) < CLOSED_M
            if a == b:
                near &= travels[a][:, None] + APART_M <= travels[b][None]
            out |= {((a, b), (int(i), int(j))) for i, j in np.argwhere(near)}
    return out


def _objects(objects: ObjectMap, T: Floats, team: Team) -> dict[str, float | int | None]:
    names = [f"{kind} {t:g} m" for t in TOLERANCES_M for kind in ("precision", "recall")]
    out: dict[str, float | int | None] = dict.fromkeys([*names, "IoU", "doubled"])
    out["objects"] = len(objects)
    if not team.demanded.any() or not len(objects):
        return out
    moved = objects.transformed(T)
    both = (moved.boxes, team.boxes)
    for tolerance in TOLERANCES_M:
        found = object_scores(
            moved.centroids, team.boxes.centers, tolerance, boxes=both, demanded=team.demanded
        )
        out[f"precision {tolerance:g} m"] = found.precision
        out[f"recall {tolerance:g} m"] = found.recall
        if tolerance == 1.0:
            out |= {"IoU": found.iou, "doubled": found.doubled}
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
