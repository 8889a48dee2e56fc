"""All robots moved together: a search over their joint positions on their ways, and on finer ones."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.planning.pddl import Formula
from commonground.planning.scene.plan import Action, RobotPlan
from commonground.planning.team.errands import Way
from commonground.planning.team.lanes import passed_by, region_rows, stands_of
from commonground.planning.team.room import Room, nearest_places
from commonground.planning.team.settling import SLACK_M, Mover, distance_to_line
from commonground.planning.team.telling import actions_of
from commonground.planning.team.together import Crowd, Place, Step
from commonground.planning.team.track import MARGIN_M
from commonground.planning.team.watch import Watch
from commonground.planning.team.widening import widened
from commonground.planning.team.world import MOVES, thing_of
from commonground.robots import Team

CUTS = 3
"""Ways are searched as they are, from the places beside things, and with edges halved."""
MOST_CUTS = 6
"""Where there is room beside ways, it is searched in three kinds of points besides."""
FEWEST_STATES = 2000
"""Of each search over the positions of all robots, even if the time is up."""
JOINT_TRIES = 8
"""So often that begins anew with robots of other importance, at random each three times that of the next."""
MOST_PLACES = 60
MOST_ROBOTS = 12
MOST_NOOKS = 4
"""So many niches and corners are looked for at a place."""
SAME_M = 0.02
REACH = 1.6
"""Points are linked so many times as far as they are apart: across their squares too."""


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


# ---- yards ----


def with_yards(
    movers: Mapping[str, Mover], goals: Mapping[str, Formula], *, fine: bool
) -> dict[str, Mover]:
    """Return robots that may use points all over the places on anybody's way; none where those are many.

    Where many robots change places in rooms, somebody has to wait in every corner: points lie in a grid about
    as dense as robots can stand, and along the ways. Fine ones have niches and both sides of corridors too.
    """
    rows = sorted({row for m in movers.values() for row in (*passed_by(m), *stands_of(m))})
    if len(rows) > MOST_PLACES or len(movers) > MOST_ROBOTS:
        return {}
    largest_m = max(mover.robot.radius_m for mover in movers.values())
    spacing_m = 2.0 * largest_m + MARGIN_M + SLACK_M
    found = {}
    for name, mover in movers.items():
        free = _points(mover, rows, spacing_m, fine)
        region = region_rows(mover, goals.get(name))
        found[name] = widened(mover, free, goals.get(name), region, REACH * spacing_m)
    return found


def _points(mover: Mover, rows: Sequence[int], spacing_m: float, fine: bool) -> tuple[Floats, Ints]:
    """Return points (k, 3) on free ground, and the rows of the places they are at."""
    road = mover.way.road
    room = Room(road, road.usable & ~mover.closed, mover.robot.radius_m)
    known = [room.grid(row, spacing_m) for row in rows]
    known += [_nooks(room, row, spacing_m) for row in rows if fine]
    known += _along(room, rows, spacing_m, fine)
    points = np.concatenate(known).reshape(-1, 3)
    _, first = np.unique(np.round(points / SAME_M), axis=0, return_index=True)
    points = points[np.sort(first)]
    of = nearest_places(road, points)
    fits = np.isin(of, rows) & room.fits(of, points)
    return points[fits], of[fits]


def _along(room: Room, rows: Iterable[int], spacing_m: float, fine: bool) -> Iterator[Floats]:
    """Yield points (k, 3) along the lines between places, and as far beside them as both have room."""
    at = room.road.positions
    for row in rows:
        for other in room.road.metric[[row]].indices.tolist():
            line = at[other] - at[row]
            meters = float(np.linalg.norm(line))
            share = np.linspace(0.0, 1.0, int(meters / spacing_m) + 2)[:, None]
            across = spacing_m / max(meters, SAME_M) * np.array([-line[1], line[0]])
            for out in (across, -across) if fine else ():
                both = room.shortened(np.array([row, other]), np.stack([out, out]))
                aside = both[np.linalg.norm(both, axis=1).argmin()]
                yield at[row] + share * line + np.pad(aside, (0, 1))
            yield at[row] + share * line


def _nooks(room: Room, row: int, spacing_m: float) -> Floats:
    """Return points (k, 3) at a place that are farthest from the ways over it: niches and corners."""
    points = room.all_over(row)
    if room.road.widths.rim is None or len(points) == 0:
        return np.empty((0, 3))
    lines = [room.road.line([row, k]) for k in room.road.metric[[row]].indices.tolist()]
    away = np.min([distance_to_line(points, line) for line in lines], axis=0, initial=np.inf)
    found: list[Floats] = []
    for k in np.argsort(-away, kind="stable"):
        if len(found) == MOST_NOOKS:
            break
        if all(np.linalg.norm(points[k] - p) >= spacing_m for p in found):
            found.append(points[k])
    return np.array(found)
