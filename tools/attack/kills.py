"""Kill commands at random moments and go on: nothing said to be done may be lost, and the end is the same.

    python -m tools.attack.kills                     200 kills over all commands that write, and a table
    python -m tools.attack.kills --only map,memory   some of them
    python -m tools.attack.kills --kills 20 --seed 3

Each errand is a few commands one after the other, as a script has them. It runs once in peace; then it is
killed (SIGKILL, helping processes too) after a random share of that time, and begun again at the first
command that had not ended. What it leaves and answers in the end has to be what it was in peace.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tools.attack.child import Ending, carried_out
from tools.attack.corpus import TINY, write_corpus
from tools.attack.operator import HEARD, SAYS
from tools.attack.straits import Strait
from tools.attack.warmth import warm_up, written_apart
from tools.attack.written import parsed, untimed, written

Words = tuple[str, ...]
LONG_S = 600.0
"""Seconds that a command may take on a busy machine."""
MOST_KILLS = 3
"""Of one run of an errand, before it is left to end."""


@dataclass(frozen=True, slots=True)
class Errand:
    """Commands that leave something behind, and how to look at it in the end."""

    name: str
    kind: str
    steps: tuple[Words, ...]
    looks: tuple[Words, ...] = ()
    """Commands whose answers have to be the same; without any, the files are compared."""
    resumed: Words = ()
    """What goes on with a command that was begun, once its folder ``begun`` is there."""
    begun: str = ""
    again: tuple[int, ...] = ()
    """Codes a command may end with the second time besides: what it makes may be there already."""
    ends: tuple[int, ...] = (0,)
    """Codes a command may end with."""
    long: bool = False
    """Whether it takes so long that it is killed half as often."""

    def allowed(self, *, again: bool) -> tuple[int, ...]:
        """Return the codes a command may end with, the first time or after it was cut off."""
        return self.ends + self.again * again


_TEAM = ("scene.json", "--robots", "robots.yaml")
_MEMORY = ("--memory", "new.db")
_SAID = (
    "Ann put her mug on the desk.",
    "The desk is in the kitchen.",
    "Ann put the mug into the chest.",
)
_KEPT = ("--memory", "memory.db")
_TINY = tuple(word for value in TINY for word in ("--set", value))
_DRIVE = ("--robots", "husky", "--length", "12", "--seed", "1", *_TINY)
_MISSION = ("mission", *_TEAM, "--goal", "husky=(visited-object O1)", "--yes", "--id", "new")
_HOME = ("--domain", "home.pddl", "--facts", "home.jsonl")

ERRANDS: tuple[Errand, ...] = (
    Errand(
        "words", "scene",
        (("export", "scene.json", "--to", "graphml", "--out", "o.graphml"),
         ("export", "scene.json", "--to", "sparkdsg", "--out", "o.sparkdsg"),
         ("export", "scene.json", "--to", "png", "--out", "o.png"),
         ("plan", *_TEAM, "--goal", "team=(and (safe O7) (safe O15))", "--out", "plan.json",
          "--pddl-out", "pddl"),
         ("ground", *_TEAM, "--batch", "suite.yaml", "--out", "grounded.jsonl")),
    ),
    Errand("find", "runs", (("find", "fused", "tree", "--crops", "crops"),)),
    Errand("console", "scene", ((SAYS, "husky, inspect O1"),), ((HEARD,),)),
    Errand(
        "evaluated", "runs",
        (("eval", "fusion", "--run", "fused", "--data", "seen", "--out", "scores"),), ends=(0, 1),
        long=True,
    ),
    Errand(
        "memory", "memory",
        (("memory", "init", *_HOME, *_MEMORY), *(("memory", "tell", said, *_MEMORY) for said in _SAID)),
        (("memory", "ask", "where is the mug?", *_MEMORY), ("memory", "as-of", "2100-01-01", *_MEMORY)),
        again=(1,),
    ),
    Errand(
        "observed", "memory",
        (("memory", "observe", "seen.json", *_KEPT),
         ("memory", "tell", "The desk is in the kitchen.", *_KEPT),
         ("memory", "undo", "2", *_KEPT)),
        (("memory", "as-of", "2100-01-02", *_KEPT), ("memory", "ask", "where is the mug?", *_KEPT)),
        again=(1,),
    ),
    Errand("replay", "memory", (("memory", "replay", "episode.jsonl", "--out", "o.jsonl"),)),
    Errand(
        "mission", "scene", (_MISSION,), (("mission", "--replay", "new"),),
        ("mission", "--resume", "new", "--yes"), "runs/missions/new/events.jsonl",
    ),
    Errand("map", "data", (("map", "seen", "--out", "out", "--robot", "husky"),)),
    Errand("fuse", "runs", (("fuse", "runs/husky", "runs/spot", "--out", "out"),)),
    Errand(
        "localize", "runs", (("localize", "runs/husky", "seen", "--robot", "spot", "--out", "o.jsonl"),),
        ends=(0, 3),  # a drive this short may not tell the place
    ),
    Errand(
        "simulate", "settings",
        (("simulate", "--out", "new", *_DRIVE),
         ("simulate", "--out", "bags", "--format", "ros1bag", "--jobs", "2", *_DRIVE)), long=True,
    ),
    Errand(
        "assembly", "assembly",
        (("assemble", "plan", "cell.pl", "--out", "new.json"),
         ("assemble", "tree", "new.json", "--out", "tree.xml"),
         ("assemble", "run", "new.json", "--out", "run")),
    ),
    Errand(
        "household", "house",
        (("household", "worlds.yaml", "tasks.yaml", "--out", "plans.jsonl", "--keep", "kept",
          "--set", "household.improve_s=0"),),  # what is improved for a time depends on the machine
    ),
    Errand("solve", "pddl", (("solve", "domain.pddl", "problem.pddl", "--out", "plan.json"),)),
    Errand(
        "live", "live", (("live", "--robots", "team.yaml", "--out", "out", "--rate", "0"),),
        (("data", "info", "out/fused"),), long=True,
    ),
    Errand(
        "story", "story", (("run", "story.yaml", "--out", "out"),), (("data", "info", "out"),),
        ends=(0, 3), long=True,
    ),
)  # fmt: skip


@dataclass
class Row:
    """What became of an errand."""

    name: str
    seconds: float
    kills: int = 0
    different: int = 0
    broke: list[str] = field(default_factory=list)


class Place:
    """The folder where one errand runs, with its honest files."""

    def __init__(self, work: Path, errand: Errand) -> None:
        self.corpus, self.errand = work / "corpus" / errand.kind, errand
        self.folder = work / f"killed_{os.getpid()}" / "run"
        (self.folder.parent / "home").mkdir(parents=True, exist_ok=True)
        os.environ["HOME"] = str(self.folder.parent / "home")

    def fresh(self) -> None:
        """Put the honest files there, and nothing else."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.corpus, self.folder)

    def leave(self) -> None:
        """Remove it."""
        shutil.rmtree(self.folder.parent, ignore_errors=True)

    def step(
        self, number: int, kill_after_s: float | None, *, again: bool, strait: Strait | None = None
    ) -> Ending:
        """Run one of the commands; it may be killed after some seconds, or be in straits."""
        words = self.errand.steps[number]
        if again and self.errand.begun and (self.folder / self.errand.begun).exists():
            words = self.errand.resumed
        return carried_out(
            words,
            self.folder,
            LONG_S,
            kill_after_s=kill_after_s,
            limit_s=LONG_S,
            strait=strait,
        )

    def left(self) -> dict[str, Any]:
        """Return what there is in the end: files, or answers."""
        if not self.errand.looks:
            return {
                name: content
                for name, content in written(self.folder)
                if not Path(name).name.startswith(".")
            }
        answers: dict[str, Any] = {}
        for words in self.errand.looks:
            end = carried_out((*words, "--json"), self.folder, LONG_S, limit_s=LONG_S)
            answers[" ".join(words)] = (end.code, untimed(parsed(end.text)))
        return answers


