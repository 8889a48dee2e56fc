"""Ways between neighbors that bend: around the corners of the ground that the straight line would cut."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.planning.scene.rim import Rim
from commonground.planning.scene.widths import Widths, too_narrow, widths_of
from commonground.planning.scene.winding import winding
from commonground.scene import Layer
from commonground.scene.parts import connected

SHARED_M = 0.05
"""Robots whose radii differ by less take the same bends where they can."""
DEPTH = 6
"""So often a piece of a way is bent anew."""
PUSHES = 12
"""So often a point is moved away from what is nearest to it."""
FARTHER = (1.0, 1.06, 1.15, 1.3, 1.5)
"""Bends are looked for so many times a radius away from the corner."""
ASIDE_M = (0.2, 0.35, 0.5, 0.75, 1.0)
"""Where that leads nowhere, they are looked for so far to both sides."""
SHARES = (0.3, 0.5, 0.7)
SAME_M = 1e-3
ALONG = 12
"""A straight piece is held against the rim at so many points to find where it is nearest to it."""
Bends = Mapping[tuple[int, int], Floats]
"""Pairs of neighbors, in both directions → the points (k, 3) at which the way from one to the other bends."""


@lru_cache(maxsize=16)
def bends_of(layer: Layer, radius_m: float) -> Bends:
    """Return the neighbors between which a robot gets around corners only, and where it turns."""
    widths = widths_of(layer)
    tight = _tight(layer, radius_m)
    if widths.rim is None or len(tight) == 0:
        return {}
    larger_m = math.ceil(radius_m / SHARED_M - 1e-6) * SHARED_M
    known, hopeless = _shared(layer, larger_m)
    found = {k: known[k] for k in tight.tolist() if k in known}
    for surely_m in (radius_m + widths.doubt_m, radius_m):
        found |= _bends(layer, np.setdiff1d(tight, [*found, *hopeless]), radius_m, surely_m)
    found |= _wound(layer, found, np.setdiff1d(tight, list(found)), radius_m)
    ends = layer.edges.rows.astype(np.int64)
    out: dict[tuple[int, int], Floats] = {}
    for k, points in found.items():
        i, j = ends[k].tolist()
        if (i, j) not in out or _meters(layer, i, j, points) < _meters(layer, i, j, out[i, j]):
            out[i, j], out[j, i] = points, points[::-1]
    return out


def _meters(layer: Layer, i: int, j: int, points: Floats) -> float:
    line = np.vstack([layer.positions[i], points, layer.positions[j]])
    return float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())


def _tight(layer: Layer, radius_m: float) -> Ints:
    """Return the rows of edges between places that are wide enough, which cut a corner."""
    widths = widths_of(layer)
    if widths.rim is None or len(layer.edges) == 0:
        return np.empty(0, np.int64)
    i, j = layer.edges.rows.T.astype(np.int64)
    fits = widths.fits(radius_m) & widths.outlined
    return np.flatnonzero(fits[i] & fits[j] & too_narrow(layer, radius_m))


@lru_cache(maxsize=16)
def _shared(layer: Layer, radius_m: float) -> tuple[dict[int, Floats], list[int]]:
    """Return bends for robots that are no more than a little smaller, by edges, and edges without any."""
    tight = _tight(layer, radius_m)
    found = _bends(layer, tight, radius_m, radius_m + widths_of(layer).doubt_m)
    left = np.setdiff1d(tight, list(found))
    some = _bends(layer, left, radius_m - SHARED_M, radius_m - SHARED_M)
    return found, np.setdiff1d(left, list(some)).tolist()


def _bends(layer: Layer, edges: Ints, radius_m: float, surely_m: float) -> dict[int, Floats]:
    """Return where ways along some edges bend so that they are wide enough, surely where their ends are."""
    widths = widths_of(layer)
    if widths.rim is None or len(edges) == 0:
        return {}
    i, j = layer.edges.rows[edges].T.astype(np.int64)
    radii = radius_m, surely_m
    bending = _Bending(widths, widths.rim, radii, layer.positions[i], layer.positions[j])
    return {int(edges[k]): points for k, points in bending.found().items()}


def _wound(layer: Layer, bent: Iterable[int], left: Ints, radius_m: float) -> dict[int, Floats]:
    """Return where ways wind along edges without which their ends do not hang together, by their rows.

    Looking for them takes long, and so ``left`` is gone through from the shortest edge to the longest.
    """
    ends, n = layer.edges.rows.astype(np.int64), len(layer)
    open_ = ~too_narrow(layer, radius_m)
    open_[list(bent)] = True
    part = connected(n, ends[open_])
    found = dict[int, Floats]()
    meters = np.linalg.norm(np.diff(layer.positions[ends[left]], axis=1)[:, 0], axis=1)
    for k in left[np.argsort(meters, kind="stable")].tolist():
        i, j = ends[k].tolist()
        if part[i] == part[j]:
            continue
        for surely_m in (radius_m + widths_of(layer).doubt_m, radius_m):
            points = winding(layer, (i, j), radius_m, surely_m)
            if points is not None:
                found[k] = points
                part[part == part[i]] = part[j]
                break
    return found


class _Bending:
    """Many straight lines at a time, bent where they are nearest to the rim until they are wide enough."""

    def __init__(
        self, widths: Widths, rim: Rim, radii: tuple[float, float], p: Floats, q: Floats
    ) -> None:
        self.widths, self.rim = widths, rim
        self.least_m, self.radius_m = radii
        self.lines = [np.stack(ends) for ends in zip(p, q, strict=True)]
        self.open_ = np.ones(len(p), bool)

    def found(self) -> dict[int, Floats]:
        """Return the inner points (k, 3) of the lines that could be bent, by their number."""
        left = np.arange(len(self.lines))
        for _ in range(DEPTH):
            left = self._once(left)
            if len(left) == 0:
                break
        self.open_[left] = False
        done = np.flatnonzero(self.open_)
        self._without_needless(done)
        return {int(k): self.lines[k][1:-1] for k in done}

    def _once(self, left: Ints) -> Ints:
        """Bend every piece of some lines that is too narrow; return the lines that had any."""
        of = np.repeat(left, [len(self.lines[k]) - 1 for k in left])
        a = np.concatenate([self.lines[k][:-1] for k in left])
        b = np.concatenate([self.lines[k][1:] for k in left])
        tight = np.flatnonzero(~self._fits(a, b))
        via, good = self._bend(a[tight], b[tight])
        self.open_[of[tight[~good]]] = False
        first = np.searchsorted(of, of[tight])  # of is sorted: pieces of a line follow one another
        for n in range(
            len(tight) - 1, -1, -1
        ):  # from behind, so that pieces before keep their numbers
            k, piece = of[tight[n]], tight[n] - first[n]
            self.lines[k] = np.insert(self.lines[k], piece + 1, via[n], axis=0)
        again = np.unique(of[tight])
        return again[self.open_[again]]

    def _fits(self, a: Floats, b: Floats) -> Bools:
        return self.widths.fits_straight(a, b, self.radius_m, self.least_m)

    def _bend(self, a: Floats, b: Floats) -> tuple[Floats, Bools]:
        """Return a point for each piece a to b (m, 3) around what is nearest, and which points are free."""
        share = np.linspace(0.0, 1.0, ALONG + 2)[1:-1, None, None]
        along = a + share * (b - a)
        _, _, gaps = self.rim.inwards_from(*self._known(along.reshape(-1, 3)))
        worst = along[gaps.reshape(ALONG, -1).argmin(axis=0), np.arange(len(a))]
        best, open_ = self._pushed(worst), np.zeros(len(a), bool)
        for candidates in (*self._off_corners(worst), self._aside(a, b, worst)):
            rows = np.flatnonzero(~open_)
            if len(rows) == 0:
                break
            which, via = self._shortest(a[rows], b[rows], candidates[:, rows])
            best[rows[which]] = via
            open_[rows[which]] = True
        apart = np.minimum(np.linalg.norm(best - a, axis=1), np.linalg.norm(best - b, axis=1))
        return best, open_ | (self.widths.is_free(best, self.radius_m) & (apart > SAME_M))

    def _shortest(self, a: Floats, b: Floats, candidates: Floats) -> tuple[Ints, Floats]:
        """Return the pieces a to b (m, 3) that are free by way of a point of (c, m, 3), and the best one."""
        which, piece = np.nonzero(
            self.widths.is_free(candidates.reshape(-1, 3), self.radius_m).reshape(-1, len(a))
        )
        via = candidates[which, piece]
        free = self._fits(a[piece], via)
        free[free] = self._fits(via[free], b[piece[free]])
        piece, via = piece[free], via[free]
        meters = np.linalg.norm(via - a[piece], axis=1) + np.linalg.norm(via - b[piece], axis=1)
        order = np.lexsort((meters, piece))
        first = order[np.diff(piece[order], prepend=-1) > 0]
        return piece[first], via[first]

    def _known(self, at: Floats) -> tuple[Floats, Bools]:
        return at, self.widths.inside(at)

    def _off_corners(self, worst: Floats) -> Iterator[Floats]:
        """Yield points (1, m, 3) off the corners that some points are next to, farther and farther."""
        corner, way, _ = self.rim.inwards_from(*self._known(worst))
        for farther in FARTHER:
            yield np.column_stack([corner[:, :2] + farther * self.radius_m * way, worst[:, 2]])[
                None
            ]

    def _aside(self, a: Floats, b: Floats, worst: Floats) -> Floats:
        """Return points (c, m, 3) on both sides of pieces a to b (m, 3)."""
        across = np.column_stack([a[:, 1] - b[:, 1], b[:, 0] - a[:, 0], np.zeros(len(a))])
        across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), SAME_M)
        middles = (worst, *(a + share * (b - a) for share in SHARES))
        return np.stack(
            [m + sign * x * across for m in middles for x in ASIDE_M for sign in (1, -1)]
        )

    def _pushed(self, at: Floats) -> Floats:
        """Return points moved away from the rim, wherever that is nearest, until they are wide enough."""
        out, left = at.copy(), np.arange(len(at))
        for _ in range(PUSHES):
            corner, way, meters = self.rim.inwards_from(*self._known(out[left]))
            tight = meters < self.radius_m
            left, corner, way = left[tight], corner[tight], way[tight]
            if len(left) == 0:
                break
            out[left, :2] = corner[:, :2] + (self.radius_m + SAME_M) * way
        return out

    def _without_needless(self, done: Ints) -> None:
        """Leave out points that lines need not bend at, one of each line at a time."""
        longest = max((len(self.lines[k]) for k in done), default=0)
        for k in range(1, longest - 1):
            some = [n for n in done if len(self.lines[n]) > k + 1]
            before = np.array([self.lines[n][k - 1] for n in some]).reshape(-1, 3)
            after = np.array([self.lines[n][k + 1] for n in some]).reshape(-1, 3)
            needless = self._fits(before, after)
            for n in (n for n, no in zip(some, needless, strict=True) if no):
                self.lines[n] = np.delete(self.lines[n], k, axis=0)
