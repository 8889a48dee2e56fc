"""Reader and writer of g2o pose graphs. A planar graph is read as a 3D one that stays in its plane."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.atomic import write_text
from commonground.errors import MappingError
from commonground.geometry import from_quat_xyzw, from_xyz_yaw, is_rigid, quat_xyzw, transform
from commonground.mapping.fusion.posegraph import Constraints, PoseGraph
from commonground.reading import read_text
from commonground.reasons import reason
from commonground.scene.parts import connected
from commonground.tum import FARTHEST_M

log = logging.getLogger(__name__)

PLANE_SIGMA = 1e-3
"""How far a planar pose may leave its plane, in meters and radians."""
PLANE = np.array([0, 1, 5])
"""Of a twist, what a planar graph has: x, y, heading."""
LEAST_SHARE = 1e-8
"""A direction about which an edge says little gets this share of the weight of its best direction."""
NOTHING, FAINT = 1e-12, 1e-3
"""A direction with less than the former share is one about which an edge says nothing, as that out of the
plane of a robot that drives on a floor. It gets the latter share of the weight of the least known one: the
pose stays near where odometry has it, and what is known does not drown in what is not."""
MANY_TIMES = 10
"""Poses follow one another by the order of edges, not by their ids, where the ids break them into so many
times as many stretches."""
ROBOT_SHIFT = 56
"""gtsam's symbols carry the robot's letter in the highest byte of an id."""
NUMBER = (1 << ROBOT_SHIFT) - 1
"""What of a symbol is the pose's number."""
LARGEST_ID = 1 << 63
SAYS_NOTHING = ("#", "FIX", "PARAMS_")
"""Beginnings of lines that measure nothing: what is held, and where sensors sit that no used edge names."""
MOST, LONGEST = 6, 40
"""Kinds of lines that are told, and letters of each."""
_SIZES = {"VERTEX_SE2": 4, "VERTEX_SE3:QUAT": 8, "EDGE_SE2": 11, "EDGE_SE3:QUAT": 30}


def read_g2o(path: str | Path) -> PoseGraph:
    """Read a pose graph; edges between consecutive poses of one robot are odometry, all others closures.

    Poses follow one another by their ids, or, where these break them into many more stretches, as edges first
    name them. Lines that say something of other things than poses, as landmarks, are counted and told.
    """
    file = Path(path)
    try:
        lines = read_text(file).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise MappingError(f"{file}: cannot be read as a g2o file: {reason(error)}") from error
    rows: dict[str, list[list[float]]] = {tag: [] for tag in _SIZES}
    names: dict[str, list[tuple[int, ...]]] = {tag: [] for tag in _SIZES}
    numbers: dict[str, list[int]] = {tag: [] for tag in _SIZES}
    unused: Counter[str] = Counter()
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if words and words[0] in _SIZES:
            _read_line(words, f"{file}:{number}", rows, names)
            numbers[words[0]].append(number)
        elif words and not words[0].startswith(SAYS_NOTHING):
            unused[words[0][:LONGEST]] += 1
    if unused:
        found = ", ".join(f"{n} × {tag}" for tag, n in unused.most_common(MOST))
        more = f" and lines of {len(unused) - MOST} other kinds" if len(unused) > MOST else ""
        log.warning(
            "%s: not used, as only poses and edges between them are: %s%s", file, found, more
        )
    return _graph(rows, names, numbers, file)


def _read_line(
    words: list[str],
    where: str,
    rows: dict[str, list[list[float]]],
    names: dict[str, list[tuple[int, ...]]],
) -> None:
    tag, values = words[0], words[1:]
    ids = 1 if tag.startswith("VERTEX") else 2
    if len(values) < _SIZES[tag]:
        raise MappingError(
            f"{where}: {tag} needs {_SIZES[tag]} numbers, found {len(values)}; is it cut off?"
        )
    try:
        names[tag].append(tuple(int(v) for v in values[:ids]))
        rows[tag].append([float(v) for v in values[ids : _SIZES[tag]]])
    except ValueError as error:
        raise MappingError(f"{where}: {reason(error)}") from error
    if not np.isfinite(rows[tag][-1]).all():
        raise MappingError(f"{where}: {tag} has a value that is not finite")
    if np.abs(rows[tag][-1][: 3 if tag.endswith("QUAT") else 2]).max() > FARTHEST_M:
        raise MappingError(f"{where}: {tag} reaches farther than {FARTHEST_M / 1000:g} km")
    if not all(0 <= number < LARGEST_ID for number in names[tag][-1]):
        raise MappingError(f"{where}: {tag} has an id that is not between 0 and 2^63")
    if tag.endswith("QUAT") and not np.linalg.norm(rows[tag][-1][3:7]) > 0:
        raise MappingError(f"{where}: {tag} is turned by a quaternion of length zero")


