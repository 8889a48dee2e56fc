"""All poses that a robot noted, and where it was beside its keyframes."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.errors import CommongroundError, MappingError
from commonground.geometry import from_quat_wxyz, gravity_aligned, interpolate, inverse, transform
from commonground.mapping.fusion.robot_run import RobotRun
from commonground.names import within
from commonground.tum import read_tum

NOTED = "trajectory.tum"


class Beside(NamedTuple):
    """Where a robot's body was at some time, seen from the nearest keyframe."""

    keyframe: int
    T_key_level: Floats
    """(4, 4), from the body without its roll and pitch."""
    T_key_body: Floats
    """(4, 4), from the body as it was tilted."""
    covariance: Floats
    """(6, 6) of what the odometry adds on the way between keyframe and body."""


class RecordedPath:
    """A robot's path as it was recorded."""

    def __init__(self, run: RobotRun) -> None:
        self.run = run

    @cached_property
    def poses(self) -> tuple[Ints, Floats]:
        """All times (n,) and poses (n, 4, 4)."""
        return recorded(self.run)

    def beside(self, stamp_ns: int) -> Beside:
        """Return where the robot was at a time within its path, from the keyframe nearest in time."""
        keys = self.run.stamps_ns
        key = int(np.abs(keys - stamp_ns).argmin())
        T_odom_key, T_odom_body = self._at(int(keys[key])), self._at(stamp_ns)
        T_key_odom = inverse(gravity_aligned(T_odom_key))
        return Beside(
            key,
            T_key_odom @ gravity_aligned(T_odom_body),
            T_key_odom @ T_odom_body,
            self._odometry_from(key, stamp_ns),
        )

    def _at(self, stamp_ns: int) -> Floats:
        stamps, T = self.poses
        last = len(stamps) - 1
        before = int(np.clip(np.searchsorted(stamps, stamp_ns, side="right") - 1, 0, last))
        after = min(before + 1, last)
        share = (stamp_ns - stamps[before]) / max(int(stamps[after] - stamps[before]), 1)
        return interpolate(T[before], T[after], np.clip(share, 0.0, 1.0))

    def _odometry_from(self, key: int, stamp_ns: int) -> Floats:
        """Return the covariance of the way from a keyframe: its share of the edge to the next one there."""
        keys, edges = self.run.stamps_ns, self.run.odometry
        other = key + int(np.sign(stamp_ns - keys[key]))
        edge = np.flatnonzero((np.sort(edges.rows, axis=1) == sorted((key, other))).all(axis=1))
        if other == key or not len(edge):
            return np.zeros((6, 6))
        share = (stamp_ns - keys[key]) / (keys[other] - keys[key])
        return np.asarray(edges.covariances[edge[0]] * min(float(share), 1.0))


def recorded(run: RobotRun) -> tuple[Ints, Floats]:
    """Return all poses a robot noted if they are those of its keyframes, else these with their attitude."""
    try:
        return _noted(run)
    except CommongroundError:
        pass
    for layer in run.graph.agents.values():
        if len(layer) == len(run.poses) and "quat_wxyz" in layer.columns:
            R = from_quat_wxyz(np.asarray(layer.columns["quat_wxyz"], float))
            return run.stamps_ns, transform(R, layer.positions)
    return run.stamps_ns, run.poses


def _noted(run: RobotRun) -> tuple[Ints, Floats]:
    """Return all poses a robot noted; CommongroundError unless those of its keyframes are among them."""
    file = within(run.folder, NOTED)
    stamps, T = read_tum(file)
    if not np.isin(run.stamps_ns, stamps).all():
        raise MappingError(f"{file}: lacks keyframes of the map; is it cut off?")
    return stamps, T


def path_damage(run: RobotRun) -> str:
    """Return why the poses that a robot noted beside its keyframes cannot be used; empty if they can be."""
    try:
        _noted(run)
    except CommongroundError as error:
        return str(error)
    return ""
