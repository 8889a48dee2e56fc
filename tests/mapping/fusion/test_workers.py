"""Matching elsewhere gives the same answers; a worker that dies costs time, not closures."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any

import numpy as np
import pytest

from commonground.errors import MappingError
from commonground.localization.places import submap_places
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.closures import find_closures
from commonground.mapping.fusion.evaluation.teams import made_up
from commonground.mapping.fusion.workers import processes_for, run_jobs, workers

SETTINGS = LocalizationSettings()


def closures(executor: Executor | None) -> list[Any]:
    runs = made_up(seed=8, robots=3, submaps=6, extent_m=100.0).runs
    places = [submap_places(run.objects, SETTINGS.matching.places) for run in runs]
    found, notes = find_closures(runs, places, SETTINGS, executor=executor)
    assert notes == []
    return found


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as local:
        yield local


@pytest.mark.slow
def test_a_cluster_finds_the_same_closures(cluster: Any) -> None:
    here = closures(None)
    with workers(cluster.scheduler_address, 1) as executor:
        there = closures(executor)
    assert [(c.robots, c.submaps, c.keyframes) for c in there] == [
        (c.robots, c.submaps, c.keyframes) for c in here
    ]
    np.testing.assert_allclose([c.T for c in there], [c.T for c in here], atol=1e-9)


@pytest.mark.slow
def test_processes_find_the_same_closures() -> None:
    here = closures(None)
    with workers(None, 2) as executor:
        there = closures(executor)
    assert [(c.robots, c.submaps, c.keyframes) for c in there] == [
        (c.robots, c.submaps, c.keyframes) for c in here
    ]
    assert [c.T.tolist() for c in there] == [c.T.tolist() for c in here]


@pytest.mark.parametrize(
    ("submaps", "processes"),
    [([20, 20, 20], 1), ([], 1), ([5000], 1), ([5000, 1], 1), ([3000, 3000], 1), ([200] * 8, 4)],
)
def test_processes_are_started_where_there_is_much_to_match(
    monkeypatch: pytest.MonkeyPatch, submaps: list[int], processes: int
) -> None:
    monkeypatch.setattr("commonground.mapping.fusion.workers._cores", lambda: 4)
    assert processes_for(submaps) == processes


def die_once(job: tuple[int, str]) -> int:
    """Kill the worker the first time; the mark in the file system tells that it was done."""
    number, mark = job
    if number == 1:
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return number * number
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


@pytest.mark.slow
def test_a_killed_worker_costs_only_time(cluster: Any, tmp_path: Any) -> None:
    mark = str(tmp_path / "died")
    with workers(cluster.scheduler_address, 1) as executor:
        answers, _ = run_jobs(die_once, [(n, mark) for n in range(4)], executor)
    assert answers == [0, 1, 4, 9]
    assert (tmp_path / "died").exists()


class Gone(Executor):
    """A pool that breaks after its first job."""

    def __init__(self) -> None:
        self.count = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.count += 1
        if self.count > 2:
            raise BrokenExecutor("gone")
        future: Future[Any] = Future()
        if self.count == 1:
            future.set_result(fn(*args, **kwargs))
        else:
            future.set_exception(BrokenExecutor("gone"))
        return future


def test_what_lost_workers_leave_is_done_here() -> None:
    answers, here = run_jobs(abs, [-1, -2, -3], Gone())
    assert answers == [1, 2, 3]
    assert here == 2


def test_no_scheduler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("commonground.mapping.fusion.workers.PATIENCE_S", 1)
    with (
        pytest.raises(MappingError, match="no dask scheduler answers"),
        workers("tcp://127.0.0.1:9", 1),
    ):
        pass