def _graph(
    rows: dict[str, list[list[float]]],
    names: dict[str, list[tuple[int, ...]]],
    numbers: dict[str, list[int]],
    file: Path,
) -> PoseGraph:
    bare = not (names["VERTEX_SE2"] or names["VERTEX_SE3:QUAT"])
    ids, poses = _named_poses(names) if bare else _poses(rows, names)
    _check_there(ids, names, file)
    ends = np.array([*names["EDGE_SE2"], *names["EDGE_SE3:QUAT"]], np.int64).reshape(-1, 2)
    where = np.searchsorted(ids, ends).clip(max=len(ids) - 1)
    missing = (ids[where] != ends).any(axis=1)
    if missing.any():
        edge = int(missing.argmax())
        flat = edge < len(names["EDGE_SE2"])
        line = [*numbers["EDGE_SE2"], *numbers["EDGE_SE3:QUAT"]][edge]
        (a, b), lost = ends[edge], ends[edge][ids[where[edge]] != ends[edge]][0]
        mixed = names["VERTEX_SE3:QUAT" if flat else "VERTEX_SE2"]
        raise MappingError(
            f"{file}:{line}: the edge joins {a} and {b}, and {lost} is no pose of the file"
            + ("; the edge is in 2D and poses are in 3D" if mixed and flat else "")
            + ("; the edge is in 3D and poses are in 2D" if mixed and not flat else "")
        )
    T, covariances = _measured(rows, numbers, file)
    stretch = _stretches(ids, where)
    odometry = _by_ids(stretch, where)
    in_order, met = _by_order(stretch, where)
    if len(ids) - odometry.sum() > MANY_TIMES * (len(ids) - in_order.sum()):
        ids, poses, odometry = ids[met], poses[met], in_order
        where = np.argsort(met)[where]
    edges = Constraints(where.astype(np.int64), T, covariances)
    robot, names_ = _robots(ids, where[odometry])
    graph = PoseGraph(ids, poses, edges.take(odometry), edges.take(~odometry), robot, names_)
    graph = replace(graph, planar=not (rows["VERTEX_SE3:QUAT"] or rows["EDGE_SE3:QUAT"]))
    return replace(graph, poses=graph.chained()) if bare else graph


def _check_there(ids: Ints, names: dict[str, list[tuple[int, ...]]], file: Path) -> None:
    """Raise MappingError for a file without poses, with several and no edges, or with a pose twice."""
    if len(ids) == 0:
        raise MappingError(f"{file}: holds no poses and no edges; is it a g2o pose graph?")
    if (np.diff(ids) == 0).any():
        raise MappingError(f"{file}: pose {ids[:-1][np.diff(ids) == 0][0]} is there twice")
    if len(ids) > 1 and not (names["EDGE_SE2"] or names["EDGE_SE3:QUAT"]):
        raise MappingError(f"{file}: has no edges between its {len(ids)} poses")


def _poses(
    rows: dict[str, list[list[float]]], names: dict[str, list[tuple[int, ...]]]
) -> tuple[Ints, Floats]:
    """Return the ids (n,) of the poses in rising order, and the poses."""
    tags = ("VERTEX_SE2", "VERTEX_SE3:QUAT")
    ids = np.array([n for tag in tags for (n,) in names[tag]], np.int64)
    flat, solid = (
        np.array(rows[tag]).reshape(-1, size) for tag, size in zip(tags, (3, 7), strict=True)
    )
    order = np.argsort(ids, kind="stable")
    return ids[order], np.concatenate([_planar(flat), _spatial(solid)])[order]


