"""The way of one robot as a search problem over places and time: its errands, where they are done."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.planning.scene.paths import crosses
from commonground.planning.scene.plan import Action
from commonground.planning.scene.roadmap import Roadmap, Spot
from commonground.planning.team._sipp_kernels import Errands, Ground
from commonground.planning.team.open_ground import Points, bent_of, linked, open_ground
from commonground.robots import Robot

SAME_M = 1e-6
SAME_S = 1e-3


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
        a, b = np.concatenate([begins, ends]), np.concatenate([ends, begins])
        return replace(self, ground=linked(points, a, b, np.tile((seconds / count)[of], 2)))

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
            csr_matrix(matrix, shape=(n + len(known), n + len(known))), indices=list(known.values())
        )
        return np.asarray(found[[known[tuple(rows)] - n for rows in goals], :n] - SAME_S)


def way_of(
    robot: Robot,
    road: Roadmap,
    closed: Bools,
    actions: Sequence[Action],
    spots: Sequence[Spot] = (),
) -> Way:
    """Return the way of a robot that has planned some actions as if it were alone; ``spots`` are open too."""
    points = Points(road, bent_of(road.places, road.radius_m))
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
    ground = open_ground(road, closed, points, robot, start, stands)
    n = len(road.positions)
    place_of = np.r_[np.arange(n), np.full(len(ground.points) - n, -1)]
    for row, place in points.bent.place_of.items():
        place_of[row] = place
    return Way(robot, road, ground, start, tuple(errands), place_of)
