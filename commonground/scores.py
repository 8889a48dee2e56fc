"""Scores of a path and of a map's objects against the truth, as the tables have them: for anybody's results.

A path is its stamps in nanoseconds (n,) and poses (n, 4, 4), as ``commonground.tum.read_tum`` reads it. Paths
are aligned rigidly and never scaled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.errors import DataError
from commonground.geometry import align_points, apply, from_quat_wxyz, inverse, log_se3
from commonground.given import poses, stamps, vectors
from commonground.scene import Boxes

EXACT_M = 1e-6
"""A path that is off by less is the true one."""
GRID = 16
"""Points along each edge of a box by which an intersection is measured."""
DOUBLED_M = 1.0
Path = tuple[Ints, Floats]
"""Stamps and poses."""


@dataclass(frozen=True, slots=True, eq=False)
class PathScore:
    """How far a path is from the true one, where both have a pose at a time."""

    ate_m: float
    """Root mean square of the distances, the path aligned to the true one at once."""
    median_m: float
    worst_m: float
    poses: int
    """So many poses have a true one."""
    of: int
    T_true_found: Floats
    """(4, 4) that aligns it; a map in the frame of the path is scored after the same motion."""
    segments: int = 1
    """Parts of it that lie in frames of their own, each aligned by itself; the motion is of the first."""

    def __str__(self) -> str:
        if self.ate_m < EXACT_M:
            return "the same as the true path"
        all_ = "" if self.poses == self.of else f" of {self.of}"
        each = f", each of {self.segments} segments by itself" if self.segments > 1 else ""
        return (
            f"off the true path by {self.ate_m:.3f} m (root mean square of {self.poses}{all_} poses, "
            f"aligned{each}), {self.worst_m:.3f} m at worst"
        )


@dataclass(frozen=True, slots=True, eq=False)
class ObjectScore:
    """How many of the objects that were found are true, and how many of the true ones were found."""

    precision: float
    recall: float
    iou: float | None
    """Mean of the boxes of those matched; None without boxes or matches."""
    doubled: float
    """Share of the found ones that stand for a thing another one stands for."""
    pairs: Ints
    """(k, 2) rows of found and true objects that were matched."""


@dataclass(frozen=True, slots=True, eq=False)
class ClosureScore:
    """How far relative poses are from the true ones: by the distance between places, and the angle."""

    precision: float | None
    """Share of them that is right; None of none."""
    median_m: float | None
    median_deg: float | None
    nees: float | None
    """Of right ones, mean of the squared errors of place and heading by the stated covariance: 3 where that
    is as stated; None without covariances."""
    right: Bools
    """(k,)"""


WRONG_M, WRONG_DEG = 2.0, 10.0
"""A closure farther from the truth is wrong."""
LEVEL = np.ix_([0, 1, 5], [0, 1, 5])


def ate(found: Path, true: Path, within_s: float = 0.05) -> PathScore:
    """Return the error of a path; poses are compared with the true ones nearest in time.

    A pose that is not finite counts as one that nothing was found for, a true one as none. DataError where
    fewer than three have a true one within so many seconds.
    """
    return joint_path_score([(found, true)], within_s)


def joint_path_score(paths: Sequence[tuple[Path, Path]], within_s: float = 0.05) -> PathScore:
    """Return the error of found paths that share a frame, with their true ones, aligned at once."""
    T, off = _aligned([_matched(found, true, within_s) for found, true in paths])
    return _score([T], off, sum(len(found[0]) for found, _ in paths))


def segments_score(found: Path, true: Path, begin_ns: Sequence[int]) -> PathScore:
    """Return the error of a path whose segments, which begin at these stamps, lie in frames of their own."""
    cuts = np.searchsorted(found[0], np.asarray(begin_ns[1:], np.int64))
    motions, offs = [], []
    for at, T in zip(*(np.split(column, cuts) for column in found), strict=True):
        try:
            motion, off = _aligned([_matched((at, T), true, 0.05)])
        except DataError:
            continue
        motions.append(motion)
        offs.append(off)
    if not offs:
        raise DataError("no segment of the path has three poses with a true one")
    return _score(motions, np.concatenate(offs), len(found[0]))


def _aligned(matched: Sequence[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Return the motion (4, 4) that aligns points to true ones, and how far off each is then."""
    one, two = (np.concatenate([pair[k] for pair in matched]) for k in (0, 1))
    T = align_points(one, two)
    return T, np.linalg.norm(apply(T, one) - two, axis=1)


def _score(motions: Sequence[Floats], off: Floats, of: int) -> PathScore:
    rms, middle, worst = np.sqrt((off**2).mean()), np.median(off), off.max()
    return PathScore(
        float(rms), float(middle), float(worst), len(off), of, motions[0], len(motions)
    )


def _matched(found: Path, true: Path, within_s: float) -> tuple[Floats, Floats]:
    """Return where a path says that it was (k, 3), and where it really was, at the times of both."""
    (at, T), (true_stamps, true_poses) = _sound(found), _sound(true)
    if not len(true_stamps):
        raise DataError("the true path has no poses")
    order = np.argsort(true_stamps)
    right = np.clip(np.searchsorted(true_stamps[order], at), 1, max(len(order) - 1, 1))
    near = np.stack([order[right - 1], order[np.minimum(right, len(order) - 1)]])
    gap = np.abs(true_stamps[near] - at)
    row = near[gap.argmin(axis=0), np.arange(len(at))]
    kept = gap.min(axis=0) <= within_s * 1e9
    if kept.sum() < 3:
        raise DataError(
            f"{kept.sum()} of {len(found[0])} poses have a true one within {within_s:g} s; three are needed. "
            "Do both have the same clock?"
        )
    return T[kept][:, :3, 3], true_poses[row[kept]][:, :3, 3]


