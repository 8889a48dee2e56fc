"""Room beside places: points next to those on the robots' ways where the ground is wide enough for two.

A corridor that is mapped as one chain of places is wider than a line. Each robot gets points to the left and
right of such places, so far out that any two robots on two sides pass each other, and around those where
somebody begins or ends. All of a robot is on free ground there and on the straight ways between such points,
and the place is the nearest one: it is at that place.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.planning.pddl import Formula, nnf
from commonground.planning.scene.goal import Literal, literals
from commonground.planning.scene.roadmap import Roadmap
from commonground.planning.scene.vocabulary import FINALS
from commonground.planning.team._sipp_kernels import Ground
from commonground.planning.team.errands import Errand, Way, free_of_things
from commonground.planning.team.settling import SLACK_M, Mover
from commonground.planning.team.track import MARGIN_M
from commonground.planning.team.watch import Watch

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
HALVINGS = 8
"""So often the farthest point that fits is looked for between two."""
SAME_M = 0.05
"""Points are farther apart than this."""
MOST_POINTS = 12_000
"""Of one robot; on larger maps nobody looks for room."""
MOST_IN_REGION = 60
"""So many places of a region are looked at as places where a robot may end."""
SHARPEST = 0.5
"""Where ways bend, points are farther out by at most the inverse."""
SAME_DEG = 30.0


def with_room(
    movers: Mapping[str, Mover], goals: Mapping[str, Formula], watch: Watch
) -> dict[str, Mover]:
    """Return robots that may also use the room beside their ways; none where there is no more room."""
    some = next(iter(movers.values())).way.road
    stands = sorted({row for mover in movers.values() for row in _stands(mover)})
    regions = {name: _region_rows(mover, goals.get(name)) for name, mover in movers.items()}
    passed = {row for mover in movers.values() for row in _passed(mover)}
    rows = sorted(passed.union(stands, *regions.values()))
    beside = _beside(some, rows, set(stands))
    largest_m = max(mover.robot.radius_m for mover in movers.values())
    free: dict[tuple[float, bytes], tuple[Floats, Ints]] = {}
    wide: dict[str, Mover] = {}
    for name, mover in movers.items():
        watch.check(f"room beside the ways was looked for, {len(wide)} of {len(movers)} robots")
        if (body := _body(mover)) not in free:
            free[body] = _free_points(mover, beside, largest_m)
        wide[name] = _widened(mover, free[_body(mover)], goals.get(name), regions[name])
    more = (
        len(wide[name].way.ground.points) > len(mover.way.ground.points) or len(regions[name]) > 1
        for name, mover in movers.items()
    )
    return wide if any(more) else {}


def _passed(mover: Mover) -> Iterator[int]:
    return (mover.way.road.row(place) for a in mover.plan.actions for place in a.places)


def _stands(mover: Mover) -> Iterator[int]:
    """Yield the places where a robot begins, does something or ends."""
    way, n = mover.way, len(mover.way.road.positions)
    yield way.road.start(mover.robot).anchors[0]
    for errand in way.errands:
        yield errand.place if errand.place < n else errand.beside


def _region_rows(mover: Mover, goal: Formula | None) -> tuple[int, ...]:
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


def _free_points(mover: Mover, beside: _Beside, largest_m: float) -> tuple[Floats, Ints]:
    """Return points (k, 3) beside places where a robot fits, and the rows of these places."""
    road, radius_m = mover.way.road, mover.robot.radius_m
    half_m = radius_m + MARGIN_M / 2 + SLACK_M
    clear_m = radius_m + largest_m + MARGIN_M + SLACK_M
    far_m = np.array([half_m, 2.0 * half_m, clear_m])
    room = _Room(road, road.usable & ~mover.closed, radius_m)
    out = room.within(beside, far_m[beside.far, None] * beside.out)
    points = road.positions[beside.of] + np.pad(out, ((0, 0), (0, 1)))
    fits = room.fits(beside.of, points) & (np.linalg.norm(out, axis=1) > SAME_M)
    if abs(clear_m - 2.0 * half_m) < SAME_M:
        fits &= beside.far != PAST
    return points[fits], beside.of[fits]


def _widened(
    mover: Mover, free: tuple[Floats, Ints], goal: Formula | None, region: Sequence[int]
) -> Mover:
    """Return a robot with points beside its ways and all that can be done there."""
    way, (points, of) = mover.way, free
    if len(points) and len(points) + len(way.ground.points) <= MOST_POINTS:
        way = _linked(mover, points, of)
    lanes: dict[int, list[int]] = {}
    for row, place in enumerate(way.place_of.tolist()):
        lanes.setdefault(place, []).append(row)
    ends = tuple(row for place in region for row in lanes[place])
    errands = [_anywhere(way, e, lanes) for e in way.errands]
    if errands and ends:
        errands[-1] = errands[-1]._replace(also=tuple(r for r in ends if r != errands[-1].place))
    stay = () if errands else ends or _at_start(mover, goal, lanes)
    return replace(mover, way=replace(way, errands=tuple(errands), stay=stay))


class _Room(NamedTuple):
    """Where a robot of a radius stands at a place for sure."""

    road: Roadmap
    open_: Bools
    """(n,) places it may use."""
    radius_m: float

    def fits(self, of: Ints, points: Floats) -> Bools:
        """Return which points (k, 3) are on free ground and at their places."""
        surely_m = self.radius_m + self.road.widths.doubt_m
        free = self.open_[of] & self.road.widths.is_free(points, surely_m)
        return np.asarray(free & (_nearest(self.road, points) == of))

    def within(self, beside: _Beside, out: Floats) -> Floats:
        """Return ways out (k, 2) to points, the farthest ones only as far as there is room."""
        far = beside.far == CLEAR
        of = beside.of[far]
        at = self.road.positions[of]
        low, high = np.zeros(len(of)), np.ones(len(of))
        for k in range(HALVINGS):
            share = high if k == 0 else (low + high) / 2
            fits = self.fits(of, at + np.pad(share[:, None] * out[far], ((0, 0), (0, 1))))
            low, high = np.where(fits, share, low), np.where(fits, high, share)
        shorter = out.copy()
        shorter[far] *= low[:, None]
        return shorter


def _nearest(road: Roadmap, points: Floats) -> Ints:
    if len(points) == 0:
        return np.empty(0, np.int64)
    return np.asarray(road.widths.tree.query(points)[1], np.int64)


def _at_start(
    mover: Mover, goal: Formula | None, lanes: Mapping[int, list[int]]
) -> tuple[int, ...]:
    """Return where else a robot is still at the place at which it has to be and is."""
    found = [] if goal is None else [x for x in literals(nnf(goal)) if x.positive]
    if any(x.predicate == "at-object" for x in found):
        return ()
    return tuple(lanes[mover.way.road.start(mover.robot).anchors[0]])


def _anywhere(way: Way, errand: Errand, lanes: Mapping[int, list[int]]) -> Errand:
    """Return an errand that is done anywhere at a place, if it is to be there and nothing else."""
    place = way.place(errand.place)
    if errand.action.action != "goto" or place < 0:
        return errand
    return errand._replace(also=tuple(row for row in lanes[place] if row != errand.place))


def _linked(mover: Mover, points: Floats, of: Ints) -> Way:
    """Return the way with points at places, linked to all that is free around them."""
    way, ground, road = mover.way, mover.way.ground, mover.way.road
    at = np.vstack([ground.points, points])
    a, b = _pairs(road, ground, of)
    p, q = at[a], at[b]
    fits = road.widths.is_free_between(p, q, mover.robot.radius_m + road.widths.doubt_m)
    for share in (0.25, 0.5, 0.75):
        fits &= ~mover.closed[_nearest(road, p + share * (q - p))]
    a, b = a[fits], b[fits]
    stands = sorted({way.start, *(e.place for e in way.errands)})
    free = free_of_things(road, at, a, b, mover.robot, stands)
    a, b = a[free], b[free]
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
    from scipy.sparse import coo_matrix

    first = np.repeat(np.arange(len(ground.points)), np.diff(ground.indptr))
    a = np.concatenate([first, *links])
    b = np.concatenate([ground.indices, *links[::-1]])
    travel = np.concatenate([ground.travel_s, seconds, seconds])
    csr = coo_matrix((travel, (a, b)), shape=(len(at), len(at))).tocsr()
    return Ground(
        at, csr.indptr.astype(np.int64), csr.indices.astype(np.int64), np.asarray(csr.data, float)
    )
