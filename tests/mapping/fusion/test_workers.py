"""Matching elsewhere gives the same answers; a worker that dies costs time, not closures."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from commonground.errors import MappingError
from commonground.localization.places import submap_places
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.closures import find_closures
from commonground.mapping.fusion.evaluation.teams import made_up
from commonground.mapping.fusion.workers import processes_for, run_jobs, workers
from tests.ports import free_port

SETTINGS = LocalizationSettings()


ROOT = Path(__file__).resolve().parents[3]
LONG_S = 120.0
"""On a busy machine a process may take so long to begin."""


@pytest.fixture(scope="module", autouse=True)
def importable() -> Iterator[None]:
    """Let processes that are started find this module: without it, they fail to read their jobs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path, str(ROOT)])
        known = os.environ.get("PYTHONPATH")
        patch.setenv("PYTHONPATH", os.pathsep.join([known, str(ROOT)] if known else [str(ROOT)]))
        yield


@cache
def team() -> tuple[Any, Any]:
    """The maps of three robots, and their places."""
    runs = made_up(seed=8, robots=3, submaps=6, extent_m=100.0).runs
    return runs, [submap_places(run.objects, SETTINGS.matching.places) for run in runs]


def closures(executor: Executor | None) -> list[Any]:
    runs, places = team()
    found, notes = find_closures(runs, places, SETTINGS, executor=executor)
    assert notes == []
    return found


@pytest.fixture(scope="module")
def here() -> list[Any]:
    """The closures that this process finds."""
    return closures(None)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    local = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    yield local
    with suppress(TimeoutError):  # a nanny may be busy replacing a worker that was killed
        local.close(timeout=30)


def test_a_cluster_finds_the_same_closures(cluster: Any, here: list[Any]) -> None:
    with workers(cluster.scheduler_address, 1) as executor:
        there = closures(executor)
    assert [(c.robots, c.submaps, c.keyframes) for c in there] == [
        (c.robots, c.submaps, c.keyframes) for c in here
    ]
    assert [c.T.tolist() for c in there] == [c.T.tolist() for c in here]


def test_processes_find_the_same_closures(here: list[Any]) -> None:
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


def die_once(job: tuple[int, str, int]) -> int:
    """Kill the worker the first time; the mark in the file system tells that it was done."""
    number, mark, home = job
    if number == 1 and os.getpid() != home:
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return number * number
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def test_a_killed_worker_costs_only_time(
    cluster: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("commonground.mapping.fusion.workers.PATIENCE_S", LONG_S)
    mark = str(tmp_path / "died")
    with workers(cluster.scheduler_address, 1) as executor:
        answers, here = run_jobs(die_once, [(n, mark, os.getpid()) for n in range(4)], executor)
    assert here < 4  # the other worker did its share
    assert answers == [0, 1, 4, 9]
    assert (tmp_path / "died").exists()


class Unreliable(Executor):
    """A pool that does its first job, breaks in its second, answers nothing more, and takes five jobs."""

    def __init__(self) -> None:
        self.count = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.count += 1
        if self.count > 5:
            raise BrokenExecutor("gone")
        future: Future[Any] = Future()
        if self.count == 1:
            future.set_result(fn(*args, **kwargs))
        elif self.count == 2:
            future.set_exception(BrokenExecutor("gone"))
        return future


def test_what_lost_workers_leave_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commonground.mapping.fusion.workers.PATIENCE_S", 0.01)
    answers, here = run_jobs(abs, [-1, -2, -3, -4, -5, -6, -7], Unreliable())
    assert answers == [1, 2, 3, 4, 5, 6, 7]
    assert here == 6


def test_an_error_of_the_work_itself_is_no_lost_worker() -> None:
    class Failing(Unreliable):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(KeyError("a bug"))
            return future

    with pytest.raises(KeyError, match="a bug"):
        run_jobs(abs, [-1], Failing())


def test_slow_workers_are_waited_for_while_they_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commonground.mapping.fusion.workers.PATIENCE_S", LONG_S)
    with ThreadPoolExecutor(1) as pool:
        answers, here = run_jobs(dozing, [3, 1, 2], pool)
    assert answers == [9, 1, 4]
    assert here == 0


def dozing(number: int) -> int:
    time.sleep(0.02)
    return number * number


def forever(job: tuple[int, int]) -> int:
    """Never answer, but where the test runs."""
    number, home = job
    while os.getpid() != home:
        time.sleep(0.1)
    return number


@pytest.mark.parametrize("lost", ["workers", "scheduler"])
def test_a_cluster_that_goes_away_mid_run_costs_only_time(
    lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    patience = "commonground.mapping.fusion.workers.PATIENCE_S"
    monkeypatch.setattr(patience, LONG_S)
    with own_cluster() as (address, processes), workers(address, 1) as executor:
        assert executor is not None
        assert executor.submit(abs, -3).result(LONG_S) == 3  # it is there and works
        monkeypatch.setattr(patience, 3.0)
        harm = Timer(0.5, processes[lost].kill)
        harm.start()
        answers, here = run_jobs(forever, [(n, os.getpid()) for n in range(4)], executor)
        harm.join()
    assert answers == [0, 1, 2, 3]
    assert here == 4


@contextmanager
def own_cluster() -> Iterator[tuple[str, dict[str, subprocess.Popen[bytes]]]]:
    """Yield the address of a scheduler with a worker, and their processes, which nobody replaces."""
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    dask = [sys.executable, "-m", "dask"]
    begun: dict[str, subprocess.Popen[bytes]] = {}
    run = partial(subprocess.Popen, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        scheduler = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
        begun["scheduler"] = run([*dask, "scheduler", *scheduler])
        worker = [address, "--no-nanny", "--no-dashboard", "--nthreads", "1"]
        begun["workers"] = run([*dask, "worker", *worker])
        yield address, begun
    finally:
        for process in begun.values():
            process.kill()
            process.wait(30)


def test_no_scheduler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("commonground.mapping.fusion.workers.PATIENCE_S", 1)
    with (
        pytest.raises(MappingError, match="no dask scheduler answers"),
        workers("tcp://127.0.0.1:9", 1),
    ):
        pass
