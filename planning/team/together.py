"""Ways for a crowded team: steps of robots that move while the others stand, as early as they can be.

The search is over joint positions on the places (``_together_kernels``), with every edge in halves where
whole edges do not lead anywhere. The steps found are then put in time: two steps that come too near each
other keep their order, all others may overlap.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.planning.team._fewest_kernels import fewest
from commonground.planning.team._together_kernels import Field, Tree, empty_tree, search
from commonground.planning.team.errands import Hop, Way
from commonground.planning.team.track import HEIGHT_M
from commonground.planning.team.watch import STEPS_PER_S, Watch
from commonground.planning.team.world import HANDOVER_S

MOVES = 40
"""In searches for the fewest steps so many are looked at for each state that there may be."""
Point = tuple[float, float, float]
Place = tuple[int, int]
"""A robot and one of its errands."""


class Step(NamedTuple):
    """One robot goes from a point to the next, or does an errand where it is."""

    robot: int
    here: int
    there: int
    done: int
    """Errands done after the step."""


@dataclass(frozen=True, slots=True, eq=False)
class Crowd:
    """Robots that get past each other."""

    ways: Sequence[Way]
    free_end: Sequence[bool]
    reach_m: Floats
    """(r, r) nearer than this is too near."""
    after: frozenset[tuple[Place, Place]]
    """Pairs (robot, errand), the first not before the second is done."""
    _points: list[list[Point]] = field(default_factory=list)
    _apart: dict[tuple[int, int, int, int, int, int], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._points.extend([tuple(p) for p in way.ground.points.tolist()] for way in self.ways)

    def steps(
        self, most: int, weights: Floats | None = None, watch: Watch | None = None
    ) -> list[list[Step]] | None:
        """Return steps, each of robots that move together, after which all errands are done; None for none.

        An empty list says that so many states were not enough. ``weights`` say how much the seconds that each
        robot has to go count. A watch is told of the work.
        """
        tree = empty_tree(len(self.ways), most)
        field_, first = self._field()
        if weights is not None:
            rows = np.repeat(weights, np.diff(first))
            field_ = field_._replace(to_go=field_.to_go * rows[:, None])
        starts = first[:-1] + np.array([way.start for way in self.ways], np.int64)
        last = search(field_, tree, starts)
        if watch is not None:
            watch.did(int(tree.size[1]) * len(self.ways) / STEPS_PER_S)
        if last < 0:
            return None if last == -1 else []
        return self._traced(tree, last, first)

    def fewest_steps(self, most: int, sooner_than: float) -> list[list[Step]]:
        """Return the fewest steps of all robots at once, where every edge takes one; none for too many.

        ``most`` is how many states are looked at.
        """
        tree = empty_tree(len(self.ways), most)
        field_, first = self._field()
        field_ = field_._replace(to_go=np.round(field_.to_go))
        starts = first[:-1] + np.array([way.start for way in self.ways], np.int64)
        last = fewest(field_, tree, starts, sooner_than, MOVES * most)
        return self._traced(tree, last, first) if last >= 0 else []

    def _field(self) -> tuple[Field, Ints]:
        """Return the grounds one behind the other, and the first row of each."""
        ways = self.ways
        sizes = [len(way.ground.points) for way in ways]
        first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        edges = np.concatenate([[0], np.cumsum([len(way.ground.indices) for way in ways])])
        most = max(len(way.errands) for way in ways)
        at = np.zeros((int(first[-1]), most + 1), bool)
        to_go = np.zeros((int(first[-1]), most + 1))
        for k, (way, free) in enumerate(zip(ways, self.free_end, strict=True)):
            count = len(way.errands)
            problem = way.problem([0.0] * count, np.ones(sizes[k], bool))
            at[first[k] : first[k + 1], :count] = problem.at.T
            rest = problem.remaining_s.copy()
            if not free:
                rest[-1] = way.seconds_to([way.last])[0]
            to_go[first[k] : first[k + 1], : count + 1] = rest.T
        indptr = [way.ground.indptr[:-1] + edges[k] for k, way in enumerate(ways)]
        indices = [way.ground.indices + first[k] for k, way in enumerate(ways)]
        return Field(
            np.ascontiguousarray(np.vstack([way.ground.points for way in ways])),
            np.concatenate([*indptr, edges[-1:]]).astype(np.int64),
            np.concatenate(indices).astype(np.int64),
            np.ascontiguousarray(self.reach_m, float),
            at,
            np.array([len(way.errands) for way in ways], np.int64),
            np.array([(*a, *b) for a, b in sorted(self.after)], np.int64).reshape(-1, 4),
            to_go,
        ), first

    def _traced(self, tree: Tree, last: int, first: Ints) -> list[list[Step]]:
        """Return the steps that lead to a state; errands are steps of their own, the others' first."""
        out: list[list[Step]] = []
        states = [last]
        while tree.parent[states[-1]] >= 0:
            states.append(int(tree.parent[states[-1]]))
        rows, done = tree.rows[states[::-1]] - first[:-1], tree.done[states[::-1]]
        for k in range(len(rows)):
            before = np.zeros_like(done[0]) if k == 0 else done[k - 1]
            here = rows[max(k - 1, 0)]
            moved = np.flatnonzero(rows[k] != here)
            group = [Step(int(i), int(here[i]), int(rows[k, i]), int(before[i])) for i in moved]
            out += [group] if group else []
            out += [[step] for step in self._in_turn(rows[k], before, done[k])]
        return out

    def _in_turn(self, rows: Ints, before: Ints, done: Ints) -> Iterator[Step]:
        """Yield the errands done where robots are, each after those it has to come after."""
        now = before.copy()
        while (now < done).any():
            for i in np.flatnonzero(now < done).tolist():
                if all(now[j] > e for a, (j, e) in self.after if a == (i, now[i])):
                    now[i] += 1
                    yield Step(i, int(rows[i]), int(rows[i]), int(now[i]))

    def apart(self, i: int, a: int, b: int, j: int, c: int, d: int) -> bool:
        """Return whether robot i from a to b and robot j from c to d cannot meet, whenever they go."""
        key = (i, a, b, j, c, d)
        if key not in self._apart:
            p, q, r, s = (self._points[k][row] for k, row in ((i, a), (i, b), (j, c), (j, d)))
            gap = distance(p, q, r, s)
            self._apart[key] = gap >= self.reach_m[i, j] or _on_two_floors(p, q, r, s)
        return self._apart[key]

    def timed(self, groups: Sequence[Sequence[Step]]) -> list[list[Hop]]:
        """Return the hops of each robot, every step as early as those allow that it must not meet."""
        hops: list[list[Hop]] = [[] for _ in self.ways]
        ready = [0.0] * len(self.ways)
        finished: dict[Place, float] = {}
        past: list[tuple[Step, float]] = []
        for group in groups:
            begin = max(self._earliest(step, ready[step.robot], past, finished) for step in group)
            begin = max(begin, *(ready[step.robot] for step in group))
            end = begin + max(self._lasts_s(step) for step in group)
            for step in group:
                if step.here == step.there:
                    finished[step.robot, step.done - 1] = end
                hops[step.robot].append(Hop(begin, end, step.there, step.done))
                ready[step.robot] = end
                past.append((step, end))
        return hops

    def _earliest(
        self,
        step: Step,
        ready_s: float,
        past: Sequence[tuple[Step, float]],
        finished: dict[Place, float],
    ) -> float:
        """Return when a step may begin: after all before it that its robot could meet."""
        i, begin = step.robot, ready_s
        for other, end in past:
            j = other.robot
            if j != i and end > begin:
                meets = not self.apart(i, step.here, step.there, j, other.here, other.there)
                begin = end if meets else begin
        if step.here == step.there:
            for a, b in self.after:
                if a == (i, step.done - 1):
                    begin = max(begin, finished[b] + HANDOVER_S)
        return begin

    def _lasts_s(self, step: Step) -> float:
        way = self.ways[step.robot]
        if step.here == step.there:
            return way.errands[step.done - 1].lasts_s
        p, q = (self._points[step.robot][row] for row in (step.here, step.there))
        return math.dist(p, q) / way.robot.speed_mps


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
