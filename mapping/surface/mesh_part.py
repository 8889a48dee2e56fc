"""A piece of mesh, apart from what makes it: who reads or shows one loads no compiler."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Bytes, Floats32, Ints, Ints32


@dataclass(frozen=True, slots=True, eq=False)
class MeshPart:
    """Triangles of some blocks; vertices on their borders are repeated in the parts of their neighbors."""

    keys: Ints
    """(n,) packed cell coordinates: the same cell at the same time gives the same vertex."""
    vertices: Floats32
    """(n, 3) in the odometry frame."""
    colors: Bytes
    """(n, 3)"""
    labels: Ints32
    """(n,)"""
    first_seen_ns: Ints
    last_seen_ns: Ints
    faces: Ints32
    """(m, 3)"""

    def welded(self) -> MeshPart:
        """Return the part with vertices of one cell and one position joined, and no face without area."""
        bits = np.ascontiguousarray(self.vertices).view(np.uint32).reshape(-1, 3)
        order = np.lexsort((bits[:, 2], bits[:, 1], bits[:, 0], self.keys))
        fresh = np.ones(len(order), bool)
        same_key = self.keys[order][1:] == self.keys[order][:-1]
        fresh[1:] = ~(same_key & (bits[order][1:] == bits[order][:-1]).all(axis=1))
        # keep the order in which vertices came
        leader = order[np.flatnonzero(fresh)][np.cumsum(fresh) - 1]
        first = np.empty(len(order), np.int64)
        first[order] = leader
        kept = np.unique(first)
        faces = np.searchsorted(kept, first[self.faces]).astype(np.int32)
        a, b, c = faces.T
        faces = faces[(a != b) & (b != c) & (a != c)]
        columns = {n: getattr(self, n)[kept] for n in COLUMNS}
        return MeshPart(faces=faces, **columns)

    @staticmethod
    def joined(parts: list[MeshPart]) -> MeshPart:
        """Return several parts as one, not welded."""
        whole = [*parts, EMPTY]
        columns: dict[str, Any] = {
            n: np.concatenate([getattr(p, n) for p in whole]) for n in COLUMNS
        }
        starts = np.cumsum([0, *(len(p.vertices) for p in whole)])
        faces = np.concatenate(
            [p.faces + start for p, start in zip(whole, starts[:-1], strict=True)]
        )
        return MeshPart(faces=faces.astype(np.int32), **columns)


COLUMNS = ("keys", "vertices", "colors", "labels", "first_seen_ns", "last_seen_ns")
EMPTY = MeshPart(
    np.empty(0, np.int64), np.empty((0, 3), np.float32), np.empty((0, 3), np.uint8),
    np.empty(0, np.int32), np.empty(0, np.int64), np.empty(0, np.int64), np.empty((0, 3), np.int32),
)  # fmt: skip
