"""A pool of processes ends when it is told to, whatever they are at."""

from __future__ import annotations

import time
from concurrent.futures.process import BrokenProcessPool

import pytest

from commonground.workers import end_workers, worker_pool


def test_workers_are_ended_in_the_middle_of_their_work() -> None:
    with worker_pool(1) as pool:
        pool.submit(int).result(timeout=60)
        endless = pool.submit(time.sleep, 3600)
        end_workers(pool)
        with pytest.raises(BrokenProcessPool):
            endless.result(timeout=60)
