"""How well reports to a household's memory and tasks are understood, by people who had not seen the reader.

    python benchmarks/houses.py [NAME ...] [--show wrong]

Each file of `benchmarks/houses` is a home of its author's invention (a lighthouse, a vicarage, a flat, a
vineyard, a barge, a hostel, a terraced house, a flat above a dance studio; a potter's house and a signal box
were kept back until what the others showed was mended), with 80 reports of a day in three or four voices and
15 tasks. Some 60 reports change something; the others only sound as if they did: they are doubted,
dreamt, wished, planned, ordered or asked. Each report is told to a memory that is right before it. It is
right if just that changes which its author wrote down; ``given`` is one that changes anything and must not. A
task is right if its goal is the author's, or if a plan for it reaches that in the true house.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[1]))

from benchmarks.worlds import Came, Heard, given
from commonground.grounding.knowledge import Fact, Source
from commonground.grounding.memory.evaluation.replay import Episode, Item
from commonground.grounding.memory.memory import Memory
from commonground.planning.pddl import parse_formula, to_pddl
from commonground.planning.pddl.logic import conjuncts

FOLDER = Path(__file__).resolve().with_suffix("")
DOMAIN = "house.pddl"
OUTCOMES: tuple[Came, ...] = ("right", "asked", "silent", "wrong", "kept", "given")
"""The last two of reports that must not be believed."""


def main() -> int:
    """Print what becomes of each house."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names()))
    parser.add_argument("--show", choices=OUTCOMES, help="print what comes to that")
    asked = parser.parse_args()
    total: list[Heard] = []
    print(f"{'house':12} {'  '.join(OUTCOMES)}   tasks: right  asked  wrong")
    with ProcessPoolExecutor() as pool:
        for name, heard in zip(
            asked.names or names(), pool.map(lived, asked.names or names()), strict=True
        ):
            total += heard
            print(f"{name:12} {_row(heard)}", flush=True)
            for one in heard:
                if one.came == asked.show:
                    print(f"    {one.text}\n        wanted {one.wanted}\n        got {one.got}")
    print(f"{'all':12} {_row(total)}")
    return 0


def names() -> list[str]:
    """Return what the houses are called."""
    return sorted(file.name.split(".")[0] for file in FOLDER.glob("*.jsonl.xz"))


class Report(NamedTuple):
    """A report, and the memory that it is told to, which is right before it."""

    memory: Memory
    item: Item
    true: set[Fact]
    """What is so after it."""
    at_ns: int


def lived(name: str) -> list[Heard]:
    """Return what became of all that is said in a house."""
    with _house(name) as (memory, episode, rows):
        return [_heard(memory, one, row) for one, row in _day(memory, episode, rows)]


@contextmanager
def _house(name: str) -> Iterator[tuple[Memory, Episode, list[dict[str, Any]]]]:
    packed = FOLDER / f"{name}.jsonl.xz"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.jsonl"
        path.write_bytes(lzma.decompress(packed.read_bytes()))
        (Path(folder) / DOMAIN).write_bytes((FOLDER / DOMAIN).read_bytes())
        episode = Episode(path)
        rows = [json.loads(line) for line in path.read_text().splitlines()[1:]]
        with episode.memory() as memory:
            yield memory, episode, rows


def _day(
    memory: Memory, episode: Episode, rows: list[dict[str, Any]]
) -> Iterator[tuple[Report | Item, dict[str, Any]]]:
    """Yield the reports and tasks of a day."""
    for at, (item, row) in enumerate(zip(episode.items, rows, strict=True)):
        if item.kind == "task":
            memory.discourse.forget()
            yield item, row
        else:
            added, ended = ({Fact(*fact) for fact in row[key]} for key in ("add", "remove"))
            true = ({*memory.store.facts} - ended) | added
            yield Report(memory, item, true, episode.at_ns(at, item)), row


def _heard(memory: Memory, one: Report | Item, row: dict[str, Any]) -> Heard:
    if isinstance(one, Report):
        return _told(one)
    wanted = [*map(to_pddl, conjuncts(parse_formula(row["goal"])))]
    return given(memory, one.text, wanted, one.speaker)


def _told(report: Report) -> Heard:
    """Return what a memory makes of a report; it believes what is true afterwards."""
    memory, item, true, at_ns = report
    before = {*memory.store.facts}
    answer = memory.tell(item.text, item.speaker, at_ns)
    after = {*memory.store.facts}
    if after != true:
        gone = [fact for fact in after - true if not fact.is_property]
        memory.store.assert_facts(
            [*(true - after)], Source("file"), retracted=gone, at_ns=at_ns + 1
        )
    came: Came = "wrong" if after != before else "asked" if answer.question else "silent"
    if true == before:
        came = "kept" if after == true else "given"
    elif after == true:
        came = "right"
    got = _shown(after - before) or answer.question
    return Heard("reports", came, item.text, _shown(true - before), got)


def _shown(facts: set[Fact]) -> str:
    return "; ".join(map(str, sorted(facts)))


def _row(heard: list[Heard]) -> str:
    counts = Counter((one.kind, one.came) for one in heard)
    reports = "  ".join(f"{counts['reports', came]:{len(came)}}" for came in OUTCOMES)
    tasks = "  ".join(f"{counts['tasks', came]:5}" for came in ("right", "asked", "wrong"))
    return f"{reports}          {tasks}"


if __name__ == "__main__":
    sys.exit(main())
