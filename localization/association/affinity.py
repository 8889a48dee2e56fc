"""Affinity graph of putative associations: an edge where two of them agree on a distance."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise

import numpy as np

from commonground.arrays import Floats, Floats32, Ints, Ints32
from commonground.localization.association.correspondences import (
    AffinityGraph,
    Candidates,
    Correspondences,
    Tolerance,
)

GATE = 2.0
"""Standard deviations by which two distances may differ and still agree."""
CANDIDATES = 12_000
"""Associations that enter the graph; of more, the most promising are taken."""
ENTRIES = 30_000_000
"""Entries a graph may have (240 MB): beyond, the gate is narrowed."""
PARALLEL = 700
"""Associations from which on threads pay."""


def choose_candidates(
    matches: Correspondences,
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
    i1, i2 = matches.i1[rows], matches.i2[rows]
    f = np.float32
    return Candidates(
        rows=rows,
        i1=i1,
        i2=i2,
        xyz1=gathered(matches.p1, i1),
        xyz2=gathered(matches.p2, i2),
        var_h=matches.var_h[rows].astype(f),
        var_v=matches.var_v[rows].astype(f),
        weight=weight[rows].astype(f),
        upright=matches.upright,
    )


def build_graph(c: Candidates, threads: int = 0, gate: float = GATE) -> AffinityGraph:
    """Return the affinity of all pairs of candidates; ``threads`` = 0 uses every core."""
    n = len(c.rows)
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
            return AffinityGraph(np.concatenate([[0], np.cumsum(counts)]), cols, vals)
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
    counts = np.zeros(len(c.rows), np.int64)
    cols, vals = np.empty(capacity, np.int32), np.empty(capacity, np.float32)
    used = affinity_rows(first, last, c, Tolerance.of(gate), counts, cols, vals)
    return None if used < 0 else (counts[first:last], cols[:used], vals[:used])