def _sound(path: Path) -> Path:
    """Return the poses of a path that are finite."""
    at = stamps(path[0], "stamps of a path", DataError)
    T = poses(path[1], len(at), "poses of a path", DataError)
    kept = np.isfinite(T).all(axis=(1, 2))
    return at[kept], T[kept]


def score_of_files(
    pairs: Sequence[tuple[FilePath, FilePath]], begin_ns: Sequence[int] = ()
) -> PathScore | None:
    """Return the error of paths in one frame by files of found and true poses; None without true ones.

    Of a single path, stamps may tell where its segments begin that lie in frames of their own.
    """
    from commonground.tum import read_tum

    there = [pair for pair in pairs if all(file.is_file() for file in pair)]
    try:
        paths = [(read_tum(a, every=True), read_tum(b)) for a, b in there]
        if len(begin_ns) > 1 and len(paths) == 1:
            return segments_score(*paths[0], begin_ns)
        return joint_path_score(paths) if paths else None
    except DataError:
        return None


def object_scores(
    found: Floats,
    true: Floats,
    tolerance_m: float = 1.0,
    *,
    boxes: tuple[Boxes, Boxes] | None = None,
    demanded: Bools | None = None,
) -> ObjectScore:
    """Return the scores of objects at points (n, 3) against true ones (m, 3), in one frame.

    They are matched one to one within the tolerance. ``boxes`` are those of both; only true ones that are
    ``demanded`` (m,) count as missed, as where the others were never in sight.
    """
    found, true = (vectors(p, 3, "points", DataError) for p in (found, true))
    pairs = one_to_one(found, true, tolerance_m)
    asked = np.ones(len(true), bool) if demanded is None else demanded
    iou = None
    if boxes is not None and len(pairs):
        one, two = (side.take(pairs[:, k]) for k, side in enumerate(boxes))
        iou = float(box_iou(one, two).mean())
    count = max(len(found), 1)
    recall = float(asked[pairs[:, 1]].sum() / max(int(asked.sum()), 1))
    return ObjectScore(len(pairs) / count, recall, iou, _doubled(found, true, pairs) / count, pairs)


def closure_scores(found: Floats, true: Floats, covariances: Floats | None = None) -> ClosureScore:
    """Return the scores of closures: relative poses (k, 4, 4) against those of the true paths.

    ``covariances`` (k, 6, 6) are of ξ in T_true = T exp(ξ), translation first, as in ``loop_closures.csv``.
    """
    gap = inverse(found) @ true
    xi = log_se3(gap).reshape(-1, 6)
    # the translation of the twist is longer than the way between the places where the closure is turned
    off_m = np.linalg.norm(gap.reshape(-1, 4, 4)[:, :3, 3], axis=1)
    off_deg = np.degrees(np.linalg.norm(xi[:, 3:], axis=1))
    right = (off_m <= WRONG_M) & (off_deg <= WRONG_DEG)
    if not len(xi):
        return ClosureScore(None, None, None, None, right)
    nees = None
    if covariances is not None and right.any():
        level = xi[:, [0, 1, 5]]
        own = [x @ np.linalg.solve(C[LEVEL], x) for C, x in zip(covariances, level, strict=True)]
        nees = float(np.array(own)[right].mean())
    middle = float(np.median(off_m)), float(np.median(off_deg))
    return ClosureScore(float(right.mean()), *middle, nees, right)


def one_to_one(found: Floats, true: Floats, tolerance_m: float) -> Ints:
    """Return rows (k, 2) of found and true points nearer than a tolerance: the most and nearest pairs."""
    from scipy.optimize import linear_sum_assignment

    gap = np.linalg.norm(found[:, None] - true[None], axis=2)
    cost = np.where(gap <= tolerance_m, gap, 1e3 * tolerance_m)
    rows, columns = linear_sum_assignment(cost)
    kept = gap[rows, columns] <= tolerance_m
    return np.stack([rows[kept], columns[kept]], axis=1)


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
    if not (np.isfinite(one).all() and np.isfinite(two).all()):
        raise DataError("a path has poses that are not finite; `joint_path_score` leaves them out")
    gap = np.linalg.norm(apply(align_points(one, two), one) - two, axis=1)
    return float(np.sqrt((gap**2).mean()))


def _doubled(found: Floats, true: Floats, pairs: Ints) -> int:
    """Return how many objects left over lie within 1 m of a true object that another one was matched with."""
    rest = np.setdiff1d(np.arange(len(found)), pairs[:, 0])
    if not len(rest) or not len(pairs):
        return 0
    gap = np.linalg.norm(found[rest, None] - true[None], axis=2)
    nearest = gap.argmin(axis=1)
    return int((np.isin(nearest, pairs[:, 1]) & (gap.min(axis=1) < DOUBLED_M)).sum())
