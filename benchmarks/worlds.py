"""How well reports and tasks are understood in domains that nobody prepared.

    python benchmarks/worlds.py [NAME ...] [--show wrong]

Each world of `benchmarks/worlds` is a workplace of its author's invention: a PDDL domain without a file of
meanings, the facts of a morning, and 34 reports and 11 tasks of a day, half of them plain, a third fuller,
the rest rich. The authors had not seen the reader. Each report is told to a memory that is right before it.
It is right if just those facts change that its author wrote down; of what must not be believed, if none does.
A task is right if its goal is the author's, or if a plan for it reaches that in the true world.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Literal, NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[1]))

from commonground.config import read_yaml
from commonground.grounding.knowledge import Fact, Source
from commonground.grounding.memory.evaluation.evaluate import TrueWorld
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.grounding.memory.planning.planner import TaskPlanner
from commonground.grounding.memory.planning.problem import make_task
from commonground.planning.downward import shared_planner
from commonground.planning.pddl import Formula, parse_formula, to_pddl
from commonground.planning.pddl.logic import conjuncts

FOLDER = Path(__file__).resolve().with_suffix("")
MORNING_NS, MINUTE_NS = 1_764_115_200_000_000_000, 60_000_000_000
Came = Literal["right", "asked", "silent", "wrong", "kept", "given"]
"""The last two of what must not be believed, where that is counted apart."""
OUTCOMES: tuple[Came, ...] = ("right", "asked", "silent", "wrong")
Change = tuple[set[Fact], set[Fact]]
"""What is believed now and was not, and what is believed no more."""


class Heard(NamedTuple):
    """What became of a report or a task."""

    kind: Literal["reports", "tasks"]
    came: Came
    text: str
    wanted: str
    got: str


def main() -> int:
    """Print what becomes of each world."""
    known = sorted(file.stem for file in FOLDER.glob("*.yaml"))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    parser.add_argument("--show", choices=OUTCOMES, help="print what comes to that")
    asked = parser.parse_args()
    names = asked.names or known
    total: list[Heard] = []
    print(f"{'world':18}   reports: {'  '.join(OUTCOMES)}     tasks: {'  '.join(OUTCOMES)}")
    with ProcessPoolExecutor() as pool:
        for name, heard in zip(names, pool.map(lived, names), strict=True):
            total += heard
            print(f"{name:18} {_row(heard)}", flush=True)
            for one in heard:
                if one.came == asked.show:
                    print(f"    {one.text}\n        wanted {one.wanted}\n        got {one.got}")
    print(f"{'all':18} {_row(total)}")
    return 0


def lived(name: str) -> list[Heard]:
    """Return what became of all that is said in a world."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        files = FOLDER / f"{name}.pddl", FOLDER / f"{name}.jsonl"
        create_memory(path, *files, at_ns=MORNING_NS).close()
        with open_memory(path) as memory:
            items = read_yaml(FOLDER / f"{name}.yaml")[0]
            return [*_day(memory, items)]


def _day(memory: Memory, items: list[dict[str, Any]]) -> Iterator[Heard]:
    for minute, item in enumerate(items, 1):
        if "task" in item:
            yield given(memory, item["task"], item["goal"])
        else:
            change = _facts(item.get("add", [])), _facts(item.get("end", []))
            yield told(memory, item["say"], change, MORNING_NS + minute * MINUTE_NS)


def told(memory: Memory, text: str, change: Change, at_ns: int) -> Heard:
    """Return what a memory makes of a report; it believes what is true afterwards."""
    before = _believed(memory)
    wanted = change[0] - before, change[1] & before
    answer = memory.tell(text, at_ns=at_ns)
    after = _believed(memory)
    got = after - before, before - after
    came: Came = "right"
    if got != wanted:
        came = "wrong" if any(got) else "asked" if answer.question else "silent"
        true = (before - wanted[1]) | wanted[0]
        _set_right(memory, (true - after, after - true), at_ns + 1)
    return Heard("reports", came, text, _shown(wanted), _shown(got) or answer.question)


def given(memory: Memory, text: str, goal: list[str], speaker: str | None = None) -> Heard:
    """Return what a memory makes of a task."""
    found = memory.wanted(text, speaker)
    meant = parse_formula(f"(and {' '.join(goal)})")
    if found.goal is None:
        return Heard("tasks", "asked", text, to_pddl(meant), found.question)
    alike = {*map(to_pddl, conjuncts(found.goal))} == {*map(to_pddl, conjuncts(meant))}
    right = alike or _reaches(memory, found.goal, meant)
    return Heard("tasks", "right" if right else "wrong", text, to_pddl(meant), to_pddl(found.goal))


def _reaches(memory: Memory, goal: Formula, meant: Formula) -> bool:
    """Return whether a plan for a goal reaches what was meant."""
    store = memory.store
    plan = TaskPlanner(store, shared_planner()).plan(goal)
    task = make_task(store.vocabulary.domain, store.kinds, [*store.facts], meant, fixed=store.fixed)
    world = TrueWorld(task)
    return plan.status == "ok" and not any(map(world.act, plan.steps)) and world.world.holds(meant)


def _believed(memory: Memory) -> set[Fact]:
    return {fact for fact in memory.store.facts if fact.object != "false"}


def _facts(lines: list[str]) -> set[Fact]:
    return {Fact(*line.split(), *(["true"] if line.count(" ") == 1 else [])) for line in lines}


def _set_right(memory: Memory, change: Change, at_ns: int) -> None:
    add, end = change
    false = [fact.opposite for fact in end if fact.is_property]
    gone = [fact for fact in end if not fact.is_property]
    memory.store.assert_facts([*add, *false], Source("file"), retracted=gone, at_ns=at_ns)
    memory.discourse.forget()


def _shown(change: Change) -> str:
    return "; ".join([*map(str, change[0]), *(f"not {fact}" for fact in change[1])])


def _row(heard: list[Heard]) -> str:
    rows = []
    for kind in ("reports", "tasks"):
        found = Counter(one.came for one in heard if one.kind == kind)
        rows.append("  ".join(f"{found[came]:5}" for came in OUTCOMES))
    return "  ".join(rows)


if __name__ == "__main__":
    sys.exit(main())
