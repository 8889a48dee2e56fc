"""A goal of the whole team shared out over the robots: the fastest way first, then every other one."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from commonground.planning.pddl import And, Formula
from commonground.planning.pddl.logic import subformulas
from commonground.planning.result import Check, Status, unhurried
from commonground.planning.scene.allocation import Allocation, allocate, tasks_of
from commonground.planning.team.hopeless import is_hopeless
from commonground.robots import Team
from commonground.scene import SceneGraph

MOST_PORTIONS = 64
"""Where there are more ways to share out, only the fastest one is tried."""


@dataclass(frozen=True, slots=True, eq=False)
class Portions:
    """The ways of sharing out a team's goal."""

    fastest: Allocation
    all: Sequence[Mapping[str, Formula]]
    """A goal for each robot that has one, the fastest first."""
    complete: bool
    """Whether there are no other ways."""
    impossible: str = ""
    """Why none of them leads to the goal, as far as that is proven."""


def portions(
    graph: SceneGraph, team: Team, goal: Formula, rng: np.random.Generator, check: Check = unhurried
) -> Portions:
    """Return how the parts of a goal may fall to the robots, what it avoids to all that do something."""
    fastest = allocate(graph, team, goal, rng, check)
    tasks, avoided = tasks_of(goal)
    for task in tasks if fastest.status is Status.UNSOLVABLE else ():
        wish = And((task, *avoided))
        if all(is_hopeless(graph, team, robot, wish) for robot in team):
            return Portions(fastest, (), True, fastest.reason)
    found = [fastest.goals] if fastest.status is Status.SOLVED else []
    few = len(team.robots) ** len(tasks) <= MOST_PORTIONS
    if few or not found:
        ways = (
            _shared(who, tasks, avoided)
            for who in itertools.product(team.robots, repeat=len(tasks))
        )
        found += (way for way in itertools.islice(ways, MOST_PORTIONS) if way not in found)
    # what stands together in an alternative could be shared out too
    whole = not any(isinstance(part, And) for task in tasks for part in subformulas(task))
    return Portions(fastest, found, few and whole)


def _shared(
    who: Sequence[str], tasks: Sequence[Formula], avoided: Sequence[Formula]
) -> dict[str, Formula]:
    """Return the goals of robots to whom tasks fall."""
    mine: Mapping[str, list[Formula]] = {name: [] for name in dict.fromkeys(who)}
    for name, task in zip(who, tasks, strict=True):
        mine[name].append(task)
    return {name: And((*parts, *avoided)) for name, parts in mine.items()}
