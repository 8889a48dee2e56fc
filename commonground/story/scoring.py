"""How good the story came out, against the truth where it is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Bools
from commonground.geometry import angle_between, inverse
from commonground.names import within
from commonground.reading import parse_json, read_arrays, read_text
from commonground.runs import Run
from commonground.story import truth as known
from commonground.story.drives import truth_of
from commonground.story.seeing import FIXES, SEEN
from commonground.story.spec import Story

TOLERANCE_M = 1.0
RIGHT_M, RIGHT_DEG = 5.0, 10.0


def score(story: Story, run: Run) -> Mapping[str, Any]:
    """Return rows of measures, each with a value and what it means; only what can be known."""
    rows = [*_counts(run)]
    T = known.T_world_map(run)
    if T is not None:
        rows += _paths(run, T)
        rows += _objects(story, run, T)
        rows += _relocalization(run, T)
    return {"rows": rows, "T_world_map": None if T is None else T.tolist()}


def _row(measure: str, value: Any, unit: str, meaning: str) -> dict[str, Any]:
    shown = round(value, 3) if isinstance(value, float) else value
    return {"measure": measure, "value": shown, "unit": unit, "meaning": meaning}


def _counts(run: Run) -> list[dict[str, Any]]:
    fused, driven = run.result("fuse"), run.result("drive").get("driven", [])
    asked = run.result("instruct").get("asked", [])
    plans = [r for d in driven for r in d["robots"].values()]
    return [
        _row("robots in one map", len(fused["joined"]), "", "joined through objects both saw"),
        _row(
            "loop closures",
            fused["used_between"] + fused["used_within"],
            "",
            f"used; {fused['rejected']} rejected",
        ),
        _row(
            "objects", fused["objects"], "", f"from {fused['objects_before']} in the robots' maps"
        ),
        _row(
            "instructions understood",
            sum(a["status"] == "ok" for a in asked),
            "",
            f"of {len(asked)}",
        ),
        _row(
            "robots' plans driven to the end", sum(p["done"] for p in plans), "", f"of {len(plans)}"
        ),
    ]


def _paths(run: Run, T: Any) -> list[dict[str, Any]]:
    errors = known.errors_m(run, T)
    every = np.concatenate(list(errors.values()))
    rmse = float(np.sqrt((every**2).mean()))
    return [_row("error of the paths", rmse, "m", "root mean square, all robots aligned together")]


def _objects(story: Story, run: Run, T: Any) -> list[dict[str, Any]]:
    from commonground.mapping.locating import find_objects
    from commonground.mapping.objects.evaluate import evaluate_objects

    true = truth_of(story.see)
    seen = [run.robot(name) / SEEN for name in run.result("map")]
    if true is None or not all(file.is_file() for file in seen):
        return []
    sums: dict[str, Any] = {}
    for file in seen:
        arrays = read_arrays(file)
        for name in ("seen", "well"):
            sums[name] = sums.get(name, False) | arrays[name]
    scores = evaluate_objects(
        find_objects(run.fused), true, _Seen(**sums), tolerance_m=TOLERANCE_M, T_world_map=T
    )
    within = f"within {TOLERANCE_M:g} m"
    rows = [
        _row("objects that are right", scores.precision, "", f"share of the map's, {within}"),
        _row(
            "objects found",
            scores.recall,
            "",
            f"share of the {scores.demanded} seen well, {within}",
        ),
    ]
    if np.isfinite(scores.label_accuracy):  # a map may have no class names
        share = "share of the matched objects"
        rows.append(_row("classes that are right", scores.label_accuracy, "", share))
    return rows


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """Which true objects were seen, and seen well, by any robot."""

    seen: Bools
    well: Bools


def _relocalization(run: Run, T: Any) -> list[dict[str, Any]]:
    rows = []
    for name, result in run.result("relocalize").items():
        lines = read_text(within(run.folder, FIXES, f"{name}.jsonl")).splitlines()
        fixes = [parse_json(line, name) for line in lines]
        errors = [_error(f, T) for f in fixes if f["state"] == "localized" and f["T_world_robot"]]
        after = result["after_m"]
        rows.append(
            _row(f"{name} knows where it is after", after, "m", "driven from an unknown pose")
        )
        if errors:
            meters, degrees = np.array(errors).T
            wrong = int(((meters > RIGHT_M) | (degrees > RIGHT_DEG)).sum())
            meaning = f"median of {len(errors)} fixes; {wrong} off by more than {RIGHT_M:g} m"
            rows.append(_row(f"error of {name}'s pose", float(np.median(meters)), "m", meaning))
    return rows


def _error(fix: Mapping[str, Any], T_world_map: Any) -> tuple[float, float]:
    """Return how far off a fix is, in meters and degrees."""
    believed = np.asarray(T_world_map) @ np.array(fix["T_map_odom"]) @ np.array(fix["T_odom_robot"])
    E = inverse(np.array(fix["T_world_robot"])) @ believed
    return float(np.linalg.norm(E[:3, 3])), float(np.degrees(angle_between(E, np.eye(4))))
