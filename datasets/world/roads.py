"""Where robots can drive: straight lanes, split where they cross, as a graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Floats, Ints
from commonground.scene.parts import connected

JOIN_M = 0.3
"""Ends of lanes nearer than this are one node."""


@dataclass(frozen=True, slots=True, eq=False)
class Lanes:
    """A graph of drivable straight lines."""

    nodes: Floats
    """(n, 2)"""
    edges: Ints
    """(m, 2)"""
    widths: Floats
    """(m,) meters kept free of things."""
    appeals: Floats
    """(m,) how gladly robots go there; 1 is usual."""

    @property
    def lengths(self) -> Floats:
        """The meters (m,) of each edge."""
        a, b = self.nodes[self.edges[:, 0]], self.nodes[self.edges[:, 1]]
        return np.asarray(np.linalg.norm(b - a, axis=1))

    def distance(self, xy: ArrayLike) -> Floats:
        """Return the meters (k,) from points (k, 2) to the nearest line."""
        a, b = self.nodes[self.edges[:, 0]], self.nodes[self.edges[:, 1]]
        return np.asarray(segment_distance(xy, a, b).min(axis=1))


def segment_distance(xy: ArrayLike, a: Floats, b: Floats) -> Floats:
    """Return the distances (k, m) from points (k, 2) to segments between a and b, each (m, 2)."""
    p = np.asarray(xy, float).reshape(-1, 1, 2)
    d = b - a
    t = ((p - a) * d).sum(-1) / np.maximum((d * d).sum(-1), 1e-12)
    return np.asarray(np.linalg.norm(p - a - np.clip(t, 0, 1)[..., None] * d, axis=-1))


def lanes_of(segments: Sequence[tuple[ArrayLike, ArrayLike, float, float]]) -> Lanes:
    """Return the graph of segments (start, end, width, appeal), cut where they cross; loose parts go."""
    a = np.array([s[0] for s in segments], float)
    b = np.array([s[1] for s in segments], float)
    low, high = np.minimum(a, b) - JOIN_M, np.maximum(a, b) + JOIN_M
    nodes = _Nodes()
    edges: dict[tuple[int, int], tuple[float, float]] = {}
    for i, (_, _, *about) in enumerate(segments):
        near = np.flatnonzero(((low <= high[i]) & (high >= low[i])).all(axis=1))
        near = near[near != i]
        cuts = np.sort([0.0, 1.0, *_crossings(a[i], b[i], a[near], b[near])])
        rows = [nodes.row_of(p) for p in a[i] + cuts[:, None] * (b[i] - a[i])]
        for u, v in pairwise(rows):
            if u != v:
                edges[min(u, v), max(u, v)] = (about[0], about[1])
    widths, appeals = np.array(list(edges.values())).T
    return _largest(Lanes(np.array(nodes.points), np.array(list(edges)), widths, appeals))


def _crossings(p: Floats, q: Floats, a: Floats, b: Floats) -> list[float]:
    """Return where on p–q, as a fraction, segments a–b meet it; ends that stop just short count."""
    d, e, w = q - p, b - a, a - p
    cross = d[0] * e[:, 1] - d[1] * e[:, 0]
    slack = JOIN_M / max(float(np.linalg.norm(d)), 1e-9)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (w[:, 0] * e[:, 1] - w[:, 1] * e[:, 0]) / cross
        s = (w[:, 0] * d[1] - w[:, 1] * d[0]) / cross
    reach = JOIN_M / np.maximum(np.linalg.norm(e, axis=1), 1e-9)
    meets = (np.abs(cross) > 1e-9) & (t > -slack) & (t < 1 + slack) & (s > -reach) & (s < 1 + reach)
    out = np.clip(t[meets], 0, 1).tolist()
    for ends in (a, b):  # an end that lies on this segment, also of a parallel one
        u = ((ends - p) @ d) / max(float(d @ d), 1e-12)
        off = np.linalg.norm(ends - p - np.clip(u, 0, 1)[:, None] * d, axis=1)
        out += np.clip(u[off < JOIN_M], 0, 1).tolist()
    return [float(fraction) for fraction in out]


class _Nodes:
    """Points, each no nearer than the joining distance to one added before."""

    def __init__(self) -> None:
        self.points: list[Floats] = []
        self._cells: dict[tuple[int, int], list[int]] = {}

    def row_of(self, point: Floats) -> int:
        """Return the row of the nearest point within the joining distance, else of this one, added."""
        i, j = (int(v // JOIN_M) for v in point)
        around = [(i + di, j + dj) for di in (-1, 0, 1) for dj in (-1, 0, 1)]
        near = [k for cell in around for k in self._cells.get(cell, ())]
        gaps = [float(np.linalg.norm(self.points[k] - point)) for k in near]
        if gaps and min(gaps) < JOIN_M:
            return near[int(np.argmin(gaps))]
        self._cells.setdefault((i, j), []).append(len(self.points))
        self.points.append(point)
        return len(self.points) - 1


def _largest(lanes: Lanes) -> Lanes:
    part = connected(len(lanes.nodes), lanes.edges)
    kept = part == np.bincount(part).argmax()
    new = np.cumsum(kept) - 1
    mask = kept[lanes.edges[:, 0]]
    return Lanes(lanes.nodes[kept], new[lanes.edges[mask]], lanes.widths[mask], lanes.appeals[mask])
