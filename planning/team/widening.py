"""A robot's way with more points: linked to all that is free around them, and all that can be done there."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.planning.pddl import Formula, nnf
from commonground.planning.scene.goal import literals
from commonground.planning.scene.roadmap import Roadmap
from commonground.planning.team._sipp_kernels import Ground
from commonground.planning.team.errands import Errand, Way
from commonground.planning.team.open_ground import free_of_things, linked
from commonground.planning.team.room import nearest_places
from commonground.planning.team.settling import Mover

MOST_POINTS = 12_000
"""Of one robot; on larger maps nobody looks for room."""


def widened(
    mover: Mover,
    free: tuple[Floats, Ints],
    goal: Formula | None,
    region: Sequence[int],
    reach_m: float = math.inf,
) -> Mover:
    """Return a robot with points beside its ways and all that can be done there.

    Points are linked no farther than some meters; ``region`` has places at which it may end as well.
    """
    way, (points, of) = mover.way, free
    if len(points) and len(points) + len(way.ground.points) <= MOST_POINTS:
        way = _linked(mover, points, of, reach_m)
    lanes: dict[int, list[int]] = {}
    for row, place in enumerate(way.place_of.tolist()):
        lanes.setdefault(place, []).append(row)
    ends = tuple(row for place in region for row in lanes[place])
    errands = [_anywhere(way, e, lanes) for e in way.errands]
    if errands and ends:
        errands[-1] = errands[-1]._replace(also=tuple(r for r in ends if r != errands[-1].place))
    stay = () if errands else ends or _at_start(mover, goal, lanes)
    return replace(mover, way=replace(way, errands=tuple(errands), stay=stay))


def _at_start(
    mover: Mover, goal: Formula | None, lanes: Mapping[int, list[int]]
) -> tuple[int, ...]:
    """Return where else a robot is still at the place at which it has to be and is."""
    found = [] if goal is None else [x for x in literals(nnf(goal)) if x.positive]
    if any(x.predicate == "at-object" for x in found):
        return ()
    return tuple(lanes[mover.way.road.row_at(mover.robot.position)])


def _anywhere(way: Way, errand: Errand, lanes: Mapping[int, list[int]]) -> Errand:
    """Return an errand that is done anywhere at a place, if it is to be there and nothing else."""
    place = way.place(errand.place)
    if errand.action.action != "goto" or place < 0:
        return errand
    return errand._replace(also=tuple(row for row in lanes[place] if row != errand.place))


def _linked(mover: Mover, points: Floats, of: Ints, reach_m: float) -> Way:
    """Return the way with points at places, linked to all that is free around them."""
    way, ground, road = mover.way, mover.way.ground, mover.way.road
    at = np.vstack([ground.points, points])
    a, b = _pairs(road, ground, of)
    near = np.linalg.norm(at[a] - at[b], axis=1) <= reach_m
    a, b = a[near], b[near]
    p, q = at[a], at[b]
    fits = road.widths.is_free_between(p, q, mover.robot.radius_m + road.widths.doubt_m)
    for share in (0.25, 0.5, 0.75):
        fits &= ~mover.closed[nearest_places(road, p + share * (q - p))]
    a, b = a[fits], b[fits]
    stands = sorted({way.start, *(e.place for e in way.errands)})
    free = free_of_things(road, at, a, b, mover.robot, stands)
    a, b = a[free], b[free]
    banned = road.kept_out(mover.closed)
    if banned is not None:
        away = ~banned.entered(at[a], at[b])
        a, b = a[away], b[away]
    seconds = np.maximum(np.linalg.norm(at[a] - at[b], axis=1), 1e-6) / mover.robot.speed_mps
    whose = np.r_[way.place_of, of]
    return replace(way, ground=_joined(ground, at, (a, b), seconds), place_of=whose)


def _pairs(road: Roadmap, ground: Ground, of: Ints) -> tuple[Ints, Ints]:
    """Return which points to link: all at one place or at neighbors, and what hangs on their place.

    Neighbors between which a thing stands on the line may be linked beside it.
    """
    known = len(ground.points)
    beside: dict[int, list[int]] = {}
    for k, place in enumerate(of.tolist()):
        beside.setdefault(place, []).append(known + k)
    pairs: list[tuple[int, int]] = []
    for place, own in beside.items():
        around = set(ground.indices[ground.indptr[place] : ground.indptr[place + 1]].tolist())
        around.update(road.metric[[place]].indices.tolist())
        pairs += itertools.combinations([place, *own], 2)
        for other in around:
            pairs += itertools.product(own, [other])
            if other > place:
                pairs += itertools.product(own, beside.get(other, []))
    a, b = np.array(pairs, np.int64).T
    return a, b


def _joined(ground: Ground, at: Floats, links: tuple[Ints, Ints], seconds: Floats) -> Ground:
    """Return the ground with more points, and links there and back."""
    first = np.repeat(np.arange(len(ground.points)), np.diff(ground.indptr))
    a = np.concatenate([first, *links])
    b = np.concatenate([ground.indices, *links[::-1]])
    return linked(at, a, b, np.concatenate([ground.travel_s, seconds, seconds]))
