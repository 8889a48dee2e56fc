"""Processes that share one command's work and end with it, however it ends."""

from __future__ import annotations

import functools
import logging
import multiprocessing
import os
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext
from multiprocessing.synchronize import Lock

from commonground.compiled import announced_by, was_announced

MOST_A_CORE = 4
"""Processes; more of them only take memory."""
BLAS_THREADS = "OPENBLAS_NUM_THREADS"
FRAMES = ("commonground.mapping.recorded", "scipy.optimize", "PIL.Image", "cv2")
"""What works on frames loads these."""
READY = "commonground.ready"
"""Loaded last: what loads a loop fills tables of numba first, which takes a third of a second."""


def worker_pool(count: int, *loaded: str) -> ProcessPoolExecutor:
    """Return a pool of fresh processes, none of which outlives this one, even when this one is killed.

    There are never more than ``MOST_A_CORE`` for each core, as results do not depend on how many there are.
    ``loaded`` are the modules that their work needs, see ``starter``.
    """
    cores = os.cpu_count() or 1
    few = min(count, MOST_A_CORE * cores)
    share = max(1, cores // max(1, few))
    context = starter(*loaded)
    begin = dict(os.environ), share, _first_to_tell()
    return ProcessPoolExecutor(few, context, _begin, begin)


@functools.cache
def _first_to_tell() -> Lock:
    """Return what only one process of this program gets: it tells that loops are compiled."""
    lock = multiprocessing.get_context("forkserver").Lock()
    if was_announced():
        lock.acquire(block=False)
    announced_by(functools.partial(lock.acquire, block=False))
    return lock


def end_workers(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool at once, whatever they are at: what they kept is complete or not there."""
    for process in list((pool._processes or {}).values()):
        process.terminate()


def starter(*loaded: str) -> ForkServerContext:
    """Return what starts processes: copies of one that has loaded some modules, which takes seconds.

    It loads those that are asked for first, and stays for whoever starts processes afterwards.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*loaded, READY] if loaded else [])
    # cores go to processes: threads of BLAS would be of no use there, and none is copied
    known = os.environ.get(BLAS_THREADS)
    os.environ[BLAS_THREADS] = known or "1"
    try:
        forkserver.ensure_running()
    finally:
        if known is None:
            del os.environ[BLAS_THREADS]
    return context


def _begin(environment: dict[str, str], threads: int, first: Lock) -> None:
    """Begin a worker: it ends with its parent, and its networks take no more than its share of the cores."""
    os.environ.update(environment)
    os.environ.setdefault("OMP_NUM_THREADS", str(threads))
    if not logging.getLogger().handlers:  # a line of its own, whatever its parent draws there
        line = "\r\x1b[K%(message)s" if sys.stderr.isatty() else "%(message)s"
        logging.basicConfig(format=line)
    announced_by(functools.partial(first.acquire, block=False))
    leave_with_parent()


def leave_with_parent() -> None:
    """End this process when the one that started it is gone."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
