"""Allocation and order for a team by large-neighborhood search on a few threads."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.planning.routing.random_state import RandomState, random_state
from commonground.planning.temporal._ruin_kernels import State, Team, anneal, copy, recreate
from commonground.planning.temporal.problem import TeamProblem
from commonground.planning.temporal.schedule import Routes

CHUNK_S = 0.1
"""The workers run about so long between two looks at the clock."""
CHUNK = 200
"""Iterations of a worker between two looks at the clock when their number is given."""
HOT, COLD = 0.2, 3e-4
"""First and last temperature in parts of the makespan."""
FIRST_CHUNK = 10
"""Iterations to begin with when only the time is given."""
MEETINGS = 20
"""So often during a search the workers meet, and the last goes on from the first's best."""
ATTEMPTS = 20
"""Shuffled insertions tried for first routes."""


@dataclass(frozen=True, slots=True)
class Worker:
    """One thread's walk: its present routes, the best it has seen, its random numbers."""

    work: State
    current: State
    best: State
    values: Floats
    random: RandomState


def search(
    problem: TeamProblem,
    rng: np.random.Generator,
    *,
    seconds: float,
    iterations: int | None = None,
    goal_s: float = 0.0,
    workers: int = 2,
) -> tuple[Routes | None, int]:
    """Return the best routes found and how many iterations each worker made.

    With ``iterations`` equal seeds give equal routes unless ``seconds`` run out first. The search ends
    early with a makespan of ``goal_s``.
    """
    team = kernel_team(problem)
    started = [_started(team, random_state(rng)) for _ in range(workers)]
    crew = [worker for worker in started if worker is not None]
    if not crew:
        return None, 0
    pace = _Pace(seconds, iterations)
    met = 0
    with ThreadPoolExecutor(len(crew)) as pool:
        while not pace.over() and min(map(_rank, crew))[0] > goal_s:
            chunk, temperature = pace.chunk(), HOT * (COLD / HOT) ** pace.progress()
            for walk in [pool.submit(_walk, team, w, chunk, temperature) for w in crew]:
                walk.result()
            pace.done += chunk
            if pace.progress() * MEETINGS >= met + 1:
                met += 1
                _meet(crew)
    return _routes_of(min(crew, key=_rank).best), pace.done


class _Pace:
    """How far a search is, by its iterations where their number is given, else by the clock."""

    def __init__(self, seconds: float, iterations: int | None) -> None:
        self.done = 0
        self._seconds = max(seconds, 1e-3)
        self._iterations = iterations
        self._begin = time.perf_counter()

    def _elapsed(self) -> float:
        return time.perf_counter() - self._begin

    def progress(self) -> float:
        """Return the part of the search that is over, from 0 to 1."""
        if self._iterations is None:
            return min(1.0, self._elapsed() / self._seconds)
        return min(1.0, self.done / max(1, self._iterations))

    def over(self) -> bool:
        return self.progress() >= 1.0 or self._elapsed() >= self._seconds

    def chunk(self) -> int:
        """Return how many iterations to make before looking again."""
        if self._iterations is not None:
            return min(CHUNK, self._iterations - self.done)
        if not self.done:
            return FIRST_CHUNK
        left = self._seconds - self._elapsed()
        return max(1, int(self.done / self._elapsed() * min(CHUNK_S, left)))


def _rank(worker: Worker) -> tuple[float, float]:
    """Order workers by the makespan, then by travel, of the best they have seen."""
    return float(worker.best.end.max()), float(worker.values[1])


def _walk(team: Team, worker: Worker, iterations: int, temperature: float) -> None:
    heat = temperature * float(worker.current.end.max())
    anneal(
        team,
        worker.work,
        worker.current,
        worker.best,
        worker.values,
        worker.random,
        iterations,
        heat,
    )


def _meet(crew: list[Worker]) -> None:
    """Let the worker whose routes are worst go on from the best routes of all."""
    ranked = sorted(crew, key=_rank)
    best, last = ranked[0], ranked[-1]
    copy(best.best, last.current)
    copy(best.best, last.best)
    last.values[:] = best.values[1]


def _started(team: Team, random: RandomState) -> Worker | None:
    """Return a worker at routes made by inserting one task after the other."""
    work, current, best = (_no_routes(team) for _ in range(3))
    for _ in range(ATTEMPTS):
        copy(best, work)
        out = np.arange(team.duration.shape[1])
        value = recreate(team, work, out, len(out), 0.0, random)
        if np.isfinite(value):
            copy(work, current)
            copy(work, best)
            return Worker(work, current, best, np.full(2, value), random)
    return None


def kernel_team(problem: TeamProblem) -> Team:
    """Return the problem in the arrays that the kernels read."""
    n = len(problem.duration_s)
    able = np.ascontiguousarray(problem.able.T)
    travel = np.concatenate([problem.travel_s, problem.approach_s[:, None, :]], axis=1)
    parts = [problem.duration_s[problem.able], travel[np.isfinite(travel)]]
    never = 10.0 * (n + 1) * (1.0 + max(float(part.max(initial=0.0)) for part in parts))
    duration = np.where(able, problem.duration_s.T, never)
    return Team(duration, able, np.where(np.isfinite(travel), travel, never), _nearest(problem))


def _nearest(problem: TeamProblem) -> Ints:
    """Return (n, n): for each task all tasks by the time between them, itself first."""
    apart = problem.travel_s.min(axis=0)
    apart = np.minimum(apart, apart.T)
    np.fill_diagonal(apart, -1.0)
    return np.argsort(apart, axis=1, kind="stable")


def _no_routes(team: Team) -> State:
    """Return a state in which no task is in a route."""
    robots, n = team.duration.shape
    return State(
        *(np.full(size, -1) for size in (n, n, robots, n)),
        *(np.zeros(size) for size in (n, n, n, robots)),
    )


def _routes_of(state: State) -> Routes:
    """Return the linked lists as tuples."""
    routes = []
    for first in state.first:
        route, k = [], int(first)
        while k >= 0:
            route.append(k)
            k = int(state.following[k])
        routes.append(tuple(route))
    return tuple(routes)
