"""Processes that share one command's work and end with it, however it ends."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

MOST_A_CORE = 4
"""Processes; more of them only take memory."""


def worker_pool(count: int) -> ProcessPoolExecutor:
    """Return a pool of fresh processes, none of which outlives this one, even when this one is killed.

    There are never more than ``MOST_A_CORE`` for each core, as results do not depend on how many there are.
    """
    cores = os.cpu_count() or 1
    few = min(count, MOST_A_CORE * cores)
    share = max(1, cores // max(1, few))
    return ProcessPoolExecutor(few, get_context("spawn"), _begin, (os.getpid(), share))


def _begin(parent: int, threads: int) -> None:
    """Begin a worker: it ends with its parent, and its networks take no more than its share of the cores."""
    os.environ.setdefault("OMP_NUM_THREADS", str(threads))
    leave_with(parent)


def leave_with(parent: int) -> None:
    """End this process when the one that started it is gone."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
