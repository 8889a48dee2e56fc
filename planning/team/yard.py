"""Yards: few points all over the places that crowded robots pass, for searches over all robots together.

Lanes are drawn so that two robots pass each other on their ways. Where many robots change places in rooms,
somebody has to wait in every corner: a grid of points about as dense as robots can stand, and some along the
ways between the places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.planning.pddl import Formula
from commonground.planning.team.lanes import passed_by, region_rows, stands_of
from commonground.planning.team.room import Room, nearest_places
from commonground.planning.team.settling import SLACK_M, Mover, distance_to_line
from commonground.planning.team.track import MARGIN_M
from commonground.planning.team.widening import widened

MOST_PLACES = 60
MOST_ROBOTS = 12
MOST_NOOKS = 4
"""So many niches and corners are looked for at a place."""
SAME_M = 0.02
REACH = 1.6
"""Points are linked so many times as far as they are apart: across their squares too."""


def with_yards(
    movers: Mapping[str, Mover], goals: Mapping[str, Formula], *, fine: bool
) -> dict[str, Mover]:
    """Return robots that may use points all over the places on anybody's way; none where those are many.

    Fine ones have niches, corners and both sides of corridors as well.
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
