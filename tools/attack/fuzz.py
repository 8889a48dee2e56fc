"""Fuzz the readers of files, led by what they reach: what makes a reader run a line it never ran is kept.

    python -m tools.attack.fuzz                          ten minutes over all readers, and a table
    python -m tools.attack.fuzz --seconds 60 --only pddl,memory
    python -m tools.attack.fuzz --runs 40 --seed 3       so many inputs for each reader

Inputs are honest files and what was kept, spoiled once or several times (``tools/attack/damage.py``). A
reader may refuse with an error that a user is told in one line; anything else, more than 20 seconds of a
processor, and a gigabyte more than before break it. Kept inputs lie in ``runs/attack/fuzz/READER`` and are
where the next call goes on; what broke a reader lies in ``runs/attack/fuzz/broke``.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

from commonground.errors import CommongroundError
from tools.attack.corpus import ROOT, write_corpus
from tools.attack.damage import CONTENT
from tools.attack.readers import READERS, Fuzzed
from tools.attack.warmth import warm_up, written_apart

LIMIT_S = 20
MORE_MB = 1024
MOST_KB = 1024
"""What is longer is not kept."""
TOLD = (CommongroundError, OSError, RecursionError, MemoryError)
"""What the program tells its user in one line (``commonground/cli/endings.py``)."""


class TooLong(BaseException):
    """A reader took more than its time; nothing of the program catches it."""


@dataclass
class Tally:
    """What became of the inputs of a reader."""

    name: str
    inputs: int = 0
    read: int = 0
    refused: int = 0
    kept: int = 0
    lines: int = 0
    broke: int = 0


class Reached:
    """The lines of the program that have been run so far."""

    def __init__(self) -> None:
        self.seen: set[tuple[CodeType, int]] = set()
        self._own: dict[CodeType, bool] = {}

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Take in the lines that are run."""
        sys.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(None)

    def _called(self, frame: FrameType, _event: str, _value: Any) -> Callable[..., Any] | None:
        code = frame.f_code
        own = self._own.get(code)
        if own is None:
            own = self._own[code] = code.co_filename.startswith(f"{ROOT}{os.sep}")
        return self._line if own else None

    def _line(self, frame: FrameType, event: str, _value: Any) -> Callable[..., Any]:
        if event == "line":
            self.seen.add((frame.f_code, frame.f_lineno))
        return self._line


class Fuzzer:
    """One reader on a copy of its honest files."""

    def __init__(self, reader: Fuzzed, work: Path, place: Path, seed: int) -> None:
        self.reader, self.place = reader, place
        honest = work / "corpus" / reader.kind
        for pattern in reader.needs:
            for path in sorted(honest.glob(pattern)):
                copy = shutil.copytree if path.is_dir() else shutil.copy
                copy(path, _made(place / path.relative_to(honest)))
        self.kept = work / "fuzz" / reader.name.replace(" ", "_")
        self.broken = work / "fuzz" / "broke"
        self.rng = np.random.default_rng([seed, *reader.name.encode()])
        self.reached, self.tally = Reached(), Tally(reader.name)
        found = sorted({p for pattern in reader.files for p in place.glob(pattern) if p.is_file()})
        self.honest = {str(path.relative_to(place)): path.read_bytes() for path in found}
        self.pool = list(self.honest.items())

    def run(self, seconds: float, runs: int) -> Tally:
        """Read honest files, what was kept before, and new inputs until the time or their number is over."""
        end = time.monotonic() + seconds
        self.taken(*self.pool[0])
        if self.tally.refused:
            raise SystemExit(f"{self.reader.name}: not even its honest files are read")
        for file in sorted(self.kept.glob("*/*")):
            self.taken(file.parent.name.replace("+", "/"), file.read_bytes())
        while self.tally.inputs < runs and time.monotonic() < end:
            name, data = self.pool[int(self.rng.integers(len(self.pool)))]
            self.taken(name, self.spoiled(name, data))
        self.tally.lines = len(self.reached.seen)
        return self.tally

    def spoiled(self, name: str, data: bytes) -> bytes:
        """Return a file's content after some damage, which looks at the file's name."""
        file = self.place / name
        file.write_bytes(data)
        for _ in range(1 + int(self.rng.integers(3))):
            CONTENT[int(self.rng.integers(len(CONTENT)))](file, self.rng)
        return file.read_bytes()

    def taken(self, name: str, data: bytes) -> None:
        """Have a file read that holds some bytes; keep them where they lead to lines never run."""
        if name not in self.honest:  # kept of a file that there is no more
            return
        file, before = self.place / name, len(self.reached.seen)
        file.write_bytes(data)
        self.tally.inputs += 1
        problem = self.read()
        for left in self.place.glob(f"{name}-*"):  # a database's logs
            left.unlink()
        file.write_bytes(self.honest[name])
        if problem:
            self.tally.broke += 1
            self._write(self.broken / self.reader.name.replace(" ", "_"), name, data, problem)
            print(
                f"{self.reader.name} {name}: {problem.strip().splitlines()[-1][:200]}", flush=True
            )
        elif (
            len(self.reached.seen) > before
            and data != self.honest[name]
            and len(data) <= MOST_KB << 10
        ):
            self.tally.kept += 1
            self.pool.append((name, data))
            self._write(self.kept, name, data, "")

    def _write(self, folder: Path, name: str, data: bytes, problem: str) -> None:
        file = folder / name.replace("/", "+") / hashlib.sha256(data).hexdigest()[:16]
        _made(file).write_bytes(data)
        if problem:
            file.with_suffix(".txt").write_text(problem, encoding="utf-8")

    def read(self) -> str:
        """Call the reader; return what broke it, nothing where it read or refused."""
        before = _megabytes()
        signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
        try:
            with self.reached.watching():
                self.reader.read(self.place)
            self.tally.read += 1
        except TOLD:
            self.tally.refused += 1
        except (Exception, TooLong):  # noqa: BLE001 - any other breaks it
            return traceback.format_exc()
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        more = _megabytes() - before
        return f"it took {more:.0f} MB more" if more > MORE_MB else ""


