"""Routes along the lanes of a world: long, varied, and shared in part between robots."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.datasets.world.roads import Lanes
from commonground.errors import DataError


def routes(
    lanes: Lanes, count: int, length_m: float, overlap: float, rng: np.random.Generator
) -> list[Floats]:
    """Return a polyline (k, 2) a robot, each at least ``length_m`` long.

    Every robot after the first drives a stretch of the first one's route, as long as ``overlap`` of it:
    the second backwards, the third forwards, and so on. The rest keeps to lanes not driven before. Where
    some lanes are inviting, as those through the doors of buildings are, every route takes one.
    """
    graph = _Walker(lanes, rng)
    invited = graph.invitation()
    first = graph.around(invited, length_m) if invited else graph.walk(graph.some_node(), length_m)
    walks = [first]
    for k in range(1, count):
        shared = _stretch(graph, first, overlap * length_m, rng)
        walks.append(graph.around(shared[::-1] if k % 2 else shared, length_m))
    return [
        _polyline(graph.nodes[np.array(walk)], _left_out(graph, walk, length_m), length_m)
        for walk in walks
    ]


BEYOND_M = 8.0
"""A route goes on this far behind the first door it passes."""


class _Walker:
    """Walks the lanes, preferring those walked least; never turns on the spot, never enters a dead end."""

    def __init__(self, lanes: Lanes, rng: np.random.Generator) -> None:
        self.nodes, self.rng = lanes.nodes, rng
        edges = _without_dead_ends(lanes.edges, len(lanes.nodes))
        if len(edges) == 0:
            raise DataError("this world's lanes have no loop to drive; use a larger world")
        self.next: dict[int, list[int]] = {}
        for a, b in edges.tolist():
            self.next.setdefault(a, []).append(b)
            self.next.setdefault(b, []).append(a)
        keys = map(tuple, np.sort(lanes.edges, axis=1).tolist())
        self.appeals = dict(zip(keys, lanes.appeals.tolist(), strict=True))
        self.visits: dict[tuple[int, int], float] = {}

    def some_node(self) -> int:
        names = sorted(self.next)
        return names[int(self.rng.integers(len(names)))]

    def inviting(self, a: int, b: int) -> bool:
        """Return whether a lane appeals more than is usual."""
        return bool(self.appeals[min(a, b), max(a, b)] > 1.0)

    def doors(self, walk: list[int]) -> list[int]:
        """Return which steps of a walk are inviting lanes."""
        return [k for k, pair in enumerate(pairwise(walk)) if self.inviting(*pair)]

    def invitation(self) -> list[int]:
        """Return the ends of any one inviting lane; nothing where there are none."""
        pairs = [(a, b) for a in sorted(self.next) for b in self.next[a] if self.inviting(a, b)]
        return list(pairs[int(self.rng.integers(len(pairs)))]) if pairs else []

    def around(self, stretch: list[int], length_m: float) -> list[int]:
        """Return a walk with a stretch somewhere in its middle."""
        rest = length_m - self.length(stretch)
        lead = self.walk(stretch[0], rest * self.rng.uniform(0.3, 0.7), avoid=stretch[1:2])[::-1]
        tail = self.walk(stretch[-1], rest - self.length(lead), avoid=stretch[-2:-1])
        return [*lead, *stretch[1:], *tail[1:]]

    def length(self, walk: list[int]) -> float:
        return float(np.linalg.norm(np.diff(self.nodes[np.array(walk)], axis=0), axis=1).sum())

    def walk(self, start: int, length_m: float, avoid: list[int] | None = None) -> list[int]:
        """Return nodes from ``start`` on until the way is long enough; the first step shuns ``avoid``."""
        out, total = [start], 0.0
        previous = avoid[0] if avoid else -1
        while total < length_m:
            here = out[-1]
            options = [n for n in self.next[here] if n != previous]
            weights = np.array([self._liking(previous, here, n) for n in options])
            chosen = options[int(self.rng.choice(len(options), p=weights / weights.sum()))]
            key = (min(here, chosen), max(here, chosen))
            self.visits[key] = self.visits.get(key, 0) + 1
            total += float(np.linalg.norm(self.nodes[chosen] - self.nodes[here]))
            previous = here
            out.append(chosen)
        return out

    def _liking(self, previous: int, here: int, option: int) -> float:
        key = (min(here, option), max(here, option))
        seen = self.visits.get(key, 0)
        ahead = 0.0
        if previous >= 0:
            a, b = self.nodes[here] - self.nodes[previous], self.nodes[option] - self.nodes[here]
            ahead = float(a @ b) / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-9)
        return float(self.appeals[key] * np.exp(0.5 * ahead - 2.5 * min(seen, 6)))


def _without_dead_ends(edges: Ints, count: int) -> Ints:
    while len(edges):
        degree = np.bincount(edges.ravel(), minlength=count)
        alive = (degree[edges] > 1).all(axis=1)
        if alive.all():
            break
        edges = edges[alive]
    return edges


def _stretch(
    graph: _Walker, walk: list[int], length_m: float, rng: np.random.Generator
) -> list[int]:
    """Return a contiguous part of a walk, about as long as asked for, at least one edge; an inviting one."""
    at = _travel(graph.nodes[np.array(walk)])
    low, high = 0.0, max(at[-1] - length_m, 0)
    doors = graph.doors(walk)
    if doors:
        k = doors[int(rng.integers(len(doors)))]
        low, high = np.clip((min(at[k + 1] - length_m, at[k]), at[k]), low, high)
    begin = rng.uniform(low, high)
    i = int(np.searchsorted(at, begin, side="right")) - 1
    j = int(np.searchsorted(at, begin + length_m))
    i = min(i, len(walk) - 2)
    return walk[i : max(j, i + 1) + 1]


def _left_out(graph: _Walker, walk: list[int], length_m: float) -> float:
    """Return the meters at the front of a walk without which its first inviting lane is still driven."""
    at = _travel(graph.nodes[np.array(walk)])
    ends = [at[k + 1] for k in graph.doors(walk)]
    beyond = min(ends[0] + BEYOND_M, at[-1]) if ends else 0.0
    return float(max(beyond - length_m, 0.0))


def _polyline(points: Floats, begin_m: float, length_m: float) -> Floats:
    """Return the polyline from so many meters on, cut to a length."""
    at = _travel(points)
    cuts = begin_m, min(begin_m + length_m, at[-1])
    i, j = np.searchsorted(at, cuts[0], side="right"), np.searchsorted(at, cuts[1])
    ends = [[np.interp(cut, at, points[:, axis]) for axis in (0, 1)] for cut in cuts]
    return np.concatenate([ends[:1], points[i:j], ends[1:]])


def _travel(points: Floats) -> Floats:
    """Return the meters (k,) along a polyline up to each of its points."""
    return np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
