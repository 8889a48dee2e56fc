"""Pose graph in columns: poses of one or many robots, odometry between them, loop closures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import inverse


@dataclass(frozen=True, slots=True, eq=False)
class Constraints:
    """Measured relative poses: ``T[k]`` maps coordinates of pose j to pose i for (i, j) = ``rows[k]``."""

    rows: Ints
    """(m, 2) rows of the poses."""
    T: Floats
    """(m, 4, 4)"""
    covariances: Floats
    """(m, 6, 6) of the twist ξ in ``T exp(ξ)``: translation first, in meters and radians."""

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, which: Any) -> Constraints:
        """Return the chosen constraints (indices or mask)."""
        return Constraints(self.rows[which], self.T[which], self.covariances[which])

    @staticmethod
    def none() -> Constraints:
        """Return no constraints."""
        return Constraints(np.empty((0, 2), np.int64), np.empty((0, 4, 4)), np.empty((0, 6, 6)))

    @staticmethod
    def joined(parts: list[Constraints]) -> Constraints:
        """Return the constraints of several sets, one after the other."""
        parts = [Constraints.none(), *parts]
        return Constraints(
            np.concatenate([p.rows for p in parts]),
            np.concatenate([p.T for p in parts]),
            np.concatenate([p.covariances for p in parts]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class PoseGraph:
    """Poses, odometry that is always believed, and loop closures that have to prove themselves."""

    ids: Ints
    """(n,) numbers of the poses in their file."""
    poses: Floats
    """(n, 4, 4) first estimate; robots may each have a frame of their own."""
    odometry: Constraints
    closures: Constraints
    robot: Ints
    """(n,) which robot each pose belongs to: 0, 1, …"""
    names: tuple[str, ...] = ("robot",)
    evidence: Floats | None = None
    """(closures,) log evidence against chance that each brings along; None if nothing is known."""
    objects: Ints | None = None
    """(robots,) how many objects each one's map holds; None if nothing is known."""
    planar: bool = False
    """Whether all of it lies in the plane z = 0."""

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def prior(self) -> Floats:
        """The evidence (closures,) that each brings along, 0 where nothing is known."""
        return np.zeros(len(self.closures)) if self.evidence is None else self.evidence

    def chained(self) -> Floats:
        """Return poses (n, 4, 4) by following the odometry of each robot from its first pose."""
        out = self.poses.copy()
        order = np.argsort(self.odometry.rows[:, 1], kind="stable")
        known = np.zeros(len(self), bool)
        for k in order:
            i, j = self.odometry.rows[k]
            if not known[j]:
                out[j] = out[i] @ self.odometry.T[k]
                known[i] = known[j] = True
        return out

    def largest(self, component: Ints) -> int:
        """Return the number, among those of the robots (robots,), of the group with the most poses.

        Of several the one whose maps hold most objects, or that drove farthest: whatever robots are called.
        """
        steps = np.linalg.norm(self.odometry.T[:, :3, 3], axis=1)
        group, of = component[self.robot], self.robot[self.odometry.rows[:, 0]]

        objects = np.zeros(len(component), np.int64) if self.objects is None else self.objects

        def size(number: int) -> tuple[int, int, float]:
            driven = float(steps[component[of] == number].sum())
            return int((group == number).sum()), int(objects[component == number].sum()), driven

        return max((int(number) for number in np.unique(group)), key=size)

    def pairs(self) -> Iterator[tuple[int, int, Bools]]:
        """Yield (robot a ≤ robot b, mask of the closures between them)."""
        a, b = self.robot[self.closures.rows].T
        low, high = np.minimum(a, b), np.maximum(a, b)
        for first, second in sorted(set(zip(low.tolist(), high.tolist(), strict=True))):
            yield first, second, (low == first) & (high == second)


def cost(graph: PoseGraph, poses: Floats) -> float:
    """Return χ² of poses: squared Mahalanobis lengths of what odometry and closures differ by, in sum."""
    return sum(
        float(mahalanobis2(residuals(edges, poses), edges.covariances).sum())
        for edges in (graph.odometry, graph.closures)
    )


def g2o_cost(graph: PoseGraph, poses: Floats) -> float:
    """Return χ² as g2o has it: of the shift as it is, and the angle, or half the rotation as a quaternion.

    Ours goes along the screw from one pose to the other, and is less where an edge is off by a large angle.
    """
    from commonground.geometry import quat_xyzw, yaw_of

    total = 0.0
    for edges in (graph.odometry, graph.closures):
        i, j = edges.rows.T
        gap = inverse(edges.T) @ inverse(poses[i]) @ poses[j]
        if graph.planar:
            turned = np.concatenate([np.zeros((len(gap), 2)), yaw_of(gap)[:, None]], axis=1)
        else:
            q = quat_xyzw(gap[:, :3, :3])
            turned = q[:, :3] * np.where(q[:, 3:] < 0.0, -1.0, 1.0)
        off = np.concatenate([gap[:, :3, 3], turned], axis=1)
        total += float(mahalanobis2(off, edges.covariances).sum())
    return total


def residuals(constraints: Constraints, poses: Floats) -> Floats:
    """Return the twists (m, 6) by which poses differ from what was measured: log(T⁻¹ · X_i⁻¹ X_j)."""
    from commonground.geometry import log_se3

    i, j = constraints.rows.T
    return log_se3(inverse(constraints.T) @ inverse(poses[i]) @ poses[j])


def mahalanobis2(twists: Floats, covariances: Floats) -> Floats:
    """Return squared Mahalanobis lengths (m,) of twists."""
    return np.asarray(
        np.einsum("ki,ki->k", twists, np.linalg.solve(covariances, twists[..., None])[..., 0])
    )
