"""The soonest plans of small teams that only drive: the fewest steps of all robots at once.

Every edge is cut into pieces that a robot drives in one step, as long for all robots. A search over their
joint positions finds the fewest steps; those are then put in time as early as they can be.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from commonground.planning.scene.plan import Action
from commonground.planning.team._sipp_kernels import Ground
from commonground.planning.team.errands import Way
from commonground.planning.team.settling import SLACK_M, Mover
from commonground.planning.team.telling import actions_of
from commonground.planning.team.together import Crowd, Step
from commonground.planning.team.track import MARGIN_M
from commonground.planning.team.watch import STATES_PER_S, Watch
from commonground.robots import Team

MOST_ROBOTS = 4
MOST_POINTS = 150
"""Of one robot, after edges are cut."""
MOST_STATES = 40_000
PIECES = (1, 2, 3)
"""A step lasts as long as the usual edge of the fastest robot takes it, or a part of that."""
SAME = 1e-6
LOSS = 1.05
"""Rounded up to steps, the edges of a robot may take so many times as long."""


def soonest_steps(
    team: Team,
    movers: Mapping[str, Mover],
    still: Collection[str],
    sooner_than_s: float,
    watch: Watch,
) -> dict[str, tuple[Action, ...]]:
    """Return actions with which a small team is done sooner than that, none where there are none or many.

    Robots that are ``still`` are not moved.
    """
    names = list(movers)
    ways = [_standing(movers[name].way) if name in still else movers[name].way for name in names]
    if not _only_drive(ways):
        return {}
    cut, step_s = _cut(ways)
    if not cut:
        return {}
    radii = np.array([team[name].radius_m for name in names])
    reach_m = radii[:, None] + radii + MARGIN_M + SLACK_M
    crowd = Crowd(cut, [movers[name].free_end for name in names], reach_m, frozenset())
    watch.did(MOST_STATES / STATES_PER_S)
    groups = crowd.fewest_steps(MOST_STATES, sooner_than_s / step_s - SAME)
    apart = list(itertools.chain(*(_apart(crowd, group) for group in groups)))
    hops = crowd.timed(apart)
    return {n: actions_of(w, h) for n, w, h in zip(names, cut, hops, strict=True)} if groups else {}


def _only_drive(ways: Sequence[Way]) -> bool:
    """Return whether a few robots have somewhere to go, and nothing to do that takes time."""
    errands = [e for way in ways for e in way.errands]
    can_go = any(len(way.ground.indices) for way in ways)
    few = len(ways) <= MOST_ROBOTS
    return few and can_go and bool(errands) and all(e.lasts_s == 0.0 for e in errands)


def _standing(way: Way) -> Way:
    """Return a way on which a robot does not get on."""
    nowhere = np.zeros(len(way.ground.points) + 1, np.int64)
    none = Ground(way.ground.points, nowhere, np.empty(0, np.int64), np.empty(0))
    return replace(way, ground=none)


def _cut(ways: Sequence[Way]) -> tuple[list[Way], float]:
    """Return ways with edges cut into pieces of a step each, and how long a step is; none if too many."""
    usual_s = min(float(np.median(way.ground.travel_s)) for way in ways if len(way.ground.indices))
    best: tuple[float, list[Way], float] = (math.inf, [], usual_s)
    for pieces in PIECES:
        step_s = usual_s / pieces
        cut = [way.cut(step_s * way.robot.speed_mps) for way in ways]
        if max(len(way.ground.points) for way in cut) > MOST_POINTS:
            break
        loss = max(
            len(after.ground.travel_s) * step_s / float(before.ground.travel_s.sum())
            for before, after in zip(ways, cut, strict=True)
            if len(before.ground.indices)
        )
        best = min(
            best, (loss, [_in_steps(way) for way in cut], step_s), key=lambda found: found[0]
        )
        if loss <= LOSS:
            break
    return best[1:]


def _in_steps(way: Way) -> Way:
    """Return a way on which every edge takes one step."""
    ground = way.ground._replace(travel_s=np.ones_like(way.ground.travel_s))
    return replace(way, ground=ground)


def _apart(crowd: Crowd, group: Sequence[Step]) -> Iterator[list[Step]]:
    """Yield those of some steps made together that have to be, as they could meet; the others alone."""
    left = list(group)
    while left:
        together, front = [left.pop()], 0
        while front < len(together):
            one, front = together[front], front + 1
            meets = [
                s
                for s in left
                if not crowd.apart(one.robot, one.here, one.there, s.robot, s.here, s.there)
            ]
            together += meets
            left = [s for s in left if s not in meets]
        yield together