def in_peace(place: Place) -> tuple[float, dict[str, Any]]:
    """Run an errand without any kill; return the seconds it took, and what it left."""
    place.fresh()
    seconds = 0.0
    for number in range(len(place.errand.steps)):
        end = place.step(number, None, again=False)
        if end.code not in place.errand.ends:
            sys.exit(f"{place.errand.name} does not even end well in peace: {end.text[-2000:]}")
        seconds += end.seconds
    return seconds, place.left()


def under_kills(place: Place, row: Row, kills: int, rng: np.random.Generator) -> None:
    """Run an errand that is killed some times, then to its end; note what broke."""
    place.fresh()
    number, again = 0, False
    began, killed = time.monotonic(), row.kills
    moment = float(rng.uniform(0, row.seconds))
    while number < len(place.errand.steps):
        end = place.step(number, moment if kills else None, again=again)
        if end.killed:
            kills, row.kills, again = kills - 1, row.kills + 1, True
            moment = float(rng.uniform(0, row.seconds))
            continue
        if end.code not in place.errand.allowed(again=again):
            row.broke.append(f"command {number} ended with {end.code}: {end.text[-1500:]}")
            return
        moment, number, again = max(moment - end.seconds, 0.0), number + 1, False
    if row.kills == killed:  # it has become faster, or the machine less busy
        row.seconds = min(row.seconds, time.monotonic() - began)


