"""How often commands at home are understood, by people who had seen neither the reader nor a suite.

    python benchmarks/homes.py [NAME ...] [--show wrong]

Each file of `benchmarks/homes` is a home of its author's invention with 60 commands to two robots and what
they mean: an old couple's cottage, a student's studio, an assisted-living flat, a busy family, a manor, a
loft of three, a mountain hut, an office, a farmhouse, a houseboat. Other authors wrote 60 more for each of
the first six (`NAME.near.yaml`): 36 must be asked about, and 24 stand close to those and must not; and 40
short ones (`NAME.short.yaml`), of which 10 must be. Of those of the other homes 20 each must be. The judge's
weights are fitted to all but the last two (`tools/reading/weigh_homes.py`, which also tells how each home is
judged by the others' weights). Nothing is planned: right is a goal that says the same, no more and no less.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[1]))

from commonground.datasets.household import HouseholdTask, load_tasks, load_worlds
from commonground.datasets.household.goals import Literal
from commonground.datasets.household.house import House
from commonground.grounding.problem_writer.goals import Wish, contains, in_state
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.problem_writer.wishes.senses import plain_literals
from commonground.grounding.resolver.choice import Unclear
from commonground.household.bridge import believed
from commonground.planning.pddl import Atom

FOLDER = Path(__file__).resolve().with_suffix("")
UNSEEN = ("farmhouse", "houseboat")
"""Homes to which no weight was fitted."""
OUTCOMES = ("right", "asked", "wrong", "refused", "given")
"""The last two of what must be asked about."""


class Command(NamedTuple):
    """What somebody said in a house."""

    task: HouseholdTask
    graph: HouseGraph

    @property
    def must_ask(self) -> bool:
        """Whether no goal says what is wanted."""
        return not any(self.task.goals)


def main() -> int:
    """Print what becomes of each home's commands."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names()))
    parser.add_argument("--show", choices=OUTCOMES, help="print the commands that come to that")
    asked = parser.parse_args()
    reader = WishReader.load(Kinds.load())
    total = Counter[str]()
    print(f"{'home':10} {' '.join(f'{kind:>7}' for kind in OUTCOMES)}")
    for name in asked.names or names():
        found = Counter[str]()
        for command in commands(name):
            came, told = outcome(reader, command)
            found[came] += 1
            if came == asked.show:
                print(f"    {command.task.text}\n        {told}")
        total += found
        print(f"{name:10} {' '.join(f'{found[kind]:7}' for kind in OUTCOMES)}", flush=True)
    print(f"{'all':10} {' '.join(f'{total[kind]:7}' for kind in OUTCOMES)}")
    return 0


def names() -> list[str]:
    """Return the homes."""
    return sorted(file.name.split(".")[0] for file in FOLDER.glob("*.worlds.yaml"))


def commands(name: str) -> Iterator[Command]:
    """Yield the commands of a home, each with the house as it is at first."""
    worlds = load_worlds(FOLDER / f"{name}.worlds.yaml")
    files = (FOLDER / f"{name}{kind}.yaml" for kind in ("", ".near", ".short"))
    for task in (task for file in files if file.exists() for task in load_tasks(file, worlds)):
        yield Command(task, believed(House.of(worlds[task.floor], task)))


def outcome(reader: WishReader, command: Command) -> tuple[str, str]:
    """Return what a command comes to, and what was understood or asked."""
    try:
        wish = reader.wish(command.task.text, command.graph)
    except Unclear as unclear:
        return "refused" if command.must_ask else "asked", str(unclear)
    if command.must_ask:
        return "given", str(wish.goal)
    return "right" if is_meant(wish, command) else "wrong", str(wish.goal)


def is_meant(wish: Wish, command: Command) -> bool:
    """Return whether a wish says what one of a command's goals says, no more and no less."""
    found = [_with_sinks(each, command.graph) for each in plain_literals(wish.goal)]
    types = command.graph.types()

    def fits(one: tuple[Atom, bool], wanted: tuple[Atom, bool]) -> bool:
        (atom, so), (other, also) = one, wanted
        pairs = [*zip(atom.args, other.args, strict=True)]
        things = pairs[:1] if atom.predicate == "state" else pairs
        return (
            (atom.predicate, so) == (other.predicate, also)
            and (atom.predicate != "state" or atom.args[1] == other.args[1])
            and all(_is_same(thing, meant, types) for thing, meant in things)
        )

    for goal in filter(None, command.task.goals):
        wanted = [_with_sinks(_affirmed(literal), command.graph) for literal in goal]
        told = all(any(fits(one, each) for one in found) for each in wanted)
        if told and all(any(fits(one, each) for each in wanted) for one in found):
            return True
    return False


def _affirmed(literal: Literal) -> tuple[Atom, bool]:
    make = contains if literal.relation == "contains" else in_state
    (found,) = plain_literals(make(literal.subject, literal.value))
    return found[0], found[1] is not literal.negated


def _with_sinks(literal: tuple[Atom, bool], graph: HouseGraph) -> tuple[Atom, bool]:
    """Return what is to be so, a basin being the sink that it is of."""
    atom, so = literal
    types = graph.types()
    sinks = {basin: name for name in types if (basin := graph.value(name, "stands-for"))}
    sinks |= {types[basin]: types[name] for basin, name in sinks.items()}
    return Atom(atom.predicate, tuple(sinks.get(word, word) for word in atom.args)), so


def _is_same(thing: str, meant: str, types: dict[str, str]) -> bool:
    """Return whether a thing or type is the one that is meant: the only thing of a type is that type."""
    of = types.get(thing, thing)
    if meant not in types:
        return of == meant
    return thing == meant or (of == types[meant] and [*types.values()].count(of) == 1)


if __name__ == "__main__":
    sys.exit(main())
