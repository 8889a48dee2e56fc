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
from commonground.planning.scene.roadmap import Roadmap
from commonground.planning.team.lanes import passed_by, region_rows, stands_of
from commonground.planning.team.room import Room
from commonground.planning.team.settling import SLACK_M, Mover
from commonground.planning.team.track import MARGIN_M
from commonground.planning.team.widening import widened

MOST_PLACES = 60
MOST_ROBOTS = 12
REACH = 1.6
"""Points are linked so many times as far as they are apart: across their squares too."""


def with_yards(movers: Mapping[str, Mover], goals: Mapping[str, Formula]) -> dict[str, Mover]:
    """Return robots that may use points all over the places on anybody's way; none where those are many."""
    rows = sorted({row for m in movers.values() for row in (*passed_by(m), *stands_of(m))})
    if len(rows) > MOST_PLACES or len(movers) > MOST_ROBOTS:
        return {}
    largest_m = max(mover.robot.radius_m for mover in movers.values())
    spacing_m = 2.0 * largest_m + MARGIN_M + SLACK_M
    found = {}
    for name, mover in movers.items():
        free = _points(mover, rows, spacing_m)
        region = region_rows(mover, goals.get(name))
        found[name] = widened(mover, free, goals.get(name), region, REACH * spacing_m)
    return found


def _points(mover: Mover, rows: Sequence[int], spacing_m: float) -> tuple[Floats, Ints]:
    """Return points (k, 3) on free ground, and the rows of the places they are at."""
    road = mover.way.road
    room = Room(road, road.usable & ~mover.closed, mover.robot.radius_m)
    known = [(row, room.grid(row, spacing_m)) for row in rows]
    known += [(row, np.array(at)[None]) for row, at in _between(road, rows, spacing_m)]
    of = np.repeat([row for row, _ in known], [len(at) for _, at in known]).astype(np.int64)
    points = np.concatenate([at for _, at in known]).reshape(-1, 3)
    fits = room.fits(of, points)
    return points[fits], of[fits]


def _between(road: Roadmap, rows: Iterable[int], spacing_m: float) -> Iterator[tuple[int, Floats]]:
    """Yield points along the lines from places to their neighbors, for both of which they may be."""
    for row in rows:
        for other in road.metric[[row]].indices.tolist():
            line = road.positions[other] - road.positions[row]
            count = int(np.linalg.norm(line) / spacing_m)
            for k in range(1, count + 1):
                yield row, road.positions[row] + k / (count + 1) * line
