"""What was exchanged for something else: two things at one place, seen by others, that look unlike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.mapping.objects.looks import BY_WORDS, SPREAD
from commonground.objects import ObjectMap
from commonground.symbols import symbol_of

OVERLAP = 0.3
"""Share of the smaller box that lies in the other one: two things cannot be there at the same time."""
SPREADS = 2.0
UNLIKE = 0.05
"""By so many times what their views differ, and so much more, two looks differ that are not of one thing."""
USUAL_SPREAD = 0.1
"""How far views of one thing differ where the map does not say."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two things of a fused map at the same place: one of them stood there at another time."""

    symbols: tuple[str, str]
    """The one seen earlier first."""
    seen_by: tuple[tuple[str, ...], tuple[str, ...]]
    likeness: float
    """Cosine of their looks."""

    def as_json(self) -> dict[str, Any]:
        """Return plain values, with the best picture of each in the map's ``crops.zip``."""
        return {
            "symbols": list(self.symbols),
            "seen_by": [list(names) for names in self.seen_by],
            "likeness": round(self.likeness, 3),
            "crops": [f"crops.zip/{symbol}/1.jpg" for symbol in self.symbols],
        }

    def __str__(self) -> str:
        one, other = self.symbols
        return (
            f"{one} (seen by {', '.join(self.seen_by[0])}) and {other} ({', '.join(self.seen_by[1])}) are at "
            f"one place and look unlike (cosine {self.likeness:.2f}): one was exchanged for the other"
        )


def exchanged(objects: ObjectMap, robots: list[str]) -> list[Exchange]:
    """Return the pairs of things at one place that no robot saw both and that look unlike each other."""
    from scipy.spatial import cKDTree

    known = _with_looks(objects)
    rows = np.flatnonzero(known)
    if len(rows) < 2:
        return []
    low, high = _bounds(objects, rows)
    seen_by = np.asarray(objects.columns["seen_by"], bool)[rows]
    reach = float(np.linalg.norm(high - low, axis=1).max())
    pairs = cKDTree((low + high) / 2).query_pairs(reach, output_type="ndarray")
    i, j = pairs.T
    common = np.clip(np.minimum(high[i], high[j]) - np.maximum(low[i], low[j]), 0, None).prod(
        axis=1
    )
    smaller = np.minimum((high - low).prod(axis=1)[i], (high - low).prod(axis=1)[j])
    looks = objects.embeddings[rows]
    likeness = np.einsum("nd,nd->n", looks[i], looks[j])
    spread = _spread(objects)[rows]
    unlike = 1 - likeness > SPREADS * (spread[i] + spread[j]) + UNLIKE
    apart = ~(seen_by[i] & seen_by[j]).any(axis=1)
    out = []
    for k in np.flatnonzero((common > OVERLAP * smaller) & apart & unlike).tolist():
        pair = sorted((rows[i[k]], rows[j[k]]), key=lambda row: int(objects.last_seen_ns[row]))
        who = [
            tuple(n for n, saw in zip(robots, objects.columns["seen_by"][r], strict=True) if saw)
            for r in pair
        ]
        symbols = tuple(symbol_of(int(objects.ids[r])) for r in pair)
        out.append(Exchange((symbols[0], symbols[1]), (who[0], who[1]), float(likeness[k])))
    return sorted(out, key=lambda found: found.likeness)


def _with_looks(objects: ObjectMap) -> Bools:
    """Return which objects have looks of a model that tells kinds apart, and a box."""
    if not objects.embeddings.shape[1] or not objects.embedding_model.startswith(BY_WORDS):
        return np.zeros(len(objects), bool)
    return np.asarray(np.isfinite(objects.embeddings).all(axis=1) & objects.boxes.valid)


def _bounds(objects: ObjectMap, rows: Any) -> tuple[Floats, Floats]:
    corners = objects.boxes.take(rows).corners()
    return corners.min(axis=1), corners.max(axis=1)


def _spread(objects: ObjectMap) -> Floats:
    told = objects.columns.get(SPREAD)
    if told is None:
        return np.full(len(objects), USUAL_SPREAD)
    return np.asarray(np.nan_to_num(np.asarray(told, float), nan=USUAL_SPREAD))
