"""Cache of inter-robot matching in a fused map, so that adding a run matches only what is new.

A run that is fused onto it is matched with them; they are not matched with one another again. The result is
the same as if all were fused at once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from commonground.atomic import write_text
from commonground.errors import MALFORMED, MappingError
from commonground.mapping.fusion.closures import Closure
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.refused import Refused
from commonground.reading import read_json
from commonground.reasons import reason

FILE = "matching.json"
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Remembered:
    """Closures between pairs of runs, found before their frames were known."""

    folders: tuple[Path, ...] = ()
    pairs: Mapping[tuple[str, str], list[Closure]] = field(default_factory=dict)
    """By the marks of the two runs; ``robots`` of the closures are 0 and 1."""

    def known(self, one: RobotRun, two: RobotRun) -> list[Closure] | None:
        """Return the closures between two runs, None if they were not matched as they are now."""
        return self.pairs.get((mark_of(one), mark_of(two)))


def mark_of(run: RobotRun) -> str:
    """Return what a run's content is known by: any change of its objects or path changes it."""
    digest = hashlib.sha256()
    for array in (run.objects.centroids, run.objects.embeddings, run.stamps_ns, run.poses):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:20]


def remember(
    folder: Path,
    runs: Sequence[RobotRun],
    blind: Sequence[Closure],
    refused: Sequence[Refused] = (),
) -> None:
    """Write what was matched beside the fused map.

    Maps that look alike in more than one way are matched anew: what they say depends on the other robots.
    """
    number = {run.name: k for k, run in enumerate(runs)}
    values = {
        "schema_version": SCHEMA,
        "runs": [{"name": r.name, "folder": str(r.folder), "mark": mark_of(r)} for r in runs],
        "closures": [_as_json(c) for c in blind],
        "anew": [sorted(number[name] for name in r.robots) for r in refused if r.alike],
    }
    write_text(folder / FILE, json.dumps(values) + "\n")


def recall(folder: Path) -> Remembered:
    """Read what a fused map remembers; MappingError if it does not or cannot be read."""
    file = folder / FILE
    if not file.is_file():
        raise MappingError(f"{folder}: is no fused map that can be added to; fuse its runs again")
    try:
        values = read_json(file)
        if values["schema_version"] > SCHEMA:
            raise MappingError(f"{file}: written by a newer version; upgrade commonground")
        marks = [run["mark"] for run in values["runs"]]
        pairs: dict[tuple[str, str], list[Closure]] = {
            (marks[a], marks[b]): []
            for b in range(len(marks))
            for a in range(b)
            if [a, b] not in values.get("anew", [])
        }
        for value in values["closures"]:
            closure = _of_json(value)
            a, b = closure.robots
            pairs.setdefault((marks[a], marks[b]), []).append(replace(closure, robots=(0, 1)))
        return Remembered(tuple(Path(run["folder"]) for run in values["runs"]), pairs)
    except (OSError, *MALFORMED) as error:
        raise MappingError(
            f"{file}: cannot be read: {reason(error)}; fuse the runs again"
        ) from error


def _as_json(c: Closure) -> dict[str, Any]:
    return {
        "robots": c.robots,
        "keyframes": c.keyframes,
        "submaps": c.submaps,
        "T": c.T.ravel().tolist(),
        "covariance": c.covariance.ravel().tolist(),
        "confidence": c.confidence,
        "shared": c.shared,
        "evidence": c.evidence,
    }


def _of_json(value: Mapping[str, Any]) -> Closure:
    (a, b), (i, j), (s, t) = value["robots"], value["keyframes"], value["submaps"]
    return Closure(
        robots=(int(a), int(b)),
        keyframes=(int(i), int(j)),
        T=np.array(value["T"], float).reshape(4, 4),
        covariance=np.array(value["covariance"], float).reshape(6, 6),
        confidence=float(value["confidence"]),
        shared=int(value["shared"]),
        evidence=float(value["evidence"]),
        submaps=(int(s), int(t)),
    )