def _named_poses(names: dict[str, list[tuple[int, ...]]]) -> tuple[Ints, Floats]:
    """Return the ids of the poses that edges name, where a file leaves the first estimate to its reader."""
    ids = np.unique(np.array([*names["EDGE_SE2"], *names["EDGE_SE3:QUAT"]], np.int64))
    return ids, _planar(np.zeros((len(ids), 3)))


def _measured(
    rows: dict[str, list[list[float]]], numbers: dict[str, list[int]], file: Path
) -> tuple[Floats, Floats]:
    """Return what the edges measured (m, 4, 4), planar ones first, and their covariances (m, 6, 6)."""
    flat = np.array(rows["EDGE_SE2"]).reshape(-1, 9)
    solid = np.array(rows["EDGE_SE3:QUAT"]).reshape(-1, 28)
    of_flat = _inverted(_symmetric(flat[:, 3:], 3), numbers["EDGE_SE2"], file)
    of_solid = _inverted(_symmetric(solid[:, 7:], 6), numbers["EDGE_SE3:QUAT"], file)
    T = np.concatenate([_planar(flat[:, :3]), _spatial(solid[:, :7])])
    return T, np.concatenate([_planar_covariance(of_flat), of_solid])


def _stretches(ids: Ints, where: Ints) -> Ints:
    """Return which stretch each of the poses of rising ids (n,) is of: within one they follow one another.

    Their ids differ by one, or by wider steps where edges join most poses to that of the next id, as of
    keyframes that are named by their images. Few poses may be but those that closures join.
    """
    steps = np.diff(ids, prepend=ids[:1])
    joined = np.unique(where[where[:, 1] - where[:, 0] == 1, 0])
    usual = int(np.median(steps))
    wide = usual > 1 and len(ids) > MANY_TIMES and len(joined) > len(ids) / 2
    return np.cumsum(steps > (MANY_TIMES * usual if wide else 1))


def _by_ids(stretch: Ints, where: Ints) -> Bools:
    """Return which edges lead from a pose to that of the next id, and are the first to do so."""
    follows = (where[:, 1] - where[:, 0] == 1) & (np.diff(stretch[where])[:, 0] == 0)
    first = _first_of_each(np.where(follows, where[:, 1], -1 - np.arange(len(where))))
    return np.asarray(follows & first)


def _by_order(stretch: Ints, where: Ints) -> tuple[Bools, Ints]:
    """Return which edges lead from the newest pose to one no edge had before, and poses as they were met.

    Ids may come out of order, as where two sensors count one way; robots whose ids lie apart stay apart.
    """
    block = stretch.tolist()
    odometry = np.zeros(len(where), bool)
    met: dict[int, None] = {}
    newest = -1
    for k, (a, b) in enumerate(where.tolist()):
        follows = b not in met and (a == newest or a not in met)
        odometry[k] = follows and block[a] == block[b]
        newest = next((pose for pose in (b, a) if pose not in met), newest)
        met.update({a: None, b: None})
    met.update(dict.fromkeys(range(len(block))))
    return odometry, np.array(list(met), np.int64)


def _first_of_each(values: Ints) -> Bools:
    first = np.zeros(len(values), bool)
    first[np.unique(values, return_index=True)[1]] = True
    return first


def _robots(ids: Ints, odometry: Ints) -> tuple[Ints, tuple[str, ...]]:
    """Return the stretch of unbroken odometry each pose belongs to, and the stretches' names."""
    _, first, robot = np.unique(
        connected(len(ids), odometry), return_index=True, return_inverse=True
    )
    order = np.argsort(np.argsort(first))
    letters = [_letter(int(c)) for c in ids[np.sort(first)] >> ROBOT_SHIFT]
    names = [f"{c}{letters[:k].count(c) or ''}" for k, c in enumerate(letters)]
    return order[robot].astype(np.int64), tuple(names)


def _letter(code: int) -> str:
    letter = chr(code) if code < 128 else ""
    return letter if letter.isalnum() else "robot"


def _planar(rows: Floats) -> Floats:
    x, y, yaw = rows.T if len(rows) else np.empty((3, 0))
    return from_xyz_yaw(np.stack([x, y, np.zeros_like(x), yaw], axis=-1)).reshape(-1, 4, 4)


