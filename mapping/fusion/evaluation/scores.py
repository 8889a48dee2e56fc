"""Scores of a fused map against the truth: paths, objects one to one, closures, regions."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import align_points, inverse, log_se3
from commonground.mapping.fusion.evaluation.teams import Team
from commonground.mapping.fusion.fuse import FusedMap
from commonground.mapping.space.region_scores import evaluate_regions
from commonground.objects import ObjectMap
from commonground.scores import object_scores, team_ate

TOLERANCES_M = (0.5, 1.0, 2.0)
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
