"""Loop closures from elsewhere: a table that names robots and times or keyframes."""

from __future__ import annotations

import csv
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.errors import MappingError
from commonground.geometry import from_quat_xyzw, inverse, log_se3, transform
from commonground.mapping.fusion.closures import OUTSIDE, Closure, moved_covariance
from commonground.mapping.fusion.g2o import read_g2o
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.overlap import Pair
from commonground.mapping.fusion.posegraph import mahalanobis2
from commonground.mapping.fusion.recorded import Beside, RecordedPath
from commonground.mapping.fusion.robust import GATE, Optimized
from commonground.reading import read_text
from commonground.reasons import reason

COLUMNS = ("robot_1", "stamp_1_ns", "robot_2", "stamp_2_ns", "x", "y", "z", "qx", "qy", "qz", "qw")
"""What a table must have; ``covariance``, or ``sigma_m`` and ``sigma_deg``, may be given too."""
SIGMA_M, SIGMA_DEG = 0.3, 3.0
UNIT = 1e-2
"""By how much the length of a quaternion may differ from 1."""
EXACT = 1e-9
"""Less than this is rounding."""
LATE_NS = 5 * 10**9
"""A time farther from every keyframe is of another drive."""


def read_closures(
    path: Path, runs: Sequence[RobotRun], left_out: Collection[str] = ()
) -> tuple[list[Closure], list[str]]:
    """Return the closures of a CSV table or of a g2o file, and a line if not all of it could be used.

    The ids of a g2o file count the keyframes of all robots in turn, by name. Closures with robots that were
    ``left_out`` are passed over; MappingError tells what is wrong with a file.
    """
    passed = 0
    if path.suffix == ".g2o":
        if left_out:
            names = ", ".join(sorted(left_out))
            return [], [f"{path}: not used: it counts the keyframes of all robots, and without {names} "
                        "nobody knows which are whose"]  # fmt: skip
        found = _of_g2o(path, runs)
    else:
        found, passed = _of_table(path, runs, left_out)
    notes = [f"{path}: holds no closures"] if not found and not passed else []
    useful = [c for c in found if (c.robots[0], c.keyframes[0]) != (c.robots[1], c.keyframes[1])]
    if len(useful) < len(found):
        notes.append(f"{path}: {len(found) - len(useful)} closures join a keyframe to itself")
    if passed:
        notes.append(f"{path}: {passed} closures are with robots that were left out")
    return useful, notes


def measured_here(closure: Closure, others: Sequence[Closure]) -> bool:
    """Return whether a closure from elsewhere says of its keyframes what another says that was found here.

    It may be the same measurement, handed back or made of the same images: it counts once.
    """
    return closure.given and any(
        not c.given and _ends(c) == _ends(closure) and _agree(closure, c) for c in others
    )


def told_of_given(
    given: Sequence[Closure], closures: Sequence[Closure], optimized: Optimized
) -> str:
    """Return how many closures from elsewhere were used, where not all of them were; nothing otherwise.

    One is used too where a closure that was found here, and used, says the same.
    """
    used = [c for c, yes in zip(closures, optimized.accepted, strict=True) if yes]
    unused = [g for g in given if not any(_ends(c) == _ends(g) and _agree(g, c) for c in used)]
    if not unused:
        return ""
    apart = sum(
        optimized.component[c.robots[0]] != optimized.component[c.robots[1]] for c in unused
    )
    told = f"{len(given) - len(unused)} of {len(given)} closures are used"
    if len(unused) > apart:
        told += f"; {len(unused) - apart} contradict the map that the others make"
    if apart:
        told += f"; {apart} do not prove that robots lie as they say, and these are not joined"
    return told


def _ends(closure: Closure) -> set[tuple[int, int]]:
    return set(zip(closure.robots, closure.keyframes, strict=True))


