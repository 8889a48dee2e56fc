"""Poses from topics and files, put into the robot's frame."""

from __future__ import annotations

import csv
import logging
import re
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.datasets.readers.bagfiles import connections_of, decoded, messages, opened
from commonground.datasets.readers.layout import PoseSource
from commonground.datasets.readers.messages import UnsupportedError, header_stamp_ns, pose_of
from commonground.datasets.simulator.robots import R_BODY_OPTICAL
from commonground.datasets.trajectory import Trajectory, poses_at
from commonground.errors import DataError
from commonground.geometry import from_quat_wxyz, transform
from commonground.names import below
from commonground.reading import read_text
from commonground.reasons import reason
from commonground.tum import contradicted, read_tum, sane, whole_ns

log = logging.getLogger(__name__)


Window = tuple[int, int] | None
"""Receive times between which messages are read; None reads all."""


def load_trajectory(
    odometry: PoseSource,
    truth: PoseSource | None,
    bags: list[Path],
    folder: Path,
    window: Window = None,
) -> tuple[Trajectory, list[str]]:
    """Return odometry with the truth interpolated to its stamps, and what should be known about them."""
    stamps, T, notes = load_poses(odometry, bags, folder, window)
    if truth is None:
        return Trajectory(stamps, T), notes
    true_stamps, T_true, more = load_poses(truth, bags, folder, window)
    if true_stamps[-1] < stamps[0] or true_stamps[0] > stamps[-1]:
        notes.append("the true poses are of another time than the odometry; they are left out")
        return Trajectory(stamps, T), notes
    return Trajectory(stamps, T, poses_at(true_stamps, T_true, stamps)), [*notes, *more]


def load_poses(
    source: PoseSource, bags: list[Path], folder: Path, window: Window = None
) -> tuple[Ints, Floats, list[str]]:
    """Return rising stamps (n,), robot poses (n, 4, 4) and notes on what was dropped."""
    notes = list[str]()
    if source.file is not None:
        stamps, T = _from_file(below(folder, source.file), notes)
        where = source.file
    elif source.topic is not None:
        paths = bags if source.bag is None else [below(folder, source.bag)]
        stamps, T = _from_topic(paths, source, window if source.bag is None else None)
        where = source.topic
    else:
        raise DataError(f"{folder}: poses need a topic or a file")
    good = np.isfinite(T).all(axis=(1, 2))
    if not good.any():
        raise DataError(f"{where}: none of its {len(T)} poses is finite with a unit quaternion")
    if not good.all():
        notes.append(f"{where}: {(~good).sum()} of {len(T)} poses are not finite or not rigid")
    stamps, T = stamps[good], T[good]
    twice = contradicted(stamps, T)
    if twice:
        notes.append(f"{where}: {twice}")
    back = int((np.diff(stamps) <= 0).sum())
    if back:
        notes.append(f"{where}: {back} poses are out of order or repeated; they are sorted")
    stamps, first = np.unique(stamps, return_index=True)
    T = T[first] @ source.T_pose_robot.T
    if source.world_up == "optical":
        T = transform(R_BODY_OPTICAL, np.zeros(3)) @ T
    return stamps, T, notes


def _from_topic(bags: list[Path], source: PoseSource, window: Window) -> tuple[Ints, Floats]:
    """Return the stamps and poses of a topic; messages that are damaged are left out."""
    topic = source.topic or ""
    rows: list[tuple[int, Floats]] = []
    with opened(bags) as reader:
        chosen = connections_of(reader, [topic], ", ".join(p.name for p in bags[:2]))
        try:
            for connection, received, raw in messages(reader, chosen, *(window or ())):
                rows += _stamped(reader, connection.msgtype, raw, received, source.frames)
        except DataError as error:  # the rest of a damaged bag: what was read before it counts
            log.warning("%s: %s", topic, error)
    if not rows:
        between = f" between {' and '.join(source.frames)}" if topic.startswith("/tf") else ""
        raise DataError(f"topic '{topic}' has no message that can be read{between}")
    return np.array([stamp for stamp, _ in rows], np.int64), np.array([T for _, T in rows])


def _stamped(
    reader: Any, kind: str, raw: bytes, received: int, frames: tuple[str, str]
) -> list[tuple[int, Floats]]:
    """Return the stamped poses of one message; none if it is damaged or of other frames."""
    try:
        message = decoded(reader, raw, kind)
        if not hasattr(message, "transforms"):
            return [(header_stamp_ns(raw, reader.is2) or received, pose_of(message))]
        return [
            (int(one.header.stamp.sec) * 10**9 + int(one.header.stamp.nanosec), pose_of(one))
            for one in message.transforms
            if (one.header.frame_id.lstrip("/"), one.child_frame_id.lstrip("/")) == frames
        ]
    except UnsupportedError:
        raise
    except DataError:
        return []


def _from_file(file: Path, notes: list[str]) -> tuple[Ints, Floats]:
    if not file.is_file():
        raise DataError(f"{file}: there is no such file of poses")
    if file.suffix != ".csv":
        return read_tum(file, told=notes.append)
    return read_pose_csv(file)


def read_pose_csv(file: Path) -> tuple[Ints, Floats]:
    """Return stamps and poses of a CSV of ns, x, y, z, qw, qx, qy, qz; columns are found by their names."""
    lines = read_text(file, errors="replace").split("\n")
    try:
        rows = [row for row in csv.reader(lines) if row]
    except csv.Error as error:
        raise DataError(f"{file}: cannot be read as a table: {reason(error)}") from error
    if not rows:
        raise DataError(f"{file}: the file is empty")
    header = [_column(name) for name in rows[0]]
    order = [0, 1, 2, 3, 4, 5, 6, 7]
    body = rows
    if not _numeric(rows[0]):
        body = rows[1:]
        wanted = ("x", "y", "z", "qw", "qx", "qy", "qz")
        if not set(wanted) <= set(header):
            raise DataError(
                f"{file}:1: columns x, y, z, qw, qx, qy, qz are needed; found {', '.join(header)}"
            )
        order = [0, *(header.index(name) for name in wanted)]
    stamps, values = [], []
    for number, row in enumerate(body, start=1 + len(rows) - len(body)):
        try:
            stamps.append(_stamp(row[order[0]]))
            values.append([float(row[k]) for k in order[1:]])
        except (ValueError, IndexError, OverflowError) as error:
            raise DataError(f"{file}:{number}: a row is ns and seven numbers") from error
    numbers = np.array(values).reshape(-1, 7)
    good = sane(numbers[:, :3], numbers[:, 3:])
    T = np.full((len(numbers), 4, 4), np.nan)
    T[good] = transform(from_quat_wxyz(numbers[good, 3:]), numbers[good, :3])
    return np.array(stamps, np.int64), T


def _column(name: str) -> str:
    """Return the name of a column without its unit; EuRoC calls x ``p_RS_R_x [m]`` and qw ``q_RS_w []``."""
    plain = re.sub(r"\s*\[.*\]$", "", name.strip().lstrip("#").lower())
    euroc = re.fullmatch(r"(?P<what>[pq])_rs(?:_r)?_(?P<axis>[wxyz])", plain)
    return plain if euroc is None else euroc["what"].lstrip("p") + euroc["axis"]


def _stamp(text: str) -> int:
    whole = text if text.strip().lstrip("+-").isdecimal() else str(int(float(text)))
    return whole_ns(whole.strip())


def _numeric(row: list[str]) -> bool:
    try:
        float(row[0])
    except ValueError:
        return False
    return True