def _made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _late(_number: int, _frame: FrameType | None) -> None:
    raise TooLong(f"more than {LIMIT_S} s")


def fuzzed(reader: Fuzzed, work: Path, asked: argparse.Namespace, seconds: float) -> Tally:
    """Fuzz a reader in a process of its own; one that dies is a reader that broke."""
    with tempfile.TemporaryDirectory() as place:
        told = Path(place) / "tally.json"
        number = os.fork()
        if number == 0:
            code = 1
            try:
                signal.signal(signal.SIGPROF, _late)
                fuzzer = Fuzzer(reader, work, Path(place) / "run", asked.seed)
                with open(os.devnull, "w") as quiet, contextlib.redirect_stderr(quiet):  # noqa: PTH123
                    told.write_text(json.dumps(asdict(fuzzer.run(seconds, asked.runs))))
                code = 0
            except BaseException:  # noqa: BLE001 - said, and the parent sees the code
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                os._exit(code)
        status = os.waitpid(number, 0)[1]
        if status:
            shutil.copytree(
                Path(place) / "run", work / "fuzz/broke" / f"{reader.name}_died", dirs_exist_ok=True
            )
            print(f"{reader.name}: the process ended with {os.waitstatus_to_exitcode(status)}")
            return Tally(reader.name, broke=1)
        return Tally(**json.loads(told.read_text()))


def table(tallies: list[Tally]) -> str:
    """Return a table of readers and what became of their inputs."""
    names = ("inputs", "read", "refused", "kept", "lines", "broke")
    total = Tally("all", *(sum(getattr(t, name) for t in tallies) for name in names))
    rows = [[getattr(t, name) for name in names] for t in (*tallies, total)]
    lines = [f"{'reader':14}" + "".join(f"{name:>9}" for name in names)]
    for tally, row in zip((*tallies, total), rows, strict=True):
        lines.append(f"{tally.name:14}" + "".join(f"{n:9}" for n in row))
    return "\n".join(lines)


def options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=600.0, help="for all readers together")
    parser.add_argument("--runs", type=int, default=10**9, help="inputs a reader, at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="readers, comma separated")
    parser.add_argument("--work", type=Path, default=Path("runs/attack"))
    return parser.parse_args()


def main() -> int:
    """Fuzz, and print a table."""
    asked = options()
    names = set(filter(None, asked.only.split(",")))
    readers = [r for r in READERS if not names or r.name in names]
    work = asked.work.resolve()
    written_apart(lambda: write_corpus(work / "corpus", sorted({r.kind for r in readers})))
    warm_up()
    tallies = [fuzzed(reader, work, asked, asked.seconds / len(readers)) for reader in readers]
    print(table(tallies))
    return int(any(tally.broke for tally in tallies))


if __name__ == "__main__":
    sys.exit(main())
