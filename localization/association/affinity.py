"""Affinity graph of putative associations: an edge where two of them agree on a distance."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from commonground.arrays import Floats, Floats32, Ints, Ints32
from commonground.localization.association.problem import Problem

DRIFT = 0.005
"""Distances between objects of one map are wrong by this share: odometry drifts inside a map."""
TILT = 0.0175
"""Standard deviation in radians (1°) of the vertical: heights slip with the horizontal distance."""
GATE = 2.0
"""Standard deviations by which two distances may differ and still agree."""
CANDIDATES = 12_000
"""Associations that enter the graph; of more, the most promising are taken."""
ENTRIES = 30_000_000
"""Entries a graph may have (240 MB): beyond, the gate is narrowed."""
PARALLEL = 700
"""Associations from which on threads pay."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The associations worth a guess, gathered for the compiled loops (single precision, centered)."""

    rows: Ints
    """(m,) rows of the problem's associations."""
    i1: Ints32
    i2: Ints32
    xyz1: Floats32
    """(3, m) the first object's position."""
    xyz2: Floats32
    var_h: Floats32
    """(m,) summed variance of the two positions along a horizontal axis."""
    var_v: Floats32
    weight: Floats32
    """(m,) what the association would add to the evidence where it fits; positive."""
    upright: bool

    def __len__(self) -> int:
        return len(self.rows)

    def slack(self, gate: float) -> tuple[np.float32, np.float32, np.float32]:
        """Return drift², tilt² and gate² for the compiled loops."""
        return np.float32(DRIFT**2), np.float32(TILT**2), np.float32(gate**2)


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """Symmetric affinity in compressed rows; the unit diagonal is not stored."""

    starts: Ints
    """(m + 1,)"""
    cols: Ints32
    vals: Floats32
    """In (0, 1]: exp(−½ c²/σ²) of the difference c of two distances."""

    def __len__(self) -> int:
        return len(self.starts) - 1


def choose_candidates(
    problem: Problem,
    var_h: Floats,
    var_v: Floats,
    weight: Floats,
    appearance: Floats,
    rng: np.random.Generator | None = None,
) -> Candidates:
    """Return the associations that would gain evidence where they fit, unless their appearance objects."""
    from commonground.localization.association._pairwise import gathered

    rows = np.flatnonzero((weight > 0.0) & (appearance > -1.0))
    if len(rows) > CANDIDATES:
        # without features all promise the same: a shuffle cuts evenly over both maps
        shuffled = (np.random.default_rng(0) if rng is None else rng).permutation(rows)
        rows = np.sort(shuffled[np.argsort(-weight[shuffled], kind="stable")[:CANDIDATES]])
    i1, i2 = problem.i1[rows], problem.i2[rows]
    f = np.float32
    return Candidates(
        rows=rows,
        i1=i1,
        i2=i2,
        xyz1=gathered(problem.side1.points, i1),
        xyz2=gathered(problem.side2.points, i2),
        var_h=var_h[rows].astype(f),
        var_v=var_v[rows].astype(f),
        weight=weight[rows].astype(f),
        upright=problem.upright,
    )


def build_graph(c: Candidates, threads: int = 0, gate: float = GATE) -> Graph:
    """Return the affinity of all pairs of candidates; ``threads`` = 0 uses every core."""
    n = len(c)
    parts = (threads or os.cpu_count() or 1) if n >= PARALLEL else 1
    bounds = np.linspace(0, n, parts + 1).astype(int)
    blocks = list(pairwise(bounds.tolist()))
    capacity = min(ENTRIES, n * n // 3 + n) // parts
    while True:
        fill = partial(_rows, c, gate, capacity)
        if parts == 1:
            filled = [fill(blocks[0])]
        else:
            with ThreadPoolExecutor(parts) as pool:
                filled = list(pool.map(fill, blocks))
        done = [f for f in filled if f is not None]
        if len(done) == parts:
            counts, cols, vals = (np.concatenate(x) for x in zip(*done, strict=True))
            return Graph(np.concatenate([[0], np.cumsum(counts)]), cols, vals)
        if capacity * parts < min(ENTRIES, n * n):
            capacity *= 2
        else:
            gate *= 0.7


def _rows(
    c: Candidates, gate: float, capacity: int, block: tuple[int, int]
) -> tuple[Ints, Ints32, Floats32] | None:
    """Return the entries of each row of a block, their columns and values; None if there are too many."""
    from commonground.localization.association._pairwise import affinity_rows

    first, last = block
    counts = np.zeros(len(c), np.int64)
    cols, vals = np.empty(capacity, np.int32), np.empty(capacity, np.float32)
    positions = (c.i1, c.i2, c.xyz1, c.xyz2, c.var_h, c.var_v)
    drift2, tilt2, gate2 = c.slack(gate)
    used = affinity_rows(
        first, last, *positions, drift2, tilt2, c.upright, gate2, counts, cols, vals
    )
    return None if used < 0 else (counts[first:last], cols[:used], vals[:used])
