"""Missions from words to done on the bundled courtyard: one robot, one with more to do, two robots."""

from __future__ import annotations

import argparse
import itertools
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from commonground.demo import sample_scene, sample_team
from commonground.grounding import Grounder
from commonground.planning.mission.audit import audit
from commonground.planning.mission.simulation import simulate_mission
from commonground.planning.mission.truth import unreached
from commonground.planning.scene.goal import parse_goal
from commonground.planning.team.world import things_in

GRAPH, TEAM = sample_scene(), sample_team()
WORDS = GRAPH.label_words("objects")
SINGLE = [w for w, n in Counter(WORDS).items() if n == 1]
SEVERAL = [w for w, n in Counter(WORDS).items() if n > 1]


class Wish(NamedTuple):
    """A clause, and the thing that it is about."""

    text: str
    thing: str


def nearest(word: str, other: str) -> str:
    """Return the thing of a class that is nearest to the only one of another class."""
    at = GRAPH.objects.positions[:, :2]
    gaps = np.linalg.norm(at - at[WORDS.index(other)], axis=1)
    gaps[[w != word for w in WORDS]] = np.inf
    return str(GRAPH.objects.symbols[int(gaps.argmin())])


def inspections() -> list[Wish]:
    """Return what any robot can be asked."""
    pairs = itertools.product(SEVERAL, SINGLE)
    return [Wish(f"inspect the {a} nearest to the {b}", nearest(a, b)) for a, b in pairs]


def grades(count: int, seed: int) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Yield grade, robot, instruction and the things it is about."""
    rng = np.random.default_rng(seed)
    wishes = inspections()

    def some(number: int) -> list[Wish]:
        return [wishes[k] for k in rng.choice(len(wishes), number, replace=False)]

    for name in ("spot", "husky"):
        for _ in range(count):
            (one,) = some(1)
            yield "easy", name, f"{name.capitalize()}, {one.text}.", (one.thing,)
        for _ in range(count):
            one, two = some(2)
            text = f"{name.capitalize()}, {one.text} and {two.text}."
            yield "medium", name, text, (one.thing, two.thing)
    for _ in range(count):
        one, two, three = some(3)
        text = f"Spot, {one.text} and {two.text}, and Husky, {three.text}."
        yield "hard", "both", text, (one.thing, two.thing, three.thing)


def went_well(grounder: Grounder, text: str, things: tuple[str, ...], seed: int) -> str:
    """Carry an instruction out; return what is wrong with what came of it, or ''."""
    found = grounder.ground(text)
    if found.status != "ok":
        return f"{found.status}: {found.message}"
    goals = dict(found.goals)
    meant = set().union(*(things_in(parse_goal(goal, GRAPH)) for goal in goals.values()))
    if meant != set(things):
        return f"about {sorted(meant)}, not {sorted(set(things))}"
    went = simulate_mission(GRAPH, TEAM, goals)
    world = went.world
    wrong = audit(GRAPH, TEAM, goals, world.moments, world.deeds)
    if went.end.status != "done" or unreached(GRAPH, TEAM, goals, world) or wrong:
        return f"{went.end.status}: {went.end.reason or wrong}"
    return ""


def main() -> None:
    """Print how many of each grade came to their end, and what is wrong with the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--missions", type=int, default=10, help="of each grade and robot")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    grounder = Grounder(GRAPH, TEAM)
    done: Counter[tuple[str, str]] = Counter()
    of: Counter[tuple[str, str]] = Counter()
    for grade, robot, text, things in grades(options.missions, options.seed):
        wrong = went_well(grounder, text, things, options.seed)
        of[grade, robot] += 1
        done[grade, robot] += not wrong
        if wrong:
            print(f"{text} → {wrong}")
    for grade, robot in of:
        print(f"{grade:8} {robot:6} {done[grade, robot]} of {of[grade, robot]}")


if __name__ == "__main__":
    main()
