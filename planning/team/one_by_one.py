"""Ways for a crowded team: robots move one at a time, and all of that as early as it can be.

The search is over joint positions on the places, most promising first, and complete for motions of one
robot at a time; trains and rotations, in which several have to move at once, are beyond it. The steps found
are then put in time: two steps that come too near each other keep their order, all others may overlap.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.planning.team.errands import Hop, Way
from commonground.planning.team.track import HEIGHT_M
from commonground.planning.team.world import HANDOVER_S

Point = tuple[float, float, float]
Place = tuple[int, int]
"""Where a robot is: row of its point, and how many errands it has done."""
Joint = tuple[Place, ...]


class Step(NamedTuple):
    """One robot goes from a point to the next, or does an errand where it is."""

    robot: int
    here: int
    there: int
    done: int
    """Errands done after the step."""


@dataclass(frozen=True, slots=True, eq=False)
class Crowd:
    """Robots that get past each other one at a time."""

    ways: Sequence[Way]
    free_end: Sequence[bool]
    reach_m: Floats
    """(r, r) nearer than this is too near."""
    after: frozenset[tuple[Place, Place]]
    """Pairs (robot, errand), the first not before the second is done."""
    _to_go: list[Floats] = field(default_factory=list)
    _points: list[list[Point]] = field(default_factory=list)
    _apart: dict[tuple[int, int, int, int, int, int], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for way, free in zip(self.ways, self.free_end, strict=True):
            n = len(way.ground.points)
            to_go = way.problem([0.0] * len(way.errands), np.ones(n, bool)).remaining_s
            if not free:
                last = way.errands[-1].place if way.errands else way.start
                to_go[-1] = way.seconds_to([last])[0]
            self._to_go.append(to_go)
            self._points.append([tuple(p) for p in way.ground.points.tolist()])

    def steps(self, time_limit_s: float) -> list[Step]:
        """Return steps after which every errand is done; none where there are none or the time is up."""
        until = time.perf_counter() + time_limit_s
        start = tuple((way.start, 0) for way in self.ways)
        reached: dict[Joint, tuple[Joint | None, tuple[Step, ...]]] = {start: (None, ())}
        queue = [(self._rest(start), 0, start)]
        while queue and time.perf_counter() < until:
            joint = heapq.heappop(queue)[2]
            for step in [None, *self._moves(joint)]:
                after, made = self._with_errands(joint if step is None else _moved(joint, step))
                if after not in reached:
                    reached[after] = (joint, made if step is None else (step, *made))
                    heapq.heappush(queue, (self._rest(after), len(reached), after))
            if self._rest(joint) == 0.0 and self._all_done(joint):
                return _traced(reached, joint)
        return []

    def _rest(self, joint: Joint) -> float:
        return sum(float(self._to_go[i][done, row]) for i, (row, done) in enumerate(joint))

    def _all_done(self, joint: Joint) -> bool:
        return all(
            done == len(way.errands) for way, (_, done) in zip(self.ways, joint, strict=True)
        )

    def _moves(self, joint: Joint) -> Iterator[Step]:
        """Yield the steps of one robot past all others, who stand."""
        for i, (row, done) in enumerate(joint):
            ground = self.ways[i].ground
            for there in ground.indices[ground.indptr[row] : ground.indptr[row + 1]].tolist():
                if all(
                    self.apart(i, row, there, j, other, other)
                    for j, (other, _) in enumerate(joint)
                    if j != i
                ):
                    yield Step(i, row, there, done)

    def _with_errands(self, joint: Joint) -> tuple[Joint, tuple[Step, ...]]:
        """Return the positions with every errand done that can be done there."""
        made: list[Step] = []
        again = True
        while again:
            again = False
            for i, (row, done) in enumerate(joint):
                errands = self.ways[i].errands
                if done == len(errands) or errands[done].place != row:
                    continue
                if all(joint[j][1] > e for (a, (j, e)) in self.after if a == (i, done)):
                    made.append(Step(i, row, row, done + 1))
                    joint, again = _moved(joint, made[-1]), True
        return joint, tuple(made)

    def apart(self, i: int, a: int, b: int, j: int, c: int, d: int) -> bool:
        """Return whether robot i from a to b and robot j from c to d cannot meet, whenever they go."""
        key = (i, a, b, j, c, d)
        if key not in self._apart:
            p, q, r, s = (self._points[k][row] for k, row in ((i, a), (i, b), (j, c), (j, d)))
            gap = distance(p, q, r, s)
            self._apart[key] = gap >= self.reach_m[i, j] or _on_two_floors(p, q, r, s)
        return self._apart[key]

    def timed(self, steps: Sequence[Step]) -> list[list[Hop]]:
        """Return the hops of each robot, every step as early as those allow that it must not meet."""
        hops: list[list[Hop]] = [[] for _ in self.ways]
        ready = [0.0] * len(self.ways)
        finished: dict[Place, float] = {}
        past: list[tuple[Step, float]] = []
        for step in steps:
            i = step.robot
            begin = ready[i]
            for other, end in past:
                j = other.robot
                if j != i and end > begin:
                    meets = not self.apart(i, step.here, step.there, j, other.here, other.there)
                    begin = end if meets else begin
            if step.here == step.there:
                for a, b in self.after:
                    if a == (i, step.done - 1):
                        begin = max(begin, finished[b] + HANDOVER_S)
                end = begin + self.ways[i].errands[step.done - 1].lasts_s
                finished[i, step.done - 1] = end
            else:
                p, q = self._points[i][step.here], self._points[i][step.there]
                end = begin + math.dist(p, q) / self.ways[i].robot.speed_mps
            hops[i].append(Hop(begin, end, step.there, step.done))
            ready[i] = end
            past.append((step, end))
        return hops


def _moved(joint: Joint, step: Step) -> Joint:
    return (*joint[: step.robot], (step.there, step.done), *joint[step.robot + 1 :])


def _traced(
    reached: dict[Joint, tuple[Joint | None, tuple[Step, ...]]], joint: Joint
) -> list[Step]:
    parts: list[tuple[Step, ...]] = []
    at: Joint | None = joint
    while at is not None:
        at, made = reached[at]
        parts.append(made)
    return [step for part in reversed(parts) for step in part]


def _on_two_floors(p: Point, q: Point, r: Point, s: Point) -> bool:
    low, high = sorted(((p[2], q[2]), (r[2], s[2])))
    return min(high) - max(low) >= HEIGHT_M


def distance(p: Point, q: Point, r: Point, s: Point) -> float:
    """Return meters on the ground between two segments."""
    if p != q and r != s and _crosses(p, q, r, s) and _crosses(r, s, p, q):
        return 0.0
    return min(_to(p, r, s), _to(q, r, s), _to(r, p, q), _to(s, p, q))


def _crosses(p: Point, q: Point, r: Point, s: Point) -> bool:
    """Return whether r and s are on two sides of the line through p and q."""
    x, y = q[0] - p[0], q[1] - p[1]
    one = x * (r[1] - p[1]) - y * (r[0] - p[0])
    two = x * (s[1] - p[1]) - y * (s[0] - p[0])
    return one * two < 0.0


def _to(p: Point, a: Point, b: Point) -> float:
    """Return meters on the ground from a point to a segment."""
    x, y = b[0] - a[0], b[1] - a[1]
    length2 = x * x + y * y
    t = ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / length2 if length2 > 0.0 else 0.0
    t = min(max(t, 0.0), 1.0)
    return math.hypot(p[0] - a[0] - t * x, p[1] - a[1] - t * y)
