"""Closures along stretches that were found to be laid on another place, and what says the same as they do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.geometry import inverse
from commonground.mapping.fusion.closures import Closure
from commonground.mapping.fusion.frames import NEAR_M, NEAR_RAD
from commonground.mapping.fusion.overlap import ALONG, Shown
from commonground.mapping.fusion.posegraph import mahalanobis2, residuals
from commonground.mapping.fusion.robot_run import RobotRun
from commonground.mapping.fusion.robust import GATE, Optimized
from commonground.mapping.fusion.team_graph import team_graph


class Denied:
    """What is not believed any more of how two robots lie to one another along some stretches."""

    def __init__(self, runs: Sequence[RobotRun]) -> None:
        """Deny nothing."""
        self.runs = runs
        self._wrong: list[tuple[Closure, Floats]] = []
        """Closures, and how the odometry's frames of both robots lie to one another by each."""
        self._rounds = 0

    def first_without(
        self,
        wrong: Shown,
        first: Sequence[Closure],
        closures: Sequence[Closure],
        optimized: Optimized,
    ) -> list[Closure]:
        """Return what is begun with where a join is wrong, or a stretch, whose used closures are denied.

        With a join closures from elsewhere go that say the same, and all that was found here of the two
        robots, unless it was for closures from elsewhere alone that they were joined so.
        """
        if wrong.stretch is None:
            says = _says(first, self.runs, optimized.poses)
            said_by = {c.given for c, same in zip(first, says, strict=True)
                       if same and c.robots == wrong.robots}  # fmt: skip
            return [
                c
                for c, same in zip(first, says, strict=True)
                if c.robots != wrong.robots or (not same if c.given else said_by == {True})
            ]
        self._rounds += 1
        for closure, used in zip(closures, optimized.accepted, strict=True):
            if used and closure.robots == wrong.robots and closure.submaps in wrong.stretch:
                self._wrong.append((closure, self._frames(closure)))
        return self.without(first)

    def without(self, closures: Sequence[Closure]) -> list[Closure]:
        """Return closures without those that say what is denied."""
        return [c for c in closures if not self._repeats(c)]

    def _repeats(self, closure: Closure) -> bool:
        """Return whether a closure near a denied one says the same; each time anew in a wider sense."""
        one = [
            (other, T_a_b)
            for other, T_a_b in self._wrong
            if other.robots == closure.robots
            and max(abs(p - q) for p, q in zip(other.submaps, closure.submaps, strict=True))
            <= ALONG
        ]
        if not one:
            return False
        i, j = (
            self.runs[r].poses[k] for r, k in zip(closure.robots, closure.keyframes, strict=True)
        )
        gap = inverse(closure.T) @ inverse(i) @ np.array([T for _, T in one]) @ j
        moved = np.linalg.norm(gap[:, :3, 3], axis=1)
        turned = np.arccos(np.clip((np.trace(gap[:, :3, :3], axis1=1, axis2=2) - 1.0) / 2.0, -1, 1))
        near = (moved < self._rounds * NEAR_M) & (turned < self._rounds * NEAR_RAD)
        return bool(near.any())

    def _frames(self, closure: Closure) -> Floats:
        i, j = (
            self.runs[r].poses[k] for r, k in zip(closure.robots, closure.keyframes, strict=True)
        )
        return np.asarray(i @ closure.T @ inverse(j))


def _says(closures: Sequence[Closure], runs: Sequence[RobotRun], poses: Floats) -> Bools:
    """Return which closures (m,) say what the poses of a team do."""
    edges = team_graph(runs, closures).closures
    return mahalanobis2(residuals(edges, poses), edges.covariances) <= GATE
