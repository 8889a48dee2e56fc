"""How good the ground and the paths of a map are, against what a simulator's frames truly showed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.frame import Frame
from commonground.geometry import apply
from commonground.mapping.space.region_scores import owners
from commonground.scene import Layer

REACH_STEPS = np.array(
    [(i, j) for i in range(-3, 4) for j in range(0, 4) if np.gcd(i, j) == 1 and (j or i > 0)]
)
"""Half of the moves on a grid whose headings are at most 11° apart: detours stay under half a percent."""


@dataclass(frozen=True, slots=True, eq=False)
class TrueGround:
    """Cells of ground that were seen."""

    points: Floats
    """(n, 3) mean point of each cell, world."""
    labels: Ints
    """(n,) class number seen most in it."""
    cell_m: float


class GroundSeen:
    """Collects from frames with true poses and labels which ground they showed.

    Ground counts where at least ``least_frames`` images show it within ``far_m``.
    """

    def __init__(
        self,
        labels: Mapping[int, str],
        ground_words: Sequence[str],
        *,
        cell_m: float = 0.2,
        far_m: float = 8.0,
        least_frames: int = 3,
    ) -> None:
        self.cell_m, self.far_m, self.least_frames = cell_m, far_m, least_frames
        self._is_ground = np.zeros(max(labels, default=0) + 2, bool)
        self._is_ground[[k for k, word in labels.items() if word in ground_words]] = True
        self._sums: dict[tuple[int, int, int], Floats] = {}

    def add(self, frame: Frame) -> None:
        """Take one frame."""
        if frame.labels is None or frame.T_world_cam is None:
            return
        depth, step = frame.depth_m, max(1, frame.depth_m.shape[0] // 240)
        usable = np.isfinite(depth) & (depth < self.far_m) & self._is_ground[frame.labels]
        v, u = np.nonzero(usable[::step, ::step])
        v, u = v * step, u * step
        K, z = frame.camera.K, depth[v, u].astype(float)
        p = apply(
            frame.T_world_cam,
            np.c_[(u - K[0, 2]) / K[0, 0] * z, (v - K[1, 2]) / K[1, 1] * z, z],
        )
        keys = np.c_[np.floor(p[:, :2] / self.cell_m), frame.labels[v, u]].astype(np.int64)
        cells, group, count = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
        sums = np.stack([np.bincount(group.ravel(), p[:, k], len(cells)) for k in range(3)], axis=1)
        for cell, total, n in zip(cells.tolist(), sums, count, strict=True):
            row = self._sums.setdefault(tuple(cell), np.zeros(5))
            row += (*total, n, 1)

    def ground(self) -> TrueGround:
        """Return the cells seen often enough; each has the class of most of its points."""
        keys = np.array(list(self._sums), np.int64).reshape(-1, 3)
        sums = np.array(list(self._sums.values())).reshape(-1, 5)
        order = np.lexsort((-sums[:, 3], keys[:, 1], keys[:, 0]))
        keys, sums = keys[order], sums[order]
        first = np.ones(len(keys), bool)
        first[1:] = (keys[1:, :2] != keys[:-1, :2]).any(axis=1)
        kept = first & (sums[:, 4] >= self.least_frames)
        return TrueGround(
            sums[kept, :3] / sums[kept, 3:4], np.asarray(keys[kept, 2], np.int64), self.cell_m
        )


@dataclass(frozen=True, slots=True)
class GroundScores:
    """How much of the ground seen is in surface places, and how much of that in those of its class."""

    coverage: float
    label_accuracy: float
    area_m2: float


def evaluate_ground(
    surface: Layer, true: TrueGround, labels: Mapping[int, str], T_world_map: Floats | None = None
) -> GroundScores:
    """Compare surface places with the ground that was seen."""
    owner = owners(surface, true.points, T_world_map)
    inside = owner >= 0
    words = np.array([labels.get(int(k), "") for k in true.labels])
    named = np.array([*surface.names, ""])[owner]
    right = float((words == named)[inside].mean()) if inside.any() else float("nan")
    return GroundScores(
        coverage=float(inside.mean()) if len(inside) else float("nan"),
        label_accuracy=right,
        area_m2=float(len(inside) * true.cell_m**2),
    )


@dataclass(frozen=True, slots=True)
class PathScores:
    """Lengths of paths on a graph as multiples of the shortest true paths."""

    median: float
    p90: float
    p95: float
    within_10_percent: float
    """Share of the paths that exist that are neither longer nor, through things, shorter."""
    connected: float
    """Share of pairs with a true path that have one on the graph."""
    pairs: int


def evaluate_paths(
    layer: Layer,
    true: TrueGround,
    obstacles: Floats,
    rng: np.random.Generator,
    *,
    clearance_m: float = 0.25,
    least_m: float = 5.0,
    sources: int = 30,
    T_world_map: Floats | None = None,
) -> PathScores:
    """Compare paths between nodes with the shortest over seen ground, clear of obstacles (k, 2)."""
    from scipy.sparse.csgraph import dijkstra
    from scipy.spatial import cKDTree

    free = _clear(true.points, obstacles, clearance_m)
    ground = true.points[free]
    at = layer.positions if T_world_map is None else apply(T_world_map, layer.positions)
    away, cell = cKDTree(ground[:, :2]).query(at[:, :2])
    nodes = np.flatnonzero(away < true.cell_m)
    picked = rng.choice(nodes, min(sources, len(nodes)), replace=False)
    truth = dijkstra(_grid(ground, true.cell_m), directed=False, indices=cell[picked])[:, cell]
    paths = dijkstra(_graph(layer, at), directed=False, indices=picked)
    asked = np.isfinite(truth) & (truth >= least_m)
    asked[:, np.setdiff1d(np.arange(len(at)), nodes)] = False
    ratio = paths[asked] / truth[asked]
    there = np.isfinite(ratio)
    if not there.any():
        nan = float("nan")
        return PathScores(nan, nan, nan, nan, 0.0, int(asked.sum()))
    return PathScores(
        median=float(np.median(ratio[there])),
        p90=float(np.quantile(ratio[there], 0.9)),
        p95=float(np.quantile(ratio[there], 0.95)),
        within_10_percent=float((np.abs(ratio[there] - 1) <= 0.1).mean()),
        connected=float(there.mean()),
        pairs=int(asked.sum()),
    )


def _clear(points: Floats, obstacles: Floats, clearance_m: float) -> Bools:
    from scipy.spatial import cKDTree

    if len(obstacles) == 0:
        return np.ones(len(points), bool)
    away, _ = cKDTree(obstacles[:, :2]).query(points[:, :2])
    return np.asarray(away >= clearance_m)


def _grid(points: Floats, cell_m: float) -> Any:
    """Return the sparse matrix (n, n) of moves among cells, each over cells that are there too."""
    from scipy.sparse import coo_matrix

    place = np.floor(points[:, :2] / cell_m).astype(np.int64)
    place -= place.min(axis=0, initial=0) - 4
    index = np.full(place.max(axis=0, initial=0) + 5, -1, np.int64)
    index[place[:, 0], place[:, 1]] = np.arange(len(place))
    rows, columns, lengths = [], [], []
    for step in REACH_STEPS:
        ok = np.ones(len(place), bool)
        for share in np.linspace(0, 1, 2 * int(np.abs(step).max()) + 1)[1:]:
            i, j = np.round(place + share * step).astype(np.int64).T
            ok &= index[i, j] >= 0
        i, j = (place[ok] + step).T
        rows.append(np.flatnonzero(ok))
        columns.append(index[i, j])
        lengths.append(np.full(int(ok.sum()), cell_m * float(np.hypot(*step))))
    data = (np.concatenate(lengths), (np.concatenate(rows), np.concatenate(columns)))
    return coo_matrix(data, (len(place), len(place))).tocsr()


def _graph(layer: Layer, at: Floats) -> Any:
    from scipy.sparse import coo_matrix

    i, j = layer.edges.rows.T
    length = np.linalg.norm(at[i] - at[j], axis=1)
    return coo_matrix((length, (i, j)), (len(at), len(at))).tocsr()