def _agree(one: Closure, two: Closure) -> bool:
    """Return whether two closures of the same keyframes differ by no more than they may."""
    turned = (one.robots, one.keyframes) != (two.robots, two.keyframes)
    xi = log_se3(one.T @ two.T if turned else inverse(one.T) @ two.T)
    return bool(mahalanobis2(xi[None], (one.covariance + two.covariance)[None])[0] <= GATE)


def _of_table(
    path: Path, runs: Sequence[RobotRun], left_out: Collection[str]
) -> tuple[list[Closure], int]:
    """Return the closures of a table, and how many are with robots that were left out."""
    stated, passed = [], 0
    paths = [RecordedPath(run) for run in runs]
    try:
        table = csv.DictReader(read_text(path).split("\n"))
        if not table.fieldnames:
            raise MappingError(f"{path}: the file is empty; its first line names the columns")
        missing = [c for c in COLUMNS if c not in table.fieldnames]
        if missing:
            raise MappingError(f"{path}: the column {missing[0]} is missing")
        for n, row in enumerate(table, start=2):
            if row["robot_1"] in left_out or row["robot_2"] in left_out:
                passed += 1
            else:
                stated.append(_stated(row, f"{path}:{n}", paths))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise MappingError(
            f"{path}: cannot be read as a table of closures: {reason(error)}"
        ) from error
    tilted = _is_tilted(stated)
    return [_of_keyframes(one, runs, tilted=tilted) for one in stated], passed


class _Stated(NamedTuple):
    """A line of a table: the pose between two robots at any times of their paths."""

    robots: Pair
    ends: tuple[Beside, Beside]
    T: Floats
    covariance: Floats


def _stated(row: dict[str, str], where: str, paths: Sequence[RecordedPath]) -> _Stated:
    robots, stamps = zip(*(_end(row, side, where, paths) for side in ("1", "2")), strict=True)
    numbers = np.array([_number(row, column, where) for column in COLUMNS[4:]])
    if abs(float(np.linalg.norm(numbers[3:])) - 1.0) > UNIT:
        raise MappingError(f"{where}: qx qy qz qw is no rotation: its length is not 1")
    T = transform(from_quat_xyzw(numbers[3:]), numbers[:3])
    one, two = (paths[r].beside(t) for r, t in zip(robots, stamps, strict=True))
    return _Stated((robots[0], robots[1]), (one, two), T, _stated_covariance(row, where))


def _stated_covariance(row: dict[str, str], where: str) -> Floats:
    if row.get("covariance"):
        return _covariance(row["covariance"], where)
    sigma_m = _number(row, "sigma_m", where) if row.get("sigma_m") else SIGMA_M
    sigma_deg = _number(row, "sigma_deg", where) if row.get("sigma_deg") else SIGMA_DEG
    if min(sigma_m, sigma_deg) <= 0:
        raise MappingError(f"{where}: a standard deviation must be positive")
    return np.diag(np.array([sigma_m] * 3 + [np.radians(sigma_deg)] * 3) ** 2)


def _is_tilted(stated: Sequence[_Stated]) -> bool:
    """Return whether the poses of a table are between bodies as they were tilted, not upright ones.

    Upright bodies are turned about the vertical only. What is told of keyframes by these programs is of
    upright ones, and what others measure of tilted ones.
    """
    upright = sum(_tilt(one.T) for one in stated)
    return sum(_tilt(_leveled(one)) for one in stated) < upright - EXACT * len(stated)


def _tilt(T: Floats) -> float:
    """Return the square of how far a rotation turns what is vertical."""
    return float(np.sum(np.square(T[:3, 2] - [0.0, 0.0, 1.0])))


def _leveled(one: _Stated) -> Floats:
    """Return the pose between upright bodies, were the one that is stated between tilted ones."""
    first, second = (inverse(end.T_key_level) @ end.T_key_body for end in one.ends)
    return np.asarray(first @ one.T @ inverse(second))


