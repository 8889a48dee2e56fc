"""The worker process: runs Fast Downward's translator and search on request; started as a script.

Requests and events are JSON, one a line, on standard input and output. ``translate`` answers
``translated``, ``unsolvable`` or ``failed``; ``search`` answers ``plan`` for every plan found and then
``searched``. The first folder named on the command line and everything it starts are its own; both go when
its input ends, which also happens when its parent dies. The second folder has the translator; nothing of
this project is imported here, nor anything else that is installed, and of the standard library little that
the translator does not need as well: a call is as slow as its imports.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import queue
import resource
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

_LOG_BYTES = 20_000
POLL_S = 0.02
"""So often a search is looked at."""


class Service:
    """The state of the worker: its folder, the search it runs, and the translator's modules."""

    def __init__(self, folder: Path) -> None:
        self.out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        self.folder = folder
        self.child: int | None = None
        """The process that searches."""
        self.starting = threading.RLock()
        """Held while a search is started: none is left behind that nobody knows of."""
        self.requests: queue.Queue[dict[str, Any]] = queue.Queue()

    def send(self, event: str, **values: object) -> None:
        self.out.write(json.dumps({"event": event, **values}) + "\n")
        self.out.flush()

    def leave(self, *_: object) -> None:
        """Stop the search, remove the folder and end this process."""
        with self.starting:
            if self.child is not None:
                kill(self.child)
            for _again in range(
                100
            ):  # what was just killed, or translates, may still be writing there
                with contextlib.suppress(OSError):
                    for file in self.folder.iterdir():
                        file.unlink(missing_ok=True)
                    self.folder.rmdir()
                if not self.folder.exists():
                    break
                time.sleep(POLL_S)
            os._exit(0)

    def listen(self) -> None:
        """Queue requests until the input ends."""
        for line in sys.stdin:
            self.requests.put(json.loads(line))
        self.leave()

    def run(self) -> None:
        """Serve requests for ever."""
        signal.signal(signal.SIGTERM, self.leave)
        threading.Thread(target=self.listen, daemon=True).start()
        gc.disable()  # modules stay: nothing of them is worth looking for
        for name in ("options", "pddl_parser", "normalize", "main"):
            importlib.import_module(f"fast_downward.translate.{name}")
        check_exclusions_one_by_one(sys.modules["fast_downward.translate.main"])
        gc.freeze()
        gc.enable()
        try:
            self.send("ready")
            while True:
                request = self.requests.get()
                if request.pop("do") == "translate":
                    self.translate(**request)
                else:
                    self.search(**request)
        except (
            OSError
        ):  # nobody listens any more, or the folder is being removed: end as if told to
            self.leave()

    # ---- translation --------------------------------------------------------------------------

    def translate(self, domain: str, problem: str, memory_mb: int, options: list[str]) -> None:
        """Write the grounded task to ``task.sas``."""
        files = {name: self.folder / f"{name}.pddl" for name in ("domain", "problem")}
        files["domain"].write_text(domain, encoding="ascii")
        files["problem"].write_text(problem, encoding="ascii")
        begin, worked = time.monotonic(), time.process_time()
        output = io.StringIO()
        free = resource.getrlimit(resource.RLIMIT_AS)
        try:
            resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, free[1]))
            with contextlib.redirect_stdout(output):
                task = self.grounded([*map(str, files.values()), *options])
                with (self.folder / "task.sas").open("w", encoding="ascii") as file:
                    task.output(file)
        except MemoryError:
            resource.setrlimit(resource.RLIMIT_AS, free)
            self.send("failed", kind="memory", message="")
            self.leave()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever it is, it is the answer
            self.send("failed", kind=type(error).__name__, message=str(error)[:2000])
            return
        finally:
            resource.setrlimit(resource.RLIMIT_AS, free)
        impossible = "Generating unsolvable task" in output.getvalue()
        self.send(
            "unsolvable" if impossible else "translated",
            seconds=time.monotonic() - begin,
            cpu_s=time.process_time() - worked,
            operators=len(task.operators),
            variables=len(task.variables.ranges),
            axioms=len(task.axioms),
        )

    @staticmethod
    def grounded(arguments: list[str]) -> Any:
        """Run the stages of the translator."""
        modules = sys.modules
        package = "fast_downward.translate"
        modules[f"{package}.options"].set_options(
            arguments
        )  # its other modules read the options when run
        task = modules[f"{package}.pddl_parser"].open(
            domain_filename=arguments[0], problem_filename=arguments[1]
        )
        gc.disable()
        try:
            modules[f"{package}.normalize"].normalize(task)
            return modules[f"{package}.main"].pddl_to_sas(task)
        finally:
            gc.enable()

    # ---- search -------------------------------------------------------------------------------

    def search(
        self, binary: str, config: str, wall_s: float, memory_mb: int, cpu_s: float | None = None
    ) -> None:
        """Search for plans of ``task.sas``; every one found is sent at once."""
        begin = time.monotonic()
        for old in self.folder.glob("plan*"):
            old.unlink()
        log = self.folder / "log.txt"
        with self.starting:
            child = self.child = self.started(binary, config, log)
        limit(child, wall_s, memory_mb)
        sent: set[str] = set()
        late, used_s = False, 0.0
        while True:
            code = waited(child, POLL_S)
            self.send_plans(sent, code is not None)
            if code is not None:
                break
            used_s = cpu_of(child, used_s)
            if time.monotonic() - begin > wall_s or (cpu_s is not None and used_s > cpu_s):
                late = True
                kill(child)
        self.child = None
        with log.open("rb") as file:
            head = file.read(_LOG_BYTES)
            file.seek(max(len(head), log.stat().st_size - _LOG_BYTES))
            text = (head + file.read()).decode("utf-8", "replace")
        seconds = time.monotonic() - begin
        self.send("searched", code=code, late=late, log=text, seconds=seconds, cpu_s=used_s)

    def started(self, binary: str, config: str, log: Path) -> int:
        """Start a search in the folder and return its process."""
        os.chdir(self.folder)
        return os.posix_spawn(
            binary,
            [binary, "--internal-plan-file", "plan", "--search", config],
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, self.folder / "task.sas", os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ],
        )

    def send_plans(self, sent: set[str], ended: bool) -> None:
        """Send the plans that are complete: the search writes their cost last."""
        for path in sorted(self.folder.glob("plan*"), key=lambda p: int(p.suffix[1:] or 0)):
            text = path.read_text(encoding="ascii") if path.name not in sent else ""
            if "; cost" in text and (ended or text.endswith("\n")):
                sent.add(path.name)
                self.send("plan", text=text)


