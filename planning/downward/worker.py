"""The parent's side of the worker process: start, talk, kill, and leave nothing behind."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

_SCRIPT = Path(__file__).with_name("_service.py")


class WorkerDied(Exception):
    """The worker process ended while an answer was due."""


class WorkerLate(Exception):
    """The worker process did not answer in time."""


class Worker:
    """One worker process; not for several threads at once."""

    def __init__(self, translator: Path, start_limit_s: float) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="commonground-downward-"))
        self.process = subprocess.Popen(
            # the translator needs the standard library alone: what else is installed is not looked for
            [sys.executable, "-S", str(_SCRIPT), str(self.folder), str(translator)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a process group of its own, so that it can be killed with its search
        )
        self._buffer = bytearray()
        try:
            self.receive(time.monotonic() + start_limit_s)
        except BaseException:
            self.kill()
            raise

    @property
    def alive(self) -> bool:
        """Return whether the process runs."""
        return self.process.poll() is None

    def send(self, **request: object) -> None:
        if self.process.stdin is None:
            raise WorkerDied
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise WorkerDied from error

    def receive(self, deadline: float) -> dict[str, Any]:
        """Return the next event; raise WorkerLate at the deadline (monotonic seconds)."""
        out = self.process.stdout
        if out is None:
            raise WorkerDied
        with selectors.DefaultSelector() as selector:
            selector.register(out, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    raise WorkerLate
                chunk = os.read(out.fileno(), 1 << 16)
                if not chunk:
                    raise WorkerDied
                self._buffer += chunk
        line, _, rest = bytes(self._buffer).partition(b"\n")
        self._buffer = bytearray(rest)
        event: dict[str, Any] = json.loads(line)
        return event

    def kill(self) -> None:
        """End the process with everything it started and remove its folder."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)
