"""Prove that the wheel runs with its base requirements alone, and tell which extras each command needs.

    python -m tools.check_extras            environments of links to what is installed here: a minute or two
    python -m tools.check_extras --fresh    environments that pip fills: minutes and gigabytes
    python -m tools.check_extras --lowest   the same, with the oldest versions that are allowed
    python -m tools.check_extras --quick    a dozen commands, as the checks of every change run it
    python -m tools.check_extras --only solve,map

Each command runs on honest files in an environment with nothing but the base requirements. Where it says
in a line which extra it misses, that extra is added and the command runs again, until it ends well. What
ends in any other way, or asks for an extra it has, is wrong.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.attack.corpus import write_corpus
from tools.attack.targets import FILES, Target
from tools.check_package import ROOT, pip

LONG_S = 1200.0
"""Of a command in a fresh environment, which compiles its inner loops first, on a busy machine."""
ASKED = re.compile(r"pip install 'commonground\[(\w+)\]'\s*$")
_DRIVEN = ("scene.json", "--robots", "driven.yaml", "--goal", "husky=(visited-object O1)")
_MODELS = ("--set", "mapping.perception.backend=fastsam+clip")
MORE = (
    Target(
        "scene", ("mission", "scene.json", "husky, inspect O1", "--robots", "robots.yaml", "--yes")
    ),
    Target("scene", ("mission", *_DRIVEN, "--yes", "--id", "a", "--backend", "nav2")),
    Target("scene", ("mission", *_DRIVEN, "--yes", "--id", "a", "--backend", "spot")),
    Target("scene", ("doctor",)),
    Target("settings", ("demo", "--fast", "--out", "out")),
    Target("data", ("simulate", "--out", "new", "--robots", "husky", "--length", "12")),
    Target("data", ("map", "seen", "--robot", "husky", "--out", "o", *_MODELS)),
    Target("runs", ("fuse", "runs/husky", "runs/spot", "--out", "o", "--cluster", "127.0.0.1:1")),
)
"""Commands besides those that read what can be spoiled."""
DRIVEN = "robots:\n  husky: {pose: [0, 0, 0, 0], capabilities: [inspect], adapter: {address: 'ws://127.0.0.1:1'}}\n"
NOTHING_THERE = (
    "is rosbridge_server running there",
    "set the environment variables BOSDYN",
    "no dask scheduler answers",
    "are neither a file nor in",
)
"""What commands say here that would go on if a robot, a cluster or weights were there."""
QUICK = ("doctor", "ground", "plan", "memory init", "memory ask", "find", "console", "solve", "simulate",
         "assemble kb check", "mission")  # fmt: skip
"""Commands that need nothing, and others that between them need every small extra and most large ones."""
WELL = (0, 3, 130)
"""Codes of a command that did what was asked, or says honestly that it cannot be done."""


class Homes:
    """Environments with the wheel, one for each set of extras, made when they are asked for."""

    def __init__(self, wheel: Path, folder: Path, pinned: Path | None, *, fresh: bool) -> None:
        self.wheel, self.folder, self.pinned, self.fresh = wheel, folder, pinned, fresh
        self._lock = Lock()

    def program(self, extras: frozenset[str]) -> Path:
        """Return the program of an environment with these extras."""
        home = self.folder / "_".join(("base", *sorted(extras)))
        with self._lock:
            if not home.is_dir():
                self._make(home, extras)
        return home / "bin/commonground"

    def _make(self, home: Path, extras: frozenset[str]) -> None:
        venv.create(home)
        python = ("--python", str(home / "bin/python"), "install")
        if self.fresh:
            what = f"{self.wheel}[{','.join(sorted(extras))}]" if extras else str(self.wheel)
            pip(*python, what, *(("--constraint", str(self.pinned)) if self.pinned else ()))
        else:
            link_libraries(next((home / "lib").glob("python*")) / "site-packages", extras)
            pip(*python, "--no-deps", str(self.wheel))


def link_libraries(place: Path, extras: frozenset[str]) -> None:
    """Link what the program and some of its extras require, as it is installed here, into a folder."""
    for name in required(extras):
        for file in importlib.metadata.distribution(name).files or ():
            if file.parts[0] != ".." and "__pycache__" not in file.parts:
                link = place / file
                link.parent.mkdir(parents=True, exist_ok=True)
                if not link.exists():
                    link.symlink_to(Path(str(file.locate())))


def write_lowest(file: Path) -> None:
    """Write constraints: of each library that is required, the oldest version that is allowed."""
    lowest = {}
    for line in importlib.metadata.requires("commonground") or ():
        asked = Requirement(line)
        for bound in asked.specifier:
            if bound.operator == ">=":
                lowest[asked.name] = bound.version
    file.write_text("".join(f"{name}=={version}.*\n" for name, version in lowest.items()), "utf-8")


def required(extras: frozenset[str]) -> set[str]:
    """Return all distributions that the program requires with these extras, and those that they require."""
    found: set[str] = set()
    asked = {("commonground", extra) for extra in ("", *extras)}
    seen = set(asked)
    while asked:
        name, extra = asked.pop()
        for inner, its_extra in requirements(name, extra):
            found.add(inner)
            if (inner, its_extra) not in seen:
                seen.add((inner, its_extra))
                asked.add((inner, its_extra))
    return found - {"commonground"}


def requirements(name: str, extra: str) -> Iterator[tuple[str, str]]:
    """Yield what a distribution requires for an extra of its own, each with the extras it is asked for."""
    for line in importlib.metadata.requires(name) or ():
        asked = Requirement(line)
        if asked.marker is None or asked.marker.evaluate({"extra": extra}):
            inner = canonicalize_name(asked.name)
            yield from ((inner, its_extra) for its_extra in ("", *asked.extras))


def run(program: Path, target: Target, place: Path) -> tuple[int, str]:
    """Run a command in a fresh copy of its honest files; one that stays is ended once it is ready."""
    environment = {**os.environ, "HOME": str(place), "PYTHONPATH": "", "OMP_NUM_THREADS": "1"}
    output = place / "output.txt"
    with output.open("wb") as file:
        process = subprocess.Popen(
            [str(program), *target.arguments],
            cwd=place, env=environment, stdout=file, stderr=file, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        deadline = time.monotonic() + LONG_S
        asked = False
        while process.poll() is None:
            if time.monotonic() > deadline:
                process.kill()
            elif target.until and not asked and target.until.encode() in output.read_bytes():
                process.send_signal(signal.SIGINT)
                asked = True
            time.sleep(0.05)
    return process.returncode, output.read_text(encoding="utf-8", errors="replace")


def needed(target: Target, homes: Homes, corpus: Path) -> tuple[frozenset[str], str]:
    """Return the extras a command needs to end well, and what is wrong where it does not."""
    extras: frozenset[str] = frozenset()
    while True:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "run"
            shutil.copytree(corpus / target.kind, place)
            code, said = run(homes.program(extras), target, place)
        if "Traceback" not in said and (
            code in WELL or any(line in said for line in NOTHING_THERE)
        ):
            return extras, ""
        asked = ASKED.search(said)
        if "Traceback" in said or asked is None or asked[1] in extras:
            return extras, f"ended with {code}: {said.strip()[-800:]}"
        extras |= {asked[1]}


def targets(only: set[str]) -> list[Target]:
    """Return one target of each command on each kind of files."""
    found: dict[tuple[str, str, str], Target] = {}
    for target in (*FILES, *MORE):
        found.setdefault((target.name, target.kind, target.arguments[-1]), target)
    return [t for t in found.values() if not only or t.name in only]


def main() -> int:
    """Build the wheel, run every command with as few extras as it needs, and print them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fresh", action="store_true", help="let pip install every environment")
    parser.add_argument("--lowest", action="store_true", help="with the oldest versions allowed")
    parser.add_argument("--quick", action="store_true", help="a dozen commands only")
    parser.add_argument("--only", default="", help="commands, comma separated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    chosen = targets(set(QUICK if asked.quick else filter(None, asked.only.split(","))))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build = [sys.executable, "-m", "build", "--wheel", "--outdir", name, str(ROOT)]
        subprocess.run(build, check=True, capture_output=True)
        pinned = folder / "lowest.txt" if asked.lowest else None
        if pinned is not None:
            write_lowest(pinned)
        fresh = asked.fresh or asked.lowest
        homes = Homes(next(folder.glob("*.whl")), folder, pinned, fresh=fresh)
        write_corpus(folder / "corpus", sorted({t.kind for t in chosen}))
        for place in (folder / "corpus").glob("scene"):
            (place / "driven.yaml").write_text(DRIVEN, encoding="utf-8")
        homes.program(frozenset())
        wrong = 0
        rows: dict[str, set[str]] = {}
        with ThreadPoolExecutor(asked.jobs) as pool:
            results = pool.map(lambda t: needed(t, homes, folder / "corpus"), chosen)
            for target, (extras, fault) in zip(chosen, results, strict=True):
                rows.setdefault(target.name, set()).update(extras)
                if fault:
                    wrong += 1
                    print(
                        f"{' '.join(target.arguments)} [{', '.join(sorted(extras))}] {fault}",
                        flush=True,
                    )
    for name, its_extras in sorted(rows.items()):
        print(f"{name:24}{', '.join(sorted(its_extras)) or 'nothing more'}")
    print(f"{len(chosen)} commands, {wrong} end neither well nor with a line that names an extra")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
