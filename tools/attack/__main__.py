"""Attack the program: hostile files and words through its real commands, drawn from a seed.

    python -m tools.attack                     300 attacks, a report of what broke
    python -m tools.attack --count 1000        more
    python -m tools.attack --only 17           one of them again, its folder kept

Nothing may end in a traceback, take more than 20 seconds of a processor or of waiting, take a gigabyte
more than an honest run, or leave a file outside the folder it runs in.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tools.attack.corpus import COMMANDS, WORDS, write_corpus
from tools.attack.damage import WAYS
from tools.attack.damage import WORDS as SAID

LIMIT_S = 20
WAIT_S = 120
"""Seconds of the clock, on a machine that may be busy with other things."""
EXTRA_MB = 1024
KNOWN = {0, 1, 2, 3}
"""Exit codes: done, a clear line, wrong usage, an honest no."""
OUTPUT = "output.txt"


@dataclass(frozen=True)
class Attack:
    """One attack: what is spoiled how, and the command that reads it."""

    number: int
    what: str
    arguments: tuple[str, ...]
    file: str = ""
    way: int = 0


def attack_of(number: int, seed: int) -> Attack:
    """Return the attack of a number; every fifth is one of words."""
    rng = np.random.default_rng([seed, number])
    if number % 5 == 4:
        name = list(WORDS)[int(rng.integers(len(WORDS)))]
        text = SAID[int(rng.integers(len(SAID)))]
        return Attack(number, f"{name} {text[:30]!a}", WORDS[name](text))
    file, arguments = COMMANDS[number % len(COMMANDS)]
    way = int(rng.integers(len(WAYS)))
    return Attack(number, f"{WAYS[way].__name__} {file}", arguments, file, way)


def prepare(attack: Attack, seed: int, corpus: Path, folder: Path) -> None:
    """Copy the honest files and spoil one."""
    shutil.copytree(corpus, folder)
    if attack.file:
        WAYS[attack.way](folder / attack.file, np.random.default_rng([seed, attack.number, 1]))


def child(arguments: tuple[str, ...], folder: Path, output: Path) -> None:
    """Become the program; does not return."""
    os.setsid()
    os.chdir(folder)
    handle = os.open(output, os.O_WRONLY | os.O_CREAT)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    code = 70
    try:
        from commonground.cli.main import main

        main(arguments)
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0
    finally:
        os._exit(code)


def carried_out(arguments: tuple[str, ...], folder: Path, output: Path) -> tuple[int, float, float]:
    """Return the exit code (None's place is taken by a signal, below 0), megabytes, seconds."""
    began, number = time.monotonic(), os.fork()
    if number == 0:
        child(arguments, folder, output)
    while time.monotonic() - began < WAIT_S:
        done, status, usage = os.wait4(number, os.WNOHANG)
        if done:
            break
        time.sleep(0.02)
    else:
        os.killpg(number, signal.SIGKILL)
        _, status, usage = os.wait4(number, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss / 1024, time.monotonic() - began


def outside(root: Path) -> set[str]:
    """Return what lies beside the folder that attacks run in."""
    return {p.name for p in root.iterdir()}


def verdict(code: int, megabytes: float, normal_mb: float, text: str) -> str:
    """Return what is wrong with how the program ended; empty if nothing is."""
    if code in (-signal.SIGKILL, -signal.SIGXCPU):
        return "hang"
    if code < 0:
        return f"crash by signal {-code}"
    if "Traceback" in text or code not in KNOWN:
        return "traceback"
    if code == 1 and not text.strip():
        return "silent"
    return "memory" if megabytes > normal_mb + EXTRA_MB else ""


def warm_up() -> None:
    """Load what most commands load, once instead of in every child."""
    import commonground.cli.main as program

    program.build()


def main() -> int:
    """Attack, and print what broke."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="one attack; its folder is kept")
    asked = parser.parse_args()
    numbers = range(asked.count) if asked.only is None else [asked.only]
    warm_up()
    root = Path(tempfile.mkdtemp(prefix="attack_"))
    corpus, home = root / "corpus", root / "home"
    corpus.mkdir()
    home.mkdir()
    os.environ["HOME"] = str(home)
    broken: Counter[str] = Counter()
    if os.fork() == 0:  # so that this process stays small, and without threads
        write_corpus(corpus)
        os._exit(0)
    if os.wait()[1]:
        sys.exit("the honest files cannot be written")
    normal = honest_mb(corpus, root)
    for number in numbers:
        broken[carry_out(number, asked.seed, root, normal)] += 1
    bad = sum(count for what, count in broken.items() if what)
    print(f"{sum(broken.values())} attacks, {bad} broke something: {dict(broken)}")
    if asked.only is None:
        shutil.rmtree(root, ignore_errors=True)
    else:
        print(f"kept: {root}")
    return int(bad > 0)


def honest_mb(corpus: Path, root: Path) -> dict[tuple[str, ...], float]:
    """Return what each command takes with honest files."""
    found = {}
    for arguments in {arguments for _, arguments in COMMANDS}:
        folder = root / "work"
        shutil.copytree(corpus, folder)
        code, found[arguments], _ = carried_out(arguments, folder, root / OUTPUT)
        if code not in KNOWN:
            print(f"honest {arguments}: exit code {code}")
        shutil.rmtree(folder)
        (root / OUTPUT).unlink(missing_ok=True)
    return found


def carry_out(number: int, seed: int, root: Path, normal: dict[tuple[str, ...], float]) -> str:
    """Carry out one attack; return what broke, and print it."""
    attack, folder, output = attack_of(number, seed), root / "work", root / OUTPUT
    shutil.rmtree(folder, ignore_errors=True)
    output.unlink(missing_ok=True)
    prepare(attack, seed, root / "corpus", folder)
    before = outside(root) | {OUTPUT}
    code, megabytes, seconds = carried_out(attack.arguments, folder, output)
    text = output.read_text(errors="replace") if output.is_file() else ""
    what = verdict(code, megabytes, normal.get(attack.arguments, 600.0), text)
    escaped = outside(root) - before
    if escaped:
        what = "outside"
    if what:
        last = ascii(text.strip().splitlines()[-1][-160:]) if text.strip() else ""
        print(
            f"{number}: {what}: {attack.what}: {seconds:.0f} s, {megabytes:.0f} MB {escaped or ''}{last}"
        )
        sys.stdout.flush()
    return what


if __name__ == "__main__":
    sys.exit(main())
