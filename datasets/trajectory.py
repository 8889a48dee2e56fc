"""Poses over time, and the pose between two of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Floats, Ints
from commonground.errors import DataError, did_you_mean
from commonground.geometry import interpolate
from commonground.given import poses, stamps


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """Where one robot was, as it believes and, where known, in truth."""

    stamps_ns: Ints
    """(n,) rising."""
    T_odom_robot: Floats
    """(n, 4, 4)"""
    T_world_robot: Floats | None = None
    """(n, 4, 4)"""

    def __post_init__(self) -> None:
        at = stamps(self.stamps_ns, "stamps_ns", DataError)
        object.__setattr__(self, "stamps_ns", at)
        for name in ("T_odom_robot", "T_world_robot"):
            if getattr(self, name) is not None:
                T = poses(getattr(self, name), len(at), name, DataError)
                object.__setattr__(self, name, T)
        if (np.diff(at) <= 0).any():
            raise DataError(
                "the stamps of a trajectory have to rise; sort them, and leave equal ones out"
            )

    def __len__(self) -> int:
        return len(self.stamps_ns)

    def odom_at(self, stamps_ns: ArrayLike) -> Floats:
        """Return the believed poses (k, 4, 4) at stamps (k,), the nearest end's outside the span."""
        return poses_at(self.stamps_ns, self.T_odom_robot, stamps_ns)

    def world_at(self, stamps_ns: ArrayLike) -> Floats | None:
        """Return the true poses (k, 4, 4) at stamps (k,), if they are known."""
        if self.T_world_robot is None:
            return None
        return poses_at(self.stamps_ns, self.T_world_robot, stamps_ns)

    def covers(self, stamp_ns: int, gap_s: float) -> bool:
        """Return whether the pose at a stamp is known: those before and after are at most a gap apart."""
        stamps = self.stamps_ns
        k = int(np.searchsorted(stamps, stamp_ns))
        if k < len(stamps) and stamps[k] == stamp_ns:
            return True
        slack = int(gap_s * 1e9)
        if k == 0 or k == len(stamps):
            end = int(stamps[0] if k == 0 else stamps[-1])
            return abs(end - stamp_ns) <= slack // 2
        return int(stamps[k] - stamps[k - 1]) <= slack

    def check(self, stamp_ns: int, gap_s: float) -> None:
        """Raise DataError for a stamp at which the pose is not known; it may be of another clock."""
        if self.covers(stamp_ns, gap_s):
            return
        first, last = int(self.stamps_ns[0]), int(self.stamps_ns[-1])
        inside = first <= stamp_ns <= last
        span = f"; poses are from {first / 1e9:.3f} to {last / 1e9:.3f} s"
        raise DataError(f"no pose is known for this instant{'' if inside else span}")

    @property
    def distance_m(self) -> float:
        """The length of the believed path."""
        steps = np.diff(self.T_odom_robot[:, :3, 3], axis=0)
        return float(np.linalg.norm(steps, axis=1).sum())


def poses_at(stamps_ns: Ints, T: Floats, wanted_ns: ArrayLike) -> Floats:
    """Return poses (k, 4, 4) interpolated on SE(3) at wanted stamps (k,); clipped to the span."""
    wanted = stamps(np.atleast_1d(wanted_ns), "wanted stamps", DataError)
    wanted = np.clip(wanted, stamps_ns[0], stamps_ns[-1])
    after = np.clip(np.searchsorted(stamps_ns, wanted), 1, max(len(stamps_ns) - 1, 1))
    if len(stamps_ns) == 1:
        return np.repeat(T, len(wanted), axis=0)
    before = after - 1
    span = (stamps_ns[after] - stamps_ns[before]).astype(float)
    s = (wanted - stamps_ns[before]) / np.maximum(span, 1.0)
    return interpolate(T[before], T[after], s)


def chosen_cameras(robot: str, known: Sequence[str], wanted: Sequence[str] | None) -> list[str]:
    """Return the cameras to read, all by default; DataError names those there are if one is unknown."""
    for name in wanted or ():
        if name not in known:
            hint = did_you_mean(name, known)
            raise DataError(f"{robot} has no camera '{name}'; it has {', '.join(known)}.{hint}")
    return list(known if wanted is None else wanted)


def chosen_instants(stamps_ns: Ints, start_s: float, stop_s: float | None, stride: int) -> Ints:
    """Return the stamps between two seconds after the first, every ``stride``-th of them."""
    if stride < 1:
        raise DataError(f"a stride is 1 or more, not {stride}")
    if len(stamps_ns) == 0:
        return stamps_ns
    seconds = (stamps_ns - stamps_ns[0]) / 1e9
    inside = (seconds >= start_s) & (seconds <= (np.inf if stop_s is None else stop_s))
    return np.asarray(stamps_ns[inside][::stride])