def _spatial(rows: Floats) -> Floats:
    if len(rows) == 0:
        return np.empty((0, 4, 4))
    return transform(from_quat_xyzw(rows[:, 3:7]), rows[:, :3])


def _symmetric(upper: Floats, size: int) -> Floats:
    i, j = np.triu_indices(size)
    out = np.zeros((len(upper), size, size))
    out[:, i, j] = out[:, j, i] = upper
    return out


def _planar_covariance(planar: Floats) -> Floats:
    """Return covariances (m, 6, 6) of planar ones (m, 3, 3)."""
    out = np.tile(np.eye(6) * PLANE_SIGMA**2, (len(planar), 1, 1))
    out[:, PLANE[:, None], PLANE] = planar
    return out


def _inverted(information: Floats, lines: list[int], file: Path) -> Floats:
    """Return the covariances of information matrices (m, k, k) from these lines.

    Published files have matrices that tell nothing of some directions, and such as no covariance has. The
    former become very uncertain there, of the latter the diagonals are used, and it is said.
    """
    if len(information) == 0:
        return information
    diagonal = np.diagonal(information, axis1=1, axis2=2)
    bad = (diagonal < 0).any(axis=1) | (diagonal.max(axis=1) <= 0)
    if bad.any():
        raise MappingError(
            f"{file}:{lines[int(bad.argmax())]}: this edge's information matrix is not positive definite"
        )
    share, axes = np.linalg.eigh(information)
    mixed = share[:, 0] < -LEAST_SHARE * share[:, -1]
    if mixed.any():
        log.warning(
            "%s:%d: the information matrix of this edge%s has negative directions, so no covariance has it; "
            "what it says of each direction alone is used",
            file,
            lines[int(mixed.argmax())],
            f" and of {mixed.sum() - 1} others" if mixed.sum() > 1 else "",
        )
        alone = diagonal[mixed, :, None] * np.eye(information.shape[1])
        share[mixed], axes[mixed] = np.linalg.eigh(alone)
    nothing = share <= NOTHING * share[:, -1:]
    known = np.where(nothing, np.inf, share).min(axis=1, keepdims=True)
    share = np.where(nothing, FAINT * known, share)
    share = np.maximum(share, LEAST_SHARE * share[:, -1:])
    return np.asarray((axes / share[:, None, :]) @ np.swapaxes(axes, 1, 2))


def write_g2o(graph: PoseGraph, path: str | Path, poses: Floats | None = None) -> None:
    """Write a pose graph, with the given poses in place of its own; a planar one as SE2."""
    current = graph.poses if poses is None else poses
    if not is_rigid(current).all():
        raise MappingError(f"{path}: a pose is not a rigid motion; nothing was written")
    dimensions, form = ("SE2", _xy_yaw) if graph.planar else ("SE3:QUAT", _xyz_quat)
    axes = PLANE if graph.planar else np.arange(6)
    i, j = np.triu_indices(len(axes))
    lines = _lines(f"VERTEX_{dimensions}", graph.ids[:, None], form(current))
    for edges in (graph.odometry, graph.closures):
        information = np.linalg.inv(edges.covariances[:, axes[:, None], axes])[:, i, j]
        numbers = np.concatenate([form(edges.T), information], axis=1)
        lines += _lines(f"EDGE_{dimensions}", graph.ids[edges.rows], numbers)
    write_text(path, "\n".join(lines) + "\n")


def _xy_yaw(T: Floats) -> Floats:
    """Return poses (n, 4, 4) in the plane as position and heading (n, 3)."""
    return np.concatenate([T[:, :2, 3], np.arctan2(T[:, 1, 0], T[:, 0, 0])[:, None]], axis=1)


def _xyz_quat(T: Floats) -> Floats:
    """Return poses (n, 4, 4) as position and quaternion (n, 7)."""
    return np.concatenate([T[:, :3, 3], quat_xyzw(T)], axis=1)


def _lines(tag: str, ids: Ints, numbers: Floats) -> list[str]:
    """Return a line for each row: the tag, ids (n, i), numbers (n, k)."""
    form = " ".join([tag, *["%d"] * ids.shape[1], *["%.9g"] * numbers.shape[1]])
    return [form % (*own, *row) for own, row in zip(ids.tolist(), numbers.tolist(), strict=True)]
