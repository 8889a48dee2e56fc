"""Processes that share one command's work and end with it, however it ends."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context


def worker_pool(count: int) -> ProcessPoolExecutor:
    """Return a pool of fresh processes, none of which outlives this one, even when this one is killed."""
    return ProcessPoolExecutor(count, get_context("spawn"), leave_with, (os.getpid(),))


def leave_with(parent: int) -> None:
    """End this process when the one that started it is gone."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
