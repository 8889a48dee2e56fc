"""Team problem: tasks, who can do them, and how far apart they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.errors import PlanningError


@dataclass(frozen=True, slots=True)
class TeamProblem:
    """n tasks for R robots: each task is done once, by one robot, without interruption."""

    duration_s: Floats
    """(n, R) how long each robot takes for each task; inf where it cannot do it."""
    approach_s: Floats
    """(R, n) how long each robot takes from where it is now to each task."""
    travel_s: Floats
    """(R, n, n) from the end of one task to the start of another."""

    def __post_init__(self) -> None:
        if self.duration_s.ndim != 2 or self.duration_s.shape[1] == 0:
            raise PlanningError("there are no robots; give durations of shape (tasks, robots)")
        n, robots = self.duration_s.shape
        if np.isnan(self.duration_s).any() or (self.duration_s < 0).any():
            raise PlanningError(
                "a duration is below 0 or no number; inf says that it is impossible"
            )
        for values, shape, what in (
            (self.approach_s, (robots, n), "approach times"),
            (self.travel_s, (robots, n, n), "travel times"),
        ):
            if values.shape != shape:
                raise PlanningError(f"{what} have shape {values.shape}; {shape} is needed")
            if not (np.isfinite(values) & (values >= 0)).all():
                raise PlanningError(f"{what} are finite and at least 0")
        for task in np.flatnonzero(~self.able.any(axis=1)):
            raise PlanningError(f"no robot can do task {task}")

    @property
    def able(self) -> Bools:
        """(n, R): who can do what."""
        return np.isfinite(self.duration_s)


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
    travel = np.round(10 * np.linalg.norm(points[:, None] - points[None], axis=-1))
    return TeamProblem(
        np.where(able, duration[:, None], np.inf),
        np.round(10 * np.linalg.norm(starts[:, None] - points[None], axis=-1)),
        np.repeat(travel[None], robots, axis=0),
    )
