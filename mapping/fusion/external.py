"""Loop closures that others found: from a table, with robots named and times or keyframes given."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from commonground.arrays import Floats
from commonground.errors import MappingError
from commonground.geometry import from_quat_xyzw, transform
from commonground.mapping.fusion.closures import Closure
from commonground.mapping.fusion.g2o import read_g2o
from commonground.mapping.fusion.inputs import RobotRun

COLUMNS = ("robot_1", "stamp_1_ns", "robot_2", "stamp_2_ns", "x", "y", "z", "qx", "qy", "qz", "qw")
"""What a table must have; ``sigma_m`` and ``sigma_deg`` may be given too."""
SIGMA_M, SIGMA_DEG = 0.3, 3.0
UNIT = 1e-2
"""By how much the length of a quaternion may differ from 1."""
LATE_NS = 5 * 10**9
"""A time farther from every keyframe is of another drive."""


def read_closures(path: Path, runs: Sequence[RobotRun]) -> list[Closure]:
    """Return the closures of a CSV table, or of a g2o file; MappingError tells what is wrong with it.

    The ids of a g2o file count the keyframes of all robots in turn, by name.
    """
    if path.suffix == ".g2o":
        return _of_g2o(path, runs)
    try:
        with path.open(newline="") as file:
            table = csv.DictReader(file)
            missing = [c for c in COLUMNS if c not in (table.fieldnames or ())]
            if missing:
                raise MappingError(f"{path}: the column {missing[0]} is missing")
            return [_closure(row, f"{path}:{n}", runs) for n, row in enumerate(table, start=2)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise MappingError(f"{path}: cannot be read as a table of closures: {error}") from error


def _closure(row: dict[str, str], where: str, runs: Sequence[RobotRun]) -> Closure:
    names = [run.name for run in runs]
    ends = []
    for side in ("1", "2"):
        name = row[f"robot_{side}"]
        if name not in names:
            raise MappingError(f"{where}: there is no robot '{name}'; there are {', '.join(names)}")
        ends.append((names.index(name), _whole(row, f"stamp_{side}_ns", where)))
    numbers = np.array([_number(row, column, where) for column in COLUMNS[4:]])
    if abs(float(np.linalg.norm(numbers[3:])) - 1.0) > UNIT:
        raise MappingError(f"{where}: qx qy qz qw is no rotation: its length is not 1")
    T = transform(from_quat_xyzw(numbers[3:]), numbers[:3])
    sigma_m = _number(row, "sigma_m", where) if row.get("sigma_m") else SIGMA_M
    sigma_deg = _number(row, "sigma_deg", where) if row.get("sigma_deg") else SIGMA_DEG
    if min(sigma_m, sigma_deg) <= 0:
        raise MappingError(f"{where}: a standard deviation must be positive")
    sigma = np.array([sigma_m] * 3 + [np.radians(sigma_deg)] * 3)
    return _between(ends[0], ends[1], T, np.diag(sigma**2), where, runs)


def _between(
    one: tuple[int, int],
    two: tuple[int, int],
    T: Floats,
    covariance: Floats,
    where: str,
    runs: Sequence[RobotRun],
) -> Closure:
    keys = []
    for robot, stamp in (one, two):
        gap = np.abs(runs[robot].stamps_ns - stamp)
        if gap.min() > LATE_NS:
            raise MappingError(
                f"{where}: {runs[robot].name} has no keyframe within 5 s of {stamp} ns"
            )
        keys.append(int(gap.argmin()))
    return Closure((one[0], two[0]), (keys[0], keys[1]), T, covariance, 0.5, 0)


def _of_g2o(path: Path, runs: Sequence[RobotRun]) -> list[Closure]:
    graph = read_g2o(path)
    starts = np.cumsum([0, *(len(r.poses) for r in runs)])
    ids = graph.ids[graph.closures.rows]
    if len(ids) and ids.max() >= starts[-1]:
        raise MappingError(
            f"{path}: pose {ids.max()} is beyond the {starts[-1]} keyframes of {len(runs)} robots"
        )
    robot = np.searchsorted(starts, ids, side="right") - 1
    return [
        Closure((int(a), int(b)), (int(i - starts[a]), int(j - starts[b])), T, C, 0.5, 0)
        for (a, b), (i, j), T, C in zip(
            robot, ids, graph.closures.T, graph.closures.covariances, strict=True
        )
    ]


def _number(row: dict[str, str], column: str, where: str) -> float:
    try:
        value = float(row[column])
    except (TypeError, ValueError) as error:
        raise MappingError(f"{where}: {column} = '{row[column]}' is no number") from error
    if not np.isfinite(value):
        raise MappingError(f"{where}: {column} is not finite")
    return value


def _whole(row: dict[str, str], column: str, where: str) -> int:
    try:
        return int(row[column])
    except (TypeError, ValueError) as error:
        raise MappingError(f"{where}: {column} = '{row[column]}' is no whole number") from error
