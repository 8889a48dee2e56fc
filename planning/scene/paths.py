"""Shortest paths over a roadmap between points of interest (Dijkstra), around places that are forbidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.planning.scene.roadmap import Roadmap, Spot

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

CROSSED_M = 0.1
"""Straight ways from points are looked at this densely for places that they cross."""
MOST_STEPS = 1000


def crosses(
    road: Roadmap, forbidden: Bools, position: Sequence[float] | Floats, anchors: Sequence[int]
) -> Bools:
    """Return to which places (k,) straight ways from a point cross forbidden ground.

    The ground next to the point itself is not crossed.
    """
    point, ends = np.asarray(position, float), road.positions[list(anchors)]
    steps = np.ceil(np.linalg.norm(ends - point, axis=1).max() / CROSSED_M)
    share = np.linspace(0.0, 1.0, int(min(steps, MOST_STEPS)) + 2)[:, None, None]
    near = road.widths.tree.query(point + share * (ends - point))[1]
    out = np.asarray((forbidden[near] & (near != near[0])).any(axis=0))
    ground = road.kept_out(forbidden)
    if ground is not None:
        out |= [ground.entered_by([np.stack([point, end])]) for end in ends]
    return out


@dataclass(eq=False)
class ShortestPaths:
    """Paths from points of interest that touch no forbidden place; those from one point are found once."""

    roadmap: Roadmap
    forbidden: Bools
    """(n,) places that must not be touched."""
    _rows: dict[Spot, tuple[Floats, Ints]] = field(default_factory=dict)
    _opened: dict[Spot, Bools] = field(default_factory=dict)

    def reach(self, spots: Sequence[Spot]) -> Floats:
        """Return meters (k, n) from each spot to every place; inf where there is no path."""
        self._compute([s for s in dict.fromkeys(spots) if s not in self._rows])
        if not spots:
            return np.empty((0, len(self.forbidden)))
        return np.stack([self._rows[s][0] for s in spots])

    def entries(self, rows: Sequence[int], points: Sequence[Spot]) -> list[int]:
        """Return those of some places that a way may come to first: from other places, or from a point."""
        free, inside = self._free, np.zeros(len(self.forbidden), bool)
        inside[list(rows)] = True
        on_rim = np.diff(np.r_[0, np.cumsum(~inside[free.indices])][free.indptr]) > 0
        on_rim[[row for point in points for row in point.anchors]] = True
        return [row for row in rows if on_rim[row]] or list(rows[:1])

    def between(self, spots: Sequence[Spot]) -> Floats:
        """Return meters (k, k) between spots; 0 from a spot to itself."""
        reach = self.reach(spots)
        out = np.full((len(spots), len(spots)), np.inf)
        for j, spot in enumerate(spots):
            out[:, j] = self._arrive(reach, spot).min(axis=1)
        rows: dict[Spot, list[int]] = {}
        for row, spot in enumerate(spots):
            rows.setdefault(spot, []).append(row)
        for same in rows.values():
            out[np.ix_(same, same)] = 0.0
        return out

    def path(self, a: Spot, b: Spot) -> Ints:
        """Return the rows of the places on the shortest path from a to b."""
        if a == b:
            return np.empty(0, np.int64)
        arrive = self._arrive(self.reach([a]), b)[0]
        row = b.anchors[int(arrive.argmin())]
        previous = self._rows[a][1]
        rows = []
        while 0 <= row < len(self.forbidden):
            rows.append(row)
            row = int(previous[row])
        return np.asarray(rows[::-1], np.int64)

    def _arrive(self, reach: Floats, spot: Spot) -> Floats:
        blocked = np.where(self._open(spot), spot.meters, np.inf)
        return np.asarray(reach[:, list(spot.anchors)] + blocked)

    def _open(self, spot: Spot) -> Bools:
        """Return from which of its anchors (k,) a spot is reached; not across a forbidden place."""
        if spot not in self._opened:
            anchors = list(spot.anchors)
            open_ = ~self.forbidden[anchors] & self.roadmap.usable[anchors]
            if not spot.is_place and self.forbidden.any():
                open_ &= ~crosses(self.roadmap, self.forbidden, spot.position, anchors)
            self._opened[spot] = open_
        return self._opened[spot]

    def _compute(self, spots: list[Spot]) -> None:
        """Run Dijkstra from virtual nodes with edges to the spots' anchors only, so nobody passes through."""
        if not spots:
            return
        from scipy.sparse.csgraph import dijkstra

        n = len(self.forbidden)
        distance, previous = dijkstra(
            self._with_virtual(spots),
            indices=np.arange(n, n + len(spots)),
            return_predecessors=True,
        )
        for k, spot in enumerate(spots):
            self._rows[spot] = (distance[k, :n], np.asarray(previous[k, :n], np.int64))

    def _with_virtual(self, spots: list[Spot]) -> csr_matrix:
        from scipy.sparse import csr_matrix

        free, n = self._free, len(self.forbidden)
        indices, data, counts = [free.indices], [free.data], []
        for spot in spots:
            open_ = [
                (a, max(m, 1e-9))
                for a, m, is_open in zip(spot.anchors, spot.meters, self._open(spot), strict=True)
                if is_open
            ]
            indices.append(np.array([a for a, _ in open_], free.indices.dtype))
            data.append(np.array([m for _, m in open_], float))
            counts.append(len(open_))
        indptr = np.concatenate([free.indptr, free.indptr[-1] + np.cumsum(counts)])
        shape = (n + len(spots), n + len(spots))
        return csr_matrix((np.concatenate(data), np.concatenate(indices), indptr), shape=shape)

    @cached_property
    def _free(self) -> Any:
        """The roadmap's metric without the places that are closed."""
        return self.roadmap.apart_from(self.forbidden | ~self.roadmap.usable)


@dataclass(eq=False)
class PathsByAvoidance:
    """The shortest paths for each set of forbidden places, so that alternatives of a goal share them."""

    roadmap: Roadmap
    _known: dict[bytes, ShortestPaths] = field(default_factory=dict)

    def around(self, forbidden: Bools) -> ShortestPaths:
        """Return the paths that avoid the given places (n,)."""
        key = np.packbits(forbidden).tobytes()
        if key not in self._known:
            self._known[key] = ShortestPaths(self.roadmap, forbidden)
        return self._known[key]


def unrestricted(roadmap: Roadmap) -> ShortestPaths:
    """Return the shortest paths over all places of a roadmap."""
    return ShortestPaths(roadmap, np.zeros(len(roadmap.positions), bool))
