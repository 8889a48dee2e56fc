"""SWI-Prolog in a process of its own, through its machine query interface, with limits.

One question has a time limit inside Prolog; a process that does not keep to it, or that outgrows its
memory, is killed. When this program ends in whatever way, the process sees its connection closed and ends.
"""

from __future__ import annotations

import functools
import logging
import resource
import shutil
import socket
import threading
import time
import weakref
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from commonground.errors import GroundingError, MissingDependencyError, require
from commonground.grounding.prolog.base.terms import quoted
from commonground.grounding.prolog.settings import PrologSettings
from commonground.reading import parse_json
from commonground.reasons import reason

TABLE_LIMIT = 200_000
"""Most solutions of one grounding goal that are kept as a table."""

LIBRARY = Path(__file__).parent / "data" / "library.pl"
_GRACE_S = 2.0
"""What Prolog may take beyond its limit before it is killed."""
_LISTENS_S = 0.04
"""Prolog says where it listens a moment before it does; who connects too early is told to wait a second."""
_MB = 1 << 20


class PrologStopped(GroundingError):
    """A question took too long or too much memory, or Prolog ended; the reason says which."""


class Engine:
    """A Prolog process; to be used in a ``with`` block."""

    def __init__(self, settings: PrologSettings | None = None) -> None:
        self.settings = settings or PrologSettings()
        self._mqi: Any = None
        self._thread: Any = None
        self._late = False
        self._modules = 0

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def process_id(self) -> int | None:
        """The process, while there is one."""
        return None if self._mqi is None else self._mqi.process_id()

    def new_module(self) -> str:
        """Return the name of a module that no base uses yet."""
        self._modules += 1
        return f"base{self._modules}"

    def ask(self, predicate: str, *arguments: str, limit_s: float | None = None) -> Any:
        """Return what a predicate of the library answers; the arguments are Prolog texts."""
        limit = self.settings.call_limit_s if limit_s is None else limit_s
        goal = f"assembly:{predicate}({', '.join((*arguments, 'Answer'))})"
        found = self._query(goal, limit, predicate)
        if not found or found is True:
            raise GroundingError(f"Prolog did not answer {predicate}, please report this")
        return parse_json(found[0]["Answer"], "what Prolog answered")

    def tables(self, module: str, questions: Iterable[str]) -> Any:
        """Return all solutions of conjunctions, as far as the limits go."""
        limits = str(TABLE_LIMIT), str(self.settings.goal_limit_s)
        return self.ask("kb_tables", module, f"[{', '.join(questions)}]", *limits)

    def read(self, module: str, program: str) -> Any:
        """Read the clauses of a text without running anything of it."""
        return self.ask("kb_read", f"{module}-{quoted(program)}")

    def _query(self, goal: str, limit: float, what: str) -> Any:
        from swiplserver import PrologError, PrologQueryTimeoutError

        thread = self._connected()
        watchdog = threading.Timer(limit + _GRACE_S, self._kill, (self._mqi,))
        watchdog.daemon = True
        watchdog.start()
        try:
            return thread.query(goal, query_timeout_seconds=limit)
        except PrologQueryTimeoutError as error:
            raise PrologStopped(self._too_long(what, limit)) from error
        except PrologError as error:
            if "resource_error" in str(error):
                raise PrologStopped(self._too_large(what)) from error
            if self._mqi is not None and self._mqi.connection_failed:
                raise self._gone(what, limit) from error
            raise GroundingError(f"Prolog: {error}") from error
        except (OSError, ValueError, IndexError) as error:
            raise self._gone(what, limit) from error
        finally:
            watchdog.cancel()

    def _gone(self, what: str, limit: float) -> PrologStopped:
        reason = self._too_long(what, limit) if self._late else self._too_large(what)
        self.close()
        return PrologStopped(reason)

    def _too_long(self, what: str, limit: float) -> str:
        return (
            f"Prolog did not finish {_WORDS.get(what, what)} within {limit:g} s; look for rules that call "
            "themselves without end"
        )

    def _too_large(self, what: str) -> str:
        return (
            f"Prolog ran out of memory while {_WORDS.get(what, what)} (limit {self.settings.memory_limit_mb} "
            "MB); look for rules that call themselves without end"
        )

    def _connected(self) -> Any:
        if self._thread is not None:
            return self._thread
        require("swiplserver", "language")
        if shutil.which("swipl") is None:
            raise MissingDependencyError(
                "assembly needs SWI-Prolog, and there is no program 'swipl': "
                "sudo apt-get install swi-prolog-nox"
            )
        import swiplserver

        logging.getLogger("swiplserver").setLevel(logging.WARNING)
        options = ["-f", str(LIBRARY), f"--stack-limit={self.settings.stack_limit_mb}m"]
        self._late = False
        self._mqi = swiplserver.PrologMQI(prolog_path_args=options)
        try:
            _OPEN.add(self._mqi)
            _end_with_the_program()
            self._mqi.start()
            self._limit(self._mqi.process_id())
            time.sleep(_LISTENS_S)
            self._thread = self._mqi.create_thread()
            self._thread.start()
            # a question goes out in two pieces; the second must not wait for the first to be confirmed
            self._thread._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except (swiplserver.PrologLaunchError, OSError, ValueError) as error:
            self.close()
            raise GroundingError(
                f"SWI-Prolog does not start: {reason(error)}; try 'swipl --version'"
            ) from error
        return self._thread

    def _limit(self, process: int) -> None:
        most = self.settings.memory_limit_mb * _MB
        resource.prlimit(process, resource.RLIMIT_AS, (most, most))
        resource.prlimit(process, resource.RLIMIT_CORE, (0, 0))
        resource.prlimit(process, resource.RLIMIT_FSIZE, (0, 0))

    def _kill(self, mqi: Any) -> None:
        """Kill the process that was asked; by now there may be another one, which is not late."""
        if mqi is self._mqi:
            self._late = True
            mqi.stop(kill=True)

    def close(self) -> None:
        """End the process; the next question starts another."""
        mqi, thread = self._mqi, self._thread
        self._mqi = self._thread = None
        if thread is not None and thread._socket is not None:
            thread._socket.close()
            thread._socket = None
        if mqi is not None:
            mqi.stop(kill=True)


_OPEN: weakref.WeakSet[Any] = weakref.WeakSet()


@functools.cache
def _end_with_the_program() -> None:
    """End what is still open with the main thread: Python would wait for the threads that read its output."""

    def end() -> None:
        threading.main_thread().join()
        for mqi in list(_OPEN):
            mqi.stop(kill=True)

    threading.Thread(target=end, name="end of Prolog").start()


_WORDS = {
    "kb_read": "reading the base",
    "kb_tables": "evaluating grounding goals",
    "kb_solve": "evaluating grounding goals",
    "kb_run": "executing the plan",
    "kb_search": "searching depth-first",
    "kb_trial": "trying the mappings out",
}
