"""Room beside places: points next to those on the robots' ways where the ground is wide enough for two.

A corridor that is mapped as one chain of places is wider than a line. Each robot gets points to the left and
right of such places, so far out that any two robots on two sides pass each other, and around those where
somebody begins or ends. All of a robot is on free ground there and on the straight ways between such points,
and the place is the nearest one: it is at that place.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.planning.pddl import Formula, nnf
from commonground.planning.scene.goal import Literal, literals
from commonground.planning.scene.roadmap import Roadmap
from commonground.planning.scene.vocabulary import FINALS
from commonground.planning.team._sipp_kernels import Ground
from commonground.planning.team.parking import Stand, Stands
from commonground.planning.team.room import Room, nearest_places
from commonground.planning.team.settling import SLACK_M, Mover
from commonground.planning.team.track import MARGIN_M
from commonground.planning.team.watch import Watch
from commonground.planning.team.widening import widened

BESIDE, PAST, CLEAR = range(3)
"""How far out points are: half and all of what two such robots need, and what the largest needs to pass."""
OUT = ((0.0, BESIDE), (180.0, BESIDE), (0.0, PAST), (180.0, PAST), (0.0, CLEAR), (180.0, CLEAR))
"""Where points are beside a way: degrees, and how far out."""
AROUND = (
    *((90.0, BESIDE), (270.0, BESIDE)),
    *((60.0, CLEAR), (120.0, CLEAR), (240.0, CLEAR), (300.0, CLEAR)),
    *((45.0, CLEAR), (135.0, CLEAR), (225.0, CLEAR), (315.0, CLEAR)),
)
"""Where further points are around a place at which somebody stands."""
ALONG_M = 0.3
"""Straight ways are looked at this densely for the places that they lead over."""
MOST_ALONG = 1000
SAME_M = 0.05
"""Points are farther apart than this."""
MOST_IN_REGION = 60
"""So many places of a region are looked at as places where a robot may end."""
SHARPEST = 0.5
"""Where ways bend, points are farther out by at most the inverse."""
SAME_DEG = 30.0


def with_room(
    movers: Mapping[str, Mover],
    goals: Mapping[str, Formula],
    packed: Sequence[Stands],
    watch: Watch,
) -> dict[str, Mover]:
    """Return robots that may also use the room beside their ways; none where there is no more room.

    ``packed`` are ways in which robots may stand in the end, for which they get points too.
    """
    some = next(iter(movers.values())).way.road
    stands = sorted({row for mover in movers.values() for row in stands_of(mover)})
    regions = {name: region_rows(mover, goals.get(name)) for name, mover in movers.items()}
    passed = {row for mover in movers.values() for row in passed_by(mover)}
    rows = sorted(passed.union(stands, *regions.values()))
    beside = _beside(some, rows, set(stands))
    largest_m = max(mover.robot.radius_m for mover in movers.values())
    ends = {stand for ways in packed for stand in ways.values()}
    free: dict[tuple[float, bytes], tuple[Floats, Ints]] = {}
    wide: dict[str, Mover] = {}
    for name, mover in movers.items():
        watch.check(f"room beside the ways was looked for, {len(wide)} of {len(movers)} robots")
        if (body := _body(mover)) not in free:
            free[body] = _free_points(mover, beside, largest_m, sorted(ends))
        wide[name] = widened(mover, free[_body(mover)], goals.get(name), regions[name])
    more = (
        len(wide[name].way.ground.points) > len(mover.way.ground.points) or len(regions[name]) > 1
        for name, mover in movers.items()
    )
    return wide if any(more) else {}


def passed_by(mover: Mover) -> Iterator[int]:
    """Yield the places that a robot's own plan leads over, those next to its straight ways included."""
    road = mover.way.road
    for action in mover.plan.actions:
        yield from (road.row(place) for place in action.places)
        for p, q in itertools.pairwise(action.path_map):
            count = int(min(float(np.linalg.norm(q - p)) / ALONG_M, MOST_ALONG)) + 2
            along = p + np.linspace(0.0, 1.0, count)[:, None] * (q - p)
            yield from np.unique(nearest_places(road, along)).tolist()


def stands_of(mover: Mover) -> Iterator[int]:
    """Yield the places where a robot begins, does something or ends."""
    way, n = mover.way, len(mover.way.road.positions)
    yield way.road.start(mover.robot).anchors[0]
    for errand in way.errands:
        yield errand.place if errand.place < n else errand.beside


def region_rows(mover: Mover, goal: Formula | None) -> tuple[int, ...]:
    """Return the places at which a robot may end as well, where all that is asked of its end is a region."""
    road = mover.way.road
    found = [x for x in literals(nnf(goal)) if x.positive] if goal is not None else []
    asked = [x for x in found if x.predicate in FINALS]
    if len(asked) != 1 or asked[0].predicate != "in-region" or not _may_move(mover, found):
        return ()
    inside = road.graph.in_region(road.layer, asked[0].args[0]) & road.usable & ~mover.closed
    rows = np.flatnonzero(inside).tolist()
    return tuple(rows) if len(rows) <= MOST_IN_REGION else ()


def _may_move(mover: Mover, asked: Sequence[Literal]) -> bool:
    """Return whether the last stop of a robot serves nothing but its end."""
    way = mover.way
    if not way.errands or way.errands[-1].action.action != "goto":
        return not way.errands
    place = way.place(way.errands[-1].place)
    named = {arg for literal in asked for arg in literal.args}
    seen = any(literal.predicate == "explored-region" for literal in asked)
    return place >= 0 and way.road.symbol(place) not in named and not seen


