"""Compiled marking of the ground that a robot surely touches the rim on."""

from __future__ import annotations

from commonground.arrays import Bools, Floats
from commonground.compiled import compiled


@compiled
def shut_around(points: Floats, low: Floats, cell_m: float, within_m: float, shut: Bools) -> None:
    """Mark the cells (nx, ny) whose middles are nearer to one of some points (k, 3) than so many meters."""
    span = int(within_m / cell_m) + 1
    for k in range(len(points)):
        x, y = (points[k, 0] - low[0]) / cell_m, (points[k, 1] - low[1]) / cell_m
        middle_i, middle_j = int(x), int(y)
        for i in range(max(middle_i - span, 0), min(middle_i + span + 1, shut.shape[0])):
            for j in range(max(middle_j - span, 0), min(middle_j + span + 1, shut.shape[1])):
                dx, dy = (i + 0.5 - x) * cell_m, (j + 0.5 - y) * cell_m
                if dx * dx + dy * dy < within_m * within_m:
                    shut[i, j] = True
