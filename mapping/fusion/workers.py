"""Where matching runs: in this process, in processes of this machine, or on a dask cluster."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import contextmanager
from itertools import combinations
from typing import TypeVar

from commonground.errors import MappingError
from commonground.workers import worker_pool

Job = TypeVar("Job")
Answer = TypeVar("Answer")
LOST: tuple[type[Exception], ...] = (BrokenExecutor, CancelledError, OSError, TimeoutError)
"""What a worker or cluster that went away raises; dask's lost tasks are added where dask is used."""
PATIENCE_S = 15
WORTH = 2000
"""Submaps to be matched with another map's, from which on it is worth starting processes."""

logger = logging.getLogger(__name__)


def processes_for(submaps: Sequence[int]) -> int:
    """Return how many processes are worth starting to match robots that have so many submaps each.

    One a core, but no more than pairs of robots; one where this process is done before others have begun.
    """
    pairs = list(combinations(submaps, 2))
    if sum(min(pair) for pair in pairs) < WORTH:
        return 1
    return min(_cores(), len(pairs))


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def workers(cluster: str | None, processes: int) -> Iterator[Executor | None]:
    """Yield what runs jobs: a dask cluster, so many processes, or None for this process."""
    if cluster is not None:
        with _cluster(cluster) as executor:
            yield executor
    elif processes > 1:
        with worker_pool(processes) as pool:
            yield pool
    else:
        yield None


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError as error:
        raise MappingError("--cluster needs dask: pip install 'commonground[cluster]'") from error
    try:
        client = Client(address, timeout=PATIENCE_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise MappingError(f"{address}: no dask scheduler answers there: {error}") from error
    try:
        yield client.get_executor(pure=False)
    finally:
        client.close(timeout=PATIENCE_S)


def run_jobs(
    function: Callable[[Job], Answer], jobs: Sequence[Job], executor: Executor | None
) -> tuple[list[Answer], int]:
    """Return the answers in the order of the jobs, and how many were done here because workers were lost."""
    if executor is None:
        return [function(job) for job in jobs], 0
    lost: tuple[type[Exception], ...] = (*LOST, *_dask_losses())
    futures: list[Future[Answer] | None] = []
    for job in jobs:
        try:
            futures.append(executor.submit(function, job))
        except lost as error:
            logger.warning("a job could not be handed out: %s", error)
            futures.append(None)
    answers: list[Answer] = []
    here = 0
    for job, future in zip(jobs, futures, strict=True):
        try:
            if future is None:
                raise BrokenExecutor("never handed out")
            answers.append(future.result())
        except lost as error:
            logger.warning("a worker was lost, its job is done here: %s", error)
            answers.append(function(job))
            here += 1
    return answers, here


def _dask_losses() -> tuple[type[Exception], ...]:
    import sys

    if "distributed" not in sys.modules:
        return ()
    from distributed.client import FutureCancelledError
    from distributed.scheduler import KilledWorker

    return (KilledWorker, FutureCancelledError)