def kept_right(wide: Mapping[str, Mover]) -> dict[str, Mover]:
    """Return robots that drive from place to place on the right, wherever there is room, and not as alone."""
    return {name: _kept_right(mover) for name, mover in wide.items()}


def _kept_right(mover: Mover) -> Mover:
    way, ground = mover.way, mover.way.ground
    known = np.flatnonzero(way.place_of >= 0)
    a = np.repeat(np.arange(len(ground.points)), np.diff(ground.indptr))
    b = ground.indices
    at = np.where(way.place_of >= 0, way.place_of, np.arange(len(way.place_of)))
    along = ground.points[at[b]] - ground.points[at[a]]
    aside = ground.points - ground.points[at]
    beside = np.unique(at[known[known >= len(way.road.positions)]])
    stands = [way.start, *(row for e in way.errands for row in e.rows)]
    wrong = np.zeros(len(a), bool)
    for end in (a, b):
        left = along[:, 0] * aside[end, 1] - along[:, 1] * aside[end, 0] > -SAME_M * _norm(along)
        wrong |= left & np.isin(at[end], beside) & ~np.isin(end, stands)
    wrong &= at[a] != at[b]
    pair = at[a] * len(at) + at[b]
    keep = ~wrong | ~np.isin(pair, pair[~wrong])  # past a thing that stands on the right
    count = np.bincount(a[keep], minlength=len(ground.points))
    indptr = np.r_[0, np.cumsum(count)].astype(np.int64)
    right = Ground(ground.points, indptr, b[keep], ground.travel_s[keep])
    return replace(mover, way=replace(way, ground=right, one_way=True), keeps=False)


def _norm(vectors: Floats) -> Floats:
    return np.asarray(np.linalg.norm(vectors, axis=1))


class _Beside(NamedTuple):
    """Where points are beside places, as long as nobody says how far out."""

    of: Ints
    """(k,) rows of the places."""
    out: Floats
    """(k, 2) directions, longer where ways bend."""
    far: Ints
    """(k,) BESIDE, PAST or CLEAR."""


def _beside(road: Roadmap, rows: Iterable[int], stands: set[int]) -> _Beside:
    """Return points beside places: across the ways, and all around where somebody stands."""
    found: list[tuple[int, Floats, int]] = []
    for row in rows:
        axes = _axes(road, row)
        found += [(row, _turned(axis, deg), far) for axis in axes for deg, far in OUT]
        if row in stands:
            across = axes[0] / np.linalg.norm(axes[0])
            found += [(row, _turned(across, deg), far) for deg, far in AROUND]
    return _Beside(
        np.array([row for row, _, _ in found], np.int64),
        np.array([out for _, out, _ in found]).reshape(-1, 2),
        np.array([far for _, _, far in found], np.int64),
    )


def _turned(axis: Floats, degrees: float) -> Floats:
    turn = np.radians(degrees)
    return np.asarray(np.cos(turn) * axis + np.sin(turn) * _across(axis))


def _axes(road: Roadmap, row: int) -> list[Floats]:
    """Return the directions (2,) across the ways that lead through a place; longer where they bend."""
    next_ = road.metric[[row]].indices
    ways = (road.positions[next_] - road.positions[row])[:, :2]
    lengths = np.linalg.norm(ways, axis=1)
    ways = ways[lengths > 1e-6] / lengths[lengths > 1e-6, None]
    if len(ways) == 0:
        return [np.array([0.0, 1.0])]
    if len(ways) == 2 and np.linalg.norm(ways[0] - ways[1]) > 2.0 * SHARPEST:
        through = ways[0] - ways[1]
        return [_across(through) / np.linalg.norm(through) ** 2 * 2.0]
    axes: list[Floats] = []
    for axis in map(_across, ways):
        if all(abs(axis @ other) < np.cos(np.radians(SAME_DEG)) for other in axes):
            axes.append(axis)
    return axes


def _across(way: Floats) -> Floats:
    return np.array([-way[1], way[0]])


def _body(mover: Mover) -> tuple[float, bytes]:
    """Return what tells where a robot may be: its radius, and which places are open to it."""
    return mover.robot.radius_m, np.packbits(mover.way.road.usable & ~mover.closed).tobytes()


def _free_points(
    mover: Mover, beside: _Beside, largest_m: float, stands: Collection[Stand]
) -> tuple[Floats, Ints]:
    """Return points (k, 3) beside places where a robot fits, and the rows of these places."""
    road, radius_m = mover.way.road, mover.robot.radius_m
    half_m = radius_m + MARGIN_M / 2 + SLACK_M
    clear_m = radius_m + largest_m + MARGIN_M + SLACK_M
    far_m = np.array([half_m, 2.0 * half_m, clear_m])
    room = Room(road, road.usable & ~mover.closed, radius_m)
    out = far_m[beside.far, None] * beside.out
    farthest = beside.far == CLEAR
    out[farthest] = room.shortened(beside.of[farthest], out[farthest])
    points = road.positions[beside.of] + np.pad(out, ((0, 0), (0, 1)))
    fits = room.fits(beside.of, points) & (np.linalg.norm(out, axis=1) > SAME_M)
    if abs(clear_m - 2.0 * half_m) < SAME_M:
        fits &= beside.far != PAST
    if not stands:
        return points[fits], beside.of[fits]
    of = np.array([stand.place for stand in stands], np.int64)
    packed = np.array([stand.point for stand in stands])
    more = room.fits(of, packed)
    return np.vstack([points[fits], packed[more]]), np.r_[beside.of[fits], of[more]]
