"""Where the odometry of each robot of a live run lies in the shared map, and which robots are joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Ints
from commonground.geometry import inverse
from commonground.mapping.fusion.robot_run import RobotRun
from commonground.mapping.fusion.robust import Optimized


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Robots, and stretches of robots, where an optimization put them."""

    runs: Sequence[RobotRun]
    robot: Ints
    """(n,) whose each pose is."""
    optimized: Optimized

    def parts(self, robots: Mapping[Path, str]) -> dict[str, list[int]]:
        """Return the stretches of each robot in their order, given the folders of the robots' maps."""
        out: dict[str, list[int]] = {name: [] for name in robots.values()}
        for r, run in enumerate(self.runs):  # by name, so that stretches come in their order
            name = robots.get(run.folder.resolve())
            if name is not None:
                out[name].append(r)
        return out

    @property
    def _shared(self) -> int:
        """The frame with the most keyframes: that of the map."""
        groups, size = np.unique(self.optimized.component[self.robot], return_counts=True)
        return int(groups[int(size.argmax())])

    def frames(self, parts: Sequence[int]) -> dict[str, Any]:
        """Return stretch → where the frame of its odometry is in the map, by its last keyframe there."""
        out = {}
        for number, r in enumerate(parts, start=1):
            if self.optimized.component[r] == self._shared:
                last = self.optimized.poses[self.robot == r][-1]
                out[str(number)] = (last @ inverse(self.runs[r].poses[-1])).tolist()
        return out

    def together(self, parts: Mapping[str, Sequence[int]]) -> list[str]:
        """Return the robots of which the last stretch is in the shared map."""
        component = self.optimized.component
        return [name for name, own in parts.items() if own and component[own[-1]] == self._shared]

    def joined(self, parts: Mapping[str, Sequence[int]]) -> list[tuple[str, str]]:
        """Return pairs of robots of which any stretches share a frame."""
        frames = {
            name: {int(self.optimized.component[r]) for r in own} for name, own in parts.items()
        }
        return [(a, b) for a, b in combinations(sorted(frames), 2) if frames[a] & frames[b]]


def joins_of(
    pairs: Sequence[tuple[str, str]], before: Sequence[Sequence[Any]], at_s: float, meters: float
) -> list[list[Any]]:
    """Return which robots are joined since when, and after how many meters of all together."""
    since = {(a, b): [a, b, *rest] for a, b, *rest in before}
    return [since.get(pair, [*pair, round(at_s, 1), round(meters, 1)]) for pair in pairs]
