"""What a map answers to words: nodes with probabilities, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.grounding.nodes import Nodes

LIKELY = 0.5
"""Probability from which looks alone say that a thing is what was asked for."""
NAME, CLASS, KIND, MAYBE, LOOKS = range(5)
"""How near a hit is to the words: the name itself, its class, a kind of it, what may be one, looks alone."""
Mark = tuple[int, str]
"""How near a node is to the words, and why."""
Marks = Mapping[str, Mapping[int, Mark]]
"""Layer → row → mark."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A node that may be what was asked for."""

    symbol: str
    layer: str
    word: str
    """What the map calls it."""
    position: tuple[float, float, float]
    probability: float | None
    """That it is what was asked for, by its looks; None where only words were compared."""
    why: str
    rank: int
    """0 for the name itself, 1 for its class, 2 for a kind of it, 3 for what may be one, 4 for looks."""

    @property
    def is_likely(self) -> bool:
        """Whether nothing speaks against it."""
        return self.probability is None or self.probability >= LIKELY


@dataclass(frozen=True, slots=True)
class Findings:
    """What a map answers to words."""

    asked: str
    hits: tuple[Hit, ...]
    by_looks: bool
    """Whether embeddings were compared, not words alone."""
    notes: tuple[str, ...] = ()
    model: str = ""
    """What made the embeddings that were compared."""
    none: str = ""
    """Why there is no hit, where there is none."""
    count: int = 0
    """How many nodes it may be that nothing speaks against, listed or not."""

    def as_json(self, crops: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Return plain values; ``crops`` is the best picture of each node."""
        results = [
            {
                "symbol": h.symbol, "probability": h.probability, "label": h.word,
                "crop": (crops or {}).get(h.symbol), "why": h.why,
                "layer": h.layer, "position": list(h.position), "rank": h.rank,
            }
            for h in self.hits
        ]  # fmt: skip
        return {
            "asked": self.asked, "results": results, "count": self.count, "model": self.model,
            "by_looks": self.by_looks, "notes": list(self.notes),
        }  # fmt: skip


def hit_of(nodes: Nodes, row: int, rank: int, likely: float, why: str) -> Hit:
    x, y, z = (round(float(v), 3) for v in nodes.positions[row])
    p = float(likely) if np.isfinite(likely) else None
    return Hit(nodes.symbols[row], nodes.layer, nodes.words[row], (x, y, z), p, why, rank)


def order_of(hit: Hit) -> tuple[bool, float, int, str, int]:
    """Return what hits are ordered by: the likeliest first, then the nearest word."""
    letter, number = hit.symbol[0], int(re.sub(r"\D", "", hit.symbol) or 0)
    return hit.rank > NAME, -(hit.probability or 0.0), hit.rank, letter, number