def _of_keyframes(one: _Stated, runs: Sequence[RobotRun], *, tilted: bool) -> Closure:
    """Return a stated closure carried to the keyframes nearest in time, with what the ways there add."""
    first, second = (end.T_key_body if tilted else end.T_key_level for end in one.ends)
    covariance = (
        one.covariance + moved_covariance(one.ends[0].covariance, one.T) + one.ends[1].covariance
    )
    keyframes = one.ends[0].keyframe, one.ends[1].keyframe
    T = first @ one.T @ inverse(second)
    return _given(runs, one.robots, keyframes, T, moved_covariance(covariance, inverse(second)))


def _given(
    runs: Sequence[RobotRun], robots: Pair, keyframes: Pair, T: Floats, covariance: Floats
) -> Closure:
    """Return a closure from elsewhere as one found here would be: of two submaps, the lower robot first."""
    if robots[0] > robots[1]:
        robots, keyframes = robots[::-1], keyframes[::-1]
        T, covariance = inverse(T), moved_covariance(covariance, inverse(T))
    one, two = (_submap_of(runs[r], k) for r, k in zip(robots, keyframes, strict=True))
    submaps = OUTSIDE if min(one, two) < 0 else (one, two)
    return Closure(robots, keyframes, T, covariance, 0.5, 0, submaps=submaps, given=True)


def _submap_of(run: RobotRun, keyframe: int) -> int:
    """Return the number of the submap nearest in time to a keyframe; −1 where there is none."""
    stamps = np.array([s.stamp_ns for s in run.objects.submaps], np.int64)
    gaps = np.abs(stamps - run.stamps_ns[keyframe])
    return int(gaps.argmin()) if len(gaps) else -1


def _covariance(text: str, where: str) -> Floats:
    """Return the covariance (6, 6) of 21 numbers, its upper triangle row by row."""
    try:
        numbers = np.array([float(word) for word in text.split()])
    except ValueError as error:
        raise MappingError(f"{where}: covariance: {reason(error)}") from error
    C = np.zeros((6, 6))
    if numbers.shape != (21,) or not np.isfinite(numbers).all():
        raise MappingError(f"{where}: a covariance is 21 numbers, its upper triangle row by row")
    C[np.triu_indices(6)] = numbers
    C = C + np.triu(C, 1).T
    if np.linalg.eigvalsh(C)[0] <= 0:
        raise MappingError(f"{where}: the covariance is not positive definite")
    return C


def _end(
    row: dict[str, str], side: str, where: str, paths: Sequence[RecordedPath]
) -> tuple[int, int]:
    """Return the run and the time a row names; of a robot whose odometry jumped, the part of that time."""
    runs = [path.run for path in paths]
    name = row[f"robot_{side}"]
    own = [k for k, run in enumerate(runs) if name and name in (run.name, run.part_of)]
    if not own:
        there = ", ".join(run.name for run in runs)
        raise MappingError(f"{where}: there is no robot '{name}'; there are {there}")
    stamp = _whole(row, f"stamp_{side}_ns", where)
    gaps = [int(np.abs(runs[k].stamps_ns - stamp).min()) for k in own]
    if min(gaps) > LATE_NS:
        raise MappingError(f"{where}: {name} has no keyframe within 5 s of {stamp} ns")
    return own[gaps.index(min(gaps))], stamp


def _of_g2o(path: Path, runs: Sequence[RobotRun]) -> list[Closure]:
    graph = read_g2o(path)
    starts = np.cumsum([0, *(len(r.poses) for r in runs)])
    ids = graph.ids[graph.closures.rows]
    beyond = ids[(ids < 0) | (ids >= starts[-1])]
    if len(beyond):
        raise MappingError(
            f"{path}: pose {beyond[0]} is beyond the {starts[-1]} keyframes of {len(runs)} robots"
        )
    robot = np.searchsorted(starts, ids, side="right") - 1
    return [
        _given(runs, (int(a), int(b)), (int(i - starts[a]), int(j - starts[b])), T, C)
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
