"""Attack the program: hostile files and words through its real commands, drawn from a seed.

    python -m tools.attack                         1,000 attacks and a table of how they ended
    python -m tools.attack --slice 3/10            a tenth of them; what was done before is not done again
    python -m tools.attack --only 17               one of them again, with what it said
    python -m tools.attack --kinds scene,pddl      only on these kinds of honest files
    python -m tools.attack --straits               honest files, where the output or the memory is short

Nothing may end in a traceback, take more than 20 seconds of a processor or of waiting for anything else
(--wait-s), take a gigabyte more than an honest run, or write outside the folder it runs in. Of what was
found, ``runs/attack/seed_0.jsonl`` has an attack a line; honest files are made once.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tools.attack.child import WAIT_S, Ending, carried_out
from tools.attack.corpus import write_corpus
from tools.attack.damage import WAYS
from tools.attack.damage import WORDS as SAID
from tools.attack.straits import STRAITS
from tools.attack.targets import FILES, HERE, TARGETS, Target
from tools.attack.warmth import warm_up, written_apart

EXTRA_MB = 1024
COLUMNS = {0: "well", 130: "well", 3: "no", 1: "a line", 2: "usage"}
"""What exit codes mean."""
GOOD = ("well", "no", "a line", "usage")


@dataclass(frozen=True)
class Attack:
    """One attack, by its number and the seed."""

    number: int
    target: Target
    arguments: tuple[str, ...]
    seed: int
    strait: str = ""

    def rng(self) -> np.random.Generator:
        """Return what the damage is drawn from."""
        return np.random.default_rng([self.seed, self.number, 1])

    def spoil(self, folder: Path) -> str:
        """Spoil one file where the target has any; return what was done."""
        if self.strait:
            return self.strait
        if not self.target.spoiled:
            return f"{self.arguments!a:.60}"
        files = sorted(
            p for pattern in self.target.spoiled for p in folder.glob(pattern) if p.is_file()
        )
        rng = self.rng()
        file = files[int(rng.integers(len(files)))]
        way = WAYS[int(rng.integers(len(WAYS)))]
        way(file, rng)
        return f"{way.__name__} {file.relative_to(folder)}"


def attacks(count: int, seed: int, kinds: set[str], *, straits: bool = False) -> list[Attack]:
    """Return the attacks of a seed, which go through all targets again and again."""
    ending = [t for t in FILES if not t.until]  # others stay until they are heard to be ready
    targets = [t for t in (ending if straits else TARGETS) if not kinds or t.kind in kinds]
    given = [word for word in SAID if "\0" not in word]
    found = []
    for number in range(count):
        target = targets[number % len(targets)]
        word = given[int(np.random.default_rng([seed, number]).integers(len(given)))]
        arguments = tuple(part.replace(HERE, word) for part in target.arguments)
        strait = ""
        if straits:
            strait = list(STRAITS)[
                int(np.random.default_rng([seed, number, 2]).integers(len(STRAITS)))
            ]
            arguments += ("--json",) * (number // len(targets) % 2)
        found.append(Attack(number, target, arguments, seed, strait))
    return found


def verdict(end: Ending, normal_mb: float) -> str:
    """Return how an attack ended: a word of GOOD, or what broke."""
    if end.hung:
        return "hang"
    if end.code < 0:
        return f"signal {-end.code}"
    if end.outside:
        return "outside"
    if "Traceback" in end.text or end.code not in COLUMNS:
        return "traceback"
    if end.megabytes > normal_mb + EXTRA_MB:
        return "memory"
    return "silent" if end.code and not end.text.strip() else COLUMNS[end.code]


class Ground:
    """The folder where attacks are carried out, below a work folder."""

    def __init__(self, work: Path, wait_s: float) -> None:
        self.corpus, self.wait_s, self.normal_mb = work / "corpus", wait_s, 0.0
        self.folder = work / f"place_{os.getpid()}" / "run"
        for name, value in (("HOME", "home"), ("TMPDIR", "tmp")):
            (self.folder.parent / value).mkdir(parents=True, exist_ok=True)
            os.environ[name] = str(self.folder.parent / value)

    def carry_out(self, attack: Attack) -> dict[str, object]:
        """Carry out one attack on a copy of the honest files; return what is to be reported."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.corpus / attack.target.kind, self.folder)
        done = attack.spoil(self.folder)
        end = carried_out(
            attack.arguments,
            self.folder,
            self.wait_s,
            until=attack.target.until,
            strait=STRAITS.get(attack.strait),
        )
        lines = end.text.strip().splitlines()
        return {
            "number": attack.number,
            "command": attack.target.name,
            "done": done,
            "ended": verdict(end, self.normal_mb),
            "seconds": round(end.seconds, 2),
            "megabytes": round(end.megabytes),
            "said": lines[-1][:200] if lines else "",
            "outside": end.outside,
        } | ({"all": end.text[-4000:]} if verdict(end, self.normal_mb) not in GOOD else {})

    def measure(self) -> None:
        """Take what an attack without any files takes as what is normal before reading."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.normal_mb = carried_out(("--version",), self.folder, self.wait_s).megabytes + 300.0

    def leave(self) -> None:
        """Remove what attacks left behind."""
        shutil.rmtree(self.folder.parent, ignore_errors=True)


def table(rows: list[dict[str, object]]) -> str:
    """Return a table of commands and how attacks on them ended."""
    ended: dict[str, Counter[str]] = {}
    for row in rows:
        ended.setdefault(str(row["command"]), Counter())[str(row["ended"])] += 1
    lines = [f"{'command':24}{'attacks':>8}" + "".join(f"{w:>8}" for w in GOOD) + f"{'broke':>8}"]
    total: Counter[str] = Counter()
    for name, counts in [*sorted(ended.items()), ("all", total)]:
        broke = sum(n for word, n in counts.items() if word not in GOOD)
        cells = (sum(counts.values()), *(counts[w] for w in GOOD), broke)
        lines.append(f"{name:24}" + "".join(f"{n:8}" for n in cells))
        total += counts if counts is not total else Counter()
    return "\n".join(lines)


def options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--slice", default="1/1", help="K/N: the Kth of N parts")
    parser.add_argument("--only", type=int, help="one attack; what it said is printed")
    parser.add_argument("--kinds", default="", help="kinds of honest files, comma separated")
    parser.add_argument("--straits", action="store_true", help="honest files in straits")
    parser.add_argument("--wait-s", type=float, default=WAIT_S)
    parser.add_argument("--work", type=Path, default=Path("runs/attack"))
    return parser.parse_args()


def done_before(report: Path) -> dict[int, dict[str, object]]:
    """Return what a report holds, by number; a line that was cut off is left out."""
    rows = {}
    for line in report.read_text(encoding="utf-8").splitlines() if report.is_file() else ():
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        rows[int(row["number"])] = row
    return rows


def main() -> int:
    """Attack, and print what broke and a table."""
    asked = options()
    kinds = set(filter(None, asked.kinds.split(",")))
    part, parts = map(int, asked.slice.split("/"))
    drawn = attacks(asked.count, asked.seed, kinds, straits=asked.straits)
    chosen = drawn[len(drawn) * (part - 1) // parts : len(drawn) * part // parts]
    if asked.only is not None:
        chosen = attacks(asked.only + 1, asked.seed, kinds, straits=asked.straits)[-1:]
    work = asked.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    parts_of_name = [f"seed_{asked.seed}", *sorted(kinds), *["straits"] * asked.straits]
    report = work / f"{'_'.join(parts_of_name)}.jsonl"
    known = {} if asked.only is not None else done_before(report)
    kinds = {a.target.kind for a in chosen if a.number not in known}
    written_apart(lambda: write_corpus(work / "corpus", sorted(kinds)))
    warm_up()
    ground = Ground(work, asked.wait_s)
    ground.measure()
    try:
        with report.open("a", encoding="utf-8") as file:
            for attack in chosen:
                if attack.number not in known:
                    known[attack.number] = row = ground.carry_out(attack)
                    file.write(json.dumps(row) + "\n")
                    file.flush()
                    _say(row, everything=asked.only is not None)
    finally:
        ground.leave()
    rows = [known[a.number] for a in chosen]
    bad = sum(row["ended"] not in GOOD for row in rows)
    print(f"{table(rows)}\n{len(rows)} attacks, {bad} broke something")
    return int(bad > 0)


def _say(row: dict[str, object], *, everything: bool) -> None:
    if row["ended"] not in GOOD or everything:
        keys = ("number", "ended", "command", "done", "seconds", "megabytes", "said")
        print(*(ascii(row[key])[:160] for key in keys), row["outside"] or "", flush=True)
    if everything:
        print(row.get("all", ""))


if __name__ == "__main__":
    sys.exit(main())