def run_errand(errand: Errand, work: Path, kills: int, rng: np.random.Generator) -> Row:
    """Kill an errand so many times, over as many runs as that takes."""
    place = Place(work, errand)
    try:
        seconds, expected = in_peace(place)
        row = Row(errand.name, seconds)
        tries = 0
        while row.kills < kills and tries < 4 * kills:
            most = min(MOST_KILLS, kills - row.kills)
            under_kills(place, row, int(rng.integers(1, most + 1)), rng)
            tries += 1
            found = place.left()
            if found != expected and not row.broke:
                row.different += 1
                print(f"{errand.name}: {difference(expected, found)}", flush=True)
            if row.broke:
                print(f"{errand.name}: {row.broke[-1]}", flush=True)
                break
    finally:
        place.leave()
    return row


def difference(expected: Any, found: Any, where: str = "") -> str:
    """Return the first place where two trees differ, and what is there."""
    if isinstance(expected, dict) and isinstance(found, dict):
        pairs = [(key, expected.get(key), found.get(key)) for key in {**expected, **found}]
    elif isinstance(expected, list | tuple) and len(expected) == len(found):
        pairs = [(key, *both) for key, both in enumerate(zip(expected, found, strict=True))]
    else:
        return f"{where}: {expected!s:.400} -> {found!s:.400}"
    key, one, two = next(pair for pair in pairs if pair[1] != pair[2])
    return difference(one, two, f"{where}/{key}")


def table(rows: Sequence[Row]) -> str:
    """Return a table of errands, their kills and what came out otherwise."""
    lines = [f"{'errand':12}{'seconds':>9}{'kills':>7}{'otherwise':>11}{'broke':>7}"]
    total = Row("all", 0.0)
    for row in rows:
        total.kills += row.kills
        total.different += row.different
        total.broke += row.broke
    for row in [*rows, total]:
        lines.append(
            f"{row.name:12}{row.seconds:9.2f}{row.kills:7}{row.different:11}{len(row.broke):7}"
        )
    return "\n".join(lines)


def shares(errands: Sequence[Errand], kills: int) -> list[int]:
    """Return how often each errand is killed, so that it is so often in all."""
    weights = np.array([1 if errand.long else 2 for errand in errands])
    upto = np.floor(np.cumsum(weights) * kills / weights.sum() + 1e-9).astype(int)
    return np.diff(upto, prepend=0).tolist()


def options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="errands, comma separated")
    parser.add_argument("--work", type=Path, default=Path("runs/attack"))
    return parser.parse_args()


def main() -> int:
    """Kill, and print a table."""
    asked = options()
    names = set(filter(None, asked.only.split(",")))
    errands = [e for e in ERRANDS if not names or e.name in names]
    work = asked.work.resolve()
    written_apart(lambda: write_corpus(work / "corpus", sorted({e.kind for e in errands})))
    warm_up()
    rows = []
    for number, errand in enumerate(errands):
        share = shares(errands, asked.kills)[number]
        rng = np.random.default_rng([asked.seed, *errand.name.encode()])
        rows.append(run_errand(errand, work, share, rng))
        print(table(rows[-1:]).splitlines()[1], flush=True)
    print(table(rows))
    return int(any(row.different or row.broke for row in rows))


if __name__ == "__main__":
    sys.exit(main())
