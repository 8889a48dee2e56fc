"""How often a text that must be asked about is acted on.

    python benchmarks/asked.py [--each 200] [--seed 0] [--show 10]

Four people who saw no reader wrote what robots must not simply do (`tools/reading/asked`): conditions,
times, ways, deeds that no robot has, people who are on no map, shares, orders taken back, no orders at all,
and afterthoughts that point to nothing. Each is plain to a human, and any goal would leave something out. A
few are open to another view: a goal for one is not always wrong. Behind a tab stand the nouns (``n:``), areas
(``g:``) and robots (``r:``) that a text names, from which a site is made for it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
sys.path.append(str(Path(__file__).resolve().parents[1] / "tools" / "reading"))

from on_sites import SITES, site_for

from commonground.grounding.grounder import Grounder
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World

ASKED = Path(__file__).resolve().parents[1] / "tools" / "reading" / "asked"
KINDS = {"n": "noun", "g": "region name", "r": "robot"}


def main() -> int:
    """Print the share, and some of what is acted on."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--each", type=int, default=200, help="texts of each author")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=10)
    asked = parser.parse_args()
    done: list[str] = []
    count = 0
    for text, world in texts(asked.each, random.Random(asked.seed)):  # noqa: S311
        found = Grounder(world.graph, world.team, GroundingSettings()).ground(text)
        count += 1
        if found.goals:
            done.append(f"{text}\n        {dict(found.goals)}")
    for line in done[: asked.show]:
        print(line)
    print(f"{len(done)} of {count} ({len(done) / count:.1%}) acted on")
    return 0


def texts(each: int, rng: random.Random) -> Iterator[tuple[str, World]]:
    """Yield texts of each author, each with a site that has the things it names."""
    for file in sorted(ASKED.glob("*.txt")):
        yield from texts_of(file, each, rng)


def texts_of(file: Path, count: int, rng: random.Random) -> Iterator[tuple[str, World]]:
    """Yield texts of one author."""
    lines = file.read_text(encoding="utf-8").splitlines()
    rng.shuffle(lines)
    for number, line in enumerate(lines[:count]):
        text, _, names = line.partition("\t")
        known = (name.strip().partition(":") for name in names.split(";"))
        slots = [[KINDS[kind], words.strip()] for kind, _, words in known if kind in KINDS]
        yield text, site_for({"slots": slots}, number % SITES)


if __name__ == "__main__":
    sys.exit(main())
