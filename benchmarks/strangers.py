"""How often strangers are understood: suites by people who had seen neither the reader nor another suite.

    python benchmarks/strangers.py [NAME ...] [--show wrong]

Each file of `benchmarks/strangers` is a site of its author's invention with 90 instructions in one voice and
15 that must be refused: a brickworks' foreman, office people of a science park, a safety engineer of a
wastewater plant, a museum's storyteller, workers of a harbour who learned English late, students on a farm,
five people in a flooded village, gardeners, an operator of a railway depot, four people of an exhibition, a
teacher in a nature reserve. What is right was computed from the scene by its author. Checks were
mended by what five of them showed (`SEEN`), and the judge's weights are fitted to all of them and to others
(`tools/reading/weigh.py`, which also tells how each is judged by weights that it had no part in).
"""

from __future__ import annotations

import argparse
import lzma
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from commonground.grounding.evaluate import answer_file
from commonground.grounding.outcomes import OUTCOMES, outcome_of
from commonground.grounding.suites import Answered

FOLDER = Path(__file__).resolve().with_suffix("")
SEEN = ("brickworks", "science_park", "wastewater", "museum", "farm")
"""Suites that were looked at, and are no longer blind."""


def main() -> int:
    """Print what becomes of each suite."""
    known = [*names()]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    parser.add_argument("--show", choices=OUTCOMES, help="print the instructions that come to that")
    asked = parser.parse_args()
    total = Counter[str]()
    print(f"{'suite':14} {' '.join(f'{kind:>6}' for kind in OUTCOMES)}  refused")
    for name in asked.names or known:
        answers = answered(name)
        found = Counter(came_to(one) for one in answers)
        total += found
        print(f"{name + ' *' * (name in SEEN):14} {_row(found)}", flush=True)
        for one in answers:
            if came_to(one) == asked.show:
                print(f"    {one.item.text}\n        {one.answer.goals or one.answer.message}")
    print(f"{'all':14} {_row(total)}\n* were looked at")
    return 0


def names() -> Iterator[str]:
    """Yield the suites."""
    yield from sorted(file.stem for file in FOLDER.glob("*.yaml"))


def unpacked(name: str, folder: Path) -> Path:
    """Return the file of a suite in a folder, its scene beside it."""
    scene = lzma.decompress((FOLDER / f"{name}.json.xz").read_bytes())
    (folder / f"{name}.json").write_bytes(scene)
    suite = folder / f"{name}.yaml"
    suite.write_bytes((FOLDER / suite.name).read_bytes())
    return suite


def answered(name: str) -> list[Answered]:
    """Return the answers to all instructions of a suite."""
    with tempfile.TemporaryDirectory() as folder:
        return answer_file(unpacked(name, Path(folder)))


def came_to(one: Answered) -> str:
    """Return what an answer is; what must be refused is refused, or given to robots."""
    found = outcome_of(one.item, one.answer)
    if one.item.accept:
        return found
    return "refused" if found == "right" else "given"


def _row(found: Counter[str]) -> str:
    refused = f"{found['refused']} of {found['refused'] + found['given']}"
    return " ".join(f"{found[kind]:6}" for kind in OUTCOMES) + f"  {refused}"


if __name__ == "__main__":
    sys.exit(main())