def check_exclusions_one_by_one(translator: Any) -> None:
    """Keep the translator from multiplying out where all things denied may be, to see what excludes what."""
    translated = translator.translate_strips_conditions_aux

    def conditions(facts: Any, dictionary: Any, ranges: Any, exclusive: Any, sizes: Any) -> Any:
        if not facts:
            return [{}]
        asserted = [fact for fact in facts if not fact.negated]
        tries = [[*asserted, fact] for fact in facts if fact.negated] or [asserted]
        if any(translated(tried, exclusive, sizes) is None for tried in tries):
            return None
        return translated(facts, dictionary, ranges)

    translator.translate_strips_conditions = conditions


def kill(pid: int) -> None:
    """End a process that may have ended."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def waited(pid: int, most_s: float) -> int | None:
    """Return how a process has ended, the negative signal for one that was killed; None while it runs."""
    until, nap_s = time.monotonic() + most_s, 5e-4
    while True:
        ended, how = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(how)
        if time.monotonic() > until:
            return None
        time.sleep(nap_s)
        nap_s = min(2.0 * nap_s, most_s)


def cpu_of(pid: int, known_s: float) -> float:
    """Return the processor time that a process has used; what was known of it where it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks = int(fields[11]) + int(fields[12])
    except (OSError, IndexError, ValueError):  # ended, or not Linux
        return known_s
    return ticks / os.sysconf("SC_CLK_TCK")


def limit(pid: int, wall_s: float, memory_mb: int) -> None:
    """Bound the processor time and the memory of a process that was just started.

    What this process may have itself, as after ``ulimit``, no other one started by it may exceed.
    """
    prlimit = getattr(resource, "prlimit", None)
    if prlimit is None:  # not Linux: the time limit of the worker remains
        return
    with contextlib.suppress(ProcessLookupError):
        seconds, size = int(wall_s) + 2, memory_mb << 20
        for what, soft, hard in (
            (resource.RLIMIT_CPU, seconds, seconds + 5),
            (resource.RLIMIT_AS, size, size),
            (resource.RLIMIT_CORE, 0, 0),
        ):
            most = prlimit(pid, what)[1]
            if most != resource.RLIM_INFINITY:
                soft, hard = min(soft, most), min(hard, most)
            prlimit(pid, what, (soft, hard))


if __name__ == "__main__":
    beside = str(Path(__file__).parent)  # modules there must not hide others
    sys.path[:] = [path for path in sys.path if path != beside] + [sys.argv[2]]
    Service(Path(sys.argv[1])).run()
