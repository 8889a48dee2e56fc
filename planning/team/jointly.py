"""All robots moved together: a search over their joint positions on their ways, and on finer ones."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.planning.pddl import Formula
from commonground.planning.scene.plan import Action, RobotPlan
from commonground.planning.team.errands import Way
from commonground.planning.team.settling import SLACK_M, Mover
from commonground.planning.team.telling import actions_of
from commonground.planning.team.together import Crowd, Place, Step
from commonground.planning.team.track import MARGIN_M
from commonground.planning.team.watch import Watch
from commonground.planning.team.world import MOVES, thing_of
from commonground.planning.team.yard import with_yards
from commonground.robots import Team

CUTS = 3
"""Ways are searched as they are, from the places beside things, and with edges halved."""
MOST_CUTS = 6
"""Where there is room beside ways, it is searched in three kinds of points besides."""
FEWEST_STATES = 2000
"""Of each search over the positions of all robots, even if the time is up."""
JOINT_TRIES = 8
"""So often that begins anew with robots of other importance, at random each three times that of the next."""


class Limit(NamedTuple):
    """How long the search over the positions of all robots may take."""

    states: int
    watch: Watch
    until_s: float


def together(
    team: Team,
    movers: Mapping[str, Mover],
    wide: Mapping[str, Mover],
    goals: Mapping[str, Formula],
    plans: Mapping[str, RobotPlan],
    limit: Limit,
    rng: np.random.Generator,
) -> dict[str, tuple[Action, ...]]:
    """Return actions found by a search over the positions of all robots, none where none are found."""
    names = list(movers)
    radii = np.array([team[n].radius_m for n in names])
    after = _afterwards(movers, plans)
    reach_m = radii[:, None] + radii + MARGIN_M + SLACK_M
    weights: list[Floats] = [np.ones(len(names))]
    weights += [np.power(3.0, rng.permutation(len(names))) for _ in range(JOINT_TRIES)]
    for k, cut in enumerate(_cuts(movers, wide, goals)):
        limit.watch.check("positions of all robots were searched together")
        now_s = limit.watch.now_s()
        part_s = (limit.until_s - now_s) / max(MOST_CUTS - k, 1)
        if part_s <= 0.0 and k >= CUTS:
            break
        crowd = Crowd(cut, [movers[n].free_end for n in names], reach_m, after)
        steps = _steps(crowd, weights, limit._replace(until_s=now_s + part_s))
        if steps:
            hops = crowd.timed(steps)
            return {n: actions_of(w, h) for n, w, h in zip(names, cut, hops, strict=True)}
    return {}


def _cuts(
    movers: Mapping[str, Mover], wide: Mapping[str, Mover], goals: Mapping[str, Formula]
) -> Iterator[list[Way]]:
    """Yield the ways that are searched: over the places alone, with halves of edges, with room beside."""
    ways = [mover.way for mover in movers.values()]
    near = [way.at_places() for way in ways]
    yield ways
    yield near
    yield [way.halved() for way in near]
    if wide:
        for fine in (False, True):
            yards = with_yards(movers, goals, fine=fine)
            if yards:
                yield [yards[name].way for name in movers]
        yield [wide[name].way for name in movers]


def _steps(crowd: Crowd, weights: Sequence[Floats], limit: Limit) -> list[list[Step]]:
    """Return the first steps found with some weights, none where there are none."""
    most = max(limit.states // (CUTS * len(weights)), FEWEST_STATES)
    for k, weight in enumerate(weights):
        if k and limit.watch.now_s() > limit.until_s:
            break
        steps = crowd.steps(most, weight, limit.watch)
        if steps or steps is None:
            return steps or []
    return []


def _afterwards(
    movers: Mapping[str, Mover], plans: Mapping[str, RobotPlan]
) -> frozenset[tuple[Place, Place]]:
    """Return which errands with a thing come after which of those whose turn is before."""
    turn = {name: k for k, name in enumerate(plans)}
    handled = [
        (turn.get(name, len(turn)), (i, k), e.action)
        for i, (name, mover) in enumerate(movers.items())
        for k, e in enumerate(mover.way.errands)
    ]
    return frozenset(
        (place, before)
        for (mine, place, action), (theirs, before, other) in itertools.product(handled, handled)
        if theirs < mine and thing_of(action) == thing_of(other)
        if {action.action, other.action} & MOVES
    )
