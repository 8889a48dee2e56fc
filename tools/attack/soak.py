"""Soak commands in trouble: killed, short of memory or of room, again and again; then they have to end well.

    python -m tools.attack.soak                              an hour of memory, map and fuse
    python -m tools.attack.soak --seconds 600 --only memory  ten minutes of one of them

Errands are those of ``tools/attack/kills.py``. Each of their commands is put into trouble up to three times
before it may run in peace: it may then end well, or with a line that says what it lacks, never with a
traceback. What an errand leaves and answers in the end has to be what it is without any trouble. The table
and what broke are written to ``runs/attack/soak.json`` after each round.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tools.attack.child import Ending
from tools.attack.corpus import write_corpus
from tools.attack.kills import ERRANDS, Place, difference, in_peace
from tools.attack.straits import STRAITS
from tools.attack.warmth import warm_up, written_apart

KILL = "kill"
TROUBLES = (KILL, KILL, "16 MB", "128 MB", "512 MB", "room", "room")
"""The likelier ones stand here several times; those of memory and room are straits."""
MOST = 3
"""Troubles of a command before it may run in peace."""


@dataclass
class Soaked:
    """What became of an errand in all its rounds."""

    rounds: int = 0
    different: int = 0
    troubles: Counter[str] = field(default_factory=Counter)
    """By trouble and how commands ended in it."""
    broke: list[str] = field(default_factory=list)


def ended(end: Ending) -> str:
    """Return how a command ended in trouble."""
    if end.killed:
        return "killed"
    if "Traceback" in end.text or end.code not in (0, 1):
        return "broke"
    return "a line" if end.code else "well"


def soak(place: Place, soaked: Soaked, seconds: float, rng: np.random.Generator) -> None:
    """Run an errand once, each of its commands in trouble before it runs in peace."""
    place.fresh()
    soaked.rounds += 1
    for number in range(len(place.errand.steps)):
        again = False
        for _ in range(int(rng.integers(MOST + 1))):
            trouble = TROUBLES[int(rng.integers(len(TROUBLES)))]
            most = seconds / len(place.errand.steps)
            moment = float(rng.uniform(0, most)) if trouble == KILL else None
            end = place.step(number, moment, again=again, strait=STRAITS.get(trouble))
            how, again = ended(end), True
            soaked.troubles[f"{trouble}: {how}"] += 1
            if how == "broke":
                words = " ".join(place.errand.steps[number])
                soaked.broke.append(f"{words} ({trouble}): {end.text[-1500:]}")
        end = place.step(number, None, again=again)
        if end.code not in place.errand.allowed(again=again):
            soaked.broke.append(f"command {number} ended with {end.code}: {end.text[-1500:]}")
            return


def table(found: dict[str, Soaked]) -> str:
    """Return a table of errands, troubles and how commands ended in them."""
    lines = [f"{'errand':10}{'rounds':>8}{'otherwise':>11}{'broke':>7}  troubles"]
    for name, one in found.items():
        told = ", ".join(f"{trouble} {n}" for trouble, n in sorted(one.troubles.items()))
        lines.append(f"{name:10}{one.rounds:8}{one.different:11}{len(one.broke):7}  {told}")
    return "\n".join(lines)


def options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="memory,map,fuse", help="errands, comma separated")
    parser.add_argument("--work", type=Path, default=Path("runs/attack"))
    return parser.parse_args()


def main() -> int:
    """Soak, and print a table."""
    asked = options()
    names = asked.only.split(",")
    errands = [errand for errand in ERRANDS if errand.name in names]
    work = asked.work.resolve()
    written_apart(lambda: write_corpus(work / "corpus", sorted({e.kind for e in errands})))
    warm_up()
    rng = np.random.default_rng(asked.seed)
    found = {errand.name: Soaked() for errand in errands}
    until, places = time.monotonic() + asked.seconds, [Place(work, e) for e in errands]
    peace = [in_peace(place) for place in places]
    while time.monotonic() < until or not all(one.rounds for one in found.values()):
        for place, (seconds, expected) in zip(places, peace, strict=True):
            one = found[place.errand.name]
            broke = len(one.broke)
            soak(place, one, seconds, rng)
            left = place.left()
            if left != expected and len(one.broke) == broke:
                one.different += 1
                one.broke.append(difference(expected, left))
            for text in one.broke[broke:]:
                print(f"{place.errand.name}: {text}", flush=True)
        report = {
            name: {**vars(one), "troubles": dict(one.troubles)} for name, one in found.items()
        }
        (work / "soak.json").write_text(json.dumps(report, indent=1), encoding="utf-8")
    for place in places:
        place.leave()
    print(table(found))
    return int(any(one.broke for one in found.values()))


if __name__ == "__main__":
    sys.exit(main())
