"""Places: a sparse graph of the space a robot can be in, on the ridge of that space."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Ints, Ints32
from commonground.mapping.space.distances import MAX_CLEARANCE_M, MIN_CLEARANCE_M, Distances
from commonground.mapping.space.kinds import MIDDLE
from commonground.mapping.space.ridge import spread, widths
from commonground.mapping.space.settings import PlaceSettings
from commonground.mapping.surface.blocks import SIDE, VOXELS, Blocks

MAX_SPACING_M = 1.5
"""In the open, places are this far apart."""

EDGE_REACH = 3.5
"""Places are joined over up to this many times the widest spacing between them."""
STRAY_VOXELS = 2
"""A place stays while the ridge is within so many voxels of it."""


class Places:
    """Nodes and edges so far; those behind the robot are final."""

    KEPT = (
        "at", "clearance", "alive", "filler", "final", "first_seen_ns", "last_seen_ns", "edges", "width",
    )  # fmt: skip

    def __init__(self, settings: PlaceSettings) -> None:
        self.settings = settings
        self.at: Floats = np.empty((0, 3))
        """(n, 3) centers of voxels; a place given up keeps its row."""
        self.clearance: Floats = np.empty(0)
        """(n,) meters to the nearest surface."""
        self.alive: Bools = np.empty(0, np.bool_)
        self.filler: Bools = np.empty(0, np.bool_)
        """(n,) not on the ridge but in wide space beside it."""
        self.final: Bools = np.empty(0, np.bool_)
        """(n,) its surroundings left the robot's reach: it stays as it is."""
        self.first_seen_ns: Ints = np.empty(0, np.int64)
        self.last_seen_ns: Ints = np.empty(0, np.int64)
        self.edges: Ints = np.empty((0, 2), np.int64)
        """(m, 2) rows, the smaller first."""
        self.width: Floats = np.empty(0)
        """(m,) least clearance along each edge."""

    def update(self, distances: Distances, blocks: Blocks, touched: Bools) -> None:
        """Give up places the ridge has left, add new ones, and join those whose surroundings changed."""
        node = self._voxels(blocks)
        self.final |= self.alive & (node < 0)
        if not touched.any():
            return
        near = np.flatnonzero((node >= 0) & self.alive & ~self.final)
        near = near[touched[node[near] // VOXELS]]
        slots = np.flatnonzero(touched).astype(np.int32)
        self._review(distances, blocks, near, node)
        fresh = [self._add(distances, blocks, slots, distances.ridge[slots], filler=False)]
        if distances.bounded:
            self._make_way(near)
            middle = np.asarray(distances.kind[slots] == MIDDLE)
            fresh.append(self._add(distances, blocks, slots, middle, filler=True))
        self._join(distances, blocks, np.concatenate([near[self.alive[near]], *fresh]))

    def _voxels(self, blocks: Blocks) -> Ints:
        """Return the voxel (n,) each place is in, as slot × 512 + voxel; −1 where its block is gone."""
        v = np.floor(self.at / blocks.voxel_m).astype(np.int64)
        slots = blocks.slots_of((v // SIDE).astype(np.int32)).astype(np.int64)
        inner = v % SIDE
        number = (inner[:, 0] * SIDE + inner[:, 1]) * SIDE + inner[:, 2]
        return np.where(slots >= 0, slots * VOXELS + number, -1)

    def _review(self, distances: Distances, blocks: Blocks, rows: Ints, node: Ints) -> None:
        """Update the places in changed surroundings, and give up those that are off the ridge now."""
        self.clearance[rows] = distances.clearance_at(node[rows], blocks)
        slot, voxel = node[rows] // VOXELS, node[rows] % VOXELS
        stays = distances.kind[slot, voxel] == MIDDLE
        stays &= self.clearance[rows] >= MIN_CLEARANCE_M
        stays &= self.filler[rows] | self._near_ridge(distances, blocks, rows)
        self.alive[rows[~stays]] = False
        kept, at = rows[stays], slot[stays]
        self.last_seen_ns[kept] = blocks.last_seen_ns[at]

    def _near_ridge(self, distances: Distances, blocks: Blocks, rows: Ints) -> Bools:
        steps = np.arange(-STRAY_VOXELS, STRAY_VOXELS + 1)
        cube = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), -1).reshape(-1, 3)
        v = np.floor(self.at[rows] / blocks.voxel_m).astype(np.int64)[:, None, :] + cube
        slots = blocks.slots_of((v // SIDE).astype(np.int32).reshape(-1, 3)).reshape(v.shape[:2])
        inner = v % SIDE
        number = (inner[..., 0] * SIDE + inner[..., 1]) * SIDE + inner[..., 2]
        return np.asarray((distances.ridge[slots, number] & (slots >= 0)).any(axis=1))

    def _make_way(self, rows: Ints) -> None:
        """Give up those places between the ridges that have one on a ridge nearby by now."""
        from scipy.spatial import cKDTree

        on_ridge = self.at[self.alive & ~self.filler]
        fillers = rows[self.filler[rows] & self.alive[rows]]
        if len(on_ridge) and len(fillers):
            away, _ = cKDTree(on_ridge).query(self.at[fillers])
            self.alive[fillers[away < self._spacing(self.clearance[fillers])]] = False

    def _add(
        self, distances: Distances, blocks: Blocks, slots: Ints32, where: Bools, *, filler: bool
    ) -> Ints:
        """Put places where there are none near, the roomiest voxels first; return their rows.

        ``where`` (s, 512) tells which voxels of the slots (s,) may have one: those on the ridge, and then,
        for ``filler`` places, those beside it.
        """
        from scipy.spatial import cKDTree

        rows = len(self.at)
        which, voxel = np.nonzero(where)
        slot = slots[which]
        inner = np.stack([voxel // 64, (voxel // 8) % 8, voxel % 8], axis=1)
        at = np.asarray((blocks.keys[slot] * SIDE + inner + 0.5) * blocks.voxel_m, float)
        square = distances.square[slot, voxel].astype(float)
        room = np.minimum(blocks.voxel_m * np.sqrt(square), MAX_CLEARANCE_M)
        gap = self._spacing(room)
        free = room >= MIN_CLEARANCE_M
        if self.alive.any() and len(at):
            tree = cKDTree(self.at[self.alive])
            away, _ = tree.query(at, distance_upper_bound=MAX_SPACING_M)
            free &= away >= gap
        order = np.flatnonzero(free)
        order = order[np.lexsort((*at[order].T, -np.round(square[order])))]
        kept = order[spread(at[order], gap[order])]
        nodes = slot[kept].astype(np.int64) * VOXELS + voxel[kept]
        more = {
            "at": at[kept],
            "clearance": distances.clearance_at(nodes, blocks),
            "alive": np.ones(len(kept), np.bool_),
            "filler": np.full(len(kept), filler),
            "final": np.zeros(len(kept), np.bool_),
            "first_seen_ns": blocks.first_seen_ns[slot[kept]],
            "last_seen_ns": blocks.last_seen_ns[slot[kept]],
        }
        for name, values in more.items():
            setattr(self, name, np.concatenate([getattr(self, name), values]))
        return np.arange(rows, len(self.at))

    def _spacing(self, clearance: Floats) -> Floats:
        s = self.settings
        return np.clip(s.spacing * clearance, s.min_spacing_m, MAX_SPACING_M)

    def _join(self, distances: Distances, blocks: Blocks, rows: Ints) -> None:
        """Find the straight free lines from some places to their neighbors anew; the rest stays."""
        from scipy.spatial import cKDTree

        alive = np.flatnonzero(self.alive)
        pairs = np.empty((0, 2), np.int64)
        if len(rows) and len(alive) > 1:
            tree, reach = cKDTree(self.at[alive]), EDGE_REACH * MAX_SPACING_M
            found = tree.query_ball_point(self.at[rows], reach, return_sorted=True)
            a = np.repeat(rows, [len(x) for x in found])
            b = alive[np.concatenate([np.asarray(x, np.int64) for x in found])]
            pairs = np.unique(np.sort(np.stack([a, b], axis=1)[a != b], axis=1), axis=0)
        width = widths(
            self.at[pairs[:, 0]],
            self.at[pairs[:, 1]],
            distances.space(blocks),
            blocks.voxel_m,
            MAX_CLEARANCE_M,
        )
        asked = np.zeros(len(self.at), np.bool_)
        asked[rows] = True
        known, clear = np.isfinite(width), width >= MIN_CLEARANCE_M
        # a line that is no longer all in view keeps the answer it had
        unsure = np.isin(_codes(self.edges), _codes(pairs[~known]))
        stays = self.alive[self.edges].all(axis=1) & (unsure | ~asked[self.edges].any(axis=1))
        edges = np.concatenate([self.edges[stays], pairs[clear]])
        self.width = np.concatenate([self.width[stays], width[clear]])
        order = np.lexsort(edges.T[::-1])
        self.edges, self.width = edges[order], self.width[order]


def _codes(pairs: Ints) -> Ints:
    return (pairs[:, 0] << 32) + pairs[:, 1]
