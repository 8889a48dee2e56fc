"""The way of one robot as a search problem over places and time, and the found way as timed actions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.planning.scene.bends import bends_of
from commonground.planning.scene.footprints import footprints_of
from commonground.planning.scene.paths import crosses
from commonground.planning.scene.plan import Action
from commonground.planning.scene.roadmap import Roadmap, Spot
from commonground.planning.scene.widths import widths_of
from commonground.planning.team._sipp_kernels import Errands, Ground
from commonground.robots import Robot
from commonground.scene import Layer

SAME_M = 1e-6
SAME_S = 1e-3
PAUSE_S = 1e-3
"""Shorter stops are no waits: the motion is that much slower."""


class Errand(NamedTuple):
    """Something a robot does at a point."""

    place: int
    """Row of the point in the search."""
    target: str
    """What a motion there is about."""
    action: Action
    """What is done there; a goto that only arrives lasts no time."""
    beside: int = -1
    """Row of the place next to the point, −1 for none."""
    also: tuple[int, ...] = ()
    """Rows of other points where it can be done as well."""

    @property
    def lasts_s(self) -> float:
        """Seconds it takes."""
        return 0.0 if self.action.action == "goto" else self.action.end_s - self.action.start_s

    @property
    def rows(self) -> tuple[int, ...]:
        """Rows of all points where it can be done."""
        return (self.place, *self.also)


class Hop(NamedTuple):
    """A step of a found way: when a point was left, and when the next state began."""

    left_s: float
    begin_s: float
    place: int
    done: int


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """Where a robot can go, and what it has to do there in which order."""

    robot: Robot
    road: Roadmap
    ground: Ground
    start: int
    errands: tuple[Errand, ...]
    place_of: Ints
    """(m,) row of the place that each of the first points is at, −1 for none."""
    stay: tuple[int, ...] = ()
    """Where else it may end if it has no errands."""
    one_way: bool = False
    """Whether some ways lead one way only."""

    @property
    def last(self) -> tuple[int, ...]:
        """Rows of the points where its last errand can be done; where it starts for none."""
        return self.errands[-1].rows if self.errands else (self.start, *self.stay)

    def choices(self) -> tuple[Way, ...]:
        """Return the way with everything done on the very places, then beside them where there is room."""
        if not self.stay and not any(e.also for e in self.errands):
            return (self,)
        exact = tuple(e._replace(also=()) for e in self.errands)
        return replace(self, errands=exact, stay=()), self

    def place(self, row: int) -> int:
        """Return the row of the place that a point is at, −1 for none."""
        return int(self.place_of[row]) if row < len(self.place_of) else -1

    def nearest(self, row: int) -> int:
        """Return the row of the place that a point is at, or of the one next to it."""
        at = self.place(row)
        return at if at >= 0 else int(self.road.widths.tree.query(self.ground.points[row])[1])

    def problem(self, releases_s: Sequence[float], ends: Bools) -> Errands:
        """Return the errands for the search, each not before its release."""
        k = len(self.errands)
        at = np.zeros((k, len(self.ground.points)), bool)
        for j, errand in enumerate(self.errands):
            at[j, list(errand.rows)] = True
        lasts = np.array([e.lasts_s for e in self.errands])
        remaining = np.zeros((k + 1, len(self.ground.points)))
        if all(len(e.rows) == 1 for e in self.errands):
            remaining[:k] = self.seconds_to([e.rows for e in self.errands])
            for j in range(k - 1, -1, -1):
                remaining[j] += lasts[j] + remaining[j + 1, self.errands[j].place]
        else:
            for j in range(k - 1, -1, -1):
                after = remaining[j + 1, list(self.errands[j].rows)]
                remaining[j] = lasts[j] + self.seconds_to([self.errands[j].rows], after)[0]
        return Errands(at, lasts, np.asarray(releases_s, float), remaining, ends)

    def at_places(self) -> Way:
        """Return the way with everything done from the places beside, not from the very points."""
        moved = (e._replace(place=e.beside if e.beside >= 0 else e.place) for e in self.errands)
        return replace(self, errands=tuple(moved))

    def halved(self) -> Way:
        """Return the way with a point in the middle of every edge."""
        ground, n = self.ground, len(self.ground.points)
        a = np.repeat(np.arange(n), np.diff(ground.indptr))
        b = ground.indices
        key, row = np.unique(np.minimum(a, b) * n + np.maximum(a, b), return_inverse=True)
        middle = (ground.points[key // n] + ground.points[key % n]) / 2
        indptr = np.r_[ground.indptr, ground.indptr[-1] + 2 * np.arange(1, len(key) + 1)]
        indices = np.r_[n + row, np.column_stack([key // n, key % n]).ravel()]
        travel = np.zeros(len(key))
        travel[row] = ground.travel_s / 2
        halves = np.r_[ground.travel_s / 2, np.repeat(travel, 2)]
        points = np.vstack([ground.points, middle])
        return replace(self, ground=Ground(points, indptr, indices.astype(np.int64), halves))

    def cut(self, piece_m: float) -> Way:
        """Return the way with every edge cut into equal pieces, none longer than so many meters."""
        ground, n = self.ground, len(self.ground.points)
        a = np.repeat(np.arange(n), np.diff(ground.indptr))
        once = a < ground.indices
        a, b, seconds = a[once], ground.indices[once], ground.travel_s[once]
        count = np.maximum(np.ceil(seconds * self.robot.speed_mps / piece_m - SAME_M), 1).astype(
            int
        )
        of = np.repeat(np.arange(len(a)), count)
        k = np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count)
        inner = k > 0
        share = (k / count[of])[inner, None]
        first, last = ground.points[a[of]][inner], ground.points[b[of]][inner]
        row = np.full(len(of), -1)
        row[inner] = n + np.arange(int(inner.sum()))
        begins = np.where(inner, row, a[of])
        ends = np.where(k == count[of] - 1, b[of], np.append(row[1:], -1))
        points = np.vstack([ground.points, first + share * (last - first)])
        return replace(self, ground=_linked(points, begins, ends, (seconds / count)[of]))

    def seconds_to(self, goals: Sequence[Sequence[int]], after_s: Floats | None = None) -> Floats:
        """Return the seconds (k, n) from every point to the nearest of each of some sets of them.

        Nobody else is about. ``after_s`` are the seconds to go from each point of a single set.
        """
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import dijkstra

        n = len(self.ground.points)
        travel, indices, indptr = self.ground.travel_s, self.ground.indices, self.ground.indptr
        if self.one_way:
            back = csr_matrix((travel, indices, indptr), shape=(n, n)).T.tocsr()
            travel, indices, indptr = back.data, back.indices, back.indptr
        known = {rows: n + k for k, rows in enumerate(dict.fromkeys(map(tuple, goals)))}
        if not known:
            return np.empty((0, n))
        ends = np.concatenate([list(rows) for rows in known])
        extra = np.full(len(ends), SAME_S) if after_s is None else SAME_S + np.asarray(after_s)
        counts = indptr[-1] + np.cumsum([len(rows) for rows in known])
        matrix = np.r_[travel, extra], np.r_[indices, ends], np.r_[indptr, counts]
        # the links from the sets lead one way, so that nobody gets from point to point through them
        found = dijkstra(
            csr_matrix(matrix, shape=(n + len(known), n + len(known))),
            indices=list(known.values()),
        )
        return np.asarray(found[[known[tuple(rows)] - n for rows in goals], :n] - SAME_S)

    def actions(self, hops: Sequence[Hop]) -> tuple[Action, ...]:
        """Return a found way as motions, waits and the errands between them."""
        return tuple(_Teller(self).told(hops))


class _Teller:
    """Turns hops into actions, one motion between two stands."""

    def __init__(self, way: Way) -> None:
        self.way, self.errands = way, way.errands
        self.rows = [way.start]
        self.since_s = 0.0
        self.now_s = 0.0
        self.waited = False

    def told(self, hops: Sequence[Hop]) -> Iterator[Action]:
        """Yield the actions."""
        done = 0
        for hop in hops:
            errand = self.errands[done] if done < len(self.errands) else None
            if hop.left_s > self.now_s + PAUSE_S:
                yield from self._stood()
                yield self._wait(hop.left_s)
            if hop.done > done and errand is not None:
                if len(self.rows) > 1 or errand.action.action == "goto" or self.waited:
                    yield from self._moved(errand.target, errand)
                if errand.action.action != "goto":
                    here = self._points()[-1:]
                    yield replace(
                        errand.action, path_map=here, start_s=hop.left_s, end_s=hop.begin_s
                    )
                self.rows, self.since_s = [hop.place], hop.begin_s
            else:
                slow = self._is_slow(hop)
                if len(self.rows) > 1 and (slow or self.way.place(self.rows[-1]) < 0):
                    yield from self._stood()  # the places before and after it need be no neighbors
                self.rows.append(hop.place)
                self.waited = False
                if slow:
                    self.now_s = hop.begin_s
                    yield from self._stood()
            done, self.now_s = hop.done, hop.begin_s
        yield from self._stood()

    def _is_slow(self, hop: Hop) -> bool:
        """Return whether a hop takes longer than it has to, because others move at the same time."""
        points = self.way.ground.points
        meters = float(np.linalg.norm(points[hop.place] - points[self.rows[-1]]))
        return hop.begin_s - hop.left_s > meters / self.way.robot.speed_mps + PAUSE_S

    def _stood(self) -> Iterator[Action]:
        """Yield the motion up to here, where nothing is done."""
        if len(self.rows) > 1:
            yield from self._moved(self.way.road.symbol(self.way.nearest(self.rows[-1])))

    def _moved(self, target: str, errand: Errand | None = None) -> Iterator[Action]:
        yield Action(
            "goto",
            target,
            self._points(),
            self._symbols() + self._arrived(errand),
            start_s=self.since_s,
            end_s=self.now_s,
        )
        self.rows, self.since_s, self.waited = self.rows[-1:], self.now_s, False

    def _arrived(self, errand: Errand | None) -> tuple[str, ...]:
        """Return the place next to where something is done, if the way there led by its neighbor alone."""
        places = [place for place in map(self.way.place, self.rows) if place >= 0]
        if errand is None or self.rows[-1] != errand.place or errand.beside in (-1, *places[-1:]):
            return ()
        if not places:
            return ()
        first, last = self.way.ground.indptr[places[-1] : places[-1] + 2]
        linked = errand.beside in self.way.ground.indices[first:last]
        return (self.way.road.symbol(errand.beside),) if linked else ()

    def _wait(self, until_s: float) -> Action:
        begin, self.since_s, self.now_s, self.waited = self.now_s, until_s, until_s, True
        return Action("wait", "", self._points()[-1:], start_s=begin, end_s=until_s)

    def _points(self) -> Floats:
        return np.asarray(self.way.ground.points[self.rows])

    def _symbols(self) -> tuple[str, ...]:
        places = [place for place in map(self.way.place, self.rows) if place >= 0]
        return tuple(self.way.road.symbol(place) for place, _ in itertools.groupby(places))


class _Bent(NamedTuple):
    """The points at which ways between neighbors bend, and how they hang together."""

    points: Floats
    """(k, 3), their rows after those of the places."""
    links: list[tuple[int, int]]
    place_of: dict[int, int]
    """Rows of points → the places they are at, one of both neighbors if that is next to them."""


@lru_cache(maxsize=64)
def _bent(layer: Layer, radius_m: float) -> _Bent:
    n, ways = len(layer), [(a, b, p) for (a, b), p in bends_of(layer, radius_m).items() if a < b]
    if not ways:
        return _Bent(np.empty((0, 3)), [], {})
    links, places = list[tuple[int, int]](), dict[int, int]()
    points = np.concatenate([at for _, _, at in ways]).reshape(-1, 3)
    nearest = widths_of(layer).tree.query(points)[1].tolist()
    first = 0
    for a, b, at in ways:
        inner = range(first, first + len(at))
        links += itertools.pairwise([a, *(n + k for k in inner), b])
        places |= {n + k: nearest[k] for k in inner if nearest[k] in (a, b)}
        first += len(at)
    return _Bent(points, links, places)


@dataclass(slots=True)
class _Points:
    """The points of a way: the places, those at which ways bend, and others that are linked to some."""

    road: Roadmap
    bent: _Bent
    extra: list[Floats] = field(default_factory=list)
    links: list[tuple[int, int]] = field(default_factory=list)

    @property
    def all(self) -> Floats:
        """All points (m, 3) in the order of their rows."""
        more = np.array(self.extra).reshape(-1, 3)
        return np.concatenate([self.road.positions, self.bent.points, more])

    def add(self, at: Floats, anchors: Sequence[int]) -> int:
        """Return the row of a point: a place among its anchors, one that is known, or a new one."""
        n = len(self.road.positions)
        for row in anchors:
            if row < n and np.linalg.norm(self.road.positions[row] - at) < SAME_M:
                return row
        others = self.all[n:]
        known = np.flatnonzero(np.linalg.norm(others - at, axis=1) < SAME_M).tolist()
        if not known:
            known = [len(others)]
            self.extra.append(np.asarray(at, float))
        self.link(n + known[0], anchors)
        return n + known[0]

    def link(self, row: int, others: Sequence[int]) -> None:
        """Let the robot go straight between a point that is no place and some others."""
        if row >= len(self.road.positions):
            self.links.extend((row, other) for other in others)


def way_of(
    robot: Robot,
    road: Roadmap,
    closed: Bools,
    actions: Sequence[Action],
    spots: Sequence[Spot] = (),
) -> Way:
    """Return the way of a robot that has planned some actions as if it were alone; ``spots`` are open too."""
    points = _Points(road, _bent(road.places, road.radius_m))
    anchors = np.array(road.start(robot).anchors)
    if closed.any():
        anchors = anchors[~crosses(road, closed, robot.position, anchors.tolist())]
    start = here = points.add(robot.position, anchors.tolist())
    for spot in spots:
        points.link(points.add(np.array(spot.position), spot.anchors), spot.anchors)
    beside = -1
    errands: list[Errand] = []
    target = ""
    done = [a for a in actions if a.action != "wait"]
    for action, following in itertools.zip_longest(done, done[1:]):
        if action.action != "goto":
            errands.append(Errand(here, target or action.target, action, beside))
            target = action.target
            continue
        rows = [road.row(place) for place in action.places]
        points.link(here, rows[:1])
        here = points.add(action.path_map[-1], rows[-1:] or [here])
        beside = road.nearest(action.path_map[-1])
        target = action.target
        if (
            following is None or following.action == "goto"
        ):  # else one errand with what is done there
            errands.append(Errand(here, target, action, beside))
    stands = sorted({start, *(e.place for e in errands)})
    ground = _ground(road, closed, points, robot, stands)
    n = len(road.positions)
    place_of = np.r_[np.arange(n), np.full(len(ground.points) - n, -1)]
    for row, place in points.bent.place_of.items():
        place_of[row] = place
    return Way(robot, road, ground, start, tuple(errands), place_of)


def _ground(
    road: Roadmap, closed: Bools, points: _Points, robot: Robot, stands: Sequence[int]
) -> Ground:
    """Return the open places with the extra points linked to them, without steps that touch objects."""
    from scipy.sparse import coo_matrix

    links = [*points.bent.links, *points.links]
    at = points.all
    total = len(at)
    metric = road.metric.tocoo()
    rows: Ints = np.concatenate([metric.row, [a for a, _ in links], [b for _, b in links]])
    columns: Ints = np.concatenate([metric.col, [b for _, b in links], [a for a, _ in links]])
    rows, columns = rows.astype(np.int64), columns.astype(np.int64)
    shut = np.concatenate([closed | ~road.usable, np.zeros(total - len(closed), bool)])
    keep = ~shut[rows] & ~shut[columns] & (rows != columns)
    bent = [a * total + b for a, b in road.bends]
    keep &= ~np.isin(rows * total + columns, bent)
    key = np.unique(rows[keep] * total + columns[keep])
    rows, columns = key // total, key % total
    known = len(road.positions) + len(points.bent.points)
    free = np.ones(len(rows), bool)
    own = (rows >= known) | (columns >= known) | np.isin(rows, stands) | np.isin(columns, stands)
    free[own] = free_of_things(road, at, rows[own], columns[own], robot, stands)
    blocked = _blocked(road.graph.objects, road.places, road.radius_m)
    free[~own] = ~np.isin(rows[~own] * known + columns[~own], blocked)
    rows, columns = rows[free], columns[free]
    meters = np.maximum(np.linalg.norm(at[rows] - at[columns], axis=1), SAME_M)
    csr = coo_matrix((meters / robot.speed_mps, (rows, columns)), shape=(total, total)).tocsr()
    return Ground(
        at, csr.indptr.astype(np.int64), csr.indices.astype(np.int64), np.asarray(csr.data, float)
    )


@lru_cache(maxsize=64)
def _blocked(objects: Layer, places: Layer, radius_m: float) -> Ints:
    """Return the steps over places and bends on which things stand: rows times their number plus columns."""
    prints, bent = footprints_of(objects), _bent(places, radius_m)
    at = np.concatenate([places.positions, bent.points])
    steps = np.concatenate(
        [places.edges.rows.astype(np.int64), np.array(bent.links, np.int64).reshape(-1, 2)]
    )
    if len(prints) == 0 or len(steps) == 0:
        return np.empty(0, np.int64)
    a, b = steps[np.unique(prints.hits(at[steps[:, 0]], at[steps[:, 1]], radius_m, at[:0])[1])].T
    return np.asarray(np.unique(np.concatenate([a * len(at) + b, b * len(at) + a])))


def _linked(points: Floats, a: Ints, b: Ints, travel_s: Floats) -> Ground:
    """Return the ground of some points with ways there and back between a and b (m,)."""
    from scipy.sparse import coo_matrix

    total = len(points)
    both = np.concatenate([a, b]), np.concatenate([b, a])
    csr = coo_matrix((np.tile(travel_s, 2), both), shape=(total, total)).tocsr()
    return Ground(
        points, csr.indptr.astype(np.int64), csr.indices.astype(np.int64), np.asarray(csr.data)
    )


def free_of_things(
    road: Roadmap, at: Floats, rows: Ints, columns: Ints, robot: Robot, stands: Sequence[int]
) -> Bools:
    """Return the steps (m,) on which no object stands; from where a robot has to stand it may be near one."""
    prints = footprints_of(road.graph.objects)
    out = np.ones(len(rows), bool)
    if len(prints) == 0:
        return out
    at_stand = np.isin(rows, stands) | np.isin(columns, stands)
    for stand in [-1, *stands]:
        steps = np.flatnonzero(((rows == stand) | (columns == stand)) if stand >= 0 else ~at_stand)
        ends = at[[stand]] if stand >= 0 else at[:0]
        a, b = at[rows[steps]], at[columns[steps]]
        out[steps[prints.hits(a, b, robot.radius_m, ends)[1]]] = False
    return out
