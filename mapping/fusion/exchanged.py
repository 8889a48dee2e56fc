"""What was exchanged for something else: two things at one place, seen by others, that look unlike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.looks import SPREAD
from commonground.mapping.objects.looks import LEARNED
from commonground.objects import ObjectMap
from commonground.symbols import symbol_of

OVERLAP = 0.3
"""Share of the smaller box that lies in the other one: two things cannot be there at the same time."""
SPREADS = 2.0
UNLIKE = 0.05
"""Two things look unlike if their looks differ by so many times what views of each differ, plus this much."""
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
    folders: tuple[str, str | None] = ("", "")
    """Of the maps that have them, with a slash; both empty for things of one map, None for no pictures."""

    def as_json(self) -> dict[str, Any]:
        """Return plain values, with the best picture of each in its map's ``crops.zip``."""
        return {
            "symbols": list(self.symbols),
            "seen_by": [list(names) for names in self.seen_by],
            "likeness": round(self.likeness, 3),
            "crops": [
                None if folder is None else f"{folder}crops.zip/{symbol}/1.jpg"
                for folder, symbol in zip(self.folders, self.symbols, strict=True)
            ],
        }

    def __str__(self) -> str:
        one, other = self.symbols
        return (
            f"{one} (seen by {', '.join(self.seen_by[0])}) and {other} ({', '.join(self.seen_by[1])}) are at "
            f"one place and look unlike (cosine {self.likeness:.2f}): one was exchanged for the other"
        )


def exchanged(objects: ObjectMap, robots: list[str]) -> list[Exchange]:
    """Return the pairs of things at one place that no robot saw both and that look unlike each other."""
    seen_by = np.asarray(objects.columns["seen_by"], bool)
    out = []
    for i, j, likeness in _unlike_pairs(objects, objects):
        if i >= j or (seen_by[i] & seen_by[j]).any():
            continue
        pair = sorted((i, j), key=lambda row: int(objects.last_seen_ns[row]))
        who = [tuple(n for n, saw in zip(robots, seen_by[r], strict=True) if saw) for r in pair]
        symbols = [symbol_of(int(objects.ids[r])) for r in pair]
        out.append(Exchange((symbols[0], symbols[1]), (who[0], who[1]), likeness))
    return sorted(out, key=lambda found: found.likeness)


def exchanged_since(
    objects_map: ObjectMap,
    driven: ObjectMap,
    T_map_odom: Floats,
    robot: str,
    folders: tuple[str, str | None] = ("", ""),
) -> list[Exchange]:
    """Return what stands where a map has something that looks otherwise, as a later drive found it.

    The later symbol is that of the drive's own map. A thing that looks like the map's at its place, even if
    another one beside it does not, was not exchanged.
    """
    here = driven.transformed(T_map_odom)
    alike = {i for i, _, _ in _pairs(objects_map, here, unlike=False)}
    out = [
        Exchange(
            (symbol_of(int(objects_map.ids[i])), symbol_of(int(driven.ids[j]))),
            (("the map",), (robot,)),
            likeness,
            folders,
        )
        for i, j, likeness in _unlike_pairs(objects_map, here)
        if i not in alike
    ]
    return sorted(out, key=lambda found: found.likeness)


def _unlike_pairs(one: ObjectMap, two: ObjectMap) -> list[tuple[int, int, float]]:
    return _pairs(one, two, unlike=True)


def _pairs(one: ObjectMap, two: ObjectMap, *, unlike: bool) -> list[tuple[int, int, float]]:
    """Return the rows of things of two maps at one place that look alike or unlike, with their cosine."""
    from scipy.spatial import cKDTree

    rows = [np.flatnonzero(_with_looks(m)) for m in (one, two)]
    if one.embedding_model != two.embedding_model or not all(map(len, rows)):
        return []
    (low1, high1), (low2, high2) = (
        m.boxes.take(r).bounds() for m, r in zip((one, two), rows, strict=True)
    )
    reach = (
        np.linalg.norm(high1 - low1, axis=1).max() + np.linalg.norm(high2 - low2, axis=1).max()
    ) / 2
    near = cKDTree((low1 + high1) / 2).query_ball_tree(cKDTree((low2 + high2) / 2), float(reach))
    i, j = np.array([(a, b) for a, some in enumerate(near) for b in some], int).reshape(-1, 2).T
    common = np.clip(np.minimum(high1[i], high2[j]) - np.maximum(low1[i], low2[j]), 0, None).prod(1)
    smaller = np.minimum((high1 - low1).prod(axis=1)[i], (high2 - low2).prod(axis=1)[j])
    likeness = np.einsum("nd,nd->n", one.embeddings[rows[0][i]], two.embeddings[rows[1][j]])
    spread = _spread(one)[rows[0][i]] + _spread(two)[rows[1][j]]
    far = 1 - likeness > SPREADS * spread + UNLIKE
    kept = (common > OVERLAP * smaller) & (far == unlike)
    return [
        (int(rows[0][i[k]]), int(rows[1][j[k]]), float(likeness[k])) for k in np.flatnonzero(kept)
    ]


def _with_looks(objects: ObjectMap) -> Bools:
    """Return which objects have looks of a model that tells kinds apart, and a box."""
    if not objects.embeddings.shape[1] or not objects.embedding_model.startswith(LEARNED):
        return np.zeros(len(objects), bool)
    return np.asarray(np.isfinite(objects.embeddings).all(axis=1) & objects.boxes.valid)


def _spread(objects: ObjectMap) -> Floats:
    told = objects.columns.get(SPREAD)
    if told is None:
        return np.full(len(objects), USUAL_SPREAD)
    return np.asarray(np.nan_to_num(np.asarray(told, float), nan=USUAL_SPREAD))
