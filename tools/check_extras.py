"""Prove that the wheel runs with its base requirements alone, and tell which extras each command needs.

    python -m tools.check_extras            environments of links to what is installed here: a minute or two
    python -m tools.check_extras --fresh    environments that pip fills: minutes and gigabytes
    python -m tools.check_extras --lowest   the same, with the oldest versions that are allowed
    python -m tools.check_extras --quick    a dozen commands, as the checks of every change run it
    python -m tools.check_extras --only solve,map
    python -m tools.check_extras --fresh --keep F   goes on where a call with the same F stopped

Each command runs on honest files in an environment with nothing but the base requirements. Where it says
in a line which extra it misses, that extra is added and the command runs again, until it ends well. What
ends in any other way, or asks for an extra it has, is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.attack.corpus import write_corpus
from tools.attack.targets import FILES, Target
from tools.check_package import ROOT
from tools.homes import Homes, write_lowest

LONG_S = 1200.0
"""Of a command in a fresh environment, which compiles its inner loops first, on a busy machine."""
ASKED = re.compile(r"pip install 'commonground\[(\w+)\]'\s*$")
_GOAL = ("--goal", "husky=(visited-object O1)", "--yes", "--id", "a")
_MODELS = ("--set", "mapping.perception.backend=fastsam+clip")
LARGE = (
    Target("data", ("map", "seen", "--robot", "husky", "--out", "o", *_MODELS)),
    Target("runs", ("fuse", "runs/husky", "runs/spot", "--out", "o", "--cluster", "127.0.0.1:1")),
)
"""Commands that need the extras of networks and clusters."""
MORE = (
    Target(
        "scene", ("mission", "scene.json", "husky, inspect O1", "--robots", "robots.yaml", "--yes")
    ),
    *(
        Target(
            "scene",
            ("mission", "scene.json", "--robots", f"{kind}.yaml", *_GOAL, "--backend", kind),
        )
        for kind in ("nav2", "spot")
    ),
    Target("scene", ("doctor",)),
    Target("settings", ("demo", "--fast", "--out", "out")),
    Target("data", ("simulate", "--out", "new", "--robots", "husky", "--length", "12")),
    *LARGE,
)
"""Commands besides those that read what can be spoiled."""
DRIVEN = (
    "robots:\n  husky: {{pose: [0, 0, 0, 0], capabilities: [inspect], "
    "adapter: {{address: '{address}', T_map_frame: [0, 0, 0, 0]}}}}\n"
)
ADDRESSES = {"nav2": "ws://127.0.0.1:1", "spot": "127.0.0.1"}
NOTHING_THERE = (
    "is rosbridge_server running there",
    "set the environment variables BOSDYN",
    "no dask scheduler answers",
    "are neither a file nor in",
)
"""What commands say here that would go on if a robot, a cluster or weights were there."""
QUICK = ("doctor", "ground", "plan", "memory init", "memory ask", "find", "console", "solve", "simulate",
         "assemble kb check", "mission")  # fmt: skip
"""Commands that need nothing, and others that with ``LARGE`` need every extra between them."""
WELL = (0, 3, 130)
"""Codes of a command that did what was asked, or says honestly that it cannot be done."""


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


def options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fresh", action="store_true", help="let pip install every environment")
    parser.add_argument("--lowest", action="store_true", help="with the oldest versions allowed")
    parser.add_argument("--quick", action="store_true", help="a dozen commands only")
    parser.add_argument("--only", default="", help="commands, comma separated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--keep", type=Path, help="keep everything there, and go on where it stopped"
    )
    return parser.parse_args()


def prepare(folder: Path, chosen: list[Target], asked: argparse.Namespace) -> Homes:
    """Build the wheel and write the honest files, if they are not there already."""
    folder.mkdir(parents=True, exist_ok=True)
    if not any(folder.glob("*.whl")):
        build = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)]
        subprocess.run(build, check=True, capture_output=True)
    pinned = folder / "lowest.txt" if asked.lowest else None
    if pinned is not None:
        write_lowest(pinned)
    write_corpus(folder / "corpus", sorted({t.kind for t in chosen}))
    for place in (folder / "corpus").glob("scene"):
        for kind, address in ADDRESSES.items():
            (place / f"{kind}.yaml").write_text(DRIVEN.format(address=address), encoding="utf-8")
    fresh = asked.fresh or asked.lowest
    homes = Homes(next(folder.glob("*.whl")), folder, pinned, fresh=fresh)
    homes.program(frozenset())
    return homes


def run_all(folder: Path, chosen: list[Target], asked: argparse.Namespace) -> int:
    """Run every command with as few extras as it needs, and print them; return how many are wrong."""
    homes = prepare(folder, chosen, asked)
    report = folder / "done.jsonl"
    lines = report.read_text(encoding="utf-8").splitlines() if report.is_file() else []
    before = {tuple(row["arguments"]): frozenset(row["extras"]) for row in map(json.loads, lines)}

    def one(target: Target) -> tuple[frozenset[str], str]:
        if target.arguments in before:
            return before[target.arguments], ""
        extras, fault = needed(target, homes, folder / "corpus")
        if not fault:
            with report.open("a", encoding="utf-8") as file:
                row = {"arguments": target.arguments, "extras": sorted(extras)}
                file.write(json.dumps(row) + "\n")
        return extras, fault

    wrong = 0
    rows: dict[str, set[str]] = {}
    with ThreadPoolExecutor(asked.jobs) as pool:
        for target, (extras, fault) in zip(chosen, pool.map(one, chosen), strict=True):
            rows.setdefault(target.name, set()).update(extras)
            if fault:
                wrong += 1
                called = f"{' '.join(target.arguments)} [{', '.join(sorted(extras))}]"
                print(f"{called} {fault}", flush=True)
    for name, its_extras in sorted(rows.items()):
        print(f"{name:24}{', '.join(sorted(its_extras)) or 'nothing more'}")
    print(f"{len(chosen)} commands, {wrong} end neither well nor with a line that names an extra")
    return wrong


def main() -> int:
    """Run the commands that were asked for."""
    asked = options()
    chosen = targets(set(QUICK if asked.quick else filter(None, asked.only.split(","))))
    chosen += LARGE if asked.quick else ()
    with tempfile.TemporaryDirectory() as name:
        return int(run_all(asked.keep or Path(name), chosen, asked) > 0)


if __name__ == "__main__":
    sys.exit(main())
