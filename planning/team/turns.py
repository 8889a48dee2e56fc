"""Turns with things: the orders in which robots may handle what several of their goals are about."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from commonground.planning.pddl import Formula
from commonground.planning.scene.vocabulary import VOCABULARY
from commonground.planning.team.conflicts import agreed_choices
from commonground.planning.team.helping import Shares, with_help
from commonground.planning.team.world import things_in
from commonground.robots import Team
from commonground.scene import SceneGraph

MOST_TURNS = 24


def attempts(graph: SceneGraph, team: Team, goals: Mapping[str, Formula]) -> Iterator[Shares]:
    """Yield the goals in the orders in which robots may take their turns, then narrowed, then with help."""
    narrowed = (Shares(choice, goals) for choice in agreed_choices(graph, team, goals))
    variants = itertools.chain([Shares(goals, goals)], narrowed, with_help(graph, team, goals))
    for variant in variants:
        order = _nearest_first(graph, team, variant.goals)
        nearest = {name: variant.goals[name] for name in order}
        for turn in turns_of(nearest, variant.before):
            yield variant._replace(goals={name: variant.goals[name] for name in turn})


def _nearest_first(graph: SceneGraph, team: Team, goals: Mapping[str, Formula]) -> list[str]:
    """Return robots in the order of how near they are to the things that their goals are about."""
    near = {}
    for name, goal in goals.items():
        at = [graph.position(x) for x in things_in(goal) if graph.find(x)[0] == "objects"]
        gaps = [float(np.linalg.norm(team[name].position - p)) for p in at]
        near[name] = min(gaps, default=math.inf)
    return sorted(goals, key=near.__getitem__)


def turns_of(
    goals: Mapping[str, Formula], before: Collection[tuple[str, str]] = ()
) -> Iterator[Sequence[str]]:
    """Yield the orders in which robots may handle the things that several of their goals are about.

    ``before`` has pairs of robots of which the first goes first.
    """
    handled = [name for name, row in VOCABULARY.items() if row.needs]
    moved = {arg for goal in goals.values() for arg in things_in(goal, *handled)}
    sharing = [
        name
        for name, goal in goals.items()
        if any(moved & things_in(goal) & things_in(g) for n, g in goals.items() if n != name)
    ]
    others = [name for name in goals if name not in sharing]
    kept = (turn for turn in itertools.permutations(sharing) if _keeps(turn, before))
    for turn in itertools.islice(kept, MOST_TURNS):
        yield [*turn, *others]


def _keeps(turn: Sequence[str], before: Collection[tuple[str, str]]) -> bool:
    """Return whether of each pair the first one has its turn first."""
    return all(turn.index(a) < turn.index(b) for a, b in before if {a, b} <= set(turn))
