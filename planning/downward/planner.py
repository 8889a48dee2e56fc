"""Planning with Fast Downward: encode, translate in the worker, search, decode, execute."""

from __future__ import annotations

import functools
import math
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from commonground.planning.downward.configurations import BLIND, CHAINS, INFORMED_OPTIMAL, Mode
from commonground.planning.downward.encode import Encoded, encode
from commonground.planning.downward.install import search_binary, translator_folder
from commonground.planning.downward.log import (
    INCOMPLETE,
    OUT_OF_MEMORY,
    OUT_OF_TIME,
    PROVEN_UNSOLVABLE,
    UNSUPPORTED,
    bound_of_astar,
    bound_of_iterations,
    complaint,
)
from commonground.planning.downward.settings import DownwardSettings
from commonground.planning.downward.unsupported import Unsupported
from commonground.planning.downward.worker import Worker, WorkerDied, WorkerLate
from commonground.planning.pddl.domain import Task
from commonground.planning.pddl.executor import execute
from commonground.planning.result import PlanResult, Status

_GRACE_S = 1.0
"""What the worker may take beyond the limit it was told before it is killed."""

Report = Callable[[PlanResult], None]


class FastDownward:
    """Fast Downward, with worker processes that stay warm between calls.

    May be used by several threads; each call takes an idle worker or starts one. ``close`` ends them all,
    as does leaving the ``with`` block and the end of the program.
    """

    def __init__(self, settings: DownwardSettings | None = None) -> None:
        self.settings = settings or DownwardSettings()
        self._idle: list[Worker] = []
        self._lock = threading.Lock()
        self._finalizer = weakref.finalize(self, _kill_all, self._idle)

    def __enter__(self) -> FastDownward:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all idle workers."""
        with self._lock:
            _kill_all(self._idle)

    def warm_up(self) -> None:
        """Start a worker now rather than in the first call."""
        with self._worker():
            pass

    def solve(
        self,
        task: Task,
        mode: Mode = "first",
        *,
        time_limit_s: float | None = None,
        cpu_limit_s: float | None = None,
        memory_limit_mb: int | None = None,
        on_plan: Report | None = None,
    ) -> PlanResult:
        """Plan: any plan (``first``), ever better ones until the limit (``anytime``), or ``optimal``.

        Every plan has been executed; ``on_plan`` hears of each better one as it is found. ``cpu_limit_s``
        counts the processor time of the search alone, so that the answer does not depend on what else runs.
        """
        limit_s = self.settings.time_limit_s if time_limit_s is None else time_limit_s
        begin = time.monotonic()
        call = _Call(
            task, mode, begin, begin + limit_s, memory_limit_mb or self.settings.memory_limit_mb
        )
        call.on_plan, call.cpu_limit_s = on_plan, cpu_limit_s
        call.invariant_limit_s = self.settings.invariant_limit_s
        try:
            call.binary = search_binary(self.settings.binary)
            call.encoded = encode(
                task, informed=mode == "optimal", compile_limit=self.settings.compile_limit
            )
            with self._worker() as worker:
                call.time_s["start"] = time.monotonic() - begin
                result = call.run(worker)
        except Unsupported as error:
            result = PlanResult(Status.ERROR, reason=str(error))
        except WorkerLate:
            result = call.ended(Status.TIMEOUT, f"no answer within {limit_s:g} s")
        except WorkerDied:
            result = call.ended(
                Status.ERROR, "the planner's process ended unexpectedly; a new one starts next time"
            )
        call.time_s["total"] = time.monotonic() - begin
        return replace(result, time_s=MappingProxyType(dict(call.time_s)))

    @contextmanager
    def _worker(self) -> Iterator[Worker]:
        """Lend a worker; it is killed if anything goes wrong while it is lent."""
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        if worker is None or not worker.alive:
            if worker is not None:
                worker.kill()
            worker = Worker(translator_folder(), self.settings.start_limit_s)
        try:
            yield worker
        except BaseException:
            worker.kill()
            raise
        with self._lock:
            self._idle.append(worker)


def _kill_all(workers: list[Worker]) -> None:
    while workers:
        workers.pop().kill()


@functools.cache
def shared_planner() -> FastDownward:
    """Return the planner with default settings that the whole program shares."""
    return FastDownward()


class Verdict(Enum):
    """Why a search gave no answer."""

    OPEN = "the configuration does not suit the task or gave up"
    DOUBTFUL = "a proof that there is no plan, by a heuristic that axioms can mislead"


@dataclass(slots=True)
class _Call:
    """One call: the task, its limits, and the best answer so far."""

    task: Task
    mode: Mode
    begin: float
    deadline: float
    memory_mb: int
    time_s: dict[str, float] = field(default_factory=dict)
    on_plan: Report | None = None
    cpu_limit_s: float | None = None
    invariant_limit_s: int = 300
    binary: Path = Path()
    encoded: Encoded | None = None
    best: PlanResult | None = None
    bound: float = 0.0

    def run(self, worker: Worker) -> PlanResult:
        """Translate, then search with each configuration until one gives an answer."""
        if self.encoded is None:
            return PlanResult(Status.ERROR, reason="nothing was encoded")
        translated = self.translate(worker, self.encoded)
        if isinstance(translated, PlanResult):
            return translated
        axioms = bool(translated["axioms"])
        chain = [c for c in CHAINS[self.mode] if not (c == INFORMED_OPTIMAL and axioms)]
        while chain:
            config = chain.pop(0)
            answer = self.search(worker, config, axioms)
            if isinstance(answer, PlanResult):
                return answer
            if answer is Verdict.DOUBTFUL:
                chain = [BLIND] if config != BLIND else []
        return self.ended(Status.NOT_FOUND, "the search ended without a plan and without a proof")

    def translate(self, worker: Worker, encoded: Encoded) -> dict[str, Any] | PlanResult:
        worker.send(
            do="translate",
            domain=encoded.domain,
            problem=encoded.problem,
            memory_mb=self.memory_mb,
            options=["--invariant-generation-max-time", str(self.invariant_limit_s)],
        )
        event = worker.receive(self.deadline)
        if event["event"] == "failed" and event["kind"] == "memory":
            worker.kill()  # it is leaving anyway
            return self.ended(Status.NOT_FOUND, f"translating needs more than {self.memory_mb} MB")
        if event["event"] == "failed":
            message = " ".join(f"{event['kind']}: {event['message']}".split())
            return self.ended(Status.ERROR, f"the translator failed: {message[:400]}")
        self.time_s["translate"] = event["seconds"]
        self.time_s["translate_cpu"] = event["cpu_s"]
        if event["event"] == "unsolvable":
            return PlanResult(
                Status.UNSOLVABLE, reason="translation proved that the goal cannot be reached"
            )
        return event

    def search(self, worker: Worker, config: str, axioms: bool) -> PlanResult | Verdict:
        """Search with one configuration; return the answer, or why another should be tried."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            return self.ended(Status.TIMEOUT, "the time was used up before the search")
        worker.send(
            do="search",
            binary=str(self.binary),
            config=config,
            wall_s=left,
            cpu_s=self.cpu_limit_s,
            memory_mb=self.memory_mb,
        )
        while (event := worker.receive(self.deadline + _GRACE_S))["event"] == "plan":
            wrong = self.take(event["text"])
            if wrong is not None:
                worker.kill()
                return wrong
        for name, value in (("search", event["seconds"]), ("search_cpu", event["cpu_s"])):
            self.time_s[name] = self.time_s.get(name, 0.0) + value
        return self.judge(event, config, axioms)

    def take(self, text: str) -> PlanResult | None:
        """Execute a plan; keep it where it is the best so far. Returns an error for a wrong one."""
        if self.encoded is None:
            return None
        try:
            plan = self.encoded.steps(text)
        except KeyError as error:
            return PlanResult(
                Status.ERROR,
                reason=f"the planner's plan cannot be read: '{error.args[0]}' is unknown",
            )
        done = execute(self.task, plan)
        if not done.valid:
            return PlanResult(
                Status.ERROR, reason=f"the planner's plan does not work: {done.failure}"
            )
        if self.best is None or done.cost < self.best.cost:
            reason = "" if plan else "the goal is already true"
            self.best = PlanResult(Status.SOLVED, plan, done.cost, self.bound, reason=reason)
            if self.on_plan is not None:
                self.on_plan(self.best)
        return None

    def judge(self, event: dict[str, Any], config: str, axioms: bool) -> PlanResult | Verdict:
        """Say what the end of a search means."""
        code, log = event["code"], event["log"]
        self.raise_bound(log, config, axioms)
        if self.best is not None:
            return self.solved(config in CHAINS["optimal"] and code == 0)
        if event["late"] or code in OUT_OF_TIME:
            return self.ended(Status.TIMEOUT, "the time was used up before a plan was found")
        if code in OUT_OF_MEMORY:
            return self.ended(Status.NOT_FOUND, f"searching needs more than {self.memory_mb} MB")
        if code == PROVEN_UNSOLVABLE and axioms and config != BLIND:
            return Verdict.DOUBTFUL
        if code == PROVEN_UNSOLVABLE:
            return PlanResult(
                Status.UNSOLVABLE, reason="every state that can be reached was examined"
            )
        if code in INCOMPLETE or code in UNSUPPORTED:
            return Verdict.OPEN
        return self.ended(Status.ERROR, f"the search failed with code {code}: {complaint(log)}")

    def raise_bound(self, log: str, config: str, axioms: bool) -> None:
        """Take note of what a search has proven of the cost, in the task's own unit."""
        scale = self.encoded.scale if self.encoded else 1.0
        if config in CHAINS["optimal"]:
            self.bound = max(self.bound, bound_of_astar(log) / scale)
        elif not axioms:
            self.bound = max(self.bound, bound_of_iterations(log) / scale)

    def solved(self, proven: bool) -> PlanResult:
        """Return the best plan with what is known about its cost."""
        if self.best is None:
            return self.ended(Status.NOT_FOUND, "no plan was found")
        bound = min(self.bound, self.best.cost)
        rounding = 1e-4 * self.best.cost  # costs are rounded down to the planner's integers
        return replace(self.best, bound=bound, optimal=proven or self.best.cost - bound <= rounding)

    def ended(self, status: Status, reason: str) -> PlanResult:
        """Return the best plan found so far, or the status where there is none."""
        if self.best is not None:
            return replace(self.solved(False), reason=reason)
        bound = self.bound if math.isfinite(self.bound) else 0.0
        return PlanResult(status, bound=bound, reason=reason)
