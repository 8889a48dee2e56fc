"""The processes that work on the frames of a story: robots are mapped while later drives are looked at.

Only localizing itself needs the fused map. What robots see later is worked out beside the mapping, so that
cores stay busy although one robot has more cameras than another.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from typing import Any, TypeVar

from commonground.reporter import SILENT, Reporter
from commonground.runs import Run
from commonground.story.drives import robots_of
from commonground.story.progress import EVERY_S, Teller
from commonground.story.seeing import diary_of, map_one, observe_one
from commonground.story.spec import Story
from commonground.workers import FRAMES, end_workers, worker_pool

T = TypeVar("T")


class FrameWork:
    """What is to be made of each robot's frames; it is begun when a result is first asked for."""

    def __init__(self, story: Story, run: Run, reporter: Reporter = SILENT) -> None:
        self.reporter = reporter
        self._teller = Teller()
        self.story = story
        self.run = run
        self._pool: ProcessPoolExecutor | None = None
        self._futures: dict[tuple[str, str], Future[Any]] = {}

    def __enter__(self) -> FrameWork:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if self._pool is None:
            return
        if kind is not None and not issubclass(kind, Exception):  # who says stop waits for no map
            end_workers(self._pool)
        self._pool.shutdown(cancel_futures=True)

    def result(self, what: str, robot: str) -> Any:
        """Return the result of ``map`` or ``observe`` for a robot."""
        if self._pool is None:
            todo = self._todo()
            self._pool = worker_pool(max(1, min(len(todo), os.cpu_count() or 1)), *FRAMES)
            for key, (work, *call) in todo.items():
                self._futures[key] = self._pool.submit(work, *call)
        future = self._futures[what, robot]
        while what == "map" and not wait([future], timeout=EVERY_S).done:
            folders = {name: self.run.robot(name) for name in robots_of(self.story.see)}
            for line in self._teller.news({n: diary_of(f) for n, f in folders.items()}):
                self.reporter.note(line)
        return future.result()

    def do(self, work: Callable[..., T], *call: object) -> T:
        """Return what a call gives, made in a process that worked on frames: networks are loaded there."""
        if self._pool is None:
            return work(*call)
        return self._pool.submit(work, *call).result()

    def _todo(self) -> dict[tuple[str, str], tuple[Any, ...]]:
        """Return the calls to make, maps first."""
        story, run = self.story, self.run
        todo: dict[tuple[str, str], tuple[Any, ...]] = {}
        if not run.done("map"):
            for robot in robots_of(story.see):
                todo["map", robot] = (map_one, story, robot, run.robot(robot))
        if story.again is not None and not run.done("relocalize"):
            for robot in robots_of(story.again):
                todo["observe", robot] = (observe_one, story, robot)
        return todo
