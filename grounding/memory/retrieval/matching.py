"""Finding a query graph in the knowledge graph by depth-first search (L3M+P, Algorithms 1 and 2).

Agarwal et al., "L3M+P: Lifelong Planning with Large Language Models", 2025. The published search tries
every combination of candidates. Here the same best mappings are found with a bound: what the nodes still
open could add at most. The cutoff is relative to each node's best candidate, as published.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Floats
from commonground.grounding.knowledge.index import FactIndex
from commonground.grounding.memory.retrieval.query import QueryGraph

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Candidates = Sequence[Sequence[tuple[str, float]]]
"""For each node of a query, the things it may be with their similarity, best first."""


@dataclass(slots=True)
class Matching:
    """A search for the best mappings of query nodes to things."""

    query: QueryGraph
    candidates: Candidates
    facts: FactIndex
    edge_score: float = 0.6
    """What a relation of the query that the graph has too is worth beside a node of similarity 1."""
    margin: float = 0.05
    """Mappings that score as little below the best count as well: their things are retrieved too."""
    max_visits: int = 20_000
    best: float = 0.0
    kept: list[tuple[float, dict[int, str]]] = field(default_factory=list)
    visits: int = 0
    _related: dict[str, frozenset[str]] = field(default_factory=dict)

    def run(self) -> list[dict[int, str]]:
        """Algorithm 1: assign nodes depth first; return the mappings within the margin of the best."""
        order = sorted(range(len(self.candidates)), key=lambda n: len(self.candidates[n]))
        order = [n for n in order if self.candidates[n]]
        self._extend(order, 0, {}, 0.0)
        return [m for score, m in self.kept if score >= self.best - self.margin]

    def _extend(self, order: list[int], depth: int, mapping: dict[int, str], score: float) -> None:
        self.visits += 1
        if self.visits > self.max_visits or score + self._bound(order, depth) < self.best:
            return
        if depth == len(order):
            self.best = max(self.best, score)
            self.kept.append((score, dict(mapping)))
            return
        node = order[depth]
        for thing, similarity in self.candidates[node]:
            if thing in mapping.values():
                continue
            mapping[node] = thing
            gained = self.gain(node, similarity, mapping)
            self._extend(order, depth + 1, mapping, score + gained)
            del mapping[node]

    def _bound(self, order: Sequence[int], depth: int) -> float:
        """Return the most that the nodes still open can add, the margin included."""
        left = set(order[depth:])
        nodes = sum(self.candidates[n][0][1] for n in left)
        edges = sum(e.start in left or e.end in left for e in self.query.edges)
        return nodes + self.edge_score * edges + self.margin

    def gain(self, node: int, similarity: float, mapping: Mapping[int, str]) -> float:
        """Algorithm 2: the score a node adds: its similarity, and every relation that holds in the graph."""
        score = similarity
        for edge in self.query.edges:
            if node in (edge.start, edge.end) and edge.start in mapping and edge.end in mapping:
                held = mapping[edge.end] in self._around(mapping[edge.start])
                score += self.edge_score * held
        return score

    def _around(self, thing: str) -> frozenset[str]:
        if thing not in self._related:
            near = {
                end for fact in self.facts.one_hop(thing) for end in (fact.subject, fact.object)
            }
            self._related[thing] = frozenset(near)
        return self._related[thing]


def candidates(
    things: Sequence[str], scores: Sequence[Sequence[float]], cutoff: float, most: int
) -> Candidates:
    """Return for each node the things at least ``cutoff`` times as similar as its most similar one."""
    found = []
    for row in scores:
        ranked = sorted(zip(things, row, strict=True), key=lambda pair: (-pair[1], pair[0]))
        best = ranked[0][1] if ranked else 0.0
        found.append([(t, s) for t, s in ranked[:most] if s > 0 and s >= cutoff * best])
    return found


_SIZE = 1 << 14
_PIECE = 3
_PIECE_WEIGHT = 0.35
"""Of a three-letter piece beside that of a word: pieces forgive endings and misspellings."""


class NameVectors:
    """Unit vectors of names: hashed words and their pieces, rare ones weighing more (tf-idf)."""

    def __init__(self, names: Mapping[str, Iterable[str]]) -> None:
        self.things = tuple(names)
        counts = [self._features(" ".join(names[thing])) for thing in self.things]
        seen = Counter(feature for features in counts for feature in features)
        total = max(1, len(self.things))
        self._rarity = {f: math.log((1 + total) / (1 + n)) + 1 for f, n in seen.items()}
        self._unseen = math.log(1 + total) + 1
        self._counts = counts

    @cached_property
    def matrix(self) -> csr_matrix:
        """One row a thing, each of length one."""
        from scipy.sparse import csr_matrix

        rows, columns, values = [], [], []
        for row, features in enumerate(self._counts):
            weights = self._weighted(features)
            rows += [row] * len(weights)
            columns += list(weights)
            values += list(weights.values())
        return csr_matrix((values, (rows, columns)), shape=(len(self.things), _SIZE))

    def similarities(self, phrase: str) -> Floats:
        """Return the cosine between a phrase and every thing's names, one value a thing."""
        weights = self._weighted(self._features(phrase))
        vector = np.zeros(_SIZE)
        vector[list(weights)] = list(weights.values())
        found: Floats = self.matrix @ vector
        return found

    def _weighted(self, features: Mapping[int, float]) -> dict[int, float]:
        weights = {f: n * self._rarity.get(f, self._unseen) for f, n in features.items()}
        norm = math.sqrt(sum(w * w for w in weights.values())) or 1.0
        return {f: w / norm for f, w in weights.items()}

    @staticmethod
    def _features(text: str) -> dict[int, float]:
        features: Counter[int] = Counter()
        weights: dict[int, float] = {}
        for word in text.lower().replace("_", " ").replace("'s", " ").split():
            weights[_slot(word)] = weights.get(_slot(word), 0.0) + 1.0
            padded = f"^{word}$"
            for at in range(len(padded) - _PIECE + 1):
                features[_slot(padded[at : at + _PIECE])] += 1
        for slot, count in features.items():
            weights[slot] = weights.get(slot, 0.0) + _PIECE_WEIGHT * math.sqrt(count)
        return weights


def _slot(text: str) -> int:
    return zlib.crc32(text.encode()) % _SIZE
