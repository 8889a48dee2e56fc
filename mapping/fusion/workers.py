"""Executors of matching jobs: this process, processes of this machine, or a dask cluster."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from itertools import combinations
from typing import TypeVar

from commonground.errors import MappingError
from commonground.reasons import reason
from commonground.workers import worker_pool

Job = TypeVar("Job")
Answer = TypeVar("Answer")
LOST: tuple[type[Exception], ...] = (BrokenExecutor, CancelledError, OSError, TimeoutError)
"""What a worker or cluster that went away raises; dask's lost tasks are added where dask is used."""
PATIENCE_S = 15.0
"""Seconds without an answer of a scheduler, or of any worker, after which this process goes on alone."""
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
        with worker_pool(processes, "commonground.mapping.fusion.closures") as pool:
            yield pool
            pool.shutdown(cancel_futures=True)  # what was done elsewhere meanwhile
    else:
        yield None


_ADDRESS = re.compile(r"((tcp|tls|ws|wss|ucx)://)?[^\s/@]+:(?P<port>\d{1,5})/?", re.ASCII)


def exposure(address: str) -> str:
    """Return what is wrong with where a scheduler listens; empty if it is TLS or this machine alone.

    Who reaches a scheduler can run any code on it and on its workers.
    """
    place = address.strip().lower()
    scheme, _, rest = place.rpartition("://")
    host = rest.rpartition(":")[0].strip("[]") if ":" in rest else rest
    if scheme in ("tls", "wss", "inproc") or host in ("localhost", "::1"):
        return ""
    with suppress(ValueError):
        if ip_address(host).is_loopback:
            return ""
    return (
        f"{shown_address(address)}: whoever reaches this scheduler can run code on it and here: use "
        "tls:// with certificates, or let it listen on 127.0.0.1 and reach it through ssh"
    )


def shown_address(address: str) -> str:
    """Return an address without a password in it."""
    scheme, mark, rest = address.rpartition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}"


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError as error:
        raise MappingError("--cluster needs dask: pip install 'commonground[cluster]'") from error
    known = _ADDRESS.fullmatch(address.strip())
    if known is None or not int(known["port"]) <= 65535:
        raise MappingError(
            f"{shown_address(address)}: is no address of a dask scheduler; write it as tcp://host:port"
        )
    exposed = exposure(address)
    if exposed:
        logger.warning("%s", exposed)
    try:
        client = Client(address, timeout=PATIENCE_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise MappingError(
            f"{shown_address(address)}: no dask scheduler answers there: {reason(error)}; start one with "
            "'dask scheduler' or leave out --cluster"
        ) from error
    client_logger = logging.getLogger("distributed.client")
    level = client_logger.level
    client_logger.setLevel(
        logging.CRITICAL
    )  # that the scheduler is lost is told in a line of the notes
    try:
        yield client.get_executor(pure=False)
    finally:
        # a scheduler that went away does not say goodbye, and all answers are there
        with suppress(*LOST, AssertionError, RuntimeError):
            client.close(timeout=PATIENCE_S)
        client_logger.setLevel(level)


def run_jobs(
    function: Callable[[Job], Answer], jobs: Sequence[Job], executor: Executor | None
) -> tuple[list[Answer], int]:
    """Return the answers in the order of the jobs, and how many were done here because workers were lost.

    Nobody is waited for in vain: while no answer comes for a while, this process does the work itself.
    """
    if executor is None:
        return [function(job) for job in jobs], 0
    lost: tuple[type[Exception], ...] = (*LOST, *_dask_losses())
    answers: dict[int, Answer] = {}
    waiting, left = _handed_out(function, jobs, executor, lost)
    here, patience_s = 0, PATIENCE_S
    while waiting or left:
        done, _ = wait(waiting, 0 if left else patience_s, return_when=FIRST_COMPLETED)
        for future in done:
            number = waiting.pop(future)
            try:
                answers[number] = future.result(0)
                patience_s = PATIENCE_S
            except lost as error:
                logger.info("a worker was lost, its job is done here: %s", error)
                left.append(number)
        if not done and not left:
            # A worker that is only slow may still be first with the others. A cluster can lose an
            # answer without a word: dask's own executor never ends if who held it dies meanwhile.
            left.append(waiting.popitem()[1])
            patience_s = 0.0
        if left:
            number = left.pop()
            answers[number] = function(jobs[number])
            here += 1
    return [answers[number] for number in range(len(jobs))], here


def _handed_out(
    function: Callable[[Job], Answer],
    jobs: Sequence[Job],
    executor: Executor,
    lost: tuple[type[Exception], ...],
) -> tuple[dict[Future[Answer], int], list[int]]:
    """Return the futures of jobs, each with its job's number, and the numbers nobody would take."""
    waiting: dict[Future[Answer], int] = {}
    left: list[int] = []
    for number, job in enumerate(jobs):
        try:
            waiting[executor.submit(function, job)] = number
        except lost as error:
            logger.info("a job could not be handed out: %s", error)
            left.append(number)
    return waiting, left


def _dask_losses() -> tuple[type[Exception], ...]:
    import sys

    if "distributed" not in sys.modules:
        return ()
    from distributed import client
    from distributed.scheduler import KilledWorker

    # not all versions have a name for a client that is closed
    return (KilledWorker, getattr(client, "ClosedClientError", KilledWorker))
