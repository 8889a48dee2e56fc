"""Random allocation problems of one kind, for benchmarks, examples and tests."""

from __future__ import annotations

import numpy as np

from commonground.planning.temporal.problem import TeamProblem


def scattered_tasks(tasks: int, robots: int, seed: int = 0) -> TeamProblem:
    """Return tasks and robots scattered over a 100 × 100 square, in units of 0.1 s at speed 1.

    Tasks take 50 to 199; a robot can do a task with probability 0.8 (everybody, where nobody could).
    """
    rng = np.random.default_rng(seed)
    points = rng.uniform(0, 100, (tasks, 2))
    starts = rng.uniform(0, 100, (robots, 2))
    duration = rng.integers(50, 200, tasks).astype(float)
    able = rng.random((tasks, robots)) < 0.8
    able[~able.any(axis=1)] = True
    return TeamProblem.of(
        duration,
        np.round(10 * np.linalg.norm(starts[:, None] - points[None], axis=-1)),
        np.round(10 * np.linalg.norm(points[:, None] - points[None], axis=-1)),
        able=able,
    )
