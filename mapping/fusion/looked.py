"""What two submaps said of each other where they were expected to lie, and whether that still holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from commonground.arrays import Floats
from commonground.localization.places import Place
from commonground.mapping.fusion.closures import Closure
from commonground.mapping.fusion.robot_run import RobotRun

MOVED_M, TURNED_RAD = 1.0, 0.05
"""What two submaps say of each other holds while they are expected to lie so nearly as they were."""
SURER = 0.25
"""Share of the variance of how they lie, below which two that matched nowhere are looked at again."""
Spots: TypeAlias = tuple[str, int, str, int]
"""Two submaps: a robot and its number each."""


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """Two submaps that are expected to lie near each other."""

    runs: tuple[RobotRun, RobotRun]
    places: tuple[Place, Place]
    submaps: tuple[int, int]
    T_2_1: Floats
    covariance: Floats

    @property
    def spots(self) -> Spots:
        """Which they are."""
        (one, two), (s, t) = self.runs, self.submaps
        return one.name, s, two.name, t

    @property
    def contents(self) -> tuple[bytes, bytes]:
        """What the objects in them are known by."""
        (one, two), (first, second) = self.runs, self.places
        return one.objects.ids[first.rows].tobytes(), two.objects.ids[second.rows].tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """Two submaps that were matched where they were expected to lie."""

    contents: tuple[bytes, bytes]
    T_2_1: Floats
    variance: float
    closure: Closure | None

    def holds(self, near: Near) -> bool:
        """Return whether the same would come of it: they lie as they did, and no surer."""
        gap = near.T_2_1 - self.T_2_1
        moved, turned = gap[:3, 3], gap[:3, :3].ravel()
        # of two rotations by a small angle apart, the matrices differ by √2 times that
        if moved @ moved > MOVED_M**2 or turned @ turned > 2.0 * TURNED_RAD**2:
            return False
        surer = self.closure is None and near.covariance[0, 0] < SURER * self.variance
        return not surer
